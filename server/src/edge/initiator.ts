// Group commit for initiations: whatever arrives while one transaction commits goes into the next, of all kinds.
import { createListBatcher } from '../store/batch.ts';
import type { Engine } from '../core/engine.ts';
import { MerchantInOtherCell } from '../core/cells/lock-merchant.ts';
import { initiate, type InitiationAnswer, type NotHere } from '../core/payments/accept/initiate.ts';
import type { InitiationOrder } from '../core/payments/payment-request.ts';
import { orUnavailable, unavailable } from './request-failure.ts';

/**
 * Brings the orders of one request to the core, together with those of other requests that come at the same time.
 * Throws MerchantInOtherCell where the merchant is not, or no longer, in this cell, and rejects what comes while too
 * much waits already: anyone who is told so at once can come again, and anyone who is let in is answered in time.
 */
export type Initiator = (orders: readonly InitiationOrder[]) => Promise<readonly InitiationAnswer[]>;

export function createInitiator(engine: Engine): Initiator {
  const inBatches = createListBatcher((orders: readonly InitiationOrder[]) => initiate(engine, orders));
  let waiting = 0;
  return async (orders) => {
    if (waiting >= engine.ordersWaitingMax) throw unavailable();
    for (const order of orders) requireRoom(engine, order);
    waiting += orders.length;
    try {
      return answersHere(orders, await orUnavailable(() => inBatches(orders)));
    } finally {
      waiting -= orders.length;
    }
  };
}

/** Throws where orders for this provider wait too long already. A refund finds its provider only in its transaction. */
export function requireRoom(
  { backlog }: Engine,
  { kind, provider }: Pick<InitiationOrder, 'kind'> & { readonly provider?: string },
): void {
  if (provider !== undefined && backlog.sheds(provider, kind)) throw unavailable();
}

/** A request of which nothing was written can go to another cell as a whole; of any other the rest is unknown. */
function answersHere(
  orders: readonly InitiationOrder[],
  answers: readonly (InitiationAnswer | NotHere)[],
): readonly InitiationAnswer[] {
  const [first] = orders;
  if (first !== undefined && answers.every(({ type }) => type === 'OTHER_CELL')) {
    throw new MerchantInOtherCell(first.merchant.merchantId);
  }
  return answers.map((answer) => (answer.type === 'OTHER_CELL' ? { type: 'UNKNOWN' } : answer));
}
