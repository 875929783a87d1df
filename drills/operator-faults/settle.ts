// After the faults: nothing goes wrong any more, the clock runs ahead, and whatever is open may come to its end.
import { setTimeout as sleep } from 'node:timers/promises';
import { readOperatorBooks } from '../kit/verdict/operator-books.ts';
import { calm, countOpen, letTimePass, repeatUnheard } from '../kit/settle.ts';
import { VERY_LATE_MS } from './faults.ts';
import type { OperatorsStage } from './setup.ts';

export type Settled = {
  /** Ends that no gateway could have learnt of, and which their operators told again. */
  readonly toldAgain: number;
};

/** In real time: the clock may not run ahead of a call that is in progress, or "not found" would be no proof. */
const CALLS_END_MS = 60_000;
const STEP_MS = 60_000;
/** How far the clock runs ahead: what is very late has come, and has been asked for. */
const AHEAD_MS = VERY_LATE_MS + 20 * 60_000;

/** `isRight`: whether the verdict finds nothing. It is asked again until it does not, or patience ends. */
export async function settleOperators(
  stage: OperatorsStage,
  options: {
    readonly isRight: () => Promise<boolean>;
    readonly patienceMs: number;
    readonly onProgress: (text: string) => void;
  },
): Promise<Settled> {
  const { engine, movableClock } = stage.gateway;
  const { database } = engine.store;
  await calm(stage.operatorUrls);
  await untilNothingIsOpen(stage, Date.now() + CALLS_END_MS);
  for (let aheadMs = 0; aheadMs < AHEAD_MS; aheadMs += STEP_MS) {
    await movableClock?.move(STEP_MS);
    await sleep(100);
  }
  const until = Date.now() + options.patienceMs;
  let toldAgain = 0;
  let told = 0;
  while (Date.now() < until) {
    await letTimePass(database, engine.clock.now());
    const open = await countOpen(database);
    if (open.payments + open.callbacks === 0 && !hasPlans(stage)) {
      toldAgain += await repeatUnheard(engine, stage);
      if (await options.isRight()) break;
    }
    if (Date.now() - told > 5_000) {
      told = Date.now();
      options.onProgress(`still open: ${open.payments} payments, ${open.callbacks} callbacks`);
    }
    await movableClock?.move(STEP_MS);
    await sleep(1_000);
  }
  return { toldAgain };
}

async function untilNothingIsOpen({ gateway }: OperatorsStage, untilMs: number): Promise<void> {
  while ((await countOpen(gateway.engine.store.database)).payments > 0 && Date.now() < untilMs) {
    await sleep(500);
  }
}

/** Whether an operator has yet to end something. */
function hasPlans({ scratch, operatorUrls }: OperatorsStage): boolean {
  return readOperatorBooks(scratch, [...operatorUrls.keys()]).some(
    ({ status, plan }) => status === 'PENDING' && plan.status !== 'PENDING',
  );
}
