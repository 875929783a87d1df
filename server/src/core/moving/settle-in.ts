// The last step of a move, in the new cell: its wake-ups are made, its lanes opened, and the merchant is served.
import { inTransaction } from '../../store/database.ts';
import { keepMoves, type MerchantMove } from '../../store/merchant-moves.ts';
import { arrive, listOpenSteps, type MoveStep, type OpenStep } from '../../store/moving/steps.ts';
import { record, type ByHand } from '../audit.ts';
import type { Engine } from '../engine.ts';

/** Doing it twice is harmless: the second time the merchant is there. */
export async function settleIn(
  to: Engine,
  order: Pick<MoveStep, 'merchantId' | 'moveId'> &
    ByHand & { readonly from: string; readonly move: MerchantMove },
): Promise<void> {
  const { merchantId, moveId, from, by, move } = order;
  const { database, queue } = to.store;
  await inTransaction(database, async (tx) => {
    await keepMoves(tx, [move]);
    if (!(await arrive(tx, order, to.clock.now()))) return;
    const steps = await listOpenSteps(tx, merchantId);
    await queue.insertMissing(tx, 'submit', wakeUpsOf(steps, 'SUBMIT'));
    await queue.insertMissing(tx, 'enquire', wakeUpsOf(steps, 'ENQUIRE'));
    const detail = { from, to: to.home, moveId };
    await record(to, tx, [{ by, act: 'MERCHANT_MOVED', merchantId, subject: merchantId, detail }]);
  });
  to.wake();
}

function wakeUpsOf(steps: readonly OpenStep[], action: OpenStep['nextAction']) {
  return steps
    .filter(({ nextAction }) => nextAction === action)
    .map(({ key, eventNo, at }) => ({ key, eventNo, at }));
}
