// A whole gateway for a test: its own database, a simulator, a callback receiver, and a merchant with a token.
import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { MailSettings } from '../src/callbacks/mail.ts';
import { LOOPBACK_RANGES } from '../src/callbacks/outgoing-guard.ts';
import type { Gateway, Role } from '../src/commands/serve/compose.ts';
import { createDemoMerchant } from '../src/commands/sandbox/demo-merchant.ts';
import { DEFAULT_SETTINGS, type Config } from '../src/config.ts';
import type { ConnectorTiming } from '../src/connectors/port.ts';
import {
  startSimulator,
  type RunningSimulator,
  type SimulatorOptions,
} from '../src/sandbox/simulator/simulator.ts';
import type { Engine } from '../src/core/engine.ts';
import { addMs } from '../src/domain/time.ts';
import { nowOf } from './clocks.ts';
import { createTestDatabase } from './database.ts';
import { besidePooler, TEST_CONNECTIONS, throughPooler } from './pgbouncer.ts';
import { openUnderRoles, type TestRoles } from './lesser-roles.ts';
import { startCallbackReceiver, type CallbackReceiver } from './receiver.ts';

export type TestGateway = {
  readonly gateway: Gateway;
  readonly engine: Engine;
  readonly config: Config;
  readonly url: string;
  /** Null where metrics are at the same address as everything else. */
  readonly metricsUrl: string | null;
  readonly databaseUrl: string;
  readonly simulator: RunningSimulator;
  readonly receiver: CallbackReceiver;
  readonly merchantId: string;
  readonly apiToken: string;
  readonly stop: () => Promise<void>;
};

export type TestGatewayOptions = {
  readonly role?: Role;
  /** Under database roles with fewer rights. */
  readonly roles?: TestRoles;
  readonly environment?: Config['environment'];
  readonly simulator?: Partial<SimulatorOptions>;
  /** How far the own clock of the gateway's process is ahead, but for what it compares with the database's. */
  readonly processOffByMs?: number;
  readonly timing?: Partial<ConnectorTiming>;
  readonly worker?: Partial<Config['worker']>;
  readonly rateLimit?: Config['rateLimit'];
  readonly ordersWaitingMax?: number;
  readonly backlogMs?: number;
  /** Of two cells only where a test asks for it; of one unless it is a production gateway. */
  readonly clockIsMovable?: boolean;
  readonly authFailureLimit?: Config['authFailureLimit'];
  readonly promptLimits?: Config['promptLimits'];
  readonly tokenLimits?: Config['tokenLimits'];
  readonly screening?: Config['screening'];
  readonly bankCoolingOffMs?: number;
  readonly health?: Partial<Config['health']>;
  readonly monitor?: Partial<Config['monitor']>;
  readonly signatures?: Partial<Config['signatures']>;
  readonly publicUrl?: string;
  readonly trustedProxies?: Config['trustedProxies'];
  readonly metricsListener?: Config['metricsListener'];
  readonly directoryRememberMs?: number;
  /** Whether the merchant has a callback address. */
  readonly announces?: boolean;
  readonly logLevel?: string;
  /** Whether PostgreSQL writes down every statement with its values. */
  readonly isDatabaseTalkative?: boolean;
  readonly mail?: MailSettings;
  readonly console?: Config['console'];
  readonly v1Hosts?: Config['v1Hosts'];
  readonly operators?: Config['operators'];
  readonly keys?: Config['keys'];
};

export const SIMULATOR_CLIENT = {
  clientId: 'malipo',
  clientSecret: 'test',
  notificationSecret: 'test-notifications',
};

export const TEST_KEYS = {
  encryptionKeys: [{ id: 1, key: Buffer.alloc(32, 1) }],
  searchKey: Buffer.alloc(32, 2),
  referenceKey: Buffer.alloc(32, 3),
  linkKeys: [Buffer.alloc(32, 4)] as const,
};

export async function openTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const database = await createTestDatabase({ isTalkative: options.isDatabaseTalkative ?? false });
  const receiver = await startCallbackReceiver();
  const later: { engine?: Engine } = {};
  const simulator = await startSimulator({
    ...SIMULATOR_CLIENT,
    control: true,
    outcomeDelayMs: 0,
    clock: { now: () => (later.engine === undefined ? new Date() : nowOf(later.engine)) },
    ...options.simulator,
  });
  const config = testConfig(database.url, simulator.url, options);
  const gateway = await openUnderRoles(config, options.role ?? 'all', options.roles);
  const { engine, movableClock } = gateway;
  later.engine = engine;
  const { processOffByMs } = options;
  if (processOffByMs !== undefined && movableClock !== null) {
    const { now } = movableClock;
    Object.assign(movableClock, { now: () => addMs(now(), processOffByMs) });
  }
  const callbackUrl = options.announces === false ? null : receiver.url;
  const merchant = await createDemoMerchant(engine, callbackUrl);
  const { url, metricsUrl } = await gateway.start();
  return {
    ...merchant,
    gateway,
    engine,
    config,
    url,
    metricsUrl,
    databaseUrl: database.url,
    simulator,
    receiver,
    stop: async () => {
      await gateway.stop();
      await simulator.stop();
      await receiver.stop();
      await database.drop();
    },
  };
}

/** Tests send as fast as they can, and only some of them want to hear about it. */
/** Tests pay from one number again and again; what limits that has tests of its own. */
const NO_PROMPT_LIMITS = { perMerchant: 1_000_000, perNumber: 1_000_000, perPayer: null };

const NO_RATE_LIMIT = { perSecond: 1_000_000, burst: 1_000_000 };

export function testConfig(databaseUrl: string, simulatorUrl: string, options: TestGatewayOptions): Config {
  const cell = { id: '0001', databaseUrl: throughPooler(databaseUrl), urls: [] };
  const environment = options.environment ?? 'sandbox';
  const simulator = { ...SIMULATOR_CLIENT, url: simulatorUrl, timing: options.timing ?? {} };
  return {
    ...DEFAULT_SETTINGS,
    environment,
    cells: [cell],
    cell,
    connections: TEST_CONNECTIONS,
    directUrl: besidePooler(databaseUrl),
    host: '127.0.0.1',
    port: 0,
    metricsListener: options.metricsListener ?? null,
    operatorsUrl: null,
    publicUrl: options.publicUrl ?? null,
    trustedProxies: options.trustedProxies ?? DEFAULT_SETTINGS.trustedProxies,
    outgoingAllow: LOOPBACK_RANGES,
    mail: options.mail ?? null,
    console: options.console ?? null,
    v1Hosts: options.v1Hosts ?? DEFAULT_SETTINGS.v1Hosts,
    keys: options.keys ?? TEST_KEYS,
    // Soon after a clock was moved. Gateways that wait for nothing shall leave the processor to others.
    worker: { ...DEFAULT_SETTINGS.worker, pollMs: 50, ...options.worker },
    health: { ...DEFAULT_SETTINGS.health, ...options.health },
    monitor: { ...DEFAULT_SETTINGS.monitor, ...options.monitor },
    signatures: { ...DEFAULT_SETTINGS.signatures, ...options.signatures },
    directoryRememberMs: options.directoryRememberMs ?? 0,
    rateLimit: options.rateLimit ?? NO_RATE_LIMIT,
    ordersWaitingMax: options.ordersWaitingMax ?? DEFAULT_SETTINGS.ordersWaitingMax,
    // Many tests have no one who sends, and move the clock.
    backlogMs: options.backlogMs ?? 3_600_000,
    authFailureLimit: options.authFailureLimit ?? DEFAULT_SETTINGS.authFailureLimit,
    promptLimits: options.promptLimits ?? NO_PROMPT_LIMITS,
    tokenLimits: options.tokenLimits ?? DEFAULT_SETTINGS.tokenLimits,
    screening: options.screening ?? null,
    bankCoolingOffMs: options.bankCoolingOffMs ?? DEFAULT_SETTINGS.bankCoolingOffMs,
    clockIsMovable: options.clockIsMovable ?? environment === 'sandbox',
    simulator: environment === 'sandbox' ? simulator : null,
    operators: options.operators ?? DEFAULT_SETTINGS.operators,
    traces: null,
    logLevel: options.logLevel ?? 'silent',
  };
}

export type Answer = { readonly status: number; readonly body: Record<string, any> };

/** Sends a request to the gateway, as a merchant would. */
export async function call(
  { url, apiToken }: Pick<TestGateway, 'url' | 'apiToken'>,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? {} : JSON.parse(text) };
}

/** A deposit request that completes. */
export function depositRequest(changes: Record<string, unknown> = {}): Record<string, any> {
  return {
    depositId: randomUUID(),
    amount: '100',
    currency: 'RWF',
    payer: payer('MTN_MOMO_RWA', '250783456789'),
    ...changes,
  };
}

export function payer(provider: string, phoneNumber: string) {
  return { type: 'MMO', accountDetails: { phoneNumber, provider } };
}

export async function initiate(
  test: Pick<TestGateway, 'url' | 'apiToken'>,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const request = depositRequest(changes);
  const answer = await call(test, 'POST', '/v2/deposits', request);
  expect(answer.body).toMatchObject({ status: 'ACCEPTED' });
  return request['depositId'];
}

/** The deposit's record, from a status check. */
export async function readDeposit(test: TestGateway, depositId: string): Promise<Record<string, any>> {
  const { body } = await call(test, 'GET', `/v2/deposits/${depositId}`);
  expect(body['status']).toBe('FOUND');
  return body['data'];
}

const PATIENCE = { timeout: 60_000, interval: 20 };

export async function waitForStatus(
  test: TestGateway,
  depositId: string,
  status: string,
): Promise<Record<string, any>> {
  await expect.poll(async () => (await readDeposit(test, depositId))['status'], PATIENCE).toBe(status);
  return readDeposit(test, depositId);
}

/** Polls until `read` gives what is expected. */
export function eventually<Value>(read: () => Value) {
  return expect.poll(read, PATIENCE);
}

/** Waits until something is so; for use outside of tests too. */
export async function waitUntil(
  isSo: () => boolean | Promise<boolean>,
  { timeout = PATIENCE.timeout } = {},
): Promise<void> {
  await vi.waitUntil(isSo, { ...PATIENCE, timeout });
}

/** Our own number of a payment. */
export async function numberOf(gateway: Pick<TestGateway, 'engine'>, paymentId: string): Promise<string> {
  const rows = await select(gateway, 'select payment_no from payment_keys where payment_id = $1', [
    paymentId,
  ]);
  return String(rows[0]?.['payment_no']);
}

export async function select<Row extends Record<string, any>>(
  test: Pick<TestGateway, 'engine'>,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const { rows } = await test.engine.store.database.query<Row>(text, values);
  return rows;
}
