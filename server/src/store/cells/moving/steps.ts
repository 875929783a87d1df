// The steps of a move, each one statement or a few in one transaction, so that a mover that dies between two of them
// finds by the migration locks where to go on.
import { KINDS_WITHDRAWN_BY_MOVE } from '../../../domain/approval.ts';
import type { OperationKey } from '../../../domain/payments/payment.ts';
import { estimateRows, type Tx } from '../../database.ts';
import { forgetHours } from '../../payments/payment-hours.ts';
import { isChanged, operationKeys } from '../../rows.ts';
import type { REWRITTEN_TABLES } from './copied-tables.ts';

export type MoveStep = { readonly merchantId: string; readonly moveId: string; readonly otherCell: string };

/** A migration lock that one mover raised. Each time it is raised it has another name. */
export type MigrationLockMode = MoveStep & { readonly lockId: string };

/** Anyone who wants to be alone keeps others waiting behind it; if it takes longer, it tries again later. */
const ALONE_WITHIN = '500ms';

/** Waits until no one is inside, and keeps everybody out until the transaction ends. Throws when that takes long. */
export async function lockMerchantAlone(tx: Tx, merchantId: string): Promise<void> {
  await tx.query(`set local lock_timeout to '${ALONE_WITHIN}'`);
  await tx.query('select pg_advisory_xact_lock(7016, merchant_bucket($1))', [merchantId]);
}

/** The same for every merchant, in the order of buckets, as `lock_merchant_rows` takes them. */
export async function lockAllMerchantsAlone(tx: Tx): Promise<void> {
  await tx.query(`set local lock_timeout to '${ALONE_WITHIN}'`);
  await tx.query('select pg_advisory_xact_lock(7016, bucket) from generate_series(0, 63) as bucket');
}

/** In the old cell: from now on every change is noted. Answers false where there is a migration lock already. */
export async function beginCopying(tx: Tx, { merchantId, moveId, otherCell }: MoveStep): Promise<boolean> {
  await lockMerchantAlone(tx, merchantId);
  return isChanged(
    tx,
    `insert into migration_locks (merchant_id, state, other_cell, move_id) values ($1, 'COPYING', $2, $3)
     on conflict do nothing`,
    [merchantId, otherCell, moveId],
  );
}

/**
 * In the new cell, before anything is copied: nothing may be done there with what is. A trace may be there, or what is
 * left of a move from another cell that was never finished; then everything is copied again.
 */
export async function beginArriving(tx: Tx, { merchantId, moveId, otherCell }: MoveStep): Promise<void> {
  await tx.query(
    `insert into migration_locks as f (merchant_id, state, other_cell, move_id) values ($1, 'ARRIVING', $2, $3)
     on conflict (merchant_id) do update set state = 'ARRIVING', other_cell = $2, move_id = $3, copied_through = null,
       pieces_through = '{}', events_through = 0, is_copy = false where f.move_id <> $3`,
    [merchantId, otherCell, moveId],
  );
}

/**
 * In the new cell, in every transaction that copies into it: once the merchant has arrived, nothing may be copied over
 * what it does there, by a second mover or one that stood still. It cannot arrive until the transaction ends, and no
 * other mover copies until then: of two that read the same payment the one that read it first must not write it last.
 */
export async function requireArriving(
  tx: Tx,
  { merchantId, moveId }: Pick<MoveStep, 'merchantId' | 'moveId'>,
): Promise<void> {
  const { rowCount } = await tx.query(
    `select 1 from migration_locks where merchant_id = $1 and move_id = $2 and state = 'ARRIVING' for update`,
    [merchantId, moveId],
  );
  if (rowCount !== 1)
    throw new Error(`the merchant ${merchantId} is not, or no longer, arriving by this move`);
}

/** In the old cell: nothing changes any more, until the migration lock lapses. Answers whether it is up. */
export async function setMigrationLock(
  tx: Tx,
  { merchantId, moveId, lockId }: MigrationLockMode,
  lapsesAt: Date,
): Promise<boolean> {
  await lockMerchantAlone(tx, merchantId);
  return isChanged(
    tx,
    `update migration_locks set state = 'LEAVING', lapses_at = $3, lock_id = $4
     where merchant_id = $1 and move_id = $2 and state in ('COPYING', 'LEAVING')`,
    [merchantId, moveId, lapsesAt, lockId],
  );
}

/**
 * In the old cell: opens it again, if the merchant has not left. Without a name of its own it lowers any migration
 * lock.
 */
export async function clearMigrationLock(
  tx: Tx,
  { merchantId, moveId, lockId }: MoveStep & { readonly lockId?: string },
): Promise<void> {
  await tx.query(
    `update migration_locks set state = 'COPYING', lapses_at = null
     where merchant_id = $1 and move_id = $2 and state = 'LEAVING' and ($3::uuid is null or lock_id = $3)`,
    [merchantId, moveId, lockId ?? null],
  );
}

/**
 * The step that decides, in the old cell: the merchant lives in the other one. Answers false when the migration lock
 * had lapsed, also where another mover has raised one since: then something may have changed, and nothing is decided.
 * Nothing of it is delivered or mailed from here any more.
 */
export async function leave(tx: Tx, { merchantId, moveId, lockId }: MigrationLockMode): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update migration_locks set state = 'AWAY', lapses_at = null
     where merchant_id = $1 and move_id = $2 and state = 'LEAVING' and lock_id = $3`,
    [merchantId, moveId, lockId],
  );
  if (rowCount !== 1) return false;
  await endServing(tx, merchantId);
  return true;
}

async function endServing(tx: Tx, merchantId: string): Promise<void> {
  await tx.query(
    `delete from endpoint_queues where endpoint_id in
       (select endpoint_id from callback_endpoints where merchant_id = $1)`,
    [merchantId],
  );
  // A wallet is the sum of its transfers, which are deleted from now on. None is left to disagree with them.
  await tx.query('delete from wallets where merchant_id = $1', [merchantId]);
  await tx.query('update merchant_notices set mail_due_at = null where merchant_id = $1', [merchantId]);
  await deleteAllNotes(tx, merchantId);
}

async function deleteAllNotes(tx: Tx, merchantId: string): Promise<void> {
  for (const table of ['moving_payments', 'moving_pieces'])
    await tx.query(`delete from ${table} where merchant_id = $1`, [merchantId]);
}

/**
 * In the old cell, before anything is removed in the new one: the move can no longer be decided. Answers false when it
 * was decided before.
 */
export async function endCopying(
  tx: Tx,
  { merchantId, moveId }: Pick<MoveStep, 'merchantId' | 'moveId'>,
): Promise<boolean> {
  await lockMerchantAlone(tx, merchantId);
  const isEnded = await isChanged(
    tx,
    `delete from migration_locks where merchant_id = $1 and move_id = $2 and state in ('COPYING', 'LEAVING')`,
    [merchantId, moveId],
  );
  if (isEnded) await deleteAllNotes(tx, merchantId);
  return isEnded;
}

/**
 * In the new cell, of a move that can no longer be decided: no mover copies any more, and what was copied may be
 * deleted. From here on it is as in a cell that the merchant has left. The move gets another name: a mover that goes on
 * finds nothing of it.
 */
export async function endArriving(
  tx: Tx,
  { merchantId, moveId }: Pick<MoveStep, 'merchantId' | 'moveId'>,
): Promise<void> {
  const isEnded = await isChanged(
    tx,
    `update migration_locks set state = 'AWAY', move_id = gen_random_uuid(), copied_through = null,
       pieces_through = '{}', is_copy = true
     where merchant_id = $1 and move_id = $2 and state = 'ARRIVING'`,
    [merchantId, moveId],
  );
  if (isEnded) await endServing(tx, merchantId);
}

/** What was copied is deleted. */
export async function endAborting(tx: Tx, merchantId: string): Promise<void> {
  await tx.query(`update migration_locks set is_copy = false where merchant_id = $1 and state = 'AWAY'`, [
    merchantId,
  ]);
}

/**
 * In the new cell: copied endpoint queues are opened, and the merchant lives here. Answers false when it did before.
 */
export async function arrive(
  tx: Tx,
  { merchantId, moveId }: Pick<MoveStep, 'merchantId' | 'moveId'>,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `delete from migration_locks where merchant_id = $1 and move_id = $2 and state = 'ARRIVING'`,
    [merchantId, moveId],
  );
  if (rowCount !== 1) return false;
  await tx.query(
    `update endpoint_queues set leased_until = $2, paused_until = $2 where endpoint_id in
       (select endpoint_id from callback_endpoints where merchant_id = $1)`,
    [merchantId, now],
  );
  // Whatever an earlier stay here left of its counts: they are counted again.
  await forgetHours(tx, merchantId);
  // Their files were not copied: they are made again.
  await tx.query(`update statements set due_at = $2 where merchant_id = $1 and status = 'COMPLETED'`, [
    merchantId,
    now,
  ]);
  return true;
}

/** In the new cell: requests that need their requester, who is not known here, or were confirmed by a person there. */
export async function withdrawCopiedApprovals(tx: Tx, merchantId: string, now: Date): Promise<void> {
  await tx.query(
    `update approvals set status = 'WITHDRAWN', decided_by_name = 'moved to another cell', decided_at = $2
     where merchant_id = $1 and status = 'PENDING' and (kind = any ($3::text[]) or confirmed_by is not null)`,
    [merchantId, now, KINDS_WITHDRAWN_BY_MOVE],
  );
}

/** Everything a merchant has in a table that says nothing but what is set for it. */
export async function deleteRowsOf(
  tx: Tx,
  table: (typeof REWRITTEN_TABLES)[number],
  merchantId: string,
): Promise<void> {
  await tx.query(`delete from ${table} where merchant_id = $1`, [merchantId]);
}

/** Endpoint queues as they are in the old cell, into the new one, leased permanently until the merchant arrives. */
export async function copyEndpointQueues(
  { from, to }: { readonly from: Tx; readonly to: Tx },
  merchantId: string,
) {
  const { rows } = await from.query<{ queues: string }>(
    `select coalesce(json_agg(l)::text, '[]') as queues from endpoint_queues l join callback_endpoints e
       using (endpoint_id) where e.merchant_id = $1`,
    [merchantId],
  );
  await to.query(
    `insert into endpoint_queues (endpoint_id, leased_until, paused_until, failure_count, failing_since)
     select endpoint_id, '9999-01-01', '9999-01-01', failure_count, failing_since
     from json_populate_recordset(null::endpoint_queues, $1::json)
     on conflict (endpoint_id) do update set leased_until = excluded.leased_until,
       paused_until = excluded.paused_until, failure_count = excluded.failure_count,
       failing_since = excluded.failing_since`,
    [rows[0]?.queues ?? '[]'],
  );
}

/** A page of a merchant's identifiers in their order, from behind `after`. */
export async function listKeysAfter(
  tx: Tx,
  page: { readonly merchantId: string; readonly after: OperationKey | null; readonly countMax: number },
): Promise<readonly OperationKey[]> {
  const { merchantId, after, countMax } = page;
  const tail = 'order by kind, payment_id limit $2';
  if (after === null)
    return operationKeys.select(tx, `from payment_keys where merchant_id = $1 ${tail}`, [
      merchantId,
      countMax,
    ]);
  // Its own statement: with a condition that may be left out, what comes before would be read and thrown away.
  return operationKeys.select(
    tx,
    `from payment_keys where merchant_id = $1 and (kind, payment_id) > ($3::payment_kind, $4::uuid) ${tail}`,
    [merchantId, countMax, after.kind, after.paymentId],
  );
}

/** How many identifiers a merchant has behind `after`, by which the remaining time is estimated. */
export async function estimateKeysAfter(
  tx: Tx,
  { merchantId, after }: { readonly merchantId: string; readonly after: OperationKey | null },
): Promise<number> {
  const rest = after === null ? '' : 'and (kind, payment_id) > ($2::payment_kind, $3::uuid)';
  const values = after === null ? [merchantId] : [merchantId, after.kind, after.paymentId];
  return estimateRows(tx, `select from payment_keys where merchant_id = $1 ${rest}`, values);
}

/** How far the copying has come, in the new cell and in the transaction of the copied rows. */
export async function markCopiedThrough(tx: Tx, key: OperationKey): Promise<void> {
  await tx.query(
    `update migration_locks set copied_through = $2 where merchant_id = $1 and state = 'ARRIVING'`,
    [key.merchantId, JSON.stringify(key)],
  );
}

export async function readCopiedThrough(tx: Tx, merchantId: string): Promise<OperationKey | null> {
  const { rows } = await tx.query<{ copied_through: OperationKey | null }>(
    'select copied_through from migration_locks where merchant_id = $1',
    [merchantId],
  );
  return rows[0]?.copied_through ?? null;
}
