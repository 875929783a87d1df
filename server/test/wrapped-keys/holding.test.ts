// The life of unwrapped keys in a gateway: kept while the key service is out of reach, dropped after a denial, and only
// then; what operators answered meanwhile is stored first.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KeysUnavailable, PLATFORM } from '../../src/store/encryption/encryption.ts';
import { startDatabaseProxy } from '../edge/database-proxy.ts';
import {
  depositRequest,
  eventually,
  initiate,
  numberOf,
  readDeposit,
  select,
  waitForStatus,
  waitUntil,
} from '../gateway.ts';
import {
  CHECK_MS,
  HEAR_MS,
  openKeptKeys,
  readiness,
  type KeptKeys,
  type OpenedGateway,
} from './kept-keys.ts';

let kept: KeptKeys;
beforeEach(async () => {
  kept = await openKeptKeys();
});
afterEach(async () => {
  kept.plain.simulator.clearFaults();
  kept.plain.simulator.release();
  await kept.stop();
});

/** A deposit that the operator has charged, and whose answer hangs. */
async function startCharged(): Promise<string> {
  const { plain } = kept;
  plain.simulator.addFault({ type: 'HANG', step: 'submit', when: 'AFTER' });
  plain.simulator.addFault({ type: 'NO_NOTIFICATION' });
  const depositId = await initiate(plain);
  await eventually(() => plain.simulator.hanging().length).toBe(1);
  return depositId;
}

async function eventsOf(depositId: string): Promise<readonly string[]> {
  const { plain } = kept;
  const rows = await select(
    plain,
    'select event from payment_events where payment_no = $1 order by event_no',
    [await numberOf(plain, depositId)],
  );
  return rows.map((row) => row['event']);
}

/** What the gateway can open, of a value that it encrypted before. */
function probe({ engine }: OpenedGateway): () => string {
  const { keyring } = engine.store;
  const identity = { merchantId: PLATFORM, row: 'probe' };
  const encrypted = keyring.encrypt(identity, 'opened');
  return () => {
    try {
      return keyring.openText(identity, encrypted);
    } catch (error) {
      return error instanceof KeysUnavailable ? 'DROPPED' : String(error);
    }
  };
}

const post = (url: string) =>
  fetch(`${url}/v2/deposits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${kept.plain.apiToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(depositRequest()),
  });

/** A message that nothing vouches for; what matters is whether it is heard. */
async function notify(url: string): Promise<number> {
  const answer = await fetch(`${url}/operators/simulator/notifications`, { method: 'POST', body: '{}' });
  return answer.status;
}

describe('while the key service is out of reach or sealed', () => {
  test.each([
    ['away', 'UNREACHABLE', () => kept.fake.goAway()],
    ['sealed', 'SEALED', async () => kept.fake.seal()],
  ])('a gateway that has its keys goes on while the service is %s', async (_, problem, begin) => {
    const gateway = await kept.open('all');
    expect(await readiness(gateway.url)).toBe('READY');
    await begin();
    const result = `malipo_key_service_checks_total{result="KEY_SERVICE_${problem}"}`;
    await eventually(async () => (await gateway.metrics.render()).text).toContain(result);
    const answer = await post(gateway.url);
    expect(answer.status).toBe(200);
    const depositId = await initiate(kept.plain);
    await waitForStatus(kept.plain, depositId, 'COMPLETED');
    expect(await readiness(gateway.url)).toBe('READY');
    expect((await gateway.metrics.render()).text).toContain('malipo_encryption_keys_held 1');
    if (problem === 'UNREACHABLE') await kept.fake.comeBack();
  });
});

describe('after a denial', () => {
  test('a gateway takes up nothing new, stores the answer of a call in progress, then drops its keys; granted access again, it goes on', async () => {
    const gateway = await kept.open('all');
    const open = probe(gateway);
    const charged = await startCharged();
    kept.fake.deny();
    await eventually(() => readiness(gateway.url)).toBe('KEY_SERVICE_DENIED');
    // A round that had begun may still claim what it finds.
    await sleep(2 * CHECK_MS);
    const later = await initiate(kept.plain);
    const refused = await post(gateway.url);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    await sleep(5 * CHECK_MS);
    // The operator has not answered yet, and the outcome will have to be encrypted.
    expect(open()).toBe('opened');
    expect(await notify(gateway.url)).not.toBe(503);
    expect(await eventsOf(charged)).not.toContain('OPERATOR_ANSWERED');

    kept.plain.simulator.release();
    await eventually(open).toBe('DROPPED');
    expect(await eventsOf(charged)).toContain('OPERATOR_ANSWERED');
    expect((await gateway.metrics.render()).text).toContain('malipo_encryption_keys_held 0');
    expect(await readiness(gateway.url)).toBe('KEY_SERVICE_DENIED');
    expect((await post(gateway.url)).status).toBe(503);
    expect(await notify(gateway.url)).toBe(503);
    await sleep(5 * CHECK_MS);
    expect((await readDeposit(kept.plain, later))['status']).toBe('ACCEPTED');

    kept.fake.allow();
    await eventually(() => readiness(gateway.url)).toBe('READY');
    expect(probe(gateway)()).toBe('opened');
    await waitForStatus(kept.plain, later, 'COMPLETED');
    // Only an enquiry tells the outcome of the other one.
    await kept.plain.gateway.movableClock!.move(11 * 60_000);
    await waitForStatus(kept.plain, charged, 'COMPLETED');
    expect(kept.plain.simulator.books().charges).toHaveLength(2);
  });

  test('operators are heard for a while and balancers know it: an outcome that is reported only once is stored, then keys are dropped', async () => {
    const gateway = await kept.open('all', { operatorsUrl: null });
    const open = probe(gateway);
    const { simulator, gateway: plain } = kept.plain;
    simulator.changeSettings({ outcomeDelayMs: 60_000 });
    const depositId = await initiate(kept.plain);
    await eventually(() => eventsOf(depositId)).toContain('OPERATOR_ANSWERED');
    kept.fake.deny();
    await eventually(() => readiness(gateway.url)).toBe('KEY_SERVICE_DENIED');
    const ready = await fetch(`${gateway.url}/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'OPERATORS_ONLY', reason: 'KEY_SERVICE_DENIED' },
    ]);
    expect((await post(gateway.url)).status).toBe(503);
    await plain.movableClock!.move(61_000);
    await waitForStatus(kept.plain, depositId, 'COMPLETED');
    expect([open(), await readiness(gateway.url)]).toEqual(['opened', 'KEY_SERVICE_DENIED']);
    await eventually(open).toBe('DROPPED');
    expect((await fetch(`${gateway.url}/ready`)).status).toBe(503);
    expect(await notify(gateway.url)).toBe(503);
  });

  test('a gateway that is granted access again while it hears operators goes on with the keys it has', async () => {
    const gateway = await kept.open('all');
    kept.fake.deny();
    await eventually(() => readiness(gateway.url)).toBe('KEY_SERVICE_DENIED');
    kept.fake.allow();
    await eventually(() => readiness(gateway.url)).toBe('READY');
    await waitForStatus(kept.plain, await initiate(kept.plain), 'COMPLETED');
    await sleep(HEAR_MS);
    expect(await readiness(gateway.url)).toBe('READY');
    expect(gateway.engine.keyAccess.mayHearOperators()).toBe(true);
  });

  test('an answer that comes while the database is out of reach is stored when it is back, and only then are keys dropped', async () => {
    const proxy = await startDatabaseProxy(kept.plain.databaseUrl);
    const cell = { ...kept.config.cell, databaseUrl: proxy.url };
    const gateway = await kept.open('worker', { cell, cells: [cell] });
    const open = probe(gateway);
    const charged = await startCharged();
    kept.fake.deny();
    await eventually(() => readiness(gateway.url)).toBe('KEY_SERVICE_DENIED');
    proxy.become('CUT');
    kept.plain.simulator.release();
    await sleep(1_500);
    expect(open()).toBe('opened');
    proxy.become('OPEN');
    await eventually(open).toBe('DROPPED');
    expect(await eventsOf(charged)).toContain('OPERATOR_ANSWERED');
    await gateway.stop();
    await proxy.stop();
  });

  test('a revoked token alone drops nothing: a fresh login is granted', async () => {
    const gateway = await kept.open('api');
    const open = probe(gateway);
    kept.fake.revokeTokens();
    await waitUntil(() => kept.fake.requests.filter((one) => one.includes('login')).length === 2);
    await sleep(3 * CHECK_MS);
    expect([open(), await readiness(gateway.url)]).toEqual(['opened', 'READY']);
  });

  test('a gateway that is stopped while it waits for an answer ends in order', async () => {
    const gateway = await kept.open('worker');
    await startCharged();
    kept.fake.deny();
    await eventually(() => readiness(gateway.url)).toBe('KEY_SERVICE_DENIED');
    kept.plain.simulator.release();
    await gateway.stop();
  });
});
