// Loaded into the gateway first: records the memory after a collection, and how long the event loop was blocked since
// the last time.
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const path = process.env['FUZZ_PROBE'];
const INTERVAL_MS = 2_000;
/** The collection itself blocks the process; its time is not the requests' fault. */
const AFTERWARDS_MS = 50;

if (path !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  setInterval(() => {
    const stallMs = Math.round(delay.max / 1e6);
    globalThis.gc?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    appendFileSync(path, `${JSON.stringify({ at: Date.now(), rss, heapUsed, external, stallMs })}\n`);
    setTimeout(() => delay.reset(), AFTERWARDS_MS).unref();
  }, INTERVAL_MS).unref();
}
