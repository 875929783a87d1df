// Checks whether the gateway's memory grows under bad input, and whether it ever blocked.
import { fitGrowth, type Growth } from '../../benchmarks/gateway/memory-samples.ts';
import type { ProbeSample } from './setup.ts';

export type MemoryVerdict = {
  readonly samples: number;
  readonly heapUsed: Growth;
  readonly rss: Growth;
  readonly heapMb: { readonly first: number; readonly last: number };
  readonly rssMbMax: number;
  readonly stallMsMax: number;
  readonly faults: readonly string[];
};

const MB = 1_048_576;
/** The first third is left out: compilers, pools and caches fill. */
const SETTLED_FROM = 1 / 3;
/** Too few samples for a trend line. */
const SAMPLES_MIN = 15;
/** A smaller rise in two thirds of the run counts as noise. */
const RISE_SHARE_MAX = 0.1;
/** A request of a megabyte may take some hundredths of a second; on a slow machine some tenths. */
const STALL_MS_MAX = 2_000;
const RSS_MB_MAX = 700;

export function checkMemory(samples: readonly ProbeSample[]): MemoryVerdict {
  const settled = samples.slice(Math.floor(samples.length * SETTLED_FROM));
  const heapUsed = fitGrowth(settled, (sample) => sample.heapUsed);
  const rss = fitGrowth(settled, (sample) => sample.rss);
  const rssMbMax = Math.round(Math.max(0, ...samples.map((sample) => sample.rss / MB)));
  // The first sample belongs to the start.
  const stallMsMax = Math.max(0, ...samples.slice(1).map(({ stallMs }) => stallMs));
  const rises = settled.length >= SAMPLES_MIN && heapUsed.riseShare > RISE_SHARE_MAX;
  return {
    samples: samples.length,
    heapUsed,
    rss,
    heapMb: { first: megabytes(settled[0]), last: megabytes(settled.at(-1)) },
    rssMbMax,
    stallMsMax,
    faults: [
      ...(rises ? [`the heap after collections rises by ${Math.round(heapUsed.riseShare * 100)} %`] : []),
      ...(rssMbMax > RSS_MB_MAX ? [`the process took ${rssMbMax} MB`] : []),
      ...(stallMsMax > STALL_MS_MAX ? [`the event loop stood still for ${stallMsMax} ms`] : []),
    ],
  };
}

function megabytes(sample: ProbeSample | undefined): number {
  return Math.round((sample?.heapUsed ?? 0) / MB);
}
