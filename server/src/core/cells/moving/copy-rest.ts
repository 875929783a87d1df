// Behind the migration lock: the last changes of payments, deliveries, which no one notes, and what a merchant has
// besides.
import type { OperationKey } from '../../../domain/payments/payment.ts';
import { copyEvents } from './copy-events.ts';
import { addMs } from '../../../domain/time.ts';
import { inTransaction } from '../../../store/database.ts';
import {
  listDifferences,
  listUnequal,
  measureLatest,
  writeAlike,
  type Difference,
} from '../../../store/cells/moving/compare-rows.ts';
import { isCompared, MERCHANT_TABLES, REWRITTEN_TABLES } from '../../../store/cells/moving/copied-tables.ts';
import { copyRows, readByKeys } from '../../../store/cells/moving/copy-rows.ts';
import { copySummedUntil } from '../../../store/cells/moving/ledger-sums.ts';
import { listNotes, listPendingCallbacks } from '../../../store/cells/moving/notes.ts';
import {
  copyEndpointQueues,
  deleteRowsOf,
  requireArriving,
  withdrawCopiedApprovals,
  type MoveStep,
} from '../../../store/cells/moving/steps.ts';
import { declareReEncryption } from '../../../store/encryption/re-encryption.ts';
import { copyAndCompare, type MoveCells } from './copy-payments.ts';
import { copyRestOfPieces } from './copy-pieces.ts';

/** Beyond this no one would wait for it; the migration lock lapses first. */
const CHANGES_MAX = 100_000;
/** Longer than it takes from the last comparison of a history to here, but for very large ones. */
const LATEST_MS = 600_000;

/** The sums of the merchant's transfers go further than the clock of the new cell. Nothing of the rest was copied. */
export class TimeAhead extends Error {
  constructor() {
    super('the sums of the ledger go further than the clock of the new cell');
    this.name = 'TimeAhead';
  }
}

/**
 * Answers what is not the same in both cells afterwards. Notes stay until the merchant has left: should the migration
 * lock lapse, everything noted is copied again.
 */
export async function copyRest(cells: MoveCells, step: MoveStep): Promise<readonly Difference[]> {
  const { merchantId } = step;
  const [notes, delivered] = await Promise.all([
    listNotes(cells.from.store.database, { merchantId, countMax: CHANGES_MAX }),
    listDeliveredSince(cells, merchantId),
  ]);
  const keys = [...notes.map(({ key }) => key), ...delivered];
  return [
    ...(await copyAndCompare(cells, step, keys)),
    ...(await copyRestOfPieces(cells, step)),
    ...(await copyEvents(cells, step)),
    ...(await copyMerchant(cells, step)),
  ];
}

/**
 * The merchant's own tables that are not the same: behind the migration lock little is copied that was before. Then
 * whether the same payments are open, and ended lately, in both cells.
 */
async function copyMerchant({ from, to, shapes }: MoveCells, step: MoveStep): Promise<readonly Difference[]> {
  const { merchantId } = step;
  const of = { merchantId, keys: [] };
  const now = await from.clock.timeOf(from.store.database);
  const latest = { merchantId, since: addMs(now, -LATEST_MS) };
  return inTransaction(to.store.database, async (there) => {
    await requireArriving(there, step);
    return inTransaction(from.store.database, async (here) => {
      await readByKeys(here);
      const tools = { from: here, to: there, shapes };
      await Promise.all([here, there].map(writeAlike));
      // Of entries in the audit log nothing else can be replaced.
      await declareReEncryption(there);
      const unequal = await listUnequal(tools, MERCHANT_TABLES, of);
      const isUnequal = (name: string) => unequal.some(({ table }) => table === name);
      for (const table of REWRITTEN_TABLES.filter(isUnequal)) await deleteRowsOf(there, table, merchantId);
      await copyRows(tools, unequal, of);
      const [differences, old, copied] = await Promise.all([
        listDifferences(tools, unequal.filter(isCompared), of),
        measureLatest(here, latest),
        measureLatest(there, latest),
      ]);
      // After they were compared: in the new cell some end with the move.
      await withdrawCopiedApprovals(there, merchantId, await to.clock.timeOf(there));
      await copyEndpointQueues(tools, merchantId);
      if (!(await copySummedUntil(tools, merchantId))) throw new TimeAhead();
      return old === copied
        ? differences
        : [...differences, { table: 'payments', row: `${old}; in the copy ${copied}` }];
    });
  });
}

/** A callback that waits in the copy and not in the original was delivered or tried since it was copied. */
async function listDeliveredSince(
  { from, to }: MoveCells,
  merchantId: string,
): Promise<readonly OperationKey[]> {
  const [original, copy] = await Promise.all(
    [from, to].map(({ store }) => listPendingCallbacks(store.database, merchantId)),
  );
  const unchanged = new Map(original?.map(({ callbackId, attemptCount }) => [callbackId, attemptCount]));
  return (copy ?? [])
    .filter(({ callbackId, attemptCount }) => unchanged.get(callbackId) !== attemptCount)
    .map(({ key }) => key);
}
