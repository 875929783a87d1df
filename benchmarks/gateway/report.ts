// The report of a benchmark: a table for people, one line for programs.
import { availableParallelism, loadavg } from 'node:os';
import { align } from '../../drills/kit/table.ts';
import { FIGURES, type FigureName, type Sample } from './figures.ts';
import type { Latency } from './latency.ts';
import { mapCost } from './meters.ts';
import { spreadOf, type Spread, type Step } from './statistics.ts';

/** Our figure divided by its reference. */
const RATIOS = {
  gateway_vs_bare: ['gateway', 'bare'],
  intake_vs_insert: ['intake', 'insert'],
  status_vs_select: ['status', 'select'],
  hot_vs_spread: ['hot', 'spread'],
  v1_vs_v2: ['earlier_intake', 'intake'],
} as const satisfies Record<string, readonly [ours: FigureName, beside: FigureName]>;

const TITLES: Readonly<Record<FigureName, string>> = {
  bare: "bare engine: one payment's life as SQL",
  gateway: 'whole gateway: deposits to their callbacks',
  delivery: 'callbacks delivered',
  hot: 'payouts from one wallet',
  spread: 'payouts from many wallets',
  insert: 'bare insert of one row',
  intake: 'intake of deposits',
  earlier_intake: 'intake through API v1',
  status: 'status checks',
  select: 'bare select by primary key',
};

type Figure = {
  readonly perSecond: Spread;
  readonly steps: Readonly<Record<string, Step>>;
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly statements: number;
  readonly walBytes: number;
};

export type Summary = {
  readonly rounds: number;
  readonly ratios: Readonly<Record<keyof typeof RATIOS, Spread>>;
  /** The same for processor time, which other work on the machine affects less. */
  readonly cpuRatios: Readonly<Record<keyof typeof RATIOS, Spread>>;
  readonly figures: Readonly<Record<FigureName, Figure>>;
  readonly latency: Latency;
};

export type Round = Readonly<Record<FigureName, Sample>>;

/** A ratio is computed within a round, from measurements close in time; then the median is taken. */
export function summarise(rounds: readonly Round[], latency: Latency): Summary {
  const figures = FIGURES.map((name) => [name, figureOf(rounds.map((round) => round[name]))]);
  return {
    rounds: rounds.length,
    ratios: ratiosOf(rounds, (ours, beside) => ours.perSecond / beside.perSecond),
    cpuRatios: ratiosOf(rounds, (ours, beside) => cpuOf(beside) / cpuOf(ours)),
    figures: Object.fromEntries(figures) as Summary['figures'],
    latency,
  };
}

function ratiosOf(rounds: readonly Round[], divide: (ours: Sample, beside: Sample) => number) {
  const ratios = Object.entries(RATIOS).map(([name, [ours, beside]]) => [
    name,
    spreadOf(rounds.map((round) => divide(round[ours], round[beside]))),
  ]);
  return Object.fromEntries(ratios) as Summary['ratios'];
}

/** The work of the gateway and its database for one payment, without load generator and operator. */
export function cpuOf({ cost: { cpuSeconds } }: Sample): number {
  const { api = 0, intake = 0, worker = 0, all = 0, postgres = 0 } = cpuSeconds;
  return api + intake + worker + all + postgres;
}

function figureOf(samples: readonly Sample[]): Figure {
  const median = (read: (sample: Sample) => number) => spreadOf(samples.map(read)).median;
  const stepNames = Object.keys(samples[0]?.steps ?? {});
  const costs = samples.map(({ cost }) => cost);
  const { cpuSeconds, statements, walBytes } = mapCost(costs, (values) => spreadOf(values).median);
  return {
    perSecond: spreadOf(samples.map(({ perSecond }) => perSecond)),
    steps: Object.fromEntries(
      stepNames.map((name) => {
        const p50Ms = median((sample) => sample.steps[name]?.p50Ms ?? 0);
        return [name, { p50Ms, p99Ms: median((sample) => sample.steps[name]?.p99Ms ?? 0) }];
      }),
    ),
    cpuMs: Object.fromEntries(Object.entries(cpuSeconds).map(([name, value]) => [name, value * 1_000])),
    statements,
    walBytes,
  };
}

export function renderTable(summary: Summary): string {
  const ratios = (Object.keys(RATIOS) as (keyof typeof RATIOS)[]).map((name) => [
    name,
    ...spreadCells(summary.ratios[name]),
    ...spreadCells(summary.cpuRatios[name]),
  ]);
  const figures = FIGURES.map((name) => figureRow(TITLES[name], summary.figures[name]));
  const costs = FIGURES.map((name) => costRow(TITLES[name], summary.figures[name]));
  return [
    `\nRatios (median of ${summary.rounds} rounds, spread)`,
    ...align([['', 'rate', 'spread', 'CPU', 'spread'], ...ratios]),
    '\nInitiation, 99th percentile',
    ...align([['', 'ms', 'spread', 'p50 / p99'], ...latencyRows(summary.latency)]),
    '\nFigures',
    ...align([['', 'per second', 'spread', 'p50 / p99 of each step'], ...figures]),
    '\nCost of one',
    ...align([['', 'statements', 'WAL bytes', 'CPU by process'], ...costs]),
    `\n${machine()}\n`,
  ].join('\n');
}

function latencyRows({ overCommitMs, lowLoad, sustainedMs, sustained }: Latency) {
  const { perSecond, ...low } = lowLoad;
  const { offeredPerSecond, donePerSecond, ...steps } = sustained;
  const rate = `${offeredPerSecond.toFixed(0)}/s offered, ${donePerSecond.toFixed(0)}/s done`;
  return [
    [`above a bare commit, at ${perSecond}/s`, ...spreadCells(overCommitMs), stepCell(low)],
    [`at 70 % of the most: ${rate}`, ...spreadCells(sustainedMs), stepCell(steps)],
  ];
}

function spreadCells({ median, min, max }: Spread): readonly string[] {
  return [median.toFixed(3), `${min.toFixed(3)} – ${max.toFixed(3)}`];
}

function figureRow(title: string, { perSecond, steps }: Figure): readonly string[] {
  const { median, min, max } = perSecond;
  return [title, String(Math.round(median)), `${Math.round(min)} – ${Math.round(max)}`, stepCell(steps)];
}

function stepCell(steps: Readonly<Record<string, Step>>): string {
  return Object.entries(steps)
    .map(([name, { p50Ms, p99Ms }]) => `${name} ${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)} ms`)
    .join(', ');
}

function costRow(title: string, { statements, walBytes, cpuMs }: Figure): readonly string[] {
  const cpu = Object.entries(cpuMs)
    .filter(([, ms]) => ms >= 0.005)
    .map(([name, ms]) => `${name} ${ms.toFixed(2)} ms`);
  return [title, statements.toFixed(1), String(Math.round(walBytes)), cpu.join(', ')];
}

function machine(): string {
  const load = loadavg().map((value) => value.toFixed(1));
  return `${availableParallelism()} cores, shared by all of it; load ${load.join(', ')}`;
}

/** The ratios first, because readers of the line look for them. */
export function renderSummary({ rounds, ratios, cpuRatios, figures, latency }: Summary): object {
  const medians = Object.entries(ratios).map(([name, { median }]) => [name, rounded(median)]);
  return {
    ...(Object.fromEntries(medians) as Record<string, number>),
    initiation_p99_over_commit_ms: rounded(latency.overCommitMs.median),
    initiation_p99_at_70_percent_ms: rounded(latency.sustainedMs.median),
    rounds,
    cores: availableParallelism(),
    loadAverage: loadavg().map(rounded),
    ratios: roundedAll(ratios),
    cpuRatios: roundedAll(cpuRatios),
    latency: roundedAll(latency),
    figures: roundedAll(figures),
  };
}

export function roundedAll(value: object): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, some: unknown) => (typeof some === 'number' ? rounded(some) : some)),
  );
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
