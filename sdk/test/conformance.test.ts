// The conformance kit (sdk/conformance/README.md) with every SDK: the same results in every language, and each order
// once in the database, whatever lies between the client and the gateway.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { streamOf, type Random } from '../../drills/kit/random.ts';
import {
  call,
  depositRequest,
  eventually,
  openTestGateway,
  select,
  waitUntil,
  type TestGateway,
} from '../../server/test/gateway.ts';
import { createDemoMerchant } from '../../server/src/commands/sandbox/demo-merchant.ts';
import { openAccount } from '../../server/test/edge/accounts.ts';
import { start, startCompleted } from '../../server/test/payments.ts';
import { createKey, type TestAlgorithm } from '../../server/test/signing.ts';
import {
  startDriver,
  type Driver,
  type DriverCall,
  type DriverProgram,
  type DriverResult,
} from '../conformance/driver.ts';
import { startHostileProxy, type Fault } from '../conformance/hostile-proxy.ts';
import { countHeld, difference, listMissing, type Counts } from './held.ts';

type Order = {
  readonly name: string;
  readonly call: string;
  readonly request: unknown;
  readonly creates: Counts;
};
type Wire = {
  readonly name: string;
  readonly faults: readonly Fault[];
  /** How long the client waits for an answer, if delays are to be too long for it. */
  readonly timeoutMs?: number;
  /** How often a naive client pays over it. */
  readonly naive: 'once' | 'twice';
};
type AnswerCase = Omit<Order, 'creates'> & {
  readonly token?: string;
  /** Behind the address of the gateway. */
  readonly path?: string;
  /** What happens to the first exchanges. */
  readonly first?: readonly Fault[];
  /** What happens to every other exchange. */
  readonly always?: Fault;
  readonly expected: readonly DriverResult[];
};

const CASES = new URL('../conformance/cases.json', import.meta.url);
const { orders, wires, answers } = JSON.parse(readFileSync(CASES, 'utf8')) as {
  readonly orders: readonly Order[];
  readonly wires: readonly Wire[];
  readonly answers: readonly AnswerCase[];
};
const PAYOUT = orders.find(({ name }) => name === 'payout')!;

type Sdk = DriverProgram & { readonly algorithms: readonly TestAlgorithm[] };

const EVERYWHERE = ['ecdsa-p256-sha256', 'ecdsa-p384-sha384', 'rsa-v1_5-sha256'] as const;
const ALL = [...EVERYWHERE, 'rsa-pss-sha512'] as const;
const folder = await mkdtemp(join(tmpdir(), 'malipo-conformance-'));
/** Debian's, which has the packages that the SDK needs. */
const PYTHON = '/usr/bin/python3';
const environment = { PYTHONPATH: 'python/src:python', PYTHONDONTWRITEBYTECODE: '1' };

const SDKS: readonly Sdk[] = [
  { name: 'Node', command: [process.execPath, 'conformance/drivers/node.ts'], algorithms: ALL },
  {
    name: 'PHP',
    command: ['php', 'php/test/driver.php', join(folder, 'journal')],
    processCount: 10,
    algorithms: EVERYWHERE,
  },
  { name: 'Python', command: [PYTHON, '-m', 'tests.driver'], environment, algorithms: ALL },
  {
    name: 'asynchronous Python',
    command: [PYTHON, '-m', 'tests.driver', 'async'],
    environment,
    algorithms: ALL,
  },
];
const NAIVE: DriverProgram = {
  name: 'a naive client',
  command: [process.execPath, 'conformance/drivers/naive.ts'],
};

/** A driver, and a merchant of its own, so that all of them can play at the same time. */
type Client = Pick<TestGateway, 'engine' | 'url' | 'merchantId' | 'apiToken'> & {
  readonly name: string;
  readonly driver: Driver;
  readonly paidDeposit: string;
};

let gateway: TestGateway;
let sdks: readonly (Client & Pick<Sdk, 'algorithms'>)[] = [];
let naive: Client;
beforeAll(async () => {
  gateway = await openTestGateway({ announces: false });
  naive = await openClient(NAIVE);
  sdks = await Promise.all(SDKS.map(async (sdk) => ({ ...(await openClient(sdk)), ...sdk })));
});
afterAll(async () => {
  await Promise.all([naive, ...sdks].map(({ driver }) => driver.stop()));
  await gateway.stop();
  await rm(folder, { recursive: true });
});

async function openClient(program: DriverProgram): Promise<Client> {
  const { engine, url } = gateway;
  const merchant = { engine, url, ...(await createDemoMerchant(engine, null)) };
  const paidDeposit = await startCompleted(merchant, 'deposit', depositRequest());
  return { ...merchant, name: program.name, driver: startDriver(program), paidDeposit };
}

/** All at the same time. What fails is told with the name of its SDK. */
async function everySdk(play: (sdk: (typeof sdks)[number]) => Promise<void>): Promise<void> {
  const played = await Promise.allSettled(sdks.map(play));
  for (const [index, result] of played.entries()) {
    if (result.status === 'fulfilled') continue;
    if (result.reason instanceof Error)
      result.reason.message = `${sdks[index]!.name}: ${result.reason.message}`;
    throw result.reason;
  }
}

describe.each(wires)('$name', (wire) => {
  test('every SDK creates an order of each kind once', () =>
    everySdk(async (sdk) => {
      const { told, created, faultCounts } = await createOver(sdk, wire, orders);
      const expected = wire.faults[0]?.type === 'repeat' ? /^(accepted|duplicate)$/ : /^accepted$/;
      expect(told.filter(({ outcome }) => !expected.test(outcome))).toEqual([]);
      expect(faultCounts).toEqual(orders.map(() => wire.faults.length));
      expect(created).toEqual(sum(orders.map(({ creates }) => creates)));
      expect(await listMissing(gateway, told)).toEqual([]);
    }));

  test(`a client that sends a new identifier after every problem pays ${wire.naive}`, async () => {
    const before = await countHeld(naive);
    const { created } = await createOver(naive, wire, [PAYOUT]);
    if (wire.naive === 'once') return expect(created).toEqual({ PAYOUT: 1 });
    // A request that comes late may still be on its way in the gateway.
    const paid = async () => difference(await countHeld(naive), before)['PAYOUT'];
    await eventually(paid).toBeGreaterThan(1);
  });
});

describe('every SDK', () => {
  test('every SDK pays 100 payouts once each over a wire that breaks half of all exchanges', () =>
    everySdk(async (sdk) => {
      const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
      const random = streamOf(seed, 'cuts');
      const [before, balanceBefore] = [await countHeld(sdk), await balance(sdk)];
      let exchangeCount = 0;
      const proxy = await startHostileProxy(gateway.url, () => {
        exchangeCount += 1;
        return randomCut(random);
      });
      const pay = () => sdk.driver.run(callOf(sdk, PAYOUT, proxy.url));
      const told = (await Promise.all(Array.from({ length: 100 }, pay))).flat();
      await proxy.stop();
      const outcomes = told.map(({ outcome }) => outcome);
      expect(outcomes, `SEED=${seed}`).toEqual(outcomes.map(() => 'accepted'));
      // Of two hundred and more, by chance.
      expect(proxy.faultCount() / exchangeCount, `SEED=${seed}`).toBeGreaterThan(0.35);
      expect(difference(await countHeld(sdk), before), `SEED=${seed}`).toEqual({ PAYOUT: 100 });
      expect(balanceBefore - (await balance(sdk)), `SEED=${seed}`).toBe(10_000);
    }));

  test('every SDK follows the event feed: over a wire that breaks, from an expired cursor, with answers that come late', () =>
    everySdk(async ({ driver }) => {
      const shop = await openAccount(gateway, { operations: ['DEPOSIT'] });
      const first = await startCompleted(shop, 'deposit', depositRequest());
      await waitUntil(async () => (await select(gateway, 'select 1 from event_queue')).length === 0);
      const second = depositRequest();
      let started: Promise<string> | undefined;
      const faults: (Fault | null)[] = [CUT_REQUEST, CUT_ANSWER, null, null];
      const proxy = await startHostileProxy(gateway.url, () => {
        if (faults.length > 0) return faults.shift()!;
        // It has read all there is, and waits for more.
        started ??= start(shop, 'deposit', second);
        return LATE_ANSWER;
      });
      const after = Buffer.from(JSON.stringify(['EVENTS', randomUUID(), '7'])).toString('base64url');
      const told = await driver.run({
        baseUrl: proxy.url,
        token: shop.apiToken,
        call: 'events.follow',
        request: { after, until: second.depositId },
        timeoutMs: LATE_ANSWER.ms / 2,
        retryForMs: 5_000,
      });
      await started;
      await proxy.stop();
      const statuses = [first, second.depositId].flatMap((id) =>
        ['ACCEPTED', 'PROCESSING', 'COMPLETED'].map((status) => ({ outcome: 'event', id, status })),
      );
      expect(told).toEqual([{ outcome: 'expired' }, ...statuses]);
    }));

  test.each(answers)(
    'every SDK says what the others say: $name',
    ({ expected, token, path = '', first = [], always, ...one }) =>
      everySdk(async (sdk) => {
        const left = [...first];
        const proxy = await startHostileProxy(gateway.url, () => left.shift() ?? always ?? null);
        const whole = callOf(sdk, one, `${proxy.url}${path}`);
        const told = await sdk.driver.run({
          ...whole,
          token: token ?? whole.token,
          retryForMs: always === undefined ? whole.retryForMs : 500 + first.length * 1_000,
        });
        await proxy.stop();
        expect(told.map(({ id: _id, ...rest }) => rest)).toEqual(expected);
      }),
  );

  test('every SDK signs requests, with every algorithm that its language has', () =>
    everySdk(async (sdk) => {
      await call(sdk, 'PUT', '/sandbox/signed-requests', { signedRequestsOnly: true });
      const pay = callOf(sdk, PAYOUT, gateway.url);
      const signed = sdk.algorithms.map(async (algorithm) => {
        const { privateKey, pem: key } = createKey(algorithm, algorithm);
        await call(sdk, 'PUT', `/sandbox/public-keys/${algorithm}`, { algorithm, key });
        const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
        return sdk.driver.run({ ...pay, signing: { keyId: algorithm, privateKey: pem, algorithm } });
      });
      const told = (await Promise.all([...signed, sdk.driver.run(pay)])).flat();
      await call(sdk, 'PUT', '/sandbox/signed-requests', { signedRequestsOnly: false });
      expect(told.map(({ outcome, code }) => code ?? outcome)).toEqual([
        ...sdk.algorithms.map(() => 'accepted'),
        'AUTHENTICATION_ERROR',
      ]);
    }));
});

const CUT_REQUEST = { type: 'cut', of: 'request', afterBytes: 20 } as const;
const CUT_ANSWER = { type: 'cut', of: 'answer', afterBytes: 20 } as const;
const LATE_ANSWER = { type: 'delay', of: 'answer', ms: 400 } as const;

/** Each order over a wire of its own. */
async function createOver(client: Client, { faults, timeoutMs }: Wire, some: readonly Order[]) {
  const paidDeposit = await startCompleted(client, 'deposit', depositRequest());
  const before = await countHeld(client);
  const proxies = await Promise.all(
    some.map(() => {
      const left = [...faults];
      return startHostileProxy(gateway.url, () => left.shift() ?? null);
    }),
  );
  const told = await Promise.all(
    some.map((order, index) =>
      client.driver.run({
        ...callOf({ ...client, paidDeposit }, order, proxies[index]!.url),
        ...(timeoutMs !== undefined && { timeoutMs }),
      }),
    ),
  );
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  return {
    told: told.flat(),
    created: difference(await countHeld(client), before),
    faultCounts: proxies.map((proxy) => proxy.faultCount()),
  };
}

function callOf(
  { apiToken, paidDeposit }: Pick<Client, 'apiToken' | 'paidDeposit'>,
  { call: name, request }: Pick<Order, 'call' | 'request'>,
  baseUrl: string,
): DriverCall {
  const filled = JSON.stringify(request)
    .replace('{paidDeposit}', paidDeposit)
    .replace('{unknown}', randomUUID())
    .replace('{yesterday}', new Date(Date.now() - 86_400_000).toISOString())
    .replace('{now}', new Date().toISOString());
  const limits = { timeoutMs: 20_000, retryForMs: 60_000 };
  return { baseUrl, token: apiToken, call: name, request: JSON.parse(filled), ...limits };
}

/** Cuts one of two exchanges, anywhere. */
function randomCut(random: Random): Fault | null {
  if (random.chance(0.5)) return null;
  const afterShare = random.between(0, 99) / 100;
  return { type: 'cut', of: random.chance(0.4) ? 'request' : 'answer', afterShare };
}

async function balance(client: Client): Promise<number> {
  const { body } = await call(client, 'GET', '/v2/wallet-balances?country=RWA');
  return Number(body['balances'][0].balance);
}

function sum(all: readonly Counts[]): Counts {
  const total: Record<string, number> = {};
  for (const [kind, count] of all.flatMap(Object.entries)) total[kind] = (total[kind] ?? 0) + count;
  return total;
}
