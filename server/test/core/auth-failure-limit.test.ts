// Who is not heard without a valid token. What a client sees of it: edge/behind-a-proxy.test.ts.
import { expect, test } from 'vitest';
import { createAuthFailureLimiter } from '../../src/core/access/auth-failure-limit.ts';

const clock = { now: () => new Date(0) };
const open = () => createAuthFailureLimiter(clock, { perSecond: 1, burst: 1 });

const clientOf = (index: number) => ({ client: `client ${index}`, credentials: undefined });
const tokenOf = (index: number) => ({ client: 'client 10000', credentials: `Bearer ${index}` });

test('looking costs nothing: only what was refused counts', () => {
  const limiter = open();
  const guess = { client: 'a', credentials: 'Bearer x' };
  for (let count = 0; count < 5; count += 1) expect(limiter.waitMsOf(guess)).toBe(0);
  limiter.wasRefused(guess);
  expect(limiter.waitMsOf(guess)).toBe(1_000);
});

test('a client that must not be limited never is', () => {
  const limiter = open();
  const guess = { client: null, credentials: 'Bearer x' };
  for (let count = 0; count < 5; count += 1) limiter.wasRefused(guess);
  expect(limiter.waitMsOf(guess)).toBe(0);
});

test('however many clients guess and however many tokens are good, the last 10,000 of each are remembered', () => {
  const limiter = open();
  for (let index = 0; index <= 10_000; index += 1) {
    limiter.wasRefused(clientOf(index));
    limiter.recordSuccess(tokenOf(index));
  }
  expect([0, 1, 10_000].map((index) => limiter.waitMsOf(clientOf(index)))).toEqual([0, 1_000, 1_000]);
  expect([0, 1, 10_000].map((index) => limiter.waitMsOf(tokenOf(index)))).toEqual([1_000, 0, 0]);
});

test('a token is one, however the header around it is written', () => {
  const limiter = open();
  limiter.recordSuccess({ client: 'a', credentials: 'Bearer x' });
  limiter.wasRefused({ client: 'a', credentials: 'Bearer y' });
  expect(limiter.waitMsOf({ client: 'a', credentials: 'bearer   x' })).toBe(0);
});
