// The merchants of a run: each with an endpoint of its own, a token, and money enough in every market.
import { randomBytes } from 'node:crypto';
import {
  changeFee,
  createMerchant,
  createToken,
  SCOPES,
  setCallbackUrl,
} from '../../server/src/core/merchants/administer-merchants.ts';
import { topUpWallets } from '../../server/src/core/ledger/administer-wallets.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import { parseAmount } from '../../server/src/domain/money.ts';
import { OPERATIONS, PAYMENT_KINDS } from '../../server/src/domain/payments/payment.ts';
import { Endpoint } from './load/endpoint.ts';
import type { Merchant } from './load/load.ts';
import type { Market } from './load/markets.ts';

const BY = 'proof';
const MERCHANT_COUNT = 3;
const OPENING_BALANCE = parseAmount('100000000') ?? 0n;

export type OnFinal = (merchantId: string, kind: string, id: string, status: string) => void;

/** One with a wallet for each country, one who pays fees, one with a wallet for each provider. */
export async function createMerchants(
  engine: Engine,
  { markets, onFinal }: { readonly markets: readonly Market[]; readonly onFinal: OnFinal },
): Promise<readonly Merchant[]> {
  const merchants: Merchant[] = [];
  for (let number = 1; number <= MERCHANT_COUNT; number += 1) {
    const facts = { by: BY, companyName: `Shop ${number}`, operations: OPERATIONS };
    const merchantId = await createMerchant(engine, { ...facts, walletPerProvider: number === 3 });
    const name = randomBytes(4).toString('hex');
    const token = await createToken(engine, { by: BY, merchantId, name, scopes: SCOPES, expiresAt: null });
    const endpoint = new Endpoint((kind, id, status) => onFinal(merchantId, kind, id, status));
    await endpoint.open();
    await setCallbackUrl(engine, { by: BY, merchantId, url: endpoint.url });
    await fund(engine, merchantId, { markets, perProvider: number === 3 });
    if (number === 2) await price(engine, merchantId, markets);
    merchants.push({ merchantId, apiToken: token.text, endpoint });
  }
  return merchants;
}

async function fund(
  engine: Engine,
  merchantId: string,
  { markets, perProvider }: { readonly markets: readonly Market[]; readonly perProvider: boolean },
): Promise<void> {
  const wallets = new Map(
    markets.map(({ code, country, currency }) => {
      const walletProvider = perProvider ? code : '';
      const wallet = { by: BY, merchantId, country, currency, walletProvider, amount: OPENING_BALANCE };
      return [`${country} ${currency} ${walletProvider}`, wallet];
    }),
  );
  await topUpWallets(engine, [...wallets.values()]);
}

/** One of the merchants pays fees. */
async function price(engine: Engine, merchantId: string, markets: readonly Market[]): Promise<void> {
  const fee = { basisPoints: 150, fixed: parseAmount('2') ?? 0n };
  for (const { code: provider, currency } of markets) {
    for (const operation of PAYMENT_KINDS) {
      await changeFee(engine, { by: BY, merchantId, provider, operation, currency, fee });
    }
  }
}
