// How long a merchant waits for the answer: under little load, compared with a bare commit at the same time; and under
// the highest load that the gateway can sustain.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../server/src/store/database.ts';
import { runArrivals, runOpenLoad, type ArrivalResult } from './arrivals.ts';
import { LONE_INSERT } from './bare/life.ts';
import { depositGenerator } from './figures.ts';
import { lifeTurn } from './load.ts';
import type { Setup } from './setup.ts';
import { spreadOf, type Spread, type Step } from './statistics.ts';

export type LatencyOptions = {
  readonly stretches: number;
  readonly lowLoadMs: number;
  readonly sustainedMs: number;
  /** The gateway's maximum rate. */
  readonly maxPerSecond: number;
};

export type Latency = {
  /** The 99th percentile of initiation above that of a bare commit. */
  readonly overCommitMs: Spread;
  readonly lowLoad: { readonly perSecond: number; readonly initiation: Step; readonly commit: Step };
  /** The 99th percentile of initiation under sustained load. */
  readonly sustainedMs: Spread;
  readonly sustained: {
    readonly offeredPerSecond: number;
    readonly donePerSecond: number;
    readonly initiation: Step;
    readonly callback: Step;
  };
};

const LOW_LOAD_PER_SECOND = 20;
const SUSTAINED_SHARE = 0.7;
const WARM_MS = 1_000;

export async function measureLatency(setup: Setup, options: LatencyOptions): Promise<Latency> {
  const low: { initiation: Step; commit: Step }[] = [];
  const sustained: ArrivalResult[] = [];
  const offeredPerSecond = options.maxPerSecond * SUSTAINED_SHARE;
  for (let stretch = 0; stretch < options.stretches; stretch += 1) {
    low.push(await measureLowLoad(setup, options.lowLoadMs));
    sustained.push(
      await offerDeposits(setup, { perSecond: offeredPerSecond, windowMs: options.sustainedMs }),
    );
  }
  return {
    overCommitMs: spreadOf(low.map(({ initiation, commit }) => initiation.p99Ms - commit.p99Ms)),
    lowLoad: {
      perSecond: LOW_LOAD_PER_SECOND,
      initiation: medianStep(low.map(({ initiation }) => initiation)),
      commit: medianStep(low.map(({ commit }) => commit)),
    },
    sustainedMs: spreadOf(sustained.map(({ steps }) => stepNamed(steps, 'initiation').p99Ms)),
    sustained: {
      offeredPerSecond,
      donePerSecond: spreadOf(sustained.map(({ donePerSecond }) => donePerSecond)).median,
      initiation: medianStep(sustained.map(({ steps }) => stepNamed(steps, 'initiation'))),
      callback: medianStep(sustained.map(({ steps }) => stepNamed(steps, 'callback'))),
    },
  };
}

/** Deposits at a constant rate, each to its callback. */
export function offerDeposits(
  setup: Setup,
  { perSecond, windowMs }: { readonly perSecond: number; readonly windowMs: number },
): Promise<ArrivalResult> {
  const options = { perSecond, windowMs, warmMs: WARM_MS, ports: setup.gatewayPorts };
  return runOpenLoad(options, lifeTurn(setup.receiver, depositGenerator(setup)));
}

/** Deposits and bare commits alternately, equally often and never at once. */
async function measureLowLoad(setup: Setup, windowMs: number) {
  const options = { perSecond: LOW_LOAD_PER_SECOND, windowMs };
  const [deposits, commits] = await Promise.all([
    offerDeposits(setup, options),
    commitSingly(setup, { ...options, warmMs: WARM_MS }),
  ]);
  return { initiation: stepNamed(deposits.steps, 'initiation'), commit: stepNamed(commits.steps, 'commit') };
}

async function commitSingly(
  setup: Setup,
  options: Parameters<typeof runArrivals>[0],
): Promise<ArrivalResult> {
  const database = openDatabase({ url: setup.bareUrl, connectionsMax: 1, applicationName: 'bench' });
  try {
    await database.query('select 1');
    // Half-way between two deposits.
    await sleep(1_000 / options.perSecond / 2);
    return await runArrivals(options, async (since) => {
      await database.query(LONE_INSERT, [[randomUUID()]]);
      return { commit: performance.now() - since };
    });
  } finally {
    await database.end();
  }
}

export function stepNamed(steps: Readonly<Record<string, Step>>, name: string): Step {
  const step = steps[name];
  if (step === undefined) throw new Error(`no ${name} was measured`);
  return step;
}

export function medianStep(steps: readonly Step[]): Step {
  return {
    p50Ms: spreadOf(steps.map(({ p50Ms }) => p50Ms)).median,
    p99Ms: spreadOf(steps.map(({ p99Ms }) => p99Ms)).median,
  };
}
