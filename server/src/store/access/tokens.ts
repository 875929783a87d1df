// API tokens: found by their public id, kept as a hash of their secret.
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { oneRowInserter } from '../rows.ts';

const tokens = columns({
  tokenId: 'text',
  merchantId: 'uuid',
  name: 'text',
  secretHash: 'bytea',
  scopes: 'text[]',
  createdAt: 'timestamptz',
  expiresAt: 'timestamptz null',
  revokedAt: 'timestamptz null',
  lastUsedAt: 'timestamptz null',
});

const known = tokens.without('name', 'createdAt', 'lastUsedAt');
export type StoredToken = Row<typeof known>;

export const insertToken = oneRowInserter('api_tokens', tokens.without('revokedAt', 'lastUsedAt').cells);

export async function findToken(tx: Tx, tokenId: string): Promise<StoredToken | null> {
  return known.find(tx, 'from api_tokens where token_id = $1', [tokenId]);
}

/** Answers the merchant whose token it was; null when there is no such token or it was revoked before. */
export async function revokeToken(tx: Tx, tokenId: string, now: Date): Promise<string | null> {
  const { rows } = await tx.query<{ merchant_id: string }>(
    'update api_tokens set revoked_at = $2 where token_id = $1 and revoked_at is null returning merchant_id',
    [tokenId, now],
  );
  return rows[0]?.merchant_id ?? null;
}

const listed = tokens.without('merchantId', 'secretHash');
export type ListedToken = Row<typeof listed>;

/** A merchant's tokens, the newest first. Their secrets are nowhere. */
export async function listTokens(tx: Tx, merchantId: string): Promise<readonly ListedToken[]> {
  const tail = 'from api_tokens where merchant_id = $1 order by created_at desc, token_id';
  return listed.select(tx, tail, [merchantId]);
}

/** Notes that a token was used. At most once a minute: a busy token must not become a hot row. */
export async function markTokenUsed(tx: Tx, tokenId: string, now: Date): Promise<void> {
  await tx.query(
    `update api_tokens set last_used_at = $2
     where token_id = $1 and (last_used_at is null or last_used_at <= $2::timestamptz - interval '1 minute')`,
    [tokenId, now],
  );
}
