// How much memory the comparison of a day may use: of all payments, only those that differ are kept.
import { describe, expect, test } from 'vitest';
import { compareSides } from '../../src/core/daily-close/compare-sides.ts';
import { DIFFERENCES_KEPT_MAX } from '../../src/domain/reconciliation/daily-close.ts';
import type { PaymentNet } from '../../src/domain/reconciliation/payment-nets.ts';

async function* pagesOf(count: number, reportedOf: (number: number) => bigint) {
  const PAGE = 1_000;
  for (let first = 0; first < count; first += PAGE)
    yield Array.from({ length: Math.min(PAGE, count - first) }, (_, index): PaymentNet => {
      const number = first + index;
      return {
        merchantId: 'm',
        kind: 'DEPOSIT',
        paymentId: String(number).padStart(9, '0'),
        theirs: { received: reportedOf(number), sent: 0n, count: 1 },
        ours: { received: 100n, sent: 0n, count: 1 },
      };
    });
}

const compare = (count: number, isDifferent: (number: number) => boolean) =>
  compareSides({
    nets: [pagesOf(count, (number) => (isDifferent(number) ? 150n : 100n))],
    owned: new Map(),
    always: [],
  });

describe('M9: of a day of any size', () => {
  test('only the payments that differ are kept', async () => {
    const COUNT = 300_000;
    const { payments, sums, rest } = await compare(COUNT, (number) => number % 1_000 === 7);
    expect(payments).toHaveLength(COUNT / 1_000);
    expect(sums).toMatchObject({ lineCount: COUNT, movementCount: COUNT, received: 100n * BigInt(COUNT) });
    expect(rest.differenceCount).toBe(0);
  });

  test('no more of them are kept than a day may have, and the rest is added up', async () => {
    const { payments, rest } = await compare(DIFFERENCES_KEPT_MAX + 50, () => true);
    expect(payments).toHaveLength(DIFFERENCES_KEPT_MAX);
    expect(rest).toEqual({ amount: 2_500n, bookCount: 50, lineCount: 50, differenceCount: 50 });
  });
});
