// OWASP API8:2023, Security Misconfiguration: processes whose database roles are not the owner of the tables.
// Everything goes on, and the past cannot be changed.
import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAuditLog } from '../../src/core/audit.ts';
import type { Engine } from '../../src/core/engine.ts';
import { requestAllUnrequested } from '../../src/core/reconciliation/approve-report.ts';
import { importReport } from '../../src/core/reconciliation/import-report.ts';
import { prune } from '../../src/core/retention.ts';
import { listUnbalancedWallets } from '../../src/store/ledger/ledger.ts';
import { countUnrequested } from '../../src/store/reconciliation/reports-to-approve.ts';
import { RIGHTS_HOLDERS, rightsAt, TABLE_RIGHTS, type RightsHolder } from '../../src/store/schema/rights.ts';
import { runCommandHere, type CommandResult } from '../command-process.ts';
import { decideAtHost } from '../console/asked.ts';
import { confirmed, openTestConsole, signedIn } from '../console/people.ts';
import { CLOSED, FORBIDDEN, REFUSED_BY_TRIGGERS } from '../forbidden-statements.ts';
import { lineAbout } from '../report-files.ts';
import { depositRequest, eventually, select, waitUntil, type TestGateway } from '../gateway.ts';
import { openAs, urlUnder, withDatabase } from '../lesser-roles.ts';
import { start, startCompleted, waitForPayment } from '../payments.ts';
import { payoutRequest, refundRequest, wallet } from '../requests.ts';
import { serverEnvironment } from '../server-process.ts';
import { ask, fetchRows, waitForStatement } from '../statement-files.ts';

let gateway: TestGateway;
/** One that is not known to anybody yet. */
const STRANGER = `stranger_${randomBytes(4).toString('hex')}`;
const clients = new Map<string, Client>();

beforeAll(async () => {
  gateway = await openTestConsole({ roles: 'apart', simulator: { outcomeDelayMs: 100 } });
  await select(gateway, `create role ${STRANGER} login`);
  for (const holder of RIGHTS_HOLDERS) await connect(holder, urlUnder(gateway.databaseUrl, holder));
  await connect('owner', gateway.databaseUrl);
  const url = new URL(gateway.databaseUrl);
  url.username = STRANGER;
  await connect('stranger', url.href);
});
afterAll(async () => {
  for (const client of clients.values()) await client.end();
  await select(gateway, `drop owned by ${STRANGER}; drop role ${STRANGER}`);
  await gateway.stop();
});

async function connect(name: string, connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  clients.set(name, client);
}

/** PostgreSQL's word for a missing right. */
const REFUSED = '42501';

/** Tries a statement and undoes it. Answers PostgreSQL's code of the refusal, "done" if there is none. */
async function attempt(name: RightsHolder | 'owner' | 'stranger', statement: string): Promise<string> {
  const client = clients.get(name)!;
  await client.query('begin');
  const answer = await client.query(statement).then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
  await client.query('rollback');
  return answer;
}

const countOf = async (what: string) => (await select(gateway, `select 1 from ${what}`)).length;

const failOn = (error: unknown) => expect(error).toBe(null);

/** An import whose process dies before it requests the approval of what it has read. */
async function importCutOff(fileHash: Buffer): Promise<unknown> {
  const depositId = await startCompleted(gateway, 'deposit', depositRequest());
  const line = await lineAbout(gateway, depositId, { status: 'FAILED' });
  return importReport(gateway.engine, {
    by: 'Ana',
    secondApprover: 'REQUIRED',
    provider: 'MTN_MOMO_RWA',
    fileHash,
    period: null,
    onError: failOn,
    async *batches(pass) {
      yield [{ lineNo: 2, line }];
      if (pass === 'IMPORT') throw new Error('cut off');
    },
  });
}

describe('under roles with fewer rights', () => {
  test('payments of every kind come to their end, are announced, and the books add up', async () => {
    const depositId = await startCompleted(gateway, 'deposit', depositRequest());
    await startCompleted(gateway, 'refund', refundRequest(depositId, { amount: '40', currency: 'RWF' }));
    await startCompleted(gateway, 'payout', payoutRequest());
    const failing = payoutRequest({ recipient: wallet('MTN_MOMO_RWA', '250783456089') });
    await waitForPayment(gateway, 'payout', await start(gateway, 'payout', failing), 'FAILED');
    await eventually(() => gateway.receiver.received.length).toBe(4);
    expect(await listUnbalancedWallets(gateway.engine.store.database)).toEqual([]);
  });

  test('two people sign in and resolve a case', async () => {
    const ana = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
    const ben = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
    gateway.simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' });
    const request = depositRequest({ payer: wallet('MTN_MOMO_RWA', '250783456039') });
    await waitForPayment(gateway, 'deposit', await start(gateway, 'deposit', request), 'FAILED');
    await waitUntil(async () => (await countOf('cases')) === 1);
    const [found] = await select(gateway, 'select case_id from cases');
    const path = `api/host/cases/${found!['case_id']}`;
    const wanted = { resolution: 'CREDIT_MERCHANT', reason: 'seen in their statement' };
    const { approvalId } = (await ana.call('POST', `${path}/resolution`, wanted)).body;
    expect((await decideAtHost(gateway, ben, approvalId)).status).toBe(200);
    const decided = 'select status, decided_by_name as by from approvals';
    expect(await select(gateway, decided)).toEqual([{ status: 'APPROVED', by: ben.email }]);
  });

  test('a statement is made and fetched', async () => {
    const statementId = await ask(gateway);
    await gateway.gateway.movableClock!.move(60_000);
    const statement = await waitForStatement(gateway, statementId);
    expect((await fetchRows(statement)).length).toBeGreaterThan(2);
  });

  test('a worker counts reports that nobody requested, and the API, which looks for them, requests them', async () => {
    const fileHash = randomBytes(32);
    await expect(importCutOff(fileHash)).rejects.toThrow('cut off');
    const as = async <Result>(holder: RightsHolder, work: (engine: Engine) => Promise<Result>) => {
      const database = openAs(urlUnder(gateway.databaseUrl, holder));
      try {
        return await work(withDatabase(gateway.engine, database));
      } finally {
        await database.end();
      }
    };
    const count = () => as('worker', async ({ store }) => (await countUnrequested(store.database)).count);
    expect(await count()).toBe(1);
    await as('api', (engine) => requestAllUnrequested(engine, { onError: failOn }));
    expect(await count()).toBe(0);
    // The gateway that a test has is the API.
    expect((await gateway.gateway.metrics.render()).text).toMatch(/loop="reports"/);
  });

  test('a worker prunes what is old, and a process that only serves cannot', async () => {
    const tomorrow = { notificationDays: -1, callbackAttemptDays: -1, statementDays: -1, eventDays: -1 };
    await waitUntil(async () => (await countOf('operator_notifications where applied_at is null')) === 0);
    expect(await countOf('operator_notifications')).toBeGreaterThan(0);
    const pruneAs = async (holder: RightsHolder) => {
      const database = openAs(urlUnder(gateway.databaseUrl, holder));
      try {
        await prune(withDatabase(gateway.engine, database), tomorrow, () => false);
      } finally {
        await database.end();
      }
    };
    await expect(pruneAs('api')).rejects.toMatchObject({ code: REFUSED });
    await pruneAs('worker');
    expect(await countOf('operator_notifications')).toBe(0);
  });
});

describe.each(Object.entries(FORBIDDEN))('%s', (_, statements) => {
  test.each(statements)('no process may: %s', async (statement) => {
    for (const holder of RIGHTS_HOLDERS) expect(await attempt(holder, statement)).toBe(REFUSED);
    // The owner gets as far as a trigger or a reference: the statement is sound, and it is the right that is missing.
    expect(['done', '23503', '23514']).toContain(await attempt('owner', statement));
  });
});

describe.each(['api', 'worker'] as const)(
  'B10: of no business to a process that is only the %s',
  (holder) => {
    test.each(CLOSED[holder])('%s', async (statement) => {
      expect(await attempt(holder, statement)).toBe(REFUSED);
      expect(await attempt('all', statement)).toBe('done');
    });
  },
);

test.each(REFUSED_BY_TRIGGERS)('where a column may change, a trigger refuses: %s', async (statement) => {
  expect(await attempt('all', statement)).toBe('23514');
});

describe('the list of rights', () => {
  test('the list of rights names every table', async () => {
    const rows = await select(
      gateway,
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    const names = rows.map(({ name }) => String(name)).filter((name) => name !== 'clock_shift');
    expect(names.toSorted()).toEqual(Object.keys(TABLE_RIGHTS).toSorted());
  });

  test('the list of rights allows every statement of the store but those of the owner: migrations, moves, time', () => {
    const needed = new Map(Object.keys(TABLE_RIGHTS).map((table) => [table, new Set<string>()]));
    for (const source of storeSources()) {
      const text = readFileSync(source, 'utf8').toLowerCase();
      for (const [verb, pattern] of STATEMENTS)
        for (const [, table = ''] of text.matchAll(pattern)) needed.get(table)?.add(verb);
    }
    const missing = [...needed].flatMap(([table, verbs]) =>
      [...verbs].filter((verb) => !mayDo(table, verb)).map((verb) => `${verb} ${table}`),
    );
    expect(missing).toEqual(['insert migrations']);
    expect(needed.get('transfers')).toEqual(new Set(['insert', 'update']));
  });
});

const STATEMENTS = [
  ['insert', /insert into (\w+)/g],
  ['insert', /rowinserter(?:<[^(]*>)?\(\s*'(\w+)'/g],
  ['update', /update (\w+)(?: \w+)? set/g],
  ['delete', /delete from (\w+)/g],
] as const;

/** Moves of merchants, and what `time set-back` writes while no process runs: commands of the database's owner. */
const WITH_OWNERS_RIGHTS = ['cells/moving/**', 'ledger/set-sums-back.ts', 'monitoring/waits.ts'];

function storeSources(): readonly string[] {
  const folder = fileURLToPath(new URL('../../src/store/', import.meta.url));
  return globSync('**/*.ts', { cwd: folder, exclude: WITH_OWNERS_RIGHTS }).map((name) => `${folder}${name}`);
}

function mayDo(table: string, verb: string): boolean {
  return rightsAt(table, 'all')?.some((right) => right.startsWith(verb)) ?? false;
}

const asOwner = (statement: string) => select(gateway, statement);

function runAsOwner(...args: readonly string[]): Promise<CommandResult> {
  return runCommandHere({ ...serverEnvironment(gateway), DATABASE_URL: gateway.databaseUrl }, args);
}

function grant(role: string, ...options: readonly string[]): Promise<CommandResult> {
  return runAsOwner('rights', 'grant', '--to', role, ...options, '--by', 'Ana');
}

const refusal = (words: string) => ({ code: 1, errors: expect.stringContaining(words) });

describe('rights grant', () => {
  test('rights grant gives a role that had nothing what its processes need, and writes it down', async () => {
    expect(await attempt('stranger', 'select 1 from transfers')).toBe(REFUSED);
    expect(await grant(STRANGER, '--for', 'api')).toMatchObject({ code: 0 });
    expect(await attempt('stranger', 'select 1 from transfers')).toBe('done');
    expect(await attempt('stranger', 'delete from operator_credentials')).toBe(REFUSED);
    const log = await readAuditLog(gateway.engine, { merchantId: null, act: 'RIGHTS_GRANTED', countMax: 10 });
    expect(log.map(({ subject, detail }) => [subject, detail])).toEqual([[STRANGER, { for: 'api' }]]);
  });

  test('rights granted by several people at once are all granted', async () => {
    const grants = await Promise.all([grant(STRANGER), grant(STRANGER), grant(STRANGER, '--for', 'api')]);
    expect(grants.map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  test('rights grant takes away what a role had beyond it, by itself or because everybody had', async () => {
    await asOwner(`grant all on transfers to ${STRANGER}; grant update (amount) on payments to ${STRANGER};
      grant delete on audit_log to public; grant create on schema public to public;
      grant temporary on database ${new URL(gateway.databaseUrl).pathname.slice(1)} to public`);
    const beyond = [
      'delete from transfers',
      'update payments set amount = amount',
      'delete from audit_log',
      'create table notes (note text)',
      'create temporary table transfers (amount numeric)',
    ];
    for (const statement of beyond) expect(await attempt('stranger', statement)).not.toBe(REFUSED);
    await grant(STRANGER, '--for', 'api');
    for (const statement of beyond) expect(await attempt('stranger', statement)).toBe(REFUSED);
  });

  test('rights grant gives nothing of a table that it does not know', async () => {
    await asOwner('create table later (note text)');
    await grant(STRANGER);
    expect(await attempt('stranger', 'select 1 from later')).toBe(REFUSED);
    await asOwner('drop table later');
  });

  test.each(RIGHTS_HOLDERS)('what a later version needs, migrate gives, and no more: %s', async (holder) => {
    await grant(STRANGER, '--for', holder);
    // As if the version before had not known of these.
    await asOwner(`revoke all on statements, payout_batches from ${STRANGER}`);
    expect(await attempt('stranger', 'select 1 from statements')).toBe(REFUSED);
    const { output } = await runAsOwner('migrate');
    expect(output).toBe(
      `nothing to do\nrenewed the rights of lesser_all, lesser_api, lesser_worker, ${STRANGER}`,
    );
    expect(await attempt('stranger', 'update payout_batches set status = status')).toBe('done');
    for (const statement of [...CLOSED.api, ...CLOSED.worker])
      expect([statement, await attempt('stranger', statement)]).toEqual([
        statement,
        await attempt(holder, statement),
      ]);
  });

  test('rights grant refuses a role that no list of rights could hold', async () => {
    expect(await grant('no_such_role')).toMatchObject(refusal('no role no_such_role'));
    expect(await grant('malipo')).toMatchObject(refusal('owns the tables'));
    await asOwner(`grant malipo to ${STRANGER}`);
    expect(await grant(STRANGER)).toMatchObject(refusal('become their owner'));
    await asOwner(`revoke malipo from ${STRANGER}; grant pg_write_all_data to ${STRANGER}`);
    expect(await grant(STRANGER)).toMatchObject(refusal('is a member of another role'));
    await asOwner(`revoke pg_write_all_data from ${STRANGER}; alter role ${STRANGER} createrole`);
    expect(await grant(STRANGER)).toMatchObject(refusal('may create roles'));
    await asOwner(`alter role ${STRANGER} nocreaterole`);
    const underAll = { ...serverEnvironment(gateway), DATABASE_URL: urlUnder(gateway.databaseUrl, 'all') };
    const words = ['rights', 'grant', '--to', STRANGER, '--by', 'Ana'];
    expect(await runCommandHere(underAll, words)).toMatchObject(refusal('Only the owner'));
  });
});
