// PostgreSQL with an archive of its log, run by the commands of the page on backup and restore.
import { execFile } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
unix_socket_directories = ''
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
    };
  }

  /** `archiveTimeout`: shorter than in the page, if less data should be lost. */
  static async start(
    scratch: Scratch,
    { archiveTimeout }: { readonly archiveTimeout: string | null },
  ): Promise<ArchivedCluster> {
    const identity = await unprivilegedIdentity();
    const cluster = new ArchivedCluster(scratch.folder('postgres'), await freePort(), identity);
    for (const folder of ['', 'bin', 'backups', 'backups/wal']) cluster.#own(cluster.#path(folder));
    const { runbook } = cluster;
    writeFileSync(cluster.#path('bin/archive-wal'), runbook.block('archive-wal'));
    await cluster.#sh(`initdb -D '${cluster.#path('data')}' -U malipo -A trust -E UTF8 --locale=C --no-sync`);
    const configuration = join(cluster.#path('data'), 'postgresql.conf');
    const port = `port = ${cluster.#env['PGPORT']}\n`;
    const sooner = archiveTimeout === null ? '' : `\narchive_timeout = ${archiveTimeout}\n`;
    appendFileSync(configuration, SETTINGS + port + runbook.block('settings') + sooner);
    await cluster.#startServer();
    await cluster.#sh('createdb malipo');
    return cluster;
  }

  async takeBaseBackup(): Promise<void> {
    await this.#sh(this.runbook.block('base backup'));
  }

  /** The machine is lost: nothing is shut down. */
  async lose(): Promise<void> {
    const [pid = ''] = readFileSync(join(this.#path('data'), 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
    for (let tries = 0; await this.#answers(); tries += 1) {
      if (tries === 100) throw new Error('PostgreSQL survived');
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

  async #answers(): Promise<boolean> {
    return this.#sh('pg_isready -q').then(
      () => true,
      () => false,
    );
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

/** The newest PostgreSQL, in Debian's path. */
function findPrograms(): string {
  const root = '/usr/lib/postgresql';
  const [newest] = readdirSync(root).toSorted((a, b) => Number(b) - Number(a));
  if (newest === undefined) throw new Error('there is no PostgreSQL. Run: apt-get install postgresql');
  return join(root, newest, 'bin');
}
