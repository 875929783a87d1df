// The merchants' server: receives callbacks, acknowledges them, and records when. It parses only the necessary part of
// HTTP, because it shares the machine with the gateway.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A payment whose callback has not come by then is an error of the run. */
const PATIENCE_MS = 30_000;

const HEAD_END = '\r\n\r\n';
const ACKNOWLEDGEMENT = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';

type Waiting = {
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
};

export class Receiver {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #patience = setInterval(() => this.#loseHope(), 1_000).unref();
  #onArrival: () => void = () => undefined;
  #lives: Set<string> | null = null;

  constructor() {
    this.#server = createServer({ noDelay: true }, (socket) => this.#serve(socket));
  }

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/callbacks`;
  }

  /** Waits until the callback of a payment is acknowledged. Call it before the payment is started. */
  acknowledged(id: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.set(id, { since: performance.now(), resolve, reject });
    // The caller may fail before it awaits this.
    promise.catch(() => undefined);
    return promise;
  }

  /** How many payments had a callback since this call, whatever was repeated. One count at a time. */
  countLives(): () => number {
    const lives = new Set<string>();
    this.#lives = lives;
    return () => lives.size;
  }

  /** Waits for this many acknowledged callbacks. Returns the seconds from first to last. */
  arrivals(count: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const patience = setTimeout(() => reject(new Error('callbacks are missing')), PATIENCE_MS);
    let [arrived, firstAt] = [0, 0];
    this.#onArrival = () => {
      arrived += 1;
      if (arrived === 1) firstAt = performance.now();
      if (arrived < count) return;
      clearTimeout(patience);
      this.#onArrival = () => undefined;
      resolve((performance.now() - firstAt) / 1_000);
    };
    return promise;
  }

  async close(): Promise<void> {
    clearInterval(this.#patience);
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    // One character per byte, so that a content length counts characters.
    socket.setEncoding('latin1');
    let received = '';
    socket.on('data', (chunk: string) => {
      received += chunk;
      for (;;) {
        const headEnd = received.indexOf(HEAD_END);
        if (headEnd < 0) return;
        const end = headEnd + HEAD_END.length + bodyLength(received.slice(0, headEnd));
        if (received.length < end) return;
        socket.write(ACKNOWLEDGEMENT);
        this.#acknowledge(received.slice(headEnd, end));
        received = received.slice(end);
      }
    });
    // A killed sender cuts its connections.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #acknowledge(body: string): void {
    const id = /"(?:deposit|payout)Id":"([^"]+)"/.exec(body)?.[1] ?? '';
    this.#waiting.get(id)?.resolve();
    this.#waiting.delete(id);
    this.#lives?.add(id);
    this.#onArrival();
  }

  #loseHope(): void {
    const before = performance.now() - PATIENCE_MS;
    for (const [id, { since, reject }] of this.#waiting) {
      if (since > before) continue;
      this.#waiting.delete(id);
      reject(new Error(`no callback came for ${id}`));
    }
  }
}

function bodyLength(head: string): number {
  return Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
}
