// From which figure on a measurement is a problem: the same as its alert.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listMeasuredProblems } from '../../src/core/console/measured-problems.ts';
import {
  MONITOR_METRICS,
  sample,
  type MonitorMetric,
  type Sample,
} from '../../src/core/monitoring/monitor-metrics.ts';
import { DEFAULT_MONITOR, type Reading } from '../../src/core/monitoring/monitor.ts';
import { withSince } from '../../src/core/monitoring/standing-since.ts';

const NOW = new Date('2026-03-04T12:00:00Z');
const PARTS = ['flow', 'float', 'books'] as const;

function readingsWith(samples: readonly Sample[], ageSeconds = 0): readonly Reading[] {
  return PARTS.map((part) => ({
    part,
    ageSeconds,
    intervalSeconds: 15,
    samples: part === 'flow' ? samples : [],
  }));
}

function problemsOf(...samples: readonly Sample[]) {
  return listMeasuredProblems(readingsWith(samples), DEFAULT_MONITOR, NOW);
}

const alerts = readFileSync(new URL('../../../deploy/monitoring/alerts.yml', import.meta.url), 'utf8');

/** "malipo_x) > 4 * 3600" or "malipo_x < 14 * 86400". */
function limitOf(metric: MonitorMetric): number {
  const [, product = 'no alert'] = new RegExp(`${metric}\\)? [<>] ([\\d* ]+)`).exec(alerts) ?? [];
  return product.split('*').reduce((sum, factor) => sum * Number(factor), 1);
}

test.each<[string, MonitorMetric]>([
  ['PAYMENTS_QUEUED', 'malipo_payments_enqueued_seconds'],
  ['PAYMENTS_HELD', 'malipo_payments_held_seconds'],
  ['REVERSALS_UNHELD', 'malipo_reversals_unheld_seconds'],
  ['REPORT_UNREQUESTED', 'malipo_reports_unrequested_seconds'],
  ['DAY_NOT_CLOSED', 'malipo_day_close_late_seconds'],
  ['CALLBACKS_OVERDUE', 'malipo_callbacks_overdue_seconds'],
  ['EVENT_FEED_LATE', 'malipo_events_queued_seconds'],
  ['SUSPENSE_OLD', 'malipo_suspense_age_seconds'],
  ['RECOVERY_OPEN', 'malipo_recovery_open_seconds'],
  ['TRANSACTIONS_UNCOMPARED', 'malipo_transactions_uncompared_seconds'],
  ['BALANCES_IN_TRANSIT', 'malipo_cell_balances_in_transit_seconds'],
  ['AUDIT_UNCHAINED', 'malipo_audit_unchained_seconds'],
])('%s begins where the alert about %s does, and since then', (code, metric) => {
  const limit = limitOf(metric);
  expect(limit).toBeGreaterThanOrEqual(0);
  expect(problemsOf(sample(metric, limit))).toEqual([]);
  const since = new Date(NOW.getTime() - (limit + 1) * 1_000);
  expect(problemsOf(sample(metric, limit + 1))).toMatchObject([{ code, since }]);
});

test('a secret of an operator account is a problem as long before its end as the alert says', () => {
  const labels = { connector: 'mtn-momo', account: 'main', secret: 'apiKey' };
  const limit = limitOf('malipo_operator_secret_expires_seconds');
  expect(problemsOf(sample('malipo_operator_secret_expires_seconds', limit, labels))).toEqual([]);
  const endsAt = new Date(NOW.getTime() + (limit - 1) * 1_000).toISOString();
  expect(problemsOf(sample('malipo_operator_secret_expires_seconds', limit - 1, labels))).toEqual([
    { code: 'SECRET_EXPIRES', since: null, parameters: { ...labels, endsAt } },
  ]);
});

const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);

const task = (kind: string, count: number, seconds: number) => [
  sample('malipo_payments_overdue', count, { kind, action: 'SUBMIT' }),
  sample('malipo_payments_overdue_seconds', seconds, { kind, action: 'SUBMIT' }),
];

test('overdue tasks of all kinds are one problem, as old as the oldest of them', () => {
  expect(problemsOf(...task('DEPOSIT', 5, 60))).toEqual([]);
  const found = problemsOf(...task('DEPOSIT', 5, 61), ...task('PAYOUT', 7, 90), ...task('REFUND', 2, 3));
  const since = new Date(NOW.getTime() - 90_000);
  expect(found).toEqual([{ code: 'PAYMENTS_OVERDUE', since, parameters: { count: '12' } }]);
});

test('what must be zero is a problem as soon as it is not, and since then', () => {
  expect(problemsOf(sample('malipo_wallets_overdrawn', 0))).toEqual([]);
  const first = withSince([sample('malipo_wallets_overdrawn', 2)], [], ago(600));
  const next = withSince([sample('malipo_wallets_overdrawn', 3)], first, ago(60));
  expect(problemsOf(...next)).toEqual([
    { code: 'WALLETS_OVERDRAWN', since: ago(600), parameters: { count: '3' } },
  ]);
  const over = withSince([sample('malipo_wallets_overdrawn', 0)], next, ago(30));
  const again = withSince([sample('malipo_wallets_overdrawn', 1)], over, NOW);
  expect(problemsOf(...again)).toMatchObject([{ code: 'WALLETS_OVERDRAWN', since: NOW }]);
});

test('a float is a problem below its minimum, or when its operator has not told it for half an hour', () => {
  const labels = { provider: 'MTN_MOMO_RWA', currency: 'RWF' };
  const minimum = sample('malipo_float_min_amount', 500, labels);
  const told = (amount: number) => sample('malipo_float_operator_amount', amount, labels);
  expect(problemsOf(minimum, told(500))).toEqual([]);
  const low = withSince([minimum, told(499)], [], ago(300));
  expect(problemsOf(...low)).toEqual([
    { code: 'FLOAT_LOW', since: ago(300), parameters: { ...labels, amount: '499', minimum: '500' } },
  ]);
  expect(problemsOf(...withSince([minimum], low, ago(1_800)))).toEqual([]);
  const unknown = withSince([minimum], low, ago(1_801));
  expect(problemsOf(...withSince([minimum], unknown, NOW))).toEqual([
    { code: 'FLOAT_UNKNOWN', since: ago(1_801), parameters: { ...labels, minimum: '500' } },
  ]);
});

/** Of alerts whose problems are read from the database, one by one. */
const LISTED: readonly MonitorMetric[] = [
  'malipo_payments_in_reconciliation_seconds',
  'malipo_cases_open_seconds',
  'malipo_endpoint_queues_failing_seconds',
];

/** Wrong when there is little of it. */
const SMALL: readonly string[] = ['malipo_operator_secret_expires_seconds', 'malipo_float_operator_amount'];

const ALL_WRONG: readonly Sample[] = (Object.keys(MONITOR_METRICS) as MonitorMetric[]).map((metric) => ({
  ...sample(metric, SMALL.includes(metric) ? 0 : 1e9),
  since: ago(1e6).toISOString(),
}));

test('there is a problem for every alert about what is measured, but for what is noted at the month’s end', () => {
  const rules = alerts.split('- alert: ').filter((rule) => !rule.includes('severity: info'));
  const found = rules.flatMap((rule) => {
    const [, expression = ''] = /expr:([\s\S]*?)\n {8}for:/.exec(rule) ?? [];
    const [measured = ''] = expression.split('unless');
    const wrong = ALL_WRONG.filter(({ metric }) => new RegExp(`${metric}\\b`).test(measured));
    if (wrong.every(({ metric }) => LISTED.includes(metric))) return [];
    return [[rule.split('\n')[0], problemsOf(...wrong).length]];
  });
  expect(found.length).toBeGreaterThan(15);
  expect(found.filter(([, count]) => count !== 1)).toEqual([]);
});

test('a part that was not measured three times in a row, or never, is a problem', () => {
  const limit = (3 * DEFAULT_MONITOR.intervalMs) / 1_000;
  expect(listMeasuredProblems(readingsWith([], limit), DEFAULT_MONITOR, NOW)).toEqual([]);
  const since = new Date(NOW.getTime() - (limit + 1) * 1_000);
  expect(listMeasuredProblems(readingsWith([], limit + 1), DEFAULT_MONITOR, NOW)).toEqual([
    { code: 'MEASUREMENT_MISSING', since, parameters: { part: 'flow' } },
  ]);
  const never = listMeasuredProblems([], DEFAULT_MONITOR, NOW);
  expect(never.map(({ parameters }) => parameters['part'])).toEqual([...PARTS]);
});
