// Open loops: work arrives at a constant rate, whatever happened before. Times count from the moment at which it was
// due, so that a stalled gateway cannot look fast because it gets fewer requests.
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.ts';
import type { Turn } from './load.ts';
import { Timings, type Step } from './statistics.ts';

export type ArrivalOptions = {
  readonly perSecond: number;
  /** The warm-up is not counted. */
  readonly warmMs: number;
  readonly windowMs: number;
};

export type ArrivalResult = {
  /** What was due in the window. */
  readonly count: number;
  /** What ended in the window, with its duration. */
  readonly donePerSecond: number;
  readonly steps: Readonly<Record<string, Step>>;
};

/** Does one unit of work, and returns how long its steps took since it was due. */
export type Arrival = (since: number, index: number) => Promise<Readonly<Record<string, number>>>;

export async function runArrivals(options: ArrivalOptions, arrive: Arrival): Promise<ArrivalResult> {
  const { perSecond, warmMs, windowMs } = options;
  const timings = new Timings();
  const beganAt = performance.now();
  const opensAt = beganAt + warmMs;
  const closesAt = opensAt + windowMs;
  let [count, done] = [0, 0];
  const arriveAt = async (dueAt: number, index: number) => {
    const taken = await arrive(dueAt, index);
    const now = performance.now();
    if (now >= opensAt && now < closesAt) done += 1;
    if (dueAt < opensAt) return;
    count += 1;
    timings.add(taken);
  };
  const all: Promise<void>[] = [];
  const total = Math.floor(((warmMs + windowMs) / 1_000) * perSecond);
  for (let index = 0; index < total; index += 1) {
    const dueAt = beganAt + (index / perSecond) * 1_000;
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    all.push(arriveAt(dueAt, index));
  }
  await Promise.all(all);
  return { count, donePerSecond: done / (windowMs / 1_000), steps: timings.steps() };
}

/** Enough that one is free whenever work arrives, unless the gateway is overloaded. */
const CONNECTIONS = 64;

/** Requests of merchants to the API at these ports. */
export async function runOpenLoad(
  options: ArrivalOptions & { readonly ports: readonly number[] },
  turn: Turn,
): Promise<ArrivalResult> {
  const connections = await Connection.openAll(options.ports, CONNECTIONS);
  try {
    return await runArrivals(options, async (since, index) => {
      const connection = connections[index % CONNECTIONS];
      return connection === undefined ? {} : turn(connection, since);
    });
  } finally {
    connections.forEach((connection) => connection.close());
  }
}
