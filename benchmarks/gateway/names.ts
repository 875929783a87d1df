// What it costs to prepare statements without names, as poolers need it that know none: the same gateway twice on two
// clusters of one machine, with and without names, in turns.
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { createMeasures, type FigureName, type Measure, type Sample, type Tempo } from './figures.ts';
import { cpuOf } from './report.ts';
import { startSetup, type Setup, type SetupOptions } from './setup.ts';
import { spreadOf, type Spread } from './statistics.ts';

const COMPARED = ['gateway', 'intake', 'status'] as const satisfies readonly FigureName[];
const NAMES = ['hash', 'none'] as const;

type Names = (typeof NAMES)[number];

type Figure = {
  readonly perSecond: Spread;
  readonly cpuMs: Spread;
  readonly postgresMs: Spread;
};

export type NamesReport = Readonly<Record<(typeof COMPARED)[number], Readonly<Record<Names, Figure>>>>;

type Side = { readonly setup: Setup; readonly measures: Readonly<Record<FigureName, Measure>> };

export async function measureNames(
  hooks: ShutdownHooks,
  options: SetupOptions & { readonly rounds: number; readonly tempo: Tempo },
): Promise<NamesReport> {
  const { rounds, tempo, say } = options;
  const open = async (names: Names): Promise<Side> => {
    const settings = { MALIPO_DATABASE_STATEMENT_NAMES: names };
    const side = { setup: await startSetup(hooks, { ...options, settings }), measures: createMeasures() };
    for (const figure of COMPARED) await side.measures[figure](side.setup, tempo);
    return side;
  };
  const sides = { hash: await open('hash'), none: await open('none') };
  const samples = { hash: new Map<FigureName, Sample[]>(), none: new Map<FigureName, Sample[]>() };
  for (let round = 1; round <= rounds; round += 1) {
    say(`round ${round} of ${rounds}`);
    for (const figure of COMPARED) {
      // There and back again, so that a drift of the machine favours neither.
      for (const names of [...NAMES, ...NAMES.toReversed()]) {
        const { setup, measures } = sides[names];
        const sample = await measures[figure](setup, tempo);
        samples[names].set(figure, [...(samples[names].get(figure) ?? []), sample]);
      }
    }
  }
  const figureOf = (figure: FigureName, names: Names) => summarise(samples[names].get(figure) ?? []);
  const entries = COMPARED.map((figure) => [
    figure,
    { hash: figureOf(figure, 'hash'), none: figureOf(figure, 'none') },
  ]);
  return Object.fromEntries(entries) as NamesReport;
}

function summarise(samples: readonly Sample[]): Figure {
  return {
    perSecond: spreadOf(samples.map(({ perSecond }) => perSecond)),
    cpuMs: spreadOf(samples.map((sample) => 1_000 * cpuOf(sample))),
    postgresMs: spreadOf(samples.map(({ cost }) => 1_000 * (cost.cpuSeconds['postgres'] ?? 0))),
  };
}
