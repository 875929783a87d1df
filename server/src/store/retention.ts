// What is deleted when it is old enough: messages of operators whose effect is in the books, and single attempts at
// callbacks. Never anything that money or an identifier hangs on. Both are found by the time in their identifiers, so
// nothing is read that stays; rows that somebody else deletes at this moment are passed over.
import type { Tx } from './database.ts';
import { countChanged } from './rows.ts';
import { firstTimedUuid } from './timed-uuid.ts';

export type Pruning = { readonly before: Date; readonly countMax: number };

/** Answers how many. One that is still to be applied stays, however old it is. */
export async function pruneNotifications(tx: Tx, { before, countMax }: Pruning): Promise<number> {
  return countChanged(
    tx,
    `delete from operator_notifications where notification_id in (
       select notification_id from operator_notifications
       where notification_id < $1 and received_at < $2 and (applied_at is not null or unmatched_at is not null)
       order by notification_id limit $3 for update skip locked)`,
    [firstTimedUuid(before), before, countMax],
  );
}

/** Answers how many of the messages that were ignored. */
export async function pruneDoubtful(tx: Tx, { before, countMax }: Pruning): Promise<number> {
  return countChanged(
    tx,
    `delete from operator_notifications where notification_id in (
       select notification_id from operator_notifications where notification_id < $1 and is_doubtful
       order by notification_id limit $2 for update skip locked)`,
    [firstTimedUuid(before), countMax],
  );
}

/** Answers how many. The callbacks stay, and say how often and with what success they were tried. */
export async function pruneCallbackAttempts(tx: Tx, { before, countMax }: Pruning): Promise<number> {
  return countChanged(
    tx,
    `delete from callback_attempts where (merchant_id, callback_id, attempt_no) in (
       select old.* from merchants m cross join lateral (
         select merchant_id, callback_id, attempt_no from callback_attempts a
         where a.merchant_id = m.merchant_id and callback_id < $1 and started_at < $2
         order by callback_id, attempt_no limit $3 for update skip locked) old
       limit $3)`,
    [firstTimedUuid(before), before, countMax],
  );
}
