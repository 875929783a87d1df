// The keys the service signs with. Private keys are encrypted; only a process with the encryption keys can sign.
import type { Tx } from '../database.ts';
import { rowInserter } from '../rows.ts';
import { PLATFORM, type Keyring } from '../encryption/encryption.ts';

export type StoredSigningKey = {
  readonly keyNo: number;
  /** PEM, SPKI. */
  readonly publicKey: string;
  readonly encryptedPrivateKey: Buffer;
  readonly createdAt: Date;
  readonly signsFrom: Date;
  readonly retiredAt: Date | null;
};

export type NewSigningKey = Pick<StoredSigningKey, 'keyNo' | 'publicKey' | 'createdAt' | 'signsFrom'> & {
  /** PKCS #8, DER. */
  readonly privateKey: Buffer;
};

/** Answers false when another process has just made a key of this number. */
export async function insertSigningKey(tx: Tx, keyring: Keyring, key: NewSigningKey): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into service_signing_keys (key_no, public_key, encrypted_private_key, created_at, signs_from)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [
      key.keyNo,
      key.publicKey,
      keyring.encrypt(identityOf(key.keyNo), key.privateKey),
      key.createdAt,
      key.signsFrom,
    ],
  );
  return rowCount === 1;
}

export async function listSigningKeys(tx: Tx): Promise<readonly StoredSigningKey[]> {
  const { rows } = await tx.query<{
    key_no: number;
    public_key: string;
    encrypted_private_key: Buffer;
    created_at: Date;
    signs_from: Date;
    retired_at: Date | null;
  }>(
    `select key_no, public_key, encrypted_private_key, created_at, signs_from, retired_at from service_signing_keys
     order by key_no`,
  );
  return rows.map((row) => ({
    keyNo: row.key_no,
    publicKey: row.public_key,
    encryptedPrivateKey: row.encrypted_private_key,
    createdAt: row.created_at,
    signsFrom: row.signs_from,
    retiredAt: row.retired_at,
  }));
}

/** A copy of the directory's keys becomes as they are. */
export const keepSigningKeys = rowInserter<StoredSigningKey>(
  'service_signing_keys',
  [
    ['key_no', 'int', (key) => key.keyNo],
    ['public_key', 'text', (key) => key.publicKey],
    ['encrypted_private_key', 'bytea', (key) => key.encryptedPrivateKey],
    ['created_at', 'timestamptz', (key) => key.createdAt],
    ['signs_from', 'timestamptz', (key) => key.signsFrom],
    ['retired_at', 'timestamptz', (key) => key.retiredAt],
  ],
  `on conflict (key_no) do update set public_key = excluded.public_key,
     encrypted_private_key = excluded.encrypted_private_key, created_at = excluded.created_at,
     signs_from = excluded.signs_from, retired_at = excluded.retired_at`,
);

/** PKCS #8, DER. */
export function openPrivateKey(keyring: Keyring, key: StoredSigningKey): Buffer {
  return keyring.open(identityOf(key.keyNo), key.encryptedPrivateKey);
}

/** Answers whether there was such a key, not yet retired. */
export async function retireSigningKey(tx: Tx, keyNo: number, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update service_signing_keys set retired_at = $2 where key_no = $1 and retired_at is null',
    [keyNo, now],
  );
  return rowCount === 1;
}

function identityOf(keyNo: number) {
  return { merchantId: PLATFORM, row: `service_signing_keys/${keyNo}` };
}
