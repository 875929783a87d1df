// What is late: overdue steps of payments, and callback endpoints where nothing gets through. The worst first, never
// more than a screen of them: how many there are is what monitors count.
import type { AnnouncedKind } from '../../domain/payments/payment.ts';
import type { SwitchedOffBecause } from '../callbacks/endpoint-queues.ts';
import type { Tx } from '../database.ts';
import { paymentKeys } from '../rows.ts';
import { column, columns, type Row } from '../columns.ts';
import { STEP_GROUPS } from './distinct.ts';

const late = columns({
  ...paymentKeys.defs,
  state: 'payment_state',
  provider: 'text',
  amount: 'numeric',
  currency: 'text',
  createdAt: 'timestamptz',
  nextAction: 'next_action',
  dueAt: column<Date>('timestamptz', 'next_action_at'),
});

export type LatePayment = Row<typeof late>;

/** Payments whose next step should have been taken before this time, by `payments_due_steps`. */
export async function listLatePayments(
  tx: Tx,
  { dueBefore, countMax }: { readonly dueBefore: Date; readonly countMax: number },
): Promise<readonly LatePayment[]> {
  return late.query(
    tx,
    `with recursive ${STEP_GROUPS}
     select late.* from step_groups g cross join lateral (
       select ${late.names} from payments
       where (next_action, provider, kind) = (g.next_action, g.provider, g.kind) and next_action_at < $1
       order by next_action_at limit $2) late
     order by "dueAt" limit $2`,
    [dueBefore, countMax],
  );
}

const failing = columns({
  endpointId: 'uuid',
  merchantId: 'uuid',
  kind: column<AnnouncedKind>('payment_kind'),
  /** Paths and queries of callback addresses often carry a secret of the merchant: only the host is shown. */
  url: 'text',
  failureCount: 'int',
  failingSince: 'timestamptz null',
  pausedUntil: 'timestamptz',
  disabledAt: 'timestamptz null',
  disabledBecause: column<SwitchedOffBecause | null>('text null'),
  /** What waits there longest was made then; null where nothing waits. */
  waitingSince: column<Date | null>('timestamptz null', 'first.created_at'),
});

export type FailingEndpoint = Row<typeof failing>;

/**
 * Endpoints that acknowledged none of the last attempts, or were switched off; of one merchant, or of all. There is one
 * queue for each endpoint, so all of them are looked at, as they are whenever callbacks are delivered. Endpoints that
 * statements named are left out: they belong to one request.
 */
export async function listFailingEndpoints(
  tx: Tx,
  {
    failuresMin,
    merchantId,
    countMax,
  }: { readonly failuresMin: number; readonly merchantId: string | null; readonly countMax: number },
): Promise<readonly FailingEndpoint[]> {
  return failing.select(
    tx,
    `from endpoint_queues l join callback_endpoints e using (endpoint_id)
     left join lateral (
       select created_at from callbacks c where c.endpoint_id = l.endpoint_id and c.status = 'PENDING'
       order by due_at limit 1) first on true
     where kind is not null and (failure_count >= $1 or disabled_at is not null)
       and ($2::uuid is null or e.merchant_id = $2)
     order by disabled_at nulls last, failing_since nulls last, endpoint_id limit $3`,
    [failuresMin, merchantId, countMax],
  );
}
