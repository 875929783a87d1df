// What makes a running gateway give each answer that the OpenAPI document describes. Refusals are provoked alike for
// every operation; what is answered 200 is different for each and stands in the table below.
import { randomUUID } from 'node:crypto';
import { changeAvailability } from '../../src/core/merchants/administer-merchants.ts';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import { BODY_BYTES_MAX } from '../../src/edge/failure.ts';
import { call, depositRequest, payer, select, waitUntil, type Answer, type TestGateway } from '../gateway.ts';
import {
  payoutRequest,
  refundRequest,
  remittanceRecipient,
  remittanceRequest,
  type Body,
} from '../requests.ts';
import { attempt, checkoutRequest, readCheckout, waitForCheckout } from '../checkouts.ts';
import { ask as askStatement, statementRequest, waitForStatement } from '../statement-files.ts';
import { openToken } from './accounts.ts';
import { answerSchema, type Operation } from './description.ts';
import { withoutTable } from './missing-table.ts';
import { askStopping, askTooFast } from './unheard.ts';

export type Exercise = (gateway: TestGateway) => Promise<readonly Answer[]>;

/** By method, path and status of the answer. */
export type Exercises = Readonly<Record<string, Exercise>>;

/** How to get the answers of an operation that have this status. */
export function exerciseFor(
  operation: Operation,
  status: string,
  exercises: Exercises,
): Exercise | undefined {
  const { method, path } = operation;
  const own = exercises[`${method} ${path} ${status}`];
  if (own !== undefined) return own;
  const refused = refusedRequest(operation, status);
  const ask = (gateway: TestGateway, apiToken = gateway.apiToken) =>
    call({ url: gateway.url, apiToken }, method, refused.path, refused.body);
  switch (status) {
    case '400':
      return async (gateway) => [await ask(gateway)];
    case '401':
      return async (gateway) => [await ask(gateway, 'secret')];
    case '403':
      return async (gateway) => {
        const { apiToken } = await openToken(gateway, gateway.merchantId, { scopes: [] });
        return [await ask(gateway, apiToken)];
      };
    case '413':
      return async (gateway) => {
        const body = { surplus: 'x'.repeat(BODY_BYTES_MAX) };
        return [await call(gateway, method, refused.path, body)];
      };
    case '415':
      return async (gateway) => [await askWith(gateway, operation, { 'content-encoding': 'gzip' })];
    case '431':
      return async (gateway) => [await askWith(gateway, operation, { 'x-long': 'x'.repeat(20_000) })];
    case '429':
      return async (gateway) => [await askTooFast(gateway, { method, ...refused })];
    case '503':
      return async (gateway) => [await askStopping(gateway, { method, ...refused })];
    case '500':
      return async (gateway) => {
        const answers: Answer[] = [];
        await withoutTable(gateway, 'api_tokens', async () => void answers.push(await ask(gateway)));
        return answers;
      };
    default:
      return undefined;
  }
}

async function askWith(
  { url, apiToken }: TestGateway,
  { method, path }: Operation,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const answer = await fetch(`${url}${path.replace(/\{\w+\}/, 'x')}`, {
    method,
    headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json', ...headers },
    ...(method === 'POST' && { body: '{}' }),
  });
  return { status: answer.status, body: (await answer.json()) as Body };
}

/** Wrong in path, body and query, wherever the operation has them; with the identifier that the answer repeats. */
function refusedRequest(operation: Operation, status: string): { path: string; body: unknown } {
  const { method, described } = operation;
  const path = operation.path.replace(/\{\w+\}/, 'x');
  const hasQuery = described['parameters']?.some((one: Body) => one['in'] === 'query') === true;
  const echoed = Object.keys(answerSchema(operation, status)['properties'] ?? {}).find((name) =>
    name.endsWith('Id'),
  );
  const body = echoed === undefined ? { surplus: 1 } : { [echoed]: randomUUID(), surplus: 1 };
  return { path: hasQuery ? `${path}?country=x` : path, body: method === 'POST' ? body : undefined };
}

const FULL = {
  customerMessage: 'Order 123456',
  clientReferenceId: 'INV-1',
  metadata: [{ orderId: 'ORD-1' }, { email: 'a@example.com', isPII: true }],
};
const { clientReferenceId, ...FULL_REMITTANCE } = FULL;
const FULL_REFUND = { amount: '50', currency: 'RWF', clientReferenceId, metadata: FULL.metadata };

const REDIRECTED = {
  amount: '500',
  currency: 'XOF',
  payer: payer('WAVE_SEN', '221773456789'),
  successfulUrl: 'https://shop.example/ok',
  failedUrl: 'https://shop.example/failed',
};

/** Sandbox numbers: one that declines to pay, one that cannot be paid to, one that can. */
const DECLINES = payer('MTN_MOMO_RWA', '250783456039');
const NO_WALLET = payer('MTN_MOMO_RWA', '250783456089');
const SENEGALESE = payer('ORANGE_SEN', '221773456789');

export const CURRENT_EXERCISES: Exercises = {
  'POST /v2/deposits 200': (gateway) =>
    startAll(gateway, '/v2/deposits', [
      ...twice(depositRequest(FULL)),
      depositRequest(REDIRECTED),
      depositRequest({ amount: '0' }),
    ]),
  'GET /v2/deposits 200': async (gateway) => {
    await finish(gateway, '/v2/deposits', depositRequest(FULL));
    await finish(gateway, '/v2/deposits', depositRequest({ payer: DECLINES }));
    await finish(gateway, '/v2/deposits', depositRequest(REDIRECTED), hasAddress);
    return listTwice(gateway, '/v2/deposits');
  },
  'GET /v2/deposits/{depositId} 200': async (gateway) => [
    await read(gateway, '/v2/deposits', randomUUID()),
    await finish(gateway, '/v2/deposits', depositRequest(FULL)),
    await finish(gateway, '/v2/deposits', depositRequest({ payer: DECLINES })),
    await finish(gateway, '/v2/deposits', depositRequest(REDIRECTED), hasAddress),
  ],
  'POST /v2/deposits/resend-callback/{depositId} 200': (gateway) =>
    resendAll(gateway, '/v2/deposits', depositRequest(FULL)),

  'POST /v2/payouts 200': (gateway) =>
    startAll(gateway, '/v2/payouts', [...twice(payoutRequest(FULL)), payoutRequest({ amount: '0' })]),
  'POST /v2/payouts/bulk 200': async (gateway) => [
    await post(gateway, '/v2/payouts/bulk', [...twice(payoutRequest()), payoutRequest({ amount: '0' })]),
  ],
  'GET /v2/payouts 200': async (gateway) => {
    await finish(gateway, '/v2/payouts', payoutRequest(FULL));
    await finish(gateway, '/v2/payouts', payoutRequest({ recipient: NO_WALLET }));
    return listTwice(gateway, '/v2/payouts');
  },
  'GET /v2/payouts/{payoutId} 200': async (gateway) => [
    await read(gateway, '/v2/payouts', randomUUID()),
    await finish(gateway, '/v2/payouts', payoutRequest(FULL)),
    await finish(gateway, '/v2/payouts', payoutRequest({ recipient: NO_WALLET })),
  ],
  'POST /v2/payouts/resend-callback/{payoutId} 200': (gateway) =>
    resendAll(gateway, '/v2/payouts', payoutRequest()),
  'POST /v2/payouts/fail-enqueued/{payoutId} 200': (gateway) =>
    cancelAll(gateway, 'PAYOUT', '/v2/payouts', payoutRequest()),

  'POST /v2/refunds 200': async (gateway) =>
    startAll(gateway, '/v2/refunds', [
      ...twice(refundRequest(await collect(gateway), FULL_REFUND)),
      refundRequest(randomUUID()),
    ]),
  'GET /v2/refunds 200': async (gateway) => {
    await finish(gateway, '/v2/refunds', refundRequest(await collect(gateway), FULL_REFUND));
    await finish(gateway, '/v2/refunds', refundRequest(await collect(gateway, NO_WALLET)));
    return listTwice(gateway, '/v2/refunds');
  },
  'GET /v2/refunds/{refundId} 200': async (gateway) => [
    await read(gateway, '/v2/refunds', randomUUID()),
    await finish(gateway, '/v2/refunds', refundRequest(await collect(gateway), FULL_REFUND)),
    await finish(gateway, '/v2/refunds', refundRequest(await collect(gateway, NO_WALLET))),
  ],
  'POST /v2/refunds/resend-callback/{refundId} 200': async (gateway) =>
    resendAll(gateway, '/v2/refunds', refundRequest(await collect(gateway))),
  'POST /v2/refunds/fail-enqueued/{refundId} 200': async (gateway) =>
    cancelAll(gateway, 'REFUND', '/v2/refunds', refundRequest(await collect(gateway))),

  'POST /v2/remittances 200': (gateway) =>
    startAll(gateway, '/v2/remittances', [
      ...twice(remittanceRequest(FULL_REMITTANCE)),
      remittanceRequest({ amount: '0' }),
    ]),
  'POST /v2/remittances/bulk 200': async (gateway) => [
    await post(gateway, '/v2/remittances/bulk', [
      ...twice(remittanceRequest()),
      remittanceRequest({ amount: '0' }),
    ]),
  ],
  'GET /v2/remittances 200': async (gateway) => {
    const recipient = remittanceRecipient('MTN_MOMO_RWA', '250783456089');
    await finish(gateway, '/v2/remittances', remittanceRequest(FULL_REMITTANCE));
    await finish(gateway, '/v2/remittances', remittanceRequest({ recipient }));
    return listTwice(gateway, '/v2/remittances');
  },
  'GET /v2/remittances/{remittanceId} 200': async (gateway) => [
    await read(gateway, '/v2/remittances', randomUUID()),
    await finish(gateway, '/v2/remittances', remittanceRequest(FULL_REMITTANCE)),
    await finish(
      gateway,
      '/v2/remittances',
      remittanceRequest({ recipient: remittanceRecipient('MTN_MOMO_RWA', '250783456089') }),
    ),
  ],
  'POST /v2/remittances/resend-callback/{remittanceId} 200': (gateway) =>
    resendAll(gateway, '/v2/remittances', remittanceRequest()),
  'POST /v2/remittances/fail-enqueued/{remittanceId} 200': (gateway) =>
    cancelAll(gateway, 'REMITTANCE', '/v2/remittances', remittanceRequest()),

  'POST /v2/split-payments 200': (gateway) =>
    startAll(gateway, '/v2/split-payments', [...twice(splitRequest(FULL)), splitRequest({ amount: '1' })]),
  'GET /v2/split-payments/{splitPaymentId} 200': async (gateway) => [
    await read(gateway, '/v2/split-payments', randomUUID()),
    await finish(gateway, '/v2/split-payments', splitRequest(FULL)),
    await finish(gateway, '/v2/split-payments', splitRequest({ payer: DECLINES })),
    await finish(gateway, '/v2/split-payments', splitRequest({}, NO_WALLET)),
    await finish(gateway, '/v2/split-payments', splitRequest(REDIRECTED, SENEGALESE), hasAddress),
  ],

  'POST /v2/paymentpage 200': async (gateway) => [
    await post(gateway, '/v2/paymentpage', pageRequest({ phoneNumber: '1' })),
  ],
  'POST /v2/paymentpage 201': async (gateway) => [await post(gateway, '/v2/paymentpage', pageRequest())],

  'POST /v2/checkouts 200': (gateway) =>
    startAll(gateway, '/v2/checkouts', [
      ...twice(checkoutRequest()),
      checkoutRequest({ amounts: [{ country: 'RWA', currency: 'RWF', amount: '0' }] }),
    ]),
  'GET /v2/checkouts/{checkoutId} 200': async (gateway) => [
    await read(gateway, '/v2/checkouts', randomUUID()),
    await finishCheckout(gateway, checkoutRequest(FULL_CHECKOUT)),
  ],
  'POST /v2/checkouts/{checkoutId}/expire 200': async (gateway) => {
    const { checkoutId } = checkoutRequest();
    await post(gateway, '/v2/checkouts', checkoutRequest({ checkoutId }));
    return [await expire(gateway, checkoutId), await expire(gateway, checkoutId)];
  },
  'POST /v2/checkouts/{checkoutId}/expire 404': async (gateway) => [await expire(gateway, randomUUID())],

  'GET /v2/active-conf 200': async (gateway) => [
    await call(gateway, 'GET', '/v2/active-conf'),
    await call(gateway, 'GET', '/v2/active-conf?country=BFA&operationType=DEPOSIT'),
  ],
  'GET /v2/availability 200': async (gateway) => [await call(gateway, 'GET', '/v2/availability')],
  'POST /v2/predict-provider 200': async (gateway) => [
    await post(gateway, '/v2/predict-provider', { phoneNumber: '+250 783 456 789' }),
  ],
  'GET /v2/public-key/http 200': async (gateway) => [await call(gateway, 'GET', '/v2/public-key/http')],
  'GET /v2/events 200': async (gateway) => {
    for (const kind of ['deposits', 'payouts', 'refunds', 'remittances'])
      await CURRENT_EXERCISES[`GET /v2/${kind} 200`]?.(gateway);
    await waitUntil(async () => (await select(gateway, 'select 1 from event_queue')).length === 0);
    return readFeed(gateway);
  },
  // A cursor of another time of the database.
  'GET /v2/events 410': async (gateway) => {
    const cursor = Buffer.from(JSON.stringify(['EVENTS', randomUUID(), '1'])).toString('base64url');
    return [await call(gateway, 'GET', `/v2/events?after=${cursor}`)];
  },
  'GET /v2/wallet-balances 200': async (gateway) => [await call(gateway, 'GET', '/v2/wallet-balances')],

  'POST /v2/statements 200': (gateway) =>
    startAll(gateway, '/v2/statements', [statementRequest(), statementRequest({ endDate: '2020-01-01' })]),
  'GET /v2/statements/{statementId} 200': async (gateway) => [
    await read(gateway, '/v2/statements', randomUUID()),
    await finishStatement(gateway),
    await failStatement(gateway),
  ],
};

const FULL_CHECKOUT = {
  defaultLanguage: 'en',
  countries: ['RWA'],
  amounts: [{ country: 'RWA', currency: 'RWF', amount: '100' }],
  payer: {
    type: 'MMO',
    accountDetails: {
      phoneNumber: '250783456789',
      provider: 'MTN_MOMO_RWA',
      allowCustomerToOverride: true,
    },
  },
  clientReferenceId: 'CART-1',
  reason: { en: 'Two tickets', fr: 'Deux billets' },
  metadata: FULL.metadata,
};

function pageRequest(changes: Body = {}): Body {
  return { depositId: randomUUID(), returnUrl: 'https://shop.example/orders/1', ...changes };
}

function expire(gateway: TestGateway, checkoutId: string): Promise<Answer> {
  return call(gateway, 'POST', `/v2/checkouts/${checkoutId}/expire`);
}

/** A checkout whose first attempt fails and whose second succeeds; and one with a failed attempt only. */
async function finishCheckout(gateway: TestGateway, request: Body): Promise<Answer> {
  const { checkoutId } = request;
  await post(gateway, '/v2/checkouts', request);
  await attempt(gateway, { checkoutId, attemptNo: 1, phoneNumber: '250783456039' });
  await waitUntil(
    async () => (await readCheckout(gateway, checkoutId))['depositsHistory'][0].status === 'FAILED',
  );
  const failed = await read(gateway, '/v2/checkouts', checkoutId);
  await attempt(gateway, { checkoutId, attemptNo: 2 });
  await waitForCheckout(gateway, checkoutId, 'COMPLETED');
  const completed = await read(gateway, '/v2/checkouts', checkoutId);
  // Both records in one: what only a failed latest attempt has, and what only a completed one has.
  const data = {
    ...completed.body['data'],
    deposit: { ...failed.body['data'].deposit, ...completed.body['data'].deposit },
  };
  return { ...completed, body: { ...completed.body, data } };
}

/** Of a span that is over, so that nothing has to be waited for. */
const overdue = (gateway: TestGateway) =>
  askStatement(gateway, statementRequest({ endDate: hourAgo(), callbackUrl: gateway.receiver.url }));
const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

async function finishStatement(gateway: TestGateway): Promise<Answer> {
  const statementId = await overdue(gateway);
  await waitForStatement(gateway, statementId);
  return read(gateway, '/v2/statements', statementId);
}

/** Begun so often without an end that it is given up. */
async function failStatement(gateway: TestGateway): Promise<Answer> {
  const statementId = await askStatement(gateway, statementRequest());
  await gateway.engine.store.database.query(
    'update statements set making_no = 5, due_at = created_at where statement_id = $1',
    [statementId],
  );
  await waitForStatement(gateway, statementId);
  return read(gateway, '/v2/statements', statementId);
}

function splitRequest(changes: Body = {}, recipient = payer('MTN_MOMO_RWA', '250783456789')): Body {
  return {
    splitPaymentId: randomUUID(),
    amount: '1000',
    currency: 'RWF',
    payer: payer('MTN_MOMO_RWA', '250783456789'),
    splits: [{ payoutId: randomUUID(), amount: '300', recipient, customerMessage: 'Your share' }],
    ...changes,
  };
}

function twice<Request>(request: Request): readonly [Request, Request] {
  return [request, request];
}

function post(gateway: TestGateway, path: string, body: unknown): Promise<Answer> {
  return call(gateway, 'POST', path, body);
}

function read(gateway: TestGateway, path: string, id: string): Promise<Answer> {
  return call(gateway, 'GET', `${path}/${id}`);
}

async function readFeed(gateway: TestGateway): Promise<readonly Answer[]> {
  const pages = [await call(gateway, 'GET', '/v2/events?limit=100')];
  while (pages.at(-1)?.body['hasMore'] === true)
    pages.push(await call(gateway, 'GET', `/v2/events?limit=100&after=${pages.at(-1)?.body['next']}`));
  return pages;
}

/** As large as a page can be, and one that is followed by another. */
async function listTwice(gateway: TestGateway, path: string): Promise<readonly Answer[]> {
  return [
    await call(gateway, 'GET', `${path}?limit=100`),
    await call(gateway, 'GET', `${path}?limit=1&from=2026-01-01`),
  ];
}

async function startAll(
  gateway: TestGateway,
  path: string,
  requests: readonly Body[],
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const request of requests) answers.push(await post(gateway, path, request));
  return answers;
}

const isFinal = (record: Body) => /COMPLETED|FAILED/.test(record['status']);
const hasAddress = (record: Body) => record['authorizationUrl'] !== undefined;

/** Starts a payment and reads it until it is far enough. Its own identifier is the first field of a request. */
async function finish(
  gateway: TestGateway,
  path: string,
  request: Body,
  isFarEnough: (record: Body) => boolean = isFinal,
): Promise<Answer> {
  const started = await post(gateway, path, request);
  if (started.body['status'] !== 'ACCEPTED') throw new Error(JSON.stringify(started.body));
  const id = String(Object.values(request)[0]);
  await waitUntil(async () => isFarEnough((await read(gateway, path, id)).body['data']));
  return read(gateway, path, id);
}

/** A completed deposit. */
async function collect(gateway: TestGateway, from = payer('MTN_MOMO_RWA', '250783456789')): Promise<string> {
  const { body } = await finish(gateway, '/v2/deposits', depositRequest({ payer: from }));
  return body['data'].depositId;
}

async function resendAll(gateway: TestGateway, path: string, request: Body): Promise<readonly Answer[]> {
  await finish(gateway, path, request);
  const ids = [String(Object.values(request)[0]), randomUUID()];
  return Promise.all(ids.map((id) => call(gateway, 'POST', `${path}/resend-callback/${id}`)));
}

/** A payment that waits for its provider, and one that no one knows. */
async function cancelAll(
  gateway: TestGateway,
  operation: PaymentKind,
  path: string,
  request: Body,
): Promise<readonly Answer[]> {
  const provider = 'MTN_MOMO_RWA';
  await changeAvailability(gateway.engine, { by: 'test', provider, operation, status: 'DELAYED' });
  try {
    await finish(gateway, path, request, (record) => record['status'] === 'ENQUEUED');
    const ids = [String(Object.values(request)[0]), randomUUID()];
    return await Promise.all(ids.map((id) => call(gateway, 'POST', `${path}/fail-enqueued/${id}`)));
  } finally {
    await changeAvailability(gateway.engine, { by: 'test', provider, operation, status: 'OPERATIONAL' });
  }
}
