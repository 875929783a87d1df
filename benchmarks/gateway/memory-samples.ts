// The memory samples of a process, and whether they grow.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { meanOf } from './statistics.ts';

export const MEMORY_INTERVAL_MS = 10_000;

export type MemorySample = {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
};

export type Growth = {
  readonly samples: number;
  readonly meanMb: number;
  readonly slopeMbPerHour: number;
  /** The rise of the trend line over the samples, relative to their mean. */
  readonly riseShare: number;
};

const MB = 1_048_576;
const HOUR_MS = 3_600_000;

export function readSamples(folder: string, pid: number): readonly MemorySample[] {
  const path = join(folder, `${pid}.jsonl`);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as MemorySample);
}

/** The trend line, by least squares. */
export function fitGrowth(samples: readonly MemorySample[], read: (sample: MemorySample) => number): Growth {
  const [first, last] = [samples[0]?.at ?? 0, samples.at(-1)?.at ?? 0];
  const hours = samples.map(({ at }) => (at - first) / HOUR_MS);
  const megabytes = samples.map((sample) => read(sample) / MB);
  const [meanHour, meanMb] = [meanOf(hours), meanOf(megabytes)];
  const along = hours.map((hour, index) => (hour - meanHour) * ((megabytes[index] ?? 0) - meanMb));
  const across = hours.map((hour) => (hour - meanHour) ** 2);
  const slopeMbPerHour = meanOf(along) / (meanOf(across) || 1);
  const riseMb = slopeMbPerHour * ((last - first) / HOUR_MS);
  return { samples: samples.length, meanMb, slopeMbPerHour, riseShare: riseMb / meanMb };
}
