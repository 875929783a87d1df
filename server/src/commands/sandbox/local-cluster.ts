// A PostgreSQL cluster of one's own in a temporary directory, for the sandbox and for tests. It is gone when stopped.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chown, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

export type LocalCluster = {
  readonly url: string;
  /** PostgreSQL's own log. */
  readonly logPath: string;
  readonly stop: () => Promise<void>;
};

export type LocalClusterOptions = {
  /** Server settings, as `name=value`. */
  readonly settings?: readonly string[];
};

const run = promisify(execFile);

/** Where distributions put the server's programs, the newest version first. */
const INSTALLATIONS = ['/usr/lib/postgresql', '/usr/local/opt', '/opt/homebrew/opt', '/usr/pgsql'];

/** Nothing here outlives the command, so nothing need survive a power cut. */
const FAST_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];

/** Answers null when no PostgreSQL server is installed. */
export async function startLocalCluster(options: LocalClusterOptions = {}): Promise<LocalCluster | null> {
  const programs = await findPrograms();
  if (programs === null) return null;
  const identity = await unprivilegedIdentity();
  const directory = await mkdtemp(join(tmpdir(), 'malipo-cluster-'));
  if (identity !== null) await chown(directory, identity.uid, identity.gid);
  const data = join(directory, 'data');
  const as = identity ?? {};
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'malipo', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    {
      ...as,
      cwd: directory,
    },
  );
  const port = await freePort();
  const logPath = join(directory, 'postgresql.log');
  const log = await open(logPath, 'w');
  const settings = [...FAST_SETTINGS, 'listen_addresses=127.0.0.1', ...(options.settings ?? [])];
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-p', String(port), '-k', directory, ...settings.flatMap((setting) => ['-c', setting])],
    { ...as, cwd: directory, stdio: ['ignore', log.fd, log.fd], detached: true },
  );
  await waitUntilReady(programs, server, { port, logPath });
  const url = `postgres://malipo@127.0.0.1:${port}/malipo`;
  await run(join(programs, 'createdb'), ['-h', '127.0.0.1', '-p', String(port), '-U', 'malipo', 'malipo']);
  return {
    url,
    logPath,
    stop: async () => {
      await stopServer(server);
      await log.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
  });
  return promise;
}

async function findPrograms(): Promise<string | null> {
  for (const root of INSTALLATIONS) {
    const entries = await listFolder(root);
    const versions = entries
      .map((name) => ({ name, version: Number(/(\d+)(\.\d+)?$/.exec(name)?.[1] ?? 0) }))
      .filter(({ version }) => version >= 15)
      .toSorted((a, b) => b.version - a.version);
    for (const { name } of versions) {
      const programs = join(root, name, 'bin');
      if ((await listFolder(programs)).includes('initdb')) return programs;
    }
  }
  return null;
}

async function listFolder(path: string): Promise<readonly string[]> {
  return readdir(path).catch((): string[] => []);
}

/** PostgreSQL refuses to run as root: then it runs as the user that packages make for it, or as nobody. */
async function unprivilegedIdentity(): Promise<{ readonly uid: number; readonly gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  for (const user of ['postgres', 'nobody']) {
    const uid = await run('id', ['-u', user]).catch(() => null);
    const gid = await run('id', ['-g', user]).catch(() => null);
    if (uid !== null && gid !== null) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and there is no user "postgres" or "nobody" to run it as.',
  );
}

async function waitUntilReady(
  programs: string,
  server: ChildProcess,
  { port, logPath }: { readonly port: number; readonly logPath: string },
): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (server.exitCode !== null) break;
    const ready = await run(join(programs, 'pg_isready'), [
      '-q',
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
    ]).catch(() => null);
    if (ready !== null) return;
    await sleep(100);
  }
  throw new Error(`PostgreSQL did not start; its log is ${logPath}`);
}

/** Fast shutdown: open connections are cut, nothing is waited for. */
async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  server.once('exit', () => resolve());
  server.kill('SIGINT');
  await promise;
}
