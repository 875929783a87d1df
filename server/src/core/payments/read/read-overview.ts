// How a merchant's payments went in a span of days: read from counted hours, whatever the number of payments.
import type { Amount } from '../../../domain/money.ts';
import type { PaymentKind } from '../../../domain/payments/payment.ts';
import { addCounts, timeOfShare } from '../../../domain/payments/time-to-final.ts';
import {
  readCounted,
  sumEnds,
  sumVolumes,
  type Counted,
  type EndSum,
  type HoursSpan,
  type VolumeStep,
  type VolumeSum,
} from '../../../store/payments/payment-sums.ts';
import type { Engine } from '../../engine.ts';
import { requireStillHere } from '../../cells/cell-assignments.ts';
import { addMs } from '../../../domain/time.ts';

/** Several rounds of counting. Anyone who is further behind is catching up, and is told so. */
const COUNTED_WITHIN_MS = 60_000;
const HOURLY_DAYS_MAX = 2;
const DAY_MS = 24 * 3_600_000;

export type Ends = {
  readonly completed: number;
  readonly completedAmount: Amount;
  readonly failed: number;
  readonly failedAmount: Amount;
};

/** In seconds; null where nothing ended. */
export type Times = {
  readonly mean: number | null;
  readonly p50: number | null;
  readonly p90: number | null;
};

export type Overview = {
  readonly counted: Counted;
  readonly step: VolumeStep;
  readonly volumes: readonly (Pick<VolumeSum, 'at' | 'kind' | 'currency'> & Ends)[];
  readonly totals: readonly ({ readonly kind: PaymentKind; readonly currency: string } & Ends)[];
  readonly providers: readonly ({ readonly provider: string; readonly kind: PaymentKind } & Rate & Times)[];
  readonly kinds: readonly ({ readonly kind: PaymentKind } & Rate & Times)[];
  /** The most frequent first. */
  readonly failures: readonly {
    readonly kind: PaymentKind;
    readonly failureCode: string;
    readonly count: number;
  }[];
};

type Rate = { readonly completed: number; readonly failed: number };

export async function readOverview(engine: Engine, span: HoursSpan): Promise<Overview> {
  const { database } = engine.store;
  const { merchantId, from, until } = span;
  const step = until.getTime() - from.getTime() > HOURLY_DAYS_MAX * DAY_MS ? 'DAY' : 'HOUR';
  const expectedUntil = addMs(engine.clock.now(), -COUNTED_WITHIN_MS);
  const [counted, volumes, ends] = await Promise.all([
    readCounted(database, { merchantId, expectedUntil }),
    sumVolumes(database, span, step),
    sumEnds(database, span),
  ]);
  // Hours that are gone would look like hours without payments.
  await requireStillHere(engine.cellAssignments, merchantId);
  return {
    counted,
    step,
    volumes: grouped(
      volumes,
      ({ at, kind, currency }) => `${at.toISOString()} ${kind} ${currency}`,
      endsOf,
    ).map(([{ at, kind, currency }, sums]) => ({ at, kind, currency, ...sums })),
    totals: grouped(ends, ({ kind, currency }) => `${kind} ${currency}`, endsOf).map(
      ([{ kind, currency }, sums]) => ({ kind, currency, ...sums }),
    ),
    providers: grouped(ends, ({ provider, kind }) => `${provider} ${kind}`, rateOf).map(
      ([{ provider, kind }, rate]) => ({ provider, kind, ...rate }),
    ),
    kinds: grouped(ends, ({ kind }) => kind, rateOf).map(([{ kind }, rate]) => ({ kind, ...rate })),
    failures: failuresOf(ends),
  };
}

function grouped<Row, Sum>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  sumOf: (rows: readonly Row[]) => Sum,
): readonly (readonly [Row, Sum])[] {
  const groups = [...Map.groupBy(rows, nameOf).values()];
  return groups.flatMap((group) => (group[0] === undefined ? [] : [[group[0], sumOf(group)] as const]));
}

type Ended = Pick<EndSum, 'state' | 'count' | 'amount'>;

function endsOf(rows: readonly Ended[]): Ends {
  const [completed, failed] = [of(rows, 'COMPLETED'), of(rows, 'FAILED')];
  return {
    completed: countOf(completed),
    completedAmount: amountOf(completed),
    failed: countOf(failed),
    failedAmount: amountOf(failed),
  };
}

function rateOf(rows: readonly EndSum[]): Rate & Times {
  const times = rows.reduce<readonly number[]>((sum, row) => addCounts(sum, row.times), []);
  const total = countOf(rows);
  const durationMs = rows.reduce((sum, row) => sum + row.durationMs, 0);
  return {
    completed: countOf(of(rows, 'COMPLETED')),
    failed: countOf(of(rows, 'FAILED')),
    mean: total === 0 ? null : durationMs / total / 1_000,
    p50: timeOfShare(times, 0.5),
    p90: timeOfShare(times, 0.9),
  };
}

function failuresOf(ends: readonly EndSum[]): Overview['failures'] {
  const failed = ends.filter(({ state }) => state === 'FAILED');
  return grouped(failed, ({ kind, failureCode }) => `${kind} ${failureCode}`, countOf)
    .map(([{ kind, failureCode }, count]) => ({ kind, failureCode, count }))
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
