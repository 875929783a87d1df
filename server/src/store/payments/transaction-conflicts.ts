// Operators' transactions of payments in different cells: how far they were compared, and payments that have one which
// another payment had first.
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged, paymentKeys, rowInserter } from '../rows.ts';

/** The payment that has a transaction rightly, as far as is known. */
export type TransactionOwner = {
  readonly merchantId: string;
  readonly kind: string;
  readonly paymentId: string;
  readonly cell: string;
  /** ISO 8601. */
  readonly claimedAt: string;
};

const conflicts = columns({
  ...paymentKeys.defs,
  provider: 'text',
  providerTransactionId: 'text',
  owner: column<TransactionOwner>('jsonb'),
  foundAt: 'timestamptz',
});

/** A payment with a transaction that another one had first. A case is to be opened for it. */
export type TransactionConflict = Row<typeof conflicts>;

/** What is known stays as it is. */
export const insertConflicts = rowInserter(
  'transaction_conflicts',
  conflicts.cells,
  'on conflict do nothing',
);

export async function listConflicts(tx: Tx, countMax: number): Promise<readonly TransactionConflict[]> {
  return conflicts.select(tx, 'from transaction_conflicts order by found_at limit $1', [countMax]);
}

export async function deleteConflict(
  tx: Tx,
  { merchantId, kind, paymentId, providerTransactionId }: TransactionConflict,
): Promise<void> {
  await tx.query(
    `delete from transaction_conflicts
     where merchant_id = $1 and kind = $2 and payment_id = $3 and provider_transaction_id = $4`,
    [merchantId, kind, paymentId, providerTransactionId],
  );
}

const comparisons = columns({ cell: 'text', comparedUntil: 'timestamptz' });

/** How far this cell's transactions were looked for in another cell. */
export type TransactionComparison = Row<typeof comparisons>;

export async function listComparisons(tx: Tx): Promise<readonly TransactionComparison[]> {
  return comparisons.select(tx, 'from transaction_comparisons');
}

/** When a database was created: nothing was claimed in it before. */
export async function readCreationTime(tx: Tx): Promise<Date> {
  const { rows } = await tx.query<{ at: Date }>('select min(applied_at) as at from migrations');
  const [row] = rows;
  if (row === undefined) throw new Error('a database of ours has migrations');
  return row.at;
}

/** Begins where nothing was compared before. */
export async function beginComparison(tx: Tx, { cell, comparedUntil }: TransactionComparison): Promise<void> {
  await tx.query(
    `insert into transaction_comparisons (cell, compared_until, leased_until) values ($1, $2, $2)
     on conflict do nothing`,
    [cell, comparedUntil],
  );
}

/** A lease of the comparison with a cell: of several workers one has it. */
export type ComparisonLease = TransactionComparison & { readonly leasedUntil: Date };

/** Null where another worker has it, or where it was not begun. */
export async function leaseComparison(
  tx: Tx,
  { cell, now, leasedUntil }: { readonly cell: string; readonly now: Date; readonly leasedUntil: Date },
): Promise<ComparisonLease | null> {
  const [leased] = await comparisons.query(
    tx,
    `update transaction_comparisons set leased_until = $3 where cell = $1 and leased_until <= $2
     returning ${comparisons.names}`,
    [cell, now, leasedUntil],
  );
  return leased === undefined ? null : { ...leased, leasedUntil };
}

/** Answers false where the lease has lapsed, and another worker may have it. */
export async function markCompared(
  tx: Tx,
  { cell, comparedUntil, leasedUntil }: ComparisonLease,
  comparedNowUntil: Date,
): Promise<boolean> {
  return isChanged(
    tx,
    `update transaction_comparisons set compared_until = $4
     where cell = $1 and compared_until = $2 and leased_until = $3`,
    [cell, comparedUntil, leasedUntil, comparedNowUntil],
  );
}

/** For the next worker to come. */
export async function endComparisonLease(tx: Tx, { cell, leasedUntil }: ComparisonLease): Promise<void> {
  await tx.query(
    'update transaction_comparisons set leased_until = compared_until where cell = $1 and leased_until = $2',
    [cell, leasedUntil],
  );
}
