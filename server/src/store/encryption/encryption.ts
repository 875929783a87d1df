// Personal data at rest. Encrypted with AES-256-GCM under the merchant's own data key, bound to the row it stands
// in; found again only by a keyed hash of the exact value. The keys that wrap data keys live outside the database.
import { createHmac, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { encryptWith, openWith } from './cipher.ts';
import { takeRandomBytes } from './random-bytes.ts';

/** The second byte names the configured key, the bytes after it are IV, tag and ciphertext. */
const FORMAT = 1;
/** As format 1, with the number of the part of the key behind the key's. */
const FORMAT_WITH_PART = 2;

/** The first data key of a merchant has this number. */
const FIRST_DATA_KEY_NO = 0;

/** A new data key encrypts only long after every process must have read it: see core/encryption/replace-data-key.ts. */
const REMEMBER_MS = 5_000;

/** Half of a SHA-256: collisions within one merchant stay out of reach, and the index stays small. */
const SEARCH_HASH_BYTES = 16;

export type EncryptionKey = { readonly id: number; readonly key: Buffer };

export type KeyringOptions = {
  /** The first one wraps new data keys; the others only unwrap. None where a key service has yet to give them. */
  readonly encryptionKeys: readonly EncryptionKey[];
  /** Makes hashes. */
  readonly searchKey: Buffer;
  /** Other ones, under whose hashes values are looked for as well. */
  readonly olderSearchKeys?: readonly Buffer[];
  /** For how long data keys are not read again. */
  readonly rememberMs?: number;
};

/** A data key as it is stored. Values that it encrypts name its number. */
export type WrappedDataKey = { readonly no: number; readonly wrapped: Buffer };

/** What an encrypted value belongs to. A value copied into another row does not open there. */
export type EncryptedIdentity = { readonly merchantId: string; readonly row: string };

/** Owner of what belongs to no merchant, such as a notification no one could attribute. */
export const PLATFORM = '00000000-0000-0000-0000-000000000000';

/** This process has no encryption keys: the key service has not given them yet, or has denied them. */
export class KeysUnavailable extends Error {
  constructor() {
    super('this process has no encryption keys');
    this.name = 'KeysUnavailable';
  }
}

export class Keyring {
  readonly #options: KeyringOptions;
  readonly #onDrop: (() => void)[] = [];
  #encryptionKeys: readonly EncryptionKey[];
  readonly #dataKeys = new Map<string, DataKeys>();
  readonly #platformKeys = new Map<number, KeyParts>();
  readonly #searchKey: KeyObject;
  readonly #olderSearchKeys: readonly KeyObject[];

  constructor(options: KeyringOptions) {
    this.#options = options;
    this.#encryptionKeys = options.encryptionKeys;
    this.#searchKey = createSecretKey(options.searchKey);
    this.#olderSearchKeys = (options.olderSearchKeys ?? []).map((key) => createSecretKey(key));
  }

  /** Those that are there; the first one wraps. */
  get encryptionKeys(): readonly EncryptionKey[] {
    if (this.#encryptionKeys.length === 0) throw new KeysUnavailable();
    return this.#encryptionKeys;
  }

  /** From a key service. */
  provide(encryptionKeys: readonly EncryptionKey[]): void {
    this.#encryptionKeys = encryptionKeys;
  }

  /** From now on nothing is encrypted or opened. Hashes are still made: they need no encryption key. */
  drop(): void {
    for (const { key } of this.#encryptionKeys) key.fill(0);
    this.#encryptionKeys = [];
    this.#dataKeys.clear();
    this.#platformKeys.clear();
    for (const forget of this.#onDrop) forget();
  }

  /** For anyone who keeps what was opened. */
  onDrop(forget: () => void): void {
    this.#onDrop.push(forget);
  }

  /** A new data key, wrapped for storage. */
  createDataKey(merchantId: string, no = FIRST_DATA_KEY_NO): Buffer {
    return this.#wrap(dataKeyIdentity(merchantId, no), randomBytes(32));
  }

  /** The same data key, wrapped by the first encryption key. */
  rewrapDataKey(merchantId: string, { no, wrapped }: WrappedDataKey): Buffer {
    const identity = dataKeyIdentity(merchantId, no);
    return this.#wrap(identity, this.#unwrap(identity, wrapped));
  }

  /** Whether a data key is wrapped by the first encryption key. */
  isUnderFirstKey({ wrapped }: WrappedDataKey): boolean {
    return wrapped[1] === this.firstKeyId;
  }

  get firstKeyId(): number {
    return this.#firstKey().id;
  }

  /** Those that only open. */
  get olderKeyIds(): readonly number[] {
    return this.encryptionKeys.slice(1).map(({ id }) => id);
  }

  /**
   * Makes a merchant's data keys ready for `encrypt` and `open`; the first one encrypts. Keys that were ready before
   * stay so: what was read before its key was destroyed must still open.
   */
  loadDataKeys(merchantId: string, keys: readonly [WrappedDataKey, ...(readonly WrappedDataKey[])]): void {
    const known = this.#dataKeys.get(merchantId)?.parts ?? new Map<number, KeyParts>();
    for (const { no, wrapped } of keys) {
      if (known.has(no)) continue;
      known.set(no, new KeyParts(this.#unwrap(dataKeyIdentity(merchantId, no), wrapped)));
    }
    this.#dataKeys.set(merchantId, { encryptionNo: keys[0].no, parts: known, readAtMs: performance.now() });
  }

  /** Whether a merchant's data keys were read not long ago. */
  hasDataKeys(merchantId: string): boolean {
    const keys = this.#dataKeys.get(merchantId);
    const { rememberMs = REMEMBER_MS } = this.#options;
    return keys !== undefined && performance.now() - keys.readAtMs < rememberMs;
  }

  encrypt(identity: EncryptedIdentity, plain: string | Buffer): Buffer {
    const keyId = this.#keyIdFor(identity.merchantId);
    const part = randomPart();
    const key = this.#keyOf(identity.merchantId, keyId).part(part);
    return encryptWith(key, [FORMAT_WITH_PART, keyId, part], Buffer.from(plain), nameOf(identity));
  }

  open(identity: EncryptedIdentity, encrypted: Buffer): Buffer {
    const [format, keyId = FIRST_DATA_KEY_NO, part = 0] = encrypted;
    const key = this.#keyOf(identity.merchantId, keyId);
    const name = nameOf(identity);
    if (format === FORMAT_WITH_PART) return openWith(key.part(part), [format, keyId, part], encrypted, name);
    return openWith(key.ofRow(name), [FORMAT, keyId], encrypted, name);
  }

  /** What is null stays so. */
  openText<Stored extends Buffer | null>(identity: EncryptedIdentity, encrypted: Stored) {
    const text = encrypted === null ? null : this.open(identity, encrypted).toString();
    return text as string | (Stored & null);
  }

  openJson(identity: EncryptedIdentity, encrypted: Buffer): unknown {
    return JSON.parse(this.openText(identity, encrypted));
  }

  /** The keyed hash under which an exact value is found again, within one merchant only. */
  searchHash(merchantId: string, value: string): Buffer {
    return hashUnder(this.#searchKey, merchantId, value);
  }

  /** Those that a value may have been given under keys that do not make hashes now. With one search key, none. */
  olderSearchHashes(merchantId: string, value: string): readonly Buffer[] {
    return this.#olderSearchKeys.map((key) => hashUnder(key, merchantId, value));
  }

  /** All under which a value may be found, the one of today first. */
  searchHashes(merchantId: string, value: string): readonly Buffer[] {
    return [this.searchHash(merchantId, value), ...this.olderSearchHashes(merchantId, value)];
  }

  get hasOlderSearchKeys(): boolean {
    return this.#olderSearchKeys.length > 0;
  }

  #firstKey(): EncryptionKey {
    const [first] = this.encryptionKeys;
    if (first === undefined) throw new KeysUnavailable();
    return first;
  }

  #wrap(identity: string, dataKey: Buffer): Buffer {
    const { id, key } = this.#firstKey();
    return encryptWith(createSecretKey(key), [FORMAT, id], dataKey, identity);
  }

  #unwrap(identity: string, wrapped: Buffer): Buffer {
    const { id, key } = this.#encryptionKey(wrapped[1]);
    return openWith(createSecretKey(key), [FORMAT, id], wrapped, identity);
  }

  #encryptionKey(keyId: number | undefined): EncryptionKey {
    const key = this.encryptionKeys.find((candidate) => candidate.id === keyId);
    if (key === undefined) throw new Error(`encryption key ${keyId} is not configured`);
    return key;
  }

  /** The platform's values name the configured key that theirs was made from, a merchant's one of its data keys. */
  #keyIdFor(merchantId: string): number {
    return merchantId === PLATFORM ? this.firstKeyId : this.#dataKeysOf(merchantId).encryptionNo;
  }

  #keyOf(merchantId: string, keyId: number): KeyParts {
    if (merchantId === PLATFORM) return this.#platformKey(keyId);
    const key = this.#dataKeysOf(merchantId).parts.get(keyId);
    if (key === undefined) throw new Error(`data key ${keyId} of merchant ${merchantId} is not loaded`);
    return key;
  }

  #dataKeysOf(merchantId: string): DataKeys {
    const keys = this.#dataKeys.get(merchantId);
    if (this.#encryptionKeys.length === 0) throw new KeysUnavailable();
    if (keys === undefined) throw new Error(`the data key of merchant ${merchantId} is not loaded`);
    return keys;
  }

  #platformKey(keyId: number): KeyParts {
    const known = this.#platformKeys.get(keyId);
    if (known !== undefined) return known;
    const { key } = this.#encryptionKey(keyId);
    const made = new KeyParts(Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), 'malipo/house', 32)));
    this.#platformKeys.set(keyId, made);
    return made;
  }
}

/** Those of one merchant, by their numbers. */
type DataKeys = {
  readonly encryptionNo: number;
  readonly parts: Map<number, KeyParts>;
  readonly readAtMs: number;
};

/**
 * A key and its parts, each made when it is first needed: handing a key to OpenSSL costs more than encrypting with it.
 */
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

function hashUnder(key: KeyObject, merchantId: string, value: string): Buffer {
  const digest = createHmac('sha256', key).update(`${merchantId}/${value}`).digest();
  return digest.subarray(0, SEARCH_HASH_BYTES);
}

function nameOf({ merchantId, row }: EncryptedIdentity): string {
  return `${merchantId}/${row}`;
}

/**
 * A key has 256 parts, and each value is encrypted under one of them, drawn by lot: random IVs may be used some four
 * billion times under one key, and a busy merchant's rows would come to that within months.
 */
function randomPart(): number {
  return takeRandomBytes(1)[0] ?? 0;
}

function dataKeyIdentity(merchantId: string, no: number): string {
  return no === FIRST_DATA_KEY_NO ? `${merchantId}/data-key` : `${merchantId}/data-key/${no}`;
}
