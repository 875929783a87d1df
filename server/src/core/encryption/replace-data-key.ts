// Gives a merchant a new data key, while it is served: the key is made, it encrypts when every process has read it, and
// what the one before has encrypted is encrypted again. The one before opens until it is destroyed, a while later and
// manually.
import { setTimeout as wait } from 'node:timers/promises';
import {
  deleteLastDataKey,
  insertNextDataKey,
  readDataKeys,
  switchDataKeys,
  type DataKeyPair,
} from '../../store/encryption/data-keys.ts';
import type { Tx } from '../../store/database.ts';
import { findMigrationLock } from '../../store/cells/migration-locks.ts';
import {
  estimateReEncryption,
  declareReEncryption,
  reEncryptPage,
} from '../../store/encryption/re-encryption.ts';
import { MERCHANT_COLUMNS } from '../../store/encryption/encrypted-columns.ts';
import { record, type Actor } from '../audit.ts';
import { inMerchant, MerchantInOtherCell } from '../cells/lock-merchant.ts';
import type { StorePart, TimedStore } from '../engine.ts';
import { reEncrypter, reEncryptInRounds, type ReEncrypted, type Watch } from './re-encrypt.ts';
import { addMs } from '../../domain/time.ts';
import { LEAD_MIN_MS } from '../access/signing-keys.ts';

/**
 * By then nothing that was encrypted under the older key can still be on its way into the database: a statement ends
 * within half a minute, a transaction that does nothing within one.
 */
export const REST_MS = 10 * 60_000;

/** How often the clock is looked at: in a sandbox it can be moved. */
const LOOK_MS = 250;

/** As many as the byte in encrypted values can name. */
const NO_MAX = 255;

export type DataKeyOrder = Actor & Watch & { readonly merchantId: string };

export type DataKeyReplacement = ReEncrypted & {
  /** The number of the key that encrypts now. */
  readonly no: number;
  /** From when on the one before can be destroyed. */
  readonly destroyableAt: Date;
};

/** Begins, or goes on where an earlier run was cut off. Null: the merchant has had as many keys as there can be. */
export async function replaceDataKey(
  engine: TimedStore,
  order: DataKeyOrder,
): Promise<DataKeyReplacement | null> {
  const { merchantId } = order;
  const next = await findOrMakeNext(engine, order);
  if (next === null) return null;
  if (next.other !== null && next.other.no > next.encryption.no) {
    await waitUntilRead(engine, next);
    const { no } = next.other;
    await alone(engine, merchantId, async (tx) =>
      switchDataKeys(tx, { merchantId, no, now: await engine.clock.timeOf(tx) }),
    );
  }
  const pair = await requireKeys(engine, merchantId);
  // A process that has not read it yet still encrypts under the one before.
  await waitUntilRead(engine, pair);
  const reEncrypted = await reEncryptMerchant(engine, order, pair);
  return {
    ...reEncrypted,
    no: pair.encryption.no,
    destroyableAt: addMs(await changedAt(engine, pair), REST_MS),
  };
}

export type Destruction =
  | { readonly type: 'DESTROYED'; readonly no: number }
  | { readonly type: 'NONE' }
  | { readonly type: 'TOO_EARLY'; readonly destroyableAt: Date }
  | { readonly type: 'IN_USE' };

/** Destroys the data key that encrypted before, after one more look at everything that could be under it. */
export async function destroyDataKey(engine: TimedStore, order: DataKeyOrder): Promise<Destruction> {
  const { by, merchantId } = order;
  const pair = await requireKeys(engine, merchantId);
  const { other, encryption } = pair;
  if (other === null || other.no > encryption.no) return { type: 'NONE' };
  const destroyableAt = addMs(await changedAt(engine, pair), REST_MS);
  if ((await engine.clock.timeOf(engine.store.database)) < destroyableAt)
    return { type: 'TOO_EARLY', destroyableAt };
  const { inUse } = await reEncryptMerchant(engine, order, pair);
  if (inUse.length > 0) return { type: 'IN_USE' };
  return alone(engine, merchantId, async (tx) => {
    if (!(await deleteLastDataKey(tx, { merchantId, no: other.no }))) return { type: 'NONE' };
    const detail = { dataKeyNo: other.no };
    await record(engine, tx, [{ by, act: 'DATA_KEY_DESTROYED', merchantId, subject: merchantId, detail }]);
    return { type: 'DESTROYED', no: other.no };
  });
}

async function findOrMakeNext(
  engine: TimedStore,
  { by, merchantId }: DataKeyOrder,
): Promise<DataKeyPair | null> {
  const pair = await requireKeys(engine, merchantId);
  if (pair.other !== null) return pair;
  const no = pair.encryption.no + 1;
  if (no > NO_MAX) return null;
  const next = { no, wrapped: engine.store.keyring.createDataKey(merchantId, no) };
  await alone(engine, merchantId, async (tx) => {
    const now = await engine.clock.timeOf(tx);
    if (!(await insertNextDataKey(tx, { merchantId, next, now }))) return;
    const detail = { dataKeyNo: no };
    await record(engine, tx, [{ by, act: 'DATA_KEY_REPLACED', merchantId, subject: merchantId, detail }]);
  });
  return requireKeys(engine, merchantId);
}

async function reEncryptMerchant(
  engine: StorePart,
  { merchantId, ...watch }: DataKeyOrder,
  { encryption }: DataKeyPair,
): Promise<ReEncrypted> {
  const { keyring } = engine.store;
  const under = { merchantId, keyNo: encryption.no };
  return reEncryptInRounds(
    MERCHANT_COLUMNS.map((of) => ({ ...under, of, reEncrypt: reEncrypter(keyring, of, merchantId) })),
    {
      ...watch,
      count: (reEncryption) => estimateReEncryption(engine.store.database, reEncryption),
      page: (reEncryption, order) =>
        alone(engine, merchantId, (tx) => reEncryptPage(tx, reEncryption, order)),
    },
  );
}

/** In one transaction, and not while the merchant moves: what was copied before would be under other keys. */
async function alone<Result>(
  engine: StorePart,
  merchantId: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    if ((await findMigrationLock(tx, merchantId)) !== null) throw new MerchantInOtherCell(merchantId);
    await declareReEncryption(tx);
    return work(tx);
  });
}

async function requireKeys(engine: StorePart, merchantId: string): Promise<DataKeyPair> {
  const pair = await readDataKeys(engine.store, merchantId);
  if (pair === null) throw new MerchantInOtherCell(merchantId);
  return pair;
}

async function changedAt({ clock, store }: TimedStore, pair: DataKeyPair): Promise<Date> {
  return pair.changedAt ?? clock.timeOf(store.database);
}

async function waitUntilRead(engine: TimedStore, pair: DataKeyPair): Promise<void> {
  const { clock, store } = engine;
  const readAt = addMs(await changedAt(engine, pair), LEAD_MIN_MS);
  while ((await clock.timeOf(store.database)) < readAt) await wait(LOOK_MS);
}
