// The drill's merchants, created by the commands of the previous release, which writes its own rows.
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { Endpoint } from '../kit/load/endpoint.ts';
import { MARKETS } from '../kit/load/markets.ts';
import { OPENING_BALANCE, type Merchant } from '../kit/merchants.ts';

/** A command of the gateway. Returns its output. */
export type RunCommand = (...args: readonly string[]) => Promise<string>;

const BY = ['--by', 'drill'];

export async function addMerchant(
  hooks: ShutdownHooks,
  command: RunCommand,
  name: string,
): Promise<Merchant> {
  const merchantId = await command('merchant', 'create', '--name', name, ...BY);
  const of = ['--merchant', merchantId, ...BY];
  const endpoint = await Endpoint.start(hooks);
  const wallets = new Map(MARKETS.map(({ country, currency }) => [country, { country, currency }]));
  const topUps = [...wallets.values()].map(({ country, currency }) =>
    command(
      'wallet',
      'top-up',
      ...of,
      '--country',
      country,
      '--currency',
      currency,
      '--amount',
      OPENING_BALANCE,
    ),
  );
  const [apiToken] = await Promise.all([
    command('token', 'create', ...of, '--name', 'drill'),
    command('callback-url', 'set', ...of, '--url', endpoint.url),
    ...topUps,
  ]);
  return { merchantId, apiToken, endpoint };
}
