// Moves a merchant into another cell. Its history is copied while it is served, and compared; then it is locked for a
// moment, the rest is copied and compared, and one statement in the old cell decides. Each step leaves a trace, so that
// a mover that died is simply run again. docs/decisions/0015-moving-a-merchant.md says why nothing can be lost or sent
// twice.
import { addMs } from '../../../domain/time.ts';
import type { Actor } from '../../audit.ts';
import { findDifferentTimes } from '../../operators/compare-times.ts';
import { openConflictCases } from '../../payments/process/open-conflicts.ts';
import { begin, type NotBegun } from './begin-move.ts';
import { clearOut } from './clear-out.ts';
import { copyHistory, copyNoted } from './copy-history.ts';
import { copyNotedPieces, copyPieces, verifyPieces } from './copy-pieces.ts';
import { TimeAhead } from './copy-rest.ts';
import type { MoveCells, MoveWatch } from './copy-payments.ts';
import { crossOver, type Crossed } from './cross-over.ts';
import { openToMerchant } from './open-to-merchant.ts';
import { verifyHistory } from './verify-history.ts';

export type MoveOrder = Actor & MoveWatch & { readonly merchantId: string; readonly home: string };

export type MoveAnswer =
  | { readonly type: 'MOVED' }
  | NotBegun
  /**
   * TOO_SLOW: the rest could not be copied in the time that a merchant may be kept waiting. DIFFERENT: a row is not the
   * same in both cells. The merchant is served as before.
   */
  | Exclude<Crossed, { readonly type: 'LEFT' }>
  /** By its signal, between two steps. Run again, it goes on. */
  | { readonly type: 'STOPPED' };

export async function moveMerchant(cells: MoveCells, order: MoveOrder): Promise<MoveAnswer> {
  try {
    return await move(cells, order);
  } catch (error) {
    if (order.signal?.aborted === true && error === order.signal.reason) return { type: 'STOPPED' };
    const [here, there] = [cells.from.store.database, cells.to.store.database];
    const times = error instanceof TimeAhead ? await findDifferentTimes(here, there) : null;
    if (times !== null) return times;
    throw error;
  }
}

/** More than there ever are. */
const CONFLICTS_MAX = 1_000;

const BLOCKED_MARGIN_MS = 10 * 60_000;

async function move(cells: MoveCells, order: MoveOrder): Promise<MoveAnswer> {
  const { from, to } = cells;
  const { merchantId, onProgress } = order;
  // What was blocked before may be committed later, and by the clock of another cell.
  const blockedSince = addMs(await from.clock.timeOf(from.store.database), -BLOCKED_MARGIN_MS);
  const begun = await begin(cells, order);
  if (begun.type !== 'BEGUN') return begun;
  const { step } = begun;
  if (!begun.hasLeft) {
    onProgress(`is being copied to ${to.home}`);
    await copyHistory(cells, step, order);
    await copyPieces(cells, step, order);
    await copyNoted(cells, step, order);
    await copyNotedPieces(cells, step, order);
    const difference = (await verifyHistory(cells, step, order)) ?? (await verifyPieces(cells, step, order));
    if (difference !== null) return { type: 'DIFFERENT', ...difference };
    const crossed = await crossOver(cells, step, { ...order, blockedSince });
    if (crossed.type !== 'LEFT') return crossed;
  }
  const { home, by } = order;
  await openToMerchant(to, { merchantId, moveId: step.moveId, from: from.home, home, by });
  onProgress(`is now in cell ${to.home}`);
  // Should this fail, workers of the new cell do it.
  await openConflictCases(to, { countMax: CONFLICTS_MAX, onError: () => undefined }).catch(() => undefined);
  await clearOut(cells, merchantId, order);
  return { type: 'MOVED' };
}
