// `malipo balances`: the balances of the wallets.
import { textOf, type Command } from '../command.ts';
import { openGateway } from '../gateway.ts';
import { renderTable } from '../table.ts';

export const balancesCommand: Command = {
  words: 'balances',
  summary: 'Show what is available in each wallet',
  options: [{ name: 'country', value: 'CODE', summary: 'Only wallets of this country: RWA.' }],
  examples: ['malipo balances', 'malipo balances --country RWA --json'],
  run: async (call) => {
    const { malipo } = await openGateway(call);
    const country = textOf(call, 'country');
    const balances = await malipo.wallets.balances(country === undefined ? {} : { country });
    const rows = balances.map((one) => [one.country, one.currency, one.balance, one.provider]);
    return { value: balances, text: renderTable(['country', 'currency', 'balance', 'provider'], rows) };
  },
};
