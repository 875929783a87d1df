// What waits for an endpoint that is dead costs the others nothing: a lease reads as much as without it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leaseEndpointQueues } from '../../src/store/callbacks/endpoint-queues.ts';
import type { Tx } from '../../src/store/database.ts';
import { setCallbackEndpoint } from '../../src/store/merchants/merchants.ts';
import { addMerchant, NOON, openTestStore, secondsAfterNoon, type TestStore } from './open-store.ts';

const ENDPOINTS = 20;
const WAITING = 2_000;

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.stop());

async function addEndpoint(status: 'DELIVERED' | 'PENDING', count: number): Promise<string> {
  const { database } = store;
  const endpoint = { merchantId: await addMerchant(store), endpointId: randomUUID() };
  const url = 'https://shop.example/';
  await setCallbackEndpoint(database, { ...endpoint, kind: 'DEPOSIT', url, now: NOON });
  await database.query(
    `insert into callbacks (merchant_id, endpoint_id, kind, payment_id, subject_id, callback_id, announced_state,
       created_at, due_at, status)
     select $1, $2, 'DEPOSIT', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'COMPLETED', $3, $3, $4
     from generate_series(1, $5)`,
    [endpoint.merchantId, endpoint.endpointId, NOON, status, count],
  );
  return endpoint.endpointId;
}

type Node = {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Node[];
};

function countRows(node: Node): number {
  const own = node['Relation Name'] === 'callbacks' ? node['Actual Rows'] * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, one) => sum + countRows(one), own);
}

/** How many callbacks a lease reads while the caller holds the queue of the dead endpoint. */
async function countRead(dead: string): Promise<number> {
  let count = -1;
  const query = async (text: string, values: unknown[]) => {
    const explained = `explain (analyze, format json) ${text}`;
    const { rows } = await store.database.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(explained, values);
    count = countRows(rows[0]?.['QUERY PLAN'][0].Plan as Node);
    return { rows: [] };
  };
  await leaseEndpointQueues({ query } as unknown as Tx, {
    now: secondsAfterNoon(60),
    leasedUntil: secondsAfterNoon(90),
    among: 'SOUND',
    endpointQueuesMax: 256,
    callbacksPerEndpointQueueMax: 8,
    except: [dead],
  });
  return count;
}

test('a lease reads none of the callbacks that wait for a dead endpoint, also if none waited when statistics were made', async () => {
  for (let count = 0; count < ENDPOINTS; count += 1) await addEndpoint('DELIVERED', 100);
  await store.database.query('analyze');
  const dead = await addEndpoint('PENDING', WAITING);
  await addEndpoint('PENDING', 3);
  // The three that are taken; PostgreSQL rounds the one that finds their queue, of so many without, to 0.
  expect(await countRead(dead)).toBeLessThan(10);
});
