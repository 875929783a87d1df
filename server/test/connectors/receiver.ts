// A real receiver of operators' notifications, for tests.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, vi } from 'vitest';
import type { RawNotification } from '../../src/connectors/port.ts';

export type Receiver = {
  readonly url: string;
  /** An address whose path carries the reference and a secret of its own, as the gateway's do. */
  readonly addressFor: (reference: string) => string;
  readonly received: readonly RawNotification[];
  /** The status of the next answers; 200 until told otherwise. */
  readonly answerWith: (status: number) => void;
  /** Waits until `count` notifications are there. */
  readonly wait: (count: number) => Promise<readonly RawNotification[]>;
  readonly stop: () => Promise<void>;
};

/** Patient enough for a busy machine, quick enough not to be noticed. */
const PATIENCE = { timeout: 60_000, interval: 5 };

export function eventually<T>(read: () => T) {
  return expect.poll(read, PATIENCE);
}

/** Any pure function of the reference will do that a forger does not guess. */
function secretOf(reference: string): string {
  return createHash('sha256').update(`secret of ${reference}`).digest('hex').slice(0, 32);
}

/** What the gateway makes of a path; see edge/operators. */
function pathFacts(path: string): Omit<RawNotification, 'body' | 'headers' | 'receivedAt'> {
  const answered = /^\/operators\/[^/]+\/answers\/([^/]+)\/[^/]+\/([^/]+)$/.exec(path);
  if (answered !== null) {
    const [, pathReference = '', pathTopic = ''] = answered;
    return { pathReference, pathTopic, pathSecretIsGenuine: false, isAnswer: true };
  }
  const [first, second, topic] = path.replace(/^\/notifications\/?/, '').split('/');
  if (first === undefined || first === '') return { pathSecretIsGenuine: true };
  if (first === 'of') return { pathSecretIsGenuine: false, pathProvider: second ?? '' };
  const pathSecretIsGenuine = second === secretOf(first);
  return { pathReference: first, pathSecretIsGenuine, ...(topic === undefined ? {} : { pathTopic: topic }) };
}

export async function startReceiver(): Promise<Receiver> {
  const received: RawNotification[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = request.headers as Record<string, string | undefined>;
      const body = Buffer.concat(chunks);
      received.push({ body, headers, ...pathFacts(request.url ?? ''), receivedAt: new Date() });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/notifications`;
  return {
    url,
    addressFor: (reference) => `${url}/${reference}/${secretOf(reference)}`,
    received,
    answerWith: (wanted) => {
      status = wanted;
    },
    wait: (count) =>
      vi.waitFor(() => {
        if (received.length < count) throw new Error(`${received.length} of ${count} notifications`);
        return received;
      }, PATIENCE),
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
