// Providers that stop answering and come back: no one touches a switch, and the timeline tells what happened.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openGateway } from '../src/commands/serve/compose.ts';
import { recordCalls, watchAvailability } from '../src/core/operators/watch-availability.ts';
import { describeReason } from '../src/domain/operators/availability-reason.ts';
import { listAvailabilityChanges } from '../src/store/operators/availability-changes.ts';
import { listUnavailabilities } from '../src/store/operators/availability.ts';
import { runCommandHere, type CommandResult } from './command-process.ts';
import { call, depositRequest, eventually, openTestGateway, type TestGateway } from './gateway.ts';
import { readPayment, send, setAvailability, start, waitForPayment, type Noun } from './payments.ts';
import { payoutRequest } from './requests.ts';
import { serverEnvironment } from './server-process.ts';

const PROVIDER = 'MTN_MOMO_RWA';

/** What takes minutes in production takes a second or two here; the order of the figures is the same. */
const SHORT_HEALTH = {
  lookIntervalMs: 50,
  windowMs: 1_500,
  callsMin: 6,
  // A busy machine is silent for a moment, too.
  silenceMs: 5_000,
  recoverAfterMs: 300,
  probeIntervalMs: 100,
};

const SHORT_TIMING = {
  sendDeadlineMs: 1_000,
  timeoutMs: 1_500,
  notSeenAfterMs: 2_500,
  enquiryDelaysMs: [100, 250],
};

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await openTestGateway({ health: SHORT_HEALTH, timing: SHORT_TIMING });
});
afterEach(() => gateway.stop());

const request = (noun: Noun) => (noun === 'deposit' ? depositRequest() : payoutRequest());

/** From now on the operator does this with everything it is asked. */
function breakOperator(fault: { type: 'ERROR'; httpStatus: number } | { type: 'LOSE_ANSWER' }): void {
  for (const step of ['submit', 'query', 'balance'] as const)
    gateway.simulator.addFault({ ...fault, step, times: 1_000_000 });
}

async function startMany(noun: Noun, count: number): Promise<readonly string[]> {
  return Promise.all(Array.from({ length: count }, () => start(gateway, noun, request(noun))));
}

/** "DELAYED MEASURED", "CLOSED HAND" or "OPERATIONAL". */
async function statusOf(noun: Noun): Promise<string> {
  const all = await listUnavailabilities(gateway.engine.store.database);
  const found = all.find((one) => one.provider === PROVIDER && one.operation === noun.toUpperCase());
  return found === undefined ? 'OPERATIONAL' : `${found.status} ${found.setBy}`;
}

/** "OPERATIONAL DELAYED MEASURED" for each change so far. */
async function timelineOf(noun: Noun): Promise<readonly string[]> {
  const options = { provider: PROVIDER, countMax: 100 };
  const changes = await listAvailabilityChanges(gateway.engine.store.database, options);
  return changes
    .filter(({ operation }) => operation === noun.toUpperCase())
    .map(({ from, to, setBy }) => `${from} ${to} ${setBy}`);
}

/** Long enough for several looks, probes and a whole recovery. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 2_500));

describe('a provider whose operator answers every call with an error', () => {
  test('a provider whose operator answers every call with an error is DELAYED and later OPERATIONAL by itself; deposits are rejected meanwhile, payouts wait and are then made', async () => {
    breakOperator({ type: 'ERROR', httpStatus: 503 });
    const deposits = await startMany('deposit', 8);
    const payouts = await startMany('payout', 8);
    await eventually(() => statusOf('deposit')).toBe('DELAYED MEASURED');
    await eventually(() => statusOf('payout')).toBe('DELAYED MEASURED');

    expect((await send(gateway, 'deposit', depositRequest())).body).toMatchObject({
      status: 'REJECTED',
      failureReason: { failureCode: 'PROVIDER_TEMPORARILY_UNAVAILABLE' },
    });
    const waiting = await start(gateway, 'payout', payoutRequest());
    expect(await readPayment(gateway, 'payout', waiting)).toMatchObject({ status: 'ENQUEUED' });
    const { body: offered } = await call(gateway, 'GET', '/v2/availability?country=RWA');
    expect(offered).toMatchObject([
      {
        providers: expect.arrayContaining([
          {
            provider: PROVIDER,
            operationTypes: {
              DEPOSIT: 'DELAYED',
              PAYOUT: 'DELAYED',
              REFUND: 'OPERATIONAL',
              REMITTANCE: 'OPERATIONAL',
            },
          },
        ]),
      },
    ]);
    // Probes are made and fail: it stays as it is.
    await aWhile();
    expect(await statusOf('deposit')).toBe('DELAYED MEASURED');
    expect(await readPayment(gateway, 'payout', waiting)).toMatchObject({ status: 'ENQUEUED' });
    expect(gateway.simulator.books().charges).toEqual([]);

    gateway.simulator.clearFaults();
    await eventually(() => statusOf('deposit')).toBe('OPERATIONAL');
    await eventually(() => statusOf('payout')).toBe('OPERATIONAL');
    await waitForPayment(gateway, 'payout', waiting, 'COMPLETED');
    for (const id of deposits) await waitForPayment(gateway, 'deposit', id, 'COMPLETED');
    for (const id of payouts) await waitForPayment(gateway, 'payout', id, 'COMPLETED');
    await waitForPayment(gateway, 'deposit', await start(gateway, 'deposit', depositRequest()), 'COMPLETED');

    const told = ['OPERATIONAL DELAYED MEASURED', 'DELAYED OPERATIONAL MEASURED'];
    expect(await timelineOf('deposit')).toEqual(told);
    expect(await timelineOf('payout')).toEqual(told);
    expect(await timelineOf('refund')).toEqual([]);
  });

  test('malipo-server availability history prints when, what, who and why, in figures', async () => {
    breakOperator({ type: 'ERROR', httpStatus: 503 });
    await startMany('deposit', 8);
    await eventually(() => statusOf('deposit')).toBe('DELAYED MEASURED');
    await setAvailability(gateway, 'deposit', 'CLOSED');
    const lines = (await showHistory(PROVIDER)).output.split('\n');
    const time = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;
    expect(lines).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${time}\t${PROVIDER}\tDEPOSIT\tOPERATIONAL -> DELAYED\tMEASURED\t` +
            String.raw`\d+ of \d+ calls failed in 1\.5 s \(\d+ %\); DELAYED from 50 %$`,
        ),
      ),
      expect.stringMatching(
        new RegExp(`^${time}\t${PROVIDER}\tDEPOSIT\tDELAYED -> CLOSED\tHAND\tset by test$`),
      ),
    ]);
    expect(await showHistory('MTN_MOMO_ZMB')).toEqual({ code: 0, output: '', errors: '' });
    expect((await showHistory('NO_ONE')).errors).toBe('There is no provider NO_ONE.');
  });
});

test('a provider that is silent is DELAYED by a handful of calls, and comes back', async () => {
  await gateway.stop();
  gateway = await openTestGateway({ health: { ...SHORT_HEALTH, silenceMs: 700 }, timing: SHORT_TIMING });
  gateway.simulator.changeSettings({ notifications: false });
  breakOperator({ type: 'LOSE_ANSWER' });
  // One payment and the enquiries about it: fewer than it takes to judge by shares.
  await start(gateway, 'payout', payoutRequest());
  await eventually(() => statusOf('payout')).toBe('DELAYED MEASURED');
  const options = { provider: PROVIDER, countMax: 1 };
  const [change] = await listAvailabilityChanges(gateway.engine.store.database, options);
  // On a busy machine a look can come so late that there are calls enough to judge by shares.
  expect(describeReason(change!.why)).toMatch(
    /^\d calls in [\d.]+ s and no answer; DELAYED from 0\.7 s$|^(\d+) of \1 calls failed/,
  );
  gateway.simulator.clearFaults();
  await eventually(() => statusOf('payout')).toBe('OPERATIONAL');
  expect(await timelineOf('payout')).toEqual([
    'OPERATIONAL DELAYED MEASURED',
    'DELAYED OPERATIONAL MEASURED',
  ]);
});

test('payments that customers decline, and numbers no one has, say nothing against the provider', async () => {
  const declined = {
    payer: { type: 'MMO', accountDetails: { provider: PROVIDER, phoneNumber: '250783456039' } },
  };
  for (let index = 0; index < 12; index += 1) await start(gateway, 'deposit', depositRequest(declined));
  await aWhile();
  expect(await timelineOf('deposit')).toEqual([]);
});

describe('what a person set', () => {
  // Payments that stay at the operator are enquired about all the time, and every answer speaks for the provider.
  beforeEach(() => gateway.simulator.changeSettings({ outcomeDelayMs: 60_000 }));

  test('closed manually it stays closed, though every call is answered', async () => {
    for (const id of await startMany('deposit', 8))
      await waitForPayment(gateway, 'deposit', id, 'PROCESSING');
    await setAvailability(gateway, 'deposit', 'CLOSED');
    await aWhile();
    expect(await statusOf('deposit')).toBe('CLOSED HAND');
    expect(await timelineOf('deposit')).toEqual(['OPERATIONAL CLOSED HAND']);
  });

  test('closed manually while it was measured to be DELAYED, it stays closed when the operator is back', async () => {
    breakOperator({ type: 'ERROR', httpStatus: 500 });
    await startMany('payout', 8);
    await eventually(() => statusOf('payout')).toBe('DELAYED MEASURED');
    await setAvailability(gateway, 'payout', 'CLOSED');
    gateway.simulator.clearFaults();
    await aWhile();
    expect(await statusOf('payout')).toBe('CLOSED HAND');
    await setAvailability(gateway, 'payout', 'OPERATIONAL');
    expect(await timelineOf('payout')).toEqual([
      'OPERATIONAL DELAYED MEASURED',
      'DELAYED CLOSED HAND',
      'CLOSED OPERATIONAL HAND',
    ]);
  });

  test('a person can make a measured DELAYED his own, and saying the same again is no change', async () => {
    breakOperator({ type: 'ERROR', httpStatus: 500 });
    await startMany('payout', 8);
    await eventually(() => statusOf('payout')).toBe('DELAYED MEASURED');
    await setAvailability(gateway, 'payout', 'DELAYED');
    await setAvailability(gateway, 'payout', 'DELAYED');
    gateway.simulator.clearFaults();
    await aWhile();
    expect(await statusOf('payout')).toBe('DELAYED HAND');
    expect(await timelineOf('payout')).toEqual(['OPERATIONAL DELAYED MEASURED', 'DELAYED DELAYED HAND']);
  });
});

test('a decision uses the calls of every worker, none of which saw enough alone', async () => {
  const other = await openGateway({ ...gateway.config, logLevel: 'silent' }, { role: 'admin' });
  try {
    const failing = { provider: PROVIDER, operation: 'REMITTANCE', step: 'SUBMIT' } as const;
    for (const { callMeter } of [gateway.engine, other.engine]) {
      for (let index = 0; index < SHORT_HEALTH.callsMin / 2; index += 1) callMeter.count(failing, 'FAILING');
    }
    const settings = gateway.config.health;
    await recordCalls(other.engine, settings);
    await eventually(() => statusOf('remittance')).toBe('DELAYED MEASURED');
    // The other one finds it made.
    await watchAvailability(other.engine, settings);
    expect(await timelineOf('remittance')).toEqual(['OPERATIONAL DELAYED MEASURED']);
  } finally {
    await other.stop();
  }
});

function showHistory(provider: string): Promise<CommandResult> {
  return runCommandHere(serverEnvironment(gateway), ['availability', 'history', '--provider', provider]);
}
