// Throughput and latency against offered load: an open loop at increasing rates, to beyond the maximum, and its plots.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMeasures } from './figures.ts';
import { offerDeposits, stepNamed } from './latency.ts';
import { renderPlot, type Series } from './plot.ts';
import type { Say } from '../../drills/kit/program.ts';
import type { Setup } from './setup.ts';
import { spreadOf, type Step } from './statistics.ts';

export type CurvePoint = {
  readonly offeredPerSecond: number;
  readonly donePerSecond: number;
  readonly initiation: Step;
  readonly callback: Step;
};

export type Curve = {
  /** The gateway's rate in a closed loop. */
  readonly maxPerSecond: number;
  readonly points: readonly CurvePoint[];
};

export const PLOTS = fileURLToPath(new URL('../../docs/operating/plots', import.meta.url));

/** Above 1 it is overloaded: work waits, and the wait grows as long as it lasts. */
const SHARES = [0.1, 0.25, 0.4, 0.55, 0.7, 0.8, 0.9, 1, 1.1];
const WINDOW_MS = 8_000;
const CLOSED = { warmMs: 500, windowMs: 4_000 };

export async function measureCurve(setup: Setup, say: Say): Promise<Curve> {
  const { gateway } = createMeasures();
  await gateway(setup, CLOSED);
  const closed = [await gateway(setup, CLOSED), await gateway(setup, CLOSED), await gateway(setup, CLOSED)];
  const maxPerSecond = spreadOf(closed.map(({ perSecond }) => perSecond)).median;
  say(`at most ${Math.round(maxPerSecond)}/s`);
  const points: CurvePoint[] = [];
  for (const share of SHARES) {
    const offeredPerSecond = maxPerSecond * share;
    const { donePerSecond, steps } = await offerDeposits(setup, {
      perSecond: offeredPerSecond,
      windowMs: WINDOW_MS,
    });
    const [initiation, callback] = [stepNamed(steps, 'initiation'), stepNamed(steps, 'callback')];
    points.push({ offeredPerSecond, donePerSecond, initiation, callback });
    const p99 = `p99 of initiation ${initiation.p99Ms.toFixed(0)} ms`;
    say(`${offeredPerSecond.toFixed(0)}/s offered, ${donePerSecond.toFixed(0)}/s done, ${p99}`);
  }
  return { maxPerSecond, points };
}

export function writeCurve({ points }: Curve): void {
  const seriesOf = (name: string, read: (point: CurvePoint) => number): Series => {
    return { name, points: points.map((point) => [point.offeredPerSecond, read(point)] as const) };
  };
  const xLabel = 'deposits offered per second';
  mkdirSync(PLOTS, { recursive: true });
  writeFileSync(
    join(PLOTS, 'throughput-by-load.svg'),
    renderPlot({
      title: 'Throughput against offered load',
      xLabel,
      yLabel: 'callbacks acknowledged per second',
      series: [
        seriesOf('whole gateway', ({ donePerSecond }) => donePerSecond),
        { ...seriesOf('all that is offered', ({ offeredPerSecond }) => offeredPerSecond), isDashed: true },
      ],
    }),
  );
  writeFileSync(
    join(PLOTS, 'latency-by-load.svg'),
    renderPlot({
      title: 'Latency against offered load',
      xLabel,
      yLabel: 'milliseconds since the deposit was due',
      isLogarithmicY: true,
      series: [
        seriesOf('initiation p50', ({ initiation }) => initiation.p50Ms),
        seriesOf('initiation p99', ({ initiation }) => initiation.p99Ms),
        seriesOf('callback p50', ({ callback }) => callback.p50Ms),
        seriesOf('callback p99', ({ callback }) => callback.p99Ms),
      ],
    }),
  );
}
