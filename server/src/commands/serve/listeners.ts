// Where a process listens: the public listener, and, where there is one, that for anyone who runs the process.
import { once } from 'node:events';
import { createServer as createNetServer } from 'node:net';
import { ConfigError } from '../../config-values.ts';
import type { Config } from '../../config.ts';
import type { Engine } from '../../core/engine.ts';
import { createHealthServer, createServer, type ServerOptions } from '../../edge/server.ts';
import type { ShutdownHooks } from './shutdown-hooks.ts';
import type { Role } from './compose.ts';

export type Listeners = {
  readonly url: string;
  /** Null where metrics are at the public listener. */
  readonly metricsUrl: string | null;
  /** Hears no one any more at the public listener, and answers who was heard. */
  readonly close: () => Promise<void>;
};

export type ListenerOptions = ServerOptions & { readonly role: Role; readonly shutdownHooks: ShutdownHooks };

export class PortInUse extends ConfigError {
  readonly port: number;

  constructor({ host, port }: Place) {
    super(`Port ${port} of ${host} is in use. Set another port.`);
    this.port = port;
  }
}

type Place = { readonly host: string; readonly port: number };
type Server = Awaited<ReturnType<typeof createServer>>;

export async function openListeners(
  engine: Engine,
  config: Config,
  options: ListenerOptions,
): Promise<Listeners> {
  const { shutdownHooks, role } = options;
  const { metricsListener } = config;
  const open = async (server: Server, place: Place) => {
    shutdownHooks.add(() => server.close());
    return { url: await listen(server, place), close: () => server.close() };
  };
  const openHealth = async (place: Place) => open(await createHealthServer(engine, options), place);
  // A worker has nothing for everybody.
  if (role === 'worker') return { ...(await openHealth(metricsListener ?? config)), metricsUrl: null };
  // Opened first, so that it is closed last: how a process stops can be watched.
  const inside = metricsListener === null ? null : await openHealth(metricsListener);
  const server = await createServer(engine, { ...options, haveMetricsOwnListener: inside !== null });
  return { ...(await open(server, config)), metricsUrl: inside?.url ?? null };
}

async function listen(server: Server, { host, port }: Place): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    throw isTaken(error) ? new PortInUse({ host, port }) : error;
  }
}

/** Asked before slow work, so that a taken port is known at once. */
export async function requireFreePort({ host, port }: Place): Promise<void> {
  const server = createNetServer();
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    throw isTaken(error) ? new PortInUse({ host, port }) : error;
  }
  await once(server.close(), 'close');
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
