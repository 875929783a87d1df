// Personal data at rest. Sealed with AES-256-GCM under the merchant's own data key, bound to the row it stands
// in; found again only by a keyed hash of the exact value. The keys that wrap data keys live outside the database.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const FORMAT = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Said on both sides: left to itself, Node opens with any tag that is a shortened true one. */
const GCM = { authTagLength: TAG_BYTES } as const;

/** The number in values sealed with a data key. A merchant has one, so there is nothing to choose by. */
const DATA_KEY_ID = 0;

/** Half of a SHA-256: collisions within one merchant stay out of reach, and the index stays small. */
const SEARCH_HASH_BYTES = 16;

export type SealingKey = { readonly id: number; readonly key: Buffer };

export type KeyringOptions = {
  /** The first one wraps new data keys; the others only unwrap. */
  readonly sealingKeys: readonly SealingKey[];
  readonly searchKey: Buffer;
};

/** What a sealed value belongs to. A value copied into another row does not open there. */
export type SealedIdentity = { readonly merchantId: string; readonly row: string };

/** Owner of what belongs to no merchant, such as a notification nobody could attribute. */
export const HOUSE = '00000000-0000-0000-0000-000000000000';

export class Keyring {
  readonly #options: KeyringOptions;
  readonly #dataKeys = new Map<string, Buffer>();

  constructor(options: KeyringOptions) {
    this.#options = options;
    this.#dataKeys.set(HOUSE, this.#deriveHouseKey());
  }

  /** A new data key, wrapped for storage. */
  createDataKey(merchantId: string): Buffer {
    const [current] = this.#options.sealingKeys;
    if (current === undefined) throw new Error('no sealing key is configured');
    const dataKey = randomBytes(32);
    return sealWith(current.key, current.id, dataKey, dataKeyIdentity(merchantId));
  }

  /** Makes a merchant's data key ready for `seal` and `open`. */
  loadDataKey(merchantId: string, wrapped: Buffer): void {
    const keyId = wrapped[1];
    const key = this.#options.sealingKeys.find((candidate) => candidate.id === keyId);
    if (key === undefined) throw new Error(`sealing key ${keyId} is not configured`);
    this.#dataKeys.set(merchantId, openWith(key.key, key.id, wrapped, dataKeyIdentity(merchantId)));
  }

  hasDataKey(merchantId: string): boolean {
    return this.#dataKeys.has(merchantId);
  }

  seal(identity: SealedIdentity, plain: string | Buffer): Buffer {
    const dataKey = this.#dataKeyOf(identity.merchantId);
    return sealWith(dataKey, DATA_KEY_ID, Buffer.from(plain), `${identity.merchantId}/${identity.row}`);
  }

  open(identity: SealedIdentity, sealed: Buffer): Buffer {
    const dataKey = this.#dataKeyOf(identity.merchantId);
    return openWith(dataKey, DATA_KEY_ID, sealed, `${identity.merchantId}/${identity.row}`);
  }

  /** The keyed hash under which an exact value is found again, within one merchant only. */
  searchHash(merchantId: string, value: string): Buffer {
    const digest = createHmac('sha256', this.#options.searchKey).update(`${merchantId}/${value}`).digest();
    return digest.subarray(0, SEARCH_HASH_BYTES);
  }

  #dataKeyOf(merchantId: string): Buffer {
    const dataKey = this.#dataKeys.get(merchantId);
    if (dataKey === undefined) throw new Error(`the data key of merchant ${merchantId} is not loaded`);
    return dataKey;
  }

  #deriveHouseKey(): Buffer {
    const oldest = this.#options.sealingKeys.at(-1);
    if (oldest === undefined) throw new Error('no sealing key is configured');
    return Buffer.from(hkdfSync('sha256', oldest.key, Buffer.alloc(0), 'malipo/house', 32));
  }
}

/** Layout: format, key id, IV, tag, ciphertext. */
function sealWith(key: Buffer, keyId: number, plain: Buffer, identity: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, GCM).setAAD(Buffer.from(identity));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.from([FORMAT, keyId]), iv, cipher.getAuthTag(), ciphertext]);
}

function openWith(key: Buffer, keyId: number, sealed: Buffer, identity: string): Buffer {
  if (sealed[0] !== FORMAT || sealed[1] !== keyId) throw new Error('sealed value of an unknown format');
  const iv = sealed.subarray(2, 2 + IV_BYTES);
  const tag = sealed.subarray(2 + IV_BYTES, 2 + IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, GCM).setAAD(Buffer.from(identity));
  decipher.setAuthTag(tag);
  const ciphertext = sealed.subarray(2 + IV_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

function dataKeyIdentity(merchantId: string): string {
  return `${merchantId}/data-key`;
}
