// The keys the service signs with. Private keys are encrypted; only a process with the encryption keys can sign.
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged, oneRowInserter, replacedOn, rowInserter } from '../rows.ts';
import { PLATFORM, type Keyring } from '../encryption/encryption.ts';

const keys = columns({
  keyNo: 'int',
  /** PEM, SPKI. */
  publicKey: 'text',
  encryptedPrivateKey: 'bytea',
  createdAt: 'timestamptz',
  signsFrom: 'timestamptz',
  retiredAt: 'timestamptz null',
});

export type StoredSigningKey = Row<typeof keys>;

export type NewSigningKey = Omit<StoredSigningKey, 'encryptedPrivateKey' | 'retiredAt'> & {
  /** PKCS #8, DER. */
  readonly privateKey: Buffer;
};

const insertEncrypted = oneRowInserter(
  'service_signing_keys',
  keys.without('retiredAt').cells,
  'on conflict do nothing',
);

/** Answers false when another process has just made a key of this number. */
export async function insertSigningKey(tx: Tx, keyring: Keyring, key: NewSigningKey): Promise<boolean> {
  const encryptedPrivateKey = keyring.encrypt(identityOf(key.keyNo), key.privateKey);
  return insertEncrypted(tx, { ...key, encryptedPrivateKey });
}

export async function listSigningKeys(tx: Tx): Promise<readonly StoredSigningKey[]> {
  return keys.select(tx, 'from service_signing_keys order by key_no');
}

/** A copy of the directory's keys becomes as they are. */
export const keepSigningKeys = rowInserter(
  'service_signing_keys',
  keys.cells,
  replacedOn('key_no', keys.cells),
);

/** PKCS #8, DER. */
export function openPrivateKey(keyring: Keyring, key: StoredSigningKey): Buffer {
  return keyring.open(identityOf(key.keyNo), key.encryptedPrivateKey);
}

/** Answers whether there was such a key, not yet retired. */
export async function retireSigningKey(tx: Tx, keyNo: number, now: Date): Promise<boolean> {
  const text = 'update service_signing_keys set retired_at = $2 where key_no = $1 and retired_at is null';
  return isChanged(tx, text, [keyNo, now]);
}

function identityOf(keyNo: number) {
  return { merchantId: PLATFORM, row: `service_signing_keys/${keyNo}` };
}
