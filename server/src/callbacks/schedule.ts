// When a callback is retried. Pure.
import type { ProcessTime } from '../domain/clock.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Delays after the 1st, 2nd, … attempt. The first seven make up the 15 minutes that clients of this API family expect;
 * the rest covers an outage of about three days.
 */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  4 * MINUTE,
  7 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Jitter only for the later delays: the first minutes are promised, and later many retries would come at once. */
const JITTER_FROM_DELAY_MS = 30 * MINUTE;
const JITTER_SHARE = 0.1;

/** The maximum delay that an endpoint can ask for. */
const RETRY_AFTER_MAX_MS = 24 * HOUR;

/**
 * While an endpoint fails, one callback at a time is tried, so the number of attempts does not limit a callback's age.
 */
const AGE_MAX_MS = 7 * 24 * HOUR;

/** Whether a failed callback is too old to be retried. */
export function isTooOld(createdAt: Date, now: ProcessTime): boolean {
  return now.getTime() - createdAt.getTime() >= AGE_MAX_MS;
}

/**
 * The delay until the next attempt after `attemptCount` attempts, or null if there are no more. `random` is in [0, 1).
 * A `Retry-After` of the endpoint can only make the delay longer.
 */
export function retryDelayMs(
  attemptCount: number,
  options: { readonly random: number; readonly retryAfterMs: number | null },
): number | null {
  const delayMs = RETRY_DELAYS_MS[attemptCount - 1];
  if (delayMs === undefined) return null;
  const jitterMs = delayMs < JITTER_FROM_DELAY_MS ? 0 : delayMs * JITTER_SHARE * options.random;
  return Math.max(delayMs + jitterMs, Math.min(options.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS));
}

/** Parses a Retry-After header: seconds, or an HTTP date. Anything else is ignored. */
export function parseRetryAfterMs(header: string | undefined, now: ProcessTime): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
