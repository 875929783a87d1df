// What one merchant does with one payment in an open loop.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import type { PreparedRequest } from './requests.ts';
import type { Receiver } from './receiver.ts';

/**
 * One turn of a client: what it does on its connection, and how long each step took since the turn was due, in
 * milliseconds.
 */
export type Turn = (connection: Connection, since: number) => Promise<Readonly<Record<string, number>>>;

/** A whole life: the turn ends when the callback is acknowledged. */
export function lifeTurn(receiver: Receiver, generate: () => PreparedRequest): Turn {
  return async (connection, since) => {
    const request = generate();
    const acknowledged = receiver.acknowledged(request.id);
    await initiate(connection, request);
    const initiation = performance.now() - since;
    await acknowledged;
    return { initiation, callback: performance.now() - since };
  };
}

/** A slow machine may shed load while batches form. A client does what it is told then: it sends the request again. */
const AGAIN_MS = 100;
const SENDS_MAX = 100;

async function initiate(connection: Connection, request: PreparedRequest, sends = 1): Promise<void> {
  const { status, body } = await connection.send(request.text);
  if (status === 503 && sends < SENDS_MAX) {
    await sleep(AGAIN_MS);
    return initiate(connection, request, sends + 1);
  }
  if (status !== 200 || !body.includes('"ACCEPTED"')) throw new Error(`a request was answered ${body}`);
}
