// One PostgreSQL cluster for the whole run, with a migrated template that each test file clones.
import type { TestProject } from 'vitest/node';
import { startLocalCluster } from '../src/commands/sandbox/local-cluster.ts';
import { openDatabase } from '../src/store/database.ts';
import { migrate } from '../src/store/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A database that is the template of all others. */
    readonly templateUrl: string;
    readonly clusterLogPath: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startLocalCluster();
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
  return cluster.stop;
}
