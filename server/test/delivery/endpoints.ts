// Merchants' servers as they are: one that answers, one that answers 500, one that takes requests and says nothing.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Arrival = { readonly eventId: string; readonly text: string; readonly at: number };

export type Endpoint = {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** The most requests at once. */
  readonly atOnceMax: () => number;
  readonly stop: () => Promise<void>;
};

/** `status` null: never answered. `afterMs`: how long it thinks. */
export async function startEndpoint(habit: {
  readonly status: number | null;
  readonly afterMs?: number;
}): Promise<Endpoint> {
  const arrivals: Arrival[] = [];
  let [atOnce, atOnceMax] = [0, 0];
  const server = createServer((request, response) => {
    atOnce += 1;
    atOnceMax = Math.max(atOnceMax, atOnce);
    response.once('close', () => (atOnce -= 1));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const eventId = String(request.headers['malipo-event-id']);
      arrivals.push({ eventId, text: Buffer.concat(chunks).toString(), at: Date.now() });
      const { status } = habit;
      if (status !== null) setTimeout(() => response.writeHead(status).end(), habit.afterMs ?? 0);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    arrivals,
    atOnceMax: () => atOnceMax,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
