// Slow clients: heads and bodies that come byte by byte, stop half-way, or never begin. They must not delay other
// clients, and the gateway must close them.
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.ts';
import type { World } from './world.ts';

export type SlowKind = { readonly what: string; readonly first: string; readonly more: string | null };

export type SlowFinding = { readonly what: string; readonly why: string };

/** The gateway allows 30 seconds per request, and checks every few seconds. */
export const ENDED_WITHIN_MS = 45_000;
const BYTE_EVERY_MS = 500;

function kindsOf({ host, token }: World): readonly SlowKind[] {
  const head = `POST /v2/deposits HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n`;
  const type = 'Content-Type: application/json\r\n';
  return [
    { what: 'nothing at all', first: '', more: null },
    { what: 'a head byte by byte', first: 'POST /v2/deposits HTTP/1.1\r\nX-Slow: ', more: 'x' },
    { what: 'a head that stops', first: head, more: null },
    { what: 'headers one by one', first: head, more: 'X-Another: x\r\n' },
    { what: 'a body byte by byte', first: `${head}${type}Content-Length: 500000\r\n\r\n{"a":"`, more: 'x' },
    { what: 'a body that stops', first: `${head}${type}Content-Length: 500000\r\n\r\n{"a":"`, more: null },
    {
      what: 'chunks of one byte',
      first: `${head}${type}Transfer-Encoding: chunked\r\n\r\n`,
      more: '1\r\n \r\n',
    },
    {
      what: 'a notification byte by byte',
      first: `POST /operators/simulator/notifications HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 90000\r\n\r\n`,
      more: ' ',
    },
  ];
}

const EACH = 6;

export type SlowClients = {
  readonly count: number;
  /** Waits until the gateway has closed all of them. Returns those it did not. */
  readonly ended: () => Promise<readonly SlowFinding[]>;
  /** Counts clients still within their time as closed, and releases them. */
  readonly stop: () => readonly SlowFinding[];
};

export function startSlowClients(world: World): SlowClients {
  const startedAt = performance.now();
  const clients = kindsOf(world).flatMap((kind) =>
    Array.from({ length: EACH }, () => ({ ...kind, connection: new Connection(world.port) })),
  );
  for (const { connection, first } of clients) connection.write(first);
  const dripping = setInterval(() => {
    for (const { connection, more } of clients) if (more !== null) connection.write(more);
  }, BYTE_EVERY_MS);
  const finish = () => {
    clearInterval(dripping);
    const isLate = performance.now() - startedAt >= ENDED_WITHIN_MS;
    const left = clients.filter(({ connection }) => !connection.isClosed);
    for (const { connection } of clients) connection.close();
    const why = `was not ended within ${ENDED_WITHIN_MS / 1_000} s`;
    return isLate ? left.map(({ what }) => ({ what, why })) : [];
  };
  return {
    count: clients.length,
    ended: async () => {
      while (clients.some(({ connection }) => !connection.isClosed)) {
        if (performance.now() - startedAt >= ENDED_WITHIN_MS) break;
        await sleep(100);
      }
      return finish();
    },
    stop: finish,
  };
}
