// What strangers can do with the addresses for operators' messages: neither fill the database nor spend calls.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prune, DEFAULT_RETENTION } from '../src/core/retention.ts';
import { openOperatorGateway, requestFor, type OperatorGateway } from './connectors/operator-gateway.ts';
import { eventually, select } from './gateway.ts';
import { start, startCompleted } from './payments.ts';

const TRIAL = { name: 'vodacom-mpesa', provider: 'VODACOM_TZA', title: 'vodacom-mpesa' };

let gateway: OperatorGateway;
beforeEach(async () => {
  gateway = await openOperatorGateway(TRIAL, { trustedProxies: ['127.0.0.1'] });
});
afterEach(() => gateway.stop());

const post = async (body: string | Buffer, from = '10.0.0.1', connector = TRIAL.name) => {
  const url = `${gateway.url}/operators/${connector}/notifications`;
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': from };
  return (await fetch(url, { method: 'POST', headers, body })).status;
};
const referenceOf = async (paymentId: string) => {
  const rows = await select(gateway, 'select reference from payment_attempts where payment_id = $1', [
    paymentId,
  ]);
  return rows[0]?.['reference'] as string | undefined;
};
const hint = async (paymentId: string) => {
  const input_ThirdPartyConversationID = await referenceOf(paymentId);
  return post(JSON.stringify({ input_ThirdPartyConversationID, input_OriginalConversationID: 'x' }));
};
const move = (ms: number) => gateway.gateway.movableClock!.move(ms);

const countHinted = async () => {
  const rows = await select(gateway, `select 1 from payment_events where event = 'HINTED'`);
  return rows.length;
};
const countQueries = async () => {
  const rows = await select(gateway, `select 1 from operator_traffic where step = 'query'`);
  return rows.length;
};
const kept = () =>
  select(gateway, 'select octet_length(encrypted_message) as bytes, is_doubtful from operator_notifications');

describe('B9: hints of strangers', () => {
  test('about an open payment ask once at first, then every ten seconds, and six times in all', async () => {
    gateway.fake.addFault({ type: 'OUTCOME', status: 'PENDING' });
    const depositId = await start(gateway, 'deposit', requestFor(gateway, 'deposit'));
    await eventually(() => gateway.fake.books().charges.length).toBe(1);
    for (let times = 0; times < 20; times += 1) expect(await hint(depositId)).toBe(200);
    expect(await countHinted()).toBe(1);
    for (let times = 0; times < 8; times += 1) {
      await move(11_000);
      await hint(depositId);
      await hint(depositId);
    }
    expect(await countHinted()).toBeLessThanOrEqual(6);
    expect(await select(gateway, 'select hint_count from payment_attempts')).toEqual([{ hint_count: 6 }]);
  });

  test('about a payment that has ended ask once an hour', async () => {
    // One enquiry tells its end, and no message of the operator asks for another.
    gateway.fake.addFault({ type: 'NO_NOTIFICATION' });
    const depositId = await startCompleted(gateway, 'deposit', requestFor(gateway, 'deposit'));
    await eventually(countQueries).toBe(1);
    for (let times = 0; times < 30; times += 1) await hint(depositId);
    await eventually(countQueries).toBe(2);
    await move(3_600_001);
    for (let times = 0; times < 30; times += 1) await hint(depositId);
    await eventually(countQueries).toBe(3);
  });
});

test('B9: messages of an operator that does not answer keep those of no other operator waiting', async () => {
  await gateway.stop();
  gateway = await openOperatorGateway(TRIAL, { trustedProxies: ['127.0.0.1'], timeoutMs: 10_000 });
  const depositId = await startCompleted(gateway, 'deposit', requestFor(gateway, 'deposit'));
  gateway.fake.addFault({ type: 'HANG', step: 'query' });
  const hinting = hint(depositId);
  await eventually(() => gateway.fake.hanging().length).toBe(1);
  expect(await post('{}', '10.0.0.2', 'simulator')).toBe(200);
  expect(gateway.fake.hanging()).toHaveLength(1);
  gateway.fake.release();
  expect(await hinting).toBe(200);
});

describe('B4: messages that are ignored', () => {
  test('B4: messages that are ignored are kept as a short sample, and go within a day', async () => {
    for (let times = 0; times < 40; times += 1) expect(await post(randomBytes(20_000))).toBe(200);
    const rows = await kept();
    expect(rows).toHaveLength(20);
    for (const { bytes, is_doubtful } of rows) {
      expect(is_doubtful).toBe(true);
      expect(bytes as number).toBeLessThan(3_000);
    }
    await move(24 * 3_600_000);
    await prune(gateway.engine, DEFAULT_RETENTION, () => false);
    expect(await kept()).toEqual([]);
  });

  test('B4: messages that are ignored cannot be large', async () => {
    expect(await post(randomBytes(1_000_000))).toBe(413);
    expect(await kept()).toEqual([]);
  });

  test('B4: messages that are ignored are limited for each address', async () => {
    const answers = await Promise.all(Array.from({ length: 150 }, () => post('{}', '198.51.100.7')));
    expect(answers.filter((status) => status === 429).length).toBeGreaterThan(20);
    expect(await post('{}', '198.51.100.8')).toBe(200);
  });
});
