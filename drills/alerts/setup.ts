// A gateway as a host runs it: a database, an API, two workers, an operator and a merchant who takes callbacks. Time
// can be moved, so that what is alarming after a day need not be waited for.
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { openGateway } from '../../server/src/commands/serve/compose.ts';
import { createDemoMerchant } from '../../server/src/commands/sandbox/demo-merchant.ts';
import { startLocalCluster } from '../../server/src/commands/sandbox/local-cluster.ts';
import { readConfig } from '../../server/src/config.ts';
import type { OperatorFake } from '../../server/src/sandbox/fakes/operator-fake.ts';
import { startFake as startMtnFake } from '../../server/src/connectors/mtn-momo/fake.ts';
import { startSimulator, type RunningSimulator } from '../../server/src/sandbox/simulator/simulator.ts';
import { changeCredentials } from '../../server/src/core/operators/administer-operators.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { migrate } from '../../server/src/store/schema/migrate.ts';
import { startServerProcess, type ServerProcess } from '../kit/server-process.ts';

export type Stage = {
  /** The composition of a command manually: it serves nothing, and can do what an administrator can. */
  readonly engine: Engine;
  readonly simulator: RunningSimulator;
  /** MTN's fake, to which MTN_MOMO_ZMB is bound. */
  readonly mtn: OperatorFake;
  /** A signal sets the clock of one 65 s back, and the next signal forward again. */
  readonly workers: readonly ServerProcess[];
  /** Where Prometheus finds every process. */
  readonly targets: readonly string[];
  /** Starts a payment that must be accepted. Answers its identifier. */
  readonly pay: (noun: 'deposit' | 'payout', party: Party, amount?: string) => Promise<string>;
  readonly stateOf: (paymentId: string) => Promise<string>;
  /** What the merchant's server answers to callbacks from now on. */
  readonly answerCallbacksWith: (status: number) => void;
  readonly callbacksReceived: () => number;
  readonly moveClock: (forwardMs: number) => Promise<void>;
  /** As a superuser who steps around the gateway and its triggers. */
  readonly tamper: (sql: string) => Promise<void>;
  /** Holds locks in a transaction of its own. Answers how to released; once is enough, twice does no harm. */
  readonly hold: (sql: string) => Promise<() => Promise<void>>;
  readonly stop: () => Promise<void>;
};

export type Party = {
  readonly provider: string;
  readonly phoneNumber: string;
  /** Rwandan francs where it is left out. */
  readonly currency?: string;
};

const SKEWED_CLOCK = new URL('../kit/skewed-clock.mjs', import.meta.url).href;
const CLIENT = { clientId: 'malipo', clientSecret: 'proof', notificationSecret: 'proof-notifications' };

export async function openStage(floatMin: string): Promise<Stage> {
  const shutdownHooks = new ShutdownHooks();
  try {
    return await build(shutdownHooks, floatMin);
  } catch (error) {
    await shutdownHooks.run();
    throw error;
  }
}

async function build(shutdownHooks: ShutdownHooks, floatMin: string): Promise<Stage> {
  const cluster = await startLocalCluster();
  if (cluster === null)
    throw new Error('The proof needs PostgreSQL 15 or newer: install its server programs.');
  shutdownHooks.add(cluster.stop);
  const database = openDatabase({
    url: cluster.url,
    connectionsMax: 5,
    applicationName: 'proof',
    isPatient: true,
  });
  shutdownHooks.add(() => database.end());
  await migrate(database, { now: new Date() });

  const clock = { now: () => new Date() };
  const simulator = await startSimulator({
    ...CLIENT,
    control: true,
    outcomeDelayMs: 50,
    openingFloat: '10000',
    clock: { now: () => clock.now() },
  });
  shutdownHooks.add(simulator.stop);
  const merchantServer = await startMerchantServer();
  shutdownHooks.add(merchantServer.stop);
  const environment = settings({ databaseUrl: cluster.url, simulatorUrl: simulator.url, floatMin });
  const gateway = await openGateway(readConfig(environment), { role: 'admin', logTo: 2 });
  shutdownHooks.add(gateway.stop);
  const { engine, movableClock } = gateway;
  clock.now = engine.clock.now;
  const merchant = await createDemoMerchant(engine, merchantServer.url);
  const mtn = await startMtn(engine);
  shutdownHooks.add(mtn.stop);

  const api = await startServerProcess('api', environment);
  shutdownHooks.add(api.kill);
  const operatorsUrl = { MALIPO_OPERATORS_URL: `http://${api.target}` };
  const clock65sBehind = { CLOCK_SKEW_MS: '-65000', CLOCK_SKEW_LATER: 'on' };
  const startWorker = () =>
    startServerProcess('worker', { ...environment, ...operatorsUrl, ...clock65sBehind }, [
      '--import',
      SKEWED_CLOCK,
    ]);
  const workers = await Promise.all([startWorker(), startWorker()]);
  for (const worker of workers) shutdownHooks.add(worker.kill);
  return {
    engine,
    simulator,
    mtn,
    workers,
    targets: [api, ...workers].map(({ target }) => target),
    pay: (noun, party, amount = '100') =>
      pay(`http://${api.target}`, merchant.apiToken, { noun, party, amount }),
    stateOf: async (paymentId) => {
      const { rows } = await database.query<{ state: string }>(
        'select state from payments where payment_id = $1',
        [paymentId],
      );
      return rows[0]?.state ?? 'NONE';
    },
    answerCallbacksWith: merchantServer.answerWith,
    callbacksReceived: merchantServer.received,
    moveClock: async (forwardMs) => movableClock?.move(forwardMs),
    tamper: async (sql) => {
      const client = await database.connect();
      // Anyone who waits longer waits for a lock of the proof itself.
      await client.query(
        `set lock_timeout = '20s'; set session_replication_role = replica; ${sql}; reset all`,
      );
      client.release();
    },
    hold: async (sql) => {
      const client = await database.connect();
      await client.query(`begin; set local idle_in_transaction_session_timeout = 0; ${sql}`);
      let isHeld = true;
      const releaseNow = async () => {
        if (!isHeld) return;
        isHeld = false;
        await client.query('rollback');
        client.release();
      };
      // Also when the proof fails meanwhile: no one could close the database otherwise.
      shutdownHooks.add(releaseNow);
      return releaseNow;
    },
    stop: () => shutdownHooks.run(),
  };
}

/** Waits until something is so, for at most half a minute. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`it never came to this: ${what}`);
    await sleep(100);
  }
}

/** A real connector's operator, with the credentials of one account. */
async function startMtn(engine: Engine): Promise<OperatorFake> {
  const fake = await startMtnFake({ clock: engine.clock });
  const key = { connector: 'mtn-momo', account: 'MTN_MOMO_ZMB' };
  for (const [product, values] of Object.entries(fake.credentialsOf(key.account)))
    await changeCredentials(engine, { by: 'proof', ...key, product, values });
  return fake;
}

async function pay(
  url: string,
  apiToken: string,
  { noun, party, amount }: { noun: 'deposit' | 'payout'; party: Party; amount: string },
): Promise<string> {
  const id = randomUUID();
  const side = noun === 'deposit' ? 'payer' : 'recipient';
  const { currency = 'RWF', ...accountDetails } = party;
  const answer = await fetch(`${url}/v2/${noun}s`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      [`${noun}Id`]: id,
      amount,
      currency,
      [side]: { type: 'MMO', accountDetails },
    }),
  });
  const body = (await answer.json()) as { readonly status?: string };
  if (body.status !== 'ACCEPTED') throw new Error(`the ${noun} was answered ${JSON.stringify(body)}`);
  return id;
}

function settings({
  databaseUrl,
  simulatorUrl,
  floatMin,
}: {
  readonly databaseUrl: string;
  readonly simulatorUrl: string;
  readonly floatMin: string;
}): Record<string, string> {
  return {
    MALIPO_ENVIRONMENT: 'sandbox',
    // The merchant's endpoint is on this machine.
    MALIPO_OUTGOING_ALLOW: '127.0.0.0/8',
    // A month of failures is a scene here; the address must not be switched off meanwhile.
    MALIPO_CALLBACK_SWITCH_OFF_DAYS: '365',
    MALIPO_MOVABLE_CLOCK: 'on',
    MALIPO_LOG_LEVEL: 'info',
    DATABASE_URL: databaseUrl,
    MALIPO_PORT: '0',
    MALIPO_ENCRYPTION_KEYS: `1:${randomKey()}`,
    MALIPO_SEARCH_KEY: randomKey(),
    MALIPO_REFERENCE_KEY: randomKey(),
    MALIPO_SIMULATOR_URL: simulatorUrl,
    MALIPO_SIMULATOR_CLIENT_ID: CLIENT.clientId,
    MALIPO_SIMULATOR_CLIENT_SECRET: CLIENT.clientSecret,
    MALIPO_SIMULATOR_NOTIFICATION_SECRET: CLIENT.notificationSecret,
    MALIPO_FLOAT_MIN: floatMin,
    MALIPO_OPERATORS: 'MTN_MOMO_ZMB=mtn-momo',
    // A monitor counts as stale after five times these.
    MALIPO_MONITOR_INTERVAL_MS: '1000',
    MALIPO_MONITOR_FLOAT_MS: '2000',
    MALIPO_MONITOR_BOOKS_MS: '2000',
  };
}

function randomKey(): string {
  return randomBytes(32).toString('base64');
}

type MerchantServer = {
  readonly url: string;
  readonly answerWith: (status: number) => void;
  readonly received: () => number;
  readonly stop: () => Promise<void>;
};

async function startMerchantServer(): Promise<MerchantServer> {
  let status = 200;
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    request.resume().on('end', () => response.writeHead(status).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/callbacks`,
    answerWith: (wanted) => {
      status = wanted;
    },
    received: () => received,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
