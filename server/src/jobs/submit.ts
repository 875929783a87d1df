// Claims payments that wait to be sent, sends what it may and brings the outcomes to the single write path.
import { aboutPayment } from '../core/payment-log.ts';
import {
  claimSubmits,
  claimSubmitsAlone,
  sendClaimed,
  submitStep,
  type Claimed,
} from '../core/payments/process/submit.ts';
import { verifyContradiction } from '../core/payments/process/verify-contradiction.ts';
import type { Engine } from '../core/engine.ts';
import { holdSubmits } from '../core/recovery/recover.ts';
import { createSubmitBudget } from '../core/payments/process/submit-budget.ts';
import type { ProviderOperation } from '../store/operators/availability.ts';
import { DueFloors } from '../store/payments/due-floors.ts';
import type { StoredPayment } from '../store/payments/payments.ts';
import type { Advancer } from './advancer.ts';
import type { Background, Round } from './loop.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

export type RoundOptions = {
  readonly batchMax: number;
  /** As many payments at operators at once. */
  readonly inFlightMax: number;
  /** How long a step that was taken, or that failed, is left alone before it is due again. */
  readonly leaseMs: number;
};

export function createSubmitRound(engine: Engine, advancer: Advancer, options: RoundOptions) {
  const { batchMax, inFlightMax, leaseMs: postponeMs } = options;
  const slots = new ConcurrencyLimiter(inFlightMax);
  const budget = createSubmitBudget(engine);
  const floors = new DueFloors();
  return async (background: Background): Promise<Round> => {
    const { onError } = background;
    const countMax = Math.min(batchMax, slots.free);
    if (countMax <= 0) return 'IDLE';
    if (!(await engine.clockCheck.agrees(engine.store.database))) return 'IDLE';
    const held = await holdSubmits(engine, { countMax, onError });
    if (held !== 'FREE') return held === 'ASKING' ? 'MORE' : 'IDLE';
    const except = [...slots.full(), ...budget.exhausted()];
    const wanted = { countMax, except, floors, allow: budget.allow };
    const { count, claimed } = await claimSubmits(engine, wanted).catch(() =>
      claimSubmitsAlone(engine, { ...wanted, postponeMs, onError }),
    );
    for (const one of claimed) {
      const slotAt = budget.take(one.payment);
      const sendNow = () => aboutPayment(one.payment, () => send(engine, advancer, { ...one, slotAt }));
      background.run(() => slots.hold(operationOf(one.payment), sendNow));
    }
    return count > 0 ? 'MORE' : 'IDLE';
  };
}

/** Whose concurrency slot a payment takes. */
export function operationOf({ provider, kind: operation }: StoredPayment): ProviderOperation {
  return { provider, operation };
}

export async function send(engine: Engine, advancer: Advancer, claimed: Claimed): Promise<void> {
  const since = performance.now();
  const { payment, attempt } = claimed;
  const answer = { ...(await sendClaimed(engine, claimed)), mustBeVerified: true };
  const [advanced] = await advancer([answer]);
  await verifyContradiction(engine, answer, advanced, 'BELIEVE');
  const attributes = { attempt: attempt.sendCount };
  engine.tracer.record({ key: payment, name: 'submit', as: submitStep(attempt), since, attributes });
}
