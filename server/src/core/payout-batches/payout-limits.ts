// Up to how much payouts from the dashboard need no second approver. One person may lower that; to raise it takes a
// request and an approval, or one person could switch the rule off.
import { parseAmount, renderAmount, type Amount } from '../../domain/money.ts';
import type { ApprovalLimits } from '../../domain/payments/payout-batch.ts';
import { listApprovalsOf, type ActingPerson } from '../../store/approvals/approvals.ts';
import type { AuditedAct } from '../../store/audit.ts';
import type { Tx } from '../../store/database.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import {
  listPayoutLimits,
  lockPayoutLimit,
  setPayoutLimit,
  type LimitKey,
  type PayoutLimit,
} from '../../store/payout-batches/payout-limits.ts';
import { endPending } from '../approvals/decide.ts';
import { merchantOf, type Executor } from '../approvals/executor.ts';
import { openApproval, type ReadApproval } from '../approvals/read.ts';
import { requestApproval, type Outcome } from '../approvals/request.ts';
import { record } from '../audit.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import type { Engine, TimedStore } from '../engine.ts';

export type PayoutLimitChange = LimitKey & { readonly actor: ActingPerson; readonly amount: Amount };

/** A merchant's own limits before the host's. */
export async function readLimits(
  tx: Tx,
  merchantId: string,
  hostLimits: ApprovalLimits,
): Promise<ApprovalLimits> {
  const own = await listPayoutLimits(tx, merchantId);
  return new Map([
    ...hostLimits,
    ...own.flatMap(({ currency, amount }) => (amount === null ? [] : [[currency, amount] as const])),
  ]);
}

export type LimitView = PayoutLimit & {
  /** The request to raise it, while that is pending. */
  readonly approval: ReadApproval<'PAYOUT_LIMIT'> | null;
};

export async function listLimits(engine: Engine, merchantId: string): Promise<readonly LimitView[]> {
  const { database } = engine.store;
  const limits = await listPayoutLimits(database, merchantId);
  const subjects = limits.map(({ currency }) => currency);
  const approvals = await listApprovalsOf(database, {
    kind: 'PAYOUT_LIMIT',
    merchantIds: [merchantId],
    subjects,
  });
  await loadDataKeys(engine.store, [merchantId]);
  return limits.map((limit) => {
    const approval = approvals.get(limit.currency);
    return { ...limit, approval: approval?.status === 'PENDING' ? openApproval(engine, approval) : null };
  });
}

/**
 * A limit that is not above the merchant's own counts at once; any other is requested. Either ends what was requested
 * before. 0: every payout needs a second approver.
 */
export async function changeLimit(engine: Engine, order: PayoutLimitChange): Promise<Outcome> {
  const { merchantId, currency, actor, amount } = order;
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    const limit = await lockPayoutLimit(tx, order);
    await endPending(engine, tx, { kind: 'PAYOUT_LIMIT', merchantId, subject: currency, by: actor });
    if (amount <= (limit.amount ?? 0n)) {
      await setPayoutLimit(tx, order, amount);
      await note(engine, tx, { ...order, by: actor.by }, 'PAYOUT_LIMIT_LOWERED');
      return 'DONE';
    }
    const request = { currency, amount: renderAmount(amount) };
    await requestApproval(engine, tx, {
      actor,
      merchantId,
      kind: 'PAYOUT_LIMIT',
      subject: currency,
      request,
    });
    return 'REQUESTED';
  });
}

export const limitExecutor: Executor<'PAYOUT_LIMIT'> = {
  show: (request) => request,
  lock: async ({ tx, approval }) => {
    await lockPayoutLimit(tx, { merchantId: merchantOf(approval), currency: approval.subject });
  },
  execute: async ({ engine, tx, approval, decider: { by } }) => {
    const key = { merchantId: merchantOf(approval), currency: approval.subject };
    const amount = parseAmount(approval.request.amount) ?? 0n;
    await setPayoutLimit(tx, key, amount);
    await note(engine, tx, { ...key, amount, by }, 'PAYOUT_LIMIT_RAISED');
  },
};

async function note(
  engine: TimedStore,
  tx: Tx,
  limit: LimitKey & { readonly amount: Amount; readonly by: string },
  act: AuditedAct,
): Promise<void> {
  const { merchantId, currency: subject, by, amount } = limit;
  await record(engine, tx, [{ by, act, merchantId, subject, detail: { amount: renderAmount(amount) } }]);
}
