// PostgreSQL for a run: its own cluster with the schema, deleted when the run is over.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  startLocalCluster,
  type LocalClusterOptions,
} from '../../server/src/commands/sandbox/local-cluster.ts';
import { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { openDatabase, type Database } from '../../server/src/store/database.ts';
import { migrate } from '../../server/src/store/schema/migrate.ts';

/** Runs a function, and stops everything that was started in reverse order, also if it fails. */
export async function withHooks<Result>(work: (hooks: ShutdownHooks) => Promise<Result>): Promise<Result> {
  const hooks = new ShutdownHooks();
  try {
    return await work(hooks);
  } finally {
    await hooks.run();
  }
}

/** Returns the address of its database. */
export async function startCluster(hooks: ShutdownHooks, options: LocalClusterOptions = {}): Promise<string> {
  const cluster = await startLocalCluster(options);
  if (cluster === null) throw new Error('PostgreSQL 15 or newer is needed: install its server programs.');
  hooks.add(cluster.stop);
  return cluster.url;
}

/** The same, with the schema. */
export async function startDatabase(
  hooks: ShutdownHooks,
  options: LocalClusterOptions = {},
): Promise<string> {
  const url = await startCluster(hooks, options);
  await migrateDatabase(url);
  return url;
}

/** Retries: the load balancer may need a moment to find the primary. */
export async function migrateDatabase(url: string): Promise<void> {
  await inDatabase(url, async (database) => {
    for (let tries = 1; ; tries += 1) {
      try {
        await migrate(database, { now: new Date() });
        return;
      } catch (error) {
        if (tries === 50) throw error;
        await sleep(100);
      }
    }
  });
}

export async function inDatabase<Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase({ url, connectionsMax: 1, applicationName: 'drill', isPatient: true });
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}

/** Stays open for the run. */
export function openRunDatabase(hooks: ShutdownHooks, url: string, connectionsMax = 2): Database {
  const database = openDatabase({ url, connectionsMax, applicationName: 'drill', isPatient: true });
  hooks.add(() => database.end());
  return database;
}
