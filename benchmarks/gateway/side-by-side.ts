// Every figure beside its reference, in rounds, and then how long a merchant waits.
import { BLOCKS, createMeasures, mergeSamples, type FigureName, type Sample, type Tempo } from './figures.ts';
import { measureLatency } from './latency.ts';
import { summarise, type Round, type Summary } from './report.ts';
import type { Say } from '../../drills/kit/program.ts';
import type { Setup } from './setup.ts';
import { spreadOf } from './statistics.ts';

export type Pace = Tempo & {
  /** How long each kind of work runs before it is measured. */
  readonly warmUpMs: number;
  readonly rounds: number;
  readonly stretches: number;
  readonly lowLoadMs: number;
  readonly sustainedMs: number;
  /** In short runs, blocks are not repeated in reverse order. */
  readonly isOneWay?: boolean;
};

/** Window and warm-up are whole seconds together: pgbench supports nothing shorter. */
export const FULL: Pace = {
  warmMs: 500,
  windowMs: 2_500,
  warmUpMs: 3_000,
  rounds: 4,
  stretches: 3,
  lowLoadMs: 8_000,
  sustainedMs: 6_000,
};

/** For every change. One round of short windows shows that everything runs, and roughly how fast. */
export const SMOKE: Pace = {
  warmMs: 200,
  windowMs: 800,
  warmUpMs: 1_000,
  livesMax: 128,
  isOneWay: true,
  rounds: 1,
  stretches: 1,
  lowLoadMs: 2_000,
  sustainedMs: 2_000,
};

/** Warms up every part of the gateway, and the routes beside it. */
const WARMED: readonly FigureName[] = [
  'gateway',
  'hot',
  'insert_route',
  'intake',
  'v1_intake',
  'select_route',
  'status',
];

export type SideBySideOptions = { readonly pace: Pace; readonly say: Say };

export async function measureSideBySide(setup: Setup, { pace, say }: SideBySideOptions): Promise<Summary> {
  const measures = createMeasures();
  const measure = async (title: string, name: FigureName, tempo: Tempo) => {
    const sample = await measures[name](setup, tempo);
    say(`${title}: ${name} ${Math.round(sample.perSecond)}/s`);
    return { name, sample };
  };
  // Compilers warm up, connections open, tables get their first pages: this is not counted.
  const warmUp = { ...pace, warmMs: 0, windowMs: pace.warmUpMs };
  for (const name of WARMED) await measure('warm-up', name, warmUp);
  const rounds: Round[] = [];
  for (let round = 1; round <= pace.rounds; round += 1) {
    const samples: { name: FigureName; sample: Sample }[] = [];
    for (const name of BLOCKS.flatMap((block) => (pace.isOneWay === true ? [...new Set(block)] : block))) {
      samples.push(await measure(`round ${round} of ${pace.rounds}`, name, pace));
    }
    rounds.push(mergeRound(samples));
  }
  const maxPerSecond = spreadOf(rounds.map(({ gateway }) => gateway.perSecond)).median;
  say(`latency at 20/s, and at 70 % of ${Math.round(maxPerSecond)}/s`);
  return summarise(rounds, await measureLatency(setup, { ...pace, maxPerSecond }));
}

function mergeRound(samples: readonly { readonly name: FigureName; readonly sample: Sample }[]): Round {
  const named = Map.groupBy(samples, ({ name }) => name);
  const merged = [...named].map(([name, some]) => [name, mergeSamples(some.map(({ sample }) => sample))]);
  return Object.fromEntries(merged) as Round;
}
