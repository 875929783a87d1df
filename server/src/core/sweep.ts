// Repairs what a crash, a lost job or a lost notification left behind: every non-final payment has a next step, and
// every next step has a wake-up. Nothing here decides about money; it only makes somebody look.
import { inTransaction } from '../store/database.ts';
import { pruneTraffic } from '../store/operator-traffic.ts';
import { listOverdueSteps, type OverdueStep } from '../store/payments.ts';
import type { WakeUp } from '../store/queue.ts';
import type { Engine } from './engine.ts';
import { applyForgottenNotifications } from './notify.ts';
import { later } from './schedule.ts';

export type SweepOptions = {
  /** How long a step may be overdue before its wake-up is looked for. A busy worker is not a lost job. */
  readonly overdueAfterMs: number;
  readonly countMax: number;
  readonly onError: (error: unknown) => void;
};

/** As long as operators and merchants are known to come back with questions; what decides is kept with the payment. */
const TRAFFIC_KEPT_MS = 90 * 24 * 3_600_000;

/** A sweep that goes on where the last one stopped, so that steps nobody can run never hide those behind them. */
export class Sweep {
  readonly #engine: Engine;
  readonly #options: SweepOptions;
  #last: OverdueStep | null = null;

  constructor(engine: Engine, options: SweepOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  async run(): Promise<void> {
    const engine = this.#engine;
    const { overdueAfterMs, countMax, onError } = this.#options;
    const before = later(engine.clock.now(), -overdueAfterMs);
    const wakeUps = await this.#restoreWakeUps(before);
    const notifications = await applyForgottenNotifications(engine, { before, countMax, onError });
    await pruneTraffic(engine.store.database, later(engine.clock.now(), -TRAFFIC_KEPT_MS));
    if (wakeUps > 0) engine.wake();
    engine.observer.repaired('wake-up', wakeUps);
    engine.observer.repaired('notification', notifications);
  }

  /** A wake-up has one identifier for ever, so inserting one that is still there does nothing. */
  async #restoreWakeUps(before: Date): Promise<number> {
    const { database, queue } = this.#engine.store;
    const { countMax } = this.#options;
    const steps = await listOverdueSteps(database, { before, after: this.#last, countMax });
    this.#last = steps.length < countMax ? null : (steps.at(-1) ?? null);
    return inTransaction(database, async (tx) => {
      const submits = await queue.insertMissing(tx, 'submit', wakeUpsOf(steps, 'SUBMIT'));
      const enquiries = await queue.insertMissing(tx, 'enquire', wakeUpsOf(steps, 'ENQUIRE'));
      return submits + enquiries;
    });
  }
}

function wakeUpsOf(steps: readonly OverdueStep[], action: OverdueStep['nextAction']): readonly WakeUp[] {
  return steps
    .filter(({ nextAction }) => nextAction === action)
    .map(({ key, eventNo, nextActionAt }) => ({ key, eventNo, at: nextActionAt }));
}
