// Takes submit jobs, claims their payments, sends what it may and brings the outcomes to the door.
import { claimSubmits, sendClaimed, submitStep, type Claimed } from '../core/submit.ts';
import { confirm } from '../core/confirm.ts';
import type { Engine } from '../core/engine.ts';
import type { Advancer } from './advancer.ts';
import type { HeldJob } from '../store/queue.ts';
import type { Background, Round } from './loop.ts';
import { togetherOrAlone } from '../core/together-or-alone.ts';

export type RoundOptions = {
  readonly batchMax: number;
  readonly inFlightMax: number;
  readonly onError: (error: unknown) => void;
};

export function createSubmitRound(engine: Engine, advancer: Advancer, options: RoundOptions) {
  return async (background: Background): Promise<Round> => {
    const free = Math.min(options.batchMax, options.inFlightMax - background.count());
    if (free <= 0) return 'IDLE';
    const jobs = await engine.store.queue.fetch('submit', free);
    if (jobs.length === 0) return 'IDLE';
    // A row that throws alone waits for its job to expire.
    const claim = (some: readonly HeldJob[]) => claimSubmits(engine, some);
    for (const claimed of await togetherOrAlone(jobs, claim, options.onError)) {
      background.run(() => send(engine, advancer, claimed));
    }
    return 'MORE';
  };
}

export async function send(engine: Engine, advancer: Advancer, claimed: Claimed): Promise<void> {
  const since = performance.now();
  const { payment, attempt } = claimed;
  const answer = { ...(await sendClaimed(engine, claimed)), mustBeConfirmed: true };
  const [advanced] = await advancer([answer]);
  await confirm(engine, answer, advanced, 'BELIEVE');
  const attributes = { attempt: attempt.sendCount };
  engine.tracer.record({ key: payment, name: 'submit', as: submitStep(attempt), since, attributes });
}
