// The connector to MTN's MoMo Open API. MTN stores our reference: a repeat is answered with 409 and charges nothing.
// Callbacks carry no signature and no credential, so they only trigger an enquiry.
import { listProviders } from '../../domain/operators/catalogue.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import type { CallResult } from '../call.ts';
import { unansweredBalance, unansweredQuery, unansweredSubmit } from '../evidence.ts';
import { openLine, type BareLine, type Line } from '../line.ts';
import type { Account, CredentialForm, Operator, OperatorContext } from '../operator.ts';
import type {
  BalanceAccount,
  Connector,
  ConnectorTiming,
  HolderAnswer,
  HolderQuestion,
  SendPermission,
  StoredAttempt,
  SubmitRequest,
} from '../port.ts';
import { certification } from './certification.ts';
import { isMarket, targetEnvironmentOf } from './markets.ts';
import {
  parseActiveAnswer,
  parseBalanceAnswer,
  parseNameAnswer,
  parseStatusAnswer,
  parseSubmitAnswer,
  parseTokenAnswer,
  readNotification,
  renderRequest,
  renderRefund,
} from './wire.ts';

const FIELDS: CredentialForm = {
  baseUrl: {
    what: "MTN's address for this market, https://proxy.momoapi.mtn.com for most",
    kind: 'OPEN',
    identifiesAccount: true,
  },
  subscriptionKey: { what: 'the primary or secondary key of this product', kind: 'SECRET' },
  apiUser: { what: 'the API user, a UUID', kind: 'SECRET', identifiesAccount: true },
  apiKey: { what: 'the API key of that user', kind: 'SECRET' },
  targetEnvironment: {
    what: "where it is not the market's own: sandbox",
    kind: 'OPEN',
    isOptional: true,
    identifiesAccount: true,
  },
};

export const mtnMomo: Operator = {
  create: createMtnMomoConnector,
  providers: listProviders()
    .map(({ code }) => code)
    .filter(isMarket),
  credentials: { collection: FIELDS, disbursement: FIELDS },
  // Collections and disbursements have separate keys, users and tokens.
  productOf: (operation) => (operation === 'DEPOSIT' ? 'collection' : 'disbursement'),
  // MTN allows at most ten status requests a second (O).
  rate: { perSecond: 10, burst: 10 },
  certification,
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

const TIMING: ConnectorTiming = {
  sendDeadlineMs: 10 * SECOND_MS,
  timeoutMs: 10 * SECOND_MS,
  // A reference is sometimes not visible right after its 202 (X): one minute more than deadline and time-out.
  notSeenAfterMs: 80 * SECOND_MS,
  // The callback usually comes first. MTN recommends an enquiry after five minutes at the latest (O).
  enquiryDelaysMs: [30, 60, 90, 120, 300, 600].map((seconds) => seconds * SECOND_MS),
  // The payer has about five minutes (O). The rest allows for a slow platform.
  horizonMs: 30 * MINUTE_MS,
  approvalMs: 5 * MINUTE_MS,
  reconciliationDelayMs: 60 * MINUTE_MS,
};

function createMtnMomoConnector(context: OperatorContext): Connector {
  const timing: ConnectorTiming = { ...TIMING, ...context.timing };
  const line = openLine({
    name: 'mtn-momo',
    context,
    timeoutMs: timing.timeoutMs,
    token: { mint, headers: (token) => ({ authorization: `Bearer ${token}` }) },
  });
  return {
    name: 'mtn-momo',
    timing,
    reference: { chosenBy: 'OURS', shape: 'UUID' },
    repeatedSubmit: 'HARMLESS',
    supports: (operation, provider) => operation !== 'REMITTANCE' && isMarket(provider),
    submit: async (request, permission) => {
      const result = await post(line, request, { body: renderRequest(request), permission });
      return result.type === 'SILENCE' ? unansweredSubmit(result) : parseSubmitAnswer(result, request);
    },
    query: async (attempt) => {
      const result = await ask(line, attempt);
      return result.type === 'SILENCE' ? unansweredQuery(result) : parseStatusAnswer(result, attempt);
    },
    refund: {
      mode: 'NATIVE_PARTIAL',
      submit: async (request, permission) => {
        const result = await post(line, request, { body: renderRefund(request), permission });
        return result.type === 'SILENCE' ? unansweredSubmit(result) : parseSubmitAnswer(result, request);
      },
    },
    balance: async (account) => {
      const result = await askForBalance(line, account);
      return result.type === 'ANSWER'
        ? parseBalanceAnswer(result, account.currency)
        : unansweredBalance(result);
    },
    holder: (question) => askForHolder(line, question),
    notifications: { authenticity: 'HINTS_ONLY', read: readNotification },
    close: line.close,
  };
}

/** The path of each operation. A refund is paid from the disbursement float. */
const PATHS: Readonly<Record<Exclude<PaymentKind, 'REMITTANCE'>, string>> = {
  DEPOSIT: '/collection/v1_0/requesttopay',
  PAYOUT: '/disbursement/v1_0/transfer',
  REFUND: '/disbursement/v1_0/refund',
};

function pathOf(operation: PaymentKind): string {
  if (operation === 'REMITTANCE') throw new Error('this connector carries no remittances');
  return PATHS[operation];
}

type Posted = { readonly body: string; readonly permission: SendPermission };

function post(line: Line, request: SubmitRequest, { body, permission }: Posted): Promise<CallResult> {
  return line.call(request, (account) => ({
    step: 'submit',
    method: 'POST',
    url: account.values['baseUrl'] + pathOf(request.operation),
    headers: {
      ...headersOf(account),
      'content-type': 'application/json',
      'x-reference-id': request.reference,
      // Without this header MTN sends no callback, even if an address is registered.
      'x-callback-url': request.notificationUrl,
    },
    body,
    permission,
    ...aboutPayment(request),
  }));
}

function ask(line: Line, attempt: StoredAttempt): Promise<CallResult> {
  return line.call(attempt, (account) => ({
    step: 'query',
    method: 'GET',
    url: `${account.values['baseUrl']}${pathOf(attempt.operation)}/${attempt.reference}`,
    headers: headersOf(account),
    ...aboutPayment(attempt),
  }));
}

function askForBalance(line: Line, wanted: BalanceAccount): Promise<CallResult> {
  return line.call(wanted, (account) => ({
    step: 'balance',
    method: 'GET',
    url: `${account.values['baseUrl']}/${account.product}/v1_0/account/balance`,
    headers: headersOf(account),
  }));
}

/** Two calls: whether the account is active, and then its name. Payouts go to it, so their product asks. */
async function askForHolder(line: Line, { provider, phoneNumber }: HolderQuestion): Promise<HolderAnswer> {
  const askAbout = (topic: 'active' | 'basicuserinfo') =>
    line.call({ provider, operation: 'PAYOUT' }, (account) => ({
      step: 'holder',
      method: 'GET',
      url: `${account.values['baseUrl']}/${account.product}/v1_0/accountholder/msisdn/${phoneNumber}/${topic}`,
      headers: headersOf(account),
      personal: [phoneNumber],
    }));
  const active = await askAbout('active');
  const status = active.type === 'ANSWER' ? parseActiveAnswer(active) : 'UNKNOWN';
  if (status !== 'ACTIVE') return { status, name: null };
  const info = await askAbout('basicuserinfo');
  return { status, name: info.type === 'ANSWER' ? parseNameAnswer(info) : null };
}

async function mint(account: Account, line: BareLine) {
  const { baseUrl = '', apiUser, apiKey } = account.values;
  const result = await line.call(account, {
    step: 'token',
    method: 'POST',
    url: `${baseUrl}/${account.product}/token/`,
    headers: {
      ...headersOf(account),
      authorization: `Basic ${Buffer.from(`${apiUser}:${apiKey}`).toString('base64')}`,
    },
  });
  return result.type === 'SILENCE' ? { error: result.error } : parseTokenAnswer(result);
}

function headersOf({ values, provider }: Account): Readonly<Record<string, string>> {
  return {
    'ocp-apim-subscription-key': values['subscriptionKey'] ?? '',
    'x-target-environment': values['targetEnvironment'] ?? targetEnvironmentOf(provider),
  };
}

function aboutPayment({ reference, phoneNumber, customerMessage }: SubmitRequest) {
  return { reference, personal: [phoneNumber, customerMessage] };
}
