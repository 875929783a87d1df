// Takes payments whose enquiry is due, asks operators for the outcome of them and brings the answers to the single
// write path.
import { aboutPayment, reportAbout } from '../core/payment-log.ts';
import { verifyContradiction } from '../core/payments/process/verify-contradiction.ts';
import type { Engine } from '../core/engine.ts';
import {
  enquire,
  enquiryStep,
  readEnquiries,
  takeEnquiries,
  type DueEnquiry,
  type TakenStep,
} from '../core/payments/process/enquire.ts';
import { DueFloors } from '../store/payments/due-floors.ts';
import type { Advancer } from './advancer.ts';
import type { Background, Round } from './loop.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { operationOf, send, type RoundOptions } from './submit.ts';
import { togetherOrAlone } from '../core/together-or-alone.ts';

export function createEnquireRound(engine: Engine, advancer: Advancer, options: RoundOptions) {
  const { batchMax, inFlightMax, leaseMs } = options;
  const read = (steps: readonly TakenStep[]) => readEnquiries(engine, steps);
  const slots = new ConcurrencyLimiter(inFlightMax);
  const floors = new DueFloors();
  return async (background: Background): Promise<Round> => {
    const report = reportAbout(background.onError);
    const countMax = Math.min(batchMax, slots.free);
    if (countMax <= 0) return 'IDLE';
    const taken = await takeEnquiries(engine, { countMax, except: slots.full(), floors, leaseMs });
    for (const enquiry of await togetherOrAlone(taken, read, (error, step) => report(error, step?.key))) {
      const { payment } = enquiry;
      const askNow = () => aboutPayment(payment, () => ask(engine, advancer, enquiry));
      background.run(() => slots.hold(operationOf(payment), askNow));
    }
    return taken.length > 0 ? 'MORE' : 'IDLE';
  };
}

async function ask(engine: Engine, advancer: Advancer, enquiry: DueEnquiry): Promise<void> {
  const since = performance.now();
  const { payment: key } = enquiry;
  const { advances, resubmits } = await enquire(engine, enquiry);
  const reported = advances.map((one) => ({ ...one, mustBeVerified: true }));
  const [claim] = await advancer(reported);
  if (reported[0] !== undefined) await verifyContradiction(engine, reported[0], claim, 'BELIEVE');
  const attributes = { state: key.state };
  engine.tracer.record({ key, name: 'enquire', as: enquiryStep(key), since, attributes });
  if (!resubmits || claim?.type !== 'MOVE' || claim.attempt === null) return;
  await send(engine, advancer, { payment: claim.payment, attempt: claim.attempt });
}
