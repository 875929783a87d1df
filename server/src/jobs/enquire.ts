// Takes enquire jobs, asks operators what became of the payments and brings the answers to the door.
import { confirm } from '../core/confirm.ts';
import type { Engine } from '../core/engine.ts';
import { enquire, enquiryStep, sortEnquiries, type DueEnquiry } from '../core/enquire.ts';
import { inTransaction } from '../store/database.ts';
import type { Advancer } from './advancer.ts';
import type { HeldJob } from '../store/queue.ts';
import type { Background, Round } from './loop.ts';
import { send, type RoundOptions } from './submit.ts';
import { togetherOrAlone } from '../core/together-or-alone.ts';

export function createEnquireRound(engine: Engine, advancer: Advancer, options: RoundOptions) {
  const { database, queue } = engine.store;
  const sort = async (jobs: readonly HeldJob[]) => [await sortEnquiries(engine, jobs)];
  return async (background: Background): Promise<Round> => {
    const free = Math.min(options.batchMax, options.inFlightMax - background.count());
    if (free <= 0) return 'IDLE';
    const jobs = await queue.fetch('enquire', free);
    if (jobs.length === 0) return 'IDLE';
    for (const { due, stale } of await togetherOrAlone(jobs, sort, options.onError)) {
      if (stale.length > 0) await inTransaction(database, (tx) => queue.settle(tx, stale));
      for (const enquiry of due) background.run(() => ask(engine, advancer, enquiry));
    }
    return 'MORE';
  };
}

async function ask(engine: Engine, advancer: Advancer, enquiry: DueEnquiry): Promise<void> {
  const since = performance.now();
  const { payment: key } = enquiry;
  const { advances, resubmits } = await enquire(engine, enquiry);
  const told = advances.map((one) => ({ ...one, mustBeConfirmed: true }));
  const [claim] = await advancer(told);
  if (told[0] !== undefined) await confirm(engine, told[0], claim, 'BELIEVE');
  const attributes = { state: key.state };
  engine.tracer.record({ key, name: 'enquire', as: enquiryStep(key), since, attributes });
  if (!resubmits || claim?.type !== 'MOVE' || claim.attempt === null) return;
  await send(engine, advancer, { payment: claim.payment, attempt: claim.attempt });
}
