// Claims payments that wait to be sent, sends what it may and brings the outcomes to the door.
import { claimSubmits, claimSubmitsAlone, sendClaimed, submitStep, type Claimed } from '../core/submit.ts';
import { confirm } from '../core/confirm.ts';
import type { Engine } from '../core/engine.ts';
import { holdSubmits } from '../core/recover.ts';
import type { Advancer } from './advancer.ts';
import type { Background, Round } from './loop.ts';

export type RoundOptions = {
  readonly batchMax: number;
  readonly inFlightMax: number;
  /** How long a step that was taken, or that failed, is left alone before it is due again. */
  readonly leaseMs: number;
  readonly onError: (error: unknown) => void;
};

export function createSubmitRound(engine: Engine, advancer: Advancer, options: RoundOptions) {
  const { batchMax, inFlightMax, leaseMs: postponeMs, onError } = options;
  return async (background: Background): Promise<Round> => {
    const countMax = Math.min(batchMax, inFlightMax - background.count());
    if (countMax <= 0) return 'IDLE';
    const held = await holdSubmits(engine, { countMax, onError });
    if (held !== 'FREE') return held === 'ASKING' ? 'MORE' : 'IDLE';
    const { count, claimed } = await claimSubmits(engine, countMax).catch(() =>
      claimSubmitsAlone(engine, { countMax, postponeMs, onError }),
    );
    for (const one of claimed) background.run(() => send(engine, advancer, one));
    return count > 0 ? 'MORE' : 'IDLE';
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
