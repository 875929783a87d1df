// Who may have how many payments at operators at once.
import { expect, test } from 'vitest';
import { ConcurrencyLimiter } from '../../src/jobs/concurrency-limiter.ts';

const deposits = (provider: string) => ({ provider, operation: 'DEPOSIT' as const });

/** Takes places until the provider is full, and never gives them back. Answers how many it got. */
function fill(places: ConcurrencyLimiter, provider: string): number {
  let count = 0;
  const isFull = () => places.full().some((one) => one.provider === provider);
  for (; !isFull() && places.free > 0; count += 1) {
    void places.hold(deposits(provider), () => Promise.withResolvers<void>().promise);
  }
  return count;
}

test('one that never answers gets half of the places, and however many there are, the next one finds room', () => {
  const places = new ConcurrencyLimiter(100);
  expect(fill(places, 'SLOW')).toBe(50);
  expect([fill(places, 'SLOWER'), fill(places, 'SLOWEST'), fill(places, 'STUCK')]).toEqual([25, 13, 6]);
  expect(places.full()).not.toContainEqual(expect.objectContaining({ provider: 'WELL' }));
  expect(places.free).toBe(6);
});

test('a place that is given back can be taken again, also after a failure', async () => {
  const places = new ConcurrencyLimiter(2);
  const { promise, reject } = Promise.withResolvers<void>();
  const held = places.hold(deposits('ONE'), () => promise);
  expect(places.full()).toMatchObject([deposits('ONE')]);
  reject(new Error('the operator is not there'));
  await expect(held).rejects.toThrow('not there');
  expect([places.free, places.full()]).toEqual([2, []]);
});

test('deposits that hang do not hold up payouts of the same provider', () => {
  const places = new ConcurrencyLimiter(10);
  fill(places, 'HALF');
  expect(places.full().map(({ operation }) => operation)).toEqual(['DEPOSIT']);
});
