// `operator certify` against the fake of every operator, against a fake that misbehaves, and what it refuses.
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  certifyAccount,
  openConnector,
  type OpenedConnector,
} from '../../src/commands/administer/certify.ts';
import { portalAddress, startFakeOf } from '../../src/commands/sandbox/operator-fakes.ts';
import { playedProvidersOf } from '../../src/connectors/operator.ts';
import { OPERATORS } from '../../src/connectors/registry.ts';
import type { Certificate } from '../../src/core/certification/certify.ts';
import { findCertifiedAccount, orderFor } from '../../src/core/certification/order.ts';
import { readAuditLog } from '../../src/core/audit.ts';
import { changeCredentials } from '../../src/core/operators/administer-operators.ts';
import { findProvider } from '../../src/domain/operators/catalogue.ts';
import type { OperatorFake } from '../../src/sandbox/fakes/operator-fake.ts';
import type { Fault } from '../../src/sandbox/fakes/faults/fault.ts';
import { runCommandHere } from '../command-process.ts';
import { openTestGateway, type TestGateway } from '../gateway.ts';
import { serverEnvironment } from '../server-process.ts';
import { completingNumberOf } from './phone-number.ts';

let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  gateway = await openTestGateway();
  folder = await mkdtemp(join(tmpdir(), 'malipo-certify-'));
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true });
});

const running: (() => Promise<void>)[] = [];
let told: string;
beforeEach(() => {
  told = '';
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((told += text), true));
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const stop of running.splice(0).toReversed()) await stop();
  process.exitCode = undefined;
});

/** Long enough for a busy machine: what is waited for comes at once. */
const PATIENCE = { endMs: 120_000, askEveryMs: 50 };

/** A code of each operator for a payer who refuses, and for a payout that is refused. */
const REFUSALS: Readonly<Record<string, readonly [string, string]>> = {
  'mtn-momo': ['APPROVAL_REJECTED', 'PAYEE_NOT_FOUND'],
  'airtel-money': ['DP00800001005', 'DP00900001012'],
  'mpesa-daraja': ['1032', '1032'],
  'vodacom-mpesa': ['INS-5', 'INS-2051'],
  wave: ['payment-failure', 'recipient-account-inactive'],
  'orange-sonatel': ['2000', '2000'],
  gsma: ['requestDeclined', 'requestDeclined'],
};

const providerOf = (connector: string) => findProvider(playedProvidersOf(OPERATORS[connector]!)[0]!)!;

/** Numbers of the provider whose payments complete, are refused, and are never answered. */
function numbersOf(provider: string) {
  const paying = completingNumberOf(provider);
  const [refusing, silent] = [1, 2].map((n) => `${paying.slice(0, -1)}${(Number(paying.at(-1)) + n) % 10}`);
  return { paying, refusing: refusing!, silent: silent! };
}

async function openFake(connector: string, opened: () => string): Promise<OperatorFake> {
  const provider = providerOf(connector).code;
  const fake = await startFakeOf(connector, {
    openingFloat: '1000000',
    notificationUrlOf: (of) => portalAddress(opened(), { connector, provider: of }),
  });
  running.push(fake.stop);
  for (const [product, values] of Object.entries(fake.credentialsOf(provider))) {
    const key = { connector, account: provider, product };
    const agreed = { requestsPerSecond: '1000', queriesPerSecond: '1000' };
    await changeCredentials(gateway.engine, { by: 'test', ...key, values: { ...values, ...agreed } });
  }
  const { refusing, silent } = numbersOf(provider);
  const [ofDeposit, ofPayout] = REFUSALS[connector]!;
  const refused = { type: 'OUTCOME', status: 'FAILED', phoneNumber: refusing } as const;
  fake.addFault({ ...refused, operation: 'DEPOSIT', failureCode: ofDeposit });
  fake.addFault({ ...refused, operation: 'PAYOUT', failureCode: ofPayout });
  fake.addFault({ type: 'OUTCOME', status: 'PENDING', phoneNumber: silent });
  return fake;
}

let fileNo = 0;

/** Certifies the account with a fake, as the command does. */
async function run(connector: string, { fault, by = 'Ana' }: { fault?: Fault; by?: string } = {}) {
  const { engine } = gateway;
  const operators = { bindings: [], timing: {} };
  const opened: OpenedConnector = await openConnector(
    engine,
    { host: '127.0.0.1', operators, operatorsUrl: null },
    { connector, port: 0 },
  );
  running.push(opened.close);
  const fake = await openFake(connector, () => opened.operatorsUrl);
  if (fault !== undefined) fake.addFault(fault);
  const provider = providerOf(connector);
  const file = join(folder, `${(fileNo += 1)}.json`);
  const wishes = {
    provider,
    numbers: numbersOf(provider.code),
    amount: null,
    currency: null,
    code: provider.authType === 'PREAUTH' ? '482915' : null,
    isRealMoney: false,
  };
  const asked = { connector, operator: OPERATORS[connector]!, by, wishes, port: 0, file };
  const ended = certifyAccount(engine, opened, asked, PATIENCE);
  return { fake, file, wishes, ended };
}

async function evidenceOf(file: string): Promise<Certificate> {
  return JSON.parse(await readFile(file, 'utf8'));
}

const NEVER_TRIED: Readonly<Record<string, readonly string[]>> = {
  'mtn-momo': ['remittance'],
  'airtel-money': ['remittance'],
  'mpesa-daraja': ['account-holder', 'deposit-repeated', 'remittance'],
  'vodacom-mpesa': ['balance', 'account-holder', 'remittance'],
  wave: ['account-holder', 'deposit-repeated', 'remittance'],
  'orange-sonatel': ['account-holder', 'deposit-repeated', 'payout-repeated', 'remittance'],
  gsma: ['account-holder', 'remittance'],
};

describe.each(Object.keys(OPERATORS))('the fake of %s', (connector) => {
  test('is certified in every case that the connector offers, and the evidence holds no secret', async () => {
    const { fake, file, wishes, ended } = await run(connector);
    await ended;
    const evidence = await evidenceOf(file);
    const found = (result: string) => evidence.results.filter((one) => one.result === result);
    expect(found('FAILED').map(({ name, said }) => `${name}: ${said}`)).toEqual([]);
    expect(found('NOT_TRIED').map(({ name }) => name)).toEqual(NEVER_TRIED[connector]);
    expect(process.exitCode ?? 0).toBe(0);
    expect(evidence).toMatchObject({ place: 'FAKE', connector });
    const deposit = evidence.results.find(({ name }) => name === 'deposit')!;
    expect(deposit.exchanges.map(({ step }) => step)).toContain('submit');
    const text = JSON.stringify(evidence);
    const forms = OPERATORS[connector]!.credentials;
    const secrets = Object.entries(fake.credentialsOf(wishes.provider.code)).flatMap(([product, values]) =>
      Object.entries(values).flatMap(([name, value]) =>
        forms[product]?.[name]?.kind === 'OPEN' ? [] : [value],
      ),
    );
    expect([...secrets, ...Object.values(wishes.numbers)].filter((one) => text.includes(one))).toEqual([]);
    const [entry] = await readAuditLog(gateway.engine, { merchantId: null, countMax: 1 });
    expect(entry).toMatchObject({
      act: 'OPERATOR_CERTIFICATION_STARTED',
      subject: `${connector}/${wishes.provider.code}`,
      detail: { reference: evidence.runId },
    });
  });
});

test('nothing is sent where the audit log has no entry', async () => {
  const { fake, ended } = await run('mtn-momo', { by: ' ' });
  await expect(ended).rejects.toThrow('_is_named');
  expect(fake.books().charges).toEqual([]);
});

const PAYING = numbersOf(providerOf('mtn-momo').code).paying;

test.each<[string, Fault, string]>([
  ['moves another amount', { type: 'WRONG_AMOUNT', phoneNumber: PAYING, operation: 'DEPOSIT' }, 'deposit'],
  [
    'refuses a payout',
    {
      type: 'OUTCOME',
      status: 'FAILED',
      failureCode: 'NOT_ALLOWED',
      phoneNumber: PAYING,
      operation: 'PAYOUT',
    },
    'payout',
  ],
  ['has no balance', { type: 'ERROR', httpStatus: 500, step: 'balance' }, 'balance'],
])('a fake that %s fails at that point, and no other', async (_title, fault, name) => {
  const { file, ended } = await run('mtn-momo', { fault });
  await ended;
  const { results } = await evidenceOf(file);
  expect(results.filter(({ result }) => result === 'FAILED').map((one) => one.name)).toEqual([name]);
  expect(told).toContain(`Do not go live with this account. Failed: ${name}.`);
  expect(process.exitCode).toBe(1);
});

function certify(...args: readonly string[]) {
  // Without it operators call the address that the command listens on.
  const { MALIPO_OPERATORS_URL: url = '', ...environment } = serverEnvironment(gateway);
  return runCommandHere(
    args.includes('--listen') ? environment : { ...environment, MALIPO_OPERATORS_URL: url },
    [
      'operator',
      'certify',
      'mtn-momo',
      '--account',
      'MTN_MOMO_RWA',
      ...args,
      '--file',
      join(folder, `${(fileNo += 1)}.json`),
      '--by',
      'Ana',
    ],
  );
}

async function setAccount(connector: string, account: string, baseUrl: string) {
  for (const product of Object.keys(OPERATORS[connector]!.credentials))
    await changeCredentials(gateway.engine, {
      by: 'test',
      connector,
      account,
      product,
      values: { baseUrl },
    });
}

describe('the command', () => {
  test('says what was proved, what was not tried, and what to ask', async () => {
    const fake = await startFakeOf('mtn-momo', { openingFloat: '1000000' });
    running.push(fake.stop);
    for (const [product, values] of Object.entries(fake.credentialsOf('MTN_MOMO_RWA'))) {
      const key = { connector: 'mtn-momo', account: 'MTN_MOMO_RWA', product };
      await changeCredentials(gateway.engine, { by: 'test', ...key, values });
    }
    const number = completingNumberOf('MTN_MOMO_RWA');
    const { code, output } = await certify('--number', number, '--listen', '0');
    expect(output).toContain('proved\tdeposit\tCOMPLETED');
    expect(output).toContain('proved\tnotification\tread as a hint: the gateway asks');
    expect(output).toContain('not tried\tdeposit-refused\tno --refusing-number was given');
    expect(output).toContain('0 failed');
    expect(output).toContain('it proves nothing about the operator');
    expect(output).toContain(`- ${OPERATORS['mtn-momo']!.certification.questions[0]}`);
    expect(code).toBe(0);
  });

  test('sends nothing with a real account unless number, amount and agreement are given, and little money', async () => {
    await setAccount('mtn-momo', 'MTN_MOMO_RWA', 'https://momo.example');
    const given = ['--number', '250783456789', '--amount', '100'];
    for (const args of [
      [],
      given,
      [...given.slice(0, 2), '--real-money'],
      [...given.slice(2), '--real-money'],
    ]) {
      const { code, output, errors } = await certify(...args);
      expect({ code, output }).toEqual({ code: 1, output: '' });
      expect(errors).toContain('Real money would move: momo.example is not a sandbox');
    }
    const large = ['--number', '250783456789', '--amount', '100000000', '--real-money'];
    expect((await certify(...large)).errors).toContain('--amount must be at most');
  });

  test.each([
    ['mtn-momo', 'MTN_MOMO_RWA', 'https://sandbox.momodeveloper.mtn.com', 'SANDBOX'],
    ['mtn-momo', 'MTN_MOMO_RWA', 'https://sandbox.momodeveloper.mtn.com.example', 'REAL'],
    ['mtn-momo', 'MTN_MOMO_RWA', 'http://127.0.0.1:9', 'FAKE'],
    ['mtn-momo', 'MTN_MOMO_RWA', 'not an address', 'REAL'],
    ['vodacom-mpesa', 'VODACOM_TZA', 'https://openapi.m-pesa.com/sandbox', 'SANDBOX'],
    ['vodacom-mpesa', 'VODACOM_TZA', 'https://openapi.m-pesa.com/openapi', 'REAL'],
  ])('an account of %s, %s at %s is %s', async (name, provider, baseUrl, place) => {
    await setAccount(name, provider, baseUrl);
    const { certification } = OPERATORS[name]!;
    const connector = gateway.engine.connectors.get(name)!;
    const asked = { certification, provider };
    const account = await findCertifiedAccount(gateway.engine, connector, asked);
    expect(account.place).toBe(place);
    const inProduction = { ...gateway.engine, environment: 'production' } as const;
    const there = await findCertifiedAccount(inProduction, connector, asked);
    expect(there.place).toBe(place === 'FAKE' ? 'REAL' : place);
    const wishes = {
      provider: findProvider(provider)!,
      numbers: {},
      amount: null,
      currency: null,
      code: null,
    };
    const order = orderFor(certification, account, { ...wishes, isRealMoney: false });
    expect('refusal' in order).toBe(place === 'REAL');
    const { sandboxNumbers = {} } = certification;
    if (!('refusal' in order)) expect(order.numbers).toEqual(place === 'SANDBOX' ? sandboxNumbers : {});
  });
});

test.each(Object.entries(OPERATORS))('the page of %s has the questions of the command', (name, operator) => {
  const page = readFileSync(new URL(`../../src/connectors/${name}/README.md`, import.meta.url), 'utf8');
  const [, list = ''] = /## Before going live\n\n(.+?)\n\n/s.exec(page) ?? [];
  const questions = list.split(/\n(?=- )/).map((item) => item.slice(2).replaceAll('\n  ', ' '));
  expect(page).toContain('docs/operating/operators.md#certify-an-account');
  expect(questions).toEqual(operator.certification.questions);
});
