// The connector to any operator with the GSMA Mobile Money API 1.2. Our reference is the client correlation id: a
// repeat is refused, and a lost answer can be fetched with it. Callbacks only trigger an enquiry.
import { createHash } from 'node:crypto';
import { findProvider } from '../../domain/operators/catalogue.ts';
import type { Clock } from '../../domain/clock.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import type { CallResult } from '../call.ts';
import { unansweredBalance, unansweredQuery, unansweredSubmit, unknown } from '../evidence.ts';
import { openLine, type BareLine, type Line } from '../line.ts';
import { ONLY_PRODUCT, type Account, type CredentialForm } from '../operator.ts';
import type { Operator, OperatorContext } from '../operator.ts';
import type { Connector, ConnectorTiming, RefundSubmitRequest, SendPermission } from '../port.ts';
import type { StoredAttempt, SubmitAnswer, SubmitRequest } from '../port.ts';
import { certification } from './certification.ts';
import { personalOf } from './remittance.ts';
import {
  firstResourceOf,
  isTokenRefusal,
  parseBalanceAnswer,
  parseEnquiry,
  parseSubmitAnswer,
  parseTokenAnswer,
  readNotification,
  renderRequest,
  renderReversal,
  type Party,
  type Resource,
} from './wire.ts';

const FIELDS: CredentialForm = {
  baseUrl: {
    what: "the operator's address up to the resources, https://…/1.2/mm",
    kind: 'OPEN',
    identifiesAccount: true,
  },
  clientId: {
    what: 'the client of OAuth 2.0, or the user of Basic',
    kind: 'SECRET',
    identifiesAccount: true,
  },
  clientSecret: { what: 'its secret, or the password of Basic', kind: 'SECRET' },
  tokenUrl: {
    what: 'where tokens of OAuth 2.0 are given; without it Basic is used',
    kind: 'OPEN',
    isOptional: true,
  },
  scope: {
    what: 'the scope to ask tokens for, where the operator wants one',
    kind: 'OPEN',
    isOptional: true,
  },
  apiKey: { what: 'for X-API-Key, where the operator gave one', kind: 'SECRET', isOptional: true },
  account: { what: "the host's own account with the operator", kind: 'OPEN', identifiesAccount: true },
  accountType: {
    what: 'what names it: accountid if nothing is said, msisdn, …',
    kind: 'OPEN',
    isOptional: true,
    identifiesAccount: true,
  },
  institution: {
    what: 'for X-Account-Holding-Institution-Identifier',
    kind: 'OPEN',
    isOptional: true,
    identifiesAccount: true,
  },
  statusWords: {
    what: "the operator's own words for a status: completed=paid,success pending=paused failed=voided",
    kind: 'OPEN',
    isOptional: true,
  },
};

export const gsma: Operator = {
  create: createGsmaConnector,
  // No source says that an operator in the catalogue uses this standard. A host whose operator does can bind it.
  providers: [],
  example: 'ZAMTEL_ZMB',
  credentials: { [ONLY_PRODUCT]: FIELDS },
  // The standard has an error for too many requests, but no limit.
  rate: { perSecond: 10, burst: 10 },
  certification,
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

const TIMING: ConnectorTiming = {
  sendDeadlineMs: 10 * SECOND_MS,
  // An enquiry can take three calls and a token.
  timeoutMs: 8 * SECOND_MS,
  // A lost answer may be available only after the payer has answered; sending again before that would be refused.
  notSeenAfterMs: 5 * MINUTE_MS,
  enquiryDelaysMs: [20, 30, 60, 120, 300, 600].map((seconds) => seconds * SECOND_MS),
  horizonMs: 30 * MINUTE_MS,
  reconciliationDelayMs: 60 * MINUTE_MS,
};

function createGsmaConnector(context: OperatorContext): Connector {
  const timing: ConnectorTiming = { ...TIMING, ...context.timing };
  const { timeoutMs } = timing;
  const token = { mint, headers: authorizationOf, isRefusal: isTokenRefusal };
  const line = openLine({ name: 'gsma', context, timeoutMs, token });
  const caller: Caller = { line, clock: context.clock };
  return {
    name: 'gsma',
    timing,
    reference: { chosenBy: 'OURS', shape: 'UUID' },
    repeatedSubmit: 'HARMLESS',
    supports: isSupported,
    submit: (request, permission) =>
      submit(caller, request, {
        path: `/transactions/type/${typeOf(request.operation)}`,
        render: (own) => renderRequest(request, own),
        permission,
      }),
    query: (attempt) => enquire(caller, attempt),
    refund: {
      // Part of a transaction can be reversed too, with an amount.
      mode: 'REVERSAL',
      submit: (request, permission) =>
        submit(caller, request, {
          path: reversalPathOf(request),
          render: () => renderReversal(request),
          permission,
        }),
    },
    balance: async (wanted) => {
      const result = await line.call(wanted, (account) => {
        const { key, value } = partyOf(account);
        const path = `/accounts/${encodeURIComponent(key)}/${encodeURIComponent(value)}/balance`;
        return { step: 'balance', method: 'GET', ...addressOf(caller, account, path) };
      });
      return result.type === 'ANSWER'
        ? parseBalanceAnswer(result, wanted.currency)
        : unansweredBalance(result);
    },
    notifications: { authenticity: 'HINTS_ONLY', read: readNotification },
    close: line.close,
  };
}

type Caller = { readonly line: Line; readonly clock: Clock };

/** The standard has no redirect to a payment page. */
function isSupported(operation: PaymentKind, provider: string): boolean {
  const facts = findProvider(provider);
  if (facts === null) return false;
  return operation !== 'DEPOSIT' || facts.authType !== 'REDIRECT_AUTH';
}

function typeOf(operation: PaymentKind): string {
  if (operation === 'DEPOSIT') return 'merchantpay';
  return operation === 'REMITTANCE' ? 'inttransfer' : 'disbursement';
}

function reversalPathOf({ original }: RefundSubmitRequest): string {
  return `/transactions/${encodeURIComponent(original.providerTransactionId ?? original.reference)}/reversals`;
}

type Posted = {
  readonly path: string;
  readonly render: (own: Party) => string;
  readonly permission: SendPermission;
};

async function submit(
  caller: Caller,
  request: SubmitRequest,
  { path, render, permission }: Posted,
): Promise<SubmitAnswer> {
  let words = '';
  const result = await caller.line.call(request, (account) => {
    words = wordsOf(account);
    const body = render(partyOf(account));
    const { url, headers } = addressOf(caller, account, path);
    return {
      step: 'submit',
      method: 'POST',
      url,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'x-correlationid': request.reference,
        'x-callback-url': request.notificationUrl,
        'x-content-hash': createHash('sha256').update(body).digest('hex'),
      },
      body,
      permission,
      ...aboutPayment(request),
    };
  });
  return result.type === 'SILENCE' ? unansweredSubmit(result) : parseSubmitAnswer(result, request, words);
}

/** The request state, the lost answer and the transaction: an enquiry never needs more calls. */
const HOPS_MAX = 3;

async function enquire(caller: Caller, attempt: StoredAttempt): Promise<SubmitAnswer> {
  let resource = firstResourceOf(attempt);
  for (let hop = 0; hop < HOPS_MAX; hop += 1) {
    const { result, words } = await ask(caller, attempt, resource);
    if (result.type === 'SILENCE') return unansweredQuery(result);
    const enquired = parseEnquiry(resource, result, { attempt, words });
    if (!('next' in enquired)) return enquired;
    resource = enquired.next;
  }
  return unknown('UNREADABLE_ANSWER', JSON.stringify({ step: 'query', error: 'RESOURCES_GO_ROUND' }));
}

async function ask(
  caller: Caller,
  attempt: StoredAttempt,
  { kind, id }: Resource,
): Promise<{ readonly result: CallResult; readonly words: string }> {
  let words = '';
  const result = await caller.line.call(attempt, (account) => {
    words = wordsOf(account);
    const path = `/${kind}/${encodeURIComponent(id)}`;
    return { step: 'query', method: 'GET', ...addressOf(caller, account, path), ...aboutPayment(attempt) };
  });
  return { result, words };
}

function wordsOf({ values }: Account): string {
  return values['statusWords'] ?? '';
}

function partyOf({ values }: Account): Party {
  return { key: values['accountType'] ?? 'accountid', value: values['account'] ?? '' };
}

function addressOf({ clock }: Caller, { values }: Account, path: string) {
  const { baseUrl = '', apiKey, institution } = values;
  const headers: Record<string, string> = {
    'accept-charset': 'utf-8',
    'x-date': clock.now().toUTCString(),
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
    ...(institution === undefined
      ? {}
      : {
          'x-account-holding-institution-identifier': institution,
          'x-account-holding-institution-identifier-type': 'organisationid',
        }),
  };
  return { url: baseUrl + path, headers };
}

async function mint(account: Account, line: BareLine) {
  const { tokenUrl, scope } = account.values;
  // Basic authentication sends the keys themselves, so there is no token to request or renew.
  if (tokenUrl === undefined) return { token: basicOf(account), lifetimeMs: DAY_MS };
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope === undefined ? {} : { scope }),
  });
  const result = await line.call(account, {
    step: 'token',
    method: 'POST',
    url: tokenUrl,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${basicOf(account)}`,
    },
    body: form.toString(),
  });
  return result.type === 'SILENCE' ? { error: result.error } : parseTokenAnswer(result);
}

function authorizationOf(token: string, { values }: Account): Readonly<Record<string, string>> {
  return { authorization: `${values['tokenUrl'] === undefined ? 'Basic' : 'Bearer'} ${token}` };
}

function basicOf({ values }: Account): string {
  return Buffer.from(`${values['clientId']}:${values['clientSecret']}`).toString('base64');
}

function aboutPayment(request: SubmitRequest) {
  const { reference, phoneNumber, customerMessage, preAuthorisationCode = '' } = request;
  return {
    reference,
    personal: [phoneNumber, customerMessage, preAuthorisationCode, ...personalOf(request)],
  };
}
