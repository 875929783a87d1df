// Certifies an account at an operator's fake, as `operator certify` does.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { certifyAccount, openConnector } from '../../src/commands/administer/certify.ts';
import { portalAddress, startFakeOf } from '../../src/commands/sandbox/operator-fakes.ts';
import { playedProvidersOf } from '../../src/connectors/operator.ts';
import { OPERATORS } from '../../src/connectors/registry.ts';
import type { Certificate } from '../../src/core/certification/certify.ts';
import { changeCredentials } from '../../src/core/operators/administer-operators.ts';
import { findProvider } from '../../src/domain/operators/catalogue.ts';
import type { Fault } from '../../src/sandbox/fakes/faults/fault.ts';
import type { OperatorFake } from '../../src/sandbox/fakes/operator-fake.ts';
import { openTestGateway, type TestGateway } from '../gateway.ts';
import { completingNumberOf } from './phone-number.ts';

/** Long enough for a busy machine: what is waited for comes at once. */
export const PATIENCE = { endMs: 120_000, askEveryMs: 50 };

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

export const providerOf = (connector: string) => findProvider(playedProvidersOf(OPERATORS[connector]!)[0]!)!;

/** Numbers of the provider whose payments complete, are refused, and are never answered. */
export function numbersOf(provider: string) {
  const paying = completingNumberOf(provider);
  const [refusing, silent] = [1, 2].map((n) => `${paying.slice(0, -1)}${(Number(paying.at(-1)) + n) % 10}`);
  return { paying, refusing: refusing!, silent: silent! };
}

/** Registers its hooks in the file that calls it. */
export function setUpCertification() {
  const state = { gateway: undefined as unknown as TestGateway, folder: '', told: '', fileNo: 0 };
  const running: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    state.gateway = await openTestGateway();
    state.folder = await mkdtemp(join(tmpdir(), 'malipo-certify-'));
  });
  afterAll(async () => {
    await state.gateway.stop();
    await rm(state.folder, { recursive: true });
  });
  beforeEach(() => {
    state.told = '';
    vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((state.told += text), true));
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const stop of running.splice(0).toReversed()) await stop();
    process.exitCode = undefined;
  });

  const newFile = () => join(state.folder, `${(state.fileNo += 1)}.json`);
  const stopLater = (stop: () => Promise<void>) => void running.push(stop);

  async function openFake(connector: string, urlOf: () => string): Promise<OperatorFake> {
    const provider = providerOf(connector).code;
    const fake = await startFakeOf(connector, {
      openingFloat: '1000000',
      notificationUrlOf: (of) => portalAddress(urlOf(), { connector, provider: of }),
    });
    stopLater(fake.stop);
    for (const [product, values] of Object.entries(fake.credentialsOf(provider))) {
      const key = { connector, account: provider, product };
      const agreed = { requestsPerSecond: '1000', queriesPerSecond: '1000' };
      await changeCredentials(state.gateway.engine, { by: 'test', ...key, values: { ...values, ...agreed } });
    }
    return fake;
  }

  /** The account with a fake, and what a person asks the command for. */
  async function open(connector: string, { by = 'Ana' }: { readonly by?: string } = {}) {
    const { engine } = state.gateway;
    const opened = await openConnector(
      engine,
      { host: '127.0.0.1', operators: { bindings: [], timing: {} }, operatorsUrl: null },
      { connector, port: 0 },
    );
    stopLater(opened.close);
    const fake = await openFake(connector, () => opened.operatorsUrl);
    const provider = providerOf(connector);
    const wishes = {
      provider,
      numbers: numbersOf(provider.code),
      amount: null,
      currency: null,
      code: provider.authType === 'PREAUTH' ? '482915' : null,
      isRealMoney: false,
    };
    const operator = OPERATORS[connector]!;
    return { opened, fake, asked: { connector, operator, by, wishes, port: 0, file: newFile() } };
  }

  async function run(
    connector: string,
    { fault, ...options }: { readonly by?: string; readonly fault?: Fault } = {},
  ) {
    const { opened, fake, asked } = await open(connector, options);
    refuseSome(connector, fake);
    if (fault !== undefined) fake.addFault(fault);
    const ended = certifyAccount(state.gateway.engine, opened, asked, PATIENCE);
    return { fake, ...asked, ended };
  }

  return { state, newFile, stopLater, open, run };
}

/** Payments of these numbers are refused, or never answered. */
export function refuseSome(connector: string, fake: OperatorFake): void {
  const { refusing, silent } = numbersOf(providerOf(connector).code);
  const [ofDeposit, ofPayout] = REFUSALS[connector]!;
  const refused = { type: 'OUTCOME', status: 'FAILED', phoneNumber: refusing } as const;
  fake.addFault({ ...refused, operation: 'DEPOSIT', failureCode: ofDeposit });
  fake.addFault({ ...refused, operation: 'PAYOUT', failureCode: ofPayout });
  fake.addFault({ type: 'OUTCOME', status: 'PENDING', phoneNumber: silent });
}

export async function evidenceOf(file: string): Promise<Certificate> {
  return JSON.parse(await readFile(file, 'utf8'));
}
