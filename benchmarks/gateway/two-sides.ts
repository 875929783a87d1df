// The same gateway twice, on two clusters of one machine, with one thing changed: measured in turns.
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { createMeasures, type FigureName, type Measure, type Sample, type Tempo } from './figures.ts';
import { cpuOf } from './report.ts';
import { startSetup, type Setup, type SetupOptions } from './setup.ts';
import { meanOf, spreadOf, type Spread } from './statistics.ts';

export type SideFigure = {
  readonly perSecond: Spread;
  readonly cpuMs: Spread;
  readonly postgresMs: Spread;
};

export type SidesReport<Figure extends string, Side extends string> = Readonly<
  Record<
    Figure,
    Readonly<Record<Side, SideFigure>> & {
      /** The throughput of the last side over that of the first, round by round. */
      readonly ratio: Spread;
    }
  >
>;

export type SidesOptions = SetupOptions & { readonly rounds: number; readonly tempo: Tempo };

type Started = { readonly setup: Setup; readonly measures: Readonly<Record<FigureName, Measure>> };

/** `sides`: what each changes. */
export async function measureSides<Figure extends FigureName, Side extends string>(
  hooks: ShutdownHooks,
  options: SidesOptions,
  { figures, sides }: { figures: readonly Figure[]; sides: Readonly<Record<Side, Partial<SetupOptions>>> },
): Promise<SidesReport<Figure, Side>> {
  const { rounds, tempo, say } = options;
  const names = Object.keys(sides) as Side[];
  const started = new Map<Side, Started>();
  for (const name of names) {
    const setup = await startSetup(hooks, { ...options, ...sides[name] });
    const side = { setup, measures: createMeasures() };
    for (const figure of figures) await side.measures[figure](side.setup, tempo);
    started.set(name, side);
  }
  const samples = new Map<string, Sample[]>();
  for (let round = 1; round <= rounds; round += 1) {
    say(`round ${round} of ${rounds}`);
    for (const figure of figures) {
      // There and back again, so that a drift of the machine favours neither.
      for (const name of [...names, ...names.toReversed()]) {
        const side = started.get(name);
        if (side === undefined) continue;
        const sample = await side.measures[figure](side.setup, tempo);
        const key = `${figure} ${name}`;
        samples.set(key, [...(samples.get(key) ?? []), sample]);
      }
    }
  }
  const samplesOf = (figure: Figure, name: Side | undefined) => samples.get(`${figure} ${name}`) ?? [];
  const entries = figures.map((figure) => [
    figure,
    {
      ...Object.fromEntries(names.map((name) => [name, summarise(samplesOf(figure, name))])),
      ratio: ratioOf(samplesOf(figure, names[0]), samplesOf(figure, names.at(-1))),
    },
  ]);
  return Object.fromEntries(entries) as SidesReport<Figure, Side>;
}

/** A side is measured this often in a round. */
const TIMES_PER_ROUND = 2;

function ratioOf(first: readonly Sample[], last: readonly Sample[]): Spread {
  const rateOf = (samples: readonly Sample[], round: number) =>
    meanOf(
      samples.slice(round * TIMES_PER_ROUND, (round + 1) * TIMES_PER_ROUND).map(({ perSecond }) => perSecond),
    );
  const rounds = Array.from({ length: first.length / TIMES_PER_ROUND }, (_, round) => round);
  return spreadOf(rounds.map((round) => rateOf(last, round) / rateOf(first, round)));
}

function summarise(samples: readonly Sample[]): SideFigure {
  return {
    perSecond: spreadOf(samples.map(({ perSecond }) => perSecond)),
    cpuMs: spreadOf(samples.map((sample) => 1_000 * cpuOf(sample))),
    postgresMs: spreadOf(samples.map(({ cost }) => 1_000 * (cost.cpuSeconds['postgres'] ?? 0))),
  };
}
