// A request of every kind, about what does not exist, and the two people who request and approve.
import { approve } from '../src/core/approvals/decide.ts';
import type { Engine } from '../src/core/engine.ts';
import type { ApprovalKind, ApprovalRequests } from '../src/domain/approval.ts';
import { findApproval, type ActingPerson } from '../src/store/approvals/approvals.ts';

export const ANA = { personId: 'ana', by: 'ana@example.com' };
export const BEN = { personId: 'ben', by: 'ben@example.com' };

/** They are signed in. */
export async function addPeople({ store }: Engine): Promise<void> {
  for (const { personId, by } of [ANA, BEN])
    await store.database.query(
      `with person as (insert into people (id, name, email, email_verified, created_at, updated_at)
         values ($1, $1, $2, true, now(), now()) returning id)
       insert into people_sessions (id, person_id, token, expires_at, confirmed_at, created_at, updated_at)
       select id, id, id, 'infinity', now(), now(), now() from person`,
      [personId, by],
    );
}

/** The same as administrators of the platform. */
export async function addAdministrators(engine: Engine): Promise<void> {
  await addPeople(engine);
  for (const { personId } of [ANA, BEN])
    await engine.store.database.query(
      `insert into memberships (person_id, merchant_id, role, since) values ($1, null, 'OPERATOR_ADMIN', now())`,
      [personId],
    );
}

/** As they were shown it. */
export async function approveAs(engine: Engine, decider: ActingPerson, approvalId: string): Promise<string> {
  const found = await findApproval(engine.store.database, approvalId);
  const hash = found?.shownHash ?? '';
  return (await approve(engine, { decider, approvalId, whose: 'ALL', hash })).type;
}

/** Requests that the platform decides on for itself. */
export const OF_THE_CELL: readonly ApprovalKind[] = [
  'OPERATOR_REPORT',
  'REPORT_READING',
  'FILE_VOID',
  'FLOAT',
  'FREEZE_LIFT',
  'DAY_CLOSE',
  'DAY_REOPEN',
  'FIRST_DAY',
  'CELL_END',
  'LOST_PAYMENT',
];

export const REQUESTS: ApprovalRequests = {
  TOKEN: { tokenId: 't', secretHash: '00', name: 'n', scopes: [], expiresAt: null },
  PUBLIC_KEY: { name: 'n', algorithm: 'a', pem: 'p' },
  UNSIGNED_REQUESTS: {},
  UNSIGNED_PAGES: {},
  INVITATION: { email: 'x@example.com', role: 'OWNER' },
  ROLE: { personId: 'x', email: 'x@example.com', role: 'OWNER' },
  PAYMENT_END: {
    paymentKind: 'PAYOUT',
    paymentId: 'p',
    outcome: { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' },
  },
  OPERATOR_REPORT: { provider: 'p', effects: { END_COMPLETED: { count: 1, sums: ['1 x'] } }, linesHash: 'h' },
  FILE_VOID: {
    source: 'OPERATOR',
    provider: 'MTN_MOMO_RWA',
    currencies: ['RWF'],
    fileHash: 'f'.repeat(64),
    importedAt: '2027-03-01T08:00:00.000Z',
    lineCount: 12,
    elsewhereCount: 0,
    waitingCount: 0,
    endedCount: 0,
    openCaseCount: 0,
    keptCaseCount: 0,
    resolvedCaseCount: 0,
    lostCount: 0,
    keptLostCount: 0,
    postedBack: ['FLOAT_TOP_UP 1: 500 RWF'],
    signedDays: [],
    reason: 'why',
  },
  REPORT_READING: {
    provider: 'p',
    linesHash: 'h',
    knownCount: 20,
    differingCount: 11,
    mappingBy: ['someone@example.com'],
    reason: 'r',
  },
  MONEY: { type: 'TOP_UP', country: 'c', currency: 'x', walletProvider: '', amount: '1', reference: 'r' },
  FLOAT: {
    type: 'OPERATOR_CHARGE',
    provider: 'p',
    country: 'c',
    currency: 'x',
    amount: '1',
    reference: 'r',
  },
  CASE: {
    evidence: 'LATE_SUCCESS',
    paymentKind: 'PAYOUT',
    paymentId: 'p',
    resolution: 'WRITE_OFF',
    currency: 'x',
    amount: '1',
  },
  PAYOUT_BATCH: { rowCount: 1, sums: ['1 x + 0 (c)'], rowsHash: 'h' },
  PAYOUT_LIMIT: { currency: 'x', amount: '1' },
  LIMIT: {
    setBy: 'PLATFORM',
    kind: 'PAYOUT',
    scope: 'MERCHANT',
    subject: '',
    period: 'DAY',
    currency: '',
    countMax: '5',
    amountMax: null,
  },
  FREEZE_LIFT: { scope: 'PROVIDER', subject: 'p', frozenBy: 'x', frozenAt: '2027-03-01T08:00:00.000Z' },
  MERCHANT_RESUME: { suspendedAt: '2027-03-01T00:00:00.000Z' },
  NUMBER_LIST: { list: 'ALLOWED', change: 'ADD', count: 1, number: '' },
  REVIEW: {
    paymentKind: 'PAYOUT',
    paymentId: 'p',
    decision: 'RELEASE',
    amount: '1',
    currency: 'x',
    reasons: ['SCREENED'],
  },
  REVIEW_RULE: { rule: 'SCREENING', subject: 'PAYOUT', withoutAnswer: null, amountAbove: null, hours: null },
  DAY_CLOSE: {
    closeId: 'c',
    provider: 'p',
    currency: 'x',
    day: '2027-03-01',
    opening: '0',
    closing: '0',
    unexplained: '0',
    bankUnexplained: '0',
    differenceCount: 0,
    lineCount: 12,
    linesThrough: 12,
    bankLineCount: 1,
    bankLinesThrough: 1,
    unreadableLineCount: 0,
    contentHash: 'h',
    note: '',
  },
  DAY_REOPEN: {
    closeId: 'c',
    provider: 'p',
    currency: 'x',
    day: '2027-03-01',
    contentHash: 'h',
    reason: 'r',
  },
  FIRST_DAY: {
    provider: 'p',
    currency: 'x',
    before: '2027-03-01',
    firstDay: '2027-03-04',
    dropped: {
      days: 3,
      movementCount: 9,
      lineCount: 8,
      received: '700',
      sent: '100',
      bankLineCount: 1,
      bankReceived: '50',
      bankSent: '0',
      differenceCount: 1,
      differing: '-100',
      bankDifferenceCount: 1,
      bankDiffering: '50',
      linesDigest: '8',
      movementsDigest: '9',
    },
  },
  BANK_ACCOUNT: { bankAccountId: 'a', currency: 'x', bank: 'b', number: 'n' },
  SETTLEMENT: {
    decision: 'REJECTED',
    country: 'c',
    currency: 'x',
    walletProvider: '',
    amount: '1',
    bank: 'b',
    number: 'n',
  },
  CELL_END: { endingId: 'e', from: '0001', to: '0002', toDatabase: 'd', balances: [], isRepeated: false },
  LOST_PAYMENT: {
    provider: 'p',
    reference: 'r',
    direction: 'IN',
    currency: 'x',
    amount: '1',
    bearer: 'PLATFORM',
    reason: 'r',
  },
};
