// Personal data stays home. Values no other text can hold are sent through everything that can happen to a deposit;
// then everything the system wrote is searched for them.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  call,
  depositRequest,
  openTestGateway,
  payer,
  select,
  type Answer,
  type TestGateway,
  waitUntil,
} from './gateway.ts';
import { payFields, send as sendForm } from './pages/forms.ts';
import { SHORT_TIMING, startServerProcess, type ServerProcess } from './server-process.ts';
import { ask, statementRequest, waitForStatement } from './statement-files.ts';

const PHONE_NUMBER = '250788424242';
const NAME = 'Zawadi Xqwtrv';
const PII_VALUE = 'canary-7f3a9c-value';
const REFERENCE = 'canary-reference-51b';

/** Each value as it could be recorded: plain, in hex, in base64 (at any offset), in a URL. */
const CANARIES = [PHONE_NUMBER, NAME, PII_VALUE, REFERENCE].flatMap((value) => [
  value,
  Buffer.from(value).toString('hex'),
  encodeURIComponent(value),
  ...[0, 1, 2].map((offset) => base64Core(value, offset)),
]);

/** The part of a value's base64 that does not depend on what stands before and after it. */
function base64Core(value: string, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]).toString('base64');
  return encoded.slice(offset === 0 ? 0 : offset + 1, -4);
}

let gateway: TestGateway;
let server: ServerProcess;
const answers: Answer[] = [];

beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api', timing: SHORT_TIMING, isDatabaseTalkative: true });
  server = await startServerProcess(gateway, 'all', { MALIPO_LOG_LEVEL: 'trace' });
  await driveEverything();
});
afterAll(async () => {
  await server.kill();
  await gateway.stop();
});

async function send(body: unknown, headers: Record<string, string> = {}): Promise<void> {
  answers.push(
    await call({ url: server.url, apiToken: gateway.apiToken }, 'POST', '/v2/deposits', body, headers),
  );
}

function canaryDeposit(changes: Record<string, unknown> = {}) {
  return depositRequest({
    payer: payer('MTN_MOMO_RWA', PHONE_NUMBER),
    customerMessage: NAME,
    clientReferenceId: REFERENCE,
    metadata: [
      { customer: PII_VALUE, isPII: true },
      { name: NAME, isPII: true },
    ],
    ...changes,
  });
}

/** Success, failure, doubt, contradiction, refusal, bad input, forged notification, refused callback. */
async function driveEverything(): Promise<void> {
  const completed = canaryDeposit();
  await send(completed);
  await send(completed);
  for (const fault of [
    { type: 'OUTCOME', status: 'FAILED', phoneNumber: PHONE_NUMBER },
    { type: 'LOSE_ANSWER' },
    { type: 'UNREADABLE_ANSWER' },
    { type: 'ERROR', httpStatus: 500 },
    { type: 'WRONG_AMOUNT' },
    { type: 'CONTRADICTING_NOTIFICATION' },
    { type: 'FORGED_NOTIFICATION' },
  ] as const) {
    gateway.simulator.addFault(fault);
    await send(canaryDeposit());
    await waitUntil(async () => (await openPayments()).length === 0);
  }
  await payOnPages();
  await fetchStatement();
  gateway.receiver.answerWith({ status: 500 });
  await send(canaryDeposit());
  await waitUntil(async () => (await openPayments()).length === 0);
  await send(canaryDeposit({ amount: '0' }));
  await send(canaryDeposit({ currency: 'XXX' }));
  await send(canaryDeposit({ [PII_VALUE]: 1 }));
  await send({ ...canaryDeposit(), payer: payer('MTN_MOMO_RWA', `${PHONE_NUMBER}99999`) });
  await send(`{"phoneNumber":"${PHONE_NUMBER}", ${NAME}`);
  await send(canaryDeposit(), { authorization: `Bearer ${PII_VALUE}` });
  await call({ url: server.url, apiToken: gateway.apiToken }, 'GET', `/v2/deposits/${PII_VALUE}`);
  await call(
    { url: server.url, apiToken: gateway.apiToken },
    'POST',
    '/operators/simulator/notifications',
    PII_VALUE,
  );
}

/** The last parts of their addresses: anyone who knows one can open the page. */
const pageCodes: string[] = [];

/** A page and a checkout, ordered and paid with canaries. */
async function payOnPages(): Promise<void> {
  const host = { url: server.url, apiToken: gateway.apiToken };
  const { depositId, metadata, clientReferenceId } = canaryDeposit();
  const returnUrl = `https://shop.example/?customer=${encodeURIComponent(PII_VALUE)}`;
  const opened = [
    await call(host, 'POST', '/v2/paymentpage', {
      depositId,
      returnUrl,
      metadata,
      country: 'RWA',
      reason: NAME,
      amountDetails: { amount: '100', currency: 'RWF' },
    }),
    await call(host, 'POST', '/v2/checkouts', {
      checkoutId: randomUUID(),
      returnUrl,
      metadata,
      clientReferenceId,
      reason: { en: NAME },
      amounts: [{ country: 'RWA', currency: 'RWF', amount: '100' }],
    }),
  ];
  for (const { body } of opened) {
    const url = String(body['redirectUrl']);
    pageCodes.push(url.slice(-18));
    await sendForm(url, await payFields(url, { phone: PHONE_NUMBER }));
    await waitUntil(async () => (await openPayments()).length === 0);
  }
}

/** What it is fetched with, and what it says. */
const statement = { link: '', text: '' };

async function fetchStatement(): Promise<void> {
  const host = { url: server.url, apiToken: gateway.apiToken };
  const { downloadUrl } = await waitForStatement(host, await ask(host, statementRequest()));
  statement.link = new URL(downloadUrl).pathname.split('/').at(-1)!;
  statement.text = await (await fetch(downloadUrl)).text();
}

async function openPayments() {
  return select(gateway, `select 1 from payments where state in ('ACCEPTED', 'PROCESSING')`);
}

function canariesIn(text: string): string[] {
  return CANARIES.filter((canary) => text.includes(canary));
}

test('both pages were paid', async () => {
  const rows = await select(
    gateway,
    `select 1 from payments p where state = 'COMPLETED' and (checkout_id is not null or exists (
       select 1 from payment_pages s where s.deposit_id = p.payment_id))`,
  );
  expect(rows).toHaveLength(2);
});

test('the run really went through success, refusal, rejection and bad input', () => {
  const seen = answers.map(({ status, body }) => `${status} ${body['status']}`);
  expect(new Set(seen)).toEqual(
    new Set(['200 ACCEPTED', '200 DUPLICATE_IGNORED', '200 REJECTED', '400 REJECTED', '401 REJECTED']),
  );
  expect(
    gateway.receiver.received.some(({ text }) => text.includes(PII_VALUE) && text.includes(PHONE_NUMBER)),
  ).toBe(true);
});

test('the search for canaries finds one that is there', () => {
  expect(canariesIn(`x${Buffer.from(`ab${PII_VALUE}cd`).toString('base64')}`)).not.toEqual([]);
  expect(canariesIn(`\\x${Buffer.from(`ab${NAME}`).toString('hex')}`)).not.toEqual([]);
});

test('no personal data in the logs of the process', () => {
  expect(server.output()).toContain('answered');
  expect(canariesIn(server.output())).toEqual([]);
  expect(pageCodes).toHaveLength(2);
  for (const code of pageCodes) expect(server.output()).not.toContain(code);
  for (const value of [PHONE_NUMBER, PII_VALUE, REFERENCE]) expect(statement.text).toContain(value);
  expect(server.output()).not.toContain(statement.link);
});

test('no personal data in the metrics', async () => {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toContain('malipo_initiations_total');
  expect(canariesIn(metrics)).toEqual([]);
});

test("no personal data in PostgreSQL's own log, which holds every statement and its values", async () => {
  const log = await readFile(inject('clusterLogPath'), 'utf8');
  expect(log).toContain('insert into payments');
  expect(canariesIn(log)).toEqual([]);
});

test('no personal data in a dump of all tables', async () => {
  const run = promisify(execFile);
  const { stdout } = await run('pg_dump', ['--data-only', gateway.databaseUrl], { maxBuffer: 1 << 28 });
  expect(stdout).toContain('COPY public.payments');
  expect(canariesIn(stdout)).toEqual([]);
});
