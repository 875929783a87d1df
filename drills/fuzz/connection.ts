// A connection that sends raw bytes and reads answers, without a library: hostile clients send what libraries refuse to
// send.
import { connect, type Socket } from 'node:net';

export type Answer = {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
};

export type Exchange = {
  readonly answers: readonly Answer[];
  /** ANSWERED: as often as expected. CLOSED: the server closed it before. SILENT: neither, in time. */
  readonly end: 'ANSWERED' | 'CLOSED' | 'SILENT';
  readonly ms: number;
};

export type Sending = {
  readonly bytes: Buffer;
  /** Of each request in the bytes: an answer to HEAD has no body, whatever its length says. */
  readonly methods: readonly string[];
  /** Nothing more will be sent, and the server is notified. */
  readonly isHalfClosed: boolean;
  readonly timeoutMs: number;
};

export class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    // The cause does not matter: a closed connection is a result.
    this.#socket.on('error', () => undefined);
    for (const event of ['end', 'close'] as const) this.#socket.on(event, () => this.#ended());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  write(bytes: Buffer | string): void {
    if (!this.#isClosed) this.#socket.write(bytes);
  }

  async exchange(sending: Sending): Promise<Exchange> {
    const startedAt = performance.now();
    const until = startedAt + sending.timeoutMs;
    const answers: Answer[] = [];
    this.write(sending.bytes);
    if (sending.isHalfClosed) this.#socket.end();
    for (;;) {
      const method = sending.methods[answers.length] ?? 'GET';
      const taken = takeAnswer(this.#received, method, this.#isClosed);
      if (taken !== null) {
        this.#received = taken.rest;
        if (taken.answer.status >= 200) answers.push(taken.answer);
      }
      const ms = performance.now() - startedAt;
      // A second answer to one request would be here already, or arrive with it.
      const isWhole = answers.length >= sending.methods.length && this.#received.length === 0;
      if (isWhole && !sending.isHalfClosed) return { answers, end: 'ANSWERED', ms };
      if (this.#isClosed && taken === null) return { answers, end: isWhole ? 'ANSWERED' : 'CLOSED', ms };
      if (performance.now() >= until) return { answers, end: 'SILENT', ms };
      if (taken === null) await this.#arrival(until - performance.now());
    }
  }

  /** Returns how long the server took to close it; null if it did not in time. */
  async endedWithin(timeoutMs: number): Promise<number | null> {
    const startedAt = performance.now();
    while (!this.#isClosed && performance.now() - startedAt < timeoutMs)
      await this.#arrival(startedAt + timeoutMs - performance.now());
    return this.#isClosed ? performance.now() - startedAt : null;
  }

  close(): void {
    this.#socket.destroy();
  }

  #ended(): void {
    this.#isClosed = true;
    this.#socket.destroy();
    this.#wake();
  }

  async #arrival(timeoutMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
  }
}

type Taken = { readonly answer: Answer; readonly rest: Buffer };

/** The first complete answer in what was received; null if there is none yet. */
export function takeAnswer(received: Buffer, method: string, isClosed: boolean): Taken | null {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [first = '', ...lines] = received.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? NaN);
  const headers = new Map(lines.map(headerOf));
  const body = takeBody(received.subarray(headEnd + 4), { method, status, headers, isClosed });
  if (body === null) return null;
  return { answer: { status, headers, body: body.body }, rest: body.rest };
}

function headerOf(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

type Head = {
  readonly method: string;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly isClosed: boolean;
};

function takeBody(rest: Buffer, head: Head): { readonly body: Buffer; readonly rest: Buffer } | null {
  const { method, status, headers, isClosed } = head;
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304)
    return { body: Buffer.alloc(0), rest };
  if (headers.get('transfer-encoding') === 'chunked') return takeChunks(rest);
  const length = headers.get('content-length');
  if (length === undefined) return isClosed ? { body: rest, rest: Buffer.alloc(0) } : null;
  const bytes = Number(length);
  return rest.length < bytes ? null : { body: rest.subarray(0, bytes), rest: rest.subarray(bytes) };
}

function takeChunks(from: Buffer): { readonly body: Buffer; readonly rest: Buffer } | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = from.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(from.subarray(at, lineEnd).toString('latin1'), 16);
    const end = lineEnd + 2 + size + 2;
    if (from.length < end) return null;
    if (size === 0) return { body: Buffer.concat(chunks), rest: from.subarray(end) };
    chunks.push(from.subarray(lineEnd + 2, end - 2));
    at = end;
  }
}
