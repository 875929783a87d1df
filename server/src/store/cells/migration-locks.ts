// Merchants that do not simply live in this cell. A transaction that writes for a merchant enters it first; a migration
// lock is raised only while no one is inside, so that nothing is written behind a mover's back.
import type { OperationKey } from '../../domain/payments/payment.ts';
import { column, columns, type Row } from '../columns.ts';
import { keepTimeOfWriting, type Tx } from '../database.ts';
import { countChanged, paymentKeyColumns, unnested, valuesOf } from '../rows.ts';

/** See the table: the migration says what each means. */
export type MigrationLockState = 'COPYING' | 'LEAVING' | 'AWAY' | 'ARRIVING';

const locks = columns({
  merchantId: 'uuid',
  state: column<MigrationLockState>('text'),
  otherCell: 'text',
  moveId: 'uuid',
  lapsesAt: 'timestamptz null',
  isCopy: 'bool',
});

export type MigrationLock = Row<typeof locks>;

/** For statements about `rows`: those of merchants that live in another cell, or are migrating, are not ours. */
export function livesHere(rows: string): string {
  return `not exists (
    select 1 from migration_locks f where f.merchant_id = ${rows}.merchant_id and f.state <> 'COPYING')`;
}

/**
 * Must be the first statement of its transaction that locks anything. Answers the merchants that have a migration lock;
 * until the transaction ends no other is raised for any of them. Brings the transaction's time along.
 */
export async function lockMerchantRows(
  tx: Tx,
  merchantIds: readonly string[],
): Promise<ReadonlyMap<string, MigrationLockState>> {
  if (merchantIds.length === 0) return new Map();
  const { rows } = await tx.query<LockedRow>(
    'select merchant_id, state, written_at from lock_merchant_rows($1)',
    [[...new Set(merchantIds)]],
  );
  for (const row of rows) if (row.merchant_id === null) keepTimeOfWriting(tx, row.written_at);
  return new Map(rows.flatMap((row) => (row.merchant_id === null ? [] : [[row.merchant_id, row.state]])));
}

/** A merchant with its migration lock; or, in one row, the time of what the transaction writes. */
type LockedRow =
  | { readonly merchant_id: string; readonly state: MigrationLockState }
  | { readonly merchant_id: null; readonly written_at: Date };

/** Notes what changed of merchants that are being copied; of all others nothing is noted. */
export async function noteChanges(tx: Tx, keys: readonly OperationKey[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(
    `insert into moving_payments (merchant_id, kind, payment_id)
     select k.merchant_id, k.kind, k.payment_id
     from ${unnested(paymentKeyColumns, 'k')}
     join migration_locks f on f.merchant_id = k.merchant_id and f.state = 'COPYING'`,
    valuesOf(paymentKeyColumns, keys),
  );
}

/** The same for payments whose callbacks were made at a time. */
export async function noteCallbacksMade(
  tx: Tx,
  { merchantId, createdAt }: { readonly merchantId: string; readonly createdAt: Date },
): Promise<void> {
  await tx.query(
    `insert into moving_payments (merchant_id, kind, payment_id)
     select distinct c.merchant_id, c.kind, c.payment_id from callbacks c
     join migration_locks f on f.merchant_id = c.merchant_id and f.state = 'COPYING'
     where c.merchant_id = $1 and c.created_at = $2`,
    [merchantId, createdAt],
  );
}

/** All of them: few merchants ever move. */
export async function listMigrationLocks(tx: Tx): Promise<readonly MigrationLock[]> {
  return locks.select(tx, 'from migration_locks');
}

export async function findMigrationLock(tx: Tx, merchantId: string): Promise<MigrationLock | null> {
  return locks.find(tx, 'from migration_locks where merchant_id = $1', [merchantId]);
}

/** Opens again what a mover closed and did not go on with. It goes back to copying; nothing is lost. */
export async function clearExpiredMigrationLocks(tx: Tx, now: Date): Promise<number> {
  return countChanged(
    tx,
    `update migration_locks set state = 'COPYING', lapses_at = null where state = 'LEAVING' and lapses_at <= $1`,
    [now],
  );
}
