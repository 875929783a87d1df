// The sums of payouts per wallet, compared with the balances. The gateway adds fees.
import type { Balances } from '@malipo/sdk';
import { parseAmount, renderAmount } from '@malipo/server/money';
import { renderAmountText } from '../payment-text.ts';
import type { FileFault, PlannedPayout } from './read-payouts.ts';

export type WalletSum = {
  readonly country: string;
  readonly currency: string;
  readonly count: number;
  readonly amount: string;
  /** Of all wallets of this country and currency together. */
  readonly available: string;
};

export function sumPayouts(
  payouts: readonly PlannedPayout[],
  balances: Balances['balances'],
): readonly WalletSum[] {
  const sums = new Map<string, { country: string; currency: string; count: number; amount: bigint }>();
  for (const { country, request } of payouts) {
    const { currency } = request;
    const sum = sums.get(`${country} ${currency}`) ?? { country, currency, count: 0, amount: 0n };
    const amount = sum.amount + (parseAmount(request.amount) ?? 0n);
    sums.set(`${country} ${currency}`, { ...sum, count: sum.count + 1, amount });
  }
  return [...sums.values()].map((sum) => ({
    ...sum,
    amount: renderAmount(sum.amount),
    available: renderAmount(availableOf(sum, balances)),
  }));
}

function availableOf(
  { country, currency }: Pick<WalletSum, 'country' | 'currency'>,
  balances: Balances['balances'],
): bigint {
  return balances
    .filter((one) => one.country === country && one.currency === currency)
    .reduce((total, { balance }) => total + (parseAmount(balance) ?? 0n), 0n);
}

export function listShortages(sums: readonly WalletSum[]): readonly FileFault[] {
  return sums
    .filter(({ amount, available }) => (parseAmount(amount) ?? 0n) > (parseAmount(available) ?? 0n))
    .map(({ country, currency, amount, available }) => {
      const [has, needed] = [available, amount].map((one) => renderAmountText(one, { country, currency }));
      return {
        line: 0,
        column: 'amount',
        message: `The wallet ${country} ${currency} has ${has}, but the payouts need ${needed} plus fees.`,
      };
    });
}
