// How a merchant's payments went in a span of days: read from counted hours, whatever the number of payments.
import type { Amount } from '../../../domain/money.ts';
import type { PaymentKind } from '../../../domain/payments/payment.ts';
import { addCounts, timeOfShare } from '../../../domain/payments/time-to-final.ts';
import { addDays, countDays, startOfDay, upToHour } from '../../../domain/time-zone.ts';
import {
  readCounted,
  sumEnds,
  sumVolumes,
  type Counted,
  type EndSum,
  type HoursSpan,
  type VolumeSum,
} from '../../../store/payments/payment-sums.ts';
import type { Engine } from '../../engine.ts';
import { requireStillHere } from '../../cells/cell-assignments.ts';
import { addMs } from '../../../domain/time.ts';

/** Several rounds of counting. Anyone who is further behind is catching up, and is told so. */
const COUNTED_WITHIN_MS = 60_000;
const HOURLY_DAYS_MAX = 2;
const HOUR_MS = 3_600_000;

/** With fewer payments, one slow payment would decide what all of them took. */
const PERCENTILE_COUNT_MIN = 20;

/** Days of a time zone, both included. */
export type OverviewDays = {
  readonly merchantId: string;
  readonly timeZone: string;
  readonly first: string;
  readonly last: string;
};

export type Ends = {
  readonly completed: number;
  readonly completedAmount: Amount;
  readonly failed: number;
  readonly failedAmount: Amount;
  /** What the completed ones cost. */
  readonly fees: Amount;
};

/** In seconds; null where too few ended. */
export type Times = { readonly p50: number | null; readonly p90: number | null };

type OfKind = { readonly kind: PaymentKind; readonly currency: string };

/** What payments of a currency moved: deposits less what was sent, less fees. */
type Sums = { readonly fees: Amount; readonly net: Amount };

export type Overview = {
  readonly counted: Counted;
  /** Whole hours of UTC: where a zone's days begin between two, the later one. */
  readonly from: Date;
  readonly until: Date;
  readonly step: 'HOUR' | 'DAY';
  /** The hours or days of the span that have begun. */
  readonly starts: readonly Date[];
  readonly volumes: readonly (OfKind & Ends & { readonly at: Date })[];
  readonly totals: readonly (OfKind & Ends & { readonly previous: Ends })[];
  /** The one with most payments first. */
  readonly currencies: readonly (Sums & {
    readonly currency: string;
    readonly count: number;
    readonly previous: Sums;
  })[];
  readonly providers: readonly (OfKind & Rate & Times & { readonly provider: string })[];
  /** The most frequent first. */
  readonly failures: readonly (OfKind & { readonly failureCode: string; readonly count: number })[];
};

type Rate = { readonly completed: number; readonly failed: number };

export async function readOverview(engine: Engine, days: OverviewDays): Promise<Overview> {
  const { database } = engine.store;
  const { merchantId } = days;
  const now = await engine.clock.timeOf(database);
  const { span, previous, step, starts } = spansOf(days, now);
  const [counted, volumes, ends, before] = await Promise.all([
    readCounted(database, { merchantId, expectedUntil: addMs(now, -COUNTED_WITHIN_MS) }),
    sumVolumes(database, span, starts),
    sumEnds(database, span),
    sumVolumes(database, previous, [previous.from]),
  ]);
  // Hours that are gone would look like hours without payments.
  await requireStillHere(engine.cellAssignments, merchantId);
  return {
    counted,
    from: span.from,
    until: span.until,
    step,
    starts: starts.filter((start) => start <= now),
    volumes: grouped(
      volumes,
      ({ at, kind, currency }) => `${at.toISOString()} ${kind} ${currency}`,
      endsOf,
    ).map(([{ at, kind, currency }, sums]) => ({ at, kind, currency, ...sums })),
    totals: totalsOf(ends, before),
    currencies: currenciesOf(ends, before),
    providers: grouped(ends, ({ provider, kind, currency }) => `${provider} ${kind} ${currency}`, rateOf).map(
      ([{ provider, kind, currency }, rate]) => ({ provider, kind, currency, ...rate }),
    ),
    failures: failuresOf(ends),
  };
}

/** The span and its steps, and the same length of time in the days before it, as far as it has passed. */
function spansOf({ merchantId, timeZone, first, last }: OverviewDays, now: Date) {
  const startsOf = (day: string) => upToHour(startOfDay(day, timeZone));
  const dayCount = countDays(first, last);
  const [from, until] = [startsOf(first), startsOf(addDays(last, 1))];
  const previousFrom = startsOf(addDays(first, -dayCount));
  const passedUntil = Math.min(until.getTime(), upToHour(now).getTime());
  const passedMs = Math.max(passedUntil - from.getTime(), 0);
  const previousUntil = Math.min(previousFrom.getTime() + passedMs, from.getTime());
  const isHourly = dayCount <= HOURLY_DAYS_MAX;
  const hourCount = (until.getTime() - from.getTime()) / HOUR_MS;
  const starts = isHourly
    ? Array.from({ length: hourCount }, (_, index) => addMs(from, index * HOUR_MS))
    : Array.from({ length: dayCount }, (_, index) => startsOf(addDays(first, index)));
  const span: HoursSpan = { merchantId, from, until };
  const previous: HoursSpan = { merchantId, from: previousFrom, until: new Date(previousUntil) };
  return { span, previous, step: isHourly ? ('HOUR' as const) : ('DAY' as const), starts };
}

function grouped<Row, Sum>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  sumOf: (rows: readonly Row[]) => Sum,
): readonly (readonly [Row, Sum])[] {
  const groups = [...Map.groupBy(rows, nameOf).values()];
  return groups.flatMap((group) => (group[0] === undefined ? [] : [[group[0], sumOf(group)] as const]));
}

type Ended = Pick<EndSum, 'state' | 'count' | 'amount' | 'fee'>;
type EndedOfKind = Ended & OfKind;

const nameOf = ({ kind, currency }: OfKind) => `${kind} ${currency}`;

/** Also of kinds that had payments only before. */
function totalsOf(now: readonly EndedOfKind[], before: readonly EndedOfKind[]): Overview['totals'] {
  const [current, previous] = [Map.groupBy(now, nameOf), Map.groupBy(before, nameOf)];
  return grouped([...now, ...before], nameOf, () => null)
    .map(([{ kind, currency }]) => {
      const name = nameOf({ kind, currency });
      const ends = endsOf(current.get(name) ?? []);
      return { kind, currency, ...ends, previous: endsOf(previous.get(name) ?? []) };
    })
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function currenciesOf(now: readonly EndedOfKind[], before: readonly VolumeSum[]): Overview['currencies'] {
  const previous = Map.groupBy(before, ({ currency }) => currency);
  return [...Map.groupBy(now, ({ currency }) => currency)]
    .map(([currency, rows]) => ({
      currency,
      count: countOf(rows),
      ...sumsOf(rows),
      previous: sumsOf(previous.get(currency) ?? []),
    }))
    .toSorted((a, b) => b.count - a.count);
}

/** Only deposits bring money in. Fees are taken of every kind. */
function sumsOf(rows: readonly EndedOfKind[]): Sums {
  const completed = of(rows, 'COMPLETED');
  const fees = feesOf(completed);
  const moved = completed.reduce(
    (sum, { kind, amount }) => (kind === 'DEPOSIT' ? sum + amount : sum - amount),
    0n,
  );
  return { fees, net: moved - fees };
}

function endsOf(rows: readonly Ended[]): Ends {
  const [completed, failed] = [of(rows, 'COMPLETED'), of(rows, 'FAILED')];
  return {
    completed: countOf(completed),
    completedAmount: amountOf(completed),
    failed: countOf(failed),
    failedAmount: amountOf(failed),
    fees: feesOf(completed),
  };
}

function rateOf(rows: readonly EndSum[]): Rate & Times {
  const times = rows.reduce<readonly number[]>((sum, row) => addCounts(sum, row.times), []);
  const isEnough = countOf(rows) >= PERCENTILE_COUNT_MIN;
  return {
    completed: countOf(of(rows, 'COMPLETED')),
    failed: countOf(of(rows, 'FAILED')),
    p50: isEnough ? timeOfShare(times, 0.5) : null,
    p90: isEnough ? timeOfShare(times, 0.9) : null,
  };
}

function failuresOf(ends: readonly EndSum[]): Overview['failures'] {
  const failed = ends.filter(({ state }) => state === 'FAILED');
  return grouped(failed, ({ kind, currency, failureCode }) => `${kind} ${currency} ${failureCode}`, countOf)
    .map(([{ kind, currency, failureCode }, count]) => ({ kind, currency, failureCode, count }))
    .toSorted((a, b) => b.count - a.count);
}

function of<Row extends Ended>(rows: readonly Row[], state: Ended['state']): readonly Row[] {
  return rows.filter((row) => row.state === state);
}

function countOf(rows: readonly Ended[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

function amountOf(rows: readonly Ended[]): Amount {
  return rows.reduce((sum, { amount }) => sum + amount, 0n);
}

function feesOf(rows: readonly Ended[]): Amount {
  return rows.reduce((sum, { fee }) => sum + fee, 0n);
}
