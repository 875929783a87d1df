// The drill's merchants, made by the commands of the release that is upgraded from: it writes its own rows.
import { Endpoint } from '../kit/load/endpoint.ts';
import type { Merchant } from '../kit/load/load.ts';
import { MARKETS } from '../kit/load/markets.ts';
import type { OnFinal } from '../kit/merchants.ts';

/** A command of the gateway, manually. Answers what it wrote. */
export type RunCommand = (...args: readonly string[]) => Promise<string>;

const BY = ['--by', 'drill'];
const OPENING_BALANCE = '100000000';

export async function makeMerchant(command: RunCommand, name: string, onFinal: OnFinal): Promise<Merchant> {
  const merchantId = await command('create-merchant', '--name', name, ...BY);
  const of = ['--merchant', merchantId, ...BY];
  const endpoint = new Endpoint((kind, id, status) => onFinal(merchantId, kind, id, status));
  await endpoint.open();
  const wallets = new Map(MARKETS.map(({ country, currency }) => [country, { country, currency }]));
  const topUps = [...wallets.values()].map(({ country, currency }) =>
    command('top-up', ...of, '--country', country, '--currency', currency, '--amount', OPENING_BALANCE),
  );
  const [apiToken] = await Promise.all([
    command('create-token', ...of, '--name', 'drill'),
    command('set-callback-url', ...of, '--url', endpoint.url),
    ...topUps,
  ]);
  return { merchantId, apiToken, endpoint };
}
