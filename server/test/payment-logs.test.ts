// Payments are played through a whole process, well and badly, and every line of its log is read: a line about payments
// names them and their traces, and no line has anything about a person or a secret.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../src/commands/sandbox/local-machine.ts';
import { createTraceIdentity } from '../src/commands/serve/tracing/identity.ts';
import type { OperationKey } from '../src/domain/payments/payment.ts';
import {
  call,
  depositRequest,
  openTestGateway,
  payer,
  select,
  SIMULATOR_CLIENT,
  TEST_KEYS,
  waitUntil,
  type TestGateway,
} from './gateway.ts';
import { payFields, send as sendForm } from './pages/forms.ts';
import { send, start, startCompleted, waitForPayment } from './payments.ts';
import { payoutRequest, refundRequest, wallet } from './requests.ts';
import { SHORT_TIMING, startServerProcess, type ServerProcess } from './server-process.ts';
import { earlierDeposit, readEarlier, startEarlier } from './v1.ts';

const PHONE_NUMBER = '250788424242';
const NAME = 'Zawadi Xqwtrv';

type Line = {
  readonly msg: string;
  readonly where?: string;
  readonly route?: string;
  readonly status?: number;
  readonly payments?: readonly (OperationKey & { readonly traceId: string })[];
};

let gateway: TestGateway;
let server: ServerProcess;
let lines: readonly Line[];

beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api', timing: SHORT_TIMING });
  const port = await freePort();
  server = await startServerProcess(gateway, 'all', {
    MALIPO_LOG_LEVEL: 'debug',
    MALIPO_PORT: String(port),
    MALIPO_OPERATORS_URL: `http://127.0.0.1:${port}`,
  });
  await play({ url: server.url, apiToken: gateway.apiToken });
  lines = server
    .output()
    .split('\n')
    .filter((line) => /^\{.*\}$/.test(line))
    .map((line) => JSON.parse(line) as Line);
});
afterAll(async () => {
  await server.kill();
  await gateway.stop();
});

const deposit = (changes: object = {}) =>
  depositRequest({ payer: payer('MTN_MOMO_RWA', PHONE_NUMBER), customerMessage: NAME, ...changes });

type Caller = Pick<TestGateway, 'url' | 'apiToken'>;

async function play(caller: Caller): Promise<void> {
  const paid = await startCompleted(caller, 'deposit', deposit());
  await startCompleted(caller, 'refund', refundRequest(paid, { amount: '40', currency: 'RWF' }));
  await startCompleted(caller, 'payout', payoutRequest());
  await call(caller, 'POST', '/v2/payouts/bulk', [payoutRequest(), payoutRequest()]);
  await call(caller, 'POST', `/v2/deposits/resend-callback/${paid}`);
  await readEarlier(caller, 'deposit', await startEarlier(caller, 'deposit', earlierDeposit()));
  await playFaults(caller);
  await playPage(caller);
  await playBrokenCallback(caller, paid);
  // What was not understood names no payment.
  await call(caller, 'GET', `/v2/deposits/${PHONE_NUMBER}`);
  await send(caller, 'deposit', deposit({ amount: NAME }));
  await send({ ...caller, apiToken: `x${caller.apiToken}` }, 'deposit', deposit());
  await waitUntil(
    async () => (await select(gateway, 'select 1 from payments where final_at is null')).length === 0,
  );
  await waitUntil(() => server.output().includes('"msg":"callback"'));
}

async function playFaults(caller: Caller): Promise<void> {
  const failing = payoutRequest({ recipient: wallet('MTN_MOMO_RWA', '250783456089') });
  await waitForPayment(caller, 'payout', await start(caller, 'payout', failing), 'FAILED');
  // No answer, an unclear one, and a notification that is forged.
  for (const fault of [
    { type: 'LOSE_ANSWER' },
    { type: 'ERROR', httpStatus: 500 },
    { type: 'FORGED_NOTIFICATION' },
  ] as const) {
    gateway.simulator.addFault(fault);
    await startCompleted(caller, 'deposit', deposit());
  }
  gateway.receiver.answerWith({ status: 500 });
  await startCompleted(caller, 'deposit', deposit());
  await waitUntil(() => /"result":"PENDING"[^\n]*"msg":"callback"/.test(server.output()));
  gateway.receiver.answerWith({ status: 200 });
}

async function playPage(caller: Caller): Promise<void> {
  const { body } = await call(caller, 'POST', '/v2/checkouts', {
    checkoutId: randomUUID(),
    returnUrl: 'https://shop.example/',
    reason: { en: NAME },
    amounts: [{ country: 'RWA', currency: 'RWF', amount: '100' }],
  });
  const url = String(body['redirectUrl']);
  await sendForm(url, await payFields(url, { phone: PHONE_NUMBER }));
}

/** A body that no one can decrypt. */
async function playBrokenCallback(caller: Caller, depositId: string): Promise<void> {
  const undelivered = `select 1 from callbacks where payment_id = $1 and status <> 'DELIVERED'`;
  await waitUntil(async () => (await select(gateway, undelivered, [depositId])).length === 0);
  await select(gateway, `update callbacks set encrypted_body = 'x' where payment_id = $1`, [depositId]);
  await call(caller, 'POST', `/v2/deposits/resend-callback/${depositId}`);
  await waitUntil(() => server.output().includes('"where":"deliver"'));
}

const STEPS = ['submit', 'enquire', 'deliver', 'release', 'unsent'];

/** All but what is about the process itself, and requests that name no payment. */
function isAboutPayments({ msg, where = '', route = '', status = 200 }: Line): boolean {
  if (msg === 'failed') return STEPS.includes(where);
  if (msg === 'answered') return status < 400 && /deposits|payouts|refunds|checkout/.test(route);
  return SPANS.includes(msg);
}

/** What happened to a payment. */
const SPANS = [
  'initiate',
  'advance',
  'submit',
  'operator submit',
  'enquire',
  'operator query',
  'notification',
  'callback',
  'resend',
];

test('the play has lines of every kind', () => {
  for (const msg of ['answered', 'failed', ...SPANS])
    expect(
      lines.map((line) => line.msg),
      msg,
    ).toContain(msg);
  const routes = lines.map(({ route = '' }) => route);
  expect(routes).toContain('/deposits');
  expect(routes).toContain('/checkout/:code');
  expect(routes).toContain('/v2/payouts/bulk');
  expect(lines.filter(isAboutPayments).length).toBeGreaterThan(60);
});

test('every line about payments has their identifiers and traces', async () => {
  const identity = createTraceIdentity(TEST_KEYS.referenceKey);
  const keys = await select(gateway, 'select merchant_id, kind, payment_id from payment_keys');
  const known = new Set(
    keys.map(({ merchant_id, kind, payment_id }) => `${merchant_id} ${kind} ${payment_id}`),
  );
  for (const line of lines.filter(isAboutPayments)) {
    expect(line.payments?.length ?? 0, JSON.stringify(line)).toBeGreaterThan(0);
    for (const { traceId, ...key } of line.payments ?? []) {
      expect(Object.keys(key).toSorted()).toEqual(['kind', 'merchantId', 'paymentId']);
      expect(known, JSON.stringify(line)).toContain(`${key.merchantId} ${key.kind} ${key.paymentId}`);
      expect(traceId).toBe(identity.of(key).traceId);
    }
  }
  const bulk = lines.find(({ route }) => route === '/v2/payouts/bulk');
  expect(bulk?.payments).toHaveLength(2);
  const broken = lines.find(({ msg, where }) => msg === 'failed' && where === 'deliver');
  expect(broken?.payments).toHaveLength(1);
});

test('notifications that were applied name their payment', () => {
  const answered = lines.filter(
    ({ msg, route = '' }) => msg === 'answered' && route.startsWith('/operators/'),
  );
  const named = answered.filter(({ payments }) => payments?.length === 1);
  expect(named.length).toBeGreaterThan(5);
  // Only what was forged names none.
  expect(answered.length - named.length).toBeLessThanOrEqual(2);
});

test('no line has a phone number, a name, a token or a secret', () => {
  const secrets = [
    PHONE_NUMBER,
    '250783456089',
    '250783456789',
    NAME,
    gateway.apiToken,
    SIMULATOR_CLIENT.notificationSecret,
    TEST_KEYS.referenceKey.toString('base64'),
    TEST_KEYS.searchKey.toString('base64'),
    ...TEST_KEYS.encryptionKeys.map(({ key }) => key.toString('base64')),
  ];
  const text = server.output();
  for (const secret of secrets) expect(text.includes(secret), secret).toBe(false);
  expect(text).not.toMatch(/\b2507\d{8}\b/);
});
