// A merchant's callback endpoint, for tests: a real listener that remembers what it was sent.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceivedCallback = {
  readonly body: Record<string, unknown>;
  readonly text: string;
  readonly contentType: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  readonly eventId: string | undefined;
};

export type ReceiverAnswer = {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
};

export type CallbackReceiver = {
  readonly url: string;
  readonly received: readonly ReceivedCallback[];
  /** What the next requests are answered; null leaves them without an answer. */
  readonly answerWith: (answer: ReceiverAnswer | null) => void;
  readonly stop: () => Promise<void>;
};

export async function startCallbackReceiver(): Promise<CallbackReceiver> {
  const received: ReceivedCallback[] = [];
  let answer: ReceiverAnswer | null = { status: 200 };
  const server = createServer((request, response: ServerResponse) => {
    // Somebody else's: a monitor still asks at a port that another program had before.
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { headers, url: path = '' } = request;
      const { 'content-type': contentType, 'malipo-event-id': eventId } = headers;
      const told = { contentType, eventId: eventId?.toString(), headers, path };
      received.push({ text, body: JSON.parse(text), ...told });
      if (answer !== null) response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    received,
    answerWith: (wanted) => {
      answer = wanted;
    },
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
