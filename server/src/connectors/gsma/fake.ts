// A fake of an operator with the GSMA Mobile Money API 1.2, with behaviour that the standard allows: it answers a
// request with its state, sends callbacks with PUT, uses 401 for a payer who declined, pads amounts with zeroes, and
// returns a lost answer only after the transaction has ended. One provider answers at once and uses Basic
// authentication.
import { createHash, randomUUID } from 'node:crypto';
import { findProvider, listProviders } from '../../domain/operators/catalogue.ts';
import { parseAmount, renderAmount } from '../../domain/money.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import type { StartFake } from '../../sandbox/fakes/operator-fake.ts';
import {
  startFakeKit,
  withForgedSecret,
  type FakeCall,
  type FakeContext,
  type Route,
} from '../../sandbox/fakes/kit.ts';
import { FakeTokens } from '../../sandbox/fakes/tokens.ts';
import { isObject, textOf } from '../json.ts';
import { ONLY_PRODUCT } from '../operator.ts';
import type { Answer } from '../../sandbox/fakes/answer.ts';
import type { OpenCharge } from '../../sandbox/fakes/books/charge.ts';
import {
  errorOf,
  NOT_FOUND,
  ownAccountOf,
  problem,
  renderLink,
  renderRequestState,
  renderTransaction,
  SYNCHRONOUS,
  withZeroes,
} from './fake-words.ts';

const BASE_PATH = '/1.2/mm';
const TOKEN_PATH = '/oauth/accesstoken';

export const startFake: StartFake = (options) =>
  startFakeKit(options, (context) => {
    const tokens = new FakeTokens<string>(context.clock);
    return {
      routes: [
        tokenRoute(context, tokens),
        ...submitRoutes(context, tokens),
        ...queryRoutes(context, tokens),
      ],
      render: (charge, { isForged }) => ({
        url: isForged ? withForgedSecret(charge.notificationUrl) : charge.notificationUrl,
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'x-correlationid': charge.reference },
        body: JSON.stringify(charge.status === 'FAILED' ? errorOf(charge) : renderTransaction(charge)),
      }),
      habits: {
        createTransactionId: () => `REF-${randomUUID()}`,
        unknownCode: 'somethingNoOnePublished',
        refusalOf: () => ({ status: 'FAILED', failureCode: 'requestDeclined' }),
      },
      credentialsOf: (provider) => ({ [ONLY_PRODUCT]: accountOf(provider, context.url) }),
    };
  });

function accountOf(provider: string, url: string): Readonly<Record<string, string>> {
  const keys = keysOf(provider);
  const tokenUrl = provider === SYNCHRONOUS ? {} : { tokenUrl: `${url}${TOKEN_PATH}` };
  return { baseUrl: `${url}${BASE_PATH}`, ...tokenUrl, ...keys, account: ownAccountOf(provider) };
}

/** Derived and not secret: they only protect a fake. */
function keysOf(provider: string) {
  const keyOf = (name: string) =>
    createHash('sha256').update(`${provider} ${name}`).digest('hex').slice(0, 32);
  return { clientId: keyOf('client'), clientSecret: keyOf('secret'), apiKey: keyOf('key') };
}

/** Any provider can be bound to this protocol. */
const PROVIDERS = listProviders().map(({ code }) => code);

/** Providers that use Basic authentication. */
function clientOf({ headers }: FakeCall): string | undefined {
  return PROVIDERS.find((provider) => {
    const { clientId, clientSecret } = keysOf(provider);
    return headers.authorization === `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  });
}

function tokenRoute(context: FakeContext, tokens: FakeTokens<string>): Route {
  return {
    method: 'POST',
    path: new RegExp(`^${TOKEN_PATH}$`),
    step: 'token',
    refuses: (call) =>
      clientOf(call) !== undefined && call.text.startsWith('grant_type=client_credentials')
        ? null
        : { status: 401, json: { error: 'invalid_client' } },
    answer: (call) => {
      const expires_in = context.settings.tokenLifetimeSeconds;
      const access_token = tokens.issue(clientOf(call) ?? '', expires_in);
      return {
        status: 200,
        json: { access_token, token_type: 'BearerToken', expires_in: String(expires_in) },
      };
    },
  };
}

/** The caller, by token, or by Basic authentication where there are no tokens. */
function callerOf(tokens: FakeTokens<string>, call: FakeCall): string | null {
  const basic = clientOf(call) === SYNCHRONOUS ? SYNCHRONOUS : null;
  const provider = tokens.holderOf(call.headers.authorization) ?? basic;
  return provider !== null && call.headers['x-api-key'] === keysOf(provider).apiKey ? provider : null;
}

const NO_ONE = problem(401, 'authorisation', 'clientAuthorisationError');

const SUBMITS: readonly (readonly [path: string, operation: PaymentKind])[] = [
  ['type/merchantpay', 'DEPOSIT'],
  ['type/disbursement', 'PAYOUT'],
  ['type/inttransfer', 'REMITTANCE'],
  ['(?<original>[^/]+)/reversals', 'REFUND'],
];

function submitRoutes(context: FakeContext, tokens: FakeTokens<string>): readonly Route[] {
  return SUBMITS.map(([path, operation]) => ({
    method: 'POST',
    path: new RegExp(`^${BASE_PATH}/transactions/${path}$`),
    step: 'submit',
    refuses: (call) => {
      const provider = callerOf(tokens, call);
      return provider === null ? NO_ONE : refuseRequest(context, call, { operation, provider });
    },
    subject: (call) => subjectOf(call, operation),
    answer: (call) => submit(context, call, { operation, provider: callerOf(tokens, call) ?? '' }),
  }));
}

type Asked = { readonly operation: PaymentKind; readonly provider: string };

function refuseRequest(context: FakeContext, call: FakeCall, { operation, provider }: Asked): Answer | null {
  const { headers, body, text } = call;
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(headers['x-correlationid']));
  const isWhole = headers['x-content-hash'] === createHash('sha256').update(text).digest('hex');
  const isDated = !Number.isNaN(Date.parse(String(headers['x-date'])));
  if (!isUuid || !isWhole || !isDated || parseAmount(String(body['amount'])) === null) {
    return problem(400, 'validation', 'formatError');
  }
  const { currencies = [], authType } = findProvider(provider) ?? {};
  if (!currencies.some(({ currency }) => currency === body['currency'])) {
    return problem(400, 'validation', 'currencyNotSupported');
  }
  if (operation === 'REFUND') {
    return originalOf(context, call)?.status === 'SUCCESSFUL' ? null : NOT_FOUND;
  }
  if (operation === 'DEPOSIT' && authType === 'PREAUTH' && textOf(body['oneTimeCode']) === undefined) {
    return problem(400, 'validation', 'mandatoryValueNotSupplied');
  }
  if (operation === 'REMITTANCE' && !namesItsSender(body)) {
    return problem(400, 'validation', 'mandatoryValueNotSupplied');
  }
  const own = identifierIn(body[operation === 'DEPOSIT' ? 'creditParty' : 'debitParty'], 'accountid');
  return own === ownAccountOf(provider) && customerIn(body, operation) !== undefined ? null : NOT_FOUND;
}

/** The sender of an international transfer needs a name and a two-letter country. */
function namesItsSender(body: FakeCall['body']): boolean {
  const { senderKyc, internationalTransferInformation: transfer } = body;
  const name = isObject(senderKyc) ? senderKyc['subjectName'] : undefined;
  const isNamed = isObject(name) && textOf(name['lastName']) !== undefined;
  return isNamed && isObject(transfer) && /^[A-Z]{2}$/.test(String(transfer['originCountry']));
}

function originalOf(context: FakeContext, { path }: FakeCall): OpenCharge | undefined {
  return context.transactions.findByTransactionId(path['original'] ?? '');
}

/** Phone numbers are accepted only in international format. */
function customerIn(body: FakeCall['body'], operation: PaymentKind): string | undefined {
  const number = identifierIn(body[operation === 'DEPOSIT' ? 'debitParty' : 'creditParty'], 'msisdn');
  return /^\+(\d+)$/.exec(number ?? '')?.[1];
}

function identifierIn(party: unknown, key: string): string | undefined {
  return textOf(
    (Array.isArray(party) ? party : []).filter(isObject).find((one) => one['key'] === key)?.['value'],
  );
}

function subjectOf({ headers, body }: FakeCall, operation: PaymentKind) {
  const phoneNumber = customerIn(body, operation);
  const reference = String(headers['x-correlationid']);
  return { reference, operation, ...(phoneNumber === undefined ? {} : { phoneNumber }) };
}

function submit(context: FakeContext, call: FakeCall, { operation, provider }: Asked): Answer {
  const { headers, body } = call;
  const oneTimeCode = textOf(body['oneTimeCode']);
  const { charge, isRepeat } = context.transactions.submit({
    reference: String(headers['x-correlationid']),
    operation,
    provider,
    country: findProvider(provider)?.country ?? '',
    amount: renderAmount(parseAmount(String(body['amount'])) ?? 0n),
    currency: String(body['currency']),
    phoneNumber: customerIn(body, operation) ?? originalOf(context, call)?.phoneNumber ?? '',
    message: String(body['descriptionText']),
    notificationUrl: provider === SYNCHRONOUS ? '' : String(headers['x-callback-url'] ?? ''),
    ...(oneTimeCode === undefined ? {} : { oneTimeCode }),
  });
  if (isRepeat) return problem(400, 'businessRule', 'duplicateRequest');
  if (provider !== SYNCHRONOUS)
    return { status: 202, json: renderRequestState({ ...charge, status: 'PENDING' }) };
  if (charge.status !== 'FAILED') return { status: 201, json: renderTransaction(charge) };
  const error = errorOf(charge);
  return { status: HTTP_STATUSES[error.errorCategory] ?? 400, json: error };
}

const HTTP_STATUSES: Readonly<Record<string, number>> = {
  authorisation: 401,
  identification: 404,
  internal: 500,
  serviceUnavailable: 503,
};

function queryRoutes(context: FakeContext, tokens: FakeTokens<string>): readonly Route[] {
  const refuses = (call: FakeCall) => (callerOf(tokens, call) === null ? NO_ONE : null);
  const asked = (
    kind: string,
    find: (id: string) => OpenCharge | undefined,
    render: (one: OpenCharge) => object,
  ) => {
    const found = ({ path }: FakeCall) => find(path['id'] ?? '');
    const route: Route = {
      method: 'GET',
      path: new RegExp(`^${BASE_PATH}/${kind}/(?<id>[^/]+)$`),
      step: 'query',
      refuses,
      subject: (call) => found(call) ?? {},
      answer: (call) => {
        const charge = found(call);
        return charge === undefined ? NOT_FOUND : { status: 200, json: render(charge) };
      },
    };
    return route;
  };
  const { transactions } = context;
  return [
    asked('requeststates', (id) => transactions.findByTransactionId(`REF-${id}`), renderRequestState),
    asked('transactions', (id) => transactions.findByTransactionId(id), renderTransaction),
    asked('responses', (id) => endedOf(transactions.find(id)), renderLink),
    {
      method: 'GET',
      path: new RegExp(`^${BASE_PATH}/accounts/accountid/(?<account>[^/]+)/balance$`),
      step: 'balance',
      refuses,
      answer: (call) => balanceOf(context, callerOf(tokens, call) ?? '', call.path['account']),
    },
  ];
}

/** Before the end there is no transaction to link to. */
function endedOf(charge: OpenCharge | undefined): OpenCharge | undefined {
  return charge?.status === 'PENDING' ? undefined : charge;
}

function balanceOf({ books, options }: FakeContext, provider: string, account: string | undefined): Answer {
  if (account !== ownAccountOf(provider)) return NOT_FOUND;
  const total = books.view().totals.find((one) => one.provider === provider);
  const currency = findProvider(provider)?.currencies[0]?.currency;
  const currentBalance = withZeroes(total?.balance ?? options.openingFloat ?? '0');
  return { status: 200, json: { accountStatus: 'available', currentBalance, currency } };
}
