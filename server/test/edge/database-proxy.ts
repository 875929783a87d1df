// A way to PostgreSQL that can be cut: a TCP proxy between a gateway and its database.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type DatabaseProxy = {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** OPEN lets everything through; CUT refuses and breaks connections; SILENT takes everything and answers nothing. */
  readonly become: (state: 'OPEN' | 'CUT' | 'SILENT') => void;
  readonly stop: () => Promise<void>;
};

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let state: Parameters<DatabaseProxy['become']>[0] = 'OPEN';

  const server = createServer((client) => {
    if (state === 'CUT') return void client.destroy();
    const database = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => state === 'OPEN' && to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  const breakConnections = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    become: (wanted) => {
      // What was swallowed is lost, so connections that were silent are of no use any more.
      if (wanted === 'CUT' || state === 'SILENT') breakConnections();
      state = wanted;
    },
    stop: async () => {
      breakConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
