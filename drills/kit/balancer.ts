// HAProxy in front of the database and the API processes, as a host would have it: the database's address always leads
// to the primary, and a request goes to an API process that answers.
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { startProxy } from './processes.ts';
import { NODES, type DatabaseCluster, type NodeName } from './database-cluster.ts';
import type { Scratch } from './scratch.ts';

export type Balancer = {
  readonly databaseUrl: string;
  readonly apiUrl: string;
  /** Cuts every connection to the database. */
  readonly cutConnections: () => Promise<void>;
  /** The same, and refuses new connections for this long. */
  readonly refuseDatabase: (forMs: number) => Promise<void>;
};

/** How often the monitor is asked for the primary. */
const FOLLOW_MS = 150;

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
  let isStopped = false;
  let isRefusing = false;
  const following = follow({ cluster, command, isRefusing: () => isRefusing, isStopped: () => isStopped });
  following.catch(() => undefined);
  hooks.add(async () => {
    isStopped = true;
  });
  const cutConnections = async () => {
    for (const name of NODES) await command(`shutdown sessions server database/${name}`);
  };
  return {
    databaseUrl: `postgres://malipo@127.0.0.1:${databasePort}/malipo`,
    apiUrl: `http://127.0.0.1:${apiPort}`,
    cutConnections,
    refuseDatabase: async (forMs) => {
      isRefusing = true;
      try {
        for (const name of NODES) await command(`set server database/${name} state maint`);
        await cutConnections();
        await sleep(forMs);
      } finally {
        isRefusing = false;
      }
    },
  };
}

type Following = {
  readonly cluster: DatabaseCluster;
  readonly command: (text: string) => Promise<void>;
  readonly isRefusing: () => boolean;
  readonly isStopped: () => boolean;
};

/** Points the database's address to the primary, and cuts connections to the old one. */
async function follow({ cluster, command, isRefusing, isStopped }: Following): Promise<void> {
  let current: NodeName | null = null;
  while (!isStopped()) {
    if (isRefusing()) current = null;
    const primary = isRefusing() ? null : await cluster.primary().catch(() => null);
    if (primary !== null && primary !== current && !isRefusing()) {
      try {
        for (const name of NODES) {
          await command(`set server database/${name} state ${name === primary ? 'ready' : 'maint'}`);
          if (name !== primary) await command(`shutdown sessions server database/${name}`);
        }
        current = primary;
      } catch {
        // HAProxy is not listening yet: try again soon.
      }
    }
    await sleep(FOLLOW_MS);
  }
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
  const nodes = NODES.map((name) => `  server ${name} 127.0.0.1:${cluster.port(name)} disabled`);
  const apis = apiPorts.map(
    (port, index) => `  server api${index + 1} 127.0.0.1:${port} check inter 300 fall 1 rise 1`,
  );
  return `global
  stats socket ${socketPath} mode 600 level admin
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen database
  bind 127.0.0.1:${databasePort}
${nodes.join('\n')}
listen api
  bind 127.0.0.1:${apiPort}
  balance roundrobin
  option httpchk GET /health
  option redispatch
${apis.join('\n')}
`;
}
