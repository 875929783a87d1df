// Who is asking: from the Authorization header to a merchant and what the token may do.
import { timingSafeEqual } from 'node:crypto';
import type { ProcessTime } from '../../domain/clock.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import { findToken, markTokenUsed, type StoredToken } from '../../store/access/tokens.ts';
import { inTimedTransaction } from '../timed-transaction.ts';
import { hashSecret, parseTokenText } from './api-token.ts';
import type { Engine, TimedStore } from '../engine.ts';

export type Authentication =
  | {
      readonly type: 'AUTHENTICATED';
      readonly tokenId: string;
      readonly merchant: Merchant;
      readonly scopes: ReadonlySet<string>;
    }
  /** The merchant is on its way to another cell; it is decided in a moment. */
  | { readonly type: 'ON_THE_WAY' }
  /** One of these cells can tell. */
  | { readonly type: 'OTHER_CELL'; readonly cells: readonly string[] }
  /** `cause` is for people and never tells a guesser whether a token exists. */
  | { readonly type: 'REFUSED'; readonly cause: string };

const REFUSED_TOKEN: Authentication = { type: 'REFUSED', cause: 'the API token is not valid' };

/** `isForwarded`: another cell believes that the token belongs here. `isFresh`: where the merchant is just now. */
export type AuthenticationOptions = { readonly isForwarded?: boolean; readonly isFresh?: boolean };

export async function authenticate(
  engine: Engine,
  header: string | undefined,
  { isForwarded = false, isFresh = false }: AuthenticationOptions = {},
): Promise<Authentication> {
  if (header === undefined) return { type: 'REFUSED', cause: 'the Authorization header is missing' };
  const bearer = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (bearer === undefined) {
    return { type: 'REFUSED', cause: 'the Authorization header must read "Bearer" and an API token' };
  }
  const parts = parseTokenText(bearer);
  if (parts === null) return REFUSED_TOKEN;
  if (parts.environment !== engine.environment) {
    return { type: 'REFUSED', cause: `the API token belongs to the ${parts.environment} environment` };
  }
  const token = await findTokenHere(engine, parts.tokenId, isForwarded);
  if (token === null) {
    const cells = await cellsThatCanTell(engine, parts.home, isForwarded);
    return cells.length === 0 ? REFUSED_TOKEN : { type: 'OTHER_CELL', cells };
  }
  // Whether the token is good, and the merchant's state, is known only where the merchant lives.
  const place = await engine.cellAssignments.of(token.merchantId, { isFresh });
  if (place.type === 'ON_THE_WAY') {
    // The cell it comes from decides; what that hands on is held until the merchant is there.
    const { servedBy } = place;
    return servedBy === undefined || isForwarded
      ? { type: 'ON_THE_WAY' }
      : { type: 'OTHER_CELL', cells: [servedBy] };
  }
  if (place.type === 'OTHER_CELL') return { type: 'OTHER_CELL', cells: [place.cell] };
  // No statement for each request: as far as the clocks differed when they were last compared.
  if (!isGood(token, parts.secret, engine.clockCheck.notBehind(engine.clock.now()))) return REFUSED_TOKEN;
  const merchant = await engine.directory.merchant(token.merchantId);
  if (merchant === null || merchant.isSuspended) return REFUSED_TOKEN;
  noteUse(engine, token.tokenId);
  return { type: 'AUTHENTICATED', tokenId: token.tokenId, merchant, scopes: new Set(token.scopes) };
}

/** What another cell knows may be newer than what was remembered here. */
async function findTokenHere(
  engine: Pick<Engine, 'directory' | 'store'>,
  tokenId: string,
  isForwarded: boolean,
): Promise<StoredToken | null> {
  const token = await engine.directory.token(tokenId);
  return token === null && isForwarded ? findToken(engine.store.database, tokenId) : token;
}

/**
 * Where a token could be known that is not known here: at its home, or where merchants of this home have moved to. Only
 * the home asks on behalf of others, so that an unknown token never goes round.
 */
export async function cellsThatCanTell(
  { home: own, forwarder, cellAssignments }: Engine,
  home: string,
  isForwarded: boolean,
): Promise<readonly string[]> {
  if (home === own) return (await cellAssignments.cellsOfOwnHome()).filter((cell) => forwarder.knows(cell));
  return !isForwarded && forwarder.knows(home) ? [home] : [];
}

function isGood(token: StoredToken, secret: string, now: ProcessTime): boolean {
  if (!timingSafeEqual(hashSecret(secret), token.secretHash)) return false;
  if (token.revokedAt !== null && token.revokedAt <= now) return false;
  return token.expiresAt === null || token.expiresAt > now;
}

/** When each token was last noted by this process. A minute's grain is all the directory keeps. */
const notedAt = new Map<string, number>();
const NOTE_INTERVAL_MS = 60_000;

/** Not awaited: no one's payment waits for a note, and a note that is lost costs nothing. */
function noteUse(engine: TimedStore, tokenId: string): void {
  const now = engine.clock.now();
  const last = notedAt.get(tokenId);
  if (last !== undefined && now.getTime() - last < NOTE_INTERVAL_MS) return;
  notedAt.set(tokenId, now.getTime());
  inTimedTransaction(engine, (tx, usedAt) => markTokenUsed(tx, tokenId, usedAt)).catch(() =>
    notedAt.delete(tokenId),
  );
}
