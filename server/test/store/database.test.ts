// Transactions, and what a lost COMMIT means: here, and to a merchant whose deposit was in progress.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import type { DirectOrder } from '../../src/core/payments/payment-request.ts';
import type { Engine } from '../../src/core/engine.ts';
import { lockForWriting } from '../../src/core/cells/lock-merchant.ts';
import {
  COMMITS_WITHIN_MS,
  CommitLost,
  DEFAULT_CONNECTIONS,
  inTransaction,
  isOutOfReach,
  openDatabase,
  timeOfWriting,
  withSavepoint,
  type Database,
  type Tx,
} from '../../src/store/database.ts';
import { listPaymentKeys } from '../../src/store/payments/payment-keys.ts';
import { openTestGateway, type TestGateway } from '../gateway.ts';
import { startCuttingProxy, type CuttingProxy } from './cutting-proxy.ts';
import { openTestStore, type TestStore } from './open-store.ts';

/** What a trigger does at the very end of a transaction, while COMMIT is in progress. */
type AtCommit = 'SLEEP' | 'WARN' | 'WARN_QUIETLY' | 'REFUSE';

const ACTIONS: Readonly<Record<AtCommit, string>> = {
  SLEEP: 'perform pg_sleep(20)',
  WARN: `raise warning 'the standby did not answer'`,
  // As a server says it whose messages are in another language: only the code tells a warning.
  WARN_QUIETLY: `raise notice 'der Standby hat nicht geantwortet' using errcode = '01000'`,
  REFUSE: `raise exception 'refused at the end' using errcode = 'check_violation'`,
};

async function atCommit(database: Database, table: string, action: AtCommit): Promise<void> {
  await database.query(`
    create or replace function at_commit() returns trigger language plpgsql as
      $$ begin ${ACTIONS[action]}; return null; end $$;
    create constraint trigger at_commit after insert on ${table} deferrable initially deferred
      for each row execute function at_commit()`);
}

const nothingAtCommit = (database: Database, table: string) =>
  database.query(`drop trigger if exists at_commit on ${table}`);

/** Ends the connection whose COMMIT sleeps. */
async function cutSleepingCommit(database: Database): Promise<void> {
  const cut = () =>
    database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query = 'commit' and wait_event = 'PgSleep'`,
    );
  await expect.poll(async () => (await cut()).rowCount, { timeout: 60_000, interval: 20 }).toBe(1);
}

/** Which process of PostgreSQL answers, after a while. */
const server = async (tx: Tx) =>
  (await tx.query<{ pid: number }>('select pg_backend_pid() as pid, pg_sleep(0.3)')).rows[0]?.pid;

describe('a transaction', () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore();
    await store.database.query('create table notes (note text primary key)');
  });
  afterEach(() => nothingAtCommit(store.database, 'notes'));
  afterAll(() => store.stop());

  const insert = (note: string, then?: () => Promise<void>) =>
    inTransaction(store.database, async (tx) => {
      await tx.query('insert into notes values ($1)', [note]);
      await then?.();
      return note;
    });

  const isThere = async (note: string) =>
    (await store.database.query('select 1 from notes where note = $1', [note])).rowCount === 1;

  test('a transaction is committed when its work is done, and answers what the work answers', async () => {
    expect(await insert('done')).toBe('done');
    expect(await isThere('done')).toBe(true);
  });

  test('a transaction is rolled back when its work throws, which it throws on; the connection is used again', async () => {
    const before = store.database.totalCount;
    const failing = insert('thrown', () => Promise.reject(new RangeError('no')));
    await expect(failing).rejects.toThrow(RangeError);
    expect(await isThere('thrown')).toBe(false);
    expect(store.database.totalCount).toBe(before);
    expect(store.database.idleCount).toBe(before);
  });

  test('a transaction whose work went on after a failed statement is not taken for committed, nor for lost', async () => {
    const swallowing = inTransaction(store.database, async (tx) => {
      await tx.query(`insert into notes values ('swallowed')`);
      await tx.query('select 1 / 0').catch(() => undefined);
    });
    const error = await swallowing.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(CommitLost);
    expect((error as Error).message).toBe('commit was answered ROLLBACK');
    expect(await isThere('swallowed')).toBe(false);
  });

  const readTimes = (count: number) =>
    inTransaction(store.database, async (tx) => {
      const times: Date[] = [];
      for (let read = 0; read < count; read += 1) {
        times.push(await timeOfWriting(tx));
        await tx.query('select pg_sleep(0.01)');
      }
      return times;
    });

  describe('has a time', () => {
    test('that is the same for all of it, and later in the next one', async () => {
      const [first, second] = await readTimes(2);
      expect(second).toEqual(first);
      expect((await readTimes(1))[0]!.getTime()).toBeGreaterThan(first!.getTime());
    });

    test('that entering a merchant brings along, without a statement of its own', async () => {
      const texts: string[] = [];
      const [before, time] = await inTransaction(store.database, async (tx) => {
        const { rows } = await tx.query<{ time: Date }>(
          `select date_trunc('milliseconds', clock_timestamp()) as time`,
        );
        const query = tx.query.bind(tx);
        const told = (text: string, values: readonly unknown[]) => {
          texts.push(text);
          return query(text, values);
        };
        Object.assign(tx, { query: told });
        await lockForWriting(tx, [store.merchantId]);
        return [rows[0]!.time, await timeOfWriting(tx)];
      });
      expect(texts).toHaveLength(1);
      expect(time.getTime()).toBeGreaterThanOrEqual(before.getTime());
      expect(time.getTime() - before.getTime()).toBeLessThan(60_000);
    });

    test('that is read again where it could not be read behind a savepoint', async () => {
      const time = await inTransaction(store.database, async (tx) => {
        await tx.query('alter function time_of_writing() rename to time_of_nobody');
        const failed = withSavepoint(tx, () => timeOfWriting(tx));
        await expect(failed).rejects.toThrow('time_of_writing');
        await tx.query('alter function time_of_nobody() rename to time_of_writing');
        return timeOfWriting(tx);
      });
      expect(time).toBeInstanceOf(Date);
    });

    test('and is not committed long after it', async () => {
      const now = performance.now.bind(performance);
      const writeAfter = (passedMs: number) =>
        inTransaction(store.database, async (tx) => {
          await timeOfWriting(tx);
          await tx.query('insert into notes values ($1)', [`after ${passedMs} ms`]);
          vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
        }).finally(() => vi.restoreAllMocks());
      await writeAfter(COMMITS_WITHIN_MS / 2 - 60_000);
      await expect(writeAfter(COMMITS_WITHIN_MS / 2)).rejects.toThrow('long after its time');
      expect(await isThere(`after ${COMMITS_WITHIN_MS / 2 - 60_000} ms`)).toBe(true);
      expect(await isThere(`after ${COMMITS_WITHIN_MS / 2} ms`)).toBe(false);
    });
  });

  test('a transaction that PostgreSQL refuses at COMMIT has certainly not happened', async () => {
    await atCommit(store.database, 'notes', 'REFUSE');
    const error = await insert('refused').catch((thrown: unknown) => thrown);
    expect(error).not.toBeInstanceOf(CommitLost);
    expect(String(error)).toContain('refused at the end');
    expect(await isThere('refused')).toBe(false);
  });

  test('a transaction is lost when its connection is ended during COMMIT, and the connection is not used again', async () => {
    await atCommit(store.database, 'notes', 'SLEEP');
    const before = store.database.totalCount;
    const lost = expect(insert('ended')).rejects.toThrow(CommitLost);
    await cutSleepingCommit(store.database);
    await lost;
    expect(await isThere('ended')).toBe(false);
    expect(store.database.totalCount).toBeLessThanOrEqual(before);
    await store.database.query('select 1');
  });

  test.each(['WARN', 'WARN_QUIETLY'] as const)(
    'a transaction is lost when COMMIT is answered with a warning: %s',
    async (action) => {
      await atCommit(store.database, 'notes', action);
      await expect(insert(action)).rejects.toThrow(CommitLost);
      expect(await isThere(action)).toBe(true);
    },
  );

  test('a transaction is not lost by a notice at COMMIT, nor by a warning before', async () => {
    await store.database.query(`create or replace function at_commit() returns trigger language plpgsql as
      $$ begin raise notice 'all is well'; return null; end $$;
      create constraint trigger at_commit after insert on notes deferrable initially deferred
      for each row execute function at_commit()`);
    const warned = insert('noticed', async () => {
      await store.database.query(`do $$ begin raise warning 'elsewhere'; end $$`);
    });
    expect(await warned).toBe('noticed');
    const before = inTransaction(store.database, (tx) =>
      tx.query(`do $$ begin raise warning 'before'; end $$`),
    );
    await expect(before).resolves.toBeDefined();
  });

  test('a transaction is lost when the answer to its COMMIT does not arrive, although it happened', async () => {
    const proxy = await startCuttingProxy(store.url);
    const far = openDatabase({ url: proxy.url, connectionsMax: 1, applicationName: 'far' });
    const cut = proxy.cutAfterNextCommit();
    await expect(
      inTransaction(far, (tx) => tx.query(`insert into notes values ('unheard')`)),
    ).rejects.toThrow(CommitLost);
    await cut;
    expect(await isThere('unheard')).toBe(true);
    // The pool gets over it.
    expect((await far.query('select 1')).rowCount).toBe(1);
    await far.end();
    await proxy.stop();
  });

  test('a connection is replaced after its lifetime, and never within a transaction', async () => {
    const connections = { ...DEFAULT_CONNECTIONS, lifetimeMs: 200 };
    const short = openDatabase({ url: store.url, connectionsMax: 1, applicationName: 'short', connections });
    const [first, second] = await inTransaction(short, async (tx) => [await server(tx), await server(tx)]);
    expect(second).toBe(first);
    expect(await server(short)).not.toBe(first);
    await short.end();
  });

  test('a transaction whose connection is cut before COMMIT has not happened, and is not called lost', async () => {
    const cut = inTransaction(store.database, async (tx) => {
      await tx.query(`insert into notes values ('cut')`);
      const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      await store.database.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
      await tx.query('select 1');
    });
    const error = await cut.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(CommitLost);
    expect(await isThere('cut')).toBe(false);
  });
});

describe('a deposit whose COMMIT is lost', () => {
  let gateway: TestGateway;
  let proxy: CuttingProxy;
  let far: Database;
  beforeAll(async () => {
    gateway = await openTestGateway({ role: 'api' });
  });
  beforeEach(async () => {
    proxy = await startCuttingProxy(gateway.databaseUrl);
    far = openDatabase({ url: proxy.url, connectionsMax: 2, applicationName: 'far' });
  });
  afterEach(async () => {
    await far.end();
    await proxy.stop();
    await nothingAtCommit(gateway.engine.store.database, 'payment_keys');
  });
  afterAll(() => gateway.stop());

  /** The gateway's engine, with its database at the far end of the wire. */
  const farEngine = (): Engine => ({
    ...gateway.engine,
    store: { ...gateway.engine.store, database: far },
  });

  async function order(changes: Partial<DirectOrder> = {}): Promise<DirectOrder> {
    return {
      paymentNo: randomUUID(),
      merchant: (await gateway.engine.directory.merchant(gateway.merchantId))!,
      kind: 'DEPOSIT',
      apiVersion: 'v2',
      writtenId: randomUUID(),
      amount: 1_000_000n,
      amountText: '100',
      currency: 'RWF',
      provider: 'MTN_MOMO_RWA',
      details: { phoneNumber: '250783456789' },
      ...changes,
    };
  }

  const keyRows = ({ writtenId }: DirectOrder) =>
    listPaymentKeys(gateway.engine.store.database, [
      { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: writtenId },
    ]);

  test('a deposit whose COMMIT is lost is ACCEPTED when its own row is there, with the time of the row, and its repeat is a duplicate', async () => {
    const mine = await order();
    const cut = proxy.cutAfterNextCommit();
    const [answer] = await initiate(farEngine(), [mine]);
    await cut;
    const [row] = await keyRows(mine);
    expect(answer).toEqual({ type: 'ACCEPTED', createdAt: row!.createdAt });
    expect(row!.paymentNo).toBe(mine.paymentNo);
    const [repeat] = await initiate(farEngine(), [{ ...mine, paymentNo: randomUUID() }]);
    expect(repeat).toEqual({ type: 'DUPLICATE_IGNORED', createdAt: row!.createdAt });
  });

  test('a deposit whose COMMIT is lost is told apart from others in its batch: own rows are ACCEPTED, a row of somebody else is not', async () => {
    const taken = await order();
    await initiate(gateway.engine, [taken]);
    const batch = [await order(), { ...taken, paymentNo: randomUUID() }, await order()];
    const cut = proxy.cutAfterNextCommit();
    const answers = await initiate(farEngine(), batch);
    await cut;
    expect(answers.map(({ type }) => type)).toEqual(['ACCEPTED', 'DUPLICATE_IGNORED', 'ACCEPTED']);
  });

  test('a deposit whose COMMIT is lost is UNKNOWN when no row is there, and can be sent again', async () => {
    const { database } = gateway.engine.store;
    await atCommit(database, 'payment_keys', 'SLEEP');
    const mine = await order();
    const answering = initiate(gateway.engine, [mine]);
    await cutSleepingCommit(database);
    expect(await answering).toEqual([{ type: 'UNKNOWN' }]);
    expect(await keyRows(mine)).toEqual([]);
    await nothingAtCommit(database, 'payment_keys');
    const [again] = await initiate(gateway.engine, [{ ...mine, paymentNo: randomUUID() }]);
    expect(again!.type).toBe('ACCEPTED');
  });

  test('by a warning is read back like any other', async () => {
    await atCommit(gateway.engine.store.database, 'payment_keys', 'WARN');
    const [answer] = await initiate(gateway.engine, [await order()]);
    expect(answer!.type).toBe('ACCEPTED');
  });
});

test.each([
  ['57P01', true],
  ['57P02', true],
  ['57P03', true],
  ['25006', true],
  ['08P01', true],
  ['23505', false],
  ['P0001', false],
])('whether PostgreSQL is out of reach is read from its code: %s %s', async (code, isSo) => {
  const { database, stop } = await openTestStore();
  const refused = database.query(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`);
  expect(isOutOfReach(await refused.catch((error: unknown) => error))).toBe(isSo);
  await stop();
});
