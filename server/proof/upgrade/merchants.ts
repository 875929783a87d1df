// The drill's merchants, made by the commands of the release that is upgraded from: it writes its own rows.
import { Endpoint } from '../chaos/endpoint.ts';
import type { Merchant } from '../chaos/load.ts';
import { MARKETS } from '../chaos/markets.ts';
import type { OnFinal } from '../chaos/merchants.ts';

/** A command of the gateway, by hand. Answers what it wrote. */
export type RunCommand = (...args: readonly string[]) => Promise<string>;

const BY = ['--by', 'drill'];
const OPENING_BALANCE = '100000000';

export async function makeMerchant(command: RunCommand, name: string, onFinal: OnFinal): Promise<Merchant> {
  const merchantId = await command('create-merchant', '--name', name, ...BY);
  const of = ['--merchant', merchantId, ...BY];
  const endpoint = new Endpoint((kind, id, status) => onFinal(merchantId, kind, id, status));
  await endpoint.open();
  const apiToken = await command('create-token', ...of, '--name', 'drill');
  await command('set-callback-url', ...of, '--url', endpoint.url);
  const wallets = new Map(
    MARKETS.map(({ country, currency }) => [`${country} ${currency}`, { country, currency }]),
  );
  for (const { country, currency } of wallets.values()) {
    const wallet = ['--country', country, '--currency', currency, '--amount', OPENING_BALANCE];
    await command('top-up', ...of, ...wallet);
  }
  return { merchantId, apiToken, endpoint };
}
