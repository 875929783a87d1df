// Up to how much payouts from the dashboard need no second person. Lowering that is anybody's; raising it is what one
// person proposes and another approves, or the rule would be one person's to switch off.
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { ApprovalLimits } from '../../domain/payments/payout-batch.ts';
import type { AuditedAct } from '../../store/audit.ts';
import type { Tx } from '../../store/database.ts';
import type { Actor } from '../../store/payout-batches/payout-batches.ts';
import {
  listPayoutLimits,
  lockPayoutLimit,
  lowerPayoutLimit,
  proposePayoutLimit,
  raisePayoutLimit,
  type LimitKey,
  type PayoutLimit,
} from '../../store/payout-batches/payout-limits.ts';
import { isSamePerson } from '../../domain/reconciliation/cases.ts';
import { record } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import { isIndependent } from '../approvals/independence.ts';

export type LimitOrder = LimitKey & { readonly actor: Actor; readonly amount: Amount };

export type LimitAnswer =
  | 'SET'
  | 'PROPOSED'
  | 'RAISED'
  | 'NOTHING_PROPOSED'
  | 'SAME_PERSON'
  | 'NOT_INDEPENDENT';

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

export function listLimits(engine: Engine, merchantId: string): Promise<readonly PayoutLimit[]> {
  return listPayoutLimits(engine.store.database, merchantId);
}

/** A limit that is not above the merchant's own counts at once; any other waits for a second person. 0: always two. */
export async function changeLimit(engine: Engine, order: LimitOrder): Promise<LimitAnswer> {
  const { merchantId, actor, amount } = order;
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    const limit = await lockPayoutLimit(tx, order);
    if (amount <= (limit.amount ?? 0n)) {
      await lowerPayoutLimit(tx, order, amount);
      await note(engine, tx, order, 'PAYOUT_LIMIT_LOWERED');
      return 'SET';
    }
    await proposePayoutLimit(tx, order, { amount, by: actor, at: engine.clock.now() });
    await note(engine, tx, order, 'PAYOUT_LIMIT_PROPOSED');
    return 'PROPOSED';
  });
}

/** `amount` is what the second person saw: a proposal that was changed meanwhile is not approved by accident. */
export async function approveLimit(engine: Engine, order: LimitOrder): Promise<LimitAnswer> {
  const { merchantId, actor, amount } = order;
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    const { proposal } = await lockPayoutLimit(tx, order);
    if (proposal === null || proposal.amount !== amount) return 'NOTHING_PROPOSED';
    if (isSameActor(actor, proposal.by)) return 'SAME_PERSON';
    const isOther = await isIndependent(tx, { by: actor.by, merchantIds: [merchantId], as: 'MERCHANT' });
    if (!isOther) return 'NOT_INDEPENDENT';
    await raisePayoutLimit(tx, order, actor);
    await note(engine, tx, order, 'PAYOUT_LIMIT_RAISED');
    return 'RAISED';
  });
}

export function isSameActor(a: Actor, b: Actor): boolean {
  return a.personId === b.personId || isSamePerson(a.by, b.by);
}

async function note(engine: Engine, tx: Tx, order: LimitOrder, act: AuditedAct): Promise<void> {
  const { merchantId, currency: subject, actor, amount } = order;
  const detail = { amount: renderAmount(amount) };
  await record(engine, tx, [{ by: actor.by, act, merchantId, subject, detail }]);
}
