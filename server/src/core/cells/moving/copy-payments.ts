// Copies payments with everything that belongs to them from one cell into another, a page in one transaction. What was
// copied before is brought up to date, so doing it twice is harmless.
import { paymentKeyText, type OperationKey, type PaymentKey } from '../../../domain/payments/payment.ts';
import { inTransaction, type Tx } from '../../../store/database.ts';
import { deleteFreedKeys } from '../../../store/cells/moving/clear.ts';
import { listDifferences, writeAlike, type Difference } from '../../../store/cells/moving/compare-rows.ts';
import { COMPARED_TABLES, PAYMENT_TABLES } from '../../../store/cells/moving/copied-tables.ts';
import {
  copyRows,
  readByKeys,
  type CopiedOf,
  type CopyTools,
  type TableShape,
} from '../../../store/cells/moving/copy-rows.ts';
import { listTakenTransactions } from '../../../store/cells/moving/taken-transactions.ts';
import { requireArriving, type MoveStep } from '../../../store/cells/moving/steps.ts';
import {
  deleteSearchEntries,
  insertSearchEntries,
  type SearchEntry,
} from '../../../store/payments/payment-search.ts';
import { listPayments } from '../../../store/payments/payments.ts';
import { insertConflicts } from '../../../store/payments/transaction-conflicts.ts';
import { conflictBetween } from '../../payments/process/transaction-conflict.ts';
import { searchValuesOf } from '../../payments/search-terms.ts';
import type { Engine, StorePart } from '../../engine.ts';

/** The two cells of a move, and what their tables look like. */
export type MoveCells = {
  readonly from: Engine;
  readonly to: Engine;
  readonly shapes: ReadonlyMap<string, TableShape>;
};

/** What a move says, and what stops it between two pages. */
export type MoveWatch = {
  readonly onProgress: (text: string) => void;
  readonly signal?: AbortSignal | undefined;
};

/** `alongside` is done in the transaction of the copied rows. Answers how many rows were written. */
export async function copyPayments(
  cells: MoveCells,
  step: MoveStep,
  keys: readonly OperationKey[],
  alongside: (to: Tx) => Promise<void> = async () => undefined,
): Promise<number> {
  return copyInOneLook(cells, step, keys, async ({ to }, rows) => {
    await alongside(to);
    return rows;
  });
}

/** The same, and what was copied is compared. */
export async function copyAndCompare(
  cells: MoveCells,
  step: MoveStep,
  keys: readonly OperationKey[],
): Promise<readonly Difference[]> {
  return copyInOneLook(cells, step, keys, async (tools, _rows, distinct) => {
    await Promise.all([tools.from, tools.to].map(writeAlike));
    return listDifferences(tools, COMPARED_TABLES, { merchantId: step.merchantId, keys: distinct });
  });
}

async function copyInOneLook<Result>(
  cells: MoveCells,
  step: MoveStep,
  keys: readonly OperationKey[],
  end: (tools: CopyTools, rows: number, distinct: readonly OperationKey[]) => Promise<Result>,
): Promise<Result> {
  const { merchantId } = step;
  const distinct = [...new Map(keys.map((key) => [paymentKeyText(key), key])).values()];
  return inTransaction(cells.to.store.database, async (to) => {
    // Before anything is read: what another mover wrote meanwhile must not be overwritten with what was there before.
    await requireArriving(to, step);
    // One look: the rows of a payment are read as they were together.
    return inTransaction(cells.from.store.database, async (from) => {
      await readByKeys(from);
      const tools = { from, to, shapes: cells.shapes };
      const rows = await copyRows(tools, PAYMENT_TABLES, { merchantId, keys: distinct });
      await deleteFreedKeys({ from, to }, { merchantId, keys: distinct });
      await deriveSearchEntries(cells, { from, to }, distinct);
      await noteTakenTransactions(cells, tools, { merchantId, keys: distinct });
      return end(tools, rows, distinct);
    });
  });
}

/**
 * A transaction of the merchant's that a payment of the new cell has completed both. The one that claimed it later gets
 * a case: the merchant's when it has arrived.
 */
async function noteTakenTransactions(cells: MoveCells, tools: CopyTools, of: CopiedOf): Promise<void> {
  const taken = await listTakenTransactions(tools, of);
  if (taken.length === 0) return;
  const foundAt = await cells.to.clock.timeOf(tools.to);
  const conflicts = taken.flatMap(({ copied, there }) => {
    const ours = { cell: cells.from.home, claim: copied };
    const theirs = { cell: cells.to.home, claim: there };
    const conflict = conflictBetween(ours, theirs);
    return conflict === null ? [] : [{ ...conflict, foundAt }];
  });
  await insertConflicts(tools.to, conflicts);
}

/** By what they are found in the new cell, which has the same key for it. */
async function deriveSearchEntries(
  cells: MoveCells,
  { from, to }: { readonly from: Tx; readonly to: Tx },
  keys: readonly OperationKey[],
): Promise<void> {
  const entries = await searchEntriesOf(cells.from, from, keys);
  // They may have been copied before.
  await deleteSearchEntries(to, cells.to.store.keyring, entries);
  await insertSearchEntries(to, cells.to.store.keyring, entries);
}

/** What payments are found by. */
export async function searchEntriesOf(
  { store }: StorePart,
  tx: Tx,
  keys: readonly OperationKey[],
): Promise<readonly SearchEntry[]> {
  const ofPayments = keys.filter((key): key is PaymentKey => key.kind !== 'SPLIT_PAYMENT');
  const payments = await listPayments(tx, store.keyring, ofPayments);
  return payments.flatMap(searchValuesOf);
}
