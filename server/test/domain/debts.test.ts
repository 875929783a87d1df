// What merchants owe, beside one wallet: which debt a credit pays, and what comes of it when debts are resolved.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectable, payOldestFirst, unpaidOf, type Debt } from '../../src/domain/ledger/debts.ts';
import type { Leg } from '../../src/domain/ledger/postings.ts';
import type { Amount } from '../../src/domain/money.ts';
import { planResolution } from '../../src/domain/reconciliation/resolution-plan.ts';

const PLACE = {
  merchantId: 'shop',
  country: 'RWA',
  currency: 'RWF',
  provider: 'MTN_MOMO_RWA',
  walletProvider: '',
};
const OF = { evidence: 'LATE_FAILURE', kind: 'DEPOSIT' } as const;
const WAYS = ['RECOVER_FROM_MERCHANT', 'WRITE_OFF', 'REVERSE_EVIDENCE'] as const;
type Way = (typeof WAYS)[number];

/** One wallet and what is owed beside it, as the ledger keeps them. */
class Wallet {
  available = 0n;
  written = 0n;
  readonly debts: { -readonly [Name in keyof Debt]: Debt[Name] }[] = [];

  get owed(): Amount {
    return this.debts.reduce((sum, debt) => sum + unpaidOf(debt), 0n);
  }

  /** A deposit completes. */
  credit(amount: Amount): void {
    this.available += amount;
    this.#payOldest(collectable(amount, this));
  }

  /** The operator takes back a deposit. */
  owe(amount: Amount): void {
    this.debts.push({ amount, paid: 0n, forgiven: 0n });
  }

  resolve(index: number, resolution: Way): void {
    const debt = this.debts[index]!;
    const { amount, paid: collected } = debt;
    const resolved = { ...PLACE, amount, available: this.available, collected };
    const { merchantId, country, currency } = PLACE;
    const plan = planResolution({
      of: OF,
      resolution,
      resolved,
      owed: this.owed,
      heldOfDeposit: 0n,
      wallet: { type: 'WALLET', merchantId, country, currency, provider: '' },
      claims: { covered: 0n, short: 0n, noted: 0n },
    });
    const moved = (from: Leg['debit']['type'], to: Leg['credit']['type']) =>
      plan.legs
        .filter(({ debit, credit }) => debit.type === from && credit.type === to)
        .reduce((sum, leg) => sum + leg.amount, 0n);
    const [recovered, givenBack] = [moved('WALLET', 'RECEIVABLE'), moved('RECEIVABLE', 'WALLET')];
    debt.paid += recovered - givenBack;
    debt.forgiven += moved('WRITE_OFF', 'RECEIVABLE') + moved('FLOAT', 'RECEIVABLE');
    this.written += moved('WRITE_OFF', 'RECEIVABLE');
    this.available += givenBack - recovered;
    this.#payOldest(plan.collected.reduce((sum, leg) => sum + leg.amount, 0n));
    expect({ available: this.available, owed: this.owed }).toEqual(plan.after);
  }

  #payOldest(amount: Amount): void {
    this.available -= amount;
    for (const { debt, amount: paid } of payOldestFirst(this.debts, amount)) debt.paid += paid;
  }
}

const anyAmount = fc.bigInt({ min: 1n, max: 1_000n });
const anyStory = fc.array(
  fc.record({ what: fc.constantFrom('CREDIT', 'CREDIT', 'DEBT'), amount: anyAmount }),
  { minLength: 1, maxLength: 12 },
);

function tell(story: readonly { readonly what: string; readonly amount: Amount }[]): Wallet {
  const wallet = new Wallet();
  for (const { what, amount } of story) {
    if (what === 'CREDIT') wallet.credit(amount);
    else wallet.owe(amount);
  }
  return wallet;
}

describe('M10: what a merchant owes', () => {
  test('is paid by a credit oldest first, each debt in full before the next', () => {
    const debts = [
      { amount: 100n, paid: 100n, forgiven: 0n },
      { amount: 100n, paid: 30n, forgiven: 0n },
      { amount: 50n, paid: 0n, forgiven: 0n },
      { amount: 50n, paid: 0n, forgiven: 0n },
    ];
    expect(payOldestFirst(debts, 90n)).toEqual([
      { debt: debts[1], amount: 70n },
      { debt: debts[2], amount: 20n },
    ]);
    expect(payOldestFirst(debts, 0n)).toEqual([]);
  });

  test('is never paid with more than was credited, is available and is owed, and nothing is lost', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const wallet = tell(story);
        expect(wallet.available >= 0n).toBe(true);
        for (const debt of wallet.debts) expect(unpaidOf(debt) >= 0n && debt.paid >= 0n).toBe(true);
        const credited = story.reduce((sum, { what, amount }) => sum + (what === 'CREDIT' ? amount : 0n), 0n);
        const paid = wallet.debts.reduce((sum, debt) => sum + debt.paid, 0n);
        expect(wallet.available + paid).toBe(credited);
      }),
    );
  });

  test('comes to the same in whatever order its cases are resolved: the merchant pays for those that it must', () => {
    const anyOrders = anyStory.chain((story) => {
      const count = story.filter(({ what }) => what === 'DEBT').length;
      const cases = Array.from({ length: count }, (_, index) => index);
      const anyOrder = fc.shuffledSubarray(cases, { minLength: count });
      return fc.record({
        story: fc.constant(story),
        ways: fc.array(fc.constantFrom(...WAYS), { minLength: count, maxLength: count }),
        orders: fc.tuple(anyOrder, anyOrder),
        later: anyAmount,
      });
    });
    fc.assert(
      fc.property(anyOrders, ({ story, ways, orders, later }) => {
        const [one, other] = orders.map((order) => {
          const wallet = tell(story);
          for (const index of order) wallet.resolve(index, ways[index]!);
          wallet.credit(later);
          return { available: wallet.available, owed: wallet.owed, written: wallet.written };
        });
        expect(one).toEqual(other);
      }),
      { numRuns: 2_000 },
    );
  });
});
