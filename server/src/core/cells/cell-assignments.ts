// Where merchants live, as this cell knows it. What is written is decided by the fence, inside each transaction; this
// says where a request belongs, and is remembered for a moment that a move waits out.
import type { Clock } from '../../domain/clock.ts';
import type { Database } from '../../store/database.ts';
import { liftLapsedFences, listFences, type Fence } from '../../store/cells/migration-locks.ts';
import { MerchantElsewhere } from './lock-merchant.ts';
import type { Moves } from './moves.ts';

export type Place =
  | { readonly type: 'HERE' }
  /** It is decided in a moment. `servedBy`: it comes from there, and is served there until it has left. */
  | { readonly type: 'ON_THE_WAY'; readonly servedBy?: string }
  | { readonly type: 'ELSEWHERE'; readonly cell: string };

export type Residences = {
  /** `isFresh`: as it is now, not as it was a moment ago. */
  readonly of: (merchantId: string, options?: { readonly isFresh: boolean }) => Promise<Place>;
  /** Where what carries this cell's own home, and is unknown here, could belong. */
  readonly cellsOfOwnHome: () => Promise<readonly string[]>;
};

/**
 * A mover lets at least this time pass between the fence and the opening in the other cell: then nobody here still
 * believes that the merchant is here, and no status is read here that is older than the request for it.
 */
export const REMEMBER_PLACES_MS = 250;

export function createResidences(
  { own, database, clock }: { readonly own: string; readonly database: Database; readonly clock: Clock },
  moves: Moves,
): Residences {
  let known: { readonly fences: Promise<ReadonlyMap<string, Fence>>; readonly until: number } | undefined;
  const fences = (isFresh: boolean): Promise<ReadonlyMap<string, Fence>> => {
    const now = performance.now();
    if (!isFresh && known !== undefined && known.until > now) return known.fences;
    const read = readFences(database, clock);
    known = { fences: read, until: now + REMEMBER_PLACES_MS };
    read.catch(() => (known = undefined));
    return read;
  };
  return {
    of: async (merchantId, { isFresh } = { isFresh: false }) => {
      const fence = (await fences(isFresh)).get(merchantId);
      if (fence === undefined || fence.state === 'COPYING') return { type: 'HERE' };
      if (fence.state === 'LEAVING') return { type: 'ON_THE_WAY' };
      if (fence.state === 'ARRIVING') return { type: 'ON_THE_WAY', servedBy: fence.otherCell };
      const listed = await moves.cellOf(merchantId);
      // The list can be behind; the fence is not, but may name a cell that was left again.
      return { type: 'ELSEWHERE', cell: listed === null || listed === own ? fence.otherCell : listed };
    },
    cellsOfOwnHome: () => moves.cellsOfHome(own),
  };
}

/**
 * For whoever has looked for something of a merchant and found nothing: it may have moved away after the request was
 * let in, however long ago that was. Throws MerchantElsewhere then.
 */
export async function requireStillHere(residences: Residences, merchantId: string): Promise<void> {
  const place = await residences.of(merchantId, { isFresh: true });
  if (place.type !== 'HERE') throw new MerchantElsewhere(merchantId);
}

async function readFences(database: Database, clock: Clock): Promise<ReadonlyMap<string, Fence>> {
  const fences = await listFences(database);
  const now = clock.now();
  const hasLapsed = fences.some(({ lapsesAt }) => lapsesAt !== null && lapsesAt <= now);
  if (hasLapsed) await liftLapsedFences(database, now);
  const read = hasLapsed ? await listFences(database) : fences;
  return new Map(read.map((fence) => [fence.merchantId, fence]));
}
