// The connector to Airtel Money's open API. Airtel stores our reference and refuses a repeat as a duplicate. Callbacks
// go to one address per app. They can be signed, but carry no amount and may not be final, so a callback only triggers
// an enquiry.
import { listProviders } from '../../domain/operators/catalogue.ts';
import type { CallResult } from '../call.ts';
import { unansweredBalance, unansweredQuery, unansweredSubmit } from '../evidence.ts';
import { openLine, type BareLine, type Line } from '../line.ts';
import { ONLY_PRODUCT, type Account, type Operator, type OperatorContext } from '../operator.ts';
import type {
  BalanceAccount,
  Connector,
  ConnectorTiming,
  HolderQuestion,
  RefundSubmitRequest,
  SendPermission,
  StoredAttempt,
  SubmitRequest,
} from '../port.ts';
import { certification } from './certification.ts';
import { createEncryptionKeys } from './encryption-keys.ts';
import { dialectOf, habitsOf, isMarket } from './markets.ts';
import { readNotification } from './notification.ts';
import { aboutPayment, countryHeaders, sendRequest, type Sender, type Sending } from './send.ts';
import {
  nationalNumber,
  parseBalanceAnswer,
  parseHolderAnswer,
  parseRefundAnswer,
  parseStatusAnswer,
  parseSubmitAnswer,
  parseTokenAnswer,
  renderCollection,
  renderDisbursement,
  renderRefund,
} from './wire.ts';

export const airtelMoney: Operator = {
  create: createAirtelMoneyConnector,
  providers: listProviders()
    .map(({ code }) => code)
    .filter(isMarket),
  // One market of each signing version.
  variants: ['AIRTEL_OAPI_ZMB', 'AIRTEL_COG'],
  credentials: {
    [ONLY_PRODUCT]: {
      baseUrl: {
        what: "Airtel's address for this market, such as https://openapi.airtel.co.zm",
        kind: 'OPEN',
        identifiesAccount: true,
      },
      clientId: { what: 'the client id of the app', kind: 'SECRET', identifiesAccount: true },
      clientSecret: { what: 'the client secret of the app', kind: 'SECRET' },
      pin: { what: 'the PIN of the disbursement wallet; payouts need it', kind: 'SECRET', isOptional: true },
      callbackKey: {
        what: 'the private key for callbacks, where callback authentication is on',
        kind: 'SECRET',
        isOptional: true,
      },
      publicKey: {
        what: "Airtel's RSA public key, where the portal shows one; asked for otherwise",
        kind: 'OPEN',
        isOptional: true,
      },
      collectionVersion: { what: "v1 or v2; default: the market's own", kind: 'OPEN', isOptional: true },
      disbursementVersion: {
        what: "v1, v2 or v3; default: the market's own",
        kind: 'OPEN',
        isOptional: true,
      },
      enquiryVersion: {
        what: 'v1, v2 or v3 of enquiries about disbursements; default: the version of the disbursement',
        kind: 'OPEN',
        isOptional: true,
      },
      encryption: {
        what: "PKCS1, OAEP or OAEP_MGF1_SHA1; default: the market's own",
        kind: 'OPEN',
        isOptional: true,
      },
      currencyCode: {
        what: 'the code that Airtel expects in place of the ISO currency, such as CFA',
        kind: 'OPEN',
        isOptional: true,
      },
      numberPrefix: {
        what: 'digits that Airtel expects before the national number, such as 0',
        kind: 'OPEN',
        isOptional: true,
      },
      messageSigning: { what: "ON or OFF, where it is not the market's own", kind: 'OPEN', isOptional: true },
    },
  },
  // Airtel publishes no figure; a contract may (K).
  rate: { perSecond: 10, burst: 10 },
  certification,
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

const TIMING: ConnectorTiming = {
  sendDeadlineMs: 10 * SECOND_MS,
  timeoutMs: 10 * SECOND_MS,
  // Enquiries are reliable only after three minutes (S). Two minutes later, "not found" is trusted.
  notSeenAfterMs: 5 * MINUTE_MS,
  enquiryDelaysMs: [180, 60, 120, 180, 300, 600].map((seconds) => seconds * SECOND_MS),
  // The prompt expires within minutes (K). The rest allows for a slow platform.
  horizonMs: 30 * MINUTE_MS,
  reconciliationDelayMs: 60 * MINUTE_MS,
};

function createAirtelMoneyConnector(context: OperatorContext): Connector {
  const timing: ConnectorTiming = { ...TIMING, ...context.timing };
  const line = openLine({
    name: 'airtel-money',
    context,
    timeoutMs: timing.timeoutMs,
    token: { mint, headers: (token) => ({ authorization: `Bearer ${token}` }) },
  });
  const sender: Sender = { context, line, keys: createEncryptionKeys(context.clock) };
  return {
    name: 'airtel-money',
    timing,
    reference: { chosenBy: 'OURS', shape: 'TOKEN' },
    repeatedSubmit: 'HARMLESS',
    // A refund carries no reference of ours and is answered at once. If the answer is lost, no enquiry can find it.
    departures: {
      REFUND: { reference: { chosenBy: 'THEIRS', shape: 'TOKEN' }, repeatedSubmit: 'CHARGES_AGAIN' },
    },
    supports: (operation, provider) => operation !== 'REMITTANCE' && isMarket(provider),
    submit: async (request, permission) => {
      const result = await sendRequest(sender, sendingOf(request, permission));
      return result.type === 'SILENCE' ? unansweredSubmit(result) : parseSubmitAnswer(result, request);
    },
    query: async (attempt) => {
      const result = await ask(line, attempt);
      return result.type === 'SILENCE' ? unansweredQuery(result) : parseStatusAnswer(result, attempt);
    },
    refund: {
      mode: 'NATIVE_FULL',
      submit: async (request, permission) => {
        const result = await sendRequest(sender, refundOf(request, permission));
        return result.type === 'SILENCE' ? unansweredSubmit(result) : parseRefundAnswer(result, request);
      },
    },
    balance: async (account) => {
      const result = await askForBalance(line, account);
      return result.type === 'ANSWER'
        ? parseBalanceAnswer(result, account.currency)
        : unansweredBalance(result);
    },
    holder: async (question) => {
      const result = await askForHolder(line, question);
      return result.type === 'ANSWER' ? parseHolderAnswer(result) : { status: 'UNKNOWN', name: null };
    },
    notifications: {
      authenticity: 'HINTS_ONLY',
      read: (notification, accountOf) => readNotification(context, notification, accountOf),
    },
    close: line.close,
  };
}

function sendingOf(request: SubmitRequest, permission: SendPermission): Sending {
  return request.operation === 'DEPOSIT'
    ? {
        request,
        permission,
        path: ({ collections }) => `/merchant/${collections}/payments/`,
        body: ({ habits }) => renderCollection(request, habits),
        needsPin: false,
      }
    : {
        request,
        permission,
        path: ({ disbursements }) => `/standard/${disbursements}/disbursements/`,
        body: ({ habits, disbursements: version }, pin) =>
          renderDisbursement(request, { pin, version, habits }),
        needsPin: true,
      };
}

function refundOf(request: RefundSubmitRequest, permission: SendPermission): Sending {
  return {
    request,
    permission,
    path: ({ collections }) => `/standard/${collections}/payments/refund`,
    body: () => renderRefund(request),
    needsPin: false,
  };
}

function ask(line: Line, attempt: StoredAttempt): Promise<CallResult> {
  return line.call(attempt, (account) => ({
    step: 'query',
    method: 'GET',
    url: `${account.values['baseUrl']}${enquiryPathOf(attempt, account)}`,
    headers: countryHeaders(attempt, habitsOf(account)),
    ...aboutPayment(attempt),
  }));
}

/** The type parameter exists from version 2 on. Without readable account settings, use what most markets use. */
function enquiryPathOf({ operation, reference }: StoredAttempt, account: Account): string {
  if (operation === 'DEPOSIT') return `/standard/v1/payments/${reference}`;
  const version = dialectOf(account)?.enquiries ?? 'v1';
  const type = version === 'v1' ? '' : '?transactionType=B2C';
  return `/standard/${version}/disbursements/${reference}${type}`;
}

/** The older endpoint has one wallet; the newer one takes the wallet as a parameter. */
function askForBalance(line: Line, wanted: BalanceAccount): Promise<CallResult> {
  const { provider, operation } = wanted;
  return line.call({ provider, operation }, (account) => {
    const isOlder = dialectOf(account)?.disbursements === 'v1';
    const path = isOlder ? 'v1/users/balance' : `v2/users/balance?type=${walletOf(operation)}`;
    return {
      step: 'balance',
      method: 'GET',
      url: `${account.values['baseUrl']}/standard/${path}`,
      headers: countryHeaders(wanted, habitsOf(account)),
    };
  });
}

function walletOf(operation: BalanceAccount['operation']): string {
  return operation === 'DEPOSIT' || operation === 'REFUND' ? 'COLL' : 'DISB';
}

function askForHolder(line: Line, question: HolderQuestion): Promise<CallResult> {
  const { provider, phoneNumber } = question;
  return line.call({ provider, operation: 'PAYOUT' }, (account) => {
    const habits = habitsOf(account);
    const msisdn = nationalNumber(question, habits);
    return {
      step: 'holder',
      method: 'GET',
      url: `${account.values['baseUrl']}/standard/v1/users/${msisdn}`,
      headers: countryHeaders(question, habits),
      personal: [phoneNumber, msisdn],
    };
  });
}

async function mint(account: Account, line: BareLine) {
  const { baseUrl = '', clientId, clientSecret } = account.values;
  const result = await line.call(account, {
    step: 'token',
    method: 'POST',
    url: `${baseUrl}/auth/oauth2/token`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'client_credentials',
    }),
  });
  return result.type === 'SILENCE' ? { error: result.error } : parseTokenAnswer(result);
}
