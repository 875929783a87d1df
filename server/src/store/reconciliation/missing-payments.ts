// Payments that an operator's report should contain and does not.
import type { Tx } from '../database.ts';
import { paymentKeys } from '../rows.ts';
import type { Period } from './operator-reports.ts';
import { column, columns, type Row } from '../columns.ts';

/** A payment that a report should have and has not. */
const missing = columns({
  ...paymentKeys.defs,
  state: column<'COMPLETED' | 'IN_RECONCILIATION'>('payment_state'),
  reference: column<string>('text', 'a.reference'),
  providerTransactionId: 'text null',
  amount: 'numeric',
  currency: 'text',
});

export type MissingPayment = Row<typeof missing>;

/**
 * Payments that no line of any report names that was not voided, although they lived within what was covered:
 * COMPLETED ones that ended in this period and began in the same or another one, and those in reconciliation that were
 * sent in it, an hour before its end or sooner, because what was sent last may be in the next report. By
 * `payments_by_end`, merchant by merchant, and `payments_in_reconciliation`.
 */
export async function listMissing(
  tx: Tx,
  {
    provider,
    period,
    countMax,
  }: { readonly provider: string; readonly period: Period; readonly countMax: number },
): Promise<readonly MissingPayment[]> {
  return missing.query(
    tx,
    `with lived as (
       select ended.* from merchants m cross join lateral (
         select * from payments p where p.merchant_id = m.merchant_id and p.final_at between $2 and $3
           and p.provider = $1 and p.state = 'COMPLETED') ended
       where exists (select 1 from operator_reports s
         where s.provider = $1 and s.voided_at is null and ended.created_at between s.covers_from and s.covers_to)
       union all
       select * from payments where state = 'IN_RECONCILIATION' and provider = $1)
     select ${missing.namesIn('p')} from lived p join payment_attempts a using (payment_no)
     where (state = 'COMPLETED' or claimed_at between $2 and $3::timestamptz - interval '1 hour')
       and not exists (select 1 from operator_report_lines l where l.payment_id = p.payment_id
         and l.merchant_id = p.merchant_id and l.kind = p.kind and not l.voided)
     order by state, claimed_at limit $4`,
    [provider, period.from, period.to, countMax],
  );
}
