// Where merchants live, as this cell knows it. What is written is decided by the migration lock, inside each
// transaction; this says where a request belongs, and is remembered for a moment that a move waits out.
import type { Database } from '../../store/database.ts';
import {
  clearExpiredMigrationLocks,
  listMigrationLocks,
  type MigrationLock,
} from '../../store/cells/migration-locks.ts';
import type { EngineClock } from '../engine.ts';
import { MerchantInOtherCell } from './lock-merchant.ts';
import type { Moves } from './moves.ts';

export type Place =
  | { readonly type: 'HERE' }
  /** It is decided in a moment. `servedBy`: it comes from there, and is served there until it has left. */
  | { readonly type: 'ON_THE_WAY'; readonly servedBy?: string }
  | { readonly type: 'OTHER_CELL'; readonly cell: string };

export type CellAssignments = {
  /** `isFresh`: as it is now, not as it was a moment ago. */
  readonly of: (merchantId: string, options?: { readonly isFresh: boolean }) => Promise<Place>;
  /** Where what carries this cell's own home, and is unknown here, could belong. */
  readonly cellsOfOwnHome: () => Promise<readonly string[]>;
};

/**
 * A mover lets at least this time pass between the migration lock and the opening in the other cell: then no one here
 * still believes that the merchant is here, and no status is read here that is older than the request for it.
 */
export const REMEMBER_PLACES_MS = 250;

export function createCellAssignments(
  {
    own,
    database,
    clock,
  }: { readonly own: string; readonly database: Database; readonly clock: EngineClock },
  moves: Moves,
): CellAssignments {
  let known:
    | { readonly migrationLocks: Promise<ReadonlyMap<string, MigrationLock>>; readonly until: number }
    | undefined;
  const migrationLocks = (isFresh: boolean): Promise<ReadonlyMap<string, MigrationLock>> => {
    const now = performance.now();
    if (!isFresh && known !== undefined && known.until > now) return known.migrationLocks;
    const read = readMigrationLocks(database, clock);
    known = { migrationLocks: read, until: now + REMEMBER_PLACES_MS };
    read.catch(() => (known = undefined));
    return read;
  };
  return {
    of: async (merchantId, { isFresh } = { isFresh: false }) => {
      const migrationLock = (await migrationLocks(isFresh)).get(merchantId);
      if (migrationLock === undefined || migrationLock.state === 'COPYING') return { type: 'HERE' };
      if (migrationLock.state === 'LEAVING') return { type: 'ON_THE_WAY' };
      if (migrationLock.state === 'ARRIVING')
        return { type: 'ON_THE_WAY', servedBy: migrationLock.otherCell };
      const listed = await moves.cellOf(merchantId);
      // The list can be behind; the migration lock is not, but may name a cell that was left again.
      return {
        type: 'OTHER_CELL',
        cell: listed === null || listed === own ? migrationLock.otherCell : listed,
      };
    },
    cellsOfOwnHome: () => moves.cellsOfHome(own),
  };
}

/**
 * For anyone who has looked for something of a merchant and found nothing: it may have moved away after the request was
 * let in, however long ago that was. Throws MerchantInOtherCell then.
 */
export async function requireStillHere(cellAssignments: CellAssignments, merchantId: string): Promise<void> {
  const place = await cellAssignments.of(merchantId, { isFresh: true });
  if (place.type !== 'HERE') throw new MerchantInOtherCell(merchantId);
}

async function readMigrationLocks(
  database: Database,
  clock: EngineClock,
): Promise<ReadonlyMap<string, MigrationLock>> {
  const migrationLocks = await listMigrationLocks(database);
  const now = clock.now();
  const hasLapsed = migrationLocks.some(({ lapsesAt }) => lapsesAt !== null && lapsesAt <= now);
  // By the clock of the database, which a mover set the end by.
  if (hasLapsed) await clearExpiredMigrationLocks(database, await clock.timeOf(database));
  const read = hasLapsed ? await listMigrationLocks(database) : migrationLocks;
  return new Map(read.map((migrationLock) => [migrationLock.merchantId, migrationLock]));
}
