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
    if (options.sealingKeys.length === 0) throw new Error('no sealing key is configured');
    this.#options = options;
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
    const name = `${identity.merchantId}/${identity.row}`;
    const { keyId, key } = this.#sealingKeyOf(identity.merchantId);
    return sealWith(rowKey(key, name), keyId, Buffer.from(plain), name);
  }

  open(identity: SealedIdentity, sealed: Buffer): Buffer {
    const name = `${identity.merchantId}/${identity.row}`;
    const key =
      identity.merchantId === HOUSE ? this.#houseKey(sealed[1]) : this.#dataKeyOf(identity.merchantId);
    const keyId = identity.merchantId === HOUSE ? (sealed[1] ?? DATA_KEY_ID) : DATA_KEY_ID;
    return openWith(rowKey(key, name), keyId, sealed, name);
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

  /** A merchant's rows name no key: there is one. The house's name the configured key theirs was made from. */
  #sealingKeyOf(merchantId: string): { readonly keyId: number; readonly key: Buffer } {
    if (merchantId !== HOUSE) return { keyId: DATA_KEY_ID, key: this.#dataKeyOf(merchantId) };
    const [current] = this.#options.sealingKeys;
    if (current === undefined) throw new Error('no sealing key is configured');
    return { keyId: current.id, key: this.#houseKey(current.id) };
  }

  #houseKey(keyId: number | undefined): Buffer {
    const key = this.#options.sealingKeys.find((candidate) => candidate.id === keyId);
    if (key === undefined) throw new Error(`sealing key ${keyId} is not configured`);
    return Buffer.from(hkdfSync('sha256', key.key, Buffer.alloc(0), 'malipo/house', 32));
  }
}

/**
 * Each row is sealed under a key of its own: random IVs may be used some four billion times under one key, and a busy
 * merchant's rows would come to that within months.
 */
function rowKey(key: Buffer, name: string): Buffer {
  return createHmac('sha256', key).update(`row/${name}`).digest();
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
