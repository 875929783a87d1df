// The simulator as the sandbox's operator: its numbers, its books, its tokens, its page and its control interface.
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import type { Connector, SubmitRequest } from '../../src/connectors/port.ts';
import numbers from '../../src/sandbox/fakes/payers/numbers.json' with { type: 'json' };
import { TokenCache } from '../../src/sandbox/simulator/token-cache.ts';
import { eventually } from './receiver.ts';
import { CREDENTIALS, startSandbox, type Sandbox } from './simulator-fake.ts';

const OPEN = { isOpen: () => true };
const HOUR_MS = 60 * 60 * 1_000;

let sandbox: Sandbox;
afterEach(() => sandbox.stop());

async function outcomeOf(connector: Connector, order: SubmitRequest) {
  const answer = await connector.query!({ ...order, attemptNo: 1, claimedAt: new Date() });
  return answer.outcome as Exclude<typeof answer.outcome, 'ENQUIRY_REQUESTED'>;
}

/** What our side reads for an outcome of numbers.json. */
function outcomeNamed(name: string) {
  if (name === 'COMPLETED') return { type: 'COMPLETED' };
  return name === 'STUCK' ? { type: 'PENDING' } : { type: 'FAILED', code: name };
}

/** What our side must read when the simulator is asked to pay as a row of numbers.json. */
async function expectOutcome(
  row: { provider: string; phoneNumber: string; outcome: string },
  kind: PaymentKind,
) {
  const { provider, phoneNumber } = row;
  const order = sandbox.order({ provider, phoneNumber, operation: kind });
  const submitted = await sandbox.connector.submit(order, OPEN);
  const queried = await outcomeOf(sandbox.connector, order);
  expect(queried).toMatchObject(outcomeNamed(row.outcome));
  // Without a delay the submit is answered with the end; a redirected payer cannot have approved by then.
  if (!provider.startsWith('WAVE_')) expect(submitted.outcome).toEqual(queried);
}

describe('the sandbox numbers', () => {
  beforeEach(async () => {
    sandbox = await startSandbox({ notifications: false });
  });

  it('numbers.json has 303 rows, none twice', () => {
    const keys = numbers.map((row) => `${row.provider}/${row.operation}/${row.phoneNumber}`);
    expect(new Set(keys).size).toBe(303);
  });

  it.each(numbers)('$provider $operation $phoneNumber is $outcome', (row) =>
    expectOutcome(row, row.operation as PaymentKind),
  );

  it.each(['REFUND', 'REMITTANCE'] as const)('a %s follows the payout rows', async (kind) => {
    for (const row of numbers.filter(({ operation }) => operation === 'PAYOUT'))
      await expectOutcome(row, kind);
  });

  it('a row counts only for its own operation', async () => {
    const row = { provider: 'MTN_MOMO_BEN', phoneNumber: '22951345029', outcome: 'PAYER_NOT_FOUND' };
    await expectOutcome(row, 'DEPOSIT');
    await expectOutcome({ ...row, outcome: 'COMPLETED' }, 'PAYOUT');
  });

  it('every other number completes', async () => {
    await expectOutcome({ provider: 'NEW_NET_XYZ', phoneNumber: '999123', outcome: 'COMPLETED' }, 'DEPOSIT');
  });

  it('ORANGE_BFA takes any one-time code', async () => {
    const order = sandbox.order({ provider: 'ORANGE_BFA', preAuthorisationCode: 'anything' });
    expect((await sandbox.connector.submit(order, OPEN)).outcome.type).toBe('COMPLETED');
  });
});

describe('time', () => {
  it('an outcome comes when the clock reaches it, and is notified', async () => {
    sandbox = await startSandbox({ outcomeDelayMs: HOUR_MS });
    const order = sandbox.order();
    expect((await sandbox.connector.submit(order, OPEN)).outcome).toEqual({ type: 'PENDING' });
    expect(await outcomeOf(sandbox.connector, order)).toEqual({ type: 'PENDING' });
    expect(sandbox.receiver.received).toHaveLength(0);
    sandbox.clock.advance(HOUR_MS);
    await sandbox.receiver.wait(1);
    expect((await outcomeOf(sandbox.connector, order)).type).toBe('COMPLETED');
  });

  it('a status query sees a moved clock at once', async () => {
    sandbox = await startSandbox({ outcomeDelayMs: HOUR_MS });
    const order = sandbox.order();
    await sandbox.connector.submit(order, OPEN);
    sandbox.clock.advance(HOUR_MS);
    expect(sandbox.simulator.books().charges).toMatchObject([{ status: 'SUCCESSFUL' }]);
  });

  it('a stuck number stays pending permanently and is never notified', async () => {
    sandbox = await startSandbox();
    const order = sandbox.order({ provider: 'MTN_MOMO_BEN', phoneNumber: '22951345129' });
    await sandbox.connector.submit(order, OPEN);
    sandbox.clock.advance(10_000 * HOUR_MS);
    expect(await outcomeOf(sandbox.connector, order)).toEqual({ type: 'PENDING' });
    await sandbox.connector.submit(sandbox.order(), OPEN);
    const [first] = await sandbox.receiver.wait(1);
    expect(first!.body.toString()).not.toContain(order.reference);
  });
});

describe('books', () => {
  it('hold every charge once, how often it was asked for, and totals per provider and currency', async () => {
    sandbox = await startSandbox({ openingFloat: '100' });
    const { connector, order, simulator } = sandbox;
    const deposit = order({ amount: 200_000n });
    await connector.submit(deposit, OPEN);
    await connector.submit(deposit, OPEN);
    await connector.submit(order({ operation: 'PAYOUT', amount: 1_500_000n }), OPEN);
    await connector.submit(order({ operation: 'REFUND', amount: 5_000n }), OPEN);
    await connector.submit(
      order({ provider: 'MTN_MOMO_BEN', phoneNumber: '22951345029', currency: 'XOF' }),
      OPEN,
    );
    const { charges, totals } = simulator.books();
    expect(charges).toHaveLength(4);
    expect(charges[0]).toMatchObject({
      reference: deposit.reference,
      operation: 'DEPOSIT',
      provider: 'MTN_MOMO_ZMB',
      amount: '20',
      currency: 'ZMW',
      phoneNumber: deposit.phoneNumber,
      status: 'SUCCESSFUL',
      submissions: 2,
    });
    expect(charges[0]!.settledAt).not.toBeNull();
    expect(charges[0]).not.toHaveProperty('notificationUrl');
    expect(totals).toEqual([
      {
        provider: 'MTN_MOMO_ZMB',
        currency: 'ZMW',
        charges: 3,
        received: '20',
        sent: '150.5',
        balance: '-30.5',
      },
      { provider: 'MTN_MOMO_BEN', currency: 'XOF', charges: 1, received: '0', sent: '0', balance: '100' },
    ]);
  });

  it('of an operator that does not know its repeats hold every one of them', async () => {
    sandbox = await startSandbox({ repeats: 'CHARGED' });
    const order = sandbox.order();
    await sandbox.connector.submit(order, OPEN);
    await sandbox.connector.submit(order, OPEN);
    const { charges, totals } = sandbox.simulator.books();
    expect(charges.map(({ reference }) => reference)).toEqual([order.reference, `${order.reference} (2)`]);
    expect(totals).toMatchObject([{ charges: 2 }]);
  });

  describe('with a journal', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'simulator-'));
    });
    afterEach(() => rm(folder, { recursive: true }));

    it('survive the simulator, which then ends what was pending and still knows its references', async () => {
      const journalPath = join(folder, 'journal.jsonl');
      sandbox = await startSandbox({ journalPath, outcomeDelayMs: HOUR_MS });
      const order = sandbox.order();
      await sandbox.connector.submit(order, OPEN);
      await sandbox.connector.submit(order, OPEN);
      await sandbox.simulator.stop();
      const before = sandbox.simulator.books();
      await appendFile(journalPath, '{"type":"SETTLED","refer');

      const killed = sandbox;
      sandbox = await startSandbox({ journalPath });
      await killed.stop();
      expect(before.charges).toMatchObject([{ status: 'PENDING', submissions: 2 }]);
      expect(sandbox.simulator.books()).toEqual(before);
      sandbox.clock.advance(HOUR_MS);
      expect(sandbox.simulator.books().charges).toMatchObject([
        { reference: order.reference, status: 'SUCCESSFUL', submissions: 2 },
      ]);
      expect((await sandbox.connector.submit(order, OPEN)).outcome).toEqual({ type: 'PENDING' });
      await sandbox.simulator.stop();

      const again = sandbox;
      sandbox = await startSandbox({ journalPath });
      await again.stop();
      expect(sandbox.simulator.books().charges).toMatchObject([{ status: 'SUCCESSFUL', submissions: 3 }]);
    });
  });
});

describe('tokens', () => {
  it('simultaneous calls share one token request', async () => {
    sandbox = await startSandbox({ timing: { timeoutMs: 5_000 } });
    const { simulator, connector, order } = sandbox;
    simulator.addFault({ type: 'HANG', step: 'token', times: 20 });
    const answers = Array.from({ length: 20 }, () => connector.submit(order(), OPEN));
    await eventually(() => simulator.hanging()).toEqual([{ id: '1', step: 'token' }]);
    simulator.release();
    const types = (await Promise.all(answers)).map((answer) => answer.outcome.type);
    expect(new Set(types)).toEqual(new Set(['COMPLETED']));
    expect(simulator.hanging()).toEqual([]);
  });

  it('a token for one request is fetched before every submit, also when many are made at once', async () => {
    sandbox = await startSandbox({ tokenLifetimeSeconds: 0 });
    const { simulator, connector, order } = sandbox;
    const answers = await Promise.all(Array.from({ length: 20 }, () => connector.submit(order(), OPEN)));
    expect(new Set(answers.map((answer) => answer.outcome.type))).toEqual(new Set(['COMPLETED']));
    simulator.addFault({ type: 'HANG', step: 'token' });
    const held = connector.submit(order(), OPEN);
    await eventually(() => simulator.hanging()).toHaveLength(1);
    expect(simulator.books().charges).toHaveLength(20);
    simulator.release();
    expect((await held).outcome.type).toBe('COMPLETED');
  });

  it('a token for one request is refused the second time', async () => {
    sandbox = await startSandbox({ tokenLifetimeSeconds: 0 });
    const { url } = sandbox.simulator;
    const basic = Buffer.from(`${CREDENTIALS.clientId}:${CREDENTIALS.clientSecret}`).toString('base64');
    const grant = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
    });
    const { access_token: token } = (await grant.json()) as { access_token: string };
    const ask = () => fetch(`${url}/v1/transactions/R1`, { headers: { authorization: `Bearer ${token}` } });
    expect([(await ask()).status, (await ask()).status]).toEqual([404, 401]);
  });

  it.each([
    { lifetimeMs: 60_000, waitMs: 0, asked: 1, why: 'is kept' },
    { lifetimeMs: 1_000, waitMs: 910, asked: 2, why: 'is renewed a little early' },
    { lifetimeMs: 0, waitMs: 0, asked: 2, why: 'for one request is not kept' },
  ])('a token $why', async ({ lifetimeMs, waitMs, asked }) => {
    sandbox = await startSandbox();
    let count = 0;
    const cache = new TokenCache(async () => {
      count += 1;
      return { type: 'TOKEN', token: String(count), lifetimeMs };
    });
    await cache.take();
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    expect(await cache.take()).toMatchObject({ token: String(asked) });
  });

  it('a token that cannot be had leaves the request unsent', async () => {
    sandbox = await startSandbox();
    const { simulator, connector, order } = sandbox;
    simulator.addFault({ type: 'ERROR', httpStatus: 503, step: 'token' });
    const answer = await connector.submit(order(), OPEN);
    expect(answer.outcome).toEqual({ type: 'UNKNOWN', reason: 'NOT_SENT' });
    expect(JSON.parse(answer.evidence)).toEqual({ step: 'token', httpStatus: 503 });
    expect(simulator.books().charges).toEqual([]);
    simulator.addFault({ type: 'ERROR', httpStatus: 503, step: 'token' });
    expect(await outcomeOf(connector, order())).toEqual({ type: 'UNKNOWN', reason: 'OPERATOR_ERROR' });
  });

  it('requests without a good token, and token requests without the secret, are refused', async () => {
    sandbox = await startSandbox();
    const { url } = sandbox.simulator;
    const authorization = `Basic ${Buffer.from('malipo:guess').toString('base64')}`;
    const token = await fetch(`${url}/oauth/token`, { method: 'POST', headers: { authorization } });
    const submit = await fetch(`${url}/v1/transactions`, {
      method: 'POST',
      headers: { authorization: 'Bearer guess' },
      body: '{}',
    });
    expect([token.status, submit.status]).toEqual([401, 401]);
  });

  it('permission is asked for only when a connection stands, immediately before the request is written', async () => {
    sandbox = await startSandbox();
    const { simulator, connector, order } = sandbox;
    await connector.submit(order(), OPEN);
    await simulator.stop();
    // Lets the connector see that its idle connection was closed; a late timer comes before what a socket has to say.
    for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    let asked = 0;
    const isOpen = () => {
      asked += 1;
      return true;
    };
    const answer = await connector.submit(order(), { isOpen });
    expect(answer.outcome).toEqual({ type: 'UNKNOWN', reason: 'NOT_SENT' });
    expect(asked).toBe(0);
  });
});

const decide = (page: string, decision: string) =>
  fetch(page, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ decision }) });

describe('the redirect page', () => {
  const wave = {
    provider: 'WAVE_SEN',
    currency: 'XOF',
    successfulUrl: 'http://shop/ok',
    failedUrl: 'http://shop/no',
  };

  async function redirected(): Promise<{ order: SubmitRequest; page: string }> {
    const order = sandbox.order(wave);
    const { outcome } = await sandbox.connector.submit(order, OPEN);
    if (outcome.type !== 'PENDING' || outcome.authorizationUrl === undefined) throw new Error(outcome.type);
    return { order, page: outcome.authorizationUrl };
  }

  it('left alone, the payer approves automatically', async () => {
    sandbox = await startSandbox();
    const { order } = await redirected();
    await eventually(() => outcomeOf(sandbox.connector, order)).toMatchObject({ type: 'COMPLETED' });
  });

  it.each([
    { decision: 'APPROVE', location: 'http://shop/ok', outcome: { type: 'COMPLETED' } },
    {
      decision: 'DECLINE',
      location: 'http://shop/no',
      outcome: { type: 'FAILED', code: 'PAYMENT_NOT_APPROVED' },
    },
  ])(
    'in manual mode nothing happens before the payer does: $decision',
    async ({ decision, location, outcome }) => {
      sandbox = await startSandbox({ redirects: 'MANUAL' });
      const { order, page } = await redirected();
      sandbox.clock.advance(24 * HOUR_MS);
      expect(await outcomeOf(sandbox.connector, order)).toEqual({ type: 'PENDING', authorizationUrl: page });
      expect(await (await fetch(page)).text()).toContain('Approve');
      const answer = await decide(page, decision);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, location]);
      expect(await outcomeOf(sandbox.connector, order)).toMatchObject(outcome);
      const later = await fetch(page, { redirect: 'manual' });
      expect(later.headers.get('location')).toBe(location);
      await sandbox.receiver.wait(1);
    },
  );

  it('a decision comes once: the second changes nothing', async () => {
    sandbox = await startSandbox({ redirects: 'MANUAL' });
    const { order, page } = await redirected();
    await decide(page, 'APPROVE');
    expect((await decide(page, 'DECLINE')).headers.get('location')).toBe('http://shop/ok');
    expect((await outcomeOf(sandbox.connector, order)).type).toBe('COMPLETED');
  });

  it('only deposits are redirected, and only their pages exist', async () => {
    sandbox = await startSandbox();
    const order = sandbox.order({ ...wave, operation: 'PAYOUT' });
    const answer = await sandbox.connector.submit(order, OPEN);
    expect(answer.outcome.type).toBe('COMPLETED');
    const page = await fetch(`${sandbox.simulator.url}/pay/${answer.providerReference}`);
    expect(page.status).toBe(404);
  });
});

const SCRIPT = { phoneNumber: '260763456789', operation: 'DEPOSIT', scenario: 'SUCCESS' };

const control = (method: string, path: string, body?: unknown) =>
  fetch(`${sandbox.simulator.url}/control/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

describe('control', () => {
  it('the control API does not answer by default', async () => {
    sandbox = await startSandbox();
    expect((await control('GET', 'books')).status).toBe(404);
  });

  it('the control API changes settings, adds and clears faults, and shows the books', async () => {
    sandbox = await startSandbox({ control: true });
    const { connector, order } = sandbox;
    const settings = await control('POST', 'settings', { outcomeDelayMs: HOUR_MS, notifications: false });
    expect(await settings.json()).toMatchObject({
      outcomeDelayMs: HOUR_MS,
      notifications: false,
      answerDelayMs: 0,
    });
    expect((await control('POST', 'faults', { type: 'LOSE_ANSWER', times: 2 })).status).toBe(201);
    expect((await connector.submit(order(), OPEN)).outcome.type).toBe('UNKNOWN');
    expect(await (await control('GET', 'faults')).json()).toEqual([
      { type: 'LOSE_ANSWER', step: 'submit', times: 1 },
    ]);
    await control('DELETE', 'faults');
    expect((await connector.submit(order(), OPEN)).outcome).toEqual({ type: 'PENDING' });
    const books = await control('GET', 'books');
    expect(await books.json()).toMatchObject({ charges: [{ status: 'PENDING' }, { status: 'PENDING' }] });
  });

  it('the control API plays scripts and shows what is left of them; clearing them leaves other faults', async () => {
    sandbox = await startSandbox({ control: true });
    const { connector, order } = sandbox;
    const { phoneNumber } = order();
    const script = {
      phoneNumber,
      operation: 'DEPOSIT',
      scenario: 'FAILURE',
      failureCode: 'OTHER_ERROR',
      times: 2,
    };
    expect((await control('POST', 'scripts', script)).status).toBe(201);
    await control('POST', 'faults', { type: 'LOSE_ANSWER', phoneNumber: '999' });
    expect((await connector.submit(order(), OPEN)).outcome).toMatchObject({ code: 'OTHER_ERROR' });
    const left = [{ ...script, scriptId: '1', times: 1 }];
    expect(await (await control('GET', 'scripts')).json()).toEqual(left);
    expect((await control('DELETE', 'scripts/7')).status).toBe(404);
    expect(await (await control('DELETE', 'scripts')).json()).toEqual({ removed: 1 });
    expect(await (await control('GET', 'faults')).json()).toMatchObject([{ phoneNumber: '999' }]);
    expect((await connector.submit(order(), OPEN)).outcome.type).toBe('COMPLETED');
  });

  it.each([
    ['the setting prompts', () => control('POST', 'settings', { prompts: 'MANUAL' })],
    [
      'the fault AWAIT_PROMPT',
      () => control('POST', 'faults', { type: 'AWAIT_PROMPT', operation: 'DEPOSIT' }),
    ],
  ])('under %s a deposit waits until its prompt is answered, and a payout does not', async (_, wait) => {
    sandbox = await startSandbox({ control: true });
    const { connector } = sandbox;
    await wait();
    const order = sandbox.order({ customerMessage: 'Order 7' });
    expect((await connector.submit(sandbox.order({ operation: 'PAYOUT' }), OPEN)).outcome.type).toBe(
      'COMPLETED',
    );
    expect((await connector.submit(order, OPEN)).outcome).toEqual({ type: 'PENDING' });
    sandbox.clock.advance(24 * HOUR_MS);
    const prompts = (await (await control('GET', 'prompts')).json()) as { promptId: string }[];
    expect(prompts).toMatchObject([
      { phoneNumber: order.phoneNumber, amount: '15', message: 'Order 7', endsAt: null },
    ]);
    const answer = () => control('POST', `prompts/${prompts[0]!.promptId}`, { decision: 'APPROVE' });
    expect([(await answer()).status, (await answer()).status]).toEqual([200, 404]);
    expect((await outcomeOf(connector, order)).type).toBe('COMPLETED');
  });

  it('the control API lists what hangs and releases it', async () => {
    sandbox = await startSandbox({ control: true, timing: { timeoutMs: 5_000 } });
    const order = sandbox.order();
    await control('POST', 'faults', { type: 'HANG', phoneNumber: order.phoneNumber });
    const answer = sandbox.connector.submit(order, OPEN);
    const hanging = [{ id: '1', step: 'submit', reference: order.reference }];
    await eventually(async () => (await control('GET', 'hanging')).json()).toEqual(hanging);
    expect(await (await control('POST', 'release', { id: '7' })).json()).toEqual({ released: 0 });
    expect(await (await control('POST', 'release')).json()).toEqual({ released: 1 });
    expect((await answer).outcome.type).toBe('COMPLETED');
  });

  it.each([
    ['settings', { outcomeDelay: 5 }],
    ['settings', { outcomeDelayMs: '5' }],
    ['settings', { redirects: 'SOMETIMES' }],
    ['settings', { prompts: 'SOMETIMES' }],
    ['faults', {}],
    ['faults', { type: 'EXPLODE' }],
    ['faults', { type: 'ERROR' }],
    ['faults', { type: 'ERROR', httpStatus: 200 }],
    ['faults', { type: 'DELAY', delayMs: -1 }],
    ['faults', { type: 'HANG', phone: '260763456789' }],
    ['faults', { type: 'HANG', step: 'notification' }],
    ['faults', { type: 'NO_NOTIFICATION', step: 'submit' }],
    ['faults', { type: 'OUTCOME', status: 'DONE' }],
    ['faults', { type: 'LOSE_ANSWER', times: 0 }],
    ['scripts', {}],
    ['scripts', { ...SCRIPT, scenario: 'EXPLODE' }],
    ['scripts', { ...SCRIPT, operation: 'LOAN' }],
    ['scripts', { ...SCRIPT, phoneNumber: undefined }],
    ['scripts', { ...SCRIPT, times: 0 }],
    ['scripts', { ...SCRIPT, scenario: 'FAILURE' }],
    ['scripts', { ...SCRIPT, scenario: 'FAILURE', failureCode: 'COMPLETED' }],
    ['scripts', { ...SCRIPT, scenario: 'LATE_SUCCESS', delayMs: -1 }],
    ['scripts', { ...SCRIPT, scenario: 'AWAIT_PROMPT', operation: 'PAYOUT' }],
    ['prompts/SIM1', { decision: 'PERHAPS' }],
  ])('the control API refuses %s %j, which would do nothing', async (path, body) => {
    sandbox = await startSandbox({ control: true });
    expect((await control('POST', path, body)).status).toBe(400);
  });
});
