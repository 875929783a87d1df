// Payments without a clear answer, as people go through them.
import type { Amount } from '../../domain/money.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import { amountOfNumeric } from '../columns.ts';

export type UnclearPayment = PaymentKey & {
  readonly provider: string;
  readonly amount: Amount;
  readonly currency: string;
  readonly createdAt: Date;
  readonly nextEnquiryAt: Date | null;
  /** By which the operator knows it. */
  readonly reference: string | null;
  /** What the operator said last, as a word of ours. */
  readonly lastSaid: string | null;
  readonly openCases: readonly string[];
};

/** The oldest first, by `payments_in_reconciliation`; of one provider, or of all. */
export async function listInReconciliation(
  tx: Tx,
  {
    provider,
    countMax,
    after = null,
  }: {
    readonly provider: string | null;
    readonly countMax: number;
    /** The last one of the page before. */
    readonly after?: { readonly createdAt: Date; readonly paymentId: string } | null;
  },
): Promise<readonly UnclearPayment[]> {
  const { rows } = await tx.query<Omit<UnclearPayment, 'amount'> & { amount: string }>(
    `select merchant_id as "merchantId", kind, payment_id as "paymentId", provider, amount, currency,
       created_at as "createdAt", next_action_at as "nextEnquiryAt", reference, said.detail as "lastSaid",
       array(
         select evidence from cases c
         where (c.merchant_id, c.kind, c.payment_id) = (p.merchant_id, p.kind, p.payment_id)
           and c.resolved_at is null order by 1) as "openCases"
     from payments p
     left join lateral (
       select reference from payment_attempts a
       where (a.merchant_id, a.kind, a.payment_id) = (p.merchant_id, p.kind, p.payment_id)
       order by attempt_no desc limit 1) attempt on true
     left join lateral (
       select detail from payment_events e
       where (e.merchant_id, e.kind, e.payment_id) = (p.merchant_id, p.kind, p.payment_id)
         and event = 'OPERATOR_ANSWERED' order by event_no desc limit 1) said on true
     where state = 'IN_RECONCILIATION' and ($1::text is null or provider = $1)
       and (created_at, payment_id) > ($3, $4)
     order by created_at, payment_id limit $2`,
    [provider, countMax, after?.createdAt ?? '-infinity', after?.paymentId ?? FIRST_ID],
  );
  return rows.map((row) => ({ ...row, amount: amountOfNumeric(row.amount) }));
}

/** Before every other identifier. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
