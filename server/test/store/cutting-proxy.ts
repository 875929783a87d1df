// A wire to PostgreSQL that can be cut at the worst moment: after COMMIT was done, before its answer arrives.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type CuttingProxy = {
  /** The same database, reached through the wire. */
  readonly url: string;
  /** The next COMMIT is carried out, and its answer is lost with the connection. Answers when that has happened. */
  readonly cutAfterNextCommit: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** COMMIT as a simple query: its type, its length, its text. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1');

export async function startCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let cut: (() => void) | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let isDoomed: (() => void) | undefined;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    client.on('data', (chunk) => {
      if (cut !== undefined && chunk.includes(COMMIT)) [isDoomed, cut] = [cut, undefined];
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (isDoomed === undefined) return void client.write(chunk);
      client.destroy();
      isDoomed();
    });
    client.on('close', () => upstream.end());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cutAfterNextCommit: () =>
      new Promise((resolve) => {
        cut = resolve;
      }),
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
