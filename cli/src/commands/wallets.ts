// `malipo wallet list`: the balances of the wallets.
import { textOf, type Command } from '../command.ts';
import { openGateway } from '../gateway.ts';
import { renderAmountText } from '../payment-text.ts';
import { renderTable } from '../table.ts';

export const walletListCommand: Command = {
  words: 'wallet list',
  summary: 'List the wallets and their available balances',
  options: [{ name: 'country', value: 'CODE', summary: 'Only wallets of this country, e.g. RWA.' }],
  examples: ['malipo wallet list', 'malipo wallet list --country RWA --json'],
  run: async (call) => {
    const { malipo } = await openGateway(call);
    const country = textOf(call, 'country');
    const balances = await malipo.wallets.balances(country === undefined ? {} : { country });
    const rows = balances.map((one) => [
      one.country,
      one.currency,
      renderAmountText(one.balance, one),
      one.provider,
    ]);
    return { value: balances, text: renderTable(['country', 'currency', 'balance', 'provider'], rows) };
  },
};
