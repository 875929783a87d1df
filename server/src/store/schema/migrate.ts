// Brings a database to this build's schema. Plain forward SQL, one file a step, each in its own transaction, all under
// one advisory lock, so that two processes may start at once. Files that are marked run outside a transaction.
// Until 0.1.0 the files are one baseline by capability, which is edited in place; later changes are new files.
// CONTRIBUTING.md says how to write one.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Tx } from '../database.ts';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);

/** Any fixed number will do; it must only be the same in every build. */
const LOCK = 6_254_726;

/** A file with this line cannot be run beside an older build: an older build then refuses to start. */
const BREAKING_MARKER = /^-- breaking:/m;

/**
 * A file with this line runs statement by statement, each committed by itself: an index of a large table is built
 * CONCURRENTLY, or no one could write meanwhile. A crash leaves the file half done and it runs again from its first
 * line, so each of its statements must be one that can be repeated. A statement ends where a line ends in a semicolon.
 */
const OUTSIDE_MARKER = /^-- outside a transaction:/m;

/**
 * In a file outside a transaction: a statement that changed rows runs again until it changes none. A backfill takes a
 * limited number of rows at a time, or no one could write them meanwhile.
 */
const BATCHES_MARKER = /^-- in batches:/m;

/** A process that waits for the lock asks again after this. */
const LOCK_RETRY_MS = 100;

const CURE =
  'Restore the file as it was released. A database made before 0.1.0 must be created again with this version.';

export type Migration = {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  readonly isBreaking: boolean;
  readonly isOutsideTransaction: boolean;
  readonly isInBatches: boolean;
};

export async function listMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => /^\d{4}_[a-z_]+\.sql$/.test(name)).toSorted();
  return Promise.all(names.map(readMigration));
}

/** Applies what is missing. Answers the names it applied; throws on a file that changed after it was applied. */
export async function migrate(
  database: Database,
  options: { readonly now: Date; readonly onApplied?: (name: string) => void },
): Promise<readonly string[]> {
  return underLock(database, async (tx) => {
    await tx.query(`create table if not exists migrations (
      name text primary key, checksum text not null, is_breaking boolean not null, applied_at timestamptz not null)`);
    const applied: string[] = [];
    for (const migration of await listMigrations()) {
      if (await isApplied(tx, migration)) continue;
      await apply(tx, migration, options.now);
      applied.push(migration.name);
      options.onApplied?.(migration.name);
    }
    return applied;
  });
}

export type SchemaFitness =
  | { readonly type: 'FITS' }
  | { readonly type: 'BEHIND'; readonly missing: readonly string[] }
  /** A newer build made a change this one cannot live with. */
  | { readonly type: 'TOO_NEW'; readonly breaking: readonly string[] };

/** Whether this build can run on the database as it is. */
export async function checkSchema(database: Database): Promise<SchemaFitness> {
  const known = await listMigrations();
  const applied = await listApplied(database);
  const missing = known.filter((migration) => !applied.has(migration.name)).map(({ name }) => name);
  if (missing.length > 0) return { type: 'BEHIND', missing };
  const names = new Set(known.map(({ name }) => name));
  const breaking = [...applied].filter(([name, isBreaking]) => isBreaking && !names.has(name));
  return breaking.length === 0
    ? { type: 'FITS' }
    : { type: 'TOO_NEW', breaking: breaking.map(([name]) => name) };
}

async function readMigration(name: string): Promise<Migration> {
  const sql = await readFile(new URL(name, MIGRATIONS), 'utf8');
  const checksum = createHash('sha256').update(sql).digest('hex');
  return {
    name,
    sql,
    checksum,
    isBreaking: BREAKING_MARKER.test(sql),
    isOutsideTransaction: OUTSIDE_MARKER.test(sql),
    isInBatches: BATCHES_MARKER.test(sql),
  };
}

/**
 * On one connection, whose end frees the lock. It is asked for and not waited for: a statement that waits is a
 * transaction that began, and anyone who builds an index CONCURRENTLY waits for all of those.
 */
async function underLock<Result>(database: Database, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const client = await database.connect();
  let isWell = false;
  try {
    while (!(await takesLock(client))) await sleep(LOCK_RETRY_MS);
    const result = await work(client);
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
    isWell = true;
    return result;
  } finally {
    client.release(!isWell);
  }
}

async function takesLock(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK]);
  return rows[0]?.taken === true;
}

async function isApplied(tx: Tx, migration: Migration): Promise<boolean> {
  const { rows } = await tx.query<{ checksum: string }>('select checksum from migrations where name = $1', [
    migration.name,
  ]);
  if (rows[0] === undefined) return false;
  if (rows[0].checksum === migration.checksum) return true;
  throw new Error(`${migration.name} was changed after it was applied. ${CURE}`);
}

async function apply(tx: Tx, migration: Migration, now: Date): Promise<void> {
  if (migration.isOutsideTransaction) {
    for (const statement of statementsOf(migration)) {
      let changed = await runAlone(tx, statement);
      while (migration.isInBatches && changed > 0) changed = await runAlone(tx, statement);
    }
    await noteApplied(tx, migration, now);
    return;
  }
  // A failure closes the connection, and with it the transaction.
  await tx.query('begin');
  await tx.query(migration.sql);
  await noteApplied(tx, migration, now);
  await tx.query('commit');
}

/** For files outside a transaction only: function bodies, whose lines end in semicolons, do not belong there. */
export function statementsOf({ sql }: Pick<Migration, 'sql'>): readonly string[] {
  return sql
    .replaceAll(/^--.*$/gm, '')
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

const CREATED_INDEX = /^create (?:unique )?index concurrently if not exists (\w+)/;

/**
 * What is left of an index whose building was interrupted is invalid, and would count as there: it goes first. Returns
 * how many rows changed.
 */
async function runAlone(tx: Tx, statement: string): Promise<number> {
  const index = CREATED_INDEX.exec(statement)?.[1];
  if (index !== undefined && (await isInvalid(tx, index))) await tx.query(`drop index concurrently ${index}`);
  return (await tx.query(statement)).rowCount ?? 0;
}

async function isInvalid(tx: Tx, index: string): Promise<boolean> {
  const { rows } = await tx.query(
    'select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  );
  return rows.length > 0;
}

async function noteApplied(tx: Tx, migration: Migration, now: Date): Promise<void> {
  await tx.query('insert into migrations (name, checksum, is_breaking, applied_at) values ($1, $2, $3, $4)', [
    migration.name,
    migration.checksum,
    migration.isBreaking,
    now,
  ]);
}

async function listApplied(database: Database): Promise<ReadonlyMap<string, boolean>> {
  const { rows: tables } = await database.query<{ found: string | null }>(
    `select to_regclass('migrations')::text as found`,
  );
  if ((tables[0]?.found ?? null) === null) return new Map();
  const { rows } = await database.query<{ name: string; is_breaking: boolean }>(
    'select name, is_breaking from migrations',
  );
  return new Map(rows.map((row) => [row.name, row.is_breaking]));
}
