// Tokens and rate budgets, which all workers of a cell share through the database.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRateGate } from '../../src/connectors/rate-gate.ts';
import { TokenSource, type Minted, type TokenStore } from '../../src/connectors/token-source.ts';
import { pauseRate, takeRateSlot, takeRateSlots } from '../../src/store/operators/operator-rates.ts';
import {
  findOperatorToken,
  keepOperatorToken,
  leaseOperatorToken,
  releaseOperatorToken,
  withdrawOperatorToken,
} from '../../src/store/operators/operator-tokens.ts';
import { insertTraffic, listTraffic, pruneTraffic } from '../../src/store/operators/operator-traffic.ts';
import { addMs } from '../../src/domain/time.ts';
import { NOON, openTestStore, secondsAfterNoon, type TestStore } from '../store/open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.stop());

const ACCOUNT = 'mtn-momo/MTN_MOMO_RWA/collection';

const tokens = (now: () => Date): TokenStore => ({
  find: (account) => findOperatorToken(store.database, store.keyring, account),
  lease: (account, leaseMs) =>
    leaseOperatorToken(store.database, { account, now: now(), until: addMs(now(), leaseMs) }),
  keep: (account, token) => keepOperatorToken(store.database, store.keyring, { account, ...token }),
  release: (account) => releaseOperatorToken(store.database, account),
  withdraw: (account, issueNo) => withdrawOperatorToken(store.database, account, issueNo),
});

const fail = async (): Promise<Minted> => ({ error: 'AWAY' });

describe('a token', () => {
  let now: Date;
  let minted: number;
  const clock = { now: () => now };
  beforeEach(async () => {
    now = NOON;
    minted = 0;
    await store.database.query('truncate operator_tokens');
  });

  const worker = () => new TokenSource(tokens(clock.now), { clock, timeoutMs: 10_000 });
  const mint = async (): Promise<Minted> => {
    minted += 1;
    const token = `token ${minted}`;
    await new Promise((resolve) => setTimeout(resolve, 30));
    return { token, lifetimeMs: 3_600_000 };
  };
  const take = async (source: TokenSource) => {
    const taken = await source.take(ACCOUNT, mint);
    return 'error' in taken ? taken.error : taken.token;
  };

  test('a token is asked for once, however many workers want it at the same time', async () => {
    const workers = Array.from({ length: 5 }, worker);
    const taken = await Promise.all(workers.flatMap((one) => [take(one), take(one), take(one)]));
    expect(new Set(taken)).toEqual(new Set(['token 1']));
    expect(minted).toBe(1);
  });

  test('a token is renewed when a sixth of its life is left, by one worker while the others go on', async () => {
    const [first, second] = [worker(), worker()];
    await Promise.all([take(first), take(second)]);
    now = secondsAfterNoon(2_990);
    expect(await take(first)).toBe('token 1');
    now = secondsAfterNoon(3_010);
    const { promise: isAllowed, resolve: allow } = Promise.withResolvers<void>();
    const mintLater = () => isAllowed.then(mint);
    const both = [first, second].map(async (one) => {
      const taken = await one.take(ACCOUNT, mintLater);
      return 'error' in taken ? taken.error : taken.token;
    });
    expect(await Promise.race(both)).toBe('token 1');
    allow();
    expect((await Promise.all(both)).toSorted()).toEqual(['token 1', 'token 2']);
    expect([await take(first), await take(second)]).toEqual(['token 2', 'token 2']);
    expect(minted).toBe(2);
  });

  test('that cannot be renewed serves until it ends', async () => {
    const source = worker();
    await take(source);
    now = secondsAfterNoon(3_100);
    expect(await source.take(ACCOUNT, fail)).toMatchObject({ token: 'token 1' });
    now = secondsAfterNoon(3_700);
    expect(await source.take(ACCOUNT, fail)).toEqual({ error: 'AWAY' });
  });

  test('that was refused is renewed once by all who were refused', async () => {
    const [first, second] = [worker(), worker()];
    const held = await first.take(ACCOUNT, mint);
    const same = await second.take(ACCOUNT, mint);
    if ('error' in held || 'error' in same) throw new Error('no token');
    await first.refuse(ACCOUNT, held);
    expect(await take(first)).toBe('token 2');
    await second.refuse(ACCOUNT, same);
    expect(await take(second)).toBe('token 2');
    expect(minted).toBe(2);
  });

  test('whose renewal was left by a worker that died is renewed by another', async () => {
    const until = secondsAfterNoon(1);
    expect(await leaseOperatorToken(store.database, { account: ACCOUNT, now, until })).toBe(true);
    expect(await leaseOperatorToken(store.database, { account: ACCOUNT, now, until })).toBe(false);
    now = secondsAfterNoon(1);
    expect(await take(worker())).toBe('token 1');
  });

  test('a token is encrypted at rest', async () => {
    await take(worker());
    const { rows } = await store.database.query<{ text: string }>(
      'select t::text as text from operator_tokens t',
    );
    expect(rows[0]?.text).toContain(ACCOUNT);
    expect(rows[0]?.text).not.toContain(Buffer.from('token 1').toString('hex'));
  });
});

describe('a rate budget', () => {
  /** A slot every ten seconds: what a busy machine adds to that does not count. No one waits for them here. */
  const RULE = { perSecond: 0.1, burst: 3 };
  const rates = {
    takeSlot: (order: Parameters<typeof takeRateSlot>[1]) => takeRateSlot(store.database, order),
    pause: (account: string, pauseMs: number) => pauseRate(store.database, account, pauseMs),
  };
  let begunAt: number;
  beforeEach(async () => {
    await store.database.query('truncate operator_rates');
    begunAt = performance.now();
  });
  /** When slots are, in tens of seconds after the first was asked for. */
  const slots = async (count: number, withinMs: number) => {
    const taken: (number | null)[] = [];
    for (let index = 0; index < count; index += 1) {
      const waitMs = await takeRateSlot(store.database, { account: ACCOUNT, ...RULE, withinMs });
      const passedMs = performance.now() - begunAt;
      taken.push(waitMs === null ? null : Math.round((waitMs + passedMs) / 10_000));
    }
    return taken;
  };

  test('a rate budget gives a burst at once and then one slot after the other', async () => {
    expect(await slots(6, 60_000)).toEqual([-2, -1, 0, 1, 2, 3]);
  });

  test('a rate budget gives nothing that comes too late, and takes nothing for it', async () => {
    expect(await slots(6, 12_000)).toEqual([-2, -1, 0, 1, null, null]);
    expect(await slots(1, 60_000)).toEqual([2]);
  });

  test('A2: a slot far ahead, left by a clock that was wrong, holds no one up', async () => {
    await store.database.query(
      `insert into operator_rates (account, taken_until) values ($1, now() + interval '1 hour')`,
      [ACCOUNT],
    );
    expect(await slots(2, 12_000)).toEqual([-2, -1]);
    const several = { account: ACCOUNT, ...RULE, withinMs: 60_000, countMax: 3 };
    expect(await takeRateSlots(store.database, several)).toHaveLength(3);
  });

  test('a rate budget is shared: twenty calls of two workers take as long as the operator wants', async () => {
    const gates = [createRateGate(rates), createRateGate(rates)];
    const rule = { perSecond: 40, burst: 1 };
    const startedAt = performance.now();
    const passed = await Promise.all(
      gates.flatMap((gate) => Array.from({ length: 10 }, () => gate.pass(ACCOUNT, rule, 5_000))),
    );
    expect(passed).not.toContain(false);
    expect(performance.now() - startedAt).toBeGreaterThan(450);
  });

  test('A2: a slot whose time is over is not used: many of them would make a burst', async () => {
    const gate = createRateGate(rates);
    expect(await gate.waitFor(performance.now() - 100)).toBe(true);
    expect(await gate.waitFor(performance.now() - 5_000)).toBe(false);
  });

  test('a rate budget rests as long as an operator says, at most a minute', async () => {
    const gate = createRateGate(rates);
    await gate.holdOff(ACCOUNT, '30');
    expect(await slots(1, 20_000)).toEqual([null]);
    expect(await slots(1, 40_000)).toEqual([3]);
    await gate.holdOff(ACCOUNT, '86400');
    expect(await slots(1, 70_000)).toEqual([6]);
  });
});

test('what was said is encrypted, found by its reference, and goes when it is old', async () => {
  const exchange = {
    at: NOON,
    connector: 'mtn-momo',
    account: ACCOUNT,
    step: 'submit',
    reference: 'r-1',
    httpStatus: 202,
    error: null,
    durationMs: 12,
    request: 'POST /collection/v1_0/requesttopay',
    answer: 'said-by-the-operator',
  };
  await insertTraffic(store.database, store.keyring, [exchange, { ...exchange, reference: null }]);
  const list = (reference: string | null) =>
    listTraffic(store.database, store.keyring, { reference, countMax: 10 });
  expect(await list('r-1')).toEqual([exchange]);
  expect(await list(null)).toHaveLength(2);
  const { rows } = await store.database.query<{ text: string }>(
    'select t::text as text from operator_traffic t',
  );
  expect(rows[0]?.text).not.toContain(Buffer.from('said-by').toString('hex'));
  const pruneBefore = (before: Date) => pruneTraffic(store.database, { before, countMax: 10 });
  expect(await pruneBefore(NOON)).toBe(0);
  expect(await pruneBefore(secondsAfterNoon(1))).toBe(2);
});
