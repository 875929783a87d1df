// The connector to Wave's business APIs: checkout sessions that the payer opens in the Wave app, payouts, refunds and
// the balance of a wallet. Wave stores our reference and can search for it, but a session requested twice becomes two
// sessions, and both can be paid.
import type { CallResult } from '../call.ts';
import { unansweredBalance, unansweredQuery, unansweredSubmit, unknown } from '../evidence.ts';
import { openLine, type Line, type LineCall } from '../line.ts';
import {
  accountWanted,
  ONLY_PRODUCT,
  type Account,
  type CredentialForm,
  type Operator,
} from '../operator.ts';
import type { OperatorContext, WantedAccount } from '../operator.ts';
import type {
  Connector,
  ConnectorTiming,
  RefundSubmitRequest,
  SendPermission,
  StoredAttempt,
  SubmitAnswer,
  SubmitRequest,
} from '../port.ts';
import { timedSignatureOf } from '../timed-signature.ts';
import { certification } from './certification.ts';
import {
  paidSessionIn,
  parseBalanceAnswer,
  parseRefundAnswer,
  parseStatusAnswer,
  parseSubmitAnswer,
  readNotification,
  reasonOf,
  referenceIn,
  renderRequest,
  SEPARATOR,
} from './wire.ts';

const FIELDS: CredentialForm = {
  baseUrl: { what: "Wave's address, https://api.wave.com", kind: 'OPEN', identifiesAccount: true },
  // Wave's API never names the wallet, and a key does not identify it.
  wallet: {
    what: "your own name for the wallet: the same with each of the wallet's keys, another with another wallet",
    kind: 'OPEN',
    identifiesAccount: true,
  },
  apiKey: { what: 'the API key of the wallet, with checkout, payout and balance', kind: 'SECRET' },
  webhookSecret: { what: 'the signing secret of the webhook that is registered for us', kind: 'SECRET' },
  signingSecret: {
    what: 'where the API key demands signed requests: its signing secret',
    kind: 'SECRET',
    isOptional: true,
  },
};

export const wave: Operator = {
  create: createWaveConnector,
  providers: ['WAVE_SEN', 'WAVE_CIV'],
  // An account may require signed requests; the fake's wallet in Ivory Coast does.
  variants: ['WAVE_CIV'],
  credentials: { [ONLY_PRODUCT]: FIELDS },
  // Wave limits the rate but does not publish the limit.
  rate: { perSecond: 10, burst: 10 },
  certification,
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

const TIMING: ConnectorTiming = {
  sendDeadlineMs: 10 * SECOND_MS,
  timeoutMs: 10 * SECOND_MS,
  // Wave does not say how soon the search finds a new session: one minute more than deadline and time-out.
  notSeenAfterMs: 80 * SECOND_MS,
  // The webhook usually comes first.
  enquiryDelaysMs: [20, 40, 60, 120, 300, 600].map((seconds) => seconds * SECOND_MS),
  // A session can be paid for 30 minutes (O). The rest is for a payment started in the last minute.
  horizonMs: 45 * MINUTE_MS,
  reconciliationDelayMs: 60 * MINUTE_MS,
};

function createWaveConnector(context: OperatorContext): Connector {
  const timing: ConnectorTiming = { ...TIMING, ...context.timing };
  const line = openLine({ name: 'wave', context, timeoutMs: timing.timeoutMs });
  const caller: Caller = { line, sign: (account, body) => headersOf(account, body, context.clock.now()) };
  return {
    name: 'wave',
    timing,
    reference: { chosenBy: 'OURS', shape: 'UUID' },
    repeatedSubmit: 'HARMLESS',
    departures: {
      DEPOSIT: { repeatedSubmit: 'CHARGES_AGAIN' },
      // Wave stores no reference of ours with a refund. Its session identifies it.
      REFUND: { reference: { chosenBy: 'THEIRS', shape: 'UUID', isOriginals: true } },
    },
    supports: (operation, provider) => operation !== 'REMITTANCE' && wave.providers.includes(provider),
    submit: async (request, permission) => {
      const path = request.operation === 'DEPOSIT' ? SESSIONS : PAYOUT;
      const result = await post(caller, request, { path, body: renderRequest(request), permission });
      return result.type === 'SILENCE' ? unansweredSubmit(result) : parseSubmitAnswer(result, request);
    },
    query: async (attempt) => {
      const result = await get(caller, attempt, { step: 'query', path: pathOf(attempt), about: attempt });
      return result.type === 'SILENCE' ? unansweredQuery(result) : parseStatusAnswer(result, attempt);
    },
    refund: {
      mode: 'NATIVE_FULL',
      submit: (request, permission) => refund(caller, request, permission),
    },
    balance: async (account) => {
      const result = await get(caller, account, { step: 'balance', path: '/v1/balance' });
      return result.type === 'ANSWER'
        ? parseBalanceAnswer(result, account.currency)
        : unansweredBalance(result);
    },
    notifications: {
      authenticity: 'SIGNED',
      read: async (notification, accountOf) => {
        const { pathProvider: provider = '' } = notification;
        const sentWith = await accountOf(referenceIn(notification) ?? '');
        const account = await context.findAccount(
          accountWanted({ provider, operation: 'DEPOSIT' }, sentWith),
        );
        return readNotification(notification, account?.values['webhookSecret']);
      },
    },
    close: line.close,
  };
}

const SESSIONS = '/v1/checkout/sessions';
const PAYOUT = '/v1/payout';

type Caller = {
  readonly line: Line;
  readonly sign: (account: Account, body: string) => Readonly<Record<string, string>>;
};

/** The enquiry path: by Wave's id if known, else by our reference. */
function pathOf({ operation, reference, providerReference: id }: StoredAttempt): string {
  const search = `search?client_reference=${encodeURIComponent(reference)}`;
  if (operation === 'PAYOUT') return id === undefined ? `/v1/payouts/${search}` : `${PAYOUT}/${id}`;
  return `${SESSIONS}/${id ?? search}`;
}

/** Refunds a whole session. Its id is searched for if it was lost with the answer to the deposit. */
async function refund(
  caller: Caller,
  request: RefundSubmitRequest,
  permission: SendPermission,
): Promise<SubmitAnswer> {
  const { original } = request;
  const id = original.providerReference ?? (await findSession(caller, original));
  if (id === undefined) {
    return unknown('NOT_SENT', JSON.stringify({ step: 'submit', error: 'NO_SESSION', sent: false }));
  }
  const result = await post(caller, request, { path: `${SESSIONS}/${id}/refund`, body: '', permission });
  const answer = result.type === 'SILENCE' ? unansweredSubmit(result) : parseRefundAnswer(result, request);
  return { ...answer, providerReference: id };
}

async function findSession(caller: Caller, original: StoredAttempt): Promise<string | undefined> {
  const result = await get(caller, original, { step: 'query', path: pathOf(original), about: original });
  return result.type === 'ANSWER' ? paidSessionIn(result) : undefined;
}

type Posted = { readonly path: string; readonly body: string; readonly permission: SendPermission };

/** Each request carries our reference as its idempotency key. */
function post({ line, sign }: Caller, request: SubmitRequest, posted: Posted): Promise<CallResult> {
  const { path, body, permission } = posted;
  return line.call(request, (account) => ({
    step: 'submit',
    method: 'POST',
    url: `${account.values['baseUrl']}${path}`,
    headers: {
      ...sign(account, body),
      // A refund has no body, and an empty body is not valid JSON.
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
      'idempotency-key': request.reference,
    },
    body,
    permission,
    ...aboutPayment(request),
  }));
}

type Got = { readonly step: string; readonly path: string; readonly about?: SubmitRequest };

function get({ line, sign }: Caller, wanted: WantedAccount, { step, path, about }: Got): Promise<CallResult> {
  return line.call(wanted, (account) => ({
    step,
    method: 'GET',
    url: `${account.values['baseUrl']}${path}`,
    headers: sign(account, ''),
    ...(about === undefined ? {} : aboutPayment(about)),
  }));
}

function headersOf({ values }: Account, body: string, at: Date): Readonly<Record<string, string>> {
  const { apiKey, signingSecret: secret } = values;
  const authorization = `Bearer ${apiKey}`;
  if (secret === undefined) return { authorization };
  return { authorization, 'wave-signature': timedSignatureOf(body, { secret, separator: SEPARATOR, at }) };
}

function aboutPayment(request: SubmitRequest): Pick<LineCall, 'reference' | 'personal'> {
  const { reference, phoneNumber, customerMessage } = request;
  return { reference, personal: [phoneNumber, customerMessage, reasonOf(request)] };
}
