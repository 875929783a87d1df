// A gateway as a host runs it: a database, an API, two workers, an operator and a merchant with a callback server. The
// clock can be moved, so that conditions of a day need no real day.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { createDemoMerchant } from '../../server/src/commands/sandbox/demo-merchant.ts';
import type { OperatorFake } from '../../server/src/sandbox/fakes/operator-fake.ts';
import { startFake as startMtnFake } from '../../server/src/connectors/mtn-momo/fake.ts';
import {
  startSimulator as startSimulatorHere,
  type RunningSimulator,
} from '../../server/src/sandbox/simulator/simulator.ts';
import {
  FAKE_ROLE_ID,
  FAKE_SECRET_ID,
  startKeyServiceFake,
  type KeyServiceFake,
} from '../../server/test/wrapped-keys/fake.ts';
import { changeCredentials } from '../../server/src/core/operators/administer-operators.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import { clockOf, nowOf } from '../../server/test/clocks.ts';
import { apiCaller, callAccepted } from '../kit/api.ts';
import { openRunDatabase, startDatabase } from '../kit/database.ts';
import { Endpoint } from '../kit/load/endpoint.ts';
import { openAdmin, SKEWED_CLOCK, startServer, type Server } from '../kit/processes.ts';
import type { Say } from '../kit/program.ts';
import { openScratch, type Scratch } from '../kit/scratch.ts';
import { PRODUCTION_DEFAULTS } from './production-defaults.ts';
import { BY, CLIENT, gatewaySettings, simulatorSettings, type Environment } from '../kit/settings.ts';

export type Setup = {
  /** The gateway as in a command: it serves nothing, and can do what an administrator can. */
  readonly engine: Engine;
  readonly scratch: Scratch;
  readonly simulator: RunningSimulator;
  /** The first worker has its encryption keys from it. */
  readonly keyService: KeyServiceFake;
  /** MTN's fake, to which MTN_MOMO_ZMB is bound. */
  readonly mtn: OperatorFake;
  /** A signal sets the clock of one process 65 s back, and the next signal forward again. */
  readonly workers: readonly Server[];
  /** Where Prometheus finds every process. */
  readonly targets: readonly string[];
  readonly say: Say;
  readonly merchantId: string;
  /** Sends a request with the merchant's token, or another one. Returns the text of the answer, whatever it is. */
  readonly ask: (path: string, body: object, token?: string) => Promise<string>;
  /** Starts a payment that must be accepted. Returns its identifier. */
  readonly pay: (noun: 'deposit' | 'payout', party: Party, amount?: string) => Promise<string>;
  /** Sends the request of a deposit once more. */
  readonly repeat: (depositId: string, party: Party) => Promise<void>;
  readonly stateOf: (paymentId: string) => Promise<string>;
  /** The merchant's server. */
  readonly endpoint: Endpoint;
  readonly moveClock: (forwardMs: number) => Promise<void>;
  /** A superuser who bypasses the gateway and its triggers. */
  readonly tamper: (sql: string) => Promise<void>;
  /** Holds locks in its own transaction. Returns a function that releases them; calling it twice is harmless. */
  readonly hold: (sql: string) => Promise<() => Promise<void>>;
};

export type Scene = {
  readonly title: string;
  /** `begin`: from now on people should hear of it. */
  readonly play: (setup: Setup, begin: () => void) => Promise<void | (() => Promise<void>)>;
  readonly fires: readonly string[];
  /** Its alerts must fire within a minute, with the rules and intervals of the repository. */
  readonly isUrgent?: true;
};

export type Party = {
  readonly provider: string;
  readonly phoneNumber: string;
  /** Default: RWF. */
  readonly currency?: string;
};

export async function startSetup(
  hooks: ShutdownHooks,
  { floatMin, say }: { readonly floatMin: string; readonly say: Say },
): Promise<Setup> {
  const scratch = openScratch(hooks);
  const databaseUrl = await startDatabase(hooks);
  const database = openRunDatabase(hooks, databaseUrl, 5);
  const clock = { now: () => new Date() };
  const simulator = await startSimulatorHere({
    ...CLIENT,
    control: true,
    outcomeDelayMs: 50,
    openingFloat: '10000',
    clock: { now: () => clock.now() },
  });
  hooks.add(simulator.stop);
  const endpoint = await Endpoint.start(hooks);
  const environment = settings({ databaseUrl, simulatorUrl: simulator.url, floatMin });
  const { engine, movableClock } = await openAdmin(hooks, environment);
  clock.now = () => nowOf(engine);
  const merchant = await createDemoMerchant(engine, endpoint.url);
  const mtn = await startMtn(engine);
  hooks.add(mtn.stop);

  const keyService = await startKeyServiceFake();
  hooks.add(keyService.stop);
  const wrapped = wrappedSettings(environment, keyService);
  const api = await startServer(hooks, scratch, { role: 'api', environment });
  const clock65sBehind = { CLOCK_SKEW_MS: '-65000', CLOCK_SKEW_LATER: 'on' };
  const startWorker = (name: string, keys: Environment = {}) =>
    startServer(hooks, scratch, {
      role: 'worker',
      name,
      environment: { ...environment, ...keys, ...clock65sBehind, MALIPO_OPERATORS_URL: api.url },
      nodeArgs: ['--import', SKEWED_CLOCK],
    });
  const workers = await Promise.all([startWorker('worker1', wrapped), startWorker('worker2')]);
  const call = apiCaller(api.url, merchant.apiToken);
  return {
    engine,
    scratch,
    simulator,
    keyService,
    mtn,
    workers,
    targets: [api, ...workers].map(({ port }) => `127.0.0.1:${port}`),
    endpoint,
    say,
    merchantId: merchant.merchantId,
    ask: async (path, body, token = merchant.apiToken) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return (await fetch(api.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).text();
    },
    pay: async (noun, party, amount = '100') => {
      const id = randomUUID();
      await callAccepted(call, `/v2/${noun}s`, requestOf(noun, id, party, amount));
      return id;
    },
    repeat: async (depositId, party) => {
      await call('POST', '/v2/deposits', requestOf('deposit', depositId, party, '100'));
    },
    stateOf: async (paymentId) => {
      const { rows } = await database.query<{ state: string }>(
        'select state from payments where payment_id = $1',
        [paymentId],
      );
      return rows[0]?.state ?? 'NONE';
    },
    moveClock: async (forwardMs) => movableClock?.move(forwardMs),
    tamper: async (sql) => {
      const client = await database.connect();
      // A longer wait means a lock of the drill itself.
      await client.query(
        `set lock_timeout = '20s'; set session_replication_role = replica; ${sql}; reset all`,
      );
      client.release();
    },
    hold: async (sql) => {
      const client = await database.connect();
      await client.query(`begin; set local idle_in_transaction_session_timeout = 0; ${sql}`);
      let isHeld = true;
      const release = async () => {
        if (!isHeld) return;
        isHeld = false;
        await client.query('rollback');
        client.release();
      };
      // Also if the drill fails: otherwise the database could not be closed.
      hooks.add(release);
      return release;
    },
  };
}

function requestOf(
  noun: 'deposit' | 'payout',
  id: string,
  { currency = 'RWF', ...accountDetails }: Party,
  amount: string,
): object {
  const side = { [noun === 'deposit' ? 'payer' : 'recipient']: { type: 'MMO', accountDetails } };
  return { [`${noun}Id`]: id, amount, currency, ...side };
}

/** Waits until a condition holds. An operator whose message was missed is first asked after half a minute. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`it never came to this: ${what}`);
    await sleep(100);
  }
}

/** The operator of a real connector, with the credentials of one account. */
async function startMtn(engine: Engine): Promise<OperatorFake> {
  const fake = await startMtnFake({ clock: clockOf(engine) });
  const key = { connector: 'mtn-momo', account: 'MTN_MOMO_ZMB' };
  for (const [product, values] of Object.entries(fake.credentialsOf(key.account)))
    await changeCredentials(engine, { by: BY, ...key, product, values });
  return fake;
}

/** The same keys, wrapped. */
function wrappedSettings(
  { MALIPO_ENCRYPTION_KEYS: keys = '' }: Environment,
  keyService: KeyServiceFake,
): Environment {
  const entries = keys.split(',').map((entry) => entry.split(':'));
  const wrap = (key: string) => keyService.encrypt(Buffer.from(key, 'base64'));
  return {
    MALIPO_ENCRYPTION_KEYS: entries.map(([id, key = '']) => `${id}:${wrap(key)}`).join(','),
    MALIPO_KEY_SERVICE_URL: keyService.url,
    MALIPO_KEY_SERVICE_LOGIN: 'approle',
    MALIPO_KEY_SERVICE_ROLE: FAKE_ROLE_ID,
    MALIPO_KEY_SERVICE_CREDENTIAL: FAKE_SECRET_ID,
    MALIPO_KEY_SERVICE_CHECK_MS: '500',
  };
}

function settings({
  databaseUrl,
  simulatorUrl,
  floatMin,
}: {
  readonly databaseUrl: string;
  readonly simulatorUrl: string;
  readonly floatMin: string;
}): Environment {
  return {
    ...gatewaySettings(databaseUrl),
    ...simulatorSettings(simulatorUrl),
    // A month of failures is a scene here; the address must not be disabled meanwhile.
    MALIPO_CALLBACK_SWITCH_OFF_DAYS: '365',
    MALIPO_MOVABLE_CLOCK: 'on',
    ...PRODUCTION_DEFAULTS,
    // One client guesses tokens in a scene, faster than it may.
    MALIPO_AUTH_FAILURE_BURST: '100000',
    MALIPO_FLOAT_MIN: floatMin,
    MALIPO_OPERATORS: 'MTN_MOMO_ZMB=mtn-momo',
    // A monitor counts as stale after five times these.
    MALIPO_MONITOR_INTERVAL_MS: '1000',
    MALIPO_MONITOR_FLOAT_MS: '2000',
    MALIPO_MONITOR_BOOKS_MS: '2000',
  };
}
