// Bringing databases to a schema, as builds of different age and several processes at once do it.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { openDatabase, type Database } from '../../src/store/database.ts';
import {
  checkSchema,
  listMigrations,
  migrate,
  statementsOf,
  type Migration,
} from '../../src/store/schema/migrate.ts';
import { NOON, secondsAfterNoon } from './open-store.ts';

const SERVER = fileURLToPath(new URL('../../', import.meta.url));
const known = (await listMigrations()).map(({ name }) => name);

let url: string;
let database: Database;
const folders: string[] = [];

beforeEach(async () => {
  const empty = new URL(inject('templateUrl'));
  empty.pathname = `/empty_${randomBytes(6).toString('hex')}`;
  url = empty.href;
  await onMaintenanceDatabase(`create database ${empty.pathname.slice(1)}`);
  database = openDatabase({ url, connectionsMax: 4, applicationName: 'migrate test', isPatient: true });
});
afterEach(async () => {
  await database.end();
  await onMaintenanceDatabase(`drop database ${new URL(url).pathname.slice(1)} with (force)`);
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function onMaintenanceDatabase(statement: string): Promise<void> {
  const client = new Client({
    connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href,
  });
  await client.connect();
  await client.query(statement);
  await client.end();
}

type Build = { readonly migrate: typeof migrate; readonly checkSchema: typeof checkSchema };

/** Another build of the server: the same code with other files in its folder of migrations. */
async function buildWith(files: Readonly<Record<string, string>>): Promise<Build> {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-build-'));
  folders.push(folder);
  await mkdir(join(folder, 'src/store/schema'), { recursive: true });
  for (const name of ['schema/migrate.ts', 'database.ts', 'preparing-client.ts']) {
    await cp(join(SERVER, 'src/store', name), join(folder, 'src/store', name));
  }
  await cp(join(SERVER, 'migrations'), join(folder, 'migrations'), { recursive: true });
  await symlink(join(SERVER, '../node_modules'), join(folder, 'node_modules'));
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, 'migrations', name), sql);
  return (await import(pathToFileURL(join(folder, 'src/store/schema/migrate.ts')).href)) as Build;
}

async function listApplied() {
  const { rows } = await database.query('select * from migrations order by name');
  return rows;
}

async function tableExists(name: string): Promise<boolean> {
  const { rows } = await database.query('select to_regclass($1) is not null as found', [name]);
  return rows[0].found;
}

const NEWER = '-- A table of a newer build, for a test of older ones.\ncreate table newer (id int);\n';

describe('migrating', () => {
  test('an empty database gets every file once, and a second run has nothing to do', async () => {
    const told: string[] = [];
    expect(await migrate(database, { now: NOON, onApplied: (name) => told.push(name) })).toEqual(known);
    expect(told).toEqual(known);
    const applied = await listApplied();
    expect(applied.map(({ name, applied_at: at }) => [name, at])).toEqual(known.map((name) => [name, NOON]));
    expect(await migrate(database, { now: secondsAfterNoon(1) })).toEqual([]);
    expect(await listApplied()).toEqual(applied);
  });

  test('two processes that migrate an empty database at once both succeed, and each file is applied once', async () => {
    const key = Buffer.alloc(32).toString('base64');
    const env = {
      MALIPO_ENVIRONMENT: 'sandbox',
      DATABASE_URL: url,
      MALIPO_ENCRYPTION_KEYS: `1:${key}`,
      MALIPO_SEARCH_KEY: key,
      MALIPO_REFERENCE_KEY: key,
    };
    const run = () =>
      promisify(execFile)(process.execPath, [join(SERVER, 'src/main.ts'), 'migrate'], { env });
    const outputs = (await Promise.all([run(), run()])).map(({ stdout }) => stdout);
    const applied = outputs.flatMap((output) => output.match(/(?<=applied ).*/g) ?? []);
    expect(applied.toSorted()).toEqual(known);
    expect(await checkSchema(database)).toEqual({ type: 'FITS' });
  });

  test('many that migrate at once through pools of their own apply each file once', async () => {
    const pools = Array.from({ length: 5 }, () =>
      openDatabase({ url, connectionsMax: 1, applicationName: 'migrate', isPatient: true }),
    );
    const applied = await Promise.all(pools.map((pool) => migrate(pool, { now: NOON })));
    expect(applied.flat().toSorted()).toEqual(known);
    await Promise.all(pools.map((pool) => pool.end()));
  });

  test('a file that was changed after it was applied is refused with what to do, and nothing behind it is applied', async () => {
    await migrate(database, { now: NOON });
    const first = (await listMigrations())[0]!;
    const careless = await buildWith({ [first.name]: `${first.sql}\n`, '9001_newer.sql': NEWER });
    await expect(careless.migrate(database, { now: NOON })).rejects.toThrow(
      `${first.name} was changed after it was applied. Restore the file as it was released.`,
    );
    expect(await tableExists('newer')).toBe(false);
    expect((await listApplied()).map(({ name }) => name)).toEqual(known);
  });

  test('a file that fails leaves nothing of itself, and a fixed one goes on from there', async () => {
    const failing = await buildWith({ '9001_newer.sql': `${NEWER}select 1 / 0;` });
    await expect(failing.migrate(database, { now: NOON })).rejects.toThrow('division by zero');
    expect(await tableExists('newer')).toBe(false);
    expect((await listApplied()).map(({ name }) => name)).toEqual(known);
    const fixed = await buildWith({ '9001_newer.sql': NEWER });
    expect(await fixed.migrate(database, { now: NOON })).toEqual(['9001_newer.sql']);
    expect(await tableExists('newer')).toBe(true);
  });
});

const OUTSIDE = `-- An index of a table that is written to, for a test.
-- outside a transaction: no_one may wait for it.
create index concurrently if not exists merchants_by_name
  on merchants (company_name);
create index concurrently if not exists merchants_by_home on merchants (home);
`;

const COLUMN = '-- A column of a newer build, for a test.\nalter table merchants add column newer text;\n';

const BACKFILL = `-- Fills the column of merchants that were there before.
-- outside a transaction: each batch is committed.
-- in batches: the last statement waits for the rows that were in use.
update merchants set newer = company_name where merchant_id = any (array(
  select merchant_id from merchants where newer is null limit 2 for update skip locked));
update merchants set newer = company_name where newer is null;
`;

describe('a file outside a transaction', () => {
  test('a file outside a transaction builds its indexes while others write, and is applied once', async () => {
    await migrate(database, { now: NOON });
    const newer = await buildWith({ '9001_newer.sql': OUTSIDE });
    const writer = await database.connect();
    await writer.query('begin');
    await writer.query('lock table merchants in row exclusive mode');
    const migrating = newer.migrate(database, { now: NOON });
    // The index waits for this transaction to end; another writer waits for neither.
    await expectWaiting('create index concurrently');
    await database.query(`update merchants set company_name = 'Somebody else'`);
    expect(await validIndexes('merchants_by_%')).toEqual([]);
    await writer.query('commit');
    writer.release();
    expect(await migrating).toEqual(['9001_newer.sql']);
    expect(await validIndexes('merchants_by_%')).toEqual(['merchants_by_home', 'merchants_by_name']);
    expect(await newer.migrate(database, { now: NOON })).toEqual([]);
  });

  test('a file outside a transaction that was interrupted is done again: what is left of an index is dropped and built again', async () => {
    await migrate(database, { now: NOON });
    await addTwins();
    const unique = OUTSIDE.replace('create index', 'create unique index');
    const failing = await buildWith({ '9001_newer.sql': unique });
    await expect(failing.migrate(database, { now: NOON })).rejects.toThrow('could not create unique index');
    const { rows } = await database.query(
      `select indisvalid from pg_index where indexrelid = 'merchants_by_name'::regclass`,
    );
    expect(rows).toEqual([{ indisvalid: false }]);
    expect((await listApplied()).map(({ name }) => name)).toEqual(known);
    await database.query(`update merchants set company_name = merchant_id::text`);
    expect(await failing.migrate(database, { now: NOON })).toEqual(['9001_newer.sql']);
    expect(await validIndexes('merchants_by_%')).toEqual(['merchants_by_home', 'merchants_by_name']);
  });

  test('a backfill in batches fills every row, while a row of a batch is in use, and is committed batch by batch', async () => {
    await (await buildWith({ '9001_column.sql': COLUMN })).migrate(database, { now: NOON });
    for (const _ of [1, 2, 3]) await addTwins();
    const { rows } = await database.query<{ id: string }>('select merchant_id as id from merchants');
    const newer = await buildWith({ '9001_column.sql': COLUMN, '9002_backfill.sql': BACKFILL });
    const writer = await database.connect();
    await writer.query('begin');
    await writer.query('select from merchants where merchant_id = $1 for update', [rows[0]!.id]);
    const migrating = newer.migrate(database, { now: NOON });
    await expectWaiting('update merchants');
    expect(await countUnfilled()).toBe(1);
    await writer.query('commit');
    writer.release();
    expect(await migrating).toEqual(['9002_backfill.sql']);
    expect(await countUnfilled()).toBe(0);
  });

  test('a file outside a transaction is no reason for two processes to wait for each other permanently', async () => {
    const newer = await buildWith({ '9001_newer.sql': OUTSIDE });
    const pools = [1, 2, 3].map(() =>
      openDatabase({ url, connectionsMax: 1, applicationName: 'migrate', isPatient: true }),
    );
    const applied = await Promise.all(pools.map((pool) => newer.migrate(pool, { now: NOON })));
    expect(applied.flat().toSorted()).toEqual([...known, '9001_newer.sql']);
    await Promise.all(pools.map((pool) => pool.end()));
  });
});

async function expectWaiting(statement: string): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await database.query(
        `select 1 from pg_stat_activity where datname = current_database() and query like $1
           and wait_event_type = 'Lock'`,
        [`${statement}%`],
      );
      return rows.length;
    })
    .toBe(1);
}

async function validIndexes(pattern: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select relname as name from pg_index join pg_class on oid = indexrelid
     where indisvalid and relname like $1 order by 1`,
    [pattern],
  );
  return rows.map(({ name }) => name);
}

async function countUnfilled(): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'select count(*)::int as count from merchants where newer is null',
  );
  return rows[0]!.count;
}

async function addTwins(): Promise<void> {
  await database.query(
    `insert into merchants (merchant_id, home, company_name, operations, data_key, created_at)
     select gen_random_uuid(), '0001', 'Twin', '{}', '', $1 from generate_series(1, 2)`,
    [NOON],
  );
}

describe('the files themselves', () => {
  test('an index of a table that an earlier file creates is built outside a transaction', async () => {
    const index = 'create unique index newer_by_id\n  on newer (id);\n';
    expect(blockedTables({ sql: index, isOutsideTransaction: false })).toEqual(['newer']);
    expect(blockedTables({ sql: NEWER + index, isOutsideTransaction: false })).toEqual([]);
    expect(blockedTables({ sql: index, isOutsideTransaction: true })).toEqual([]);
    expect((await listMigrations()).flatMap(blockedTables)).toEqual([]);
  });

  test('what runs outside a transaction can be run again', async () => {
    expect(unrepeatable({ sql: OUTSIDE })).toEqual([]);
    expect(unrepeatable({ sql: BACKFILL })).toEqual([]);
    expect(unrepeatable({ sql: 'update merchants set newer = company_name;\n' })).toHaveLength(1);
    expect(unrepeatable({ sql: 'create index concurrently once on merchants (home);\n' })).toHaveLength(1);
    const outside = (await listMigrations()).filter(({ isOutsideTransaction }) => isOutsideTransaction);
    expect(outside.flatMap(unrepeatable)).toEqual([]);
  });
});

/** The tables that nothing can write to while an index of them is built, because another file created them. */
function blockedTables({
  sql,
  isOutsideTransaction,
}: Pick<Migration, 'sql' | 'isOutsideTransaction'>): readonly string[] {
  if (isOutsideTransaction) return [];
  const created = [...sql.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, table]) => table);
  const indexed = [...sql.matchAll(/^create (?:unique )?index \w+\s+on (\w+)/gm)].map(([, table]) => table!);
  return indexed.filter((table) => !created.includes(table));
}

function unrepeatable(migration: Pick<Migration, 'sql'>): readonly string[] {
  return statementsOf(migration).filter((statement) => !REPEATABLE.test(statement));
}

const REPEATABLE = new RegExp(
  [
    'create (unique )?index concurrently if not exists',
    'update \\w+ set [^;]* where [^;]* is null',
    'drop index concurrently if exists',
    'drop schema if exists',
    'create (table|index) if not exists',
    'alter type \\w+ add value if not exists',
    'alter table \\w+ alter column \\w+ (drop not null|set storage)',
    'alter table (\\w+\\.)?\\w+ (drop constraint if exists|set \\()',
  ]
    .map((text) => `^${text}`)
    .join('|'),
);

describe('whether a build can run on a database', () => {
  test('BEHIND names what is missing: all of it, or the newest', async () => {
    expect(await checkSchema(database)).toEqual({ type: 'BEHIND', missing: known });
    expect(await tableExists('migrations')).toBe(false);
    await migrate(database, { now: NOON });
    const newer = await buildWith({ '9001_newer.sql': NEWER, '9002_newest.sql': NEWER });
    expect(await newer.checkSchema(database)).toEqual({
      type: 'BEHIND',
      missing: ['9001_newer.sql', '9002_newest.sql'],
    });
  });

  test('an older build FITS a newer database as long as nothing there is marked as breaking', async () => {
    const newer = await buildWith({ '9001_newer.sql': NEWER });
    await newer.migrate(database, { now: NOON });
    expect(await newer.checkSchema(database)).toEqual({ type: 'FITS' });
    expect(await checkSchema(database)).toEqual({ type: 'FITS' });
    expect(await migrate(database, { now: NOON })).toEqual([]);
  });

  test('a newer file with the breaking marker makes the database TOO_NEW for an older build only', async () => {
    const breaking = `${NEWER}-- breaking: older builds would not write to it.\n`;
    const newer = await buildWith({
      '9001_newer.sql': breaking,
      '9002_newest.sql': '-- Nothing.\nselect 1;',
    });
    await newer.migrate(database, { now: NOON });
    expect(await newer.checkSchema(database)).toEqual({ type: 'FITS' });
    expect(await checkSchema(database)).toEqual({ type: 'TOO_NEW', breaking: ['9001_newer.sql'] });
  });

  test('the marker counts only at the beginning of a line', async () => {
    const newer = await buildWith({ '9001_newer.sql': `${NEWER}select 1; -- breaking: not a marker\n` });
    await newer.migrate(database, { now: NOON });
    expect(await checkSchema(database)).toEqual({ type: 'FITS' });
  });
});
