// What a worker waits for was dated by a clock that was ahead: it would wait until that time. It is due now instead;
// each step judges again, by the right time, whether it is to be done. What happened keeps the time that it was written
// with.
import type { Tx } from '../database.ts';

/** Statements about what is dated after $1. To do something of these sooner than it was planned is harmless. */
const BROUGHT_FORWARD = [
  // Only what was touched while the clock was ahead: what was planned before keeps its time.
  `update payments p set next_action_at = $1 where next_action_at > $1
     and exists (select 1 from payment_events e where e.payment_no = p.payment_no and e.occurred_at > $1)`,
  `update callbacks set due_at = $1 where status = 'PENDING' and due_at > $1`,
  `update endpoint_queues set leased_until = least(leased_until, $1), paused_until = least(paused_until, $1)
     where leased_until > $1 or paused_until > $1`,
  'update statements set due_at = $1 where due_at > $1',
  'update payout_batches set next_send_at = $1 where next_send_at > $1',
  'update missing_follow_ups set due_at = $1 where due_at > $1',
  'update file_leases set until = $1 where until > $1',
  'update payment_reviews set asked_until = $1 where asked_until > $1',
  `update operator_tokens set renew_at = least(renew_at, $1), leased_until = least(leased_until, $1)
     where renew_at > $1 or leased_until > $1`,
  'update operator_rates set taken_until = $1 where taken_until > $1',
  'update transaction_comparisons set leased_until = $1 where leased_until > $1',
  'update merchant_notices set mail_due_at = $1 where mail_due_at > $1',
  'update person_notices set mail_due_at = $1 where mail_due_at > $1',
  // From now on for as long as it was meant to.
  `update wallet_holds set release_at = $1::timestamptz + (release_at - held_at)
     where released_at is null and held_at > $1 and release_at is not null`,
  'update sensitive_changes set changed_at = $1 where changed_at > $1',
  `update provider_availability set changed_at = least(changed_at, $1), good_since = least(good_since, $1),
     probed_at = least(probed_at, $1) where changed_at > $1 or good_since > $1 or probed_at > $1`,
  // Measured and counted again.
  'delete from payer_prompts where prompted_at > $1',
  'delete from provider_calls where bucket_at > $1',
  'delete from monitor_readings where claimed_at > $1 or measured_at > $1',
];

/** Those of merchants that were counted further than to $1. */
const COUNTED_AGAIN = ['payment_hours', 'payment_days', 'payment_hours_progress'].map(
  (table) => `delete from ${table} where merchant_id = any ($1)`,
);

/** `now`: the right time. `comparedFrom`: from where on transactions are compared with those of other cells again. */
export async function bringWaitsForward(
  tx: Tx,
  { now, comparedFrom }: { readonly now: Date; readonly comparedFrom: Date },
): Promise<void> {
  for (const text of BROUGHT_FORWARD) await tx.query(text, [now]);
  await tx.query('update transaction_comparisons set compared_until = $1 where compared_until > $1', [
    comparedFrom,
  ]);
  const { rows } = await tx.query<{ merchant_id: string }>(
    'select merchant_id from payment_hours_progress where counted_until > $1',
    [now],
  );
  const merchants = rows.map(({ merchant_id: merchantId }) => merchantId);
  for (const text of COUNTED_AGAIN) await tx.query(text, [merchants]);
}
