// Wallet balances in API v1.
import { Type, type Static } from 'typebox';
import {
  renderWalletBalances as renderCurrent,
  walletBalancesSchema as current,
  type WalletBalance,
} from '../../v2/toolkit/wallet-balances.ts';

const { provider: mno, ...entry } = current.properties.balances.items.properties;

export const walletBalancesSchema = Type.Object(
  {
    balances: Type.Array(Type.Object({ ...entry, mno }), {
      description: 'One entry for each wallet, by country, currency and provider.',
    }),
  },
  { title: 'WalletBalances', description: 'What you can spend, wallet by wallet.' },
);

export function renderWalletBalances(
  balances: readonly WalletBalance[],
): Static<typeof walletBalancesSchema> {
  return {
    balances: renderCurrent(balances).balances.map(({ provider, ...balance }) => ({
      ...balance,
      mno: provider,
    })),
  };
}
