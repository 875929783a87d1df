// The sandbox's control interface as a developer uses it: over HTTP, each scenario with what it does to a deposit.
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openGateway } from '../../src/commands/serve/compose.ts';
import { createTokenText } from '../../src/core/access/api-token.ts';
import { PAYMENT_KINDS } from '../../src/domain/payments/payment.ts';
import { createOpenApi, sandboxOpenApiOptions } from '../../src/edge/openapi.ts';
import { registerSandbox } from '../../src/sandbox/control/plugin.ts';
import {
  call,
  depositRequest,
  eventually,
  initiate,
  openTestGateway,
  payer,
  readDeposit,
  select,
  waitForStatus,
  type Answer,
  type TestGateway,
} from '../gateway.ts';
import { readPayment, start, waitForOperators, waitForPayment } from '../payments.ts';
import { payoutRequest } from '../requests.ts';
import { createKey } from '../signing.ts';
import { openAccount, openToken } from './accounts.ts';
import { told } from './answers.ts';
import { answerSchema, faultsOf, listOperations, unknownCodes } from './description.ts';

const PROVIDER = 'MTN_MOMO_RWA';
const PHONE_NUMBER = '250783456789';

/** The moment a payer takes, short enough to wait for and long enough to be seen. */
const OUTCOME_DELAY_MS = 200;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({
    simulator: { outcomeDelayMs: OUTCOME_DELAY_MS },
    timing: {
      sendDeadlineMs: 500,
      timeoutMs: 500,
      notSeenAfterMs: 1_200,
      enquiryDelaysMs: [400, 400],
      reconciliationDelayMs: 1_000,
    },
  });
});
afterAll(() => gateway.stop());
afterEach(() => control('DELETE', 'scripts'));

const committed = await readFile(new URL('../../../openapi/sandbox.json', import.meta.url), 'utf8');
const operations = listOperations(JSON.parse(committed));

/** Each documented answer that was given, "GET /sandbox/clock 200". */
const given = new Set<string>();

const control = (method: string, path: string, body?: unknown): Promise<Answer> =>
  ask(gateway, method, `/sandbox/${path}`, body);

/** Asks, and holds the answer against the document. */
async function ask(
  at: Pick<TestGateway, 'url' | 'apiToken'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const answer = await call(at, method, path, body);
  const operation = operations.find(
    (one) => one.method === method && shapeOf(one.path).test(path.split('?')[0]!),
  )!;
  const schema = answerSchema(operation, String(answer.status));
  expect(faultsOf(schema, answer.body)).toEqual([]);
  // A script has a failureCode too, and it is no refusal.
  if (answer.status >= 400) expect(unknownCodes(schema, answer.body)).toEqual([]);
  given.add(`${method} ${operation.path} ${answer.status}`);
  return answer;
}

const shapeOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

async function script(body: Record<string, unknown>): Promise<Answer> {
  const answer = await control('POST', 'scripts', { phoneNumber: PHONE_NUMBER, ...body });
  expect(answer.status).toBe(200);
  return answer;
}

const notificationsAbout = (depositId: string) =>
  select(
    gateway,
    `select n.reading from operator_notifications n join payment_attempts a on a.reference = n.reference
     where a.payment_id = $1`,
    [depositId],
  );
const casesAbout = async (depositId: string) =>
  (await select(gateway, 'select evidence from cases where payment_id = $1', [depositId])).map(
    ({ evidence }) => evidence,
  );
const chargesOf = (amount: string) =>
  gateway.simulator.books().charges.filter((charge) => charge.amount === amount);

describe('a scenario and what it does to a deposit', () => {
  test('SUCCESS: a number that never ends completes', async () => {
    const stuck = { payer: payer(PROVIDER, '250783456129') };
    await script({ phoneNumber: '250783456129', scenario: 'SUCCESS' });
    await waitForStatus(gateway, await initiate(gateway, stuck), 'COMPLETED');
  });

  test.each([
    'PAYMENT_NOT_APPROVED',
    'INSUFFICIENT_BALANCE',
    'PAYMENT_IN_PROGRESS',
    'PAYER_NOT_FOUND',
    'PAYER_LIMIT_REACHED',
    'UNSPECIFIED_FAILURE',
    'OTHER_ERROR',
  ])('FAILURE %s: it fails with that code', async (failureCode) => {
    await script({ scenario: 'FAILURE', failureCode });
    const record = await waitForStatus(gateway, await initiate(gateway), 'FAILED');
    expect(record['failureReason']).toMatchObject({ failureCode });
  });

  test.each(['RECIPIENT_NOT_FOUND', 'RECIPIENT_LIMIT_REACHED', 'WALLET_LIMIT_REACHED'])(
    'FAILURE %s: a payout fails with that code, and a deposit of the same number is left alone',
    async (failureCode) => {
      await script({ scenario: 'FAILURE', failureCode, operation: 'PAYOUT' });
      await waitForStatus(gateway, await initiate(gateway), 'COMPLETED');
      const payoutId = await start(gateway, 'payout', payoutRequest());
      const record = await waitForPayment(gateway, 'payout', payoutId, 'FAILED');
      expect(record['failureReason']).toMatchObject({ failureCode });
    },
  );

  test('LATE_SUCCESS: it goes to IN_RECONCILIATION when its time is over, and completes when the clock is moved on', async () => {
    await script({ scenario: 'LATE_SUCCESS' });
    const depositId = await initiate(gateway);
    await waitForOperators(gateway, [depositId]);
    expect((await control('POST', 'clock', { forwardSeconds: 15 * 60 })).status).toBe(200);
    await waitForStatus(gateway, depositId, 'IN_RECONCILIATION');
    await control('POST', 'clock', { forwardSeconds: 5 * 60 });
    await waitForStatus(gateway, depositId, 'COMPLETED');
  });

  test('LATE_SUCCESS: as late as it is told', async () => {
    await script({ scenario: 'LATE_SUCCESS', delaySeconds: 60 });
    const depositId = await initiate(gateway);
    await waitForOperators(gateway, [depositId]);
    expect(await readDeposit(gateway, depositId)).toMatchObject({ status: 'PROCESSING' });
    await control('POST', 'clock', { forwardSeconds: 60 });
    await waitForStatus(gateway, depositId, 'COMPLETED');
  });

  test('DOUBLED_NOTIFICATION: it completes once, is announced once and is paid once', async () => {
    await script({ scenario: 'DOUBLED_NOTIFICATION' });
    const depositId = await initiate(gateway, { amount: '201' });
    await waitForStatus(gateway, depositId, 'COMPLETED');
    await eventually(() => notificationsAbout(depositId)).toHaveLength(2);
    const announced = () => gateway.receiver.received.filter(({ body }) => body['depositId'] === depositId);
    await eventually(announced).toHaveLength(1);
    expect(chargesOf('201')).toHaveLength(1);
    expect(
      await select(
        gateway,
        'select 1 from transfers where subject_id in (select payment_no from payment_keys where payment_id = $1)',
        [depositId],
      ),
    ).toHaveLength(1);
  });

  test('MISSING_NOTIFICATION: it completes by enquiry', async () => {
    await script({ scenario: 'MISSING_NOTIFICATION' });
    const depositId = await initiate(gateway);
    await waitForStatus(gateway, depositId, 'COMPLETED');
    expect(await notificationsAbout(depositId)).toEqual([]);
  });

  test('FORGED_NOTIFICATION: the false success is only a hint, and it fails', async () => {
    await script({ scenario: 'FORGED_NOTIFICATION' });
    const depositId = await initiate(gateway);
    const record = await waitForStatus(gateway, depositId, 'FAILED');
    expect(record['failureReason']).toMatchObject({ failureCode: 'UNSPECIFIED_FAILURE' });
    await eventually(async () => (await notificationsAbout(depositId)).map(({ reading }) => reading)).toEqual(
      expect.arrayContaining(['HINT', 'AUTHENTIC']),
    );
  });

  test('CONTRADICTING_NOTIFICATION: it stays COMPLETED, and a case is opened', async () => {
    await script({ scenario: 'CONTRADICTING_NOTIFICATION' });
    const depositId = await initiate(gateway);
    await waitForStatus(gateway, depositId, 'COMPLETED');
    await eventually(() => casesAbout(depositId)).toEqual(['LATE_FAILURE']);
    expect(await readDeposit(gateway, depositId)).toMatchObject({ status: 'COMPLETED' });
  });

  test.each([
    ['one unit more', {}, '203'],
    ['as it is told', { amount: '7' }, '7'],
  ])('WRONG_AMOUNT, %s: it goes to IN_RECONCILIATION, and a case is opened', async (_, told_, moved) => {
    await script({ scenario: 'WRONG_AMOUNT', ...told_ });
    const depositId = await initiate(gateway, { amount: '202' });
    await waitForStatus(gateway, depositId, 'IN_RECONCILIATION');
    expect(await casesAbout(depositId)).toEqual(['DISCREPANCY']);
    expect(chargesOf(moved)).toHaveLength(1);
  });

  test('LOST_ANSWER: it completes all the same, and is charged once', async () => {
    await script({ scenario: 'LOST_ANSWER' });
    const depositId = await initiate(gateway, { amount: '204' });
    await waitForStatus(gateway, depositId, 'COMPLETED');
    expect(chargesOf('204')).toMatchObject([{ submissions: 1 }]);
  });

  test('OPERATOR_ERROR: it was not taken, is sent again and completes', async () => {
    await script({ scenario: 'OPERATOR_ERROR' });
    const depositId = await initiate(gateway, { amount: '205' });
    await waitForStatus(gateway, depositId, 'COMPLETED');
    expect(chargesOf('205')).toMatchObject([{ submissions: 1 }]);
  });

  test('AWAIT_PROMPT: it waits, however long, until its prompt is answered', async () => {
    await script({ scenario: 'AWAIT_PROMPT' });
    const depositId = await initiate(gateway, { amount: '206' });
    const promptId = await openPrompt('206');
    await control('POST', 'clock', { forwardSeconds: 60 });
    expect(await readDeposit(gateway, depositId)).toMatchObject({ status: 'PROCESSING' });
    await control('POST', `prompts/${promptId}`, { decision: 'APPROVE' });
    await waitForStatus(gateway, depositId, 'COMPLETED');
  });
});

describe('scripts', () => {
  test('scripts are listed until they are played, in the order they were added', async () => {
    const first = await script({ scenario: 'FAILURE', failureCode: 'PAYER_NOT_FOUND', times: 2 });
    const second = await script({ scenario: 'LATE_SUCCESS', delaySeconds: 90, operation: 'PAYOUT' });
    const third = await script({ scenario: 'WRONG_AMOUNT', amount: '5.5' });
    expect(first.body).toEqual({
      scriptId: expect.any(String),
      phoneNumber: PHONE_NUMBER,
      operation: 'DEPOSIT',
      scenario: 'FAILURE',
      failureCode: 'PAYER_NOT_FOUND',
      times: 2,
    });
    expect(second.body).toMatchObject({ operation: 'PAYOUT', times: 1, delaySeconds: 90 });
    expect(third.body).toMatchObject({ amount: '5.5' });
    expect((await control('GET', 'scripts')).body).toEqual([first.body, second.body, third.body]);
    await waitForStatus(gateway, await initiate(gateway), 'FAILED');
    expect((await control('GET', 'scripts')).body).toEqual([
      { ...first.body, times: 1 },
      second.body,
      third.body,
    ]);
    await waitForStatus(gateway, await initiate(gateway), 'FAILED');
    expect((await control('GET', 'scripts')).body).toEqual([second.body, third.body]);
  });

  test('scripts are cleared one by one or all at once, and then the number is its own again', async () => {
    const ids: string[] = [];
    for (const scenario of ['LATE_SUCCESS', 'FORGED_NOTIFICATION', 'WRONG_AMOUNT'])
      ids.push((await script({ scenario })).body['scriptId']);
    expect(await control('DELETE', `scripts/${ids[1]}`)).toEqual({ status: 200, body: { removed: 1 } });
    expect(told(await control('DELETE', `scripts/${ids[1]}`))).toBe('404 ROUTE_NOT_FOUND');
    expect((await control('GET', 'scripts')).body).toMatchObject([
      { scenario: 'LATE_SUCCESS' },
      { scenario: 'WRONG_AMOUNT' },
    ]);
    expect(await control('DELETE', 'scripts')).toEqual({ status: 200, body: { removed: 2 } });
    expect((await control('GET', 'scripts')).body).toEqual([]);
    await waitForStatus(gateway, await initiate(gateway), 'COMPLETED');
  });

  test("clearing scripts leaves the simulator's other faults alone", async () => {
    gateway.simulator.addFault({ type: 'OUTCOME', status: 'FAILED', phoneNumber: '250783456788' });
    await control('DELETE', 'scripts');
    const depositId = await initiate(gateway, { payer: payer(PROVIDER, '250783456788') });
    await waitForStatus(gateway, depositId, 'FAILED');
  });

  const whole = { phoneNumber: PHONE_NUMBER, scenario: 'SUCCESS' };
  const failure = { phoneNumber: PHONE_NUMBER, scenario: 'FAILURE' };
  test.each<[string, unknown, string]>([
    ['no JSON', '{', '400 REJECTED INVALID_INPUT'],
    ['no object', [], '400 REJECTED INVALID_INPUT'],
    ['nothing', {}, '400 REJECTED MISSING_PARAMETER phoneNumber'],
    ['a field no one knows', { ...whole, surplus: 1 }, '400 REJECTED UNSUPPORTED_PARAMETER surplus'],
    ['no phone number', { ...whole, phoneNumber: '+250' }, '400 REJECTED INVALID_PARAMETER phoneNumber'],
    ['no such scenario', { ...whole, scenario: 'BOOM' }, '400 REJECTED INVALID_PARAMETER scenario'],
    ['no such operation', { ...whole, operation: 'X' }, '400 REJECTED INVALID_PARAMETER operation'],
    ['zero times', { ...whole, times: 0 }, '400 REJECTED INVALID_PARAMETER times'],
    ['half a time', { ...whole, times: 0.5 }, '400 REJECTED INVALID_PARAMETER times'],
    ['times as text', { ...whole, times: '2' }, '400 REJECTED INVALID_PARAMETER times'],
    ['a failure without a code', failure, '400 REJECTED MISSING_PARAMETER failureCode'],
    [
      'a code no one has',
      { ...failure, failureCode: 'MANUALLY_CANCELLED' },
      '400 REJECTED INVALID_PARAMETER failureCode',
    ],
    [
      "a recipient's code on a deposit",
      { ...failure, failureCode: 'RECIPIENT_NOT_FOUND' },
      '400 REJECTED INVALID_PARAMETER failureCode',
    ],
    [
      "a payer's code on a payout",
      { ...failure, operation: 'PAYOUT', failureCode: 'PAYER_NOT_FOUND' },
      '400 REJECTED INVALID_PARAMETER failureCode',
    ],
    [
      'a code with another scenario',
      { ...whole, failureCode: 'OTHER_ERROR' },
      '400 REJECTED INVALID_PARAMETER failureCode',
    ],
    [
      'a delay with another scenario',
      { ...whole, delaySeconds: 5 },
      '400 REJECTED INVALID_PARAMETER delaySeconds',
    ],
    ['an amount with another scenario', { ...whole, amount: '5' }, '400 REJECTED INVALID_PARAMETER amount'],
    [
      'a prompt for a payout',
      { ...whole, scenario: 'AWAIT_PROMPT', operation: 'PAYOUT' },
      '400 REJECTED INVALID_PARAMETER operation',
    ],
  ])('%s is refused', async (_, body, answer) => {
    expect(told(await control('POST', 'scripts', body))).toBe(answer);
    expect((await control('GET', 'scripts')).body).toEqual([]);
  });

  test('a number that does not fit is told its bounds', async () => {
    const { body } = await control('POST', 'scripts', { ...whole, times: 1_001 });
    expect(body['failureReason'].failureMessage).toContain('it must be a whole number from 1 to 1000');
  });
});

/** Waits for the prompt of a deposit of this amount. Answers its name. */
async function openPrompt(amount: string): Promise<string> {
  const find = async () => {
    const prompts = (await control('GET', 'prompts')).body as unknown as Record<string, string>[];
    return prompts.find((prompt) => prompt['amount'] === amount);
  };
  await eventually(find).toBeDefined();
  return (await find())!['promptId']!;
}

describe('prompts', () => {
  test('prompts show who is asked for how much, and the text of the merchant', async () => {
    await script({ scenario: 'AWAIT_PROMPT' });
    await initiate(gateway, { amount: '301', customerMessage: 'Order 301' });
    const promptId = await openPrompt('301');
    const { body } = await control('GET', 'prompts');
    expect(body).toContainEqual({
      promptId,
      provider: PROVIDER,
      phoneNumber: PHONE_NUMBER,
      amount: '301',
      currency: 'RWF',
      customerMessage: 'Order 301',
      opened: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect((await control('POST', `prompts/${promptId}`, { decision: 'APPROVE' })).body).toMatchObject({
      promptId,
    });
  });

  test('DECLINE: the deposit fails with PAYMENT_NOT_APPROVED, and the prompt is gone', async () => {
    await script({ scenario: 'AWAIT_PROMPT' });
    const depositId = await initiate(gateway, { amount: '302' });
    const promptId = await openPrompt('302');
    expect((await control('POST', `prompts/${promptId}`, { decision: 'DECLINE' })).status).toBe(200);
    const record = await waitForStatus(gateway, depositId, 'FAILED');
    expect(record['failureReason']).toMatchObject({ failureCode: 'PAYMENT_NOT_APPROVED' });
    expect(told(await control('POST', `prompts/${promptId}`, { decision: 'APPROVE' }))).toBe(
      '404 ROUTE_NOT_FOUND',
    );
    const { body } = await control('GET', 'prompts');
    expect(body).not.toContainEqual(expect.objectContaining({ promptId }));
  });

  test("APPROVE: what the number stands for happens, also when the payer's wallet is empty", async () => {
    const poor = '250733456049';
    await script({ phoneNumber: poor, scenario: 'AWAIT_PROMPT' });
    const depositId = await initiate(gateway, { amount: '303', payer: payer('AIRTEL_RWA', poor) });
    await control('POST', `prompts/${await openPrompt('303')}`, { decision: 'APPROVE' });
    const record = await waitForStatus(gateway, depositId, 'FAILED');
    expect(record['failureReason']).toMatchObject({ failureCode: 'INSUFFICIENT_BALANCE' });
  });

  test('a payer who was not told to wait approves by himself; his prompt says when, and payouts have none', async () => {
    gateway.simulator.changeSettings({ outcomeDelayMs: 60_000 });
    const depositId = await initiate(gateway, { amount: '304' });
    const payoutId = await start(gateway, 'payout', payoutRequest({ amount: '305' }));
    await eventually(() => chargesOf('305')).toHaveLength(1);
    await openPrompt('304');
    gateway.simulator.changeSettings({ outcomeDelayMs: OUTCOME_DELAY_MS });
    const prompts = (await control('GET', 'prompts')).body as unknown as Record<string, string>[];
    const { opened, ends } = prompts.find(({ amount }) => amount === '304')!;
    expect(Date.parse(ends!) - Date.parse(opened!)).toBe(60_000);
    expect(prompts.filter(({ amount }) => amount === '305')).toEqual([]);
    await control('POST', 'clock', { forwardSeconds: 60 });
    await waitForStatus(gateway, depositId, 'COMPLETED');
    await waitForPayment(gateway, 'payout', payoutId, 'COMPLETED');
  });

  test.each<[string, unknown, string]>([
    ['no decision', {}, '400 REJECTED MISSING_PARAMETER decision'],
    ['another decision', { decision: 'MAYBE' }, '400 REJECTED INVALID_PARAMETER decision'],
  ])('%s is refused', async (_, body, answer) => {
    expect(told(await control('POST', 'prompts/X', body))).toBe(answer);
  });

  test('a prompt no one has is 404', async () => {
    const answer = await control('POST', 'prompts/X', { decision: 'APPROVE' });
    expect(told(answer)).toBe('404 ROUTE_NOT_FOUND');
    expect(answer.body['failureReason'].failureMessage).toContain('no prompt of this name is open');
  });
});

describe('availability', () => {
  const set = (operation: string, status: string) =>
    control('PUT', `availability/${PROVIDER}/${operation}`, { status });
  afterEach(async () => {
    for (const operation of ['DEPOSIT', 'PAYOUT']) await set(operation, 'OPERATIONAL');
  });

  const operational = { status: 'OPERATIONAL' };
  const untouched = { REFUND: operational, REMITTANCE: operational };

  test('availability is set and read for each operation', async () => {
    expect((await control('GET', `availability/${PROVIDER}`)).body).toEqual({
      provider: PROVIDER,
      operations: { DEPOSIT: operational, PAYOUT: operational, ...untouched },
    });
    await set('DEPOSIT', 'CLOSED');
    const { body } = await set('PAYOUT', 'DELAYED');
    expect(body).toEqual({
      provider: PROVIDER,
      operations: {
        DEPOSIT: { status: 'CLOSED', setBy: 'HAND' },
        PAYOUT: { status: 'DELAYED', setBy: 'HAND' },
        ...untouched,
      },
    });
    expect((await control('GET', `availability/${PROVIDER}`)).body).toEqual(body);
  });

  test.each(['DELAYED', 'CLOSED'])(
    '%s: a deposit is rejected, and accepted again afterwards',
    async (status) => {
      await set('DEPOSIT', status);
      const request = depositRequest();
      const rejected = '200 REJECTED PROVIDER_TEMPORARILY_UNAVAILABLE';
      expect(told(await call(gateway, 'POST', '/v2/deposits', request))).toBe(rejected);
      await set('DEPOSIT', 'OPERATIONAL');
      expect(told(await call(gateway, 'POST', '/v2/deposits', request))).toBe('200 ACCEPTED');
    },
  );

  test('DELAYED: a payout waits ENQUEUED, and is made when the provider is back', async () => {
    await set('PAYOUT', 'DELAYED');
    const payoutId = await start(gateway, 'payout', payoutRequest());
    expect(await readPayment(gateway, 'payout', payoutId)).toMatchObject({ status: 'ENQUEUED' });
    await set('PAYOUT', 'OPERATIONAL');
    await waitForPayment(gateway, 'payout', payoutId, 'COMPLETED');
  });

  test.each<[string, string, unknown, string]>([
    ['a provider no one has', 'X/DEPOSIT', { status: 'CLOSED' }, '400 REJECTED INVALID_PARAMETER provider'],
    [
      'an operation no one has',
      `${PROVIDER}/X`,
      { status: 'CLOSED' },
      '400 REJECTED INVALID_PARAMETER operation',
    ],
    ['no status', `${PROVIDER}/DEPOSIT`, {}, '400 REJECTED MISSING_PARAMETER status'],
    ['another status', `${PROVIDER}/DEPOSIT`, { status: 'OPEN' }, '400 REJECTED INVALID_PARAMETER status'],
  ])('%s is refused', async (_, path, body, answer) => {
    expect(told(await control('PUT', `availability/${path}`, body))).toBe(answer);
  });

  test('of a provider no one has cannot be read', async () => {
    expect(told(await control('GET', 'availability/X'))).toBe('400 REJECTED INVALID_PARAMETER provider');
  });
});

describe('signatures', () => {
  test('a key is registered and demanded, for the own account only', async () => {
    const account = await openAccount(gateway);
    const { pem: key } = createKey('till', 'ecdsa-p256-sha256');
    const body = { algorithm: 'ecdsa-p256-sha256', key };
    // Twice: the second takes the place of the first.
    for (let times = 0; times < 2; times += 1) {
      const registered = await ask(account, 'PUT', '/sandbox/public-keys/till', body);
      expect(registered.body).toEqual({ name: 'till', algorithm: 'ecdsa-p256-sha256' });
    }
    const demand = await ask(account, 'PUT', '/sandbox/signed-requests', { signedRequestsOnly: true });
    expect(demand.body).toEqual({ signedRequestsOnly: true });
    const refused = await call(account, 'POST', '/v2/deposits', depositRequest());
    expect(told(refused)).toBe('401 REJECTED AUTHENTICATION_ERROR');
    expect(told(await call(gateway, 'POST', '/v2/deposits', depositRequest()))).toBe('200 ACCEPTED');
    await ask(account, 'PUT', '/sandbox/signed-requests', { signedRequestsOnly: false });
    expect(told(await call(account, 'POST', '/v2/deposits', depositRequest()))).toBe('200 ACCEPTED');
  });

  const good = { algorithm: 'ecdsa-p256-sha256', key: createKey('x', 'ecdsa-p256-sha256').pem };
  test.each<[string, string, unknown, string]>([
    ['a name with quotes', 'public-keys/%22', good, '400 REJECTED INVALID_PARAMETER name'],
    ['no key', 'public-keys/x', { algorithm: 'rsa-pss-sha512' }, '400 REJECTED MISSING_PARAMETER key'],
    ['a key that is none', 'public-keys/x', { ...good, key: 'x' }, '400 REJECTED INVALID_PARAMETER key'],
    [
      'a key of another algorithm',
      'public-keys/x',
      { ...good, algorithm: 'rsa-pss-sha512' },
      '400 REJECTED INVALID_PARAMETER key',
    ],
    [
      'an algorithm no one takes',
      'public-keys/x',
      { ...good, algorithm: 'ed25519' },
      '400 REJECTED INVALID_PARAMETER algorithm',
    ],
    [
      'a demand that is none',
      'signed-requests',
      { signedRequestsOnly: 'yes' },
      '400 REJECTED INVALID_PARAMETER signedRequestsOnly',
    ],
  ])('%s is refused', async (_, path, body, answer) => {
    expect(told(await control('PUT', path, body))).toBe(answer);
  });

  test.each(['v2/deposits', 'v2/payouts/bulk'])('the workbench takes %s, signed or not', async (path) => {
    const { body } = await control('POST', `signatures/${path}`, depositRequest());
    expect(body).toMatchObject({ verdict: 'REFUSED', rule: 'HEADERS' });
  });
});

describe('the callback address', () => {
  test('the callback address is set for the own account only, and what comes to its end from then on is announced there', async () => {
    const account = await openAccount(gateway);
    const url = `${gateway.receiver.url}?elsewhere`;
    expect((await ask(account, 'PUT', '/sandbox/callback-url', { url })).body).toEqual({ url });
    const depositId = await start(account, 'deposit', depositRequest());
    const own = await initiate(gateway);
    const pathOf = (id: string) =>
      gateway.receiver.received.find(({ body }) => body['depositId'] === id)?.path;
    await eventually(() => pathOf(depositId)).toMatch(/\?elsewhere$/);
    await eventually(() => pathOf(own)).not.toMatch(/elsewhere|undefined/);
  });

  test.each<[string, unknown, string]>([
    ['nothing', {}, '400 REJECTED MISSING_PARAMETER url'],
    ['no address', { url: 'here' }, '400 REJECTED INVALID_PARAMETER url'],
    ['an address of another kind', { url: 'ftp://shop.example/' }, '400 REJECTED INVALID_PARAMETER url'],
  ])('the callback address is not %s', async (_, body, answer) => {
    expect(told(await control('PUT', 'callback-url', body))).toBe(answer);
  });
});

describe('events', () => {
  test('tell the states of payments of the own account and the attempts at their callbacks', async () => {
    const { cursor } = (await control('GET', 'events')).body;
    const depositId = await initiate(gateway);
    const other = await openAccount(gateway);
    await start(other, 'deposit', depositRequest());
    const read = async () => {
      const { body } = await control('GET', `events?after=${encodeURIComponent(cursor)}`);
      const events = body['events'] as Record<string, string>[];
      return events
        .filter(({ paymentId }) => paymentId === depositId)
        .map(({ type, status }) => `${type} ${status}`);
    };
    await eventually(read).toEqual([
      'PAYMENT ACCEPTED',
      'PAYMENT PROCESSING',
      'PAYMENT COMPLETED',
      'DELIVERY 200',
    ]);
    const { body: foreign } = await ask(other, 'GET', `/sandbox/events?after=${encodeURIComponent(cursor)}`);
    expect(foreign['events'].map(({ paymentId }: Record<string, string>) => paymentId)).not.toContain(
      depositId,
    );
  });

  test('events are not told after what is no cursor', async () => {
    expect(told(await control('GET', 'events?after=soon'))).toBe('400 REJECTED INVALID_PARAMETER after');
  });
});

const readClock = async () => Date.parse((await control('GET', 'clock')).body['now']);

describe('the clock', () => {
  test('the clock is read and moved forward, and payments are made at its time', async () => {
    const before = await readClock();
    const { body } = await control('POST', 'clock', { forwardSeconds: 86_400 });
    const movedMs = Date.parse(body['now']) - before;
    expect(movedMs).toBeGreaterThanOrEqual(86_400_000);
    expect(movedMs).toBeLessThan(86_410_000);
    expect(await readClock()).toBeGreaterThanOrEqual(before + 86_400_000);
    const { created } = await readDeposit(gateway, await initiate(gateway));
    expect(Date.parse(created)).toBeGreaterThanOrEqual(before + 86_400_000);
  });

  test.each<[string, unknown, string]>([
    ['nothing', {}, '400 REJECTED MISSING_PARAMETER forwardSeconds'],
    ['backwards', { forwardSeconds: -1 }, '400 REJECTED INVALID_PARAMETER forwardSeconds'],
    ['not at all', { forwardSeconds: 0 }, '400 REJECTED INVALID_PARAMETER forwardSeconds'],
    ['by a text', { forwardSeconds: '60' }, '400 REJECTED INVALID_PARAMETER forwardSeconds'],
  ])('the clock is not moved %s', async (_, body, answer) => {
    expect(told(await control('POST', 'clock', body))).toBe(answer);
  });
});

test('the simulator carries every provider that is bound to no one else', async () => {
  const { body } = await control('GET', 'operators');
  const carriers = body as unknown as { connector: string; providers: { provider: string }[] }[];
  expect(carriers.map(({ connector }) => connector)).toEqual(['simulator']);
  expect(carriers[0]!.providers).toContainEqual({ provider: PROVIDER, operations: PAYMENT_KINDS });
});

/** Every address of the control interface. */
const ADDRESSES: readonly (readonly [method: string, path: string])[] = [
  ['GET', `/sandbox/availability/${PROVIDER}`],
  ['PUT', `/sandbox/availability/${PROVIDER}/DEPOSIT`],
  ['POST', '/sandbox/scripts'],
  ['GET', '/sandbox/scripts'],
  ['DELETE', '/sandbox/scripts'],
  ['DELETE', '/sandbox/scripts/1'],
  ['GET', '/sandbox/prompts'],
  ['POST', '/sandbox/prompts/1'],
  ['PUT', '/sandbox/public-keys/till'],
  ['PUT', '/sandbox/signed-requests'],
  ['POST', '/sandbox/signatures/v2/deposits'],
  ['POST', '/sandbox/signatures/v2/payouts/bulk'],
  ['PUT', '/sandbox/callback-url'],
  ['GET', '/sandbox/events'],
  ['GET', '/sandbox/operators'],
  ['GET', '/sandbox/clock'],
  ['POST', '/sandbox/clock'],
];

describe('who may use it', () => {
  test.each(ADDRESSES)('%s %s: not without a good token of the sandbox', async (method, path) => {
    const production = createTokenText('production', '0001').text;
    for (const apiToken of ['guess', production, '']) {
      const body = method === 'GET' ? undefined : '{';
      const answer = await ask({ url: gateway.url, apiToken }, method, path, body);
      expect(told(answer)).toBe('401 REJECTED AUTHENTICATION_ERROR');
    }
  });

  test('any token of the sandbox, whatever its scopes', async () => {
    const { apiToken } = await openToken(gateway, gateway.merchantId, { scopes: ['finances:read'] });
    expect((await call({ url: gateway.url, apiToken }, 'GET', '/sandbox/clock')).status).toBe(200);
  });
});

test('production has none of it', async () => {
  const production = await openTestGateway({ environment: 'production', role: 'api' });
  try {
    for (const [method, path] of ADDRESSES) {
      const answer = await call(production, method, path, method === 'GET' ? undefined : {});
      expect(told(answer), `${method} ${path}`).toBe('404 ROUTE_NOT_FOUND');
    }
  } finally {
    await production.stop();
  }
});

/** What another gateway on the same database says to all that needs a simulator, and to a move of the clock. */
async function answersOf(changes: Record<string, unknown>): Promise<readonly string[]> {
  const bare = await openGateway({ ...gateway.config, ...changes }, { role: 'api', logTo: 2 });
  try {
    const { url } = await bare.start();
    const bodies: Record<string, object> = {
      'POST /sandbox/scripts': { phoneNumber: PHONE_NUMBER, scenario: 'SUCCESS' },
      'POST /sandbox/prompts/1': { decision: 'APPROVE' },
      'POST /sandbox/clock': { forwardSeconds: 1 },
    };
    const asked = ADDRESSES.filter(([, path]) => /scripts|prompts/.test(path));
    const answers: string[] = [];
    for (const [method, path] of [...asked, ['POST', '/sandbox/clock'] as const]) {
      const { apiToken } = gateway;
      answers.push(told(await ask({ url, apiToken }, method, path, bodies[`${method} ${path}`])));
    }
    return answers;
  } finally {
    await bare.stop();
  }
}

describe('a sandbox that lacks something says so', () => {
  test('no simulator, and a clock that shows real time: 404', async () => {
    const answers = await answersOf({ simulator: null, clockIsMovable: false });
    expect(answers).toEqual(Array.from({ length: 7 }, () => '404 ROUTE_NOT_FOUND'));
  });

  test('a simulator that is not reachable: 503', async () => {
    const simulator = { ...gateway.config.simulator, url: 'http://127.0.0.1:1' };
    const away = Array.from({ length: 6 }, () => '503 SERVICE_UNAVAILABLE');
    expect(await answersOf({ simulator })).toEqual([...away, '200']);
  });
});

describe('the committed document of the sandbox', () => {
  test('the committed document of the sandbox is what the routes make, in a group of its own', async () => {
    const made = await createOpenApi(
      (app, engine) => registerSandbox(app, engine, { simulator: null, clock: null, fakeUrls: new Map() }),
      sandboxOpenApiOptions(),
    );
    expect(committed).toBe(`${JSON.stringify(made, null, 2)}\n`);
    expect(JSON.parse(committed).tags).toEqual([{ name: 'sandbox' }]);
    for (const { described } of operations) expect(described['tags']).toEqual(['sandbox']);
  });

  test('the committed document of the sandbox has the addresses above and no other', () => {
    expect(operations).toHaveLength(ADDRESSES.length);
    for (const { method, path } of operations)
      expect(ADDRESSES.filter(([one, at]) => one === method && shapeOf(path).test(at))).toHaveLength(1);
  });

  test('the committed document of the sandbox describes only answers that were given above, except for bugs', () => {
    const documented = operations.flatMap(({ method, path, described }) =>
      Object.keys(described['responses']).map((status) => `${method} ${path} ${status}`),
    );
    expect(documented.filter((name) => !name.endsWith(' 500') && !given.has(name))).toEqual([]);
  });
});
