// What a step costs: seconds, processor time and the memory of the process that works, and PostgreSQL's processor time.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../../drills/kit/child.ts';
import { peakMb, restartPeak } from '../statements/resident-memory.ts';
import { difference, type Meters } from '../gateway/meters.ts';

export type Cost = {
  readonly seconds: number;
  /** Of the process's own processor time. */
  readonly gatewaySeconds: number;
  readonly postgresSeconds: number;
  readonly peakMb: number;
};

/** Measures one step of a process that goes on afterwards. */
export async function costOf<Result>(
  meters: Meters,
  pid: number,
  work: () => Promise<Result>,
): Promise<{ readonly cost: Cost; readonly result: Result }> {
  restartPeak(pid);
  const before = await meters.read('BEGINS');
  const begun = performance.now();
  const result = await work();
  const seconds = (performance.now() - begun) / 1_000;
  const { cpuSeconds } = difference(before, await meters.read('ENDS'));
  return {
    result,
    cost: rounded({
      seconds,
      gatewaySeconds: cpuSeconds['gateway'] ?? 0,
      postgresSeconds: cpuSeconds['postgres'] ?? 0,
      peakMb: peakMb(pid),
    }),
  };
}

/** Measures a process from its beginning to its end. */
export async function costOfCommand(meters: Meters, start: () => Child): Promise<Cost> {
  const before = await meters.read('BEGINS');
  const begun = performance.now();
  const child = start();
  let [memoryMb, ownSeconds] = [0, 0];
  while (!child.hasEnded) {
    // Both only grow: what is missed is what happens in the last moment.
    memoryMb = readOr(memoryMb, () => peakMb(child.pid));
    ownSeconds = readOr(ownSeconds, () => processorSeconds(child.pid));
    await sleep(20);
  }
  const seconds = (performance.now() - begun) / 1_000;
  const { cpuSeconds } = difference(before, await meters.read('ENDS'));
  return rounded({
    seconds,
    gatewaySeconds: ownSeconds,
    postgresSeconds: cpuSeconds['postgres'] ?? 0,
    peakMb: memoryMb,
  });
}

/** Steps one after the other. */
export function together(costs: readonly Cost[]): Cost {
  const sum = (of: (cost: Cost) => number) => costs.reduce((total, cost) => total + of(cost), 0);
  return rounded({
    seconds: sum(({ seconds }) => seconds),
    gatewaySeconds: sum(({ gatewaySeconds }) => gatewaySeconds),
    postgresSeconds: sum(({ postgresSeconds }) => postgresSeconds),
    peakMb: Math.max(...costs.map((cost) => cost.peakMb)),
  });
}

function rounded(cost: Cost): Cost {
  const { seconds, gatewaySeconds, postgresSeconds } = cost;
  return {
    seconds: tenths(seconds),
    gatewaySeconds: tenths(gatewaySeconds),
    postgresSeconds: tenths(postgresSeconds),
    peakMb: Math.round(cost.peakMb),
  };
}

const tenths = (value: number) => Math.round(value * 10) / 10;

function readOr(before: number, read: () => number): number {
  try {
    const value = read();
    return Number.isFinite(value) ? value : before;
  } catch {
    return before;
  }
}

/** Linux counts it in hundredths of a second. */
function processorSeconds(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
