// Moves every merchant of a cell into another one, one after the other. Which are left is read from the database, so a
// drain that was interrupted is simply run again.
import { setTimeout as sleep } from 'node:timers/promises';
import { listMerchantsToMove } from '../../../store/cells/moving/merchants-to-move.ts';
import { CommitLost, isOutOfReach } from '../../../store/database.ts';
import { findMerchant } from '../../../store/merchants/merchants.ts';
import type { Actor } from '../../audit.ts';
import type { MoveCells, MoveWatch } from './copy-payments.ts';
import { moveMerchant, type MoveAnswer } from './move-merchant.ts';

export type DrainOrder = Actor & MoveWatch;

export type NotMoved = { readonly merchantId: string; readonly why: MoveAnswer | Error };

export type Drained = {
  readonly movedCount: number;
  readonly notMoved: readonly NotMoved[];
  readonly isStopped: boolean;
};

/** A database that fails over is back within this time. */
const OUT_OF_REACH_TRIES_MAX = 60;
const OUT_OF_REACH_WAIT_MS = 1_000;

export async function drainCell(cells: MoveCells, order: DrainOrder): Promise<Drained> {
  const tried = new Set<string>();
  const notMoved: NotMoved[] = [];
  let movedCount = 0;
  for (;;) {
    const waiting = (await whenReachable(() => listMerchantsToMove(cells.from.store.database))).filter(
      (merchantId) => !tried.has(merchantId),
    );
    const [merchantId] = waiting;
    if (order.signal?.aborted === true) return { movedCount, notMoved, isStopped: true };
    if (merchantId === undefined) return { movedCount, notMoved, isStopped: false };
    tried.add(merchantId);
    const place = `${tried.size} of ${tried.size + waiting.length - 1}`;
    const onProgress = (text: string) => order.onProgress(`${place}: ${merchantId} ${text}`);
    const answer = await moveOne(cells, { ...order, merchantId, onProgress });
    if (answer instanceof Error) notMoved.push({ merchantId, why: answer });
    else if (answer.type === 'MOVED') movedCount += 1;
    else if (answer.type !== 'STOPPED') notMoved.push({ merchantId, why: answer });
  }
}

/** One merchant that cannot be moved must not keep the others. */
async function moveOne(
  cells: MoveCells,
  order: DrainOrder & { readonly merchantId: string },
): Promise<MoveAnswer | Error> {
  try {
    return await whenReachable(async () => {
      const merchant = await findMerchant(cells.from.store.database, order.merchantId);
      if (merchant === null) throw new Error(`there is no merchant ${order.merchantId}`);
      return moveMerchant(cells, { ...order, home: merchant.home });
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Every step can be done again, also one whose outcome is unknown. */
async function whenReachable<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isPassing = isOutOfReach(error) || error instanceof CommitLost;
      if (!isPassing || tries === OUT_OF_REACH_TRIES_MAX) throw error;
      await sleep(OUT_OF_REACH_WAIT_MS);
    }
  }
}
