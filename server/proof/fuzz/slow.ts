// Clients that take their time: heads and bodies that come byte by byte, or stop half-way, or never begin. They must
// not hold up anybody else, and the gateway must end them.
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.ts';
import type { World } from './world.ts';

export type SlowKind = { readonly what: string; readonly first: string; readonly then: string | null };

export type SlowFinding = { readonly what: string; readonly why: string };

/** The gateway gives a request half a minute, and looks every few seconds for those that took longer. */
export const ENDED_WITHIN_MS = 45_000;
const BYTE_EVERY_MS = 500;

function kindsOf({ host, token }: World): readonly SlowKind[] {
  const head = `POST /v2/deposits HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n`;
  const type = 'Content-Type: application/json\r\n';
  return [
    { what: 'nothing at all', first: '', then: null },
    { what: 'a head byte by byte', first: 'POST /v2/deposits HTTP/1.1\r\nX-Slow: ', then: 'x' },
    { what: 'a head that stops', first: head, then: null },
    { what: 'headers one by one', first: head, then: 'X-Another: x\r\n' },
    { what: 'a body byte by byte', first: `${head}${type}Content-Length: 500000\r\n\r\n{"a":"`, then: 'x' },
    { what: 'a body that stops', first: `${head}${type}Content-Length: 500000\r\n\r\n{"a":"`, then: null },
    {
      what: 'chunks of one byte',
      first: `${head}${type}Transfer-Encoding: chunked\r\n\r\n`,
      then: '1\r\n \r\n',
    },
    {
      what: 'a notification byte by byte',
      first: `POST /operators/simulator/notifications HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 90000\r\n\r\n`,
      then: ' ',
    },
  ];
}

const EACH = 6;

export type SlowClients = {
  readonly count: number;
  /** Waits until the gateway has ended all of them. Answers those it did not. */
  readonly ended: () => Promise<readonly SlowFinding[]>;
  /** Answers as ended, but for those that are still within their time, which are let go. */
  readonly stop: () => readonly SlowFinding[];
};

export function startSlowClients(world: World): SlowClients {
  const startedAt = performance.now();
  const clients = kindsOf(world).flatMap((kind) =>
    Array.from({ length: EACH }, () => ({ ...kind, connection: new Connection(world.port) })),
  );
  for (const { connection, first } of clients) connection.write(first);
  const dripping = setInterval(() => {
    for (const { connection, then } of clients) if (then !== null) connection.write(then);
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
