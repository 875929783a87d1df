// `operator certify` against fakes that misbehave in one point, which it must name, and what bounds it.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { freeze } from '../../src/core/limits/freeze.ts';
import { listNumbers, unlistNumbers } from '../../src/core/limits/listed-numbers.ts';
import { CASES } from '../../src/core/certification/cases.ts';
import { certify, type CaseResult, type CertifyTools } from '../../src/core/certification/certify.ts';
import {
  findCertifiedAccount,
  orderFor,
  type CertificationOrder,
} from '../../src/core/certification/order.ts';
import { parseAmount } from '../../src/domain/money.ts';
import type { Fault, Step } from '../../src/sandbox/fakes/faults/fault.ts';
import { findQuestion, insertQuestion } from '../../src/store/operators/operator-questions.ts';
import {
  evidenceOf,
  numbersOf,
  PATIENCE,
  providerOf,
  refuseSome,
  setUpCertification,
} from './certification.ts';

const { state, open, run } = setUpCertification();

type Opened = Awaited<ReturnType<typeof open>>;

/** The cases, in their order. */
const NAMES = CASES.map(({ name }) => name);

type Changes = {
  readonly order?: Partial<CertificationOrder>;
  readonly patience?: CertifyTools['patience'];
  /** Called before the case of this name. */
  readonly before?: (name: string) => Promise<void> | void;
};

async function certifyWith(
  { opened, fake, asked }: Opened,
  { order = {}, patience = PATIENCE, before }: Changes,
) {
  const { engine } = state.gateway;
  const { certification } = asked.operator;
  const wanted = { certification, provider: asked.wishes.provider.code };
  const account = await findCertifiedAccount(engine, opened.connector, wanted);
  const found = orderFor(certification, account, asked.wishes);
  if ('refusal' in found) throw new Error(found.refusal);
  const begin = async (name = '') => {
    fake.clearFaults();
    await before?.(name);
    refuseSome(asked.connector, fake);
  };
  await begin(NAMES[0]);
  const onResult = (_: unknown, { name }: CaseResult) => begin(NAMES[NAMES.indexOf(name) + 1]);
  const tools = { ...opened, engine, certification, patience, tell: () => {}, onResult };
  return certify({ ...tools, order: { ...found, ...order } }, asked);
}

async function resultsOf(opened: Opened, changes: Changes = {}): Promise<readonly CaseResult[]> {
  const certificate = await certifyWith(opened, changes);
  if ('refusal' in certificate) throw new Error(certificate.refusal);
  expect(certificate.results.map(({ name }) => name)).toEqual(NAMES);
  return certificate.results;
}

const saidOf = (results: readonly CaseResult[], wanted: CaseResult['result']) =>
  Object.fromEntries(results.filter(({ result }) => result === wanted).map(({ name, said }) => [name, said]));

const { paying, refusing, silent } = numbersOf(providerOf('mtn-momo').code);
const error = (step: Step, times = 1): Fault => ({ type: 'ERROR', httpStatus: 500, step, times });
const outcome = (
  status: 'SUCCESSFUL' | 'FAILED',
  phoneNumber: string,
  failureCode = 'NOT_ALLOWED',
): Fault => ({
  type: 'OUTCOME',
  status,
  phoneNumber,
  ...(status === 'FAILED' && { failureCode }),
});

test.each<[string, Fault, string, { readonly during?: string; readonly never?: true }]>([
  ['has no balance', error('balance'), 'balance', {}],
  ['does not say who holds a number', error('holder'), 'account-holder', {}],
  ['has errors for an unknown reference', error('query'), 'unknown-reference', {}],
  ['moves another amount', { type: 'WRONG_AMOUNT', phoneNumber: paying }, 'deposit', {}],
  ['does not know a deposit', error('query', 1_000), 'deposit-status', { never: true }],
  ['takes from a payer who refused', outcome('SUCCESSFUL', refusing), 'deposit-refused', {}],
  ['fails an open deposit', outcome('FAILED', silent, 'EXPIRED'), 'deposit-unanswered', {}],
  ['sends nothing', { type: 'NO_NOTIFICATION' }, 'notification', { during: 'deposit', never: true }],
  ['refuses a payout', outcome('FAILED', paying), 'payout', {}],
  ['does not know a payout', error('query', 1_000), 'payout-status', { never: true }],
  ['pays whom it should refuse', outcome('SUCCESSFUL', refusing), 'payout-refused', {}],
  ['refuses a refund', outcome('FAILED', paying), 'refund', {}],
])('a fake that %s fails at that point, and no other', async (_title, fault, point, { during, never }) => {
  const opened = await open('mtn-momo');
  const patience = { ...PATIENCE };
  const results = await resultsOf(opened, {
    patience,
    before: (name) => {
      if (name === (during ?? point)) opened.fake.addFault(fault);
      // What never comes need not be waited for.
      patience.endMs = never === true && name === point ? 300 : PATIENCE.endMs;
    },
  });
  expect(Object.keys(saidOf(results, 'FAILED'))).toEqual([point]);
});

test('a failed case is named at the end, with code 1', async () => {
  const { file, ended } = await run('mtn-momo', { fault: error('balance') });
  await ended;
  expect(Object.keys(saidOf((await evidenceOf(file)).results, 'FAILED'))).toEqual(['balance']);
  expect(state.told).toContain('Do not go live with this account. Failed: balance.');
  expect(process.exitCode).toBe(1);
});

test.each(['mtn-momo', 'airtel-money', 'gsma'])(
  'a second charge by %s under a number of its own is seen in the balance',
  async (connector) => {
    const opened = await open(connector);
    opened.fake.changeSettings({ repeats: 'CHARGED' });
    expect(saidOf(await resultsOf(opened), 'FAILED')).toEqual({
      'deposit-repeated': expect.stringMatching(/^the balance changed by [1-9]\d* after the repeat/),
      'payout-repeated': expect.stringMatching(/^the balance changed by -[1-9]\d* after the repeat/),
    });
  },
);

test('where no balance can be read, a repeat is not called one charge', async () => {
  const said = saidOf(await resultsOf(await open('vodacom-mpesa')), 'PROVED');
  const look = expect.stringContaining('look for a second charge in the statement');
  expect(said).toMatchObject({ 'deposit-repeated': look, 'payout-repeated': look });
});

test('payouts are not tried under a freeze that begins during the run', async () => {
  const opened = await open('orange-sonatel');
  const { paying: phoneNumber } = numbersOf(providerOf('orange-sonatel').code);
  const results = await resultsOf(opened, {
    before: async (name) => {
      if (name !== 'payout') return;
      const target = { scope: 'NUMBER', phoneNumber } as const;
      await freeze(state.gateway.engine, { by: 'Ben', target, reason: 'fraud', expiresAt: null });
    },
  });
  expect(saidOf(results, 'PROVED')).toHaveProperty('deposit');
  const said = saidOf(results, 'NOT_TRIED');
  for (const name of ['payout', 'payout-refused', 'refund'])
    expect(said[name]).toBe('outgoing payments are frozen');
});

test('a blocked number is sent nothing', async () => {
  const { engine } = state.gateway;
  const list = { by: 'Ben', merchantId: null, list: 'BLOCKED' } as const;
  await listNumbers(engine, {
    ...list,
    entries: [{ phoneNumber: refusing, reason: 'fraud', expiresAt: null }],
  });
  const { fake, file, ended } = await run('mtn-momo');
  await ended;
  await unlistNumbers(engine, { ...list, phoneNumbers: [refusing] });
  expect(state.told).toContain('This phone number is blocked.');
  expect(existsSync(file)).toBe(false);
  expect(fake.books().charges).toEqual([]);
});

test('with real money all runs of a day together are bounded', async () => {
  const opened = await open('mtn-momo');
  const account = { place: 'REAL', hosts: [], kinds: ['DEPOSIT'] } as const;
  const begin = async (amount: string) => {
    const order = { account, numbers: {}, dailyMax: 10n * UNIT, amount: parseAmount(amount)! };
    const certificate = await certifyWith(opened, { order });
    return 'refusal' in certificate ? certificate.refusal : certificate.amount;
  };
  expect(await begin('6')).toBe('6');
  expect(await begin('4.5')).toMatch(/^--amount must be at most 10 \w+ for a real account/);
  const both = await Promise.all(['3', '3'].map(begin));
  expect(both).toContain('3');
  expect(both).toContainEqual(expect.stringMatching(/\(9 \w+\)\.$/));
  expect(await begin('1')).toBe('1');
});

const UNIT = parseAmount('1')!;

test("messages about merchants' payments are left for the gateway, with what they answer", async () => {
  const { opened } = await open('mpesa-daraja');
  const { database, keyring } = state.gateway.engine.store;
  const reference = `0001${randomUUID().replaceAll('-', '').slice(4)}`;
  const asked = { reference, now: new Date() };
  const secret = await insertQuestion(database, keyring, asked);
  const send = async (path: string) => {
    const url = `${opened.operatorsUrl}/operators/${opened.connector.addressName ?? 'mpesa-daraja'}${path}`;
    return (await fetch(url, { method: 'POST', body: '{}' })).status;
  };
  expect(await send(`/answers/${reference}/${secret}/status`)).toBe(503);
  expect(await send(`/notifications/${reference}/${secret}`)).toBe(503);
  expect(await send(`/notifications/of/${providerOf('mpesa-daraja').code}`)).toBe(503);
  expect(await findQuestion(database, keyring, { reference, secret })).not.toBeNull();
  expect(opened.inbox?.count).toBe(0);
});

test('no more messages are kept than a run can have', async () => {
  const { opened } = await open('mtn-momo');
  const reference = randomUUID();
  opened.inbox!.expect(reference);
  const incoming = {
    connector: opened.connector,
    body: Buffer.from('{}'),
    headers: {},
    pathReference: reference,
    pathSecret: 'wrong',
  };
  for (let no = 1; no <= 1_000; no += 1) expect(await opened.inbox!.receive(incoming)).toEqual({});
  expect(await opened.inbox!.receive(incoming)).toBeNull();
  expect(opened.inbox!.count).toBe(1_000);
});
