// Behind the migration lock: the last changes of payments, deliveries, which no one notes, and what a merchant has
// besides.
import type { OperationKey } from '../../../domain/payments/payment.ts';
import { inTransaction } from '../../../store/database.ts';
import { MERCHANT_TABLES, REWRITTEN_TABLES } from '../../../store/cells/moving/copied-tables.ts';
import { copyRows } from '../../../store/cells/moving/copy-rows.ts';
import {
  copyEndpointQueues,
  deleteRowsOf,
  listNotes,
  listPendingCallbacks,
  requireArriving,
  withdrawCopiedApprovals,
  type MoveStep,
} from '../../../store/cells/moving/steps.ts';
import { copyLedgerSums } from '../../../store/cells/moving/ledger-sums.ts';
import { copyPayments, type MoveCells } from './copy-payments.ts';

/** Beyond this no one would wait for it; the migration lock lapses first. */
const CHANGES_MAX = 100_000;

/** Notes stay until the merchant has left: should the migration lock lapse, everything noted is copied again. */
export async function copyRest(cells: MoveCells, step: MoveStep): Promise<void> {
  const { merchantId } = step;
  const { from, to, shapes } = cells;
  const [notes, delivered] = await Promise.all([
    listNotes(from.store.database, { merchantId, countMax: CHANGES_MAX }),
    listDelivered(cells, merchantId),
  ]);
  await copyPayments(cells, step, [...notes.map(({ key }) => key), ...delivered]);
  await inTransaction(to.store.database, async (tx) => {
    await requireArriving(tx, step);
    const tools = { from: from.store.database, to: tx, shapes };
    for (const table of REWRITTEN_TABLES) await deleteRowsOf(tx, table, merchantId);
    await copyRows(tools, MERCHANT_TABLES, { merchantId, keys: [] });
    await withdrawCopiedApprovals(tx, merchantId, to.clock.now());
    await copyEndpointQueues(tools, merchantId);
    await copyLedgerSums(tools, merchantId);
  });
}

/** A callback that waits in the copy and not in the original was delivered or tried since it was copied. */
async function listDelivered({ from, to }: MoveCells, merchantId: string): Promise<readonly OperationKey[]> {
  const [original, copy] = await Promise.all(
    [from, to].map(({ store }) => listPendingCallbacks(store.database, merchantId)),
  );
  const unchanged = new Map(original?.map(({ callbackId, attemptCount }) => [callbackId, attemptCount]));
  return (copy ?? [])
    .filter(({ callbackId, attemptCount }) => unchanged.get(callbackId) !== attemptCount)
    .map(({ key }) => key);
}
