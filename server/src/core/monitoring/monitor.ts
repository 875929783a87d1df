// Measures for the host's alerts. Of all workers one measures each part when its time has come, and writes it down; all
// read it, so that every process exposes the same figures and none of them costs a second measurement.
import {
  claimPart,
  listReadings,
  MONITOR_PARTS,
  writeReading,
  type MonitorPart,
  type StoredReading,
} from '../../store/monitoring/monitor-readings.ts';
import type { Engine, StorePart, TimedDatabase } from '../engine.ts';
import type { FloatMinimum } from './float-minimum.ts';
import { measureBooks, parseCheckpoint, renderCheckpoint, type BooksCheckpoint } from './measure-books.ts';
import { renderFloats } from './float-record.ts';
import { measureFloat } from './measure-float.ts';
import { measureFlow } from './measure-flow.ts';
import { MONITOR_METRICS, type Sample } from './monitor-metrics.ts';
import { addMs } from '../../domain/time.ts';
import { withSince } from './standing-since.ts';

export type MonitorSettings = {
  /** How often payments, cases, callbacks and money in between are looked at. */
  readonly intervalMs: number;
  /** How often operators are asked for their balances. */
  readonly floatIntervalMs: number;
  /** How often the books are looked at, and days of transfers added up again. */
  readonly booksIntervalMs: number;
  readonly floatMinimums: readonly FloatMinimum[];
};

export const DEFAULT_MONITOR: MonitorSettings = {
  // As often as Prometheus usually looks.
  intervalMs: 15_000,
  // Operators do not like to be asked more often, and a float does not run dry in less.
  floatIntervalMs: 300_000,
  // It reads two days of transfers, and at most a million older ones.
  booksIntervalMs: 3_600_000,
  floatMinimums: [],
};

/** Longer than any measurement takes. A part whose worker was stopped meanwhile is then anybody's. */
const MEASURED_WITHIN_MS = 10 * 60_000;

/** What was last measured of one part. */
export type Reading = {
  readonly part: MonitorPart;
  readonly ageSeconds: number;
  readonly intervalSeconds: number;
  readonly samples: readonly Sample[];
};

/** Takes the parts whose time has come and that no one else has taken. Answers a piece of work for each. */
export async function takeMeasurements(
  engine: Engine,
  settings: MonitorSettings,
  isStopping: () => boolean = () => false,
): Promise<readonly (() => Promise<void>)[]> {
  const { database } = engine.store;
  const now = await engine.clock.timeOf(database);
  const taken: (() => Promise<void>)[] = [];
  for (const part of MONITOR_PARTS) {
    const intervalMs = intervalOf(part, settings);
    // Half a look early rather than a whole look late: workers look at times of their own.
    const lastBefore = addMs(now, settings.intervalMs / 2 - intervalMs);
    const futureFrom = addMs(now, intervalMs);
    const voidBefore = addMs(now, -MEASURED_WITHIN_MS);
    if (await claimPart(database, { part, now, lastBefore, voidBefore, futureFrom })) {
      taken.push(() => measure(engine, part, { ...settings, isStopping }));
    }
  }
  return taken;
}

/** What every process exposes. */
export async function readMeasurements(
  engine: TimedDatabase,
  settings: MonitorSettings,
): Promise<readonly Reading[]> {
  const now = engine.clock.now().getTime();
  const readings = await listReadings(engine.store.database);
  return readings.map(({ part, measuredAt, samples }) => ({
    part,
    ageSeconds: (now - measuredAt.getTime()) / 1_000,
    intervalSeconds: intervalOf(part, settings) / 1_000,
    // A newer build may measure what this one does not know.
    samples: (samples as readonly Sample[]).filter(({ metric }) => Object.hasOwn(MONITOR_METRICS, metric)),
  }));
}

async function measure(
  engine: Engine,
  part: MonitorPart,
  settings: MonitorSettings & { readonly isStopping: () => boolean },
): Promise<void> {
  const measuredAt = await engine.clock.timeOf(engine.store.database);
  switch (part) {
    case 'books': {
      const last = await findCheckpoint(engine);
      const measured = await measureBooks(engine, { last, isStopping: settings.isStopping });
      if (measured === null) return;
      const { samples, checkpoint } = measured;
      await keep(engine, { part, measuredAt, samples, checkpoint: renderCheckpoint(checkpoint) });
      // The others go on from here; the first time, they had nothing to go on from.
      await measure(engine, 'flow', settings);
      await measure(engine, 'float', settings);
      return;
    }
    case 'flow': {
      const samples = await measureFlow(engine, await findCheckpoint(engine));
      await keep(engine, { part, measuredAt, samples, checkpoint: null });
      return;
    }
    case 'float': {
      const { floatMinimums: minimums } = settings;
      const { samples, floats } = await measureFloat(engine, { minimums });
      await keep(engine, { part, measuredAt, samples, checkpoint: renderFloats(floats) });
    }
  }
}

type Measured = StoredReading & { readonly samples: readonly Sample[] };

async function keep({ store: { database } }: StorePart, measured: Measured): Promise<void> {
  const { part, samples, measuredAt } = measured;
  const before = (await listReadings(database)).find((one) => one.part === part)?.samples ?? [];
  const kept = withSince(samples, before as readonly Sample[], measuredAt);
  await writeReading(database, { ...measured, samples: kept });
}

/** Null until the books have been read once. */
export async function findCheckpoint(engine: StorePart): Promise<BooksCheckpoint | null> {
  const readings = await listReadings(engine.store.database);
  const books = readings.find(({ part }) => part === 'books');
  return books === undefined ? null : parseCheckpoint(books.checkpoint);
}

export function intervalOf(part: MonitorPart, settings: MonitorSettings): number {
  switch (part) {
    case 'flow':
      return settings.intervalMs;
    case 'float':
      return settings.floatIntervalMs;
    case 'books':
      return settings.booksIntervalMs;
  }
}
