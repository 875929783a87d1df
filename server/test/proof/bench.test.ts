// What a bench says of its measurements: the arithmetic between the rounds and the line that programs read.
import { expect, test } from 'vitest';
import { FIGURES, type FigureName, type Sample } from '../../proof/bench/figures.ts';
import { renderSummary, summarise } from '../../proof/bench/report.ts';
import { spreadOf, stepOf } from '../../proof/bench/statistics.ts';

const COST = { cpuSeconds: { api: 0.002, postgres: 0.001 }, statements: 12, walBytes: 9_000 };

function round(rates: Partial<Record<FigureName, number>>): Readonly<Record<FigureName, Sample>> {
  const samples = FIGURES.map((name) => [name, { perSecond: rates[name] ?? 100, steps: {}, cost: COST }]);
  return Object.fromEntries(samples) as Record<FigureName, Sample>;
}

function costing(cpuSeconds: Record<string, number>): Sample {
  return { perSecond: 1, steps: {}, cost: { ...COST, cpuSeconds } };
}

test('a ratio is made within each round, so that a slow minute of the machine does not count', () => {
  const { ratios } = summarise([
    round({ gateway: 500, bare: 1_000 }),
    // Ten times slower, both of them.
    round({ gateway: 50, bare: 100 }),
    round({ gateway: 300, bare: 1_000 }),
  ]);
  expect(ratios.gateway_vs_bare).toEqual({ median: 0.5, min: 0.3, max: 0.5 });
});

test('the ratio of processor time leaves out those who make the load', () => {
  const gateway = costing({ api: 0.002, worker: 0.002, postgres: 0.004, clients: 0.5, simulator: 0.5 });
  const { cpuRatios } = summarise([
    { ...round({}), gateway, bare: costing({ postgres: 0.002, clients: 0.5 }) },
  ]);
  expect(cpuRatios.gateway_vs_bare.median).toBeCloseTo(0.25);
});

test('the line holds each ratio by its name, ours divided by what it is held against', () => {
  const rates = { intake: 300, insert: 200, status: 50, hot: 80, earlier_intake: 270 };
  const line = JSON.parse(JSON.stringify(renderSummary(summarise([round(rates)]))));
  expect(line).toMatchObject({
    gateway_vs_bare: 1,
    intake_vs_insert: 1.5,
    status_vs_select: 0.5,
    hot_vs_spread: 0.8,
    v1_vs_v2: 0.9,
  });
  expect(line.figures.gateway).toMatchObject({
    cpuMs: { api: 2, postgres: 1 },
    statements: 12,
    walBytes: 9_000,
  });
});

test('a median lies between the two in the middle, and p99 near the slowest', () => {
  expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4 });
  expect(stepOf(Array.from({ length: 101 }, (_, index) => index))).toEqual({ p50Ms: 50, p99Ms: 99 });
});
