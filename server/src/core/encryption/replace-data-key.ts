// Gives a merchant a new data key, while it is served: the key is made, it seals when every process has read it, and
// what the one before has sealed is sealed anew. The one before opens until it is destroyed, a while later and by hand.
import { setTimeout as wait } from 'node:timers/promises';
import {
  deleteLastDataKey,
  insertNextDataKey,
  readDataKeys,
  switchDataKeys,
  type DataKeyPair,
} from '../../store/encryption/data-keys.ts';
import type { Tx } from '../../store/database.ts';
import { findFence } from '../../store/cells/migration-locks.ts';
import { declareSealingAnew, resealPage } from '../../store/encryption/re-encryption.ts';
import { MERCHANT_COLUMNS } from '../../store/encryption/encrypted-columns.ts';
import { record, type ByHand } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { inMerchant, MerchantElsewhere } from '../cells/lock-merchant.ts';
import { resealer, resealInRounds, type OnProgress, type Resealed } from './re-encrypt.ts';
import { later } from '../schedule.ts';
import { LEAD_MIN_MS } from '../access/signing-keys.ts';

/**
 * By then nothing that was sealed under the older key can still be on its way into the database: a statement ends
 * within half a minute, a transaction that does nothing within one.
 */
export const REST_MS = 10 * 60_000;

/** How often the clock is looked at: in a sandbox it can be moved. */
const LOOK_MS = 250;

/** As many as the byte in sealed values can name. */
const NO_MAX = 255;

export type DataKeyOrder = ByHand & { readonly merchantId: string; readonly onProgress: OnProgress };

export type DataKeyReplacement = Resealed & {
  /** The number of the key that seals now. */
  readonly no: number;
  /** From when on the one before can be destroyed. */
  readonly destroyableAt: Date;
};

/** Begins, or goes on where an earlier run was cut off. Null: the merchant has had as many keys as there can be. */
export async function replaceDataKey(
  engine: Engine,
  order: DataKeyOrder,
): Promise<DataKeyReplacement | null> {
  const { merchantId } = order;
  const next = await findOrMakeNext(engine, order);
  if (next === null) return null;
  if (next.other !== null && next.other.no > next.sealing.no) {
    await waitUntilRead(engine, next);
    const { no } = next.other;
    await alone(engine, merchantId, (tx) => switchDataKeys(tx, { merchantId, no, now: engine.clock.now() }));
  }
  const pair = await requireKeys(engine, merchantId);
  // Whoever has not read it yet still seals under the one before.
  await waitUntilRead(engine, pair);
  const resealed = await resealMerchant(engine, order, pair);
  return { ...resealed, no: pair.sealing.no, destroyableAt: later(changedAt(engine, pair), REST_MS) };
}

export type Destruction =
  | { readonly type: 'DESTROYED'; readonly no: number }
  | { readonly type: 'NONE' }
  | { readonly type: 'TOO_EARLY'; readonly destroyableAt: Date }
  | { readonly type: 'IN_USE' };

/** Destroys the data key that sealed before, after one more look at everything that could be under it. */
export async function destroyDataKey(engine: Engine, order: DataKeyOrder): Promise<Destruction> {
  const { by, merchantId } = order;
  const pair = await requireKeys(engine, merchantId);
  const { other, sealing } = pair;
  if (other === null || other.no > sealing.no) return { type: 'NONE' };
  const destroyableAt = later(changedAt(engine, pair), REST_MS);
  if (engine.clock.now() < destroyableAt) return { type: 'TOO_EARLY', destroyableAt };
  const { inUse } = await resealMerchant(engine, order, pair);
  if (inUse.length > 0) return { type: 'IN_USE' };
  return alone(engine, merchantId, async (tx) => {
    if (!(await deleteLastDataKey(tx, { merchantId, no: other.no }))) return { type: 'NONE' };
    const detail = { dataKeyNo: other.no };
    await record(engine, tx, [{ by, act: 'DATA_KEY_DESTROYED', merchantId, subject: merchantId, detail }]);
    return { type: 'DESTROYED', no: other.no };
  });
}

async function findOrMakeNext(engine: Engine, { by, merchantId }: DataKeyOrder): Promise<DataKeyPair | null> {
  const pair = await requireKeys(engine, merchantId);
  if (pair.other !== null) return pair;
  const no = pair.sealing.no + 1;
  if (no > NO_MAX) return null;
  const next = { no, wrapped: engine.store.keyring.createDataKey(merchantId, no) };
  await alone(engine, merchantId, async (tx) => {
    if (!(await insertNextDataKey(tx, { merchantId, next, now: engine.clock.now() }))) return;
    const detail = { dataKeyNo: no };
    await record(engine, tx, [{ by, act: 'DATA_KEY_REPLACED', merchantId, subject: merchantId, detail }]);
  });
  return requireKeys(engine, merchantId);
}

async function resealMerchant(
  engine: Engine,
  { onProgress, merchantId }: DataKeyOrder,
  { sealing }: DataKeyPair,
): Promise<Resealed> {
  const { keyring } = engine.store;
  const under = { merchantId, keyNo: sealing.no };
  return resealInRounds(
    MERCHANT_COLUMNS.map((of) => ({ ...under, of, reseal: resealer(keyring, of, merchantId) })),
    {
      onProgress,
      page: (resealing, order) => alone(engine, merchantId, (tx) => resealPage(tx, resealing, order)),
    },
  );
}

/** In one transaction, and not while the merchant moves: what was copied before would be under other keys. */
async function alone<Result>(
  engine: Engine,
  merchantId: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    if ((await findFence(tx, merchantId)) !== null) throw new MerchantElsewhere(merchantId);
    await declareSealingAnew(tx);
    return work(tx);
  });
}

async function requireKeys(engine: Engine, merchantId: string): Promise<DataKeyPair> {
  const pair = await readDataKeys(engine.store, merchantId);
  if (pair === null) throw new MerchantElsewhere(merchantId);
  return pair;
}

function changedAt(engine: Engine, pair: DataKeyPair): Date {
  return pair.changedAt ?? engine.clock.now();
}

async function waitUntilRead(engine: Engine, pair: DataKeyPair): Promise<void> {
  const readAt = later(changedAt(engine, pair), LEAD_MIN_MS);
  while (engine.clock.now() < readAt) await wait(LOOK_MS);
}
