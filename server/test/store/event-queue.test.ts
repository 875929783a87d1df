// Numbers of the event feed: consecutive for each merchant, given after the commit, and never passed over by a reader,
// although writers commit late and processes die.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { numberEvents } from '../../src/core/event-numbers/number-events.ts';
import { inTransaction } from '../../src/store/database.ts';
import { isAnyQueued, numberQueued, queueEvent, tryToNumber } from '../../src/store/events/event-queue.ts';
import {
  changeEpochs,
  findEventHead,
  listEventsAfter,
  pruneEvents,
  type NumberedEvent,
} from '../../src/store/events/merchant-events.ts';
import { clockAt } from '../clocks.ts';
import { measureLook } from '../waiting-looks.ts';
import { NOON, openTestStore, secondsAfterNoon, type TestStore } from './open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.stop());

const WRITERS = 6;
const TRANSACTIONS = 30;

type Written = { readonly merchantId: string; readonly subjectId: string; readonly no: number };

const random = (below: number) => Math.floor(Math.random() * below);

/** Answers what it committed, in its order. Each transaction stays open for a while; some are rolled back. */
async function write(merchantIds: readonly string[]): Promise<readonly Written[]> {
  const written: Written[] = [];
  const subjectId = randomUUID();
  for (let no = 0; no < TRANSACTIONS; no += 1) {
    const event = { merchantId: merchantIds[random(merchantIds.length)]!, subjectId, no };
    const isKept = random(5) > 0;
    const transaction = inTransaction(store.database, async (tx) => {
      await queueEvent(tx, 'P', event);
      await sleep(random(25));
      if (!isKept) throw new Error('rolled back');
    });
    if (isKept) await transaction.then(() => written.push(event));
    else await expect(transaction).rejects.toThrow('rolled back');
  }
  return written;
}

/** Numbers until told to stop, and dies in every third transaction before it can commit. */
async function numberAndDie(isOver: () => boolean): Promise<number> {
  let deaths = 0;
  for (let round = 1; !isOver() || (await isAnyQueued(store.database)); round += 1) {
    await inTransaction(store.database, async (tx) => {
      if (!(await tryToNumber(tx))) return;
      await numberQueued(tx, { now: NOON, rowsMax: 1 + random(8) });
      if (round % 3 === 0) await tx.query('select pg_terminate_backend(pg_backend_pid())');
    }).catch(() => (deaths += 1));
    await sleep(random(5));
  }
  return deaths;
}

/** Follows a feed by its numbers, page by page. What a page holds counts only when its end was stored. */
async function follow(merchantId: string, isOver: () => boolean): Promise<readonly NumberedEvent[]> {
  const seen: NumberedEvent[] = [];
  for (let wasOver = false; ;) {
    const isLast = wasOver;
    const page = { merchantId, afterNo: seen.length, countMax: 1 + random(7) };
    const events = await listEventsAfter(store.database, page);
    // Killed before it stored its cursor: it reads the same again.
    if (random(4) === 0) continue;
    expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => seen.length + index + 1));
    seen.push(...events);
    if (isLast && events.length === 0) return seen;
    wasOver = isOver();
    if (events.length === 0) await sleep(random(5));
  }
}

test('readers see every event once and in order, although writers commit late and numbering is killed', async () => {
  const merchantIds = [randomUUID(), randomUUID(), randomUUID()];
  const state = { isWritten: false, isNumbered: false };
  const numbering = [1, 2].map(() => numberAndDie(() => state.isWritten));
  const readers = merchantIds.map((merchantId) => follow(merchantId, () => state.isNumbered));
  const written = await Promise.all(Array.from({ length: WRITERS }, () => write(merchantIds)));
  state.isWritten = true;
  const deaths = await Promise.all(numbering);
  state.isNumbered = true;
  const seen = await Promise.all(readers);
  expect(deaths[0]! + deaths[1]!).toBeGreaterThan(0);
  for (const [index, merchantId] of merchantIds.entries()) {
    const own = written.flat().filter((event) => event.merchantId === merchantId);
    const names = seen[index]!.map(({ subjectId, no }) => `${subjectId}/${no}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names.toSorted()).toEqual(own.map(({ subjectId, no }) => `${subjectId}/${no}`).toSorted());
    // What one writer committed first has the lower number.
    for (const one of written) {
      const mine = seen[index]!.filter(({ subjectId }) => subjectId === one[0]?.subjectId);
      expect(mine.map(({ no }) => no)).toEqual(mine.map(({ no }) => no).toSorted((a, b) => a - b));
    }
    expect((await findEventHead(store.database, merchantId))?.lastNo).toBe(names.length);
  }
});

const numberAt = (now: Date) => numberEvents({ clock: clockAt(() => now), store });

test('what is old is deleted, and the head says up to where', async () => {
  const merchantId = randomUUID();
  const queue = (no: number) => queueEvent(store.database, 'P', { merchantId, subjectId: randomUUID(), no });
  await queue(1);
  await queue(2);
  await numberAt(NOON);
  await queue(3);
  await numberAt(secondsAfterNoon(10));
  await pruneEvents(store.database, { before: secondsAfterNoon(5), countMax: 1_000 });
  expect(await findEventHead(store.database, merchantId)).toMatchObject({ lastNo: 3, deletedNo: 2 });
  const left = await listEventsAfter(store.database, { merchantId, afterNo: 0, countMax: 10 });
  expect(left.map(({ number, no }) => [number, no])).toEqual([[3, 3]]);
});

test('after a restore the epoch is another one, and the head knows up to where numbers are the same', async () => {
  const merchantId = randomUUID();
  const queue = (no: number) => queueEvent(store.database, 'P', { merchantId, subjectId: randomUUID(), no });
  await queue(1);
  await numberAt(NOON);
  await queue(2);
  await numberAt(secondsAfterNoon(10));
  const before = await findEventHead(store.database, merchantId);
  await changeEpochs(store.database, secondsAfterNoon(5));
  const after = await findEventHead(store.database, merchantId);
  expect(after).toMatchObject({ previousEpoch: before?.epoch, previousNo: 1, lastNo: 2 });
  expect(after?.epoch).not.toBe(before?.epoch);
});

test('a page of the feed and a round of the numbering read a bounded number of rows', async () => {
  const { database, merchantId } = store;
  // 40,000 events in rows of one, and 20,000 transactions that wait.
  await database.query(
    `insert into merchant_events (merchant_id, last_no, numbered_at, types, subject_ids, nos)
     select $1, n, $2, 'P', array[gen_random_uuid()], array[1] from generate_series(1, 40000) n`,
    [merchantId, NOON],
  );
  await database.query(
    'insert into event_heads (merchant_id, epoch, last_no) values ($1, gen_random_uuid(), 40000)',
    [merchantId],
  );
  await database.query(
    `insert into event_queue (type, merchant_ids, subject_ids, nos)
     select 'P', array[$1::uuid], array[gen_random_uuid()], array[1] from generate_series(1, 20000)`,
    [merchantId],
  );
  const page = { merchantId, afterNo: 20_000, countMax: 101 };
  const now = secondsAfterNoon(60);
  const looks = [
    {
      name: 'page',
      look: async (tx: typeof database) => (await listEventsAfter(tx, page)).length,
      found: 101,
      rowsReadMax: 400,
    },
    {
      name: 'numbering',
      look: (tx: typeof database) => numberQueued(tx, { now, rowsMax: 500 }),
      found: 500,
      rowsReadMax: 4_000,
    },
  ];
  for (const isAnalysed of [false, true]) {
    if (isAnalysed) await database.query('analyze merchant_events, event_queue, event_heads');
    for (const { name, look, found, rowsReadMax } of looks) {
      const figures = await measureLook(database, { name, look: (tx) => look(tx as typeof database) });
      expect([name, figures.found]).toEqual([name, found]);
      expect([name, figures.rowsRead, figures.rowsRead <= rowsReadMax]).toContain(true);
    }
  }
});
