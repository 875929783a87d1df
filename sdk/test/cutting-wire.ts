// A wire to the gateway that is cut at the worst moments: byte by byte, as networks do it, and not as a mock would.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Where an exchange is cut: after so many bytes of the request, or of the answer, have passed. */
export type Cut = { readonly of: 'request' | 'answer'; readonly afterBytes: number };

export type CuttingWire = {
  /** The gateway, reached through the wire. */
  readonly url: string;
  /** How many exchanges were cut so far. */
  readonly cutCount: () => number;
  readonly stop: () => Promise<void>;
};

/** `plan` is asked once for each exchange, a request with its answer. Null lets it pass. */
export async function startCuttingWire(gatewayUrl: string, plan: () => Cut | null): Promise<CuttingWire> {
  const { hostname, port } = new URL(gatewayUrl);
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let exchange: Exchange | null = null;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    const pass = (of: Cut['of'], chunk: Buffer) => {
      // The first bytes of a request after those of an answer begin a new exchange.
      if (exchange === null || (of === 'request' && exchange.seen.answer > 0)) exchange = begin(plan());
      const { cut, seen } = exchange;
      const [from, to] = of === 'request' ? [client, upstream] : [upstream, client];
      const isLast = cut?.of === of && seen[of] + chunk.length > cut.afterBytes;
      const kept = isLast ? chunk.subarray(0, Math.max(0, cut.afterBytes - seen[of])) : chunk;
      seen[of] += chunk.length;
      if (!isLast) return void to.write(kept);
      cuts += 1;
      from.destroy();
      // What has passed arrives; then the line is dead in both directions.
      to.end(kept);
    };
    client.on('data', (chunk) => pass('request', chunk)).on('close', () => upstream.end());
    upstream.on('data', (chunk) => pass('answer', chunk)).on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutCount: () => cuts,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

type Exchange = { readonly cut: Cut | null; readonly seen: { request: number; answer: number } };

const begin = (cut: Cut | null): Exchange => ({ cut, seen: { request: 0, answer: 0 } });
