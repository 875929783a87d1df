// The problems that monitors measure. A figure is a problem from the same value on as its alert in
// deploy/monitoring/alerts.yml, but for overdue tasks, which are listed on their screen after a minute.
import type { Problem, ProblemCode } from '../../domain/problem.ts';
import { MONITOR_PARTS, type MonitorPart } from '../../store/monitoring/monitor-readings.ts';
import type { MonitorMetric, Sample } from '../monitoring/monitor-metrics.ts';
import { intervalOf, type MonitorSettings, type Reading } from '../monitoring/monitor.ts';
import { operatorAmount, whatIsWrong } from '../monitoring/standing-since.ts';

/** One missed look is a worker that was restarted; three are no worker. */
const STALE_AFTER_LOOKS = 3;

/** Workers look four times a second; what has waited this long is stuck, or there are too few of them. */
export const OVERDUE_AFTER_MS = 60_000;

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const QUEUED_AFTER_S = 4 * HOUR_S;
const HELD_AFTER_S = DAY_S;
const CALLBACKS_OVERDUE_AFTER_S = 300;
const EVENT_FEED_LATE_AFTER_S = 300;
const REVERSALS_UNHELD_AFTER_S = HOUR_S;
/** A file that is imported is requested at its end, and what was cut off within two and a half minutes. */
const REPORT_UNREQUESTED_AFTER_S = 600;
const SUSPENSE_AFTER_S = DAY_S;
const SECRET_BEFORE_S = 14 * DAY_S;
const RECOVERY_AFTER_S = 3 * DAY_S;
const UNCHAINED_AFTER_S = 600;
const UNCOMPARED_AFTER_S = HOUR_S;
const IN_TRANSIT_AFTER_S = 600;
/** Operators miss a question now and then. */
const FLOAT_UNKNOWN_AFTER_S = 1_800;

/** Whether a part was not measured in its time; null: never. */
export function isStale(part: MonitorPart, ageSeconds: number | null, settings: MonitorSettings): boolean {
  return ageSeconds === null || ageSeconds > (STALE_AFTER_LOOKS * intervalOf(part, settings)) / 1_000;
}

type Measured = Sample & { readonly measuredAt: Date };

export function listMeasuredProblems(
  readings: readonly Reading[],
  settings: MonitorSettings,
  now: Date,
): readonly Problem[] {
  const samples = readings.flatMap((reading) => {
    const measuredAt = secondsBefore(now, reading.ageSeconds);
    return reading.samples.map((one) => ({ ...one, measuredAt }));
  });
  return [
    ...listMissing(readings, settings, now),
    ...listNotZero(samples),
    ...listOverdue(samples),
    ...listWaiting(samples),
    ...listOld(samples),
    ...listExpiring(samples),
    ...listFloats(samples, now),
  ];
}

function listMissing(readings: readonly Reading[], settings: MonitorSettings, now: Date): readonly Problem[] {
  return MONITOR_PARTS.flatMap((part) => {
    const ageSeconds = readings.find((one) => one.part === part)?.ageSeconds ?? null;
    if (!isStale(part, ageSeconds, settings)) return [];
    const since = ageSeconds === null ? null : secondsBefore(now, ageSeconds);
    return [{ code: 'MEASUREMENT_MISSING' as const, since, parameters: { part } }];
  });
}

/** What must be zero is a mistake of ours, or of anyone who touched the database. */
const NOT_ZERO: readonly (readonly [MonitorMetric, ProblemCode])[] = [
  ['malipo_wallets_unbalanced', 'WALLETS_UNBALANCED'],
  ['malipo_currencies_unbalanced', 'CURRENCIES_UNBALANCED'],
  ['malipo_wallets_overdrawn', 'WALLETS_OVERDRAWN'],
  ['malipo_payments_without_step', 'PAYMENTS_ORPHANED'],
  ['malipo_endpoint_queues_disabled', 'ENDPOINTS_NOT_EMPTIED'],
  ['malipo_payout_spikes', 'PAYOUT_SPIKE'],
];

function listNotZero(samples: readonly Measured[]): readonly Problem[] {
  return NOT_ZERO.flatMap(([metric, code]) =>
    of(samples, metric)
      .filter(({ value }) => value !== 0)
      .map((one) => ({ code, since: standingSince(one), parameters: { count: String(one.value) } })),
  );
}

/** One for all kinds and steps: workers are missing or overloaded, whatever waits. */
function listOverdue(samples: readonly Measured[]): readonly Problem[] {
  const late = longerThan(samples, 'malipo_payments_overdue_seconds', OVERDUE_AFTER_MS / 1_000);
  const [oldest] = late.toSorted((a, b) => b.value - a.value);
  if (oldest === undefined) return [];
  const counts = late.map((one) => companionOf(samples, 'malipo_payments_overdue', one)?.value ?? 0);
  const count = String(counts.reduce((sum, one) => sum + one, 0));
  return [{ code: 'PAYMENTS_OVERDUE', since: sinceOf(oldest), parameters: { count } }];
}

const WAITING = [
  ['malipo_payments_enqueued', QUEUED_AFTER_S, 'PAYMENTS_QUEUED'],
  ['malipo_payments_held', HELD_AFTER_S, 'PAYMENTS_HELD'],
] as const;

function listWaiting(samples: readonly Measured[]): readonly Problem[] {
  return WAITING.flatMap(([metric, limitSeconds, code]) =>
    longerThan(samples, `${metric}_seconds`, limitSeconds).map((one) => {
      const count = String(companionOf(samples, metric, one)?.value ?? 0);
      return { code, since: sinceOf(one), parameters: { ...one.labels, count } };
    }),
  );
}

const OLD: readonly (readonly [MonitorMetric, number, ProblemCode])[] = [
  ['malipo_follow_ups_missing_seconds', 0, 'FOLLOW_UP_MISSING'],
  ['malipo_callbacks_overdue_seconds', CALLBACKS_OVERDUE_AFTER_S, 'CALLBACKS_OVERDUE'],
  ['malipo_events_queued_seconds', EVENT_FEED_LATE_AFTER_S, 'EVENT_FEED_LATE'],
  ['malipo_reversals_unheld_seconds', REVERSALS_UNHELD_AFTER_S, 'REVERSALS_UNHELD'],
  ['malipo_reports_unrequested_seconds', REPORT_UNREQUESTED_AFTER_S, 'REPORT_UNREQUESTED'],
  ['malipo_day_close_late_seconds', 0, 'DAY_NOT_CLOSED'],
  ['malipo_suspense_age_seconds', SUSPENSE_AFTER_S, 'SUSPENSE_OLD'],
  ['malipo_transactions_uncompared_seconds', UNCOMPARED_AFTER_S, 'TRANSACTIONS_UNCOMPARED'],
  ['malipo_cell_balances_in_transit_seconds', IN_TRANSIT_AFTER_S, 'BALANCES_IN_TRANSIT'],
  ['malipo_recovery_open_seconds', RECOVERY_AFTER_S, 'RECOVERY_OPEN'],
  ['malipo_audit_unchained_seconds', UNCHAINED_AFTER_S, 'AUDIT_UNCHAINED'],
];

function listOld(samples: readonly Measured[]): readonly Problem[] {
  return OLD.flatMap(([metric, limitSeconds, code]) =>
    longerThan(samples, metric, limitSeconds).map((one) => ({
      code,
      since: sinceOf(one),
      parameters: { ...one.labels },
    })),
  );
}

/** The time that is told is its end. */
function listExpiring(samples: readonly Measured[]): readonly Problem[] {
  return of(samples, 'malipo_operator_secret_expires_seconds')
    .filter(({ value }) => value < SECRET_BEFORE_S)
    .map(({ labels, value, measuredAt }) => ({
      code: 'SECRET_EXPIRES',
      since: null,
      parameters: { ...labels, endsAt: secondsBefore(measuredAt, -value).toISOString() },
    }));
}

function listFloats(samples: readonly Measured[], now: Date): readonly Problem[] {
  return of(samples, 'malipo_float_min_amount').flatMap((minimum): readonly Problem[] => {
    const wrong = whatIsWrong(minimum, samples);
    if (wrong === null) return [];
    const since = standingSince(minimum);
    const named = { ...minimum.labels, minimum: String(minimum.value) };
    if (wrong === 'FLOAT_LOW') {
      const amount = String(operatorAmount(minimum, samples));
      return [{ code: 'FLOAT_LOW', since, parameters: { ...named, amount } }];
    }
    const isLong = since !== null && since < secondsBefore(now, FLOAT_UNKNOWN_AFTER_S);
    return isLong ? [{ code: 'FLOAT_UNKNOWN', since, parameters: named }] : [];
  });
}

function of(samples: readonly Measured[], metric: MonitorMetric): readonly Measured[] {
  return samples.filter((one) => one.metric === metric);
}

function longerThan(
  samples: readonly Measured[],
  metric: MonitorMetric,
  seconds: number,
): readonly Measured[] {
  return of(samples, metric).filter(({ value }) => value > seconds);
}

/** The sample of another metric about the same thing. */
function companionOf(
  samples: readonly Measured[],
  metric: MonitorMetric,
  { labels }: Measured,
): Measured | undefined {
  return of(samples, metric).find((one) =>
    Object.entries(labels).every(([name, value]) => one.labels[name] === value),
  );
}

/** Null where the last measurement is of an earlier release. */
function standingSince({ since }: Measured): Date | null {
  return since === undefined ? null : new Date(since);
}

/** Of a sample that is an age. */
function sinceOf({ measuredAt, value }: Measured): Date {
  return secondsBefore(measuredAt, value);
}

function secondsBefore(time: Date, seconds: number): Date {
  return new Date(time.getTime() - seconds * 1_000);
}
