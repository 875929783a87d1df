// After the faults: nothing goes wrong any more, the clock is moved forward, and open payments may end.
import { setTimeout as sleep } from 'node:timers/promises';
import { nowOf } from '../../server/test/clocks.ts';
import { readOperatorBooks } from '../kit/verdict/operator-books.ts';
import { calm, comeToRest, letTimePass, repeatLostMessages, type Rest } from '../kit/settle.ts';
import { VERY_LATE_MS } from './faults.ts';
import type { Setup } from './setup.ts';

/** In real time: the clock must not move during a call, or "not found" would not be evidence. */
const CALLS_END_MS = 60_000;
const STEP_MS = 60_000;
/** How far the clock is moved: very late results have arrived, and have been asked for. */
const AHEAD_MS = VERY_LATE_MS + 20 * 60_000;

/**
 * `isRight`: whether the verdict finds nothing. Repeated until it does, or the time is over. Returns how many results
 * no gateway could know, and were repeated by their operators.
 */
export async function settleOperators(
  setup: Setup,
  {
    isRight,
    patienceMs,
    say,
  }: Pick<Rest, 'patienceMs' | 'say'> & { readonly isRight: () => Promise<boolean> },
): Promise<number> {
  const { engine, movableClock } = setup.gateway;
  const databases = [engine.store.database];
  await calm(setup.operatorUrls);
  await comeToRest(databases, { patienceMs: CALLS_END_MS, say, meanwhile: async () => undefined });
  for (let aheadMs = 0; aheadMs < AHEAD_MS; aheadMs += STEP_MS) {
    await movableClock?.move(STEP_MS);
    await sleep(100);
  }
  let repeatedMessages = 0;
  const meanwhile = async () => {
    await letTimePass(engine.store.database, nowOf(engine));
    await movableClock?.move(STEP_MS);
    await sleep(750);
  };
  const isAll = async () => {
    if (hasPlans(setup)) return false;
    repeatedMessages += await repeatLostMessages(engine, setup);
    return isRight();
  };
  await comeToRest(databases, { patienceMs, say, meanwhile, isAll });
  return repeatedMessages;
}

/** Whether an operator still has to end something. */
function hasPlans({ scratch, operatorUrls }: Setup): boolean {
  return readOperatorBooks(scratch, [...operatorUrls.keys()]).some(
    ({ status, plan }) => status === 'PENDING' && plan.status !== 'PENDING',
  );
}
