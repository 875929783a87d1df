// The connector to Safaricom's Daraja in Kenya. A push is known only by an identifier they pick and is charged again
// when repeated; a payout is known by ours. All ends but that of a push come later, to addresses with a secret.
import type { CallResult } from '../call.ts';
import { unansweredQuery, unansweredSubmit } from '../evidence.ts';
import { openLine, type BareLine, type Line, type LineCall } from '../line.ts';
import { ONLY_PRODUCT, type Account, type CredentialForm, type Operator } from '../operator.ts';
import type { OperatorContext, WantedAccount } from '../operator.ts';
import type {
  Connector,
  ConnectorTiming,
  RefundOrder,
  SendPermission,
  StoredAttempt,
  SubmitAnswer,
  SubmitOrder,
} from '../port.ts';
import { readNotification } from './results.ts';
import { securityCredentialOf } from './security-credential.ts';
import {
  isTokenRefusal,
  parseEnquiryAnswer,
  parsePushStatus,
  parseSubmitAnswer,
  parseTokenAnswer,
  personalIn,
  renderBalanceEnquiry,
  renderPayout,
  renderPush,
  renderPushEnquiry,
  renderReversal,
  renderStatusEnquiry,
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
  initiatorPassword: { what: 'the password of that operator', kind: 'SECRET', isOptional: true },
  certificate: { what: "Daraja's certificate of this environment, PEM", kind: 'OPEN', isOptional: true },
};

const PROVIDER = 'MPESA_KEN';

export const mpesaDaraja: Operator = {
  create,
  providers: [PROVIDER],
  credentials: { [ONLY_PRODUCT]: FIELDS },
  // Safaricom publishes no figure for all; what an app may do is agreed, and beyond it every call is an error.
  rate: { perSecond: 10, burst: 10 },
  double: () => import('./fake.ts'),
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

const TIMING: ConnectorTiming = {
  sendDeadlineMs: 10 * SECOND_MS,
  timeoutMs: 10 * SECOND_MS,
  notSeenAfterMs: 60 * SECOND_MS,
  // About 10, 20, 40, 60 and 90 seconds after the push, then minutes: its callback is posted once and may be lost.
  enquiryDelaysMs: [10, 10, 20, 20, 30, 60, 120, 300].map((seconds) => seconds * SECOND_MS),
  horizonMs: 30 * MINUTE_MS,
  reconciliationDelayMs: 60 * MINUTE_MS,
};

/** Each enquiry is a transaction of its own at Safaricom, whose result may take as long as the payment's. */
const LATER_DELAYS_MS = [60, 120, 300, 600].map((seconds) => seconds * SECOND_MS);

/** Callback and enquiry tell of a success at about the same time; only the callback has the receipt. */
const RECEIPT_WITHIN_MS = 2 * MINUTE_MS;

/** Safaricom does not post to addresses that hold its own name or that of its product, among other words. */
const ADDRESS_NAME = 'daraja';

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
  const desk = { line, context };
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
    submit: (order, permission) => (order.operation === 'DEPOSIT' ? push : pay)(desk, order, permission),
    query: (attempt) => (attempt.operation === 'DEPOSIT' ? askPush(desk, attempt) : askStatus(desk, attempt)),
    refund: { mode: 'REVERSAL', submit: (order, permission) => reverse(desk, order, permission) },
    balance: async (account) => {
      const result = await call(desk, account, 'INITIATOR', ({ values }) => ({
        ...post(values, '/mpesa/accountbalance/v1/query'),
        step: 'balance',
        body: renderBalanceEnquiry(account, values),
      }));
      const isAsked = result.type === 'ANSWER' && parseEnquiryAnswer(result).outcome === 'ENQUIRY_REQUESTED';
      return { type: isAsked ? 'REQUESTED' : 'UNKNOWN' };
    },
    notifications: {
      authenticity: 'PATH_SECRET',
      read: readNotification,
      acknowledge: () => ({ ResultCode: 0, ResultDesc: 'Accepted' }),
    },
    close: line.close,
  };
}

type Desk = { readonly line: Line; readonly context: OperatorContext };

async function push(desk: Desk, order: SubmitOrder, permission: SendPermission): Promise<SubmitAnswer> {
  const now = desk.context.clock.now();
  return submit(desk, order, 'PASSKEY', ({ values }) => ({
    ...post(values, '/mpesa/stkpush/v1/processrequest'),
    step: 'submit',
    body: renderPush(order, { values, now }),
    permission,
  }));
}

async function pay(desk: Desk, order: SubmitOrder, permission: SendPermission): Promise<SubmitAnswer> {
  return submit(desk, order, 'INITIATOR', ({ values }) => ({
    ...post(values, '/mpesa/b2c/v3/paymentrequest'),
    step: 'submit',
    body: renderPayout(order, values),
    permission,
  }));
}

async function reverse(desk: Desk, order: RefundOrder, permission: SendPermission): Promise<SubmitAnswer> {
  // A deposit whose callback was lost has no receipt, and nothing else names it to a reversal.
  if (order.original.providerTransactionId === undefined) return impossible('NO_RECEIPT');
  return submit(desk, order, 'INITIATOR', ({ values }) => ({
    ...post(values, '/mpesa/reversal/v1/request'),
    step: 'submit',
    body: renderReversal(order, values),
    permission,
  }));
}

async function submit(
  desk: Desk,
  order: SubmitOrder,
  key: Key,
  callFor: (account: Account) => LineCall,
): Promise<SubmitAnswer> {
  if (wholeShillings(order.amount) === null) return impossible('NOT_WHOLE_SHILLINGS');
  const result = await call(desk, order, key, (account) => ({ ...callFor(account), ...aboutPayment(order) }));
  if (result.type === 'ANSWER') return parseSubmitAnswer(result, order);
  const isLack = Object.values(LACKS).includes(result.error);
  return { ...unansweredSubmit(result), ...(isLack ? { alert: result.error } : {}) };
}

/** An order that nobody could ever send. */
function impossible(cause: string): SubmitAnswer {
  const evidence = JSON.stringify({ step: 'submit', error: cause, sent: false });
  return { outcome: { type: 'FAILED', code: 'OTHER_ERROR' }, evidence, alert: cause };
}

async function askPush(desk: Desk, attempt: StoredAttempt): Promise<SubmitAnswer> {
  const now = desk.context.clock.now();
  const result = await call(desk, attempt, 'PASSKEY', ({ values }) => ({
    ...post(values, '/mpesa/stkpushquery/v1/query'),
    step: 'query',
    body: renderPushEnquiry(attempt, { values, now }),
    ...aboutPayment(attempt),
  }));
  // Not beyond the horizon, where a host sets one that is so short.
  const withinMs = Math.min(RECEIPT_WITHIN_MS, desk.context.timing.horizonMs ?? RECEIPT_WITHIN_MS);
  const isYoung = now.getTime() - attempt.claimedAt.getTime() < withinMs;
  return result.type === 'ANSWER' ? parsePushStatus(result, attempt, { isYoung }) : unansweredQuery(result);
}

async function askStatus(desk: Desk, attempt: StoredAttempt) {
  const result = await call(desk, attempt, 'INITIATOR', ({ values }) => ({
    ...post(values, '/mpesa/transactionstatus/v1/query'),
    step: 'query',
    body: renderStatusEnquiry(attempt, values),
    ...aboutPayment(attempt),
  }));
  return result.type === 'ANSWER' ? parseEnquiryAnswer(result) : unansweredQuery(result);
}

/** What a call is signed with: an app may collect only, or pay only. */
type Key = 'PASSKEY' | 'INITIATOR';

const LACKS: Readonly<Record<Key, string>> = { PASSKEY: 'NO_PASSKEY', INITIATOR: 'NO_INITIATOR' };

/** Nothing is sent with a key that the account lacks: the refusal would say too little. */
async function call(
  { line, context }: Desk,
  wanted: WantedAccount,
  key: Key,
  callFor: (account: Account) => LineCall,
): Promise<CallResult> {
  const account = await context.findAccount(wanted);
  if (account !== null && !hasKey(account, key)) return { type: 'SILENCE', error: LACKS[key], sent: false };
  return line.call(wanted, callFor);
}

function hasKey({ values }: Account, key: Key): boolean {
  return key === 'PASSKEY' ? (values['passkey'] ?? '') !== '' : securityCredentialOf(values) !== null;
}

function post({ baseUrl = '' }: Account['values'], path: string) {
  return { method: 'POST', url: baseUrl + path, headers: { 'content-type': 'application/json' } } as const;
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

function aboutPayment(order: SubmitOrder) {
  return { reference: order.reference, personal: personalIn(order) };
}
