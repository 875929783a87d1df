// Copies what a merchant has while it is served: everything that is final, then what was noted, until little is left.
import { paymentKeyText } from '../../../domain/payments/payment.ts';
import { MERCHANT_ROW } from '../../../store/cells/moving/copied-tables.ts';
import { copyRows } from '../../../store/cells/moving/copy-rows.ts';
import { deleteNotes, listNotes, noteOpenPayments } from '../../../store/cells/moving/notes.ts';
import {
  estimateKeysAfter,
  listKeysAfter,
  markCopiedThrough,
  readCopiedThrough,
  requireArriving,
  type MoveStep,
} from '../../../store/cells/moving/steps.ts';
import { inTransaction } from '../../../store/database.ts';
import { copyPayments, type MoveCells, type MoveWatch } from './copy-payments.ts';
import { createPace } from './pace.ts';

/** As many payments with one transaction. */
export const PAGE = 500;
/** So few changes that the rest is copied in a moment. */
const NOTES_FEW = 50;

/** Everything that is final, in the order of identifiers; the rest, and what changes meanwhile, is noted. */
export async function copyHistory(cells: MoveCells, step: MoveStep, watch: MoveWatch): Promise<void> {
  const { from, to, shapes } = cells;
  const { merchantId } = step;
  await inTransaction(to.store.database, async (tx) => {
    await requireArriving(tx, step);
    await copyRows({ from: from.store.database, to: tx, shapes }, [MERCHANT_ROW], { merchantId, keys: [] });
  });
  let after = await readCopiedThrough(to.store.database, merchantId);
  const total = await estimateKeysAfter(from.store.database, { merchantId, after });
  const pace = createPace(watch, { what: 'copied', total });
  for (;;) {
    watch.signal?.throwIfAborted();
    const keys = await listKeysAfter(from.store.database, { merchantId, after, countMax: PAGE });
    const last = keys.at(-1);
    if (last === undefined) break;
    const open = new Set((await noteOpenPayments(from.store.database, keys)).map(paymentKeyText));
    const settled = keys.filter((key) => !open.has(paymentKeyText(key)));
    const rows = await copyPayments(cells, step, settled, (tx) => markCopiedThrough(tx, last));
    after = last;
    pace.add({ payments: keys.length, rows });
  }
  pace.end(' while it was served');
}

/** Copies what was noted, a page at a time, until so little is left that a merchant may wait for it. */
export async function copyNoted(cells: MoveCells, step: MoveStep, watch: MoveWatch): Promise<void> {
  const { database } = cells.from.store;
  const { merchantId } = step;
  // At least once: behind the migration lock nothing is done for the first time.
  let copied = PAGE;
  while (copied >= NOTES_FEW) {
    watch.signal?.throwIfAborted();
    const notes = await listNotes(database, { merchantId, countMax: PAGE });
    await copyPayments(
      cells,
      step,
      notes.map(({ key }) => key),
    );
    await deleteNotes(database, notes);
    copied = notes.length;
  }
}
