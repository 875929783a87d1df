// Where a process listens: the door for everybody, and, where there is one, that for whoever runs the process.
import { ConfigError } from '../../config-values.ts';
import type { Config } from '../../config.ts';
import type { Engine } from '../../core/engine.ts';
import { createHealthServer, createServer, type ServerOptions } from '../../edge/server.ts';
import type { Closings } from './shutdown-hooks.ts';
import type { Role } from './compose.ts';

export type Doors = {
  readonly url: string;
  /** Null where metrics are at the door for everybody. */
  readonly operationsUrl: string | null;
  /** Hears nobody any more at the door for everybody, and answers who was heard. */
  readonly close: () => Promise<void>;
};

export type DoorOptions = ServerOptions & { readonly role: Role; readonly closings: Closings };

type Place = { readonly host: string; readonly port: number };
type Server = Awaited<ReturnType<typeof createServer>>;

export async function openDoors(engine: Engine, config: Config, options: DoorOptions): Promise<Doors> {
  const { closings, role } = options;
  const { operations } = config;
  const open = async (server: Server, place: Place) => {
    closings.add(() => server.close());
    return { url: await listen(server, place), close: () => server.close() };
  };
  const openHealth = async (place: Place) => open(await createHealthServer(engine, options), place);
  // A worker has nothing for everybody.
  if (role === 'worker') return { ...(await openHealth(operations ?? config)), operationsUrl: null };
  // Opened first, so that it is closed last: how a process stops can be watched.
  const inside = operations === null ? null : await openHealth(operations);
  const server = await createServer(engine, { ...options, areMetricsElsewhere: inside !== null });
  return { ...(await open(server, config)), operationsUrl: inside?.url ?? null };
}

async function listen(server: Server, { host, port }: Place): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw isTaken ? new ConfigError(`Port ${port} of ${host} is in use. Choose another one.`) : error;
  }
}
