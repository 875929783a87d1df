// The keys the service signs with: the current one for anyone who signs, the published ones for anyone who verifies.
// Every process remembers them for a moment; a key signs only long after everybody must have read it.
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { RETRY_DELAYS_MS } from '../../callbacks/schedule.ts';
import { chooseCurrentKey, isRotationDue, listPublishedKeys } from '../../domain/key-rotation.ts';
import type { Database, Tx } from '../../store/database.ts';
import {
  insertSigningKey,
  keepSigningKeys,
  listSigningKeys,
  openPrivateKey,
} from '../../store/access/signing-keys.ts';
import type { StoredSigningKey } from '../../store/access/signing-keys.ts';
import type { Store } from '../../store/store.ts';
import type { EcdsaEncoding } from '../../wire/http-signature/algorithms.ts';
import type { SigningKey } from '../../wire/http-signature/sign-message.ts';
import { addMs } from '../../domain/time.ts';
import type { Engine, EngineClock } from '../engine.ts';
import { inTimedTransaction } from '../timed-transaction.ts';

export type PublishedKey = { readonly keyId: string; readonly publicKey: string };

export type SigningKeys = {
  /** What to sign with now. */
  readonly current: () => Promise<SigningKey>;
  /** What to verify by, the current key first. */
  readonly published: () => Promise<readonly PublishedKey[]>;
};

export type SignatureSettings = {
  /** How ECDSA signatures of the service are written. */
  readonly encoding: EcdsaEncoding;
  /** After so many days a key gets its successor. */
  readonly keyDays: number;
  /** How long the successor is published before it signs. */
  readonly keyLeadSeconds: number;
};

/** A day of lead, for receivers that read the keys once a day. */
export const DEFAULT_SIGNATURES: SignatureSettings = { encoding: 'der', keyDays: 90, keyLeadSeconds: 86_400 };

const DAY_MS = 86_400_000;

/** A Retry-After can stretch each wait to a day; the longest life of a callback is that of all of them together. */
export const PUBLISHED_AFTER_USE_MS = RETRY_DELAYS_MS.reduce(
  (sum, ms) => sum + Math.max(ms * 1.1, DAY_MS),
  0,
);

/** No process remembers keys for longer than ten seconds; the rest is for clocks that differ. */
export const LEAD_MIN_MS = 15_000;

/** `directory`: the database whose keys are the true ones; the cell's own are a copy, where that is another one. */
export function createSigningKeys(
  {
    store,
    clock,
    directory,
  }: {
    readonly store: Pick<Store, 'database' | 'keyring'>;
    readonly clock: EngineClock;
    readonly directory: Database;
  },
  options: { readonly rememberMs: number; readonly encoding: EcdsaEncoding },
): SigningKeys {
  const opened = new Map<number, KeyObject>();
  store.keyring.onDrop(() => opened.clear());
  let known: { readonly keys: Promise<readonly StoredSigningKey[]>; readonly until: number } | undefined;
  const read = (): Promise<readonly StoredSigningKey[]> => {
    const now = performance.now();
    if (known !== undefined && known.until > now) return known.keys;
    const keys = readOrCreate(store, directory, clock);
    known = { keys, until: now + options.rememberMs };
    keys.catch(() => (known = undefined));
    return keys;
  };
  const open = (key: StoredSigningKey): KeyObject => {
    const privateKey =
      opened.get(key.keyNo) ??
      createPrivateKey({ key: openPrivateKey(store.keyring, key), format: 'der', type: 'pkcs8' });
    opened.set(key.keyNo, privateKey);
    return privateKey;
  };
  return {
    current: async () => {
      const key = chooseCurrentKey(await read(), clock.now());
      if (key === null) throw new Error('every signing key is retired');
      return { keyId: keyIdOf(key.keyNo), privateKey: open(key), encoding: options.encoding };
    },
    published: async () => {
      const when = { now: clock.now(), keepMs: PUBLISHED_AFTER_USE_MS };
      return listPublishedKeys(await read(), when).map(({ keyNo, publicKey }) => ({
        keyId: keyIdOf(keyNo),
        publicKey,
      }));
    },
  };
}

/** `HTTP_EC_P256_KEY:1`, the form that clients of this API family know. */
export function keyIdOf(keyNo: number): string {
  return `HTTP_EC_P256_KEY:${keyNo}`;
}

/** Makes the key that follows on `keys`. Answers its number, or null when another process has just made it. */
export async function addSigningKey(
  tx: Tx,
  store: Pick<Store, 'keyring'>,
  {
    keys,
    now,
    leadMs,
  }: { readonly keys: readonly StoredSigningKey[]; readonly now: Date; readonly leadMs: number },
): Promise<number | null> {
  const keyNo = Math.max(0, ...keys.map((key) => key.keyNo)) + 1;
  const pair = generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  const times = { createdAt: now, signsFrom: addMs(now, leadMs) };
  const isNew = await insertSigningKey(tx, store.keyring, { keyNo, ...pair, ...times });
  return isNew ? keyNo : null;
}

/**
 * Gives the newest key a successor when it is old enough. Several workers may ask at once; one key is made. All cells
 * sign with the same keys, or no one could verify what a merchant gets after it has moved: they are made in the first
 * one, and copied by the others.
 */
export async function rotateWhenDue(
  engine: Engine,
  settings: Pick<SignatureSettings, 'keyDays' | 'keyLeadSeconds'>,
): Promise<void> {
  const { store } = engine;
  const directory = engine.databaseOf(engine.directoryCell);
  const keys = await readOrCreate(store, directory, engine.clock);
  if (directory !== store.database) return copyKeys(store, directory);
  const afterMs = settings.keyDays * DAY_MS;
  if (!isRotationDue(keys, { now: engine.clock.now(), afterMs })) return;
  await inTimedTransaction(engine, async (tx, now) => {
    if (!isRotationDue(keys, { now, afterMs })) return;
    await addSigningKey(tx, store, { keys, now, leadMs: settings.keyLeadSeconds * 1_000 });
  });
}

async function copyKeys({ database }: Pick<Store, 'database'>, directory: Database): Promise<void> {
  await keepSigningKeys(database, await listSigningKeys(directory));
}

/** The first key is made by anyone who needs it first, and signs at once: there is none to take over from. */
async function readOrCreate(
  store: Pick<Store, 'database' | 'keyring'>,
  directory: Database,
  clock: EngineClock,
): Promise<readonly StoredSigningKey[]> {
  const known = await listSigningKeys(store.database);
  if (known.length > 0) return known;
  const keys = await listSigningKeys(directory);
  if (keys.length === 0) {
    const first = { clock, store: { database: directory } };
    await inTimedTransaction(first, (tx, now) => addSigningKey(tx, store, { keys, now, leadMs: 0 }));
  }
  if (directory !== store.database) await copyKeys(store, directory);
  return listSigningKeys(store.database);
}
