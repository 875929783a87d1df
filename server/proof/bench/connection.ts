// HTTP as thin as it can be: one socket, one request at a time, requests as ready-made text. The load generator shares
// the machine with what it measures, so every cycle it does not need is one that the gateway can have.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type Answer = { readonly status: number; readonly body: string };

const HEAD_END = '\r\n\r\n';

export class Connection {
  readonly #socket: Socket;
  #received = '';
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    // A character for each byte, so that a content length counts characters.
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#take(chunk));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('the gateway closed the connection')));
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Connection(socket);
  }

  send(request: string): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting = { resolve, reject };
    this.#socket.write(request);
    return promise;
  }

  close(): void {
    this.#waiting = null;
    this.#socket.destroy();
  }

  #take(chunk: string): void {
    this.#received += chunk;
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#received.slice(0, headEnd))?.[1];
    if (length === undefined) {
      this.#waiting?.reject(new Error('an answer without a length'));
      return;
    }
    const end = headEnd + HEAD_END.length + Number(length);
    if (this.#received.length < end) return;
    const status = Number(this.#received.slice(9, 12));
    const body = this.#received.slice(headEnd + HEAD_END.length, end);
    this.#received = this.#received.slice(end);
    this.#waiting?.resolve({ status, body });
  }
}

/** Only for bodies in plain ASCII, whose length in bytes is their length. */
export function requestText(method: 'GET' | 'POST', path: string, apiToken: string, body = ''): string {
  const head = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${apiToken}\r\n`;
  if (method === 'GET') return `${head}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}
