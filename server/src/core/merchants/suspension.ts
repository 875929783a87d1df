// Suspends a merchant, which one person does at once, and resumes it, which takes two people: with it money may leave
// again.
import { inTransaction, type Tx } from '../../store/database.ts';
import { findSuspension, resume, suspend } from '../../store/merchants/merchants.ts';
import { endPending } from '../approvals/decide.ts';
import { merchantOf, NotExecuted, type Executor } from '../approvals/executor.ts';
import { isNeeded, requestApproval, type Ordered, type Outcome } from '../approvals/request.ts';
import type { ActingPerson } from '../../store/approvals/approvals.ts';
import { record } from '../audit.ts';
import { lockOneMerchant } from '../cells/lock-merchant.ts';
import { aloneIn } from '../cells/lock-merchant-alone.ts';
import type { Engine } from '../engine.ts';

type SuspensionOrder = { readonly actor: ActingPerson; readonly merchantId: string };

/**
 * Suspends a merchant. Once this has committed, its API tokens are refused and none of its payments is claimed to be
 * sent. Payments that a worker claimed before may still be sent until their deadline. If the merchant is suspended
 * already, a pending request to resume it is ended, because whoever suspends it now wants it stopped. Returns false
 * if it was suspended already.
 */
export async function suspendMerchant(
  engine: Engine,
  { actor, merchantId }: SuspensionOrder,
): Promise<boolean> {
  return aloneIn(engine.store.database, merchantId, async (tx) => {
    await lockOneMerchant(tx, merchantId);
    await endRequest(engine, tx, { actor, merchantId });
    const wasServed = await suspend(tx, merchantId, await engine.clock.timeOf(tx));
    const entry = {
      by: actor.by,
      act: 'MERCHANT_SUSPENDED',
      merchantId,
      subject: merchantId,
      detail: {},
    } as const;
    if (wasServed) await record(engine, tx, [entry]);
    return wasServed;
  });
}

/**
 * Requests that it is served again, or does it where no second person is needed. The request names the suspension that
 * it ends, by its time. Null: it is not suspended.
 */
export async function resumeMerchant(
  engine: Engine,
  { merchantId, ...ordered }: Ordered & { readonly merchantId: string },
): Promise<Outcome | null> {
  const { actor } = ordered;
  return inTransaction(engine.store.database, async (tx) => {
    await lockOneMerchant(tx, merchantId);
    const suspendedAt = await findSuspension(tx, merchantId);
    if (suspendedAt === null) return null;
    if (isNeeded(ordered)) {
      const request = { suspendedAt: suspendedAt.toISOString() };
      const wanted = { actor, merchantId, kind: 'MERCHANT_RESUME', subject: merchantId, request } as const;
      await requestApproval(engine, tx, wanted);
      return 'REQUESTED';
    }
    await endRequest(engine, tx, { actor, merchantId });
    await resumeAt(engine, tx, { by: actor.by, merchantId, suspendedAt });
    return 'DONE';
  });
}

export const resumeExecutor: Executor<'MERCHANT_RESUME'> = {
  show: ({ suspendedAt }) => ({ suspendedAt }),
  execute: async ({ engine, tx, approval, decider: { by } }) => {
    const suspendedAt = new Date(approval.request.suspendedAt);
    const wasResumed = await resumeAt(engine, tx, { by, merchantId: merchantOf(approval), suspendedAt });
    // It was resumed since, and perhaps suspended again: that suspension nobody asked to end.
    if (!wasResumed) throw new NotExecuted();
  },
};

async function resumeAt(
  engine: Engine,
  tx: Tx,
  {
    by,
    merchantId,
    suspendedAt,
  }: { readonly by: string; readonly merchantId: string; readonly suspendedAt: Date },
): Promise<boolean> {
  const wasResumed = await resume(tx, merchantId, suspendedAt);
  const entry = { by, act: 'MERCHANT_RESUMED', merchantId, subject: merchantId, detail: {} } as const;
  if (wasResumed) await record(engine, tx, [entry]);
  return wasResumed;
}

async function endRequest(engine: Engine, tx: Tx, { actor, merchantId }: SuspensionOrder): Promise<void> {
  await endPending(engine, tx, { kind: 'MERCHANT_RESUME', merchantId, subject: merchantId, by: actor });
}
