// How the payments of all merchants went in a span of days, beside the same length of time in the days before it. Read
// from counted hours and days, whatever the number of payments.
import type { Amount } from '../../domain/money.ts';
import { addCounts, timeOfShare } from '../../domain/payments/time-to-final.ts';
import { addMs } from '../../domain/time.ts';
import { upToHour } from '../../domain/time-zone.ts';
import {
  sumPlatformDays,
  sumPlatformEnds,
  type PlatformDay,
  type PlatformEnds,
} from '../../store/console/platform-sums.ts';
import type { TimedDatabase } from '../engine.ts';

/** Fewer say nothing about the next one. */
const PERCENTILE_COUNT_MIN = 20;

/** In each currency, those with the largest volume. */
const MERCHANTS_MAX = 20;

export type PlatformFigures = {
  readonly completed: number;
  readonly failed: number;
  readonly completedAmount: Amount;
  /** What the completed ones cost their merchants. */
  readonly fees: Amount;
  /** In seconds; null for fewer payments than say something. */
  readonly p50: number | null;
  readonly p90: number | null;
};

/** A span, and the one before it. */
export type Compared = { readonly current: PlatformFigures; readonly previous: PlatformFigures };

type InCurrency = { readonly currency: string };

export type PlatformOverview = {
  /** The currency with most payments first. */
  readonly totals: readonly (InCurrency & Compared)[];
  readonly providers: readonly (InCurrency & { readonly provider: string } & Compared)[];
  readonly merchants: readonly (InCurrency & { readonly merchantId: string } & Compared)[];
  /** The days of the span that have payments. */
  readonly days: readonly PlatformDay[];
};

export async function readPlatformOverview(
  { store: { database }, clock }: TimedDatabase,
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<PlatformOverview> {
  const now = await clock.timeOf(database);
  const passedUntil = Math.min(until.getTime(), upToHour(now).getTime());
  const passedMs = Math.max(passedUntil - from.getTime(), 0);
  const previousFrom = new Date(2 * from.getTime() - until.getTime());
  const previousUntil = addMs(previousFrom, passedMs);
  const [ends, days] = await Promise.all([
    sumPlatformEnds(database, { previousFrom, previousUntil, from, until }),
    sumPlatformDays(database, { from, until }),
  ]);
  const rows = ends.map(endsRow);
  const totals = grouped(rows, ({ currency }) => currency);
  const providers = grouped(rows, ({ currency, provider }) => `${currency} ${provider}`);
  const merchants = grouped(rows, ({ currency, merchantId }) => `${currency} ${merchantId}`);
  return {
    totals: byCount(totals).map(([{ currency }, figures]) => ({ currency, ...figures })),
    providers: byAmount(providers).map(([{ currency, provider }, figures]) => ({
      currency,
      provider,
      ...figures,
    })),
    merchants: firstOfEach(byAmount(merchants)).map(([{ currency, merchantId }, figures]) => ({
      currency,
      merchantId,
      ...figures,
    })),
    days,
  };
}

type SummedRow = Pick<PlatformEnds, 'isCurrent' | 'merchantId' | 'provider' | 'currency' | 'times'> & {
  readonly completed: number;
  readonly failed: number;
  readonly completedAmount: Amount;
  readonly fees: Amount;
};

function endsRow({ state, count, amount, fee: fees, ...named }: PlatformEnds): SummedRow {
  return state === 'COMPLETED'
    ? { ...named, completed: count, failed: 0, completedAmount: amount, fees }
    : { ...named, completed: 0, failed: count, completedAmount: 0n, fees };
}

type Group = readonly [SummedRow, Compared];

function grouped(rows: readonly SummedRow[], nameOf: (row: SummedRow) => string): readonly Group[] {
  return [...Map.groupBy(rows, nameOf).values()].flatMap((group) => {
    const [first] = group;
    const figures = {
      current: figuresOf(group.filter(({ isCurrent }) => isCurrent)),
      previous: figuresOf(group.filter(({ isCurrent }) => !isCurrent)),
    };
    return first === undefined ? [] : [[first, figures] as const];
  });
}

function figuresOf(rows: readonly SummedRow[]): PlatformFigures {
  const times = rows.reduce<readonly number[]>((sum, row) => addCounts(sum, row.times), []);
  const completed = rows.reduce((sum, row) => sum + row.completed, 0);
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  const isEnough = completed + failed >= PERCENTILE_COUNT_MIN;
  return {
    completed,
    failed,
    completedAmount: rows.reduce((sum, row) => sum + row.completedAmount, 0n),
    fees: rows.reduce((sum, row) => sum + row.fees, 0n),
    p50: isEnough ? timeOfShare(times, 0.5) : null,
    p90: isEnough ? timeOfShare(times, 0.9) : null,
  };
}

const countOf = ([, { current, previous }]: Group) =>
  current.completed + current.failed + previous.completed + previous.failed;

function byCount(groups: readonly Group[]): readonly Group[] {
  return groups.toSorted((a, b) => countOf(b) - countOf(a));
}

function byAmount(groups: readonly Group[]): readonly Group[] {
  return groups.toSorted(([, a], [, b]) => Number(b.current.completedAmount - a.current.completedAmount));
}

function firstOfEach(groups: readonly Group[]): readonly Group[] {
  return [...Map.groupBy(groups, ([{ currency }]) => currency).values()].flatMap((group) =>
    group.slice(0, MERCHANTS_MAX),
  );
}
