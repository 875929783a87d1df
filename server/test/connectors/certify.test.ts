// `operator certify` against the fake of every operator, and what it refuses.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { startFakeOf } from '../../src/commands/sandbox/operator-fakes.ts';
import { OPERATORS } from '../../src/connectors/registry.ts';
import { findCertifiedAccount, orderFor } from '../../src/core/certification/order.ts';
import { readAuditLog } from '../../src/core/audit.ts';
import { changeCredentials } from '../../src/core/operators/administer-operators.ts';
import { findProvider } from '../../src/domain/operators/catalogue.ts';
import { runCommandHere } from '../command-process.ts';
import { serverEnvironment } from '../server-process.ts';
import { evidenceOf, setUpCertification } from './certification.ts';
import { completingNumberOf } from './phone-number.ts';

const { state, newFile, stopLater, run } = setUpCertification();

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
  test('a fake is certified in every case that its connector offers, and the evidence holds no secret', async () => {
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
    const [entry] = await readAuditLog(state.gateway.engine, { merchantId: null, countMax: 1 });
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

const certify = (...args: readonly string[]) => certifyInto(newFile(), ...args);

function certifyInto(file: string, ...args: readonly string[]) {
  // Without it operators call the address that the command listens on.
  const { MALIPO_OPERATORS_URL: url = '', ...environment } = serverEnvironment(state.gateway);
  return runCommandHere(
    args.includes('--listen') ? environment : { ...environment, MALIPO_OPERATORS_URL: url },
    ['operator', 'certify', 'mtn-momo', '--account', 'MTN_MOMO_RWA', ...args, '--file', file, '--by', 'Ana'],
  );
}

async function setAccount(connector: string, account: string, baseUrl: string) {
  for (const product of Object.keys(OPERATORS[connector]!.credentials))
    await changeCredentials(state.gateway.engine, {
      by: 'test',
      connector,
      account,
      product,
      values: { baseUrl },
    });
}

describe('the command', () => {
  test('operator certify says what was proved, what was not tried, and what to ask', async () => {
    const fake = await startFakeOf('mtn-momo', { openingFloat: '1000000' });
    stopLater(fake.stop);
    for (const [product, values] of Object.entries(fake.credentialsOf('MTN_MOMO_RWA'))) {
      const key = { connector: 'mtn-momo', account: 'MTN_MOMO_RWA', product };
      await changeCredentials(state.gateway.engine, { by: 'test', ...key, values });
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

  test('operator certify sends nothing with a real account unless number, amount and agreement are given, and little money', async () => {
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
    const file = newFile();
    expect((await certifyInto(file, ...large)).errors).toContain('--amount must be at most');
    expect(existsSync(file)).toBe(false);
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
    const connector = state.gateway.engine.connectors.get(name)!;
    const asked = { certification, provider };
    const account = await findCertifiedAccount(state.gateway.engine, connector, asked);
    expect(account.place).toBe(place);
    const inProduction = { ...state.gateway.engine, environment: 'production' } as const;
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
