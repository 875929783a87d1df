// Copies a merchant's event feed. Behind the migration lock nothing more happens to the merchant: what waits is
// numbered in the old cell, and the new cell goes on from its last number.
import type { Difference } from '../../../store/cells/moving/compare-rows.ts';
import { copyEventPage, measureEvents } from '../../../store/cells/moving/copy-events.ts';
import { requireArriving, type MoveStep } from '../../../store/cells/moving/steps.ts';
import { inTransaction } from '../../../store/database.ts';
import { numberAllEvents } from '../../event-numbers/number-events.ts';
import type { MoveCells } from './copy-payments.ts';

/** Answers how the copy differs; while the merchant is served it may. */
export async function copyEvents({ from, to }: MoveCells, step: MoveStep): Promise<readonly Difference[]> {
  const { merchantId } = step;
  await numberAllEvents(from);
  let isMore = true;
  while (isMore) {
    isMore = await inTransaction(to.store.database, async (tx) => {
      await requireArriving(tx, step);
      return copyEventPage({ from: from.store.database, to: tx }, merchantId);
    });
  }
  const [old, copied] = await Promise.all(
    [from, to].map(({ store }) => measureEvents(store.database, merchantId)),
  );
  return old === copied ? [] : [{ table: 'merchant_events', row: `${old}; in the copy ${copied}` }];
}
