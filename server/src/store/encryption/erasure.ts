// Takes out of final payments, and of everything written about them, what names people. Amounts, states, times and
// identifiers stay: the books and the answer to a repeated identifier depend on them.
import { paymentKeyText, type OperationKey, type PaymentKey } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import { paymentKeyColumns, unnested, valuesOf } from '../rows.ts';

const KEYS = `select * from ${unnested(paymentKeyColumns)}`;

/** Payments about which two people still have to decide, by their names in the order of locks. */
export async function listWithOpenCases(tx: Tx, keys: readonly PaymentKey[]): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<PaymentKey>(
    `select merchant_id as "merchantId", kind, payment_id as "paymentId" from cases
     where resolved_at is null and (merchant_id, kind, payment_id) in (${KEYS})`,
    valuesOf(paymentKeyColumns, keys),
  );
  return new Set(rows.map(paymentKeyText));
}

/** In the order in which they are emptied. Times and findings of what they were about stay. */
const TRACES = [
  `update payment_events set encrypted_evidence = null
   where encrypted_evidence is not null and payment_no in (NUMBERS)`,
  `update payment_reviews set encrypted_reason = null
   where encrypted_reason is not null and payment_no in (NUMBERS)`,
  `update cases set encrypted_evidence = null where encrypted_evidence is not null and OF_PAYMENTS`,
  // Found by `callbacks_of_subject`. A callback that still waits is rendered again, without the person.
  `update callbacks set encrypted_body = null
   where encrypted_body is not null and subject_id in (NUMBERS union all select unnest($3::uuid[])) and OF_PAYMENTS`,
  `update callback_attempts set encrypted_answer = null
   where encrypted_answer is not null and callback_id in (
     select callback_id from callbacks
     where subject_id in (NUMBERS union all select unnest($3::uuid[])) and OF_PAYMENTS)`,
  // A line that waits is still to be decided on. It may have come since the payment was looked at.
  `update operator_report_lines set encrypted_line = null, number_hash = null
   where encrypted_line is not null and payment_id = any($3) and OF_PAYMENTS
     and finding is distinct from 'TO_APPROVE'`,
  // The address of a page leads nowhere any more.
  `delete from payment_pages where (merchant_id, 'DEPOSIT'::payment_kind, deposit_id) in (KEYS)`,
] as const;

/** Answers how many rows were emptied. */
export async function eraseTraces(tx: Tx, keys: readonly OperationKey[]): Promise<number> {
  let count = 0;
  for (const statement of TRACES) {
    const text = statement
      .replaceAll('NUMBERS', `select payment_no from payment_keys where OF_PAYMENTS`)
      .replaceAll('OF_PAYMENTS', `(merchant_id, kind, payment_id) in (${KEYS})`)
      .replaceAll('KEYS', KEYS);
    count += (await tx.query(text, valuesOf(paymentKeyColumns, keys))).rowCount ?? 0;
  }
  return count;
}
