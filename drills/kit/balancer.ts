// HAProxy in front of the database and the API processes: the database's address leads to the node that Patroni calls
// primary, by the lines of docs/operating/database.md, and a request goes to an API process that answers. Connections
// that are there when the primary changes are left alone: the gateway has to notice by itself.
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { startProxy } from './processes.ts';
import { NODES, type DatabaseCluster } from './database-cluster.ts';
import { readDatabasePage } from './database-page.ts';
import type { Scratch } from './scratch.ts';

export type Balancer = {
  readonly databaseUrl: string;
  readonly apiUrl: string;
  /** Cuts every connection to the database. */
  readonly cutConnections: () => Promise<void>;
  /** The same, and refuses new connections for this long. */
  readonly refuseDatabase: (forMs: number) => Promise<void>;
};

export async function startBalancer(
  hooks: ShutdownHooks,
  scratch: Scratch,
  { cluster, apiPorts }: { readonly cluster: DatabaseCluster; readonly apiPorts: readonly number[] },
): Promise<Balancer> {
  const [databasePort, apiPort] = [await freePort(), await freePort()];
  const folder = scratch.folder('haproxy');
  const socketPath = join(folder, 'control.sock');
  const configPath = join(folder, 'haproxy.cfg');
  writeFileSync(configPath, renderConfig({ socketPath, databasePort, apiPort, cluster, apiPorts }));
  startProxy(hooks, scratch, configPath);
  const command = (text: string) => send(socketPath, text);
  const cutConnections = async () => {
    for (const name of NODES) await command(`shutdown sessions server database/${name}`);
  };
  const setAll = async (state: 'maint' | 'ready') => {
    for (const name of NODES) await command(`set server database/${name} state ${state}`);
  };
  return {
    databaseUrl: `postgres://malipo@127.0.0.1:${databasePort}/malipo`,
    apiUrl: `http://127.0.0.1:${apiPort}`,
    cutConnections,
    refuseDatabase: async (forMs) => {
      await setAll('maint');
      try {
        await cutConnections();
        await sleep(forMs);
      } finally {
        await setAll('ready');
      }
    },
  };
}

function send(socketPath: string, text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(socketPath, () => socket.end(`${text}\n`));
  socket.on('error', reject);
  socket.on('close', () => resolve());
  socket.resume();
  return promise;
}

function renderConfig(options: {
  readonly socketPath: string;
  readonly databasePort: number;
  readonly apiPort: number;
  readonly cluster: DatabaseCluster;
  readonly apiPorts: readonly number[];
}): string {
  const { socketPath, databasePort, apiPort, cluster, apiPorts } = options;
  const apis = apiPorts.map(
    (port, index) => `  server api${index + 1} 127.0.0.1:${port} check inter 300 fall 1 rise 1`,
  );
  // As in deploy/haproxy.cfg, which the page's lines have to stand beside.
  return `global
  stats socket ${socketPath} mode 600 level admin
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
${renderDatabase(databasePort, cluster)}
listen api
  mode tcp
  timeout client 1h
  timeout server 1h
  bind 127.0.0.1:${apiPort}
  balance roundrobin
  option httpchk GET /health
  option redispatch
${apis.join('\n')}
`;
}

/** The page's lines, with the addresses of this run. */
function renderDatabase(port: number, cluster: DatabaseCluster): string {
  const text = readDatabasePage('text', 'listen database').replace('10.0.0.5:5432', `127.0.0.1:${port}`);
  return NODES.reduce((lines, name, index) => {
    const [node, health] = [cluster.port(name), cluster.healthPort(name)];
    return lines.replace(
      `10.0.0.1${index + 1}:5432 check port 8008`,
      `127.0.0.1:${node} check port ${health}`,
    );
  }, text);
}
