// What a bench says of its measurements: the arithmetic between the rounds and the line that programs read.
import { expect, test } from 'vitest';
import { runArrivals } from '../../../benchmarks/gateway/arrivals.ts';
import { parseProcesses } from '../../../benchmarks/gateway/processes.ts';
import { BLOCKS, FIGURES, type FigureName, type Sample } from '../../../benchmarks/gateway/figures.ts';
import type { Latency } from '../../../benchmarks/gateway/latency.ts';
import { fitGrowth, type MemorySample } from '../../../benchmarks/gateway/memory-samples.ts';
import { renderPlot } from '../../../benchmarks/gateway/plot.ts';
import { renderSummary, summarise } from '../../../benchmarks/gateway/report.ts';
import { spreadOf, stepOf } from '../../../benchmarks/gateway/statistics.ts';
import { parseResult } from '../../../benchmarks/gateway/wrk.ts';

const COST = { cpuSeconds: { api: 0.002, postgres: 0.001 }, statements: 12, walBytes: 9_000 };

function round(rates: Partial<Record<FigureName, number>>): Readonly<Record<FigureName, Sample>> {
  const samples = FIGURES.map((name) => [name, { perSecond: rates[name] ?? 100, steps: {}, cost: COST }]);
  return Object.fromEntries(samples) as Record<FigureName, Sample>;
}

const STEP = { p50Ms: 2, p99Ms: 9 };
const SPREAD = { median: 7, min: 5, max: 11 };
const LATENCY: Latency = {
  overCommitMs: SPREAD,
  lowLoad: { perSecond: 20, initiation: STEP, commit: STEP },
  sustainedMs: { ...SPREAD, median: 70 },
  sustained: { offeredPerSecond: 70, donePerSecond: 70, initiation: STEP, callback: STEP },
};

function costing(cpuSeconds: Record<string, number>): Sample {
  return { perSecond: 1, steps: {}, cost: { ...COST, cpuSeconds } };
}

test('a ratio is made within each round, so that a slow minute of the machine does not count', () => {
  const { headlines } = summarise(
    [
      round({ gateway: 500, bare: 1_000 }),
      // Ten times slower, both of them.
      round({ gateway: 50, bare: 100 }),
      round({ gateway: 300, bare: 1_000 }),
    ],
    LATENCY,
  );
  expect(headlines.gateway_vs_bare).toEqual({ median: 0.5, min: 0.3, max: 0.5 });
});

test('the ratio of processor time leaves out those who make the load', () => {
  const gateway = costing({ api: 0.002, worker: 0.002, postgres: 0.004, clients: 0.5, simulator: 0.5 });
  const { cpuRatios } = summarise(
    [{ ...round({}), gateway, bare: costing({ postgres: 0.002, clients: 0.5 }) }],
    LATENCY,
  );
  expect(cpuRatios.gateway_vs_bare.median).toBeCloseTo(0.25);
});

test('the line holds each ratio by its name, ours divided by what it is held against', () => {
  const rates = { bare_batched: 400, intake: 300, insert_route: 200, status: 50, hot: 80, v1_intake: 270 };
  const line = JSON.parse(JSON.stringify(renderSummary(summarise([round(rates)], LATENCY))));
  expect(line).toMatchObject({
    gateway_vs_bare: 1,
    gateway_vs_batched: 0.25,
    postgres_cpu_vs_bare: 1,
    intake_vs_route: 1.5,
    status_vs_route: 0.5,
    hot_vs_spread: 0.8,
    v1_vs_v2: 0.9,
    initiation_p99_over_commit_ms: 7,
    initiation_p99_at_70_percent_ms: 70,
  });
  expect(line.figures.gateway).toMatchObject({
    cpuMs: { api: 2, postgres: 1 },
    statements: 12,
    walBytes: 9_000,
  });
});

test("PostgreSQL's processor time for a payment is the gateway's divided by the bare life's", () => {
  const gateway = costing({ api: 0.5, worker: 0.5, postgres: 0.001 });
  const { headlines } = summarise(
    [{ ...round({}), gateway, bare: costing({ postgres: 0.004, load: 0.5 }) }],
    LATENCY,
  );
  expect(headlines.postgres_cpu_vs_bare.median).toBeCloseTo(0.25);
});

test('the line tells beside each goal whether it is reached, from below or from above', () => {
  const rates = { gateway: 100, bare: 100, intake: 49, insert_route: 100 };
  const latency = { ...LATENCY, sustainedMs: { ...SPREAD, median: 101 } };
  const { goals } = JSON.parse(JSON.stringify(renderSummary(summarise([round(rates)], latency))));
  expect(goals).toMatchObject({
    gateway_vs_bare: { min: 1, isReached: true },
    intake_vs_route: { min: 0.5, isReached: false },
    postgres_cpu_vs_bare: { max: 0.4, isReached: false },
    initiation_p99_at_70_percent_ms: { max: 100, isReached: false },
    initiation_p99_over_commit_ms: { max: 15, isReached: true },
  });
});

test('wrk tells how many were answered well, how many were rejected, and that a connection broke', () => {
  const figures = { answered: 100, refused: 4, broken: 0, accepted: 0, seconds: 2, p50Ms: 1, p99Ms: 5 };
  expect(parseResult(`Running 24h test\n${JSON.stringify(figures)}\n`)).toMatchObject({
    count: 96,
    rejected: 4,
    seconds: 2,
    step: { p50Ms: 1, p99Ms: 5 },
  });
  expect(() => parseResult(JSON.stringify({ ...figures, broken: 1 }))).toThrow('1 connections broke');
  expect(() => parseResult('unable to connect to 127.0.0.1:1')).toThrow('unable to connect');
});

test('in a block every figure stands as often before the others as after them', () => {
  const compared = BLOCKS.map((block) => block.filter((name) => name !== 'delivery'));
  for (const block of compared) expect(block.toReversed()).toEqual(block);
  expect(new Set(BLOCKS.flat())).toEqual(new Set(FIGURES));
});

test('work that arrives late counts from the moment at which it was due', async () => {
  const standsStillMs = 60;
  const { steps, count } = await runArrivals(
    { perSecond: 200, warmMs: 0, windowMs: 100 },
    async (since, index) => {
      // A generator that is held up sends the next ones late.
      const until = performance.now() + (index === 0 ? standsStillMs : 0);
      while (performance.now() < until);
      return { answer: performance.now() - since };
    },
  );
  expect(count).toBe(20);
  // About ten were due while everything stood still, and on average they waited half of it.
  expect(steps['answer']?.p50Ms).toBeGreaterThan(2);
  expect(steps['answer']?.p99Ms).toBeGreaterThan(standsStillMs - 15);
});

/** What a process held in each minute of an hour. */
function sampled(megabytes: (minute: number) => number): readonly MemorySample[] {
  return Array.from({ length: 61 }, (_, minute) => {
    const bytes = megabytes(minute) * 1_048_576;
    return { at: minute * 60_000, rss: bytes, heapUsed: bytes, external: 0 };
  });
}

test('what leaks a megabyte a minute rises by sixty an hour, and what swings about a level does not rise', () => {
  const leaking = fitGrowth(
    sampled((minute) => 100 + minute),
    ({ rss }) => rss,
  );
  expect(leaking.slopeMbPerHour).toBeCloseTo(60);
  expect(leaking.riseShare).toBeCloseTo(60 / 130);
  const swinging = fitGrowth(
    sampled((minute) => 100 + (minute % 2) * 20),
    ({ heapUsed }) => heapUsed,
  );
  expect(Math.abs(swinging.riseShare)).toBeLessThan(0.01);
});

test('a plot names its axes, and no line of it is long', () => {
  const points = Array.from({ length: 40 }, (_, index) => [index * 1_000, 10 ** (index / 10)] as const);
  const svg = renderPlot({
    title: 'Cost & size',
    xLabel: 'payments',
    yLabel: 'milliseconds',
    isLogarithmicY: true,
    series: [{ name: 'p99', points }],
  });
  for (const text of ['Cost &amp; size', 'payments', 'milliseconds', 'p99', '40,000', '10,000'])
    expect(svg).toContain(`>${text}<`);
  expect(svg).not.toContain('NaN');
  expect(Math.max(...svg.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
});

test('processes are named as APIs and workers, or as so many that are both', () => {
  expect(parseProcesses('2+1')).toEqual({ apis: 2, workers: 1 });
  expect(parseProcesses('2')).toEqual({ both: 2 });
  expect(parseProcesses('two')).toBeNull();
});

test('a median lies between the two in the middle, and p99 near the slowest', () => {
  expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4 });
  expect(stepOf(Array.from({ length: 101 }, (_, index) => index))).toEqual({ p50Ms: 50, p99Ms: 99 });
});
