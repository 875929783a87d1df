// MTN's fake: the MoMo Open API over HTTP, with its known behaviour. Keys per product, a token request with an explicit
// length, 202 without a body, 409 for a repeat, reasons as strings or objects, callbacks without a signature.
import { createHash, randomInt } from 'node:crypto';
import { findProvider } from '../../domain/operators/catalogue.ts';
import { parseAmount, renderAmount } from '../../domain/money.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import type { StartFake } from '../../sandbox/fakes/operator-fake.ts';
import {
  htmlAnswer,
  startFakeKit,
  withForgedSecret,
  type FakeCall,
  type FakeContext,
  type Route,
} from '../../sandbox/fakes/kit.ts';
import { holderOf as accountHolderOf } from '../../sandbox/fakes/payers/holders.ts';
import { FakeTokens } from '../../sandbox/fakes/tokens.ts';
import { isObject, textOf } from '../json.ts';
import type { Answer } from '../../sandbox/fakes/answer.ts';
import type { OpenCharge } from '../../sandbox/fakes/books/charge.ts';
import { mtnMomo } from './connector.ts';
import { targetEnvironmentOf } from './markets.ts';

export const startFake: StartFake = (options) =>
  startFakeKit(options, (context) => {
    const tokens = new FakeTokens<Holder>(context.clock);
    return {
      routes: PRODUCTS.flatMap((product) => routesOf(context, tokens, product)),
      render: (charge, { isForged }) => ({
        url: isForged ? withForgedSecret(charge.notificationUrl) : charge.notificationUrl,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(renderStatus(charge)),
      }),
      habits: {
        // Short and numeric, not a UUID.
        createTransactionId: () => String(randomInt(1_000_000_000, 9_999_999_999)),
        unknownCode: 'SOMETHING_NO_ONE_PUBLISHED',
        refusalOf: (refusal) => ({
          status: 'FAILED',
          failureCode: refusal === 'PIN_TIMEOUT' ? 'EXPIRED' : 'APPROVAL_REJECTED',
        }),
      },
      credentialsOf: (provider) =>
        Object.fromEntries(
          PRODUCTS.map((product) => [product, { baseUrl: context.url, ...keysOf({ provider, product }) }]),
        ),
    };
  });

const PRODUCTS = ['collection', 'disbursement'] as const;
type Product = (typeof PRODUCTS)[number];
type Holder = { readonly provider: string; readonly product: Product };

/** Derived and not secret: they only protect a fake. */
function keysOf({ provider, product }: Holder) {
  const keyOf = (name: string) => createHash('sha256').update(`${provider} ${product} ${name}`).digest('hex');
  return {
    subscriptionKey: keyOf('subscription').slice(0, 32),
    apiUser: keyOf('user').replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5'),
    apiKey: keyOf('key').slice(0, 32),
  };
}

const HOLDERS: readonly Holder[] = mtnMomo.providers.flatMap((provider) =>
  PRODUCTS.map((product) => ({ provider, product })),
);

const SUBMITS = {
  collection: [['requesttopay', 'DEPOSIT']],
  disbursement: [
    ['transfer', 'PAYOUT'],
    ['refund', 'REFUND'],
  ],
} as const satisfies Record<Product, readonly (readonly [string, PaymentKind])[]>;

function routesOf(context: FakeContext, tokens: FakeTokens<Holder>, product: Product): readonly Route[] {
  const refuses = (call: FakeCall) => refusalOf(call, tokens.holderOf(call.headers.authorization), product);
  const holderOf = (call: FakeCall) => tokens.holderOf(call.headers.authorization)?.provider ?? '';
  return [
    {
      method: 'POST',
      path: new RegExp(`^/${product}/token/$`),
      step: 'token',
      refuses: (call) => refuseToken(call, product),
      answer: (call) => {
        const { tokenLifetimeSeconds } = context.settings;
        const access_token = tokens.issue(clientOf(call, product) ?? NO_ONE, tokenLifetimeSeconds);
        return {
          status: 200,
          json: { access_token, token_type: 'access_token', expires_in: tokenLifetimeSeconds },
        };
      },
    },
    ...SUBMITS[product].flatMap(([name, operation]): readonly Route[] => [
      {
        method: 'POST',
        path: new RegExp(`^/${product}/v1_0/${name}$`),
        step: 'submit',
        refuses: (call) =>
          refuses(call) ?? refuseRequest(context, call, { operation, provider: holderOf(call) }),
        subject: (call) => subjectOf(call, operation),
        answer: (call) => submit(context, call, { operation, provider: holderOf(call) }),
      },
      {
        method: 'GET',
        path: new RegExp(`^/${product}/v1_0/${name}/(?<reference>[^/]+)$`),
        step: 'query',
        refuses,
        subject: ({ path }) => context.transactions.find(path['reference'] ?? '') ?? {},
        answer: ({ path }) => {
          const charge = context.transactions.find(path['reference'] ?? '');
          return charge === undefined || charge.operation !== operation
            ? {
                status: 404,
                json: { code: 'RESOURCE_NOT_FOUND', message: 'Requested resource was not found.' },
              }
            : { status: 200, json: renderStatus(charge) };
        },
      },
    ]),
    {
      method: 'GET',
      path: new RegExp(`^/${product}/v1_0/account/balance$`),
      step: 'balance',
      refuses,
      answer: (call) => ({ status: 200, json: balanceOf(context, { provider: holderOf(call), product }) }),
    },
    {
      method: 'GET',
      path: new RegExp(
        `^/${product}/v1_0/accountholder/msisdn/(?<phoneNumber>\\d+)/(?<topic>active|basicuserinfo)$`,
      ),
      step: 'holder',
      refuses,
      answer: (call) => answerHolder(holderOf(call), call),
    },
  ];
}

const NO_ONE: Holder = { provider: '', product: 'collection' };

function clientOf({ headers }: FakeCall, product: Product): Holder | undefined {
  return HOLDERS.find((holder) => {
    const { apiUser, apiKey } = keysOf(holder);
    const basic = Buffer.from(`${apiUser}:${apiKey}`).toString('base64');
    return holder.product === product && headers.authorization === `Basic ${basic}`;
  });
}

function refuseToken(call: FakeCall, product: Product): Answer | null {
  if (call.headers['content-length'] === undefined) return htmlAnswer(411, '<h2>Length Required</h2>');
  const client = clientOf(call, product);
  const isKnown = client !== undefined && isSubscribed(call, client);
  return isKnown ? null : { status: 401, json: { error: 'login_failed' } };
}

function isSubscribed({ headers }: FakeCall, holder: Holder): boolean {
  return headers['ocp-apim-subscription-key'] === keysOf(holder).subscriptionKey;
}

/** Refuses invalid credentials. A wrong environment is answered with 500, as MTN does. */
function refusalOf(call: FakeCall, holder: Holder | null, product: Product): Answer | null {
  if (holder === null || holder.product !== product || !isSubscribed(call, holder)) {
    return { status: 401, json: { statusCode: 401, message: 'Access denied due to invalid token or key.' } };
  }
  const environment = call.headers['x-target-environment'];
  return environment === targetEnvironmentOf(holder.provider)
    ? null
    : problem(500, 'NOT_ALLOWED_TARGET_ENVIRONMENT');
}

type Asked = { readonly operation: PaymentKind; readonly provider: string };

function refuseRequest(context: FakeContext, { headers, body }: FakeCall, asked: Asked): Answer | null {
  const reference = String(headers['x-reference-id'] ?? '');
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(reference)) {
    return problem(400, 'VALIDATION_ERROR');
  }
  const notes = `${String(body['payerMessage'])}${String(body['payeeNote'])}`;
  const hasGoodNotes = /^[^'"&<>]{0,320}$/.test(notes);
  if (!hasGoodNotes || typeof body['amount'] !== 'string') return problem(400, 'VALIDATION_ERROR');
  const isCurrency = findProvider(asked.provider)?.currencies.some(
    (one) => one.currency === body['currency'],
  );
  if (isCurrency !== true) return problem(500, 'INVALID_CURRENCY');
  if (asked.operation !== 'REFUND')
    return partyOf(body) === undefined ? problem(400, 'VALIDATION_ERROR') : null;
  return originalOf(context, body)?.status === 'SUCCESSFUL' ? null : problem(404, 'RESOURCE_NOT_FOUND');
}

function originalOf(context: FakeContext, body: FakeCall['body']): OpenCharge | undefined {
  return context.transactions.find(textOf(body['referenceIdToRefund']) ?? '');
}

function partyOf(body: FakeCall['body']): string | undefined {
  return textOf([body['payer'], body['payee']].find(isObject)?.['partyId']);
}

function subjectOf({ headers, body }: FakeCall, operation: PaymentKind) {
  const reference = String(headers['x-reference-id']);
  const phoneNumber = partyOf(body);
  return { reference, operation, ...(phoneNumber === undefined ? {} : { phoneNumber }) };
}

function submit(context: FakeContext, { headers, body }: FakeCall, { operation, provider }: Asked): Answer {
  const { isRepeat } = context.transactions.submit({
    reference: String(headers['x-reference-id']),
    operation,
    provider,
    country: findProvider(provider)?.country ?? '',
    amount: renderAmount(parseAmount(String(body['amount'])) ?? 0n),
    currency: String(body['currency']),
    phoneNumber: partyOf(body) ?? originalOf(context, body)?.phoneNumber ?? '',
    message: String(body['payerMessage']),
    // Without the header no callback is sent.
    notificationUrl: String(headers['x-callback-url'] ?? ''),
  });
  return isRepeat ? problem(409, 'RESOURCE_ALREADY_EXIST') : htmlAnswer(202, '');
}

/** The body of enquiries and callbacks. A collection's reason is a string, others are objects; MTN uses both. */
function renderStatus(charge: OpenCharge): object {
  const { reference, amount, currency, phoneNumber, operation, status, failureCode, transactionId } = charge;
  const party = { partyIdType: 'MSISDN', partyId: phoneNumber };
  const reason = operation === 'DEPOSIT' ? failureCode : { code: failureCode, message: 'See the code.' };
  return {
    ...(status === 'SUCCESSFUL' ? { financialTransactionId: transactionId } : {}),
    externalId: reference,
    amount,
    currency,
    ...(operation === 'DEPOSIT' ? { payer: party } : {}),
    ...(operation === 'PAYOUT' ? { payee: party } : {}),
    payerMessage: charge.message,
    payeeNote: charge.message,
    status,
    ...(failureCode === undefined ? {} : { reason }),
  };
}

/** Collected money and the float for payouts are two accounts. */
function balanceOf({ books, options }: FakeContext, { provider, product }: Holder): object {
  const total = books.view().totals.find((one) => one.provider === provider);
  const moved = parseAmount((product === 'collection' ? total?.received : total?.sent) ?? '0') ?? 0n;
  const opening = parseAmount(options.openingFloat ?? '0') ?? 0n;
  const balance = product === 'collection' ? opening + moved : opening - moved;
  const currency = findProvider(provider)?.currencies[0]?.currency;
  return { availableBalance: renderAmount(balance), currency };
}

/** As in MTN's own sandbox: a number without an account is not found. */
function answerHolder(provider: string, { path }: FakeCall): Answer {
  const holder = accountHolderOf({ provider, phoneNumber: path['phoneNumber'] ?? '' });
  if (holder === null) return problem(404, 'RESOURCE_NOT_FOUND');
  if (path['topic'] === 'active') return { status: 200, json: { result: true } };
  const { givenName: given_name, familyName: family_name } = holder;
  const json = { given_name, family_name, birthdate: '1990-02-28', locale: 'en', gender: 'FEMALE' };
  return { status: 200, json };
}

function problem(status: number, code: string): Answer {
  return { status, json: { code, message: 'See the code.' } };
}
