// Open problems of the platform: their codes, how urgent each is, and where it is fixed. What people read about them is
// worded in the dashboard.

/** In the order of the list, the most urgent first. */
const PROBLEMS = {
  WALLETS_UNBALANCED: { severity: 'CRITICAL', fixedAt: 'LEDGER' },
  CURRENCIES_UNBALANCED: { severity: 'CRITICAL', fixedAt: 'LEDGER' },
  WALLETS_OVERDRAWN: { severity: 'CRITICAL', fixedAt: 'LEDGER' },
  FOLLOW_UP_MISSING: { severity: 'CRITICAL', fixedAt: 'HEALTH' },
  PAYMENTS_ORPHANED: { severity: 'CRITICAL', fixedAt: 'HEALTH' },
  MEASUREMENT_MISSING: { severity: 'CRITICAL', fixedAt: 'HEALTH' },
  PAYMENTS_OVERDUE: { severity: 'CRITICAL', fixedAt: 'OVERDUE_TASKS' },
  CALLBACKS_OVERDUE: { severity: 'CRITICAL', fixedAt: 'HEALTH' },
  PAYOUT_SPIKE: { severity: 'CRITICAL', fixedAt: 'MERCHANT' },
  PROVIDER_CLOSED: { severity: 'CRITICAL', fixedAt: 'PROVIDERS' },
  FLOAT_LOW: { severity: 'CRITICAL', fixedAt: 'FLOATS' },
  PROVIDER_DELAYED: { severity: 'WARNING', fixedAt: 'PROVIDERS' },
  PAYMENT_UNRESOLVED: { severity: 'WARNING', fixedAt: 'UNRESOLVED_PAYMENTS' },
  REVERSALS_UNHELD: { severity: 'WARNING', fixedAt: 'APPROVALS' },
  REPORT_UNREQUESTED: { severity: 'WARNING', fixedAt: 'HEALTH' },
  CASE_OPEN: { severity: 'WARNING', fixedAt: 'CASES' },
  ENDPOINT_DISABLED: { severity: 'WARNING', fixedAt: 'CALLBACK_ENDPOINTS' },
  ENDPOINT_FAILING: { severity: 'WARNING', fixedAt: 'CALLBACK_ENDPOINTS' },
  ENDPOINTS_NOT_EMPTIED: { severity: 'WARNING', fixedAt: 'FAILING_ENDPOINTS' },
  PAYMENTS_QUEUED: { severity: 'WARNING', fixedAt: 'PROVIDERS' },
  PAYMENTS_HELD: { severity: 'WARNING', fixedAt: 'HOLDS' },
  DAY_NOT_CLOSED: { severity: 'WARNING', fixedAt: 'DAILY_CLOSE' },
  FLOAT_UNKNOWN: { severity: 'WARNING', fixedAt: 'FLOATS' },
  EVENT_FEED_LATE: { severity: 'WARNING', fixedAt: 'HEALTH' },
  SUSPENSE_OLD: { severity: 'WARNING', fixedAt: 'LEDGER' },
  SECRET_EXPIRES: { severity: 'WARNING', fixedAt: 'HEALTH' },
  TRANSACTIONS_UNCOMPARED: { severity: 'WARNING', fixedAt: 'HEALTH' },
  BALANCES_IN_TRANSIT: { severity: 'WARNING', fixedAt: 'HEALTH' },
  RECOVERY_OPEN: { severity: 'WARNING', fixedAt: 'HEALTH' },
  AUDIT_UNCHAINED: { severity: 'WARNING', fixedAt: 'HEALTH' },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;
export const PROBLEM_CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];

export const SEVERITIES = ['CRITICAL', 'WARNING'] as const;

/** Screens of the dashboard. CALLBACK_ENDPOINTS is the merchant's own, FAILING_ENDPOINTS lists those of all. */
export const FIXING_PLACES = [
  'LEDGER',
  'FLOATS',
  'HEALTH',
  'PROVIDERS',
  'UNRESOLVED_PAYMENTS',
  'OVERDUE_TASKS',
  'FAILING_ENDPOINTS',
  'CALLBACK_ENDPOINTS',
  'CASES',
  'APPROVALS',
  'MERCHANT',
  'HOLDS',
  'DAILY_CLOSE',
] as const;

export type Problem = {
  readonly code: ProblemCode;
  /** Null where only that it is so is known. */
  readonly since: Date | null;
  /** What the text about it names. Amounts are decimal texts. */
  readonly parameters: Readonly<Record<string, string>>;
};

export function placeOf(code: ProblemCode): (typeof FIXING_PLACES)[number] {
  return PROBLEMS[code].fixedAt;
}

export function severityOf(code: ProblemCode): (typeof SEVERITIES)[number] {
  return PROBLEMS[code].severity;
}

/** The most urgent first; of one code the oldest. */
export function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted(
    (a, b) =>
      PROBLEM_CODES.indexOf(a.code) - PROBLEM_CODES.indexOf(b.code) ||
      (a.since?.getTime() ?? 0) - (b.since?.getTime() ?? 0),
  );
}
