import { expect, test } from 'vitest';
import { unexplainedOf, type Float } from '../../src/domain/ledger/float.ts';

const float: Float = {
  provider: 'MTN_MOMO_RWA',
  currency: 'RWF',
  operator: 1_000n,
  books: 1_000n,
  inFlight: { in: 50n, out: 30n },
};

test.each([
  ['the same', 1_000n, 0n],
  ['more, as much as deposits in flight may bring', 1_050n, 0n],
  ['more than they may', 1_051n, 1n],
  ['less, as much as payouts in flight may take', 970n, 0n],
  ['less than that', 960n, -10n],
])('an operator that has %s leaves this to explain', (_, operator, unexplained) => {
  expect(unexplainedOf({ ...float, operator })).toBe(unexplained);
});

test('nothing can be said where one figure is missing', () => {
  for (const missing of ['operator', 'books', 'inFlight'] as const) {
    expect(unexplainedOf({ ...float, [missing]: null })).toBeNull();
  }
});
