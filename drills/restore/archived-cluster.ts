// PostgreSQL with pgBackRest, run by the commands of the page on backup and restore.
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort, unprivilegedIdentity } from '../../server/src/commands/sandbox/local-machine.ts';
import type { Scratch } from '../kit/scratch.ts';
import { Runbook } from './runbook.ts';

const run = promisify(execFile);

/** fsync is off because only processes are killed here, never the machine: file contents survive that. */
const SETTINGS = `
fsync = off
max_connections = 60
listen_addresses = '127.0.0.1'
`;

type Identity = Awaited<ReturnType<typeof unprivilegedIdentity>>;

export class ArchivedCluster {
  readonly runbook: Runbook;
  readonly url: string;
  readonly #home: string;
  readonly #identity: Identity;
  readonly #env: Record<string, string>;

  private constructor(home: string, port: number, identity: Identity) {
    this.#home = home;
    this.#identity = identity;
    this.runbook = new Runbook({ data: this.#path('data'), backups: this.#path('backups') });
    this.url = `postgres://malipo@127.0.0.1:${port}/malipo`;
    this.#env = {
      PATH: `${findPrograms()}:${process.env['PATH'] ?? ''}`,
      PGHOST: '127.0.0.1',
      PGPORT: String(port),
      PGUSER: 'malipo',
      PGDATABASE: 'postgres',
      // What the page leaves to Debian's own paths, and to a server that runs where they say.
      PGBACKREST_CONFIG: this.#path('pgbackrest.conf'),
      PGBACKREST_LOCK_PATH: this.#path('locks'),
      PGBACKREST_LOG_LEVEL_FILE: 'off',
      PGBACKREST_PG1_PORT: String(port),
      PGBACKREST_PG1_SOCKET_PATH: home,
      PGBACKREST_PG1_USER: 'malipo',
    };
  }

  /** `archiveTimeout`: shorter than in the page, if less data should be lost. */
  static async start(
    scratch: Scratch,
    { archiveTimeout }: { readonly archiveTimeout: string | null },
  ): Promise<ArchivedCluster> {
    const identity = await unprivilegedIdentity();
    const cluster = new ArchivedCluster(scratch.folder('postgres'), await freePort(), identity);
    for (const folder of ['', 'backups', 'locks']) cluster.#own(cluster.#path(folder));
    const { runbook } = cluster;
    writeFileSync(cluster.#path('pgbackrest.conf'), runbook.block('pgbackrest'));
    await cluster.#sh(`initdb -D '${cluster.#path('data')}' -U malipo -A trust -E UTF8 --locale=C --no-sync`);
    const configuration = join(cluster.#path('data'), 'postgresql.conf');
    const place = `port = ${cluster.#env['PGPORT']}\nunix_socket_directories = '${cluster.#path('')}'\n`;
    const sooner = archiveTimeout === null ? '' : `\narchive_timeout = ${archiveTimeout}\n`;
    appendFileSync(configuration, SETTINGS + place + runbook.block('settings') + sooner);
    await cluster.#startServer();
    await cluster.#sh('createdb malipo');
    await cluster.#sh(runbook.block('stanza'));
    return cluster;
  }

  async takeBaseBackup(): Promise<void> {
    await this.#sh(this.runbook.block('base backup'));
    await this.#sh(this.runbook.block('verify'));
  }

  /** Whether the page's command notices a backup with one wrong byte. */
  async isDamageNoticed(): Promise<boolean> {
    const path = this.#largestBackupFile();
    const content = readFileSync(path);
    const middle = content.length >> 1;
    const damaged = Buffer.from(content);
    damaged.writeUInt8(damaged.readUInt8(middle) ^ 1, middle);
    writeFileSync(path, damaged);
    const isNoticed = await this.#sh(this.runbook.block('verify')).then(
      () => false,
      () => true,
    );
    writeFileSync(path, content);
    return isNoticed;
  }

  #largestBackupFile(): string {
    const folder = this.#path('backups/backup');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.gz'))
      .map(({ parentPath, name }) => join(parentPath, name));
    const sizes = files.map((path) => ({ path, size: statSync(path).size }));
    return sizes.toSorted((a, b) => b.size - a.size)[0]?.path ?? '';
  }

  /** The machine is lost: nothing is shut down. */
  async lose(): Promise<void> {
    const [pid = ''] = readFileSync(join(this.#path('data'), 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
    // Until init has forgotten it, PostgreSQL does not start beside its lock file. Some take seconds.
    for (let tries = 0; exists(Number(pid)); tries += 1) {
      if (tries === 600) throw new Error('PostgreSQL survived');
      await sleep(100);
    }
    // A remaining connection must not write over the restored database of the same name.
    await sleep(500);
  }

  async restore(moment: Date): Promise<void> {
    await this.#sh(this.runbook.block('restore', moment));
    await this.#startServer();
    await this.#sh(this.runbook.block('promoted'));
  }

  async #startServer(): Promise<void> {
    const log = join(this.#home, 'postgresql.log');
    await this.#sh(`pg_ctl -D '${this.#path('data')}' -l '${log}' -w -t 60 start > /dev/null`);
  }

  async #sh(script: string): Promise<void> {
    await run('/bin/sh', ['-euc', script], { env: this.#env, cwd: this.#home, ...this.#identity });
  }

  #path(name: string): string {
    return join(this.#home, name);
  }

  #own(path: string): void {
    mkdirSync(path, { recursive: true });
    if (this.#identity !== null) chownSync(path, this.#identity.uid, this.#identity.gid);
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The newest PostgreSQL, in Debian's path. */
function findPrograms(): string {
  const root = '/usr/lib/postgresql';
  const [newest] = readdirSync(root).toSorted((a, b) => Number(b) - Number(a));
  if (newest === undefined) throw new Error('there is no PostgreSQL. Run: apt-get install postgresql');
  return join(root, newest, 'bin');
}
