// `npm run bench -- --cells`: whether cells scale. One, two and four of them process deposits to their callbacks;
// measured is the processor time of gateway and database per payment. Load generator, receiver and operator are not
// counted.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withHooks } from '../../drills/kit/database.ts';
import type { Say } from '../../drills/kit/program.ts';
import { align } from '../../drills/kit/table.ts';
import { startCells, type BenchCell, type CellSetup } from './cell-setup.ts';
import { depositTemplates } from './closed-loads.ts';
import { PLOTS } from './curve.ts';
import { metered, type Sample, type Tempo } from './figures.ts';
import { runLives } from './lives.ts';
import { difference, meanCost } from './meters.ts';
import { renderPlot, type Series } from './plot.ts';
import { cpuOf, roundedAll } from './report.ts';
import { meanOf, spreadOf, type Spread } from './statistics.ts';

/** The number of cells, and of deposits in flight in each of them. */
type Setup = { readonly cells: number; readonly inFlightPerCell: number };

const PER_CELL = 64;
const TOTAL = 256;
const COUNTS = [1, 2, 4] as const;
const CELLS_MAX = 4;

/** With a constant load per cell, batches stay equally large; with a constant total, they shrink as cells are added. */
const LOADS = {
  samePerCell: COUNTS.map((cells) => ({ cells, inFlightPerCell: PER_CELL })),
  sameInAll: COUNTS.map((cells) => ({ cells, inFlightPerCell: TOTAL / cells })),
} as const satisfies Record<string, readonly Setup[]>;

/** In this order, and reversed in the next round. Four cells are the same setup under both loads. */
const SETUPS: readonly Setup[] = [
  { cells: 1, inFlightPerCell: PER_CELL },
  { cells: 1, inFlightPerCell: TOTAL },
  { cells: 2, inFlightPerCell: PER_CELL },
  { cells: 2, inFlightPerCell: TOTAL / 2 },
  { cells: 4, inFlightPerCell: PER_CELL },
];

const TEMPO: Tempo = { warmMs: 300, windowMs: 2_500 };
const WARM_UP: Tempo = { warmMs: 0, windowMs: 5_000 };
const IDLE_MS = 3_000;

export type CellsOptions = {
  readonly rounds: number;
  /** One short round, to see that everything runs. */
  readonly isSmoke: boolean;
  readonly say: Say;
};

/** By setup: the samples of the rounds. */
type Samples = ReadonlyMap<string, readonly Sample[]>;

export function runCells({ rounds, isSmoke, say }: CellsOptions): Promise<void> {
  return withHooks(async (hooks) => {
    const bench = await startCells(hooks, { count: CELLS_MAX, say });
    const tempo = isSmoke ? { warmMs: 0, windowMs: 500 } : TEMPO;
    // Compilers warm up in every process; this is not counted.
    await play(bench, { cells: CELLS_MAX, inFlightPerCell: PER_CELL }, isSmoke ? tempo : WARM_UP, 0);
    const idleMs = await measureIdle(bench);
    say(`a cell at rest takes ${idleMs.toFixed(0)} ms of processor time a second`);
    const samples = await measure(bench, { rounds: isSmoke ? 1 : rounds, tempo, say });
    if (!isSmoke) writePlot(samples);
    process.stdout.write(renderTable(samples));
    process.stdout.write(`${JSON.stringify(roundedAll(summarise(samples, idleMs)))}\n`);
  });
}

async function measure(
  bench: CellSetup,
  { rounds, tempo, say }: { rounds: number; tempo: Tempo; say: Say },
): Promise<Samples> {
  const samples = new Map<string, Sample[]>(SETUPS.map((setup) => [nameOf(setup), []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const setup of round % 2 === 0 ? SETUPS : SETUPS.toReversed()) {
      const sample = await play(bench, setup, tempo, round);
      samples.get(nameOf(setup))?.push(sample);
      const cost = `${(cpuOf(sample) * 1_000).toFixed(2)} ms each`;
      say(`round ${round + 1} of ${rounds}: ${nameOf(setup)} ${Math.round(sample.perSecond)}/s, ${cost}`);
    }
  }
  return samples;
}

/** `turn` selects the first of the cells that take part, so that no process is warmer than the others. */
async function play(bench: CellSetup, setup: Setup, tempo: Tempo, turn: number): Promise<Sample> {
  const { cells, wrk, folder } = bench;
  const chosen = cells.map((_, index) => cells[(turn + index) % cells.length]).slice(0, setup.cells);
  const samples = await Promise.all(chosen.flatMap((cell) => (cell === undefined ? [] : [load(cell)])));
  return combine(samples);

  function load(cell: BenchCell): Promise<Sample> {
    const place = { receiver: cell.receiver, gatewayPorts: [cell.port], wrk, folder };
    const requests = depositTemplates(cell.shops);
    const options = { ...tempo, inFlight: setup.inFlightPerCell, requests };
    return metered(cell, (onWindow) => runLives(place, { ...options, onWindow }));
  }
}

/** Rates are summed; costs are averaged, weighted by payments. */
function combine(samples: readonly Sample[]): Sample {
  const perSecond = samples.reduce((sum, sample) => sum + sample.perSecond, 0);
  const cost = meanCost(
    samples.map((sample) => sample.cost),
    samples.map((sample) => sample.perSecond),
  );
  return { perSecond, steps: {}, cost };
}

/** Processor time of an idle cell per second. */
async function measureIdle({ cells }: CellSetup): Promise<number> {
  const before = await Promise.all(cells.map(({ meters }) => meters.read('BEGINS')));
  await sleep(IDLE_MS);
  const after = await Promise.all(cells.map(({ meters }) => meters.read('ENDS')));
  const seconds = after.map((reading, index) => {
    const { cpuSeconds } = difference(before[index] ?? reading, reading);
    return Object.values(cpuSeconds).reduce((sum, value) => sum + value, 0);
  });
  return (meanOf(seconds) * 1_000) / (IDLE_MS / 1_000);
}

function summarise(samples: Samples, idleMs: number): object {
  return {
    cells: figuresOf(samples, 'samePerCell'),
    cpu_four_vs_one: ratioOf(samples, 'samePerCell').median,
    inFlightPerCell: PER_CELL,
    sameInAll: figuresOf(samples, 'sameInAll'),
    cpu_four_vs_one_same_in_all: ratioOf(samples, 'sameInAll').median,
    inFlightInAll: TOTAL,
    spreads: { samePerCell: ratioOf(samples, 'samePerCell'), sameInAll: ratioOf(samples, 'sameInAll') },
    idleCpuMsPerSecond: idleMs,
    cores: availableParallelism(),
    loadAverage: loadavg(),
  };
}

function figuresOf(samples: Samples, load: keyof typeof LOADS): object {
  const figures = LOADS[load].map((setup) => {
    const { cpuMs, perSecond, statements } = figureOf(samples, setup);
    return [setup.cells, { cpuMs: cpuMs.median, perSecond: perSecond.median, statements }];
  });
  return Object.fromEntries(figures) as object;
}

function figureOf(samples: Samples, setup: Setup) {
  const rounds = samples.get(nameOf(setup)) ?? [];
  const median = (read: (sample: Sample) => number) => spreadOf(rounds.map(read)).median;
  return {
    cpuMs: spreadOf(rounds.map((sample) => cpuOf(sample) * 1_000)),
    perSecond: spreadOf(rounds.map(({ perSecond }) => perSecond)),
    statements: median(({ cost }) => cost.statements),
    walBytes: median(({ cost }) => cost.walBytes),
    by: ['api', 'worker', 'postgres'].map((name) => {
      return `${name} ${median(({ cost }) => (cost.cpuSeconds[name] ?? 0) * 1_000).toFixed(2)}`;
    }),
  };
}

/** Computed within a round, from measurements close in time. */
function ratioOf(samples: Samples, load: keyof typeof LOADS): Spread {
  const [one = [], , four = []] = LOADS[load].map((setup) => samples.get(nameOf(setup)) ?? []);
  return spreadOf(
    four.flatMap((sample, round) =>
      one.slice(round, round + 1).map((beside) => cpuOf(sample) / cpuOf(beside)),
    ),
  );
}

function renderTable(samples: Samples): string {
  const rows = SETUPS.map((setup) => {
    const { cpuMs, perSecond, statements, walBytes, by } = figureOf(samples, setup);
    const spread = `${cpuMs.min.toFixed(2)} – ${cpuMs.max.toFixed(2)}`;
    const cost = [cpuMs.median.toFixed(2), spread, by.join(', ')];
    return [
      nameOf(setup),
      String(Math.round(perSecond.median)),
      ...cost,
      statements.toFixed(1),
      walBytes.toFixed(0),
    ];
  });
  const head = ['cells × deposits in flight', 'per second', 'CPU ms each', 'spread', 'by process'];
  const ratios = (Object.keys(LOADS) as (keyof typeof LOADS)[]).map((load) => {
    const { median, min, max } = ratioOf(samples, load);
    return [load, median.toFixed(3), `${min.toFixed(3)} – ${max.toFixed(3)}`];
  });
  return [
    '\nCost of one payment: gateway and database',
    ...align([[...head, 'statements', 'WAL bytes'], ...rows]),
    '\nCPU of four cells by that of one',
    ...align([['', 'median', 'spread'], ...ratios]),
    '\n',
  ].join('\n');
}

function writePlot(samples: Samples): void {
  const seriesOf = (name: string, load: keyof typeof LOADS): Series => ({
    name,
    points: LOADS[load].map((setup) => [setup.cells, figureOf(samples, setup).cpuMs.median] as const),
  });
  const same = seriesOf(`${PER_CELL} in flight in each cell`, 'samePerCell');
  const limit = 1.1 * (same.points[0]?.[1] ?? 0);
  mkdirSync(PLOTS, { recursive: true });
  writeFileSync(
    join(PLOTS, 'cost-by-cells.svg'),
    renderPlot({
      title: 'Cost of a payment by number of cells',
      xLabel: `cells on one machine of ${availableParallelism()} cores`,
      yLabel: 'CPU of gateway and database, ms',
      series: [
        same,
        seriesOf(`${TOTAL} in flight in all`, 'sameInAll'),
        { name: '1.1 of one cell', points: COUNTS.map((cells) => [cells, limit] as const), isDashed: true },
      ],
    }),
  );
}

function nameOf({ cells, inFlightPerCell }: Setup): string {
  return `${cells} × ${inFlightPerCell}`;
}
