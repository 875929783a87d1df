// With MALIPO_TEST_POOLER=pgbouncer every gateway of a test reaches its database through one PgBouncer in transaction
// mode, without names of statements: so 1.18 needs it. What a test does itself, it does at PostgreSQL.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { inject } from 'vitest';
import { freePort, unprivilegedIdentity } from '../src/commands/sandbox/local-machine.ts';
import { RIGHTS_HOLDERS } from '../src/store/schema/rights.ts';
import { DEFAULT_CONNECTIONS, SESSION_SETTINGS, type ConnectionSettings } from '../src/store/database.ts';

export const isPoolerWished = process.env['MALIPO_TEST_POOLER'] === 'pgbouncer';

/** What a role brings in production. Here the server has it, because tests make roles of their own. */
export const POOLED_SERVER_SETTINGS = Object.entries(SESSION_SETTINGS).map(
  ([name, value]) => `${name}=${value}`,
);

export const TEST_CONNECTIONS: ConnectionSettings = isPoolerWished
  ? { ...DEFAULT_CONNECTIONS, statementNames: 'none', isPooled: true }
  : DEFAULT_CONNECTIONS;

/** The same database as a gateway reaches it. */
export function throughPooler(databaseUrl: string): string {
  if (!isPoolerWished) return databaseUrl;
  const url = new URL(databaseUrl);
  url.port = inject('poolerPort');
  return url.href;
}

/** Where a gateway reaches this database without the pooler, if there is one. */
export function besidePooler(databaseUrl: string): string | null {
  return isPoolerWished ? databaseUrl : null;
}

/** The settings of a process for this database. */
export function poolerEnvironment(databaseUrl: string): Record<string, string> {
  const DATABASE_URL = throughPooler(databaseUrl);
  if (!isPoolerWished) return { DATABASE_URL };
  return {
    DATABASE_URL,
    MALIPO_DATABASE_DIRECT_URL: databaseUrl,
    MALIPO_DATABASE_STATEMENT_NAMES: 'none',
  };
}

export type PgBouncer = {
  readonly port: string;
  /** How many transactions have gone through it. */
  readonly countTransactions: () => Promise<number>;
  readonly stop: () => Promise<void>;
};

const USERS = ['malipo', ...RIGHTS_HOLDERS.map((holder) => `lesser_${holder}`)];

export async function startPgBouncer(databaseUrl: string): Promise<PgBouncer> {
  const identity = await unprivilegedIdentity();
  const directory = await mkdtemp(join(tmpdir(), 'malipo-pgbouncer-'));
  const port = String(await freePort());
  const users = join(directory, 'users.txt');
  await writeFile(users, USERS.map((user) => `"${user}" ""\n`).join(''));
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    stats_users: 'malipo',
    pool_mode: 'transaction',
    max_client_conn: 2_000,
    default_pool_size: 20,
    // Every test has a database of its own: what it no longer needs must not fill the server.
    server_idle_timeout: 2,
  };
  const text = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = join(directory, 'pgbouncer.ini');
  const database = `* = host=127.0.0.1 port=${new URL(databaseUrl).port}`;
  await writeFile(file, ['[databases]', database, '[pgbouncer]', ...text, ''].join('\n'));
  if (identity !== null) await chown(directory, identity.uid, identity.gid);
  const command = ['-c', KEEPER, 'sh', '/usr/sbin/pgbouncer', '-q', file];
  const keeper = spawn('/bin/sh', command, {
    ...identity,
    cwd: directory,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(keeper, 'exit');
  await waitForPort(Number(port));
  return {
    port,
    countTransactions: () => countTransactions(port),
    stop: async () => {
      keeper.stdin.end();
      await ended;
      await rm(directory, { recursive: true });
    },
  };
}

/** As its own console says it. */
async function countTransactions(port: string): Promise<number> {
  const client = new Client({ connectionString: `postgres://malipo@127.0.0.1:${port}/pgbouncer` });
  await client.connect();
  type Row = { readonly database: string; readonly total_xact_count: string };
  const { rows } = await client.query<Row>('show stats');
  await client.end();
  // The last database is the console itself.
  return rows.reduce(
    (sum, row) => sum + (row.database === 'pgbouncer' ? 0 : Number(row.total_xact_count)),
    0,
  );
}

/** Ends it when our end of the pipe closes, which happens even when we are killed. */
const KEEPER = '"$@" & cat > /dev/null; kill $!; wait';

async function waitForPort(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isThere) return;
    await sleep(50);
  }
  throw new Error('PgBouncer did not start: is it installed?');
}
