// PostgreSQL as a host would run it: a primary and a synchronous standby under Patroni, which agree through etcd on
// which one is primary. Nodes are killed completely, with everything that could restart them.
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort, unprivilegedIdentity } from '../../server/src/commands/sandbox/local-machine.ts';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { Child } from './child.ts';
import type { Scratch } from './scratch.ts';

export const NODES = ['n1', 'n2'] as const;
export type NodeName = (typeof NODES)[number];

/** A silent primary counts as dead after ten seconds: the least that Patroni takes without complaint. */
const AGREEMENT = { ttl: 10, loop_wait: 2, retry_timeout: 3, synchronous_mode: true };

/** fsync is off because only processes are killed here, never the machine: file contents survive that. */
const NODE_SETTINGS = {
  max_connections: 200,
  fsync: 'off',
  full_page_writes: 'on',
  shared_buffers: '128MB',
  checkpoint_timeout: '1min',
  // More than is written between two checkpoints: a killed primary comes back only with all of it.
  wal_keep_size: '8GB',
  unix_socket_directories: '',
};

const ANYONE_HERE = ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'];

type Identity = Awaited<ReturnType<typeof unprivilegedIdentity>>;
type NodePorts = {
  readonly database: number;
  /** Where Patroni says what the node is. */
  readonly health: number;
};
type Member = { readonly name: NodeName; readonly role: string; readonly state: string };

export class DatabaseCluster {
  readonly #scratch: Scratch;
  readonly #identity: Identity;
  readonly #ports: ReadonlyMap<NodeName, NodePorts>;
  readonly #children = new Map<NodeName, Child>();

  private constructor(scratch: Scratch, identity: Identity, ports: ReadonlyMap<NodeName, NodePorts>) {
    this.#scratch = scratch;
    this.#identity = identity;
    this.#ports = ports;
    this.#own(scratch.folder('postgres'));
  }

  static async start(hooks: ShutdownHooks, scratch: Scratch): Promise<DatabaseCluster> {
    const ports = new Map<NodeName, NodePorts>();
    for (const name of NODES) ports.set(name, { database: await freePort(), health: await freePort() });
    const cluster = new DatabaseCluster(scratch, await unprivilegedIdentity(), ports);
    const agreement = await cluster.#startEtcd(hooks);
    for (const name of NODES) cluster.#configure(name, agreement);
    // The first one makes the cluster, and the other one copies it.
    cluster.#run('n1');
    await cluster.#createDatabase();
    cluster.#run('n2');
    hooks.add(async () => {
      for (const name of NODES) cluster.kill(name);
    });
    await cluster.waitUntilWhole();
    return cluster;
  }

  port(name: NodeName): number {
    return this.#ports.get(name)?.database ?? 0;
  }

  healthPort(name: NodeName): number {
    return this.#ports.get(name)?.health ?? 0;
  }

  /** The node that accepts writes, as it says itself; null if there is none. */
  async primary(): Promise<NodeName | null> {
    for (const name of NODES) {
      const answer = await this.#ask(name, '/primary');
      if (answer?.status === 200) return name;
    }
    return null;
  }

  /** Kills a node with all its processes. Returns a function that starts it again. */
  kill(name: NodeName): () => void {
    this.#children.get(name)?.killGroup();
    const postmaster = this.#postmasterOf(name);
    if (postmaster !== null) process.kill(postmaster, 'SIGKILL');
    return () => this.#run(name);
  }

  /** Makes the standby primary, and the primary its standby, as before the maintenance of a machine. */
  async switchOver(): Promise<void> {
    const leader = await this.primary();
    if (leader === null) throw new Error('there is no primary');
    const candidate = NODES.find((name) => name !== leader);
    const answer = await fetch(`http://127.0.0.1:${this.healthPort(leader)}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader, candidate }),
      signal: AbortSignal.timeout(30_000),
    });
    if (!answer.ok) throw new Error(`no switchover: ${answer.status} ${await answer.text()}`);
  }

  /** Waits until one node is primary, the other its synchronous standby, and both run. */
  async waitUntilWhole(patienceMs = 90_000): Promise<void> {
    const until = Date.now() + patienceMs;
    for (;;) {
      const members = await this.#members();
      const roles = members.map(({ role }) => role).toSorted();
      if (roles.join(' ') === 'leader sync_standby' && members.every(isRunning)) return;
      if (Date.now() > until)
        throw new Error(`the database did not become whole: ${JSON.stringify(members)}`);
      await sleep(200);
    }
  }

  async #members(): Promise<readonly Member[]> {
    for (const name of NODES) {
      const answer = await this.#ask(name, '/cluster');
      if (answer?.ok === true) return ((await answer.json()) as { members: readonly Member[] }).members;
    }
    return [];
  }

  #ask(name: NodeName, path: string): Promise<Response | null> {
    const url = `http://127.0.0.1:${this.healthPort(name)}${path}`;
    return fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
  }

  async #startEtcd(hooks: ShutdownHooks): Promise<string> {
    const [client, peer] = [`127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
    const folder = join(this.#scratch.folder('etcd'), 'data');
    const options = {
      'data-dir': folder,
      'listen-client-urls': `http://${client}`,
      'advertise-client-urls': `http://${client}`,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': `default=${peer}`,
    };
    const child = new Child({
      command: requireProgram('/usr/bin/etcd'),
      args: Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
      logPath: join(this.#scratch.folder('logs'), 'etcd.log'),
    });
    hooks.add(() => child.end());
    return client;
  }

  #configure(name: NodeName, agreement: string): void {
    const health = `127.0.0.1:${this.healthPort(name)}`;
    const database = `127.0.0.1:${this.port(name)}`;
    const superuser = { username: 'postgres' };
    const config = {
      scope: 'malipo',
      name,
      restapi: { listen: health, connect_address: health },
      etcd3: { host: agreement },
      bootstrap: {
        dcs: { ...AGREEMENT, postgresql: { use_pg_rewind: true, parameters: NODE_SETTINGS } },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, { auth: 'trust' }],
      },
      postgresql: {
        listen: database,
        connect_address: database,
        data_dir: this.#data(name),
        bin_dir: findPrograms(),
        pgpass: join(this.#scratch.path, 'postgres', `${name}.pgpass`),
        authentication: { superuser, replication: { username: 'replicator' }, rewind: superuser },
        pg_hba: ANYONE_HERE,
        // The copy for the standby waits for a checkpoint, which is otherwise spread over a minute.
        basebackup: { checkpoint: 'fast' },
      },
    };
    // JSON is YAML.
    writeFileSync(this.#configPath(name), JSON.stringify(config));
  }

  #run(name: NodeName): void {
    const child = new Child({
      command: requireProgram('/usr/bin/patroni'),
      args: [this.#configPath(name)],
      env: { HOME: this.#scratch.folder('postgres') },
      logPath: join(this.#scratch.folder('logs'), `${name}.log`),
      identity: this.#identity,
      cwd: this.#scratch.folder('postgres'),
    });
    this.#children.set(name, child);
  }

  async #createDatabase(): Promise<void> {
    for (let tries = 0; (await this.primary()) === null; tries += 1) {
      if (tries > 300) throw new Error('Patroni made no database: see its log');
      await sleep(200);
    }
    const client = new Client(`postgres://postgres@127.0.0.1:${this.port('n1')}/postgres`);
    await client.connect();
    await client.query('create role malipo login createrole');
    await client.query('create database malipo owner malipo');
    await client.end();
  }

  #data(name: NodeName): string {
    return join(this.#scratch.path, 'postgres', name);
  }

  #configPath(name: NodeName): string {
    return join(this.#scratch.path, 'postgres', `${name}.yml`);
  }

  #postmasterOf(name: NodeName): number | null {
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

function isRunning({ state }: Member): boolean {
  return state === 'running' || state === 'streaming';
}

/** The newest PostgreSQL in Debian's path. */
function findPrograms(): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  return requireProgram(join(root, versions[0] ?? '', 'bin'));
}

function requireProgram(path: string): string {
  if (existsSync(path)) return path;
  throw new Error(
    `${path} is missing. Run: apt-get install postgresql patroni etcd-server haproxy pgbouncer`,
  );
}
