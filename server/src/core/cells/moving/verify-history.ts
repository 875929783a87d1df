// Before the merchant is locked: every payment that has no note is compared in both cells. What has a note is copied,
// and compared, behind the migration lock.
import { paymentKeyText, type OperationKey } from '../../../domain/payments/payment.ts';
import { noteChanges } from '../../../store/cells/migration-locks.ts';
import { listUnknownKeys } from '../../../store/cells/moving/clear.ts';
import {
  listDelivered,
  listDifferences,
  writeAlike,
  type Difference,
} from '../../../store/cells/moving/compare-rows.ts';
import { NOTED_TABLES } from '../../../store/cells/moving/copied-tables.ts';
import { readByKeys } from '../../../store/cells/moving/copy-rows.ts';
import { listNoted } from '../../../store/cells/moving/notes.ts';
import {
  estimateKeysAfter,
  listKeysAfter,
  requireArriving,
  type MoveStep,
} from '../../../store/cells/moving/steps.ts';
import { inTransaction } from '../../../store/database.ts';
import { PAGE } from './copy-history.ts';
import type { MoveCells, MoveWatch } from './copy-payments.ts';
import { createPace } from './pace.ts';

export async function verifyHistory(
  cells: MoveCells,
  step: MoveStep,
  watch: MoveWatch,
): Promise<Difference | null> {
  const { database } = cells.from.store;
  let after: OperationKey | null = null;
  const total = await estimateKeysAfter(database, { merchantId: step.merchantId, after });
  const pace = createPace(watch, { what: 'compared', total });
  for (;;) {
    watch.signal?.throwIfAborted();
    const keys: readonly OperationKey[] = await listKeysAfter(database, {
      merchantId: step.merchantId,
      after,
      countMax: PAGE,
    });
    const last = keys.at(-1);
    if (last === undefined) break;
    const { difference, delivered } = await comparePage(cells, step, keys);
    if (difference !== null) return difference;
    // Deliveries are not noted: these are copied again.
    await noteChanges(database, delivered);
    after = last;
    pace.add({ payments: keys.length, rows: 0 });
  }
  const unknown = await findUnknown(cells, step, watch);
  if (unknown !== null) return unknown;
  pace.end(' of both cells');
  return null;
}

type Page = { readonly difference: Difference | null; readonly delivered: readonly OperationKey[] };

/**
 * The new cell's migration lock is held first, so that no mover copies meanwhile; then one look at the old cell shows a
 * change together with its note.
 */
function comparePage(cells: MoveCells, step: MoveStep, keys: readonly OperationKey[]): Promise<Page> {
  return inTransaction(cells.to.store.database, async (to) => {
    await requireArriving(to, step);
    await writeAlike(to);
    return inTransaction(cells.from.store.database, async (from) => {
      await readByKeys(from);
      await writeAlike(from);
      const noted = new Set((await listNoted(from, keys)).map(paymentKeyText));
      const tools = { from, to, shapes: cells.shapes };
      const of = { merchantId: step.merchantId, keys: keys.filter((key) => !noted.has(paymentKeyText(key))) };
      const [difference = null] = await listDifferences(tools, NOTED_TABLES, of);
      return { difference, delivered: await listDelivered(tools, of) };
    });
  });
}

/** A payment that only the new cell has. One that is free again since it was copied has a note. */
async function findUnknown(
  { from, to }: MoveCells,
  step: MoveStep,
  watch: MoveWatch,
): Promise<Difference | null> {
  const { merchantId } = step;
  const here = from.store.database;
  let after: OperationKey | null = null;
  for (;;) {
    watch.signal?.throwIfAborted();
    const page: { last?: OperationKey | undefined; unknown?: OperationKey | undefined } = await inTransaction(
      to.store.database,
      async (tx) => {
        await requireArriving(tx, step);
        const keys = await listKeysAfter(tx, { merchantId, after, countMax: PAGE });
        const missing = await listUnknownKeys(here, { merchantId, keys });
        const noted = new Set((await listNoted(here, missing)).map(paymentKeyText));
        return { last: keys.at(-1), unknown: missing.find((key) => !noted.has(paymentKeyText(key))) };
      },
    );
    if (page.unknown !== undefined) {
      const { kind, paymentId } = page.unknown;
      return { table: 'payment_keys', row: `${kind} ${paymentId} is only in ${to.home}` };
    }
    if (page.last === undefined) return null;
    after = page.last;
  }
}
