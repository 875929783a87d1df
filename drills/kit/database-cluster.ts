// PostgreSQL as a host would run it: a primary and a synchronous standby under pg_auto_failover, whose monitor decides
// which one is primary. Nodes are killed completely, with everything that could restart them.
import { execFile } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort, unprivilegedIdentity } from '../../server/src/commands/sandbox/local-machine.ts';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { Child } from './child.ts';
import type { Scratch } from './scratch.ts';

const run = promisify(execFile);

export const NODES = ['n1', 'n2'] as const;
export type NodeName = (typeof NODES)[number];

/** By default a silent node counts as dead after about ten seconds: right for a network, long for a drill. */
const MONITOR_SETTINGS = `
pgautofailover.health_check_period = 500
pgautofailover.health_check_timeout = 1000
pgautofailover.health_check_max_retries = 1
pgautofailover.health_check_retry_delay = 300
pgautofailover.node_considered_unhealthy_timeout = 3000
pgautofailover.primary_demote_timeout = 1500
pgautofailover.startup_grace_period = 1000
fsync = off
`;

/** fsync is off because only processes are killed here, never the machine: file contents survive that. */
const NODE_SETTINGS = `
max_connections = 200
fsync = off
full_page_writes = on
shared_buffers = 128MB
checkpoint_timeout = 1min
wal_keep_size = 512MB
`;

type Identity = Awaited<ReturnType<typeof unprivilegedIdentity>>;

export class DatabaseCluster {
  readonly #scratch: Scratch;
  readonly #identity: Identity;
  readonly #env: Record<string, string>;
  readonly #ports: ReadonlyMap<string, number>;
  readonly #children = new Map<string, Child>();
  #monitor: Client | undefined;

  private constructor(scratch: Scratch, identity: Identity, ports: ReadonlyMap<string, number>) {
    this.#scratch = scratch;
    this.#identity = identity;
    this.#ports = ports;
    const home = scratch.folder('postgres');
    for (const path of [home, scratch.folder('postgres/run')]) this.#own(path);
    this.#env = {
      HOME: home,
      XDG_RUNTIME_DIR: join(home, 'run'),
      PATH: `${findPrograms()}:${process.env['PATH'] ?? ''}`,
    };
  }

  static async start(hooks: ShutdownHooks, scratch: Scratch): Promise<DatabaseCluster> {
    const names = ['monitor', ...NODES];
    const ports = new Map<string, number>();
    for (const name of names) ports.set(name, await freePort());
    const cluster = new DatabaseCluster(scratch, await unprivilegedIdentity(), ports);
    hooks.add(async () => cluster.#monitor?.end().catch(() => undefined));
    await cluster.#createMonitor();
    for (const name of NODES) await cluster.#createNode(name);
    await cluster.waitUntilWhole();
    return cluster;
  }

  port(name: NodeName): number {
    return this.#ports.get(name) ?? 0;
  }

  /** The node that accepts writes, as the monitor sees it; null if there is none. */
  async primary(): Promise<NodeName | null> {
    const states = await this.#states();
    const writable = states.find(
      ({ reported, goal }) => WRITABLE.includes(reported) && WRITABLE.includes(goal),
    );
    return writable?.name ?? null;
  }

  /** Kills a node with all its processes. Returns a function that starts it again. */
  kill(name: NodeName): () => void {
    this.#children.get(name)?.killGroup();
    const postmaster = this.#postmasterOf(name);
    if (postmaster !== null) process.kill(postmaster, 'SIGKILL');
    return () => this.#run(name);
  }

  /** Waits until one node is primary, the other its synchronous standby, and both are healthy. */
  async waitUntilWhole(patienceMs = 60_000): Promise<void> {
    const until = Date.now() + patienceMs;
    for (;;) {
      const states = await this.#states().catch(() => []);
      const reported = states.map((node) => node.reported).toSorted();
      if (reported.join(' ') === 'primary secondary') return;
      if (Date.now() > until) throw new Error(`the database did not become whole: ${JSON.stringify(states)}`);
      await sleep(200);
    }
  }

  async #createMonitor(): Promise<void> {
    await this.#autoctl('create', 'monitor', ...this.#place('monitor'));
    appendFileSync(join(this.#data('monitor'), 'postgresql.conf'), MONITOR_SETTINGS);
    this.#run('monitor');
    await this.#connectToMonitor();
  }

  async #createNode(name: NodeName): Promise<void> {
    const monitor = `postgres://autoctl_node@127.0.0.1:${this.#ports.get('monitor')}/pg_auto_failover`;
    const database = ['--name', name, '--username', 'malipo', '--dbname', 'malipo', '--monitor', monitor];
    await this.#autoctl('create', 'postgres', ...this.#place(name), ...database);
    if (name === 'n1') appendFileSync(join(this.#data(name), 'postgresql.conf'), NODE_SETTINGS);
    this.#run(name);
  }

  #place(name: string): string[] {
    const options = `--pgport ${this.#ports.get(name)} --hostname 127.0.0.1 --auth trust --no-ssl`;
    return ['--pgdata', this.#data(name), ...options.split(' ')];
  }

  #data(name: string): string {
    return join(this.#scratch.path, 'postgres', name);
  }

  async #autoctl(...args: readonly string[]): Promise<void> {
    await run('pg_autoctl', [...args], { env: this.#env, cwd: this.#env['HOME'], ...this.#identity });
  }

  #run(name: string): void {
    const child = new Child({
      command: 'pg_autoctl',
      args: ['run', '--pgdata', this.#data(name)],
      env: this.#env,
      logPath: join(this.#scratch.folder('logs'), `${name}.log`),
      identity: this.#identity,
      cwd: this.#env['HOME'] ?? '/',
    });
    this.#children.set(name, child);
  }

  async #connectToMonitor(): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      const port = this.#ports.get('monitor');
      const client = new Client(`postgres://autoctl_node@127.0.0.1:${port}/pg_auto_failover`);
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query('select 1 from pgautofailover.node');
        this.#monitor = client;
        return;
      } catch (error) {
        await client.end().catch(() => undefined);
        if (tries > 100) throw error;
        await sleep(100);
      }
    }
  }

  async #states(): Promise<readonly { name: NodeName; reported: string; goal: string }[]> {
    const answer = await this.#monitor?.query<{ name: NodeName; reported: string; goal: string }>(
      `select nodename as name, reportedstate::text as reported, goalstate::text as goal
       from pgautofailover.node where health = 1`,
    );
    return answer?.rows ?? [];
  }

  #postmasterOf(name: string): number | null {
    try {
      const [pid = ''] = readFileSync(join(this.#data(name), 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 0);
      return Number(pid);
    } catch {
      return null;
    }
  }

  #own(path: string): void {
    mkdirSync(path, { recursive: true });
    if (this.#identity !== null) chownSync(path, this.#identity.uid, this.#identity.gid);
  }
}

/** The newest PostgreSQL for which pg_auto_failover is installed, in Debian's path. */
function findPrograms(): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  const version = versions.find((name) => existsSync(join(root, name, 'lib/pgautofailover.so')));
  if (version !== undefined) return join(root, version, 'bin');
  throw new Error(
    'pg_auto_failover is missing. Run: apt-get install postgresql-15-auto-failover pg-auto-failover-cli haproxy',
  );
}

/** States of a node that accepts writes. */
const WRITABLE = ['single', 'wait_primary', 'primary', 'join_primary', 'apply_settings'];
