// The merchants of a run: each with a token, and enough money in every market.
import {
  changeFee,
  createMerchant,
  createToken,
  SCOPES,
  setCallbackUrl,
} from '../../server/src/core/merchants/administer-merchants.ts';
import { topUpWallets } from '../../server/src/core/ledger/administer-wallets.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { parseAmount } from '../../server/src/domain/money.ts';
import { OPERATIONS, PAYMENT_KINDS } from '../../server/src/domain/payments/payment.ts';
import { Endpoint } from './load/endpoint.ts';
import type { Market } from './load/markets.ts';
import { BY } from './settings.ts';

export type Account = { readonly merchantId: string; readonly apiToken: string };

/** One that has an endpoint of its own. */
export type Merchant = Account & { readonly endpoint: Endpoint };

export const OPENING_BALANCE = '100000000';

export type Wallet = Pick<Market, 'code' | 'country' | 'currency'>;

/** Creates one with all permissions. */
export async function addMerchant(
  engine: Engine,
  options: {
    readonly name: string;
    readonly callbackUrl: string;
    readonly markets: readonly Wallet[];
    readonly walletPerProvider?: boolean;
    readonly balance?: string;
  },
): Promise<Account> {
  const { name: companyName, markets, walletPerProvider = false, balance = OPENING_BALANCE } = options;
  const facts = { by: BY, companyName, operations: OPERATIONS, walletPerProvider };
  const merchantId = await createMerchant(engine, facts);
  const { text: apiToken } = await addToken(engine, merchantId);
  await setCallbackUrl(engine, { by: BY, merchantId, url: options.callbackUrl });
  const amount = parseAmount(balance) ?? 0n;
  const wallets = new Map(
    markets.map(({ code, country, currency }) => {
      const walletProvider = walletPerProvider ? code : '';
      const wallet = { by: BY, merchantId, country, currency, walletProvider, amount };
      return [`${country} ${currency} ${walletProvider}`, wallet];
    }),
  );
  await topUpWallets(engine, [...wallets.values()]);
  return { merchantId, apiToken };
}

export function addToken(
  engine: Engine,
  merchantId: string,
  scopes: Parameters<typeof createToken>[1]['scopes'] = SCOPES,
) {
  return createToken(engine, { by: BY, merchantId, name: 'drill', scopes, expiresAt: null });
}

/** The first has a wallet per country, the second pays fees, the third has a wallet per provider. */
export async function addMerchants(
  hooks: ShutdownHooks,
  engine: Engine,
  { markets, count = 3 }: { readonly markets: readonly Market[]; readonly count?: number },
): Promise<readonly Merchant[]> {
  const merchants: Merchant[] = [];
  for (let number = 1; number <= count; number += 1) {
    const endpoint = await Endpoint.start(hooks);
    const facts = { name: `Shop ${number}`, callbackUrl: endpoint.url, markets };
    const account = await addMerchant(engine, { ...facts, walletPerProvider: number === 3 });
    if (number === 2) await addFees(engine, account.merchantId, markets);
    merchants.push({ ...account, endpoint });
  }
  return merchants;
}

async function addFees(engine: Engine, merchantId: string, markets: readonly Market[]): Promise<void> {
  const fee = { basisPoints: 150, fixed: parseAmount('2') ?? 0n };
  for (const { code: provider, currency } of markets) {
    for (const operation of PAYMENT_KINDS) {
      await changeFee(engine, { by: BY, merchantId, provider, operation, currency, fee });
    }
  }
}
