// Forgets what nobody needs any more, a little at a time. docs/operating/retention.md says what stays and why.
import { pruneTraffic } from '../store/operator-traffic.ts';
import { pruneCallbackAttempts, pruneNotifications } from '../store/retention.ts';
import type { Engine } from './engine.ts';
import { later } from './schedule.ts';

export type RetentionSettings = {
  /** Operators' messages, from when they came, and what was said to operators. */
  readonly notificationDays: number;
  /** Attempts at callbacks, from when the callback was made. */
  readonly callbackAttemptDays: number;
};

export const DEFAULT_RETENTION: RetentionSettings = {
  // Longer than any operator lets a payment be disputed, and what counted of a message is evidence of its payment.
  notificationDays: 90,
  // Longer than a callback is tried, by far; whoever looks for an answer of his own server does so sooner.
  callbackAttemptDays: 90,
};

/** A statement of so many rows takes some milliseconds, and holds nothing that anybody waits for. */
const BATCH = 1_000;
const DAY_MS = 24 * 3_600_000;

/** Stops early when told to; what is left waits for the next time. */
export async function prune(
  engine: Engine,
  settings: RetentionSettings,
  isTimeOver: () => boolean,
): Promise<void> {
  await pruneAll('notification', settings.notificationDays, pruneNotifications);
  await pruneAll('traffic', settings.notificationDays, pruneTraffic);
  await pruneAll('callback_attempt', settings.callbackAttemptDays, pruneCallbackAttempts);

  async function pruneAll(what: string, days: number, pruneSome: typeof pruneNotifications): Promise<void> {
    const before = later(engine.clock.now(), -days * DAY_MS);
    for (let count = BATCH; count === BATCH && !isTimeOver();) {
      count = await pruneSome(engine.store.database, { before, countMax: BATCH });
      if (count > 0) engine.observer.pruned(what, count);
    }
  }
}
