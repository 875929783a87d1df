// Clears the old cell of a merchant that has moved, page by page, each only after everything of it was seen in the new
// cell. What has to be forwarded is still known by its tokens and attempts.
import { inTransaction } from '../../../store/database.ts';
import { deleteMerchantFacts, deletePayments, measurePayments } from '../../../store/cells/moving/clear.ts';
import { DELIVERIES } from '../../../store/cells/moving/copied-tables.ts';
import { copyRows, type CopiedOf } from '../../../store/cells/moving/copy-rows.ts';
import { listKeysAfter } from '../../../store/cells/moving/steps.ts';
import { deleteSearchEntries } from '../../../store/payments/payment-search.ts';
import { searchEntriesOf, type MoveCells } from './copy-payments.ts';

const PAGE = 500;

export async function clearOut(
  cells: MoveCells,
  merchantId: string,
  onProgress: (text: string) => void,
): Promise<void> {
  const { database } = cells.from.store;
  let cleared = 0;
  for (;;) {
    const keys = await listKeysAfter(database, { merchantId, after: null, countMax: PAGE });
    if (keys.length === 0) break;
    await copyLastDeliveries(cells, { merchantId, keys });
    await requireArrived(cells, { merchantId, keys });
    await inTransaction(database, async (tx) => {
      const entries = await searchEntriesOf(cells.from, tx, keys);
      await deleteSearchEntries(tx, cells.from.store.keyring, entries);
      await deletePayments(tx, { merchantId, keys });
    });
    cleared += keys.length;
  }
  await inTransaction(database, (tx) => deleteMerchantFacts(tx, merchantId));
  onProgress(`cleared ${cleared} payments out of ${cells.from.home}`);
}

/** What was in progress to the merchant when it left was written down here, and not noted by anybody. */
async function copyLastDeliveries({ from, to, shapes }: MoveCells, of: CopiedOf): Promise<void> {
  const tools = { from: from.store.database, to: to.store.database, shapes };
  await copyRows(tools, [DELIVERIES], of);
}

/** In the new cell there can be more by now, and never less. */
async function requireArrived({ from, to }: MoveCells, of: CopiedOf): Promise<void> {
  const old = await measurePayments(from.store.database, of);
  const fresh = await measurePayments(to.store.database, of);
  for (const [name, measure] of old) {
    if (Number(fresh.get(name) ?? '0') < Number(measure)) {
      throw new Error(
        `${name}: ${measure} in ${from.home}, ${fresh.get(name) ?? 0} in ${to.home}; nothing is deleted`,
      );
    }
  }
}
