// What the server tells the dashboard is a code. The words are the dashboard's, in every language that it has.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FORBIDDEN_ADDRESS, FORBIDDEN_PORT } from '../../src/callbacks/outgoing-guard.ts';
import { MONITOR_METRICS } from '../../src/core/monitoring/monitor-metrics.ts';
import { PAYMENT_FAILURE_CODES, type FailureCode } from '../../src/domain/failure.ts';
import { FLOAT_MOVEMENT_TYPES } from '../../src/domain/ledger/float-movement.ts';
import { MONEY_MOVEMENT_TYPES } from '../../src/domain/ledger/money-movement.ts';
import { NUMBER_LISTS } from '../../src/domain/limits/listed-number.ts';
import { REVIEW_DECISIONS, WITHOUT_ANSWER } from '../../src/domain/limits/review.ts';
import { RISK_EVENTS } from '../../src/domain/limits/risk-event.ts';
import { AVAILABILITY_REASONS } from '../../src/domain/operators/availability-reason.ts';
import type { Evidence, PaymentEvent } from '../../src/domain/payments/lifecycle.ts';
import type { Outcome, UnknownReason } from '../../src/domain/payments/outcome.ts';
import { PAYMENT_KINDS, PAYMENT_STATES } from '../../src/domain/payments/payment.ts';
import { BATCH_SOURCES, BATCH_STATUSES, FILE_FAULT_CODES } from '../../src/domain/payments/payout-batch.ts';
import { PROBLEM_CODES } from '../../src/domain/problem.ts';
import { FINDINGS, type ShownFinding } from '../../src/domain/reconciliation/operator-report.ts';
import type { ProviderRefusal } from '../../src/edge/console/sign-in/identity-provider.ts';
import { CONSOLE_FAILURES, REASON_CODES, reasonMessage } from '../../src/wire/console/failure.ts';

const LANGUAGES = 2;

const readSource = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

function countWorded(file: string, code: string): number {
  return [...readSource(`dashboard/src/${file}`).matchAll(new RegExp(`^ +${code}: `, 'gm'))].length;
}

/** Dealt with by the client: no one reads them. */
const SILENT = ['NOT_SIGNED_IN', 'TWO_FACTOR_NEEDED', 'CONFIRMATION_NEEDED'];

/** What any call can be answered with besides. Others are a bug of the dashboard; they are shown as a code. */
const ANY_CALL: readonly FailureCode[] = [
  'REQUEST_TOO_LARGE',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'UNKNOWN_ERROR',
];

const SINGLE_SIGN_ON: Readonly<Record<ProviderRefusal, true>> = {
  PROVIDER_UNREACHABLE: true,
  PROVIDER_ANSWER_INVALID: true,
  EMAIL_NOT_VERIFIED: true,
  MULTI_FACTOR_NEEDED: true,
  NO_GROUP: true,
  ACCOUNT_NOT_LINKED: true,
  NOT_CONFIRMED: true,
};

/** Of the authentication library: what its calls in AUTH_CALLS answer to a person's mistake. */
const SIGN_IN = [
  'INVALID_EMAIL',
  'INVALID_EMAIL_OR_PASSWORD',
  'INVALID_PASSWORD',
  'INVALID_TOKEN',
  'INVALID_CODE',
  'INVALID_BACKUP_CODE',
  'INVALID_TWO_FACTOR_COOKIE',
  'PASSWORD_TOO_SHORT',
  'PASSWORD_TOO_LONG',
  'SESSION_NOT_FRESH',
  'CREDENTIAL_ACCOUNT_NOT_FOUND',
  'TOTP_ALREADY_ENABLED',
  'TOTP_NOT_ENABLED',
  'TWO_FACTOR_NOT_ENABLED',
  'BACKUP_CODES_NOT_ENABLED',
  'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE',
  'ACCOUNT_TEMPORARILY_LOCKED',
  // Our own.
  'SINGLE_SIGN_ON_NEEDED',
];

/** What core/payout-batches/check-payouts.ts rejects a payout with. */
const CHECKED_PAYOUTS: readonly FailureCode[] = [
  'PAYOUTS_NOT_ALLOWED',
  'INVALID_PROVIDER',
  'INVALID_CURRENCY',
  'INVALID_AMOUNT',
  'AMOUNT_OUT_OF_BOUNDS',
  'INVALID_PHONE_NUMBER',
  'WALLET_OUT_OF_FUNDS',
];

/** Its creation is told as an event too. */
const PAYMENT_EVENTS: Readonly<Record<PaymentEvent['type'] | 'ACCEPTED', true>> = {
  ACCEPTED: true,
  SUBMIT_CLAIMED: true,
  SUBMIT_HELD: true,
  SUBMIT_UNSENT: true,
  SUBMIT_EXPIRED: true,
  RESUBMIT_CLAIMED: true,
  OPERATOR_ANSWERED: true,
  HINTED: true,
  HORIZON_PASSED: true,
  PROVIDER_DELAYED: true,
  RELEASED: true,
  CANCELLED: true,
  ENDED_MANUALLY: true,
};

type Because = NonNullable<Extract<PaymentEvent, { readonly type: 'PROVIDER_DELAYED' }>['because']>;

const EVENT_DETAILS: Readonly<Record<Outcome['type'] | UnknownReason | Because, true>> = {
  COMPLETED: true,
  FAILED: true,
  PENDING: true,
  NOT_SEEN: true,
  UNKNOWN: true,
  NO_ANSWER: true,
  OPERATOR_ERROR: true,
  UNMAPPED_CODE: true,
  UNREADABLE_ANSWER: true,
  NOT_SENT: true,
  RATE_LIMITED_HERE: true,
  NOT_YET: true,
  OTHER_ACCOUNT: true,
  REPORT_TO_APPROVE: true,
  AMOUNT_DIFFERS: true,
  CURRENCY_DIFFERS: true,
  PARTY_DIFFERS: true,
  TRANSACTION_TAKEN: true,
  SECOND_TRANSACTION: true,
  WALLET_OWES: true,
  FROZEN: true,
  REVIEW: true,
};

const EVIDENCES: Readonly<Record<Evidence, true>> = {
  LATE_SUCCESS: true,
  LATE_FAILURE: true,
  DISCREPANCY: true,
};

/** Ours, and what Node says about the commonest mistakes. */
const CONNECTION_ERRORS = [
  FORBIDDEN_ADDRESS,
  FORBIDDEN_PORT,
  'TIMEOUT',
  'UNKNOWN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'CERT_HAS_EXPIRED',
];

const SHOWN_FINDINGS: readonly ShownFinding[] = [...FINDINGS, 'RESOLVED'];

/** An age stands in the line of what it is the age of. */
const CHECKS = Object.keys(MONITOR_METRICS).filter((metric) => {
  const ofWhat = [metric.replace(/_seconds$/, ''), metric.replace(/_age_seconds$/, '_amount')];
  return !ofWhat.some((other) => other !== metric && other in MONITOR_METRICS);
});

const ACTS = [...readSource('server/src/store/audit.ts').matchAll(/^ {2}\| '(\w+)'/gm)].map(
  ([, act = '']) => act,
);

const OF_SETTLEMENT = /^(BANK_ACCOUNT|SETTLEMENT)_/;

describe.each([
  {
    what: 'reason of a refusal',
    file: 'parts/reason-words.ts',
    codes: REASON_CODES.filter((code) => !OF_SETTLEMENT.test(code)),
  },
  {
    what: 'reason why a settlement is refused',
    file: 'parts/settlement-reason-words.ts',
    codes: REASON_CODES.filter((code) => OF_SETTLEMENT.test(code)),
  },
  {
    what: 'refusal',
    file: 'parts/failure-words.ts',
    codes: Object.keys(CONSOLE_FAILURES).filter((code) => !SILENT.includes(code)),
  },
  { what: 'failure of any call', file: 'parts/failure-words.ts', codes: ANY_CALL },
  { what: 'failure to sign in', file: 'parts/failure-words.ts', codes: SIGN_IN },
  {
    what: 'failure of single sign-on',
    file: 'parts/failure-words.ts',
    codes: Object.keys(SINGLE_SIGN_ON),
  },
  { what: 'failure of a payment', file: 'parts/failed-payment-words.ts', codes: PAYMENT_FAILURE_CODES },
  { what: 'status of a payment', file: 'parts/state-words.ts', codes: PAYMENT_STATES },
  {
    what: 'event of a payment',
    file: 'parts/payment-event-words.ts',
    codes: [...Object.keys(PAYMENT_EVENTS), ...Object.keys(EVENT_DETAILS)],
  },
  { what: 'evidence of a case', file: 'parts/case-words.ts', codes: Object.keys(EVIDENCES) },
  {
    what: 'finding about a line of an operator report',
    file: 'screens/issues/history-button.tsx',
    codes: SHOWN_FINDINGS,
  },
  {
    what: 'error of a connection',
    file: 'parts/connection-error-words.ts',
    codes: CONNECTION_ERRORS,
  },
  { what: 'risk event', file: 'screens/risk/risk-event-words.ts', codes: RISK_EVENTS },
  { what: 'error in a payout file', file: 'screens/payouts/fault-words.ts', codes: FILE_FAULT_CODES },
  { what: 'rejected payout', file: 'screens/payouts/fault-words.ts', codes: CHECKED_PAYOUTS },
  { what: 'open problem', file: 'parts/problem-words.ts', codes: PROBLEM_CODES },
  { what: 'health check', file: 'screens/health/checks.ts', codes: CHECKS },
  {
    what: 'change of availability',
    file: 'screens/providers/incidents-screen.tsx',
    codes: AVAILABILITY_REASONS,
  },
  { what: 'entry of the audit log', file: 'parts/act-words.ts', codes: ACTS },
  {
    what: 'value in an approval or the audit log',
    file: 'parts/code-words.ts',
    codes: [...BATCH_STATUSES, ...BATCH_SOURCES, ...NUMBER_LISTS, ...REVIEW_DECISIONS, ...WITHOUT_ANSWER],
  },
  {
    what: 'movement of money',
    file: 'parts/movement-words.ts',
    codes: [...PAYMENT_KINDS, ...MONEY_MOVEMENT_TYPES, ...FLOAT_MOVEMENT_TYPES, 'COLLECT'],
  },
])('the $what', ({ file, codes }) => {
  test('a reason is a code that has words in every language', () => {
    expect(codes.length).toBeGreaterThan(0);
    expect(codes.filter((code) => countWorded(file, code) !== LANGUAGES)).toEqual([]);
  });
});

test('a code without words is found', () => {
  expect(countWorded('parts/reason-words.ts', 'NO_SUCH_REASON')).toBe(0);
});

test('the dashboard reads no message of the server', () => {
  expect(readSource('dashboard/src/api/failure.ts')).not.toMatch(/failureMessage|body\?\.message/);
});

test('a message has the values of its parameters', () => {
  const reason = { code: 'PERIOD_TOO_LONG', parameters: { days: '31' } } as const;
  expect(reasonMessage(reason)).toBe('The period has more than 31 days.');
});
