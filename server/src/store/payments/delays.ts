// What is late: steps of payments past their time, and callback addresses where nothing gets through. The worst first,
// and never more than a screen of them: how many there are is what monitors count.
import type { Amount } from '../../domain/money.ts';
import type { AnnouncedKind, NextAction, PaymentKey, PaymentState } from '../../domain/payments/payment.ts';
import type { SwitchedOffBecause } from '../callbacks/endpoint-queues.ts';
import type { Tx } from '../database.ts';
import { amountOfNumeric } from '../rows.ts';

export type LatePayment = PaymentKey & {
  readonly state: PaymentState;
  readonly provider: string;
  readonly amount: Amount;
  readonly currency: string;
  readonly createdAt: Date;
  readonly nextAction: NextAction;
  readonly dueAt: Date;
};

/** Payments whose next step should have been taken before this time, by `payments_due_steps`. */
export async function listLatePayments(
  tx: Tx,
  { dueBefore, countMax }: { readonly dueBefore: Date; readonly countMax: number },
): Promise<readonly LatePayment[]> {
  const { rows } = await tx.query<Omit<LatePayment, 'amount'> & { amount: string }>(
    `select late.* from unnest(enum_range(null::next_action)) as each (action) cross join lateral (
       select merchant_id as "merchantId", kind, payment_id as "paymentId", state, provider, amount, currency,
         created_at as "createdAt", next_action as "nextAction", next_action_at as "dueAt"
       from payments where next_action = each.action and next_action_at < $1
       order by next_action_at limit $2) late
     order by "dueAt" limit $2`,
    [dueBefore, countMax],
  );
  return rows.map((row) => ({ ...row, amount: amountOfNumeric(row.amount) }));
}

export type TroubledEndpointQueue = {
  readonly endpointId: string;
  readonly merchantId: string;
  readonly kind: AnnouncedKind;
  /** Paths and queries of callback addresses often carry a secret of the merchant: only the host is shown. */
  readonly url: string;
  readonly failureCount: number;
  readonly failingSince: Date | null;
  readonly pausedUntil: Date;
  readonly disabledAt: Date | null;
  readonly disabledBecause: SwitchedOffBecause | null;
  /** What waits there longest was made then; null where nothing waits. */
  readonly waitingSince: Date | null;
};

/**
 * There is one endpoint queue for each address, so all of them are looked at, as they are whenever callbacks are
 * delivered.
 */
export async function listTroubledEndpointQueues(
  tx: Tx,
  countMax: number,
): Promise<readonly TroubledEndpointQueue[]> {
  const { rows } = await tx.query<TroubledEndpointQueue>(
    `select endpoint_id as "endpointId", e.merchant_id as "merchantId", e.kind, e.url,
       failure_count as "failureCount", failing_since as "failingSince", paused_until as "pausedUntil",
       disabled_at as "disabledAt", disabled_because as "disabledBecause", first.created_at as "waitingSince"
     from endpoint_queues l join callback_endpoints e using (endpoint_id)
     left join lateral (
       select created_at from callbacks c where c.endpoint_id = l.endpoint_id and c.status = 'PENDING'
       order by due_at limit 1) first on true
     where failure_count > 0 or disabled_at is not null
     order by disabled_at nulls last, failing_since nulls last, endpoint_id limit $1`,
    [countMax],
  );
  return rows;
}
