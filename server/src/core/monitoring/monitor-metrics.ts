// What is measured for the host's alerts, by the names under which Prometheus knows it. docs/operating/monitoring.md
// explains each. Labels are words of ours; no figure tells one merchant from another.
//
// Amounts are in the currency's main unit and floating: they are for alerts and graphs, never for the books.

export const MONITOR_METRICS = {
  malipo_clearing_amount: ['Bank clearing balance: credits less debits', 'country', 'currency'],
  malipo_clearing_age_seconds: [
    'How long the bank clearing balance has not been zero',
    'country',
    'currency',
  ],
  malipo_suspense_amount: ['Suspense balance: credits less debits', 'country', 'currency', 'provider'],
  malipo_suspense_age_seconds: [
    'How long the suspense balance has not been zero',
    'country',
    'currency',
    'provider',
  ],
  malipo_payments_overdue: ['Payments with a task that is due', 'kind', 'action'],
  malipo_payments_overdue_seconds: ['How long the oldest of these tasks has been due', 'kind', 'action'],
  malipo_payments_without_step: ['Orphaned payments (expected: 0)'],
  malipo_follow_ups_missing: ['Holds, callbacks and other follow-ups of payments that could not be made yet'],
  malipo_follow_ups_missing_seconds: ['Age of the oldest of these follow-ups'],
  malipo_payments_enqueued: ['Payments queued for a provider', 'kind', 'provider'],
  malipo_payments_enqueued_seconds: ['Age of the oldest queued payment', 'kind', 'provider'],
  malipo_payments_held: ['Payments held by a freeze or for review', 'held'],
  malipo_payments_held_seconds: ['Age of the oldest held payment', 'held'],
  malipo_payments_in_reconciliation: ['Payments with unknown outcome', 'kind', 'provider'],
  malipo_payments_in_reconciliation_seconds: [
    'Age of the oldest payment with unknown outcome',
    'kind',
    'provider',
  ],
  malipo_payout_spikes: ['Merchants that send out far more than in any hour of the last 35 days'],
  malipo_cases_open: ['Open cases', 'evidence'],
  malipo_cases_open_seconds: ['Age of the oldest open case', 'evidence'],
  malipo_transactions_uncompared_seconds: [
    "How far the comparison of operators' transactions with another cell is behind; 0 if it is not",
    'other_cell',
  ],
  malipo_reversals_unheld: [
    'Lines of reports that wait for approval and put money at risk that is not held: reversals, late successes',
  ],
  malipo_reversals_unheld_seconds: ['How long the first of them has waited'],
  malipo_reports_unrequested: [
    "Operators' reports with lines that wait although nobody is asked to approve them",
  ],
  malipo_reports_unrequested_seconds: ['How long the first of these lines has waited'],
  malipo_cell_balances_in_transit_seconds: [
    'Since when balances of this cell have left for another one and not arrived there; 0 if none have',
    'other_cell',
  ],
  malipo_day_close_late_seconds: [
    'How long the first day that is not closed is past its time; 0 if none is',
    'provider',
    'currency',
  ],
  malipo_recovery_open_seconds: ['How long a recovery after a restore has been open; 0 if none is'],
  malipo_operator_secret_expires_seconds: [
    'Time until a secret of an operator account expires; negative afterwards',
    'connector',
    'account',
    'secret',
  ],
  malipo_endpoint_queues_pending: ['Endpoints with queued callbacks'],
  malipo_endpoint_queues_failing: ['Failing endpoints with queued callbacks'],
  malipo_endpoint_queues_failing_seconds: ['Age of the oldest callback of a failing endpoint'],
  malipo_endpoint_queues_disabled: ['Disabled endpoints with queued callbacks (expected: 0)'],
  malipo_callbacks_overdue_seconds: ['How long the most overdue callback has been due'],
  malipo_events_queued: ['Events not yet in the event feed'],
  malipo_events_queued_seconds: ['Age of the oldest of these events'],
  malipo_audit_unchained: ['Audit log entries not yet in the hash chain'],
  malipo_audit_unchained_seconds: ['Age of the oldest of these entries'],
  malipo_database_bytes: ['Database size'],
  malipo_database_sessions: ['Database sessions, of all processes and programs'],
  malipo_database_commits: ['Committed transactions, counted by PostgreSQL'],
  malipo_database_rollbacks: ['Rolled-back transactions, counted by PostgreSQL'],
  malipo_database_blocks: [
    'Blocks found in shared memory (HIT) or read (READ), counted by PostgreSQL',
    'found',
  ],
  malipo_database_rows_written: ['Rows inserted, updated and deleted, counted by PostgreSQL'],
  malipo_wallets_overdrawn: ['Overdrawn wallets (expected: 0)'],
  malipo_wallets_unbalanced: ['Wallets that differ from the sum of their transfers (expected: 0)'],
  malipo_currencies_unbalanced: ['Currencies that do not balance to zero (expected: 0)'],
  malipo_float_operator_amount: ['Float: balance reported by the operator', 'provider', 'currency'],
  malipo_float_books_amount: ['Float: balance in our ledger', 'provider', 'currency'],
  malipo_float_difference_amount: ['Float: operator balance less our balance', 'provider', 'currency'],
  malipo_float_in_flight_amount: [
    'Float: amounts that payments in progress may add (IN) or take (OUT)',
    'provider',
    'currency',
    'direction',
  ],
  malipo_float_unexplained_amount: [
    'Float: difference that payments in progress do not explain',
    'provider',
    'currency',
  ],
  malipo_float_min_amount: ['Float: minimum set by MALIPO_FLOAT_MIN', 'provider', 'currency'],
} as const satisfies Readonly<Record<string, readonly [help: string, ...labels: string[]]>>;

export type MonitorMetric = keyof typeof MONITOR_METRICS;

/** Whatever is counted here is a mistake of ours, or of anyone who touched the database. */
export const MUST_BE_ZERO: ReadonlySet<MonitorMetric> = new Set([
  'malipo_payments_without_step',
  'malipo_endpoint_queues_disabled',
  'malipo_wallets_overdrawn',
  'malipo_wallets_unbalanced',
  'malipo_currencies_unbalanced',
]);

export type Sample = {
  readonly metric: MonitorMetric;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** Since when it has been wrong, where it has no age of its own. Not for Prometheus. */
  readonly since?: string;
};

export function sample(metric: MonitorMetric, value: number, labels: Sample['labels'] = {}): Sample {
  return { metric, labels, value };
}

/** Nothing is younger than nothing: clocks of two machines may differ by a little. */
export function ageSeconds(since: Date | null, now: Date): number {
  return since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1_000);
}
