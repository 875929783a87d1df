// Group commit for initiations: whatever arrives while one transaction commits goes into the next, of all kinds.
import { createBatcher } from '../store/batch.ts';
import type { Engine } from '../core/engine.ts';
import { initiate, type InitiationAnswer } from '../core/initiate.ts';
import type { InitiationOrder } from '../core/order.ts';

/** Brings the orders of one request to the core, together with those of other requests that come at the same time. */
export type Initiator = (orders: readonly InitiationOrder[]) => Promise<readonly InitiationAnswer[]>;

export function createInitiator(engine: Engine): Initiator {
  return createBatcher<readonly InitiationOrder[], readonly InitiationAnswer[]>(async (requests) => {
    const answers = await initiate(engine, requests.flat());
    let taken = 0;
    return requests.map((orders) => answers.slice(taken, (taken += orders.length)));
  });
}
