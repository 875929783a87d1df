// Takes a move back that is not decided: the merchant stays where it is, and what was copied is deleted. Run it again
// if it was interrupted.
import { findMigrationLock, type MigrationLock } from '../../../store/cells/migration-locks.ts';
import { endAborting, endArriving, endCopying } from '../../../store/cells/moving/steps.ts';
import { inTransaction } from '../../../store/database.ts';
import { record, type Actor } from '../../audit.ts';
import { alone } from '../lock-merchant-alone.ts';
import { clearCell } from './clear-out.ts';
import type { MoveCells, MoveWatch } from './copy-payments.ts';

export type AbortOrder = Actor & MoveWatch & { readonly merchantId: string };

export type AbortAnswer =
  | { readonly type: 'ABORTED' }
  /** The old cell has released the merchant: it is moved back instead. */
  | { readonly type: 'DECIDED'; readonly cell: string }
  /** It is on its way between other cells. */
  | { readonly type: 'OTHER_CELL'; readonly cell: string }
  /** No such move was begun. */
  | { readonly type: 'NOTHING' };

type Pair = Pick<MoveCells, 'from' | 'to'>;

/**
 * What arrives in the new cell is looked at first: its move was begun in the old cell before. Once the old cell has no
 * migration lock of it any more it can never be decided, and only then is its copy deleted.
 */
export async function abortMove(cells: Pair, order: AbortOrder): Promise<AbortAnswer> {
  const { from, to } = cells;
  const { merchantId } = order;
  const there = await findMigrationLock(to.store.database, merchantId);
  const here = await findMigrationLock(from.store.database, merchantId);
  if (here !== null) {
    const inTheWay = await endInOldCell(cells, here, order);
    if (inTheWay !== null) return inTheWay;
  }
  const isOurs = there?.otherCell === from.home && (there.state === 'ARRIVING' || there.isCopy);
  if (!isOurs) return { type: here === null ? 'NOTHING' : 'ABORTED' };
  await inTransaction(to.store.database, (tx) => endArriving(tx, there));
  const isCopy = (await findMigrationLock(to.store.database, merchantId))?.isCopy;
  if (isCopy === true) await clearCell(to, merchantId, { ...order, beforePage: async () => undefined });
  await inTransaction(to.store.database, (tx) => endAborting(tx, merchantId));
  return { type: 'ABORTED' };
}

async function endInOldCell(
  { from, to }: Pair,
  { merchantId, moveId, state, otherCell }: MigrationLock,
  { by }: AbortOrder,
): Promise<AbortAnswer | null> {
  if (state === 'AWAY') return { type: 'DECIDED', cell: otherCell };
  if (state === 'ARRIVING' || otherCell !== to.home) return { type: 'OTHER_CELL', cell: otherCell };
  const isEnded = await alone(() =>
    inTransaction(from.store.database, async (tx) => {
      if (!(await endCopying(tx, { merchantId, moveId }))) return false;
      const detail = { from: from.home, to: to.home, moveId };
      await record(from, tx, [{ by, act: 'MERCHANT_MOVE_ABORTED', merchantId, subject: merchantId, detail }]);
      return true;
    }),
  );
  // Decided in the meantime.
  return isEnded ? null : { type: 'DECIDED', cell: otherCell };
}
