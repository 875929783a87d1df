// Opens a case for each payment with an operator's transaction that another payment had first. It goes through the
// write path, as an answer of the operator does that names such a transaction. Where the payment's merchant has moved,
// the cell it lives in opens the case.
import { inTransaction } from '../../../store/database.ts';
import {
  deleteConflict,
  insertConflicts,
  listConflicts,
  type TransactionConflict,
} from '../../../store/payments/transaction-conflicts.ts';
import type { Engine } from '../../engine.ts';
import { advance } from './advance.ts';
import { unknown } from './conflicting-transactions.ts';

type Options = { readonly countMax: number; readonly onError: (error: unknown) => void };

/**
 * Answers how many conflicts it looked at. Doing one twice opens no second case. One that cannot be done now stays: its
 * merchant may be on the way to another cell.
 */
export async function openConflictCases(engine: Engine, { countMax, onError }: Options): Promise<number> {
  const conflicts = await listConflicts(engine.store.database, countMax);
  for (const conflict of conflicts) await openCase(engine, conflict).catch(onError);
  return conflicts.length;
}

async function openCase(engine: Engine, conflict: TransactionConflict): Promise<void> {
  const { merchantId, kind, paymentId } = conflict;
  const key = { merchantId, kind, paymentId };
  const event = unknown('TRANSACTION_TAKEN', conflict);
  const [answer] = await advance(
    engine,
    [{ key, event, evidence: evidenceOf(conflict) }],
    async (tx, [now]) => {
      if (now?.type !== 'OTHER_CELL' && now?.type !== 'NOT_FOUND') await deleteConflict(tx, conflict);
    },
  );
  if (answer?.type === 'OTHER_CELL') await handOn(engine, conflict);
  if (answer?.type === 'NOT_FOUND') throw new Error(`${kind} ${paymentId} has a transaction and is not here`);
}

function evidenceOf({ providerTransactionId, owner }: TransactionConflict): string {
  const { merchantId, kind, paymentId, cell, claimedAt } = owner;
  return (
    `The transaction ${providerTransactionId} is that of ${kind} ${paymentId} of merchant ${merchantId} ` +
    `in cell ${cell}, since ${claimedAt}.`
  );
}

/** The other cell has it before it is forgotten here. */
async function handOn(engine: Engine, conflict: TransactionConflict): Promise<void> {
  const place = await engine.cellAssignments.of(conflict.merchantId, { isFresh: true });
  if (place.type !== 'OTHER_CELL') return;
  await insertConflicts(engine.databaseOf(place.cell), [conflict]);
  await inTransaction(engine.store.database, (tx) => deleteConflict(tx, conflict));
}
