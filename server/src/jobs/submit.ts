// Takes submit jobs, claims their payments, sends what it may and brings the outcomes to the door.
import { claimSubmits, sendClaimed, type Claimed } from '../core/submit.ts';
import type { Engine } from '../core/engine.ts';
import type { Advancer } from './advancer.ts';
import type { Background, Round } from './loop.ts';

export type SubmitRoundOptions = { readonly batchMax: number; readonly inFlightMax: number };

export function createSubmitRound(engine: Engine, advancer: Advancer, options: SubmitRoundOptions) {
  return async (background: Background): Promise<Round> => {
    const free = Math.min(options.batchMax, options.inFlightMax - background.count());
    if (free <= 0) return 'IDLE';
    const jobs = await engine.store.queue.fetch('submit', free);
    if (jobs.length === 0) return 'IDLE';
    for (const claimed of await claimTogetherOrAlone(engine, jobs)) {
      background.run(() => send(engine, advancer, claimed));
    }
    return 'MORE';
  };
}

async function send(engine: Engine, advancer: Advancer, claimed: Claimed): Promise<void> {
  await advancer([await sendClaimed(engine, claimed)]);
}

/** If the batch throws, each row runs again alone; a row that throws alone waits for its job to expire. */
async function claimTogetherOrAlone(
  engine: Engine,
  jobs: Parameters<typeof claimSubmits>[1],
): Promise<readonly Claimed[]> {
  try {
    return await claimSubmits(engine, jobs);
  } catch (error) {
    if (jobs.length === 1) throw error;
    const alone = await Promise.allSettled(jobs.map((job) => claimSubmits(engine, [job])));
    return alone.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  }
}
