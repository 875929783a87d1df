import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAmount, renderAmount } from '../../src/domain/money.ts';
import {
  unmatched,
  lateSuccessOfDeposit,
  releaseUnmatched,
  reversalOfDeposit,
  settleDeposit,
  topUp,
  type Leg,
  type Posted,
} from '../../src/domain/ledger/postings.ts';
import {
  accountName,
  createMemoryLedger,
  renderLegs,
  sumOfTransfers,
  sumsByCurrency,
} from './memory-ledger.ts';
import { readTextTable } from './text-table.ts';

const TEMPLATES = {
  settleDeposit,
  lateSuccessOfDeposit,
  reversalOfDeposit,
  topUp,
  unmatchedDeposit: (posted: Posted) => unmatched(posted, 'IN'),
  unmatchedPayout: (posted: Posted) => unmatched(posted, 'OUT'),
  releaseDeposit: (posted: Posted) => releaseUnmatched(posted, 'IN'),
  releasePayout: (posted: Posted) => releaseUnmatched(posted, 'OUT'),
} as const;

/** A deposit of 10,000 RWF at MTN Rwanda for the merchant "shop", whose price is 1.5 %. */
const deposit: Posted = {
  merchantId: 'shop',
  country: 'RWA',
  currency: 'RWF',
  provider: 'MTN_MOMO_RWA',
  walletProvider: '',
  amount: parseAmount('10000')!,
  fee: parseAmount('150')!,
};

describe('the transfers of one event', () => {
  test('a completed deposit: the merchant gets the amount less the fee', () => {
    expectTransfers(
      settleDeposit(deposit),
      `
      debit                            | credit                         | amount
      FLOAT platform MTN_MOMO_RWA RWA RWF | WALLET shop RWA RWF            | 9850
      FLOAT platform MTN_MOMO_RWA RWA RWF | FEE platform MTN_MOMO_RWA RWA RWF | 150
      `,
    );
  });

  test('a completed deposit without a fee is one transfer', () => {
    expectTransfers(
      settleDeposit({ ...deposit, fee: 0n }),
      `
      debit                            | credit              | amount
      FLOAT platform MTN_MOMO_RWA RWA RWF | WALLET shop RWA RWF | 10000
      `,
    );
  });

  test('a completed deposit whose fee is all of it leaves the wallet alone', () => {
    expectTransfers(
      settleDeposit({ ...deposit, fee: deposit.amount }),
      `
      debit                            | credit                         | amount
      FLOAT platform MTN_MOMO_RWA RWA RWF | FEE platform MTN_MOMO_RWA RWA RWF | 10000
      `,
    );
  });

  test('a completed deposit of a merchant who keeps one wallet per provider', () => {
    expectTransfers(
      settleDeposit({ ...deposit, walletProvider: 'MTN_MOMO_RWA' }),
      `
      debit                            | credit                           | amount
      FLOAT platform MTN_MOMO_RWA RWA RWF | WALLET shop MTN_MOMO_RWA RWA RWF | 9850
      FLOAT platform MTN_MOMO_RWA RWA RWF | FEE platform MTN_MOMO_RWA RWA RWF   | 150
      `,
    );
  });

  test('a late success of a failed deposit: the money is in our float without an owner yet', () => {
    expectTransfers(
      lateSuccessOfDeposit(deposit),
      `
      debit                            | credit                              | amount
      FLOAT platform MTN_MOMO_RWA RWA RWF | SUSPENSE platform MTN_MOMO_RWA RWA RWF | 10000
      `,
    );
  });

  test('an operator that takes back a completed deposit: the merchant owes all of it', () => {
    expectTransfers(
      reversalOfDeposit(deposit),
      `
      debit                   | credit                           | amount
      RECEIVABLE shop RWA RWF | FLOAT platform MTN_MOMO_RWA RWA RWF | 10000
      `,
    );
  });

  test('a top-up by bank comes from the clearing account of the country, at no operator', () => {
    expectTransfers(
      topUp(deposit),
      `
      debit                  | credit              | amount
      CLEARING platform RWA RWF | WALLET shop RWA RWF | 10000
      `,
    );
  });
});

describe('the books after a story', () => {
  test('two deposits are completed', () => {
    expectBalances(
      [
        settleDeposit(deposit),
        settleDeposit({ ...deposit, amount: parseAmount('500')!, fee: parseAmount('8')! }),
      ],
      `
      account                          | balance
      FLOAT platform MTN_MOMO_RWA RWA RWF | -10500
      WALLET shop RWA RWF              | 10342
      FEE platform MTN_MOMO_RWA RWA RWF   | 158
      `,
    );
  });

  test('a deposit is completed, and the operator takes it back: the wallet is not touched', () => {
    expectBalances(
      [settleDeposit(deposit), reversalOfDeposit(deposit)],
      `
      account                          | balance
      FLOAT platform MTN_MOMO_RWA RWA RWF | 0
      WALLET shop RWA RWF              | 9850
      FEE platform MTN_MOMO_RWA RWA RWF   | 150
      RECEIVABLE shop RWA RWF          | -10000
      `,
    );
  });

  test('a deposit failed, and the operator took the money all the same', () => {
    expectBalances(
      [lateSuccessOfDeposit(deposit)],
      `
      account                             | balance
      FLOAT platform MTN_MOMO_RWA RWA RWF    | -10000
      SUSPENSE platform MTN_MOMO_RWA RWA RWF | 10000
      `,
    );
  });

  test('a deposit and a payout that a restore lost are found, and the deposit is sent again', () => {
    const payout = { ...deposit, amount: parseAmount('3000')! };
    expectBalances(
      [
        unmatched(deposit, 'IN'),
        unmatched(payout, 'OUT'),
        releaseUnmatched(deposit, 'IN'),
        settleDeposit(deposit),
      ],
      `
      account                             | balance
      FLOAT platform MTN_MOMO_RWA RWA RWF    | -7000
      SUSPENSE platform MTN_MOMO_RWA RWA RWF | -3000
      WALLET shop RWA RWF                 | 9850
      FEE platform MTN_MOMO_RWA RWA RWF      | 150
      `,
    );
  });

  test('one merchant is paid in two currencies of one provider, and they never mix', () => {
    const congo = { ...deposit, country: 'COD', provider: 'AIRTEL_COD' };
    expectBalances(
      [
        settleDeposit({
          ...congo,
          currency: 'CDF',
          amount: parseAmount('2500.50')!,
          fee: parseAmount('25')!,
        }),
        settleDeposit({ ...congo, currency: 'USD', amount: parseAmount('7.25')!, fee: parseAmount('0.07')! }),
      ],
      `
      account                        | balance
      FLOAT platform AIRTEL_COD COD CDF | -2500.5
      WALLET shop COD CDF            | 2475.5
      FEE platform AIRTEL_COD COD CDF   | 25
      FLOAT platform AIRTEL_COD COD USD | -7.25
      WALLET shop COD USD            | 7.18
      FEE platform AIRTEL_COD COD USD   | 0.07
      `,
    );
  });
});

describe('every template', () => {
  const anyPosted: fc.Arbitrary<Posted> = fc
    .record({
      merchantId: fc.constantFrom('shop', 'school'),
      country: fc.constantFrom('RWA', 'COD'),
      currency: fc.constantFrom('RWF', 'USD'),
      provider: fc.constantFrom('MTN_MOMO_RWA', 'AIRTEL_COD'),
      walletProvider: fc.constantFrom('', 'MTN_MOMO_RWA'),
      amount: fc.bigInt({ min: 1n, max: 10n ** 22n - 1n }),
      feeParts: fc.bigInt({ min: 0n, max: 10_000n }),
    })
    .map(({ feeParts, ...posted }) => ({ ...posted, fee: (posted.amount * feeParts) / 10_000n }));

  const anyPosting = fc
    .tuple(fc.constantFrom(...Object.values(TEMPLATES)), anyPosted)
    .map(([template, posted]) => ({ posted, legs: template(posted) }));

  test('sums to zero in its currency, and moves the amount of the payment', () => {
    check(anyPosting, ({ posted, legs }) => {
      expect([...sumsByCurrency(legs)]).toEqual([[`${posted.country} ${posted.currency}`, 0n]]);
      expect(legs.reduce((sum, leg) => sum + leg.amount, 0n)).toBe(posted.amount);
    });
  });

  test('every template has only transfers the ledger takes: above zero, between two accounts', () => {
    check(anyPosting, ({ legs }) => {
      for (const leg of legs) {
        expect(leg.amount > 0n).toBe(true);
        expect(accountName(leg.debit)).not.toBe(accountName(leg.credit));
      }
    });
  });

  test('every template stays in the country, the currency and the merchant of the payment', () => {
    check(anyPosting, ({ posted, legs }) => {
      const { merchantId, country, currency } = posted;
      for (const account of legs.flatMap((leg) => [leg.debit, leg.credit])) {
        expect(account).toMatchObject({ country, currency });
        if ('merchantId' in account) expect(account.merchantId).toBe(merchantId);
      }
    });
  });

  test('of an unmatched payment leaves nothing behind when it is released', () => {
    check(fc.tuple(anyPosted, fc.constantFrom('IN' as const, 'OUT' as const)), ([posted, direction]) => {
      const ledger = createMemoryLedger();
      ledger.post(unmatched(posted, direction));
      ledger.post(releaseUnmatched(posted, direction));
      expect([...ledger.balances().values()].filter((balance) => balance !== 0n)).toEqual([]);
    });
  });

  test('every template leaves each balance the sum of its transfers, in any order and number', () => {
    check(fc.array(anyPosting, { maxLength: 12 }), (postings) => {
      const ledger = createMemoryLedger();
      for (const { legs } of postings) ledger.post(legs);
      for (const [name, balance] of ledger.balances()) {
        expect(balance).toBe(sumOfTransfers(ledger.transfers(), name));
      }
    });
  });
});

function expectTransfers(legs: readonly Leg[], table: string): void {
  expect(renderLegs(legs)).toEqual(readTextTable(table));
}

/** A balance is what was credited less what was debited, so the operator's float is below zero: it holds for others. */
function expectBalances(postings: readonly (readonly Leg[])[], table: string): void {
  const ledger = createMemoryLedger();
  for (const legs of postings) ledger.post(legs);
  const balances = [...ledger.balances()].map(([name, balance]) => [name, renderAmount(balance)]);
  expect(balances).toEqual(readTextTable(table));
}

function check<Value>(arbitrary: fc.Arbitrary<Value>, rule: (value: Value) => void): void {
  fc.assert(fc.property(arbitrary, rule), { numRuns: 1_000 });
}
