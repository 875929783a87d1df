// What operators' reports that wait for approval say about payments. It is not true yet, but nobody may act as if it
// were not said: whoever is about to give money back, to end a payment or to forget a person asks here.
import type { LineEffect } from '../../domain/reconciliation/operator-report.ts';
import { paymentKeyText, type PaymentKey } from '../../domain/payments/payment.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { paymentKeyColumns, unnested, valuesOf } from '../rows.ts';

const words = columns({
  merchantId: column<string>('uuid', 'l.merchant_id'),
  kind: column<PaymentKey['kind']>('payment_kind', 'l.kind'),
  paymentId: column<string>('uuid', 'l.payment_id'),
  provider: column<string>('text', 'l.provider'),
  reportId: column<string>('uuid', 'l.report_id'),
  lineNo: column<number>('int', 'l.line_no'),
  effect: column<LineEffect>('text', 'l.effect'),
  /** Who imported the report last; null where that is not known. */
  importedBy: column<string | null>('text null', 'r.read_by_name'),
});

/** A line that waits, and what it does to its payment when its report is approved. */
export type WaitingWord = Row<typeof words>;

/** By the payment's name in the order of locks. Payments about which nothing waits are not in it. */
export async function listWaitingWords(
  tx: Tx,
  keys: readonly PaymentKey[],
): Promise<ReadonlyMap<string, readonly WaitingWord[]>> {
  if (keys.length === 0) return new Map();
  // For each payment one step into the index of its lines, however many lines wait.
  const rows = await words.select(
    tx,
    `from ${unnested(paymentKeyColumns, 'key')}
     cross join lateral (
       select * from operator_report_lines
       where payment_id = key.payment_id and merchant_id = key.merchant_id and kind = key.kind
         and finding = 'TO_APPROVE' offset 0) l
     cross join lateral (
       select read_by_name from operator_reports where report_id = l.report_id and voided_at is null offset 0) r
     order by l.report_id, l.line_no`,
    valuesOf(paymentKeyColumns, keys),
  );
  return Map.groupBy(rows, paymentKeyText);
}
