// The decimal places of money: those that operators take, so that what comes into a wallet can leave it again.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listProviders } from '../../src/domain/operators/catalogue.ts';
import { decimalsOf, fitsDecimals } from '../../src/domain/ledger/decimals.ts';
import { quoteFee } from '../../src/domain/ledger/fees.ts';
import { parseAmount, renderAmount } from '../../src/domain/money.ts';

/** What each provider takes, by the wallets that its payments can use. */
const taken = listProviders().flatMap(({ code, country, currencies }) =>
  currencies.flatMap(({ currency, operations }) =>
    Object.entries(operations).map(([kind, { decimals }]) => ({
      kind,
      decimals,
      shared: { country, currency },
      own: { country, currency, provider: code },
    })),
  ),
);

describe('M11: the decimals of a wallet', () => {
  test.each([
    [{ country: 'UGA', currency: 'UGX' }, 2],
    [{ country: 'UGA', currency: 'UGX', provider: 'MTN_MOMO_UGA' }, 2],
    [{ country: 'UGA', currency: 'UGX', provider: 'AIRTEL_OAPI_UGA' }, 0],
    [{ currency: 'UGX', provider: 'AIRTEL_OAPI_UGA' }, 0],
    [{ country: 'GAB', currency: 'XAF' }, 2],
    [{ country: 'CMR', currency: 'XAF' }, 0],
    [{ currency: 'XAF' }, 2],
    [{ country: 'RWA', currency: 'RWF' }, 0],
    [{ country: 'KEN', currency: 'KES' }, 2],
    [{ country: 'COD', currency: 'CDF', provider: 'VODACOM_MPESA_COD' }, 0],
    [{ country: 'COD', currency: 'CDF' }, 2],
    // No provider has these.
    [{ currency: 'EUR' }, 2],
    [{ country: 'RWA', currency: 'JPY' }, 0],
  ])('%j has %d', (place, decimals) => {
    expect(decimalsOf(place)).toBe(decimals);
  });

  test('are enough for what any of its providers takes, and no more than one of them takes', () => {
    const lacking = taken.filter(
      ({ decimals, shared, own }) => decimals > decimalsOf(shared) || decimals > decimalsOf(own),
    );
    expect(lacking).toEqual([]);
    for (const { own, shared } of taken) {
      const ofCountry = taken.filter(
        ({ shared: { country, currency } }) =>
          `${country} ${currency}` === `${shared.country} ${shared.currency}`,
      );
      expect(ofCountry.map(({ decimals }) => decimals)).toContain(decimalsOf(shared));
      const ofProvider = ofCountry.filter(({ own: { provider } }) => provider === own.provider);
      expect(ofProvider.map(({ decimals }) => decimals)).toContain(decimalsOf(own));
    }
  });

  test('bound the fee of any payment: what it leaves in the wallet can be paid out', () => {
    const anyPayment = fc.record({
      of: fc.constantFrom(...taken),
      units: fc.bigInt({ min: 1n, max: 10n ** 9n }),
      basisPoints: fc.nat(1_000),
    });
    fc.assert(
      fc.property(anyPayment, ({ of: { decimals, shared, own }, units, basisPoints }) => {
        const amount = units * 10n ** BigInt(4 - decimals);
        for (const wallet of [shared, own]) {
          const fee = quoteFee({ basisPoints, fixed: 0n }, { amount, wallet });
          expect(fitsDecimals(amount - fee, decimalsOf(wallet))).toBe(true);
        }
      }),
    );
  });

  test.each([
    ['MTN_MOMO_UGA', '1.52'],
    ['AIRTEL_OAPI_UGA', '2'],
  ])('round 1.5 %% of 101 UGX at %s to %s', (provider, fee) => {
    const wallet = { country: 'UGA', currency: 'UGX', provider };
    const quoted = quoteFee({ basisPoints: 150, fixed: 0n }, { amount: parseAmount('101')!, wallet });
    expect(renderAmount(quoted)).toBe(fee);
  });
});
