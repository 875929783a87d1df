// Clears the old cell of a merchant that has moved, page by page, each only after everything of it was seen in the new
// cell. What has to be forwarded is still known by its tokens and attempts.
import { inTransaction } from '../../../store/database.ts';
import { clearSomePieces, deleteMerchantFacts, deletePayments } from '../../../store/cells/moving/clear.ts';
import { findMissing } from '../../../store/cells/moving/compare-rows.ts';
import { CLEARED_TABLES, DELIVERIES, lastingColumns } from '../../../store/cells/moving/copied-tables.ts';
import { copyRows, readByKeys, findByKeys, type CopiedOf } from '../../../store/cells/moving/copy-rows.ts';
import { estimateKeysAfter, listKeysAfter } from '../../../store/cells/moving/steps.ts';
import { deleteSearchEntries } from '../../../store/payments/payment-search.ts';
import type { Engine } from '../../engine.ts';
import { PAGE } from './copy-history.ts';
import { searchEntriesOf, type MoveCells, type MoveWatch } from './copy-payments.ts';
import { createPace } from './pace.ts';

export async function clearOut(cells: MoveCells, merchantId: string, watch: MoveWatch): Promise<void> {
  await clearCell(cells.from, merchantId, {
    ...watch,
    beforePage: async (of) => {
      await copyLastDeliveries(cells, of);
      await requireArrived(cells, of);
    },
  });
}

/** PostgreSQL allows it only where the merchant is AWAY. */
export async function clearCell(
  { store, home }: Engine,
  merchantId: string,
  { beforePage, ...watch }: MoveWatch & { readonly beforePage: (of: CopiedOf) => Promise<void> },
): Promise<void> {
  const { database, keyring } = store;
  const total = await estimateKeysAfter(database, { merchantId, after: null });
  const pace = createPace(watch, { what: 'cleared', total });
  for (;;) {
    watch.signal?.throwIfAborted();
    const keys = await listKeysAfter(database, { merchantId, after: null, countMax: PAGE });
    if (keys.length === 0) break;
    await beforePage({ merchantId, keys });
    await inTransaction(database, async (tx) => {
      await findByKeys(tx);
      const entries = await searchEntriesOf({ store }, tx, keys);
      await deleteSearchEntries(tx, keyring, entries);
      await deletePayments(tx, { merchantId, keys });
    });
    pace.add({ payments: keys.length, rows: 0 });
  }
  let isMore = true;
  while (isMore) {
    watch.signal?.throwIfAborted();
    isMore = await inTransaction(database, (tx) => clearSomePieces(tx, merchantId));
  }
  await inTransaction(database, (tx) => deleteMerchantFacts(tx, merchantId));
  pace.end(` out of ${home}`);
}

/** What was in progress to the merchant when it left was recorded here, and not noted by anybody. */
async function copyLastDeliveries({ from, to, shapes }: MoveCells, of: CopiedOf): Promise<void> {
  const tools = { from: from.store.database, to: to.store.database, shapes };
  await copyRows(tools, [DELIVERIES], of);
}

/** In the new cell there can be more by now, and never less; what can still change may have. */
async function requireArrived({ from, to, shapes }: MoveCells, of: CopiedOf): Promise<void> {
  await inTransaction(from.store.database, async (tx) => {
    await readByKeys(tx);
    const tools = { from: tx, to: to.store.database, shapes };
    // Identifiers are there with their payments. Those of a split's payouts can be free again in the new cell, and
    // counters of limits are deleted there when their window is long over.
    const lasting = CLEARED_TABLES.filter(
      ({ table }) => table !== 'payment_keys' && table !== 'limit_counters',
    );
    for (const copy of lasting) {
      const row = await findMissing(tools, copy, of, lastingColumns(copy.table, shapes));
      if (row !== null) throw new Error(`${copy.table}: ${row} is not in ${to.home}; nothing is deleted`);
    }
  });
}
