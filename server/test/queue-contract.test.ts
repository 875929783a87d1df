// The contract we hold pg-boss to: the rules of docs/internals/queue.md, against the library that is installed and a
// real database. A rule that fails after an upgrade is a reason to stay, not to loosen the test.
import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { getConstructionPlans, PgBoss } from 'pg-boss';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requireRealTime } from '../src/commands/clock.ts';
import { DEFAULT_SETTINGS } from '../src/config.ts';
import { advance } from '../src/core/advance.ts';
import { sortEnquiries } from '../src/core/enquire.ts';
import { claimSubmits } from '../src/core/submit.ts';
import { Sweep } from '../src/core/sweep.ts';
import { createAdvancer } from '../src/jobs/advancer.ts';
import { createEnquireRound } from '../src/jobs/enquire.ts';
import type { PaymentKey } from '../src/domain/payment.ts';
import { inTransaction, openDatabase, type Database, type Tx } from '../src/store/database.ts';
import {
  Queue,
  QUEUES,
  type HeldJob,
  type QueueName,
  type QueueOptions,
  type WakeUp,
} from '../src/store/queue.ts';
import { createTestDatabase } from './database.ts';
import { eventually, initiate, openTestGateway, payer, select, type TestGateway } from './gateway.ts';

const VERSION = '12.35.0';
const SECOND_MS = 1_000;
const DAY_MS = 86_400 * SECOND_MS;
const TEN_YEARS_SECONDS = 315_360_000;

let gateway: TestGateway;
let database: Database;
let queue: Queue;
/** The bare library, set up as our Queue sets it up: for what Queue does not show. */
let boss: PgBoss;

beforeAll(async () => {
  // No worker: jobs stay where they are until a test takes them.
  gateway = await openTestGateway({ role: 'api' });
  ({ database, queue } = gateway.engine.store);
  boss = bareBoss(database);
  await boss.start();
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await gateway.stop();
});
beforeEach(async () => {
  await database.query('delete from pgboss.job');
});

function bareBoss(of: Database): PgBoss {
  const options = {
    schema: 'pgboss',
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise: false,
  };
  const bare = new PgBoss({ ...options, db: onTx(of) });
  bare.on('error', () => undefined);
  return bare;
}

function onTx(tx: Tx) {
  return { executeSql: (text: string, values?: unknown[]) => tx.query(text, values) };
}

/** A supervising queue with these settings, or one that only inserts and fetches. */
function openQueue(of: Database, settings: Partial<QueueOptions> | null): Queue {
  const standard = { expireInSeconds: 60, monitorIntervalSeconds: 5, onError: () => undefined };
  return new Queue(of, { ...standard, ...settings, supervises: settings !== null });
}

const now = () => gateway.engine.clock.now();

function wakeUp(changes: Partial<WakeUp> = {}): WakeUp {
  const key: PaymentKey = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: randomUUID() };
  return { key, eventNo: 1, at: now(), ...changes };
}

async function insert(wakeUps: readonly WakeUp[], name: QueueName = 'submit'): Promise<void> {
  await inTransaction(database, (tx) => queue.insert(tx, name, wakeUps));
}

async function fetchOne(name: QueueName = 'submit'): Promise<HeldJob> {
  const jobs = await queue.fetch(name, 10);
  expect(jobs).toHaveLength(1);
  return jobs[0]!;
}

async function settle(jobs: readonly HeldJob[]): Promise<number> {
  return inTransaction(database, (tx) => queue.settle(tx, jobs));
}

/** Whoever holds a job has had its time: the supervisor hands it out again. */
async function expire(): Promise<void> {
  await gateway.gateway.movableClock!.move(61 * SECOND_MS);
  await boss.supervise();
}

type JobRow = {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly data: Record<string, string>;
  readonly [column: string]: unknown;
};

async function listJobs(): Promise<readonly JobRow[]> {
  return select<JobRow>(gateway, 'select * from pgboss.job order by name, id');
}

/** What a job is, without how often it was handed out. */
async function listWakeUps() {
  const jobs = await listJobs();
  return jobs.map(({ id, name, data, start_after: startAfter }) => ({ id, name, data, startAfter }));
}

function sourceOf(pattern: string): string {
  const root = new URL('../src/', import.meta.url).pathname;
  const files = globSync(pattern, { cwd: root });
  expect(files.length).toBeGreaterThan(0);
  return files.map((file) => readFileSync(`${root}${file}`, 'utf8')).join('\n');
}

describe('the library', () => {
  test(`rule 1: its version is exactly ${VERSION}, as written and as installed`, () => {
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    const installed = new URL('../package.json', import.meta.resolve('pg-boss'));
    expect(manifest.dependencies['pg-boss']).toBe(VERSION);
    expect(JSON.parse(readFileSync(installed, 'utf8')).version).toBe(VERSION);
  });

  test('rule 2: 0006_queue.sql is what it plans, less its transaction and its lock, and our queues', () => {
    const file = readFileSync(new URL('../migrations/0006_queue.sql', import.meta.url), 'utf8');
    const [ours = '', queues = ''] = file.split('-- Retries cover crashes only');
    const planned = getConstructionPlans('pgboss')
      .split('\n')
      .filter((line) => !/^\s*(BEGIN;|COMMIT;|SET LOCAL |SELECT pg_advisory_xact_lock\()/.test(line));
    expect(planned.length).toBeGreaterThan(400);
    expect(linesOf(ours.replaceAll(/^--.*$/gm, ''))).toEqual(linesOf(planned.join('\n')));
    expect(queues.match(/array\['submit', 'enquire'\]/)).not.toBeNull();
    expect(QUEUES).toEqual(['submit', 'enquire']);
  });

  test('rule 2: started on a database without its schema, or with an older one, it refuses and makes nothing', async () => {
    const other = await createTestDatabase();
    const otherDatabase = openDatabase({ url: other.url, connectionsMax: 2, applicationName: 'other' });
    await otherDatabase.query('update pgboss.version set version = version - 1');
    const older = await schemaOf(otherDatabase);
    const starting = openQueue(otherDatabase, { monitorIntervalSeconds: 1 });
    await expect(starting.start()).rejects.toThrow(/requires migrations/);
    expect(await schemaOf(otherDatabase)).toEqual(older);
    await otherDatabase.query('drop schema pgboss cascade');
    await expect(openQueue(otherDatabase, { monitorIntervalSeconds: 1 }).start()).rejects.toThrow(/install/i);
    expect(await schemaOf(otherDatabase)).toEqual([]);
    await starting.stop();
    await otherDatabase.end();
    await other.drop();
  });

  test('rules 2 and 14: a supervising queue finds expired jobs by itself, again and again, and leaves the schema alone', async () => {
    const before = await schemaOf(database);
    const supervising = openQueue(database, { expireInSeconds: 5, monitorIntervalSeconds: 1 });
    await supervising.start();
    await inTransaction(database, (tx) => supervising.insert(tx, 'submit', [wakeUp()]));
    for (const crashes of [0, 1]) {
      expect((await fetchOne()).retryCount).toBe(crashes);
      // Less than the minute that the library would let pass by default.
      await gateway.gateway.movableClock!.move(6 * SECOND_MS);
      await eventually(async () => (await listJobs())[0]!.state).toBe('retry');
    }
    await supervising.stop();
    expect(await schemaOf(database)).toEqual(before);
    expect(DEFAULT_SETTINGS.queue.monitorIntervalSeconds).toBe(5);
  });

  test('rule 3: it is imported only in store and jobs', () => {
    const root = new URL('../src/', import.meta.url).pathname;
    const users = globSync('**/*.ts', { cwd: root }).filter((file) =>
      /from 'pg-boss/.test(readFileSync(`${root}${file}`, 'utf8')),
    );
    expect(users).toContain('store/queue.ts');
    expect(users.filter((file) => !/^(store|jobs)\//.test(file))).toEqual([]);
  });
});

describe('inserting', () => {
  test('rule 4: an insert in a transaction that is rolled back leaves no job', async () => {
    const failing = inTransaction(database, async (tx) => {
      await queue.insert(tx, 'submit', [wakeUp()]);
      throw new Error('no payment after all');
    });
    await expect(failing).rejects.toThrow('no payment after all');
    expect(await listJobs()).toEqual([]);
  });

  test('rule 5: a taken identifier is reported by a short count and no error', async () => {
    const [taken, free] = [randomUUID(), randomUUID()];
    expect(await boss.insert('submit', [{ id: taken }], { returnId: true })).toEqual([taken]);
    expect(await boss.insert('submit', [{ id: taken }, { id: free }], { returnId: true })).toEqual([free]);
    expect(await boss.insert('submit', [{ id: taken }], { returnId: true })).toBeNull();
  });

  test('rule 5: a queue that is gone is reported by a short count and no error', async () => {
    await boss.createQueue('ghost');
    expect(await boss.insert('ghost', [{}], { returnId: true })).toHaveLength(1);
    await database.query(`select pgboss.delete_queue('ghost')`);
    expect(await boss.insert('ghost', [{}], { returnId: true })).toBeNull();
  });

  test('rule 5: our insert aborts its transaction when one job of several is short', async () => {
    const taken = wakeUp();
    await insert([taken]);
    const both = inTransaction(database, async (tx) => {
      await tx.query(`insert into provider_availability values ('X', 'DEPOSIT', 'CLOSED', $1)`, [now()]);
      await queue.insert(tx, 'submit', [wakeUp(), taken]);
    });
    await expect(both).rejects.toThrow('submit: 1 of 2 jobs inserted');
    expect(await listJobs()).toHaveLength(1);
    expect(await select(gateway, `select 1 from provider_availability where provider = 'X'`)).toEqual([]);
  });

  test('rule 6: our queues have the standard policy, and jobs have neither singleton key nor dead letter', async () => {
    const queues = await select(gateway, 'select name, policy, dead_letter from pgboss.queue order by name');
    expect(queues).toEqual(
      ['enquire', 'submit'].map((name) => ({ name, policy: 'standard', dead_letter: null })),
    );
    await insert([wakeUp()]);
    const [job] = await listJobs();
    expect(job).toMatchObject({
      policy: 'standard',
      singleton_key: null,
      singleton_on: null,
      dead_letter: null,
    });
  });

  test('rule 18: a wake-up has one identifier for ever; another event or payment has another', async () => {
    const first = wakeUp();
    await insert([first, { ...first, eventNo: 2 }, wakeUp()]);
    const before = await listWakeUps();
    expect(new Set(before.map(({ id }) => id)).size).toBe(3);
    await database.query('delete from pgboss.job');
    await insert([first]);
    expect(before.map(({ id }) => id)).toContain((await listJobs())[0]!.id);
  });

  test('rule 18: inserting what is missing never doubles a job, whatever its state', async () => {
    const [waiting, held, missing] = [wakeUp({ at: new Date(now().getTime() + DAY_MS) }), wakeUp(), wakeUp()];
    await insert([waiting, held]);
    await fetchOne();
    const all = [waiting, held, missing];
    const insertMissing = () => inTransaction(database, (tx) => queue.insertMissing(tx, 'submit', all));
    const counts = await Promise.all([insertMissing(), insertMissing(), insertMissing()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
    const states = (await listJobs()).map(({ state }) => state);
    expect(states.toSorted()).toEqual(['active', 'created', 'created']);
  });

  test('rule 17: a job of a real payment holds its key and nothing else', async () => {
    const secrets = ['250783456789', 'INV-4711', 'Kigali'];
    const depositId = await initiate(gateway, {
      payer: payer('MTN_MOMO_RWA', '250783456789'),
      clientReferenceId: 'INV-4711',
      metadata: [{ place: 'Kigali', isPII: true }],
    });
    const [job, ...others] = await listJobs();
    expect(others).toEqual([]);
    expect(job!.data).toEqual({ m: gateway.merchantId, k: 'DEPOSIT', p: depositId });
    for (const secret of secrets) expect(JSON.stringify(job)).not.toContain(secret);
  });

  test('rule 20: neither inserting nor settling rings a bell inside the transaction', async () => {
    const texts: string[] = [];
    const watched = (tx: Tx): Tx => ({
      query: (text, values) => {
        texts.push(text);
        return tx.query(text, values);
      },
    });
    await inTransaction(database, (tx) => queue.insert(watched(tx), 'submit', [wakeUp()]));
    const job = await fetchOne();
    await inTransaction(database, (tx) => queue.settle(watched(tx), [job]));
    expect(texts).toHaveLength(2);
    expect(texts.filter((text) => /notify/i.test(text))).toEqual([]);
    expect(await select(gateway, 'select distinct notify from pgboss.queue')).toEqual([{ notify: false }]);
  });
});

describe('fetching and settling', () => {
  test('rules 7 and 16: our code calls neither work() nor fail() nor complete()', () => {
    const text = sourceOf('{store,jobs}/*.ts');
    expect(text).toContain('boss.fetch');
    expect(text).not.toMatch(/\bboss\s*\.\s*(work|fail|complete|send|schedule|publish|createQueue)\b/);
  });

  test('two workers that fetch at once never share a job', async () => {
    await insert(Array.from({ length: 120 }, () => wakeUp()));
    const others = [1, 2].map(() =>
      openDatabase({ url: gateway.databaseUrl, connectionsMax: 4, applicationName: 'worker' }),
    );
    const queues = others.map((other) => openQueue(other, null));
    await Promise.all(queues.map((one) => one.start()));
    const rounds = await Promise.all(
      Array.from({ length: 24 }, (_, index) => queues[index % 2]!.fetch('submit', 7)),
    );
    const ids = rounds.flat().map(({ id }) => id);
    expect(ids).toHaveLength(120);
    expect(new Set(ids).size).toBe(120);
    await Promise.all(queues.map((one) => one.stop()));
    await Promise.all(others.map((other) => other.end()));
  });

  test('rule 9: a job deleted in a transaction that is rolled back is still there, and still ours', async () => {
    await insert([wakeUp()]);
    const job = await fetchOne();
    const failing = inTransaction(database, async (tx) => {
      expect(await queue.settle(tx, [job])).toBe(1);
      throw new Error('no work after all');
    });
    await expect(failing).rejects.toThrow('no work after all');
    expect(await listJobs()).toHaveLength(1);
    expect(await settle([job])).toBe(1);
    expect(await listJobs()).toEqual([]);
  });

  test('rules 8 and 10: a run that lost its job settles nothing; the run that has it now settles it', async () => {
    await insert([wakeUp()]);
    const lost = await fetchOne();
    await expire();
    expect(await settle([lost])).toBe(0);
    const held = await fetchOne();
    expect(held.id).toBe(lost.id);
    expect(held.retryCount).toBe(lost.retryCount + 1);
    expect(await settle([lost])).toBe(0);
    expect(await listJobs()).toHaveLength(1);
    expect(await settle([held])).toBe(1);
    expect(await settle([held])).toBe(0);
  });

  test('rule 8: by its identifier alone, a run that lost its job would settle the job of another', async () => {
    await insert([wakeUp()]);
    const lost = await fetchOne();
    await expire();
    await fetchOne();
    expect(await boss.deleteJob('submit', lost.id)).toMatchObject({ affected: 1 });
  });

  test('a mixed batch is settled queue by queue, and the count is of both', async () => {
    await insert([wakeUp()], 'submit');
    await insert([wakeUp()], 'enquire');
    expect(await settle([await fetchOne('submit'), await fetchOne('enquire')])).toBe(2);
  });
});

describe('crashes', () => {
  test('rules 11 to 13: the rows of queues and jobs say so', async () => {
    await insert([wakeUp()]);
    const patience = { retry_limit: 1_000_000, retry_delay: 0, retry_backoff: false, expire_seconds: 60 };
    const queues = await select(gateway, 'select * from pgboss.queue');
    expect(queues).toHaveLength(2);
    for (const row of queues)
      expect(row).toMatchObject({ ...patience, retention_seconds: TEN_YEARS_SECONDS });
    const [job] = await select(
      gateway,
      'select *, extract(epoch from keep_until - start_after)::int as kept from pgboss.job',
    );
    expect(job).toMatchObject({ ...patience, kept: TEN_YEARS_SECONDS });
  });

  test('rule 13: a job expires after three handler deadlines, at most 60 s', () => {
    const { expireInSeconds } = DEFAULT_SETTINGS.queue;
    expect(expireInSeconds).toBeLessThanOrEqual(60);
    for (const { timing } of gateway.engine.connectors.values()) {
      // A handler makes one call, and for that perhaps asks for a token first.
      expect(expireInSeconds * SECOND_MS).toBeGreaterThanOrEqual(3 * 2 * timing.timeoutMs);
    }
  });

  test('rule 13: the time to expire stands on each job, so that a setting acts at once', async () => {
    const brisk = openQueue(database, { expireInSeconds: 7 });
    await brisk.start();
    await inTransaction(database, (tx) => brisk.insert(tx, 'submit', [wakeUp()]));
    await brisk.stop();
    expect((await listJobs())[0]).toMatchObject({ expire_seconds: 7 });
  });

  test('rule 11: the job of a run that crashes is handed out again, more often than the library would by default', async () => {
    await insert([wakeUp()]);
    for (let crashes = 0; crashes < 6; crashes += 1) {
      expect((await fetchOne()).retryCount).toBe(crashes);
      // Before its time is over nobody else gets it.
      await boss.supervise();
      expect(await queue.fetch('submit', 10)).toEqual([]);
      await expire();
    }
    expect(await settle([await fetchOne()])).toBe(1);
  });

  test('rule 12: a job that waits for months is not thrown away', async () => {
    const mark = now();
    await insert([wakeUp({ at: mark })]);
    await gateway.gateway.movableClock!.move(200 * DAY_MS);
    await boss.supervise();
    expect((await listJobs()).map(({ state }) => state)).toEqual(['created']);
    expect((await database.query('select 1 from pgboss.queue where maintain_on > $1', [mark])).rowCount).toBe(
      2,
    );
  });

  test('rule 16: what the library writes down about a crash is a fixed text', async () => {
    await insert([wakeUp()]);
    await fetchOne();
    await expire();
    expect((await listJobs())[0]!['output']).toEqual({ value: { message: 'job timed out' } });
  });

  test('rule 19: two runs of one submit at the same moment make one attempt', async () => {
    const depositId = await initiate(gateway);
    const first = await fetchOne();
    await expire();
    const second = await fetchOne();
    const claims = await Promise.all([first, second].map((job) => claimSubmits(gateway.engine, [job])));
    expect(claims.flat()).toHaveLength(1);
    expect(
      await select(gateway, 'select 1 from payment_attempts where payment_id = $1', [depositId]),
    ).toHaveLength(1);
    expect((await listJobs()).filter(({ name }) => name === 'submit')).toEqual([]);
  });

  test('rule 19: two runs of one enquiry at the same moment move money once', async () => {
    const { key } = await claimedPayment();
    await waitForEnquiries();
    const first = await fetchOne('enquire');
    await expire();
    const second = await fetchOne('enquire');
    const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
    const event = { type: 'OPERATOR_ANSWERED', outcome } as const;
    const runs = [first, second].map((job) => advance(gateway.engine, [{ key, event, job }]));
    const types = (await Promise.all(runs)).map(([answer]) => answer!.type);
    expect(types.toSorted()).toEqual(['MOVE', 'NOTHING']);
    expect(
      await select(gateway, 'select 1 from transfers where subject_id = $1', [key.paymentId]),
    ).toHaveLength(1);
    expect(await listJobs()).toEqual([]);
  });
});

describe('the queue is disposable', () => {
  test('rule 15: a step inserts the next one at the time of the payment row, as a job of its own', async () => {
    await initiate(gateway);
    const [submit] = await listJobs();
    await claimSubmits(gateway.engine, [await fetchOne()]);
    const [enquire, ...others] = await listJobs();
    const [payment] = await select(
      gateway,
      `select * from payments where next_action = 'ENQUIRE' order by created_at desc limit 1`,
    );
    expect(others).toEqual([]);
    expect(enquire).toMatchObject({
      name: 'enquire',
      start_after: payment!['next_action_at'],
      retry_count: 0,
    });
    expect(enquire!.id).not.toBe(submit!.id);
    expect(await queue.fetch('enquire', 10)).toEqual([]);
  });

  test('after the loss of every job a sweep restores each exactly once', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push(await initiate(gateway));
    await claimSubmits(gateway.engine, await queue.fetch('submit', 3));
    for (let count = 0; count < 4; count += 1) ids.push(await initiate(gateway));
    // Payments of the tests above are restored too.
    const listMine = async () => (await listWakeUps()).filter(({ data }) => ids.includes(data['p']!));
    const before = await listMine();
    expect(before.map(({ name }) => name)).toEqual([...Array(3).fill('enquire'), ...Array(4).fill('submit')]);
    await gateway.gateway.movableClock!.move(3_600 * SECOND_MS);
    await database.query('delete from pgboss.job');
    const sweepOnce = () =>
      new Sweep(gateway.engine, { overdueAfterMs: 30 * SECOND_MS, countMax: 100, onError: unexpected }).run();
    await sweepOnce();
    expect(await listMine()).toEqual(before);
    await Promise.all([sweepOnce(), sweepOnce()]);
    expect(await listMine()).toEqual(before);
  });

  test('a submit whose payment has moved on is removed without effect', async () => {
    const { key } = await claimedPayment();
    await database.query('delete from pgboss.job');
    await insert([wakeUp({ key, eventNo: 77 })]);
    const before = await paymentRow(key);
    expect(await claimSubmits(gateway.engine, [await fetchOne()])).toEqual([]);
    expect(await listJobs()).toEqual([]);
    expect(await paymentRow(key)).toEqual(before);
  });

  test('an enquiry whose payment is not due, is final or is unknown is removed without asking the operator', async () => {
    const { key: early } = await claimedPayment();
    const { key: final } = await claimedPayment();
    const event = { type: 'OPERATOR_ANSWERED', outcome: { type: 'COMPLETED' } } as const;
    await advance(gateway.engine, [{ key: final, event }]);
    await database.query('delete from pgboss.job');
    const stale = [wakeUp({ key: early, eventNo: 77 }), wakeUp({ key: final, eventNo: 77 }), wakeUp()];
    await insert(stale, 'enquire');
    const before = await Promise.all([early, final].map(paymentRow));
    const round = createEnquireRound(gateway.engine, createAdvancer(gateway.engine), {
      batchMax: 10,
      inFlightMax: 10,
      onError: unexpected,
    });
    const started: unknown[] = [];
    expect(
      await round({ isStopping: () => false, count: () => 0, run: (work) => void started.push(work) }),
    ).toBe('MORE');
    expect(started).toEqual([]);
    expect(await listJobs()).toEqual([]);
    expect(await Promise.all([early, final].map(paymentRow))).toEqual(before);
  });

  test('an enquiry that is due is kept for its handler', async () => {
    const { key } = await claimedPayment();
    await waitForEnquiries();
    const job = await fetchOne('enquire');
    const { due, stale } = await sortEnquiries(gateway.engine, [job]);
    expect(stale).toEqual([]);
    expect(due.map(({ payment }) => payment.paymentId)).toEqual([key.paymentId]);
  });
});

describe('rule 21: one clock', () => {
  test('a job is handed out when the movable clock says so, and not before', async () => {
    await insert([wakeUp({ at: new Date(now().getTime() + DAY_MS) })]);
    expect(await queue.fetch('submit', 10)).toEqual([]);
    await gateway.gateway.movableClock!.move(DAY_MS - 30 * SECOND_MS);
    expect(await queue.fetch('submit', 10)).toEqual([]);
    await gateway.gateway.movableClock!.move(30 * SECOND_MS);
    expect(await queue.fetch('submit', 10)).toHaveLength(1);
  });

  test('every connection reads the same moved clock', async () => {
    const other = openDatabase({ url: gateway.databaseUrl, connectionsMax: 1, applicationName: 'other' });
    const { rows } = await other.query<{ now: Date }>('select pgboss.job_now() as now');
    expect(Math.abs(rows[0]!.now.getTime() - now().getTime())).toBeLessThan(2 * SECOND_MS);
    expect(now().getTime() - Date.now()).toBeGreaterThan(DAY_MS);
    await other.end();
  });

  test('a database whose clock was replaced is refused by production; one that was not is not', async () => {
    await expect(requireRealTime(database)).rejects.toThrow(/movable clock/);
    const fresh = await createTestDatabase();
    const freshDatabase = openDatabase({ url: fresh.url, connectionsMax: 1, applicationName: 'fresh' });
    await expect(requireRealTime(freshDatabase)).resolves.toBeUndefined();
    await freshDatabase.end();
    await fresh.drop();
  });
});

/** A payment whose submit was claimed. Nothing was sent, and its enquiry is not due yet. */
async function claimedPayment(): Promise<{ readonly key: PaymentKey }> {
  const paymentId = await initiate(gateway);
  const key: PaymentKey = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId };
  const jobs = await queue.fetch('submit', 10);
  expect(await claimSubmits(gateway.engine, jobs)).toHaveLength(1);
  return { key };
}

/** Moves on to when the enquiries of claimed payments are due. */
async function waitForEnquiries(): Promise<void> {
  const { sendDeadlineMs, timeoutMs } = gateway.engine.connectors.get('simulator')!.timing;
  await gateway.gateway.movableClock!.move(sendDeadlineMs + timeoutMs);
}

async function paymentRow(key: PaymentKey) {
  return select(
    gateway,
    `select p.*, (select count(*) from payment_events e where e.payment_id = p.payment_id) as events
     from payments p where payment_id = $1`,
    [key.paymentId],
  );
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Everything in the library's schema that DDL could change. */
async function schemaOf(of: Database): Promise<readonly unknown[]> {
  const { rows } = await of.query(
    `select c.relname as name, c.relkind::text as kind, a.attname as part, format_type(a.atttypid, a.atttypmod) as is
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 where nspname = 'pgboss'
     union all
     select proname, 'function', '', md5(prosrc) from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where nspname = 'pgboss'
     order by 1, 2, 3`,
  );
  const { rows: found } = await of.query(`select to_regclass('pgboss.version')::text as name`);
  if (found[0].name === null) return rows;
  return [...rows, ...(await of.query('select version from pgboss.version')).rows];
}

function unexpected(error: unknown): never {
  throw error;
}
