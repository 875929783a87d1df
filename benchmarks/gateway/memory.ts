// Whether the memory of API and worker grows: deposits for 15 minutes, with memory samples of both.
import { fileURLToPath } from 'node:url';
import { depositTemplates } from './closed-loads.ts';
import { runLives } from './lives.ts';
import { fitGrowth, readSamples, type Growth } from './memory-samples.ts';
import type { Setup } from './setup.ts';

export type MemoryReport = {
  readonly minutes: number;
  readonly payments: number;
  /** The heap in use after a collection. Resident memory is shown beside it. */
  readonly apiSlopeMbPerHour: number;
  readonly workerSlopeMbPerHour: number;
  readonly flat: boolean;
  readonly processes: readonly ProcessGrowth[];
};

type ProcessGrowth = { readonly role: string; readonly heapUsed: Growth; readonly rss: Growth };

/** Makes Node load the probe, and allows it to collect. */
export const MEMORY_NODE_ARGS = [
  '--expose-gc',
  `--import=${fileURLToPath(new URL('memory-probe.ts', import.meta.url))}`,
];

/** Enough to keep every part busy; a closed loop does not break down on a busy machine. */
const IN_FLIGHT = 64;
/** The first third is left out: compilers, pools and caches fill. */
const SETTLED_FROM = 1 / 3;
/** A smaller rise in two thirds of the run counts as noise. */
const RISE_SHARE_MAX = 0.05;

export async function measureMemory(setup: Setup, minutes: number): Promise<MemoryReport> {
  const startedAt = Date.now();
  const windowMs = minutes * 60_000;
  const { count } = await runLives(setup, {
    requests: depositTemplates(setup.merchants.shops),
    inFlight: IN_FLIGHT,
    warmMs: 0,
    windowMs,
    onWindow: async () => undefined,
  });
  const settledAt = startedAt + (Date.now() - startedAt) * SETTLED_FROM;
  const processes = ['api', 'worker', 'all'].flatMap((role) =>
    (setup.pids[role] ?? []).map((pid): ProcessGrowth => {
      const samples = readSamples(setup.memoryFolder, pid).filter(({ at }) => at >= settledAt);
      const [heapUsed, rss] = [
        fitGrowth(samples, (some) => some.heapUsed),
        fitGrowth(samples, (some) => some.rss),
      ];
      return { role, heapUsed, rss };
    }),
  );
  const slopeOf = (role: string) =>
    Math.max(
      ...processes
        .filter((some) => some.role === role || some.role === 'all')
        .map(({ heapUsed }) => heapUsed.slopeMbPerHour),
    );
  return {
    minutes,
    payments: count,
    apiSlopeMbPerHour: slopeOf('api'),
    workerSlopeMbPerHour: slopeOf('worker'),
    flat: processes.every(({ heapUsed, rss }) => isFlat(heapUsed) && isFlat(rss)),
    processes,
  };
}

function isFlat({ samples, riseShare }: Growth): boolean {
  return samples >= 3 && riseShare < RISE_SHARE_MAX;
}
