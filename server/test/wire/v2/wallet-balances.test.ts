// Balances as texts: completions.md 1.8, "Balance with 2 decimals".
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAmount, type Amount } from '../../../src/domain/money.ts';
import { renderWalletBalances } from '../../../src/wire/v2/toolkit/wallet-balances.ts';

const wallet = { country: 'RWA', currency: 'RWF', provider: '' };
const textOf = (available: Amount) => renderWalletBalances([{ ...wallet, available }]).balances[0]!.balance;

test('{ balances: [{ country, balance, currency, provider }] }', () => {
  const rendered = renderWalletBalances([
    { ...wallet, available: 125_000n },
    { country: 'COD', currency: 'USD', provider: 'AIRTEL_COD', available: 0n },
  ]);
  expect(rendered).toStrictEqual({
    balances: [
      { country: 'RWA', balance: '12.50', currency: 'RWF', provider: '' },
      { country: 'COD', balance: '0.00', currency: 'USD', provider: 'AIRTEL_COD' },
    ],
  });
});

describe('a balance has two decimals', () => {
  test.each([
    ['0', '0.00'],
    ['1', '1.00'],
    ['0.5', '0.50'],
    ['0.05', '0.05'],
    ['1000000', '1000000.00'],
    ['999999999999999999.99', '999999999999999999.99'],
  ])('%s is %s', (amount, text) => {
    expect(textOf(parseAmount(amount)!)).toBe(text);
  });

  test.each([
    ['0.0099', '0.00'],
    ['1.999', '1.99'],
    ['0.9999', '0.99'],
  ])('%s is %s: it never promises more than there is', (amount, text) => {
    expect(textOf(parseAmount(amount)!)).toBe(text);
  });

  test('read back, it is the amount less what is smaller than a hundredth', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 22n - 1n }), (available) => {
        const text = textOf(available);
        expect(text).toMatch(/^(0|[1-9][0-9]*)\.[0-9]{2}$/);
        expect(parseAmount(text)).toBe(available - (available % 100n));
      }),
    );
  });
});
