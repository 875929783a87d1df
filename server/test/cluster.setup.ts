// One PostgreSQL cluster for the whole run, with a migrated template that each test file clones.
import { readFile, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { TestProject } from 'vitest/node';
import { startLocalCluster } from '../src/commands/sandbox/local-cluster.ts';
import { openDatabase } from '../src/store/database.ts';
import { migrate } from '../src/store/schema/migrate.ts';
import { isPoolerWished, POOLED_SERVER_SETTINGS, startPgBouncer } from './pgbouncer.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A database that is the template of all others. */
    readonly templateUrl: string;
    readonly clusterLogPath: string;
    /** Of the PgBouncer before the cluster; empty where there is none. */
    readonly poolerPort: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startLocalCluster({
    parent: await quickFolder(),
    settings: isPoolerWished ? POOLED_SERVER_SETTINGS : [],
  });
  if (cluster === null)
    throw new Error('The tests need PostgreSQL 15 or newer: install its server programs.');
  const database = openDatabase({
    url: cluster.url,
    connectionsMax: 1,
    applicationName: 'template',
    isPatient: true,
  });
  await migrate(database, { now: new Date() });
  await database.end();
  project.provide('templateUrl', cluster.url);
  project.provide('clusterLogPath', cluster.logPath);
  const pooler = isPoolerWished ? await startPgBouncer(cluster.url) : null;
  project.provide('poolerPort', pooler?.port ?? '');
  return async () => {
    const refusals = areRolesWished ? listRefusals(await readFile(cluster.logPath, 'utf8')) : [];
    // Tests that go around it would pass as well.
    const isIdle = pooler !== null && (await pooler.countTransactions()) === 0;
    await pooler?.stop();
    await cluster.stop();
    if (refusals.length > 0) fail(`rights were missing:\n${refusals.join('\n')}`);
    if (isIdle) fail('no transaction went through PgBouncer');
  };
}

/** An error here is shown, and alone would not make the run a failed one. */
function fail(what: string): never {
  process.exitCode = 1;
  throw new Error(what);
}

/**
 * Memory, where there is enough: each test file makes a database, which is 700 files, and to make those on a disk took
 * an eighth of all processor time.
 */
async function quickFolder(): Promise<string> {
  const memory = '/dev/shm';
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > 8_000_000_000 ? memory : tmpdir();
}

/** See lesser-roles.ts. */
const areRolesWished = process.env['MALIPO_TEST_ROLES'] !== undefined;

/** Each refusal for want of a right with its statement: not every test notices what a worker was refused. */
function listRefusals(clusterLog: string): readonly string[] {
  const refusals = clusterLog.matchAll(/(permission denied for .*)\n.*?STATEMENT: ([^]*?)(?=\n\d{4}-)/g);
  return [...new Set([...refusals].map(([, what, text = '']) => `${what}: ${text.replaceAll(/\s+/g, ' ')}`))];
}
