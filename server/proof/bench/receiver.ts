// The merchants' server: takes callbacks, acknowledges them, and remembers when.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A payment whose callback has not come by then is an error of the run. */
const PATIENCE_MS = 30_000;

export class Receiver {
  readonly #server: Server;
  readonly #waiting = new Map<string, () => void>();
  #onArrival: () => void = () => undefined;

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.writeHead(200).end();
        this.#acknowledge(Buffer.concat(chunks).toString());
      });
    });
  }

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/callbacks`;
  }

  /** Until the callback of a payment is acknowledged. To be asked before the payment is started. */
  acknowledged(id: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const patience = setTimeout(() => reject(new Error(`no callback came for ${id}`)), PATIENCE_MS);
    this.#waiting.set(id, () => {
      clearTimeout(patience);
      resolve();
    });
    // Its owner may fail before it looks here.
    promise.catch(() => undefined);
    return promise;
  }

  /** Until as many callbacks were acknowledged, whatever they are about. Answers the seconds from first to last. */
  arrivals(count: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const patience = setTimeout(() => reject(new Error('callbacks are missing')), PATIENCE_MS);
    let [arrived, firstAt] = [0, 0];
    this.#onArrival = () => {
      arrived += 1;
      if (arrived === 1) firstAt = performance.now();
      if (arrived < count) return;
      clearTimeout(patience);
      resolve((performance.now() - firstAt) / 1_000);
    };
    return promise;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #acknowledge(text: string): void {
    const id = /"(?:deposit|payout)Id":"([^"]+)"/.exec(text)?.[1] ?? '';
    this.#waiting.get(id)?.();
    this.#waiting.delete(id);
    this.#onArrival();
  }
}
