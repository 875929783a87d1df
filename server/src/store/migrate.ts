// Brings a database to this build's schema. Plain forward SQL, one file a step, each in its own transaction under
// one advisory lock, so that two processes may start at once.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { inTransaction, type Database, type Tx } from './database.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);

/** Any fixed number will do; it must only be the same in every build. */
const LOCK = 6_254_726;

/** A file with this line cannot be run beside an older build: an older build then refuses to start. */
const BREAKING_MARKER = /^-- breaking:/m;

export type Migration = {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  readonly isBreaking: boolean;
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
  await createMigrationsTable(database);
  const applied: string[] = [];
  for (const migration of await listMigrations()) {
    const isNew = await inTransaction(database, (tx) => applyOnce(tx, migration, options.now));
    if (!isNew) continue;
    applied.push(migration.name);
    options.onApplied?.(migration.name);
  }
  return applied;
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
  return { name, sql, checksum, isBreaking: BREAKING_MARKER.test(sql) };
}

async function createMigrationsTable(database: Database): Promise<void> {
  await inTransaction(database, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [LOCK]);
    await tx.query(`create table if not exists migrations (
      name text primary key, checksum text not null, is_breaking boolean not null, applied_at timestamptz not null)`);
  });
}

async function applyOnce(tx: Tx, migration: Migration, now: Date): Promise<boolean> {
  await tx.query('select pg_advisory_xact_lock($1)', [LOCK]);
  const { rows } = await tx.query<{ checksum: string }>('select checksum from migrations where name = $1', [
    migration.name,
  ]);
  if (rows[0] !== undefined) {
    if (rows[0].checksum === migration.checksum) return false;
    throw new Error(`${migration.name} was changed after it was applied; write a new migration instead`);
  }
  await tx.query(migration.sql);
  await tx.query('insert into migrations (name, checksum, is_breaking, applied_at) values ($1, $2, $3, $4)', [
    migration.name,
    migration.checksum,
    migration.isBreaking,
    now,
  ]);
  return true;
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
