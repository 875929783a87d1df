// The share of orders that is rejected settles: a queue that is seen late, under steady overload, and after it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SimulatedQueue } from './simulated-queue.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const OVERLOADS = [1.5, 2, 3, 10];

/** A slow database, and workers that share a processor with the API. */
const GATEWAYS = {
  'usual delays': {},
  'a slow database': { commitMs: 900, lookMs: 500 },
  'workers slowed by what is accepted': { slowedBy: 0.3 },
  'a slow provider': { perSecond: 20 },
};

const CASES = Object.entries(GATEWAYS).flatMap(([name, options]) =>
  OVERLOADS.map((times) => ({ name, times, options })),
);

test.each(CASES)(
  'at $times times the capacity, with $name, the share is steady after 10 s and 0 seconds after the overload',
  async ({ times, options }) => {
    const queue = new SimulatedQueue(options);
    await queue.offer(0.5, 4);
    const shares = (await queue.offer(times, 40)).slice(5).flat();
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    for (const share of shares) expect(Math.abs(share - mean)).toBeLessThan(0.15);
    // What cannot be sent is rejected, and workers have enough to do.
    expect(mean).toBeGreaterThan(1 - 1 / times - 0.05);
    expect(mean).toBeLessThan(1 - 0.4 / times);
    await queue.offer(0.4, times > 3 ? 14 : 8);
    expect((await queue.offer(0.4, 8)).flat()).toEqual([0, 0, 0, 0]);
  },
  30_000,
);

test.each([{}, { commitMs: 900, lookMs: 500 }, { perSecond: 20 }])(
  'below the capacity nothing is rejected, nor while workers are away for two seconds: %j',
  async (options) => {
    const queue = new SimulatedQueue(options);
    const shares = [...(await queue.offer(0.95, 40)), ...(await queue.offer(0.5, 10))];
    shares.push(...(await queue.offer(0.7, 2, 0)), ...(await queue.offer(0.7, 20)));
    expect(Math.max(...shares.flat())).toBe(0);
  },
  30_000,
);

test('without workers nearly everything is rejected, and seconds after they are back nothing', async () => {
  const queue = new SimulatedQueue();
  await queue.offer(0.7, 10);
  expect((await queue.offer(0.7, 20, 0)).at(-1)?.[0]).toBeGreaterThan(0.95);
  expect((await queue.offer(0.7, 20)).flat().slice(4)).toEqual([0, 0, 0, 0, 0, 0]);
});

test('an API process that is started later rejects the same share within seconds', async () => {
  const queue = new SimulatedQueue();
  await queue.offer(3, 20);
  queue.addApi();
  for (const [one = 0, other = 0] of (await queue.offer(3, 20)).slice(1)) {
    expect(Math.abs(one - other)).toBeLessThan(0.02);
  }
});

test('where more wait than are counted, the share is still steady', async () => {
  const queue = new SimulatedQueue({ countMax: 2_500 });
  const shares = (await queue.offer(3, 40)).slice(5).flat();
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  for (const share of shares) expect(Math.abs(share - mean)).toBeLessThan(0.15);
});
