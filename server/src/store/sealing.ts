// Personal data at rest. Sealed with AES-256-GCM under the merchant's own data key, bound to the row it stands
// in; found again only by a keyed hash of the exact value. The keys that wrap data keys live outside the database.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

/** The second byte names the configured key, the bytes after it are IV, tag and ciphertext. */
const FORMAT = 1;
/** As format 1, with the number of the part of the key behind the key's. */
const FORMAT_WITH_PART = 2;
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
  readonly #dataKeys = new Map<string, KeyParts>();
  readonly #houseKeys = new Map<number, KeyParts>();
  readonly #searchKey: KeyObject;

  constructor(options: KeyringOptions) {
    if (options.sealingKeys.length === 0) throw new Error('no sealing key is configured');
    this.#options = options;
    this.#searchKey = createSecretKey(options.searchKey);
  }

  /** A new data key, wrapped for storage. */
  createDataKey(merchantId: string): Buffer {
    return this.#wrap(merchantId, randomBytes(32));
  }

  /** The same data key, wrapped by the first sealing key. */
  rewrapDataKey(merchantId: string, wrapped: Buffer): Buffer {
    return this.#wrap(merchantId, this.#unwrap(merchantId, wrapped));
  }

  get firstKeyId(): number {
    return this.#firstKey().id;
  }

  /** Those that only open. */
  get olderKeyIds(): readonly number[] {
    return this.#options.sealingKeys.slice(1).map(({ id }) => id);
  }

  /** Makes a merchant's data key ready for `seal` and `open`. */
  loadDataKey(merchantId: string, wrapped: Buffer): void {
    this.#dataKeys.set(merchantId, new KeyParts(this.#unwrap(merchantId, wrapped)));
  }

  hasDataKey(merchantId: string): boolean {
    return this.#dataKeys.has(merchantId);
  }

  seal(identity: SealedIdentity, plain: string | Buffer): Buffer {
    const keyId = this.#keyIdFor(identity.merchantId);
    const part = randomPart();
    const key = this.#keyOf(identity.merchantId, keyId).part(part);
    return sealWith(key, [FORMAT_WITH_PART, keyId, part], Buffer.from(plain), nameOf(identity));
  }

  open(identity: SealedIdentity, sealed: Buffer): Buffer {
    const [format, keyId = DATA_KEY_ID, part = 0] = sealed;
    const key = this.#keyOf(identity.merchantId, keyId);
    const name = nameOf(identity);
    if (format === FORMAT_WITH_PART) return openWith(key.part(part), [format, keyId, part], sealed, name);
    return openWith(key.ofRow(name), [FORMAT, keyId], sealed, name);
  }

  /** The keyed hash under which an exact value is found again, within one merchant only. */
  searchHash(merchantId: string, value: string): Buffer {
    const digest = createHmac('sha256', this.#searchKey).update(`${merchantId}/${value}`).digest();
    return digest.subarray(0, SEARCH_HASH_BYTES);
  }

  #firstKey(): SealingKey {
    const [first] = this.#options.sealingKeys;
    if (first === undefined) throw new Error('no sealing key is configured');
    return first;
  }

  #wrap(merchantId: string, dataKey: Buffer): Buffer {
    const { id, key } = this.#firstKey();
    return sealWith(createSecretKey(key), [FORMAT, id], dataKey, dataKeyIdentity(merchantId));
  }

  #unwrap(merchantId: string, wrapped: Buffer): Buffer {
    const keyId = wrapped[1];
    const key = this.#options.sealingKeys.find((candidate) => candidate.id === keyId);
    if (key === undefined) throw new Error(`sealing key ${keyId} is not configured`);
    return openWith(createSecretKey(key.key), [FORMAT, key.id], wrapped, dataKeyIdentity(merchantId));
  }

  /** A merchant's rows name no key: there is one. The house's name the configured key theirs was made from. */
  #keyIdFor(merchantId: string): number {
    return merchantId === HOUSE ? (this.#options.sealingKeys[0]?.id ?? DATA_KEY_ID) : DATA_KEY_ID;
  }

  #keyOf(merchantId: string, keyId: number): KeyParts {
    if (merchantId === HOUSE) return this.#houseKey(keyId);
    const dataKey = this.#dataKeys.get(merchantId);
    if (dataKey === undefined) throw new Error(`the data key of merchant ${merchantId} is not loaded`);
    if (keyId !== DATA_KEY_ID) throw new Error('sealed value of an unknown format');
    return dataKey;
  }

  #houseKey(keyId: number): KeyParts {
    const known = this.#houseKeys.get(keyId);
    if (known !== undefined) return known;
    const key = this.#options.sealingKeys.find((candidate) => candidate.id === keyId);
    if (key === undefined) throw new Error(`sealing key ${keyId} is not configured`);
    const made = new KeyParts(Buffer.from(hkdfSync('sha256', key.key, Buffer.alloc(0), 'malipo/house', 32)));
    this.#houseKeys.set(keyId, made);
    return made;
  }
}

/** A key and its parts, each made when it is first needed: handing a key to OpenSSL costs more than sealing with it. */
class KeyParts {
  readonly #key: KeyObject;
  readonly #parts: KeyObject[] = [];

  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  part(part: number): KeyObject {
    return (this.#parts[part] ??= this.#derive(`part/${part}`));
  }

  /** The key of format 1, which every row had to itself. */
  ofRow(name: string): KeyObject {
    return this.#derive(`row/${name}`);
  }

  #derive(name: string): KeyObject {
    return createSecretKey(createHmac('sha256', this.#key).update(name).digest());
  }
}

function nameOf({ merchantId, row }: SealedIdentity): string {
  return `${merchantId}/${row}`;
}

/**
 * A key has 256 parts, and each value is sealed under one of them, drawn by lot: random IVs may be used some four
 * billion times under one key, and a busy merchant's rows would come to that within months.
 */
function randomPart(): number {
  return randomBytes(1)[0] ?? 0;
}

/** Layout: head, IV, tag, ciphertext. */
function sealWith(key: KeyObject, head: readonly number[], plain: Buffer, identity: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, GCM).setAAD(Buffer.from(identity));
  const ciphertext = [cipher.update(plain), cipher.final()];
  return Buffer.concat([Buffer.from(head), iv, cipher.getAuthTag(), ...ciphertext]);
}

function openWith(key: KeyObject, head: readonly number[], sealed: Buffer, identity: string): Buffer {
  if (head.some((byte, index) => sealed[index] !== byte)) {
    throw new Error('sealed value of an unknown format');
  }
  const ivAt = head.length;
  const tagAt = ivAt + IV_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(ivAt, tagAt), GCM);
  decipher.setAAD(Buffer.from(identity)).setAuthTag(sealed.subarray(tagAt, tagAt + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(tagAt + TAG_BYTES)), decipher.final()]);
}

function dataKeyIdentity(merchantId: string): string {
  return `${merchantId}/data-key`;
}
