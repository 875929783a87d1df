// Behind the fence: what a merchant has besides its payments, and deliveries, which nobody notes.
import { inTransaction } from '../../store/database.ts';
import { MERCHANT_TABLES } from '../../store/moving/copied-tables.ts';
import { copyRows } from '../../store/moving/copy-rows.ts';
import { copyLanes, listPendingCallbacks } from '../../store/moving/steps.ts';
import { copyPayments, type MoveCells } from './copy-payments.ts';

export async function copyRest(cells: MoveCells, merchantId: string): Promise<void> {
  const { from, to, shapes } = cells;
  await copyDeliveries(cells, merchantId);
  await inTransaction(to.store.database, async (tx) => {
    const tools = { from: from.store.database, to: tx, shapes };
    for (const { isRewritten, ...table } of MERCHANT_TABLES) {
      if (isRewritten === true)
        await tx.query(`delete from ${table.table} where merchant_id = $1`, [merchantId]);
      await copyRows(tools, table, { merchantId, keys: [] });
    }
    await copyLanes(tools, merchantId);
  });
}

/** A callback that waits in the copy and not in the original was delivered or tried since it was copied. */
async function copyDeliveries(cells: MoveCells, merchantId: string): Promise<void> {
  const { from, to } = cells;
  const original = await listPendingCallbacks(from.store.database, merchantId);
  const copy = await listPendingCallbacks(to.store.database, merchantId);
  const unchanged = new Map(original.map(({ callbackId, attemptCount }) => [callbackId, attemptCount]));
  const changed = copy.filter(({ callbackId, attemptCount }) => unchanged.get(callbackId) !== attemptCount);
  if (changed.length === 0) return;
  await copyPayments(
    cells,
    merchantId,
    changed.map(({ key }) => key),
  );
}
