// Payments without a clear answer, as people go through them.
import type { Tx } from '../database.ts';
import { numberedKeys } from '../rows.ts';
import { column, columns, type Row } from '../columns.ts';

const unclear = columns({
  ...numberedKeys.defs,
  provider: 'text',
  amount: 'numeric',
  currency: 'text',
  createdAt: 'timestamptz',
  nextEnquiryAt: column<Date | null>('timestamptz null', 'next_action_at'),
  /** By which the operator knows it. */
  reference: 'text null',
  /** What the operator said last, as a word of ours. */
  lastSaid: column<string | null>('text null', 'said.detail'),
  openCases: column<readonly string[]>(
    'text[]',
    `array(
       select evidence from cases c
       where (c.merchant_id, c.kind, c.payment_id) = (p.merchant_id, p.kind, p.payment_id)
         and c.resolved_at is null order by 1)`,
  ),
});

export type UnclearPayment = Row<typeof unclear>;

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
    readonly after?: { readonly createdAt: Date; readonly paymentNo: string } | null;
  },
): Promise<readonly UnclearPayment[]> {
  return unclear.select(
    tx,
    `from payments p
     left join lateral (
       select reference from payment_attempts a
       where a.payment_no = p.payment_no order by attempt_no desc limit 1) attempt on true
     left join lateral (
       select detail from payment_events e
       where e.payment_no = p.payment_no and event = 'OPERATOR_ANSWERED' order by event_no desc limit 1) said on true
     where state = 'IN_RECONCILIATION' and ($1::text is null or provider = $1)
       and (created_at, payment_no) > ($3, $4)
     order by created_at, payment_no limit $2`,
    [provider, countMax, after?.createdAt ?? '-infinity', after?.paymentNo ?? FIRST_ID],
  );
}

/** Before every other identifier. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
