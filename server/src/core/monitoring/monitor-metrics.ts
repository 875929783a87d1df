// What is measured for the host's alerts, by the names under which Prometheus knows it. docs/operating/monitoring.md
// explains each. Labels are words of ours; no figure tells one merchant from another.
//
// Amounts are in the currency's main unit and floating: they are for alerts and graphs, never for the books.

export const MONITOR_METRICS = {
  malipo_clearing_amount: ['What clearing accounts hold: credits less debits', 'country', 'currency'],
  malipo_clearing_age_seconds: [
    'How long a clearing account has not been zero, without a break',
    'country',
    'currency',
  ],
  malipo_suspense_amount: [
    'What suspense accounts hold: credits less debits',
    'country',
    'currency',
    'provider',
  ],
  malipo_suspense_age_seconds: [
    'How long a suspense account has not been zero, without a break',
    'country',
    'currency',
    'provider',
  ],
  malipo_payments_overdue: ['Payments whose next step is due', 'kind', 'action'],
  malipo_payments_overdue_seconds: ['How long the oldest of them has been due', 'kind', 'action'],
  malipo_payments_without_step: ['Open payments that no one will look at again; must be 0'],
  malipo_payments_enqueued: ['Payments that wait for their provider', 'kind', 'provider'],
  malipo_payments_enqueued_seconds: ['The age of the oldest of them', 'kind', 'provider'],
  malipo_payments_in_reconciliation: ['Payments without a clear answer', 'kind', 'provider'],
  malipo_payments_in_reconciliation_seconds: ['The age of the oldest of them', 'kind', 'provider'],
  malipo_cases_open: ['Cases that wait for people', 'evidence'],
  malipo_cases_open_seconds: ['The age of the oldest of them', 'evidence'],
  malipo_recovery_open_seconds: ['How long a recovery after a restore has been open; 0 while none is'],
  malipo_operator_secret_expires_seconds: [
    'How long a secret of an operator account still lasts; negative after its end',
    'connector',
    'account',
    'secret',
  ],
  malipo_endpoint_queues_pending: ['Callback addresses with something to deliver'],
  malipo_endpoint_queues_failing: ['Of these, those where nothing gets through'],
  malipo_endpoint_queues_failing_seconds: ['How long the oldest callback has waited there'],
  malipo_endpoint_queues_disabled: ['Switched-off callback addresses with something to deliver; must be 0'],
  malipo_callbacks_overdue_seconds: ['How long the most overdue callback has been due'],
  malipo_audit_unchained: ['Entries of the audit log that wait for its chain'],
  malipo_audit_unchained_seconds: ['The age of the oldest of them'],
  malipo_database_bytes: ['The size of the database'],
  malipo_database_sessions: ['Sessions of the database, of all processes and programs'],
  malipo_database_commits: ['Transactions that were committed; counted by PostgreSQL'],
  malipo_database_rollbacks: ['Transactions that were rolled back; counted by PostgreSQL'],
  malipo_database_blocks: [
    'Blocks that were found in shared memory (HIT) or not (READ); counted by PostgreSQL',
    'found',
  ],
  malipo_database_rows_written: ['Rows inserted, updated and deleted; counted by PostgreSQL'],
  malipo_wallets_overdrawn: ['Wallets with less than nothing available; must be 0'],
  malipo_wallets_unbalanced: ['Wallets that are not the sum of their transfers; must be 0'],
  malipo_currencies_unbalanced: ['Currencies whose books do not add up to zero; must be 0'],
  malipo_float_operator_amount: ['The float as the operator tells it', 'provider', 'currency'],
  malipo_float_books_amount: ['The float as our books have it', 'provider', 'currency'],
  malipo_float_difference_amount: ['The operator’s figure less ours', 'provider', 'currency'],
  malipo_float_in_flight_amount: [
    'What payments at operators may add to a float (IN) and take from it (OUT)',
    'provider',
    'currency',
    'direction',
  ],
  malipo_float_unexplained_amount: [
    'What of the difference payments in flight cannot explain',
    'provider',
    'currency',
  ],
  malipo_float_min_amount: ['What the host wants to have there, by MALIPO_FLOAT_MIN', 'provider', 'currency'],
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
};

export function sample(metric: MonitorMetric, value: number, labels: Sample['labels'] = {}): Sample {
  return { metric, labels, value };
}

/** Nothing is younger than nothing: clocks of two machines may differ by a little. */
export function ageSeconds(since: Date | null, now: Date): number {
  return since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1_000);
}
