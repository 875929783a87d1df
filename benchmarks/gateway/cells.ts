// `npm run bench -- --cells`: whether cells add up. Each cell gets the same few deposits a second, first alone while
// the others are idle, then all at once, so that the cores are never full. Measured is the processor time of gateway
// and database per payment, less what the same processes take when idle. Load generator, receiver and operator are not
// counted.
import { availableParallelism, cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { withHooks } from '../../drills/kit/database.ts';
import type { Say } from '../../drills/kit/program.ts';
import { align } from '../../drills/kit/table.ts';
import { runOpenLoad } from './arrivals.ts';
import { startCells, type BenchCell } from './cell-setup.ts';
import { lifeTurn } from './load.ts';
import { difference, mapCost, type Reading } from './meters.ts';
import { cpuOf, roundedAll } from './report.ts';
import { depositRequest } from './requests.ts';
import { meanOf, spreadOf, type Spread } from './statistics.ts';

const CELLS = 4;
/** Low enough that the cores are not full when all cells work at once. */
const PER_SECOND = 5;
const WARM_UP_PER_SECOND = 100;
const GOAL = 1.1;

type Tempo = { readonly warmUpMs: number; readonly warmMs: number; readonly windowMs: number };
/** A process that has done little is slow, so each cell gets many payments before the first round. */
const FULL: Tempo = { warmUpMs: 15_000, warmMs: 2_000, windowMs: 15_000 };
const SMOKE: Tempo = { warmUpMs: 1_000, warmMs: 500, windowMs: 1_000 };

export type CellsOptions = {
  readonly rounds: number;
  /** One short round, to see that everything runs. */
  readonly isSmoke: boolean;
  readonly say: Say;
};

type Round = {
  /** Per second, of each cell. */
  readonly idle: readonly Reading[];
  /** Per payment. */
  readonly alone: Sample;
  readonly together: Sample;
};

type Sample = {
  readonly cost: Reading;
  /** Without what the same processes take when idle. */
  readonly cpuMs: number;
  /** Of all cores, by whatever runs on the machine. */
  readonly busyShare: number;
  readonly p99Ms: number;
};

export function runCells({ rounds, isSmoke, say }: CellsOptions): Promise<void> {
  const tempo = isSmoke ? SMOKE : FULL;
  return withHooks(async (hooks) => {
    const cells = await startCells(hooks, { count: CELLS, say });
    for (const cell of cells) await offer(cell, { warmMs: 0, windowMs: tempo.warmUpMs }, WARM_UP_PER_SECOND);
    const measured: Round[] = [];
    for (let turn = 0; turn < (isSmoke ? 1 : rounds); turn += 1) {
      const round = await measureRound(cells, tempo, turn % 2 === 1);
      measured.push(round);
      const [alone, together] = [round.alone, round.together].map(({ cpuMs }) => cpuMs.toFixed(2));
      say(`round ${turn + 1}: ${alone} ms a payment in one cell, ${together} ms in ${CELLS} at once`);
    }
    process.stdout.write(renderTable(measured));
    process.stdout.write(`${JSON.stringify(roundedAll(summarise(measured)))}\n`);
  });
}

/** Every second round runs backwards, so that a process that gets faster favours neither side. */
async function measureRound(cells: readonly BenchCell[], tempo: Tempo, isReversed: boolean): Promise<Round> {
  const idleBefore = await measureIdle(cells, tempo);
  const together = () => measureTogether(cells, tempo, idleBefore);
  const alone = async () => {
    const samples: Sample[] = [];
    for (const [index, cell] of cells.entries())
      samples.push(await measureTogether([cell], tempo, idleBefore.slice(index, index + 1)));
    return mergeSamples(samples);
  };
  if (isReversed) {
    const first = await together();
    return { idle: idleBefore, alone: await alone(), together: first };
  }
  return { idle: idleBefore, alone: await alone(), together: await together() };
}

/** What each cell takes in a second without any payment. */
async function measureIdle(cells: readonly BenchCell[], { windowMs }: Tempo): Promise<readonly Reading[]> {
  // What the last payments left to do.
  await sleep(1_000);
  const before = await Promise.all(cells.map(({ meters }) => meters.read('BEGINS')));
  await sleep(windowMs);
  const after = await Promise.all(cells.map(({ meters }) => meters.read('ENDS')));
  return after.map((reading, index) =>
    perUnit(difference(before[index] ?? reading, reading), windowMs / 1_000),
  );
}

/** These cells at once, each with the same rate. */
async function measureTogether(
  cells: readonly BenchCell[],
  tempo: Tempo,
  idle: readonly Reading[],
): Promise<Sample> {
  const seconds = tempo.windowMs / 1_000;
  const offered = Promise.all(cells.map((cell) => offer(cell, tempo)));
  await sleep(tempo.warmMs);
  const [before, coresBefore] = [
    await Promise.all(cells.map(({ meters }) => meters.read('BEGINS'))),
    readCores(),
  ];
  await sleep(tempo.windowMs);
  const [after, coresAfter] = [
    await Promise.all(cells.map(({ meters }) => meters.read('ENDS'))),
    readCores(),
  ];
  const results = await offered;
  const count = results.reduce((sum, { donePerSecond }) => sum + donePerSecond * seconds, 0);
  const used = cells.map((_cell, index) => difference(before[index] ?? EMPTY, after[index] ?? EMPTY));
  const cost = perUnit(sumOf(used), count);
  const idleEach = (cpuOf({ cost: sumOf(idle) }) * seconds) / count;
  return {
    cost,
    cpuMs: (cpuOf({ cost }) - idleEach) * 1_000,
    busyShare: 1 - (coresAfter.idle - coresBefore.idle) / (coresAfter.all - coresBefore.all),
    p99Ms: Math.max(...results.map(({ steps }) => steps['initiation']?.p99Ms ?? 0)),
  };
}

const EMPTY: Reading = { cpuSeconds: {}, statements: 0, walBytes: 0 };

function sumOf(readings: readonly Reading[]): Reading {
  return mapCost(readings, (values) => values.reduce((sum, value) => sum + value, 0));
}

function perUnit(reading: Reading, count: number): Reading {
  return mapCost([reading], ([value = 0]) => value / count);
}

function mergeSamples(samples: readonly Sample[]): Sample {
  const mean = (read: (sample: Sample) => number) => meanOf(samples.map(read));
  return {
    cost: mapCost(
      samples.map(({ cost }) => cost),
      meanOf,
    ),
    cpuMs: mean(({ cpuMs }) => cpuMs),
    busyShare: mean(({ busyShare }) => busyShare),
    p99Ms: mean(({ p99Ms }) => p99Ms),
  };
}

/** Deposits of the cell's shops in turn, each to its callback. */
function offer(
  cell: BenchCell,
  { warmMs, windowMs }: Pick<Tempo, 'warmMs' | 'windowMs'>,
  perSecond = PER_SECOND,
) {
  let turn = 0;
  const generate = () => depositRequest(cell.shops[(turn += 1) % cell.shops.length]?.apiToken ?? '');
  const options = { perSecond, warmMs, windowMs, ports: [cell.port] };
  return runOpenLoad(options, lifeTurn(cell.receiver, generate));
}

function readCores(): { readonly idle: number; readonly all: number } {
  const times = cpus().map((core) => core.times);
  const sum = (read: (core: (typeof times)[number]) => number) =>
    times.reduce((total, core) => total + read(core), 0);
  return {
    idle: sum(({ idle }) => idle),
    all: sum(({ idle, user, nice, sys, irq }) => idle + user + nice + sys + irq),
  };
}

/** Computed within a round, from measurements close in time. */
function ratioOf(rounds: readonly Round[]): Spread {
  return spreadOf(rounds.map(({ alone, together }) => together.cpuMs / alone.cpuMs));
}

function idleMs(rounds: readonly Round[]): number {
  return meanOf(rounds.flatMap(({ idle }) => idle.map((cost) => cpuOf({ cost }) * 1_000)));
}

function summarise(rounds: readonly Round[]): object {
  const ratio = ratioOf(rounds);
  return {
    cells_cpu_four_vs_one: ratio.median,
    goal: { max: GOAL, isReached: ratio.median <= GOAL },
    spread: ratio,
    perSecondAndCell: PER_SECOND,
    alone: figureOf(rounds.map(({ alone }) => alone)),
    together: figureOf(rounds.map(({ together }) => together)),
    idleCpuMsPerSecondAndCell: idleMs(rounds),
    rounds: rounds.length,
    cores: availableParallelism(),
    loadAverage: loadavg(),
  };
}

function figureOf(samples: readonly Sample[]) {
  const median = (read: (sample: Sample) => number) => spreadOf(samples.map(read)).median;
  return {
    cpuMs: spreadOf(samples.map(({ cpuMs }) => cpuMs)),
    by: Object.fromEntries(
      ['api', 'worker', 'postgres'].map((name) => [
        name,
        median(({ cost }) => (cost.cpuSeconds[name] ?? 0) * 1_000),
      ]),
    ),
    statements: median(({ cost }) => cost.statements),
    walBytes: median(({ cost }) => cost.walBytes),
    busyShare: median(({ busyShare }) => busyShare),
    initiationP99Ms: median(({ p99Ms }) => p99Ms),
  };
}

function row(title: string, samples: readonly Sample[]): readonly string[] {
  const { cpuMs, by, statements, walBytes, busyShare } = figureOf(samples);
  const parts = Object.entries(by).map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  return [
    title,
    cpuMs.median.toFixed(2),
    `${cpuMs.min.toFixed(2)} – ${cpuMs.max.toFixed(2)}`,
    parts.join(', '),
    statements.toFixed(1),
    walBytes.toFixed(0),
    `${Math.round(busyShare * 100)} %`,
  ];
}

function renderTable(rounds: readonly Round[]): string {
  const { median, min, max } = ratioOf(rounds);
  const head = [
    '',
    'CPU ms, less idle',
    'spread',
    'by process, idle included',
    'statements',
    'WAL bytes',
    'cores busy',
  ];
  return [
    `\nCost of one payment at ${PER_SECOND} a second in each cell: gateway and database`,
    ...align([
      head,
      row(
        'one cell',
        rounds.map(({ alone }) => alone),
      ),
      row(
        `${CELLS} cells at once`,
        rounds.map(({ together }) => together),
      ),
    ]),
    `\nAn idle cell takes ${idleMs(rounds).toFixed(0)} ms a second.`,
    `${CELLS} cells by one: ${median.toFixed(3)} (${min.toFixed(3)} – ${max.toFixed(3)}); goal at most ${GOAL}\n\n`,
  ].join('\n');
}
