// Loaded into the gateway first: records the memory after a collection, and how long the event loop was blocked since
// the last time. Only time in which this thread computed counts: a machine that stood still blocks everybody.
import { appendFileSync } from 'node:fs';

const path = process.env['FUZZ_PROBE'];
const INTERVAL_MS = 2_000;
const TICK_MS = 10;
/** The collection itself blocks the process; its time is not the requests' fault. */
const AFTERWARDS_MS = 50;

if (path !== undefined) {
  let [stallMs, computedMs] = [0, threadMs()];
  setInterval(() => {
    const now = threadMs();
    stallMs = Math.max(stallMs, now - computedMs);
    computedMs = now;
  }, TICK_MS).unref();
  setInterval(() => {
    const longestMs = Math.round(stallMs);
    globalThis.gc?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    appendFileSync(
      path,
      `${JSON.stringify({ at: Date.now(), rss, heapUsed, external, stallMs: longestMs })}\n`,
    );
    setTimeout(() => (stallMs = 0), AFTERWARDS_MS).unref();
  }, INTERVAL_MS).unref();
}

/** What this thread has computed so far. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
