// API tokens: found by their public id, kept as a hash of their secret.
import type { Tx } from '../database.ts';

export type StoredToken = {
  readonly tokenId: string;
  readonly merchantId: string;
  readonly secretHash: Buffer;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
};

export async function insertToken(
  tx: Tx,
  token: Omit<StoredToken, 'revokedAt'> & { readonly name: string; readonly createdAt: Date },
): Promise<void> {
  await tx.query(
    `insert into api_tokens (token_id, merchant_id, name, secret_hash, scopes, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      token.tokenId,
      token.merchantId,
      token.name,
      token.secretHash,
      token.scopes,
      token.createdAt,
      token.expiresAt,
    ],
  );
}

export async function findToken(tx: Tx, tokenId: string): Promise<StoredToken | null> {
  const { rows } = await tx.query<{
    token_id: string;
    merchant_id: string;
    secret_hash: Buffer;
    scopes: string[];
    expires_at: Date | null;
    revoked_at: Date | null;
  }>(
    'select token_id, merchant_id, secret_hash, scopes, expires_at, revoked_at from api_tokens where token_id = $1',
    [tokenId],
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    tokenId: row.token_id,
    merchantId: row.merchant_id,
    secretHash: row.secret_hash,
    scopes: row.scopes,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

/** Answers the merchant whose token it was; null when there is no such token or it was revoked before. */
export async function revokeToken(tx: Tx, tokenId: string, now: Date): Promise<string | null> {
  const { rows } = await tx.query<{ merchant_id: string }>(
    'update api_tokens set revoked_at = $2 where token_id = $1 and revoked_at is null returning merchant_id',
    [tokenId, now],
  );
  return rows[0]?.merchant_id ?? null;
}

export type ListedToken = Pick<StoredToken, 'tokenId' | 'scopes' | 'expiresAt' | 'revokedAt'> & {
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

/** A merchant's tokens, the newest first. Their secrets are nowhere. */
export async function listTokens(tx: Tx, merchantId: string): Promise<readonly ListedToken[]> {
  const { rows } = await tx.query<{
    token_id: string;
    name: string;
    scopes: string[];
    created_at: Date;
    expires_at: Date | null;
    revoked_at: Date | null;
    last_used_at: Date | null;
  }>(
    `select token_id, name, scopes, created_at, expires_at, revoked_at, last_used_at from api_tokens
     where merchant_id = $1 order by created_at desc, token_id`,
    [merchantId],
  );
  return rows.map((row) => ({
    tokenId: row.token_id,
    name: row.name,
    scopes: row.scopes,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  }));
}

/** Notes that a token was used. At most once a minute: a busy token must not become a hot row. */
export async function markTokenUsed(tx: Tx, tokenId: string, now: Date): Promise<void> {
  await tx.query(
    `update api_tokens set last_used_at = $2
     where token_id = $1 and (last_used_at is null or last_used_at <= $2::timestamptz - interval '1 minute')`,
    [tokenId, now],
  );
}
