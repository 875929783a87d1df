// Money that people move manually: what a top-up, a settlement and an adjustment post.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAmount } from '../../src/domain/money.ts';
import { adjustment, settlement, topUp, type Leg } from '../../src/domain/ledger/postings.ts';
import { createMemoryLedger, renderLegs, sumsByCurrency } from './memory-ledger.ts';
import { readTextTable } from './text-table.ts';

const posted = {
  merchantId: 'shop',
  country: 'RWA',
  currency: 'RWF',
  provider: '',
  walletProvider: '',
  amount: parseAmount('10000')!,
};

test.each<[string, readonly Leg[], string]>([
  [
    'a settlement to the merchant’s bank leaves through the clearing account',
    settlement(posted),
    'WALLET shop RWA RWF | CLEARING platform RWA RWF | 10000',
  ],
  [
    'an adjustment above zero adds to the wallet',
    adjustment(posted),
    'ADJUSTMENT platform RWA RWF | WALLET shop RWA RWF | 10000',
  ],
  [
    'an adjustment below zero takes from the wallet',
    adjustment({ ...posted, amount: -posted.amount }),
    'WALLET shop RWA RWF | ADJUSTMENT platform RWA RWF | 10000',
  ],
  [
    'the wallet of one provider is settled by itself; the clearing account belongs to no provider',
    settlement({ ...posted, provider: 'MTN_MOMO_RWA', walletProvider: 'MTN_MOMO_RWA' }),
    'WALLET shop MTN_MOMO_RWA RWA RWF | CLEARING platform RWA RWF | 10000',
  ],
])('%s', (_title, legs, table) => {
  expect(renderLegs(legs)).toEqual(readTextTable(`debit | credit | amount\n${table}`));
});

const anyPosted = fc.record({
  merchantId: fc.constant('shop'),
  country: fc.constantFrom('RWA', 'COD'),
  currency: fc.constantFrom('RWF', 'USD'),
  provider: fc.constantFrom('', 'MTN_MOMO_RWA'),
  walletProvider: fc.constantFrom('', 'MTN_MOMO_RWA'),
  amount: fc.bigInt({ min: 1n, max: 10n ** 22n - 1n }),
});

test.each([
  ['topUp', topUp],
  ['settlement', settlement],
  ['adjustment', adjustment],
  ['adjustment downwards', (of: typeof posted) => adjustment({ ...of, amount: -of.amount })],
])('%s sums to zero and moves exactly its amount', (_name, template) => {
  fc.assert(
    fc.property(anyPosted, (of) => {
      const legs = template(of);
      expect([...sumsByCurrency(legs).values()]).toEqual([0n]);
      expect(legs.map(({ amount }) => amount)).toEqual([of.amount]);
    }),
  );
});

test('a top-up that is settled, and an adjustment that is taken back, leave every account as it was', () => {
  const ledger = createMemoryLedger();
  for (const legs of [
    topUp(posted),
    settlement(posted),
    adjustment(posted),
    adjustment({ ...posted, amount: -posted.amount }),
  ]) {
    ledger.post(legs);
  }
  expect([...ledger.balances().values()]).toEqual([0n, 0n, 0n]);
});
