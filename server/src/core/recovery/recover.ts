// After a restore: nothing is sent until every payment the database had has been asked about, and none is sent of which
// the operator was not asked first. docs/operating/recovery.md says what to do when.
import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../store/database.ts';
import { waitToNumber } from '../../store/events/event-queue.ts';
import { changeEpochs } from '../../store/events/merchant-events.ts';
import { bringEnquiriesForward } from '../../store/payments/due-steps.ts';
import { listUnsentBefore } from '../../store/payments/unsent-payments.ts';
import {
  insertRecovery,
  isAnyUnasked,
  listRecoveries,
  markAsked,
  markEnded,
  markResumed,
  readProgress,
  type RecoveryProgress,
  type StoredRecovery,
} from '../../store/recovery/recoveries.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { advance } from '../payments/process/advance.ts';
import { record, type Actor } from '../audit.ts';
import type { Engine, StorePart, TimedStore } from '../engine.ts';
import { inTimedTransaction } from '../timed-transaction.ts';
import { togetherOrAlone } from '../together-or-alone.ts';
import { reportAbout } from '../payment-log.ts';

/** Says that the database was restored. From now on submits are held, and everything that is open is asked about. */
export async function beginRecovery(
  engine: TimedStore,
  { by, lostFrom }: Actor & { readonly lostFrom: Date },
): Promise<StoredRecovery['recoveryId']> {
  const recoveryId = randomUUID();
  await inTransaction(engine.store.database, async (tx) => {
    const begunAt = await engine.clock.timeOf(tx);
    await insertRecovery(tx, { recoveryId, lostFrom, begunAt });
    await bringEnquiriesForward(tx, begunAt);
    await waitToNumber(tx);
    await changeEpochs(tx, lostFrom);
    const detail = { lostFrom: lostFrom.toISOString() };
    await record(engine, tx, [{ by, act: 'RECOVERY_BEGUN', merchantId: null, subject: recoveryId, detail }]);
  });
  return recoveryId;
}

export type RecoveryReport = StoredRecovery & { readonly progress: RecoveryProgress };

/** The latest one, and how far it has come; null where the database was never restored. */
export async function readRecovery({ store: { database } }: StorePart): Promise<RecoveryReport | null> {
  const [latest] = await listRecoveries(database);
  return latest === undefined ? null : { ...latest, progress: await readProgress(database, latest) };
}

export type EndRecoveryAnswer =
  | { readonly type: 'DONE' }
  | { readonly type: 'NONE_IS_OPEN' }
  /** Operators are still to be asked about payments from before. */
  | { readonly type: 'HOLDING'; readonly progress: RecoveryProgress };

/**
 * Says that nothing lost is awaited any more: everywhere, or at one provider. `unasked`: although operators were not
 * asked about every payment from before.
 */
export async function endRecovery(
  engine: TimedStore,
  { by, provider, unasked }: Actor & { readonly provider: string | null; readonly unasked: boolean },
): Promise<EndRecoveryAnswer> {
  const { database } = engine.store;
  const [latest] = await listRecoveries(database);
  if (latest === undefined || latest.endedAt !== null) return { type: 'NONE_IS_OPEN' };
  const { recoveryId, askedAt } = latest;
  if (askedAt === null && !unasked)
    return { type: 'HOLDING', progress: await readProgress(database, latest) };
  await inTransaction(database, async (tx) => {
    const now = await engine.clock.timeOf(tx);
    await markAsked(tx, now);
    await (provider === null ? markEnded(tx, now) : markResumed(tx, provider));
    const detail = { provider, unasked: askedAt === null };
    const act = provider === null ? 'RECOVERY_ENDED' : 'RECOVERY_ENDED_AT_PROVIDER';
    await record(engine, tx, [{ by, act, merchantId: null, subject: recoveryId, detail }]);
  });
  return { type: 'DONE' };
}

/**
 * While submits are held: has payments asked about that were not sent as far as is known, and releases when all have
 * been asked about. FREE: nothing is held. ASKING: there is more to do now.
 */
export async function holdSubmits(
  engine: Engine,
  { countMax, onError }: { readonly countMax: number; readonly onError: (error: unknown) => void },
): Promise<'FREE' | 'ASKING' | 'HOLDING'> {
  const recovery = await engine.directory.recovery();
  if (recovery === null || !recovery.isHolding) return 'FREE';
  const { database } = engine.store;
  const { begunAt } = recovery;
  const unsent = await listUnsentBefore(database, { before: begunAt, countMax });
  const hold = (keys: readonly PaymentKey[]) =>
    advance(
      engine,
      keys.map((key) => ({ key, event: { type: 'SUBMIT_HELD', lostUntil: begunAt } })),
    );
  const held = await togetherOrAlone(unsent, hold, reportAbout(onError));
  if (held.some(({ type }) => type === 'MOVE')) return 'ASKING';
  if (!(await isAnyUnasked(database, begunAt))) await inTimedTransaction(engine, markAsked);
  return 'HOLDING';
}
