// Repairs what a crash, a lost job or a lost notification left behind: every non-final payment has a next step, and
// every next step has a wake-up. Nothing here decides about money; it only makes somebody look.
import { inTransaction } from '../store/database.ts';
import { listOverdueSteps } from '../store/payments.ts';
import type { WakeUp } from '../store/queue.ts';
import type { Engine } from './engine.ts';
import { applyForgottenNotifications } from './notify.ts';
import { later } from './schedule.ts';

export type SweepOptions = {
  /** How long a step may be overdue before its wake-up is looked for. A busy worker is not a lost job. */
  readonly overdueAfterMs: number;
  readonly countMax: number;
};

export async function sweep(engine: Engine, options: SweepOptions): Promise<void> {
  const before = later(engine.clock.now(), -options.overdueAfterMs);
  const wakeUps = await restoreWakeUps(engine, { before, countMax: options.countMax });
  const notifications = await applyForgottenNotifications(engine, { before, countMax: options.countMax });
  if (wakeUps > 0) engine.wake();
  engine.observer.repaired('wake-up', wakeUps);
  engine.observer.repaired('notification', notifications);
}

/** A wake-up has one identifier for ever, so inserting one that is still there does nothing. */
async function restoreWakeUps(
  engine: Engine,
  options: { readonly before: Date; readonly countMax: number },
): Promise<number> {
  const { database, queue } = engine.store;
  const steps = await listOverdueSteps(database, options);
  const wakeUpsOf = (action: 'SUBMIT' | 'ENQUIRE'): readonly WakeUp[] =>
    steps
      .filter(({ nextAction }) => nextAction === action)
      .map(({ key, eventNo, nextActionAt }) => ({ key, eventNo, at: nextActionAt }));
  return inTransaction(database, async (tx) => {
    const submits = await queue.insertMissing(tx, 'submit', wakeUpsOf('SUBMIT'));
    const enquiries = await queue.insertMissing(tx, 'enquire', wakeUpsOf('ENQUIRE'));
    return submits + enquiries;
  });
}
