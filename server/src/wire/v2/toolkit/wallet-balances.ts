// Wallet balances in API v2.
import { Type, type Static } from 'typebox';
import { renderAmount, type Amount } from '../../../domain/money.ts';
import { countryCodeSchema, currencyCodeSchema } from '../amount.ts';

export const walletBalancesSchema = Type.Object(
  {
    balances: Type.Array(
      Type.Object({
        country: countryCodeSchema('The country of the wallet: ISO 3166-1 alpha-3.'),
        balance: Type.String({
          pattern: '^(0|[1-9][0-9]*)[.][0-9]{2}$',
          description:
            'What you can spend, always with two decimals. What payments in progress have reserved is not in it.',
          examples: ['1500.00'],
        }),
        currency: currencyCodeSchema('The currency of the wallet: ISO 4217.'),
        provider: Type.String({
          description: 'Empty when the wallet serves all providers of the country; otherwise its provider.',
          examples: [''],
        }),
      }),
      { description: 'One entry for each wallet, by country, currency and provider.' },
    ),
  },
  { title: 'WalletBalances', description: 'What you can spend, wallet by wallet.' },
);

export type WalletBalance = {
  readonly country: string;
  readonly currency: string;
  readonly provider: string;
  readonly available: Amount;
};

export function renderWalletBalances(
  balances: readonly WalletBalance[],
): Static<typeof walletBalancesSchema> {
  return {
    balances: balances.map(({ country, available, currency, provider }) => ({
      country,
      balance: renderBalance(available),
      currency,
      provider,
    })),
  };
}

/** Two decimals for every currency, rounded down: a balance never promises more than there is. */
function renderBalance(available: Amount): string {
  const [whole = '0', fraction = ''] = renderAmount(available).split('.');
  return `${whole}.${fraction.slice(0, 2).padEnd(2, '0')}`;
}
