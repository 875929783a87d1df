// Closed loops: as many clients as told, each of which begins anew as soon as it has its answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.ts';
import type { Order } from './orders.ts';
import type { Receiver } from './receiver.ts';
import { stepOf, type Step } from './statistics.ts';

export type LoadOptions = {
  readonly port: number;
  readonly clients: number;
  /** The first moments are not counted, nor the first turn of every client: batches have to form. */
  readonly warmMs: number;
  readonly windowMs: number;
  readonly onWindow: (edge: 'BEGINS' | 'ENDS') => Promise<void>;
};

export type LoadResult = {
  readonly count: number;
  readonly seconds: number;
  readonly steps: Readonly<Record<string, Step>>;
};

/** One turn of a client: what it does on its connection. Answers how long each step took, in milliseconds. */
export type Turn = (connection: Connection) => Promise<Readonly<Record<string, number>>>;

export async function runLoad(options: LoadOptions, turn: Turn): Promise<LoadResult> {
  const connections = await Promise.all(
    Array.from({ length: options.clients }, () => Connection.open(options.port)),
  );
  const timings = new Map<string, number[]>();
  const phase: Phase = { isOpen: false, isOver: false, turns: 0, count: 0 };
  const client = async (connection: Connection) => {
    while (!phase.isOver) {
      const taken = await turn(connection);
      phase.turns += 1;
      if (!phase.isOpen) continue;
      phase.count += 1;
      for (const [step, ms] of Object.entries(taken)) {
        const all = timings.get(step);
        if (all === undefined) timings.set(step, [ms]);
        else all.push(ms);
      }
    }
  };
  const clients = Promise.all(connections.map(client));
  const seconds = await Promise.race([
    keepWindow(options, phase),
    // Only a failure can end the clients before the window does.
    clients.then(() => 0),
  ]).finally(() => {
    phase.isOver = true;
  });
  await clients.finally(() => connections.forEach((connection) => connection.close()));
  const steps = Object.fromEntries([...timings].map(([name, ms]) => [name, stepOf(ms)]));
  return { count: phase.count, seconds, steps };
}

/** A window is stretched to so many times its length, and no further. */
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

/** A payment is started, and the client waits only for the answer. */
export function intakeTurn(draw: () => Order, onAccepted: (order: Order) => void = () => undefined): Turn {
  return async (connection) => {
    const order = draw();
    const initiation = await initiate(connection, order);
    onAccepted(order);
    return { initiation };
  };
}

/** A whole life: the turn ends when the callback is acknowledged. */
export function lifeTurn(receiver: Receiver, draw: () => Order): Turn {
  return async (connection) => {
    const order = draw();
    const since = performance.now();
    const acknowledged = receiver.acknowledged(order.id);
    const initiation = await initiate(connection, order);
    await acknowledged;
    return { initiation, callback: performance.now() - since };
  };
}

export function readTurn(drawText: () => string): Turn {
  return async (connection) => {
    const since = performance.now();
    const { status, body } = await connection.send(drawText());
    if (status !== 200 || !body.includes('"FOUND"')) throw new Error(`a status check was answered ${body}`);
    return { status: performance.now() - since };
  };
}

async function initiate(connection: Connection, order: Order): Promise<number> {
  const since = performance.now();
  const { status, body } = await connection.send(order.text);
  if (status !== 200 || !body.includes('"ACCEPTED"')) throw new Error(`an order was answered ${body}`);
  return performance.now() - since;
}
