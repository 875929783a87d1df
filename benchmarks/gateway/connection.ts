// Minimal HTTP: few sockets, prepared request texts, several in progress on each. The load generator shares the machine
// with the gateway, so it must use as little processor time as possible.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type Answer = { readonly status: number; readonly head: string; readonly body: string };

const HEAD_END = '\r\n\r\n';
const LENGTH = '\r\ncontent-length: ';

type Waiting = { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void };

export class Connection {
  readonly #socket: Socket;
  #received = '';
  #unsent = '';
  /** Answers come in the order of the requests. */
  #waiting: Waiting[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    // One character per byte, so that a content length counts characters.
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#take(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the gateway closed the connection')));
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /** Opens as many, spread over the ports. */
  static openAll(ports: readonly number[], count: number): Promise<readonly Connection[]> {
    return Promise.all(
      Array.from({ length: count }, (_, index) => Connection.open(ports[index % ports.length] ?? 0)),
    );
  }

  send(request: string): Promise<Answer> {
    if (this.#socket.destroyed) return Promise.reject(new Error('the connection was closed before'));
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.push({ resolve, reject });
    // Requests made together are sent in one write.
    if (this.#unsent === '') setImmediate(() => this.#flush());
    this.#unsent += request;
    return promise;
  }

  close(): void {
    this.#waiting = [];
    this.#socket.destroy();
  }

  #flush(): void {
    this.#socket.write(this.#unsent, 'latin1');
    this.#unsent = '';
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting) reject(error);
    this.#waiting = [];
  }

  #take(chunk: string): void {
    const text = this.#received + chunk;
    let from = 0;
    while (from < text.length) {
      const headEnd = text.indexOf(HEAD_END, from);
      if (headEnd < 0) break;
      const lengthAt = text.indexOf(LENGTH, from);
      if (lengthAt < 0 || lengthAt > headEnd) return this.#fail(new Error('an answer without a length'));
      const bodyAt = headEnd + HEAD_END.length;
      const end = bodyAt + Number.parseInt(text.slice(lengthAt + LENGTH.length, headEnd), 10);
      if (text.length < end) break;
      const status = Number(text.slice(from + 9, from + 12));
      this.#waiting
        .shift()
        ?.resolve({ status, head: text.slice(from, headEnd), body: text.slice(bodyAt, end) });
      from = end;
    }
    this.#received = text.slice(from);
  }
}

/** Only for ASCII bodies, whose length in bytes is their length. */
export function requestText(method: 'GET' | 'POST', path: string, apiToken: string, body = ''): string {
  const head = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${apiToken}\r\n`;
  if (method === 'GET') return `${head}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}
