// Sonatel's fake: the Orange Money API over HTTP, with its known behaviour. A client per account, tokens by form, a
// public key that is withdrawn without notice, PINs encrypted with it, codes that work once, refusals as problem
// documents, references accepted repeatedly, callbacks signed with the time.
import { randomInt } from 'node:crypto';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import type { StartFake } from '../../sandbox/fakes/operator-fake.ts';
import { startFakeKit, type FakeCall, type FakeContext, type Route } from '../../sandbox/fakes/kit.ts';
import { FakeTokens } from '../../sandbox/fakes/tokens.ts';
import { isObject, textOf, type JsonObject } from '../json.ts';
import type { Answer } from '../../sandbox/fakes/answer.ts';
import type { OpenCharge } from '../../sandbox/fakes/books/charge.ts';
import { timedSignatureOf } from '../timed-signature.ts';
import { decryptPin, keyPairOf, keysOf, productOf, PRODUCTS, type Product } from './fake-keys.ts';
import { SEPARATOR } from './notification.ts';

const PROVIDER = 'ORANGE_SEN';
export const startFake: StartFake = (options) =>
  startFakeKit({ repeats: 'CHARGED', ...options }, (context) => {
    const fake: Fake = { context, tokens: new FakeTokens<Product>(context.clock), usedCodes: new Set() };
    return {
      routes: [
        tokenRoute(fake),
        keyRoute(fake),
        ...requestRoutes(fake),
        searchRoute(fake),
        statusRoute(fake),
        balanceRoute(fake),
      ],
      render: (charge, { isForged }) => {
        const body = JSON.stringify({ ...renderTransaction(charge), channel: 'API' });
        const secret = isForged ? 'a guess' : keysOf(productOf(charge.operation)).webhookSecret;
        return {
          url: charge.notificationUrl,
          headers: {
            'content-type': 'application/json',
            'x-sonatel-signature': timedSignatureOf(body, {
              secret,
              separator: SEPARATOR,
              at: context.clock.now(),
            }),
            'x-sonatel-idempotency-key': charge.transactionId,
          },
          body,
        };
      },
      habits: {
        createTransactionId: () =>
          `MP${dated(context)}.${randomInt(1_000, 9_999)}.B${randomInt(10_000, 99_999)}`,
        unknownCode: '2999',
        refusalOf: () => ({ status: 'FAILED' }),
      },
      credentialsOf: () =>
        Object.fromEntries(
          PRODUCTS.map((product) => [product, { baseUrl: context.url, ...keysOf(product) }]),
        ),
    };
  });

type Fake = {
  readonly context: FakeContext;
  readonly tokens: FakeTokens<Product>;
  /** Used codes, each with its payer. */
  readonly usedCodes: Set<string>;
};

function dated({ clock }: FakeContext): string {
  return clock.now().toISOString().slice(2, 10).replaceAll('-', '');
}

function clientOf({ text }: FakeCall): Product | undefined {
  const form = new URLSearchParams(text);
  return PRODUCTS.find((product) => {
    const { clientId, clientSecret } = keysOf(product);
    return form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
  });
}

function tokenRoute({ context, tokens }: Fake): Route {
  return {
    method: 'POST',
    path: /^\/oauth(\/v1)?\/token$/,
    step: 'token',
    refuses: (call) => {
      const isForm = String(call.headers['content-type']).startsWith('application/x-www-form-urlencoded');
      return isForm && clientOf(call) !== undefined
        ? null
        : { status: 401, json: { error: 'invalid_client' } };
    },
    answer: (call) => {
      const { tokenLifetimeSeconds } = context.settings;
      const access_token = tokens.issue(clientOf(call) ?? 'merchant', tokenLifetimeSeconds);
      return { status: 200, json: { access_token, token_type: 'Bearer', expires_in: tokenLifetimeSeconds } };
    },
  };
}

function refuseCaller({ tokens }: Fake, { headers }: FakeCall, product?: Product): Answer | null {
  const holder = tokens.holderOf(headers.authorization);
  if (holder === null) return problem(401, '10');
  return product === undefined || holder === product ? null : problem(403, '11');
}

function keyRoute(fake: Fake): Route {
  return {
    method: 'GET',
    path: /^\/api\/account\/v1\/publicKeys$/,
    step: 'token',
    refuses: (call) => refuseCaller(fake, call),
    answer: () => {
      const { keyId, pair } = keyPairOf(fake.context.clock);
      const key = pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
      return { status: 200, json: { keyId, keyType: 'RSA', keySize: 2_048, key } };
    },
  };
}

const REQUESTS = [
  { path: /^\/api\/eWallet\/v1\/payments\/onestep$/, operation: 'DEPOSIT', by: 'CODE' },
  { path: /^\/api\/eWallet\/v1\/payments$/, operation: 'DEPOSIT', by: 'PIN' },
  { path: /^\/api\/eWallet\/v1\/cashins$/, operation: 'PAYOUT', by: 'PIN' },
] as const;
type Asked = (typeof REQUESTS)[number];

function requestRoutes(fake: Fake): readonly Route[] {
  return REQUESTS.map((asked) => ({
    method: 'POST',
    path: asked.path,
    step: 'submit',
    refuses: (call) =>
      refuseCaller(fake, call, productOf(asked.operation)) ??
      refuseRequest(call) ??
      (asked.by === 'CODE' ? refuseCode(fake, call) : refusePin(fake, call.body['partner'], asked.operation)),
    subject: ({ body }) => ({
      reference: String(body['reference']),
      phoneNumber: phoneNumberIn(body),
      operation: asked.operation,
    }),
    answer: (call) => take(fake, call, asked),
  }));
}

/** Phone numbers have nine digits; amounts are whole numbers, not strings. */
function refuseRequest({ body, headers }: FakeCall): Answer | null {
  const { amount } = body;
  const isMoney = isObject(amount) && Number.isSafeInteger(amount['value']) && amount['unit'] === 'XOF';
  if (!isMoney || textOf(body['reference']) === undefined) return problem(400, '22');
  if (!/^https?:/.test(String(headers['x-callback-url']))) return problem(400, '25');
  return /^221\d{9}$/.test(phoneNumberIn(body)) ? null : problem(400, '2001');
}

/** A code works once. Sonatel's answer to an invalid one is not published, so here it has no error code. */
function refuseCode(fake: Fake, { body }: FakeCall): Answer | null {
  const { partner } = body;
  const isMerchant =
    isObject(partner) && partner['idType'] === 'CODE' && partner['id'] === keysOf('merchant').merchantCode;
  if (!isMerchant) return problem(400, '2041');
  const code = codeIn(body);
  const isGood = /^\d{4,6}$/.test(code) && !fake.usedCodes.has(usageOf(body));
  return isGood ? null : { status: 400, json: { title: 'Bad Request', status: 400, detail: 'Invalid code' } };
}

function refusePin(fake: Fake, party: unknown, operation: PaymentKind): Answer | null {
  const { number, pin } = keysOf(productOf(operation));
  if (!isObject(party) || party['idType'] !== 'MSISDN' || party['id'] !== number) return problem(400, '2041');
  const given = decryptPin(fake.context.clock, party['encryptedPinCode']);
  if (given === null) return problem(400, '4003');
  return given === pin ? null : problem(400, '2011');
}

function codeIn({ customer }: JsonObject): string {
  return (isObject(customer) ? textOf(customer['otp']) : undefined) ?? '';
}

function usageOf(body: JsonObject): string {
  return `${phoneNumberIn(body)} ${codeIn(body)}`;
}

function phoneNumberIn({ customer }: JsonObject): string {
  return `221${isObject(customer) ? String(customer['id']) : ''}`;
}

/** Without a payer's code the payment waits for approval, so the answer is never final. */
function take({ context, usedCodes }: Fake, { body, headers }: FakeCall, { operation, by }: Asked): Answer {
  if (by === 'CODE') usedCodes.add(usageOf(body));
  const amount = isObject(body['amount']) ? String(body['amount']['value']) : '';
  const { metadata } = body;
  const isRefund = isObject(metadata) && metadata['operation'] === 'REFUND';
  const { charge } = context.transactions.submit({
    reference: String(body['reference']),
    operation: isRefund ? 'REFUND' : operation,
    provider: PROVIDER,
    country: 'SEN',
    amount,
    currency: 'XOF',
    phoneNumber: phoneNumberIn(body),
    message: '',
    notificationUrl: String(headers['x-callback-url']),
  });
  const { transactionId, status, failureCode } = charge;
  const isWaiting = operation === 'DEPOSIT' && by === 'PIN';
  if (status === 'FAILED' && !isWaiting) return problem(400, failureCode ?? '2041');
  const reported = isWaiting ? 'INITIATED' : WORDS[status];
  return {
    status: 201,
    json: { transactionId, status: reported, requestId: transactionId, reference: referenceOf(charge) },
  };
}

const WORDS = { PENDING: 'PENDING', SUCCESSFUL: 'SUCCESS', FAILED: 'FAILED' } as const;

function searchRoute(fake: Fake): Route {
  return {
    method: 'GET',
    path: /^\/api\/eWallet\/v1\/transactions$/,
    step: 'query',
    refuses: (call) => refuseCaller(fake, call),
    subject: ({ query }) => ({ reference: query.get('reference') ?? '' }),
    answer: ({ query }) => {
      const wanted = query.get('reference');
      const found = fake.context.transactions.list().filter((charge) => referenceOf(charge) === wanted);
      // A page of twenty, as a plain list.
      return { status: 200, json: found.slice(0, 20).map(renderTransaction) };
    },
  };
}

/** One transaction by its identifier: its status and little else. */
function statusRoute(fake: Fake): Route {
  const found = (call: FakeCall) =>
    fake.context.transactions.findByTransactionId(call.path['transactionId'] ?? '');
  return {
    method: 'GET',
    path: /^\/api\/eWallet\/v1\/transactions\/(?<transactionId>[^/]+)\/status$/,
    step: 'query',
    refuses: (call) => refuseCaller(fake, call),
    subject: (call) => found(call) ?? {},
    answer: (call) => {
      const charge = found(call);
      if (charge === undefined) return problem(404, '20');
      const { transactionId, status, failureCode } = charge;
      const code = failureCode === undefined ? {} : { code: failureCode };
      return { status: 200, json: { transactionId, status: WORDS[status], ...code } };
    },
  };
}

function balanceRoute(fake: Fake): Route {
  const { books, options } = fake.context;
  return {
    method: 'POST',
    path: /^\/api\/eWallet\/v1\/account\/retailer\/balance$/,
    step: 'balance',
    refuses: (call) => refuseCaller(fake, call, 'retailer') ?? refusePin(fake, call.body, 'PAYOUT'),
    answer: () => {
      const sent = books.view().totals.find(({ provider }) => provider === PROVIDER)?.sent ?? '0';
      return {
        status: 200,
        json: { unit: 'XOF', value: Number(options.openingFloat ?? '0') - Number(sent) },
      };
    },
  };
}

/** Repeated references are stored in the books under a name of their own. */
function referenceOf({ reference }: OpenCharge): string {
  return reference.replace(/ \(\d+\)$/, '');
}

/** The body of searches and callbacks. */
function renderTransaction(charge: OpenCharge): object {
  const { transactionId, status, amount, currency, phoneNumber, operation, failureCode } = charge;
  const { number, merchantCode } = keysOf(productOf(operation));
  return {
    transactionId,
    type: operation === 'DEPOSIT' ? 'WEB_PAYMENT' : 'CASHIN',
    status: WORDS[status],
    amount: { value: Number(amount), unit: currency },
    customer: { idType: 'MSISDN', id: phoneNumber.slice(3) },
    partner:
      merchantCode === undefined ? { idType: 'MSISDN', id: number } : { idType: 'CODE', id: merchantCode },
    reference: referenceOf(charge),
    ...(failureCode === undefined ? {} : { code: failureCode }),
  };
}

/** A problem document. Its code is a number in some answers and a string in others. */
function problem(status: number, code: string): Answer {
  const title = status === 400 ? 'Bad Request' : 'Unauthorized';
  return {
    status,
    json: {
      type: 'about:blank',
      title,
      status,
      detail: 'See the code',
      code: Number(code) % 2 === 0 ? code : Number(code),
    },
  };
}
