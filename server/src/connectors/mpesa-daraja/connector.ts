// The connector to Safaricom's Daraja in Kenya. An STK push is known only by Safaricom's identifier, and a repeated
// push charges again. A payout is known by our identifier. All final results except a push's arrive later, as answers
// to our enquiries.
import { unansweredBalance, unansweredSubmit, unknown } from '../evidence.ts';
import { openLine, type BareLine, type LineCall } from '../line.ts';
import { accountWanted, ONLY_PRODUCT } from '../operator.ts';
import type { Account, CredentialForm, Operator } from '../operator.ts';
import type { OperatorContext } from '../operator.ts';
import type {
  Connector,
  ConnectorTiming,
  RefundSubmitRequest,
  SendPermission,
  SubmitAnswer,
  SubmitRequest,
} from '../port.ts';
import { certification } from './certification.ts';
import { aboutPayment, call, LACKS, post, type Caller, type Key } from './calls.ts';
import { ADDRESS_NAME, answerUrlFor, askPush, askStatus, awaitsReceipt } from './enquiries.ts';
import { readNotification, type CertifiedStatuses } from './results.ts';
import {
  isTokenRefusal,
  parseEnquiryAnswer,
  parseSubmitAnswer,
  parseTokenAnswer,
  receiptOf,
  renderBalanceEnquiry,
  renderPayout,
  renderPush,
  renderReversal,
  wholeShillings,
} from './wire.ts';

const FIELDS: CredentialForm = {
  baseUrl: { what: 'https://api.safaricom.co.ke, or the sandbox', kind: 'OPEN', identifiesAccount: true },
  consumerKey: { what: 'the consumer key of the app', kind: 'SECRET' },
  consumerSecret: { what: 'the consumer secret of the app', kind: 'SECRET' },
  shortCode: { what: 'the short code that collects', kind: 'OPEN', identifiesAccount: true },
  passkey: { what: 'for deposits: the passkey of the short code', kind: 'SECRET', isOptional: true },
  tillNumber: {
    what: 'for deposits to a till instead of a pay bill',
    kind: 'OPEN',
    isOptional: true,
    identifiesAccount: true,
  },
  payoutShortCode: {
    what: 'where payouts are paid from another one',
    kind: 'OPEN',
    isOptional: true,
    identifiesAccount: true,
  },
  initiatorName: { what: 'for all but deposits: the API operator', kind: 'OPEN', isOptional: true },
  initiatorPassword: {
    what: 'the password of that operator',
    kind: 'SECRET',
    isOptional: true,
    lastsDays: 90,
  },
  failedStatuses: {
    what: 'words for a failed payout that Safaricom has confirmed, such as Cancelled Declined Expired',
    kind: 'OPEN',
    isOptional: true,
  },
  certificate: { what: "Daraja's certificate of this environment, PEM", kind: 'OPEN', isOptional: true },
};

const PROVIDER = 'MPESA_KEN';

export const mpesaDaraja: Operator = {
  create,
  providers: [PROVIDER],
  credentials: { [ONLY_PRODUCT]: FIELDS },
  // Safaricom publishes no general limit. Each app has an agreed one, and every call above it fails.
  rate: { perSecond: 10, burst: 10 },
  // Enquiries have their own limit: the sandbox allows 5 a minute, which is `queriesPerSecond` 0.08.
  queryRate: { perSecond: 10, burst: 10 },
  certification,
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

const TIMING: ConnectorTiming = {
  sendDeadlineMs: 10 * SECOND_MS,
  timeoutMs: 10 * SECOND_MS,
  notSeenAfterMs: 60 * SECOND_MS,
  // About 10, 20, 40, 60 and 90 seconds after the push, then minutes. The callback is sent once and may be lost.
  enquiryDelaysMs: [10, 10, 20, 20, 30, 60, 120, 300].map((seconds) => seconds * SECOND_MS),
  horizonMs: 30 * MINUTE_MS,
  reconciliationDelayMs: 60 * MINUTE_MS,
};

/** Each enquiry is a transaction of its own at Safaricom; its result may take as long as the payment's. */
const LATER_DELAYS_MS = [60, 120, 300, 600].map((seconds) => seconds * SECOND_MS);

/** The twelve IP addresses that Safaricom sends from. */
const SOURCES = [
  ...['69', '74', '127', '129', '136', '138'].map((last) => `196.201.212.${last}`),
  ...['44', '114'].map((last) => `196.201.213.${last}`),
  ...['200', '206', '207', '208'].map((last) => `196.201.214.${last}`),
];

function create(context: OperatorContext): Connector {
  const timing: ConnectorTiming = { ...TIMING, ...context.timing };
  const laterTiming = { ...timing, enquiryDelaysMs: LATER_DELAYS_MS, ...context.timing };
  const line = openLine({
    name: 'mpesa-daraja',
    context,
    timeoutMs: timing.timeoutMs,
    token: {
      mint,
      headers: (token) => ({ authorization: `Bearer ${token}` }),
      isRefusal: isTokenRefusal,
    },
  });
  const caller = { line, context };
  return {
    name: 'mpesa-daraja',
    addressName: ADDRESS_NAME,
    timing,
    reference: { chosenBy: 'THEIRS', shape: 'UUID' },
    repeatedSubmit: 'CHARGES_AGAIN',
    departures: {
      PAYOUT: {
        timing: laterTiming,
        reference: { chosenBy: 'OURS', shape: 'UUID' },
        repeatedSubmit: 'HARMLESS',
        neverSaysNotSeen: true,
      },
      REFUND: { timing: laterTiming },
    },
    supports: (operation, provider) => operation !== 'REMITTANCE' && provider === PROVIDER,
    submit: (request, permission) =>
      (request.operation === 'DEPOSIT' ? push : pay)(caller, request, permission),
    query: (attempt) =>
      attempt.operation === 'DEPOSIT' ? askPush(caller, attempt) : askStatus(caller, attempt),
    refund: { mode: 'REVERSAL', submit: (request, permission) => reverse(caller, request, permission) },
    balance: async (account) => {
      const answerUrl = await answerUrlFor(caller, account);
      const result = await call(caller, account, 'INITIATOR', ({ values }) => ({
        ...post(values, '/mpesa/accountbalance/v1/query'),
        step: 'balance',
        body: renderBalanceEnquiry(account, { values, answerUrl }),
      }));
      if (result.type === 'SILENCE') return unansweredBalance(result);
      const isAsked = parseEnquiryAnswer(result).outcome === 'ENQUIRY_REQUESTED';
      return { type: isAsked ? 'REQUESTED' : 'UNKNOWN' };
    },
    notifications: {
      authenticity: 'ANSWERS_ONLY',
      sources: SOURCES,
      read: async (notification, accountOf) => {
        const account = await accountOf(notification.pathReference ?? '');
        return readNotification(notification, await certifiedBy(context, account));
      },
      acknowledge: () => ({ ResultCode: 0, ResultDesc: 'Accepted' }),
    },
    close: line.close,
  };
}

async function push(
  caller: Caller,
  request: SubmitRequest,
  permission: SendPermission,
): Promise<SubmitAnswer> {
  const now = caller.context.clock.now();
  return submit(caller, request, 'PASSKEY', ({ values }) => ({
    ...post(values, '/mpesa/stkpush/v1/processrequest'),
    step: 'submit',
    body: renderPush(request, { values, now }),
    permission,
  }));
}

async function pay(
  caller: Caller,
  request: SubmitRequest,
  permission: SendPermission,
): Promise<SubmitAnswer> {
  return submit(caller, request, 'INITIATOR', ({ values }) => ({
    ...post(values, '/mpesa/b2c/v3/paymentrequest'),
    step: 'submit',
    body: renderPayout(request, values),
    permission,
  }));
}

async function reverse(
  caller: Caller,
  request: RefundSubmitRequest,
  permission: SendPermission,
): Promise<SubmitAnswer> {
  // A reversal needs a receipt that an enquiry has confirmed.
  if (receiptOf(request.original) === undefined) {
    const { horizonMs } = { ...TIMING, ...caller.context.timing };
    return (await awaitsReceipt(caller, request.original, horizonMs))
      ? NOT_PROVED_YET
      : impossible('NO_RECEIPT');
  }
  return submit(caller, request, 'INITIATOR', ({ values }) => ({
    ...post(values, '/mpesa/reversal/v1/request'),
    step: 'submit',
    body: renderReversal(request, values),
    permission,
  }));
}

async function submit(
  caller: Caller,
  request: SubmitRequest,
  key: Key,
  callFor: (account: Account) => LineCall,
): Promise<SubmitAnswer> {
  if (wholeShillings(request.amount) === null) return impossible('NOT_WHOLE_SHILLINGS');
  const result = await call(caller, request, key, (account) => ({
    ...callFor(account),
    ...aboutPayment(request),
  }));
  if (result.type === 'ANSWER') return parseSubmitAnswer(result, request);
  const isLack = Object.values(LACKS).includes(result.error);
  return { ...unansweredSubmit(result), ...(isLack ? { alert: result.error } : {}) };
}

const NOT_PROVED_YET = unknown(
  'NOT_YET',
  JSON.stringify({ step: 'submit', error: 'RECEIPT_NOT_PROVED', sent: false }),
);

/** A request that can never be sent. */
function impossible(cause: string): SubmitAnswer {
  const evidence = JSON.stringify({ step: 'submit', error: cause, sent: false });
  return { outcome: { type: 'FAILED', code: 'OTHER_ERROR' }, evidence, alert: cause };
}

/** The status words that the host has certified as failures. */
async function certifiedBy(
  { findAccount }: OperatorContext,
  sentWith: string | undefined,
): Promise<CertifiedStatuses> {
  const account = await findAccount(accountWanted({ provider: PROVIDER, operation: 'PAYOUT' }, sentWith));
  return new Set((account?.values['failedStatuses'] ?? '').split(/[\s,]+/).filter((word) => word !== ''));
}

async function mint(account: Account, line: BareLine) {
  const { baseUrl = '', consumerKey, consumerSecret } = account.values;
  const result = await line.call(account, {
    step: 'token',
    method: 'GET',
    url: `${baseUrl}/oauth/v1/generate?grant_type=client_credentials`,
    headers: {
      authorization: `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`,
    },
  });
  return result.type === 'SILENCE' ? { error: result.error } : parseTokenAnswer(result);
}
