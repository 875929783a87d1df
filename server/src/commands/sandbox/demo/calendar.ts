// When the payments of the demo come: some minutes of each day, more by day than by night, fewer on Sundays, and more
// towards the end.
import type { Random } from './random.ts';

export type Moment = {
  readonly at: Date;
  /** How many payments come within this minute. */
  readonly count: number;
};

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** With the payments of each it is the size of the demo: 30 days are some 1,200 payments. */
const MOMENTS_A_DAY = 5;
const PAYMENTS_AT_ONCE = 9;

/** A moment is over before the next one begins. */
const APART_MS = 10 * MINUTE_MS;

/** So that the last hours are never empty, whatever the time of day. */
const LAST_MINUTES = [170, 95, 42, 16, 4];

/** Midnight, so that the first day is a whole one. */
export function firstDay(until: Date, days: number): Date {
  const today = Math.floor(until.getTime() / DAY_MS) * DAY_MS;
  return new Date(today - (days - 1) * DAY_MS);
}

export function planMoments(random: Random, until: Date, days: number): readonly Moment[] {
  const begin = firstDay(until, days).getTime();
  const recent = LAST_MINUTES.map((minutes) => until.getTime() - minutes * MINUTE_MS);
  const earlier = Array.from({ length: days }, (_, day) => begin + day * DAY_MS)
    .flatMap((midnight) => Array.from({ length: MOMENTS_A_DAY }, () => midnight + drawTime(random)))
    .filter((at) => at < (recent[0] ?? 0) - APART_MS)
    .toSorted((a, b) => a - b)
    .filter((at, index, all) => at - (all[index - 1] ?? 0) > APART_MS);
  return [...earlier, ...recent].map((at) => ({
    at: new Date(at),
    count: countAt(random, at, begin, until),
  }));
}

/** From 4 to 20 o'clock UTC, most of them at noon. */
function drawTime(random: Random): number {
  return (4 + 8 * (random.share() + random.share())) * 60 * MINUTE_MS;
}

function countAt(random: Random, at: number, begin: number, until: Date): number {
  const growth = 0.75 + (0.5 * (at - begin)) / (until.getTime() - begin);
  const isSunday = new Date(at).getUTCDay() === 0;
  return Math.max(
    1,
    Math.round(PAYMENTS_AT_ONCE * growth * (isSunday ? 0.6 : 1) * (0.7 + 0.6 * random.share())),
  );
}
