// The connector to Sonatel's Orange Money API in Senegal. A deposit with the payer's code is final in the answer;
// without a code it waits until the payer approves it in the menu. Payouts and refunds are cash-ins from the retailer's
// account, with its PIN encrypted. It is not documented that a repeated reference is refused, so nothing is sent twice.
import type { KeyObject } from 'node:crypto';
import { afterSent, type CallResult } from '../call.ts';
import { unansweredBalance, unansweredQuery, unansweredSubmit } from '../evidence.ts';
import { openLine, type BareLine, type Line, type LineCall } from '../line.ts';
import {
  accountWanted,
  type Account,
  type CredentialForm,
  type Operator,
  type OperatorContext,
  type WantedAccount,
} from '../operator.ts';
import type {
  BalanceAccount,
  Connector,
  ConnectorTiming,
  SendPermission,
  SubmitAnswer,
  SubmitRequest,
} from '../port.ts';
import { certification } from './certification.ts';
import { operationIn, readNotification, referenceIn } from './notification.ts';
import {
  encryptPin,
  enquiryPathOf,
  isKeyRevoked,
  nationalOf,
  parseBalanceAnswer,
  parseKeyAnswer,
  parseStatusAnswer,
  parseSubmitAnswer,
  parseTokenAnswer,
  renderBalance,
  renderRequest,
} from './wire.ts';

const PROVIDER = 'ORANGE_SEN';

const FIELDS: CredentialForm = {
  baseUrl: {
    what: "Sonatel's address, https://api.orange-sonatel.com",
    kind: 'OPEN',
    identifiesAccount: true,
  },
  clientId: { what: 'the client id of the application', kind: 'SECRET', identifiesAccount: true },
  clientSecret: { what: 'its client secret', kind: 'SECRET' },
  number: { what: 'the number of the account, nine digits', kind: 'OPEN', identifiesAccount: true },
  pin: { what: 'the PIN of that number', kind: 'SECRET' },
  webhookSecret: { what: 'the secret that callbacks are signed with', kind: 'SECRET', isOptional: true },
  callbackApiKey: {
    what: 'the API key that callbacks carry as Authorization: Basic',
    kind: 'SECRET',
    isOptional: true,
  },
  tokenPath: {
    what: 'the path of tokens; default: /oauth/v1/token, then /oauth/token',
    kind: 'OPEN',
    isOptional: true,
  },
};

const MERCHANT_FIELDS: CredentialForm = {
  ...FIELDS,
  merchantCode: { what: 'the code of the merchant, six digits', kind: 'OPEN', identifiesAccount: true },
};

export const orangeSonatel: Operator = {
  create: createOrangeSonatelConnector,
  providers: [PROVIDER],
  credentials: { merchant: MERCHANT_FIELDS, retailer: FIELDS },
  // A merchant account takes payments, a retailer account makes cash-ins; each has its own number and PIN.
  productOf: (operation) => (operation === 'DEPOSIT' ? 'merchant' : 'retailer'),
  // The sandbox allows 60 token requests a minute. No other limit is published.
  rate: { perSecond: 10, burst: 10 },
  certification,
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

const TIMING: ConnectorTiming = {
  sendDeadlineMs: 10 * SECOND_MS,
  timeoutMs: 15 * SECOND_MS,
  // Sonatel has no answer for "not found", so this is only a bound.
  notSeenAfterMs: 120 * SECOND_MS,
  // The answer or the callback usually comes first. Sonatel promises a final result within a day.
  enquiryDelaysMs: [10, 20, 40, 60, 120, 300, 600].map((seconds) => seconds * SECOND_MS),
  horizonMs: 60 * MINUTE_MS,
  reconciliationDelayMs: 60 * MINUTE_MS,
};

function createOrangeSonatelConnector(context: OperatorContext): Connector {
  const timing: ConnectorTiming = { ...TIMING, ...context.timing };
  const line = openLine({
    name: 'orange-sonatel',
    context,
    timeoutMs: timing.timeoutMs,
    token: { mint, headers: (token) => ({ authorization: `Bearer ${token}` }) },
  });
  const caller: Caller = { line, context, keys: new Map() };
  const submit: Connector['submit'] = async (request, permission): Promise<SubmitAnswer> => {
    const result = await send(caller, request, permission);
    return result.type === 'SILENCE' ? unansweredSubmit(result) : parseSubmitAnswer(result, request);
  };
  return {
    name: 'orange-sonatel',
    timing,
    reference: { chosenBy: 'OURS', shape: 'UUID' },
    repeatedSubmit: 'CHARGES_AGAIN',
    neverSaysNotSeen: true,
    supports: (operation, provider) => operation !== 'REMITTANCE' && provider === PROVIDER,
    submit,
    query: async (attempt) => {
      const result = await line.call(attempt, ({ values }) => ({
        step: 'query',
        method: 'GET',
        url: `${values['baseUrl']}${enquiryPathOf(attempt)}`,
        headers: {},
        ...aboutPayment(attempt),
      }));
      return result.type === 'SILENCE' ? unansweredQuery(result) : parseStatusAnswer(result, attempt);
    },
    refund: { mode: 'PAYOUT_EMULATED', submit },
    balance: async (account) => {
      // Only a retailer account can ask for its balance.
      if (account.operation === 'DEPOSIT') return { type: 'NOT_ASKED' };
      const result = await askForBalance(caller, account);
      return result.type === 'ANSWER'
        ? parseBalanceAnswer(result, account.currency)
        : unansweredBalance(result);
    },
    notifications: {
      authenticity: 'SIGNED',
      read: async (notification, accountOf) => {
        const wanted = { provider: PROVIDER, operation: operationIn(notification) };
        const sentWith = await accountOf(referenceIn(notification) ?? '');
        const account = await context.findAccount(accountWanted(wanted, sentWith));
        return readNotification(notification, account?.values ?? {});
      },
    },
    close: line.close,
  };
}

type Caller = {
  readonly line: Line;
  readonly context: OperatorContext;
  /** Sonatel's public keys by account, until they are withdrawn. */
  readonly keys: Map<string, Promise<Found>>;
};

const PAYMENTS = '/api/eWallet/v1/payments';
const CASH_INS = '/api/eWallet/v1/cashins';

/** A payer's code replaces the PIN. Without it our PIN is needed. */
function send(caller: Caller, request: SubmitRequest, permission: SendPermission): Promise<CallResult> {
  const call = (account: Account, path: string, body: string): LineCall => ({
    step: 'submit',
    method: 'POST',
    url: `${account.values['baseUrl']}${path}`,
    headers: { 'content-type': 'application/json', 'x-callback-url': request.notificationUrl },
    body,
    permission,
    ...aboutPayment(request),
  });
  if (request.operation === 'DEPOSIT' && request.preAuthorisationCode !== undefined) {
    return caller.line.call(request, (account) => {
      const { merchantCode = '' } = account.values;
      return call(account, `${PAYMENTS}/onestep`, renderRequest(request, { merchantCode }));
    });
  }
  const path = request.operation === 'DEPOSIT' ? PAYMENTS : CASH_INS;
  return callWithPin(caller, request, (account, encryptedPinCode) => {
    const { number = '' } = account.values;
    return call(account, path, renderRequest(request, { number, encryptedPinCode }));
  });
}

function askForBalance(caller: Caller, wanted: BalanceAccount): Promise<CallResult> {
  return callWithPin(caller, wanted, ({ values }, encryptedPinCode) => ({
    step: 'balance',
    method: 'POST',
    url: `${values['baseUrl']}/api/eWallet/v1/account/retailer/balance`,
    headers: { 'content-type': 'application/json' },
    body: renderBalance(values['number'] ?? '', encryptedPinCode),
  }));
}

/** A call with a withdrawn key is refused without effect, so it is sent once more with the new key. */
async function callWithPin(
  caller: Caller,
  request: WantedAccount,
  callFor: (account: Account, encryptedPinCode: string) => LineCall,
): Promise<CallResult> {
  const holder = await caller.context.findAccount(request);
  if (holder === null) return { type: 'SILENCE', error: 'NO_CREDENTIALS', sent: false };
  const wanted: KeyHolder = { ...request, name: holder.name };
  const attempt = async (found: Found): Promise<CallResult> => {
    if ('error' in found) return { type: 'SILENCE', error: found.error, sent: false };
    return caller.line.call(wanted, (account) =>
      callFor(account, encryptPin(account.values['pin'] ?? '', found.key)),
    );
  };
  const inProgress = keyFor(caller, wanted);
  const held = caller.keys.get(wanted.name);
  const result = await attempt(await inProgress);
  if (!isKeyRevoked(result)) return result;
  // Another call may have refreshed it already.
  if (caller.keys.get(wanted.name) === held) caller.keys.delete(wanted.name);
  return afterSent(await attempt(await keyFor(caller, wanted)));
}

/** The name of the account: its key is cached under it. */
type KeyHolder = WantedAccount & Pick<Account, 'name'>;

type Found = { readonly key: KeyObject } | { readonly error: string };

/** Concurrent callers share one key request. */
async function keyFor({ line, keys }: Caller, wanted: KeyHolder): Promise<Found> {
  const inProgress = keys.get(wanted.name) ?? fetchKey(line, wanted);
  keys.set(wanted.name, inProgress);
  const found = await inProgress;
  if ('error' in found && keys.get(wanted.name) === inProgress) keys.delete(wanted.name);
  return found;
}

async function fetchKey(line: Line, wanted: KeyHolder): Promise<Found> {
  const result = await line.call(wanted, ({ values }) => ({
    step: 'key',
    method: 'GET',
    url: `${values['baseUrl']}/api/account/v1/publicKeys`,
    headers: {},
  }));
  if (result.type === 'SILENCE') return { error: result.error };
  const key = parseKeyAnswer(result);
  return key === null ? { error: `NO_KEY_HTTP_${result.httpStatus}` } : { key };
}

/** Sources name two token addresses. An application without the first one gets 404 there. */
const TOKEN_PATHS = ['/oauth/v1/token', '/oauth/token'] as const;

async function mint(account: Account, line: BareLine) {
  const [first, second] = TOKEN_PATHS;
  const { tokenPath } = account.values;
  const result = await askForToken(account, line, tokenPath ?? first);
  const isInOtherCell = tokenPath === undefined && result.type === 'ANSWER' && result.httpStatus === 404;
  const last = isInOtherCell ? await askForToken(account, line, second) : result;
  return last.type === 'SILENCE' ? { error: last.error } : parseTokenAnswer(last);
}

function askForToken(account: Account, line: BareLine, path: string): Promise<CallResult> {
  const { baseUrl = '', clientId = '', clientSecret = '' } = account.values;
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  return line.call(account, {
    step: 'token',
    method: 'POST',
    url: `${baseUrl}${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
}

function aboutPayment(request: SubmitRequest): Pick<LineCall, 'reference' | 'personal'> {
  const { reference, phoneNumber, customerMessage, preAuthorisationCode = phoneNumber } = request;
  return {
    reference,
    personal: [phoneNumber, nationalOf(phoneNumber), customerMessage, preAuthorisationCode],
  };
}
