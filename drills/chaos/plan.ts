// What goes wrong in a run, and when. Pure: the same seed and length make the same plan.
import { streamOf, type Random } from '../kit/random.ts';
import type { Victim } from '../kit/fleet.ts';
import type { BadMode } from '../kit/load/endpoint.ts';

export type Fault =
  /** SIGKILL; the process is started again after a while. */
  | { readonly type: 'KILL'; readonly victim: Victim; readonly awayMs: number }
  /** SIGSTOP, and SIGCONT after a while: long enough for others to take over its work. */
  | { readonly type: 'PAUSE'; readonly victim: Victim; readonly forMs: number }
  /** The process is replaced by one whose clock is wrong by less than a second. */
  | { readonly type: 'SKEW_CLOCK'; readonly victim: 'api' | 'worker'; readonly byMs: number }
  /** A process whose clock is wrong by more than a minute, or by hours, and is corrected after a while. */
  | {
      readonly type: 'SKEW_FAR';
      readonly victim: 'api' | 'worker';
      readonly byMs: number;
      readonly forMs: number;
    }
  /** Every connection to the database is cut. */
  | { readonly type: 'CUT_CONNECTIONS' }
  /** The same, and no new one is accepted for a while: operators continue to answer. */
  | { readonly type: 'REFUSE_DATABASE'; readonly forMs: number }
  /** The host switches one operator's payments to another account. Only with fakes. */
  | { readonly type: 'REPLACE_ACCOUNT' }
  /** A READ_ONLY user of a merchant forges operator messages from what the dashboard shows. */
  | { readonly type: 'FORGE' }
  /** The whole node of the primary is killed; the standby has to take over. */
  | { readonly type: 'FAIL_OVER'; readonly awayMs: number }
  /** The standby becomes primary while the primary runs: as before the maintenance of a machine. */
  | { readonly type: 'SWITCH_OVER' }
  | { readonly type: 'KILL_STANDBY'; readonly awayMs: number }
  /** PgBouncer, with every transaction that runs through it. */
  | { readonly type: 'KILL_POOLER'; readonly awayMs: number }
  /** A merchant's endpoint fails, while many payments of that merchant end. */
  | {
      readonly type: 'FILL_QUEUE';
      readonly merchant: number;
      readonly payments: number;
      readonly forMs: number;
    }
  | {
      readonly type: 'FLAP_ENDPOINT';
      readonly merchant: number;
      readonly mode: BadMode;
      readonly forMs: number;
    }
  /** The merchant that lives in the second cell moves into the first one, or back. Only with the simulator. */
  | { readonly type: 'MOVE_MERCHANT' }
  | { readonly type: 'DELAY_PROVIDER'; readonly provider: number; readonly forMs: number }
  /** A newer build migrates the database, then replaces the processes one by one. */
  | { readonly type: 'DEPLOY' };

const HOUR_MS = 3_600_000;

export type PlannedFault = { readonly atMs: number; readonly fault: Fault };

/** The average frequency of each. A node needs some seconds to restart, so failovers are far apart. */
const EVERY_MS: readonly (readonly [meanMs: number, generate: (random: Random) => Fault])[] = [
  [10_000, (random) => kill(random, 'api')],
  [9_000, (random) => kill(random, 'worker')],
  [30_000, (random) => kill(random, 'simulator')],
  [15_000, (random) => ({ type: 'PAUSE', victim: random.pick(VICTIMS), forMs: random.between(300, 8_000) })],
  [60_000, (random) => skew(random)],
  [40_000, () => ({ type: 'CUT_CONNECTIONS' })],
  [120_000, (random) => ({ type: 'KILL_STANDBY', awayMs: random.between(0, 3_000) })],
  [90_000, (random) => fillQueue(random)],
  [12_000, (random) => flap(random)],
  [
    45_000,
    (random) => ({
      type: 'DELAY_PROVIDER',
      provider: random.between(0, 2),
      forMs: random.between(1_000, 8_000),
    }),
  ],
  [
    40_000,
    (random) => ({
      type: 'SKEW_FAR',
      // An API process stores what operators tell it, and workers what they answer.
      victim: random.pick(['api', 'worker']),
      byMs: random.pick([-26 * HOUR_MS, -3 * HOUR_MS, -70_000, 70_000, 3 * HOUR_MS, 26 * HOUR_MS]),
      forMs: random.between(5_000, 12_000),
    }),
  ],
  [45_000, () => ({ type: 'REFUSE_DATABASE', forMs: 3_000 })],
  [25_000, () => ({ type: 'REPLACE_ACCOUNT' })],
  [15_000, () => ({ type: 'FORGE' })],
  [45_000, (random) => ({ type: 'KILL_POOLER', awayMs: random.between(0, 2_000) })],
];

const MOVE_EVERY_MS = 60_000;

const VICTIMS: readonly Victim[] = ['api', 'worker', 'worker', 'simulator'];

export type PlanOptions = {
  readonly seed: number;
  readonly lengthMs: number;
  /** Every second one is a switchover. */
  readonly failovers: number;
  /** How much more often than usual everything happens: a short run must include everything too. */
  readonly haste: number;
};

export function planFaults({ seed, lengthMs, failovers, haste }: PlanOptions): readonly PlannedFault[] {
  const planned = EVERY_MS.flatMap(([meanMs, generate], index) =>
    planOne(streamOf(seed, `fault ${index}`), { meanMs: meanMs / haste, lengthMs }, generate),
  );
  const random = streamOf(seed, 'failovers');
  const spacingMs = lengthMs / (failovers + 1);
  for (let number = 1; number <= failovers; number += 1) {
    const atMs = spacingMs * (number + (random.share() - 0.5) / 3);
    const awayMs = random.between(500, 6_000);
    const fault: Fault = number % 2 === 1 ? { type: 'FAIL_OVER', awayMs } : { type: 'SWITCH_OVER' };
    planned.push({ atMs, fault });
  }
  const moves = Math.max(1, Math.round(lengthMs / MOVE_EVERY_MS));
  for (let number = 0; number < moves; number += 1)
    planned.push({ atMs: (lengthMs * (number + 0.2)) / moves, fault: { type: 'MOVE_MERCHANT' } });
  planned.push({ atMs: lengthMs * (0.35 + random.share() * 0.2), fault: { type: 'DEPLOY' } });
  return planned.toSorted((a, b) => a.atMs - b.atMs);
}

function planOne(
  random: Random,
  { meanMs, lengthMs }: { meanMs: number; lengthMs: number },
  generate: (random: Random) => Fault,
): PlannedFault[] {
  const planned: PlannedFault[] = [];
  let atMs = random.waitMs(meanMs);
  while (atMs < lengthMs) {
    planned.push({ atMs, fault: generate(random) });
    atMs += random.waitMs(meanMs);
  }
  return planned;
}

function kill(random: Random, victim: Victim): Fault {
  return { type: 'KILL', victim, awayMs: random.chance(0.5) ? 0 : random.between(100, 3_000) };
}

function skew(random: Random): Fault {
  return { type: 'SKEW_CLOCK', victim: random.pick(['api', 'worker']), byMs: random.between(-900, 900) };
}

function fillQueue(random: Random): Fault {
  const merchant = random.between(0, 2);
  return {
    type: 'FILL_QUEUE',
    merchant,
    payments: random.between(100, 300),
    forMs: random.between(4_000, 12_000),
  };
}

function flap(random: Random): Fault {
  const mode = random.pick<BadMode>(['ERROR', 'HANG', 'REFUSE', 'SLOW', 'FLICKER']);
  return {
    type: 'FLAP_ENDPOINT',
    merchant: random.between(0, 2),
    mode,
    forMs: random.between(1_000, 10_000),
  };
}
