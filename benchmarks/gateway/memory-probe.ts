// Loaded into API and worker first: records every ten seconds what the process holds, after a collection if Node allows
// it (--expose-gc), because collectable memory is not held.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { MEMORY_INTERVAL_MS } from './memory-samples.ts';

const folder = process.env['BENCH_SCRATCH'];

if (folder !== undefined) {
  setInterval(() => {
    globalThis.gc?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    const sample = { at: Date.now(), rss, heapUsed, external };
    appendFileSync(join(folder, 'memory', `${process.pid}.jsonl`), `${JSON.stringify(sample)}\n`);
  }, MEMORY_INTERVAL_MS).unref();
}
