// Follow-ups of payments that could not be made with the change they follow from: noted, tried again, and deleted with
// their making.
import type { ProcessTime } from '../../domain/clock.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { livesHere } from '../cells/migration-locks.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { IS_UNPOSTED } from '../recovery/unmatched-payments.ts';
import { oneRowInserter, paymentKeys } from '../rows.ts';

/** What follows from a payment's change, beside its state, events, cases and postings. */
export type FollowUpType = 'HOLD' | 'CALLBACK' | 'LIMITS' | 'SPLIT_PAYMENT' | 'CHECKOUT';

const followUps = columns({
  followUpId: 'uuid',
  ...paymentKeys.defs,
  type: column<FollowUpType>('text'),
  detail: 'jsonb',
  /** Of a hold: the wallet, and how much is wanted of it. */
  accountId: 'uuid null',
  wanted: 'numeric null',
  error: 'text',
  missingSince: 'timestamptz',
  dueAt: 'timestamptz',
});

export type MissingFollowUp = Row<typeof followUps>;

export const insertMissingFollowUp = oneRowInserter<MissingFollowUp>('missing_follow_ups', followUps.cells);

/** Those that are due for another try, the one that is due longest first. Of merchants that live here. */
export async function listDueFollowUps(
  tx: Tx,
  { now, countMax }: { readonly now: ProcessTime; readonly countMax: number },
): Promise<readonly MissingFollowUp[]> {
  return followUps.select(
    tx,
    `from missing_follow_ups m where due_at <= $1 and ${livesHere('m')} order by due_at limit $2`,
    [now, countMax],
  );
}

/** Must be the first thing the making does: answers false where another process has made it. */
export async function takeFollowUp(
  tx: Tx,
  { followUpId }: Pick<MissingFollowUp, 'followUpId'>,
): Promise<boolean> {
  const { rowCount } = await tx.query('delete from missing_follow_ups where follow_up_id = $1', [followUpId]);
  return rowCount === 1;
}

/** A hold that could not be made is wanted no more: its case is resolved. */
export async function deleteMissingHold(
  tx: Tx,
  { merchantId, kind, paymentId, holdId }: PaymentKey & { readonly holdId: string },
): Promise<void> {
  await tx.query(
    `delete from missing_follow_ups
     where type = 'HOLD' and merchant_id = $1 and kind = $2 and payment_id = $3 and detail ->> 'holdId' = $4`,
    [merchantId, kind, paymentId, holdId],
  );
}

export async function putOffFollowUp(
  tx: Tx,
  { followUpId, error, dueAt }: Pick<MissingFollowUp, 'followUpId' | 'error' | 'dueAt'>,
): Promise<void> {
  await tx.query('update missing_follow_ups set error = $2, due_at = $3 where follow_up_id = $1', [
    followUpId,
    error,
    dueAt,
  ]);
}

export type MissingFollowUps = { readonly count: number; readonly oldestAt: Date | null };

/** With what a report says of lost payments and could not be posted. */
export async function countMissingFollowUps(tx: Tx): Promise<MissingFollowUps> {
  const { rows } = await tx.query<{ count: number; oldest_at: Date | null }>(
    `select count(*)::int as count, min(since) as oldest_at from (
       select missing_since as since from missing_follow_ups union all
       select approved_at from unmatched_payments u where ${IS_UNPOSTED}) missing`,
  );
  return { count: rows[0]?.count ?? 0, oldestAt: rows[0]?.oldest_at ?? null };
}

/** Of one payment, for its timeline and for tests. */
export async function listFollowUpsOf(
  tx: Tx,
  { merchantId, kind, paymentId }: PaymentKey,
): Promise<readonly MissingFollowUp[]> {
  return followUps.select(
    tx,
    'from missing_follow_ups where merchant_id = $1 and kind = $2 and payment_id = $3 order by missing_since',
    [merchantId, kind, paymentId],
  );
}
