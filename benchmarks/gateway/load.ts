// Closed loops: a fixed number of clients, each of which starts again as soon as it has its answer. The open loops use
// the same turns.
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.ts';
import type { PreparedRequest } from './requests.ts';
import type { Receiver } from './receiver.ts';
import { Timings, type Step } from './statistics.ts';

export type LoadOptions = {
  /** Ports of equivalent processes; the clients are spread over them. */
  readonly ports: readonly number[];
  readonly clients: number;
  /** The warm-up is not counted, nor the first turn of every client: batches have to form. */
  readonly warmMs: number;
  readonly windowMs: number;
  readonly onWindow: (edge: 'BEGINS' | 'ENDS') => Promise<void>;
};

export type LoadResult = {
  readonly count: number;
  readonly seconds: number;
  readonly steps: Readonly<Record<string, Step>>;
  /** Requests that were shed, of all. */
  readonly rejectedShare?: number;
};

/**
 * One turn of a client: what it does on its connection, and how long each step took since the turn was due, in
 * milliseconds.
 */
export type Turn = (connection: Connection, since: number) => Promise<Readonly<Record<string, number>>>;

/** Clients share connections: a socket's write and read cost as much as their content. */
const CONNECTIONS_MAX = 16;

export async function runLoad(options: LoadOptions, turn: Turn): Promise<LoadResult> {
  const count = Math.min(options.clients, CONNECTIONS_MAX);
  const connections = await Connection.openAll(options.ports, count);
  const timings = new Timings();
  const phase: Phase = { isOpen: false, isOver: false, turns: 0, count: 0 };
  const client = async (connection: Connection) => {
    while (!phase.isOver) {
      const taken = await turn(connection, performance.now());
      phase.turns += 1;
      if (!phase.isOpen) continue;
      phase.count += 1;
      timings.add(taken);
    }
  };
  const clients = Promise.all(deal(connections, options.clients).map(client));
  const seconds = await Promise.race([
    keepWindow(options, phase),
    // Only a failure can end the clients before the window does.
    clients.then(() => 0),
  ]).finally(() => {
    phase.isOver = true;
  });
  await clients.finally(() => connections.forEach((connection) => connection.close()));
  return { count: phase.count, seconds, steps: timings.steps() };
}

/** As many slots as wanted, spread evenly over the connections. */
function deal(connections: readonly Connection[], places: number): readonly Connection[] {
  const rows = Math.ceil(places / connections.length);
  return Array.from({ length: rows }, () => connections)
    .flat()
    .slice(0, places);
}

/** A window is extended to at most this many times its length. */
const WINDOWS_MAX = 5;

type Phase = { isOpen: boolean; isOver: boolean; turns: number; count: number };

async function keepWindow(options: LoadOptions, phase: Phase): Promise<number> {
  const { warmMs, windowMs, onWindow } = options;
  await sleep(warmMs);
  while (phase.turns < options.clients && !phase.isOver) await sleep(20);
  await onWindow('BEGINS');
  const beganAt = performance.now();
  phase.isOpen = true;
  await sleep(windowMs);
  // Clients that wait for the same batches come in waves: a window shorter than a wave would count one or none.
  while (phase.count < options.clients && performance.now() - beganAt < WINDOWS_MAX * windowMs)
    await sleep(20);
  phase.isOpen = false;
  const seconds = (performance.now() - beganAt) / 1_000;
  await onWindow('ENDS');
  return seconds;
}

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

export function readTurn(randomText: () => string): Turn {
  return async (connection, since) => {
    const { status, body } = await connection.send(randomText());
    if (status !== 200 || !body.includes('"FOUND"')) throw new Error(`a status check was answered ${body}`);
    return { status: performance.now() - since };
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
