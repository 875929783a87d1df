// A database of a test's own, cloned from the migrated template.
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

export type TestDatabase = { readonly url: string; readonly drop: () => Promise<void> };

/** Everything PostgreSQL can be told to write down about a database. */
const TALKATIVE = [
  "log_statement = 'all'",
  'log_min_duration_statement = 0',
  'log_parameter_max_length_on_error = -1',
];

export async function createTestDatabase({ isTalkative = false } = {}): Promise<TestDatabase> {
  const template = new URL(inject('templateUrl')).pathname.slice(1);
  return create(`template ${template}`, isTalkative ? TALKATIVE : []);
}

/** Without a table, as a host makes it. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return create('encoding UTF8 template template0', []);
}

async function create(how: string, settings: readonly string[]): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onMaintenanceDatabase(async (client) => {
    await client.query(`create database ${name} ${how}`);
    for (const setting of settings) await client.query(`alter database ${name} set ${setting}`);
  });
  const url = new URL(inject('templateUrl'));
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () =>
      onMaintenanceDatabase((client) => client.query(`drop database if exists ${name} with (force)`)),
  };
}

/** Clones wait for each other: PostgreSQL allows no one else in a template while it is copied. */
async function onMaintenanceDatabase(work: (client: Client) => Promise<unknown>): Promise<void> {
  const url = new URL(inject('templateUrl'));
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(1)');
    await work(client);
  } finally {
    await client.end();
  }
}
