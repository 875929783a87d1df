// The same gateway twice, on two clusters of one machine, with one thing changed: measured in turns.
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { createMeasures, type FigureName, type Measure, type Sample, type Tempo } from './figures.ts';
import { cpuOf } from './report.ts';
import { startSetup, type Setup, type SetupOptions } from './setup.ts';
import { spreadOf, type Spread } from './statistics.ts';

export type SideFigure = {
  readonly perSecond: Spread;
  readonly cpuMs: Spread;
  readonly postgresMs: Spread;
};

export type SidesReport<Figure extends string, Side extends string> = Readonly<
  Record<Figure, Readonly<Record<Side, SideFigure>>>
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
  const entries = figures.map((figure) => [
    figure,
    Object.fromEntries(names.map((name) => [name, summarise(samples.get(`${figure} ${name}`) ?? [])])),
  ]);
  return Object.fromEntries(entries) as SidesReport<Figure, Side>;
}

function summarise(samples: readonly Sample[]): SideFigure {
  return {
    perSecond: spreadOf(samples.map(({ perSecond }) => perSecond)),
    cpuMs: spreadOf(samples.map((sample) => 1_000 * cpuOf(sample))),
    postgresMs: spreadOf(samples.map(({ cost }) => 1_000 * (cost.cpuSeconds['postgres'] ?? 0))),
  };
}
