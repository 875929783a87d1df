// The merchants of a bench: several shops that take deposits, and one payer of many wallets.
import {
  createMerchant,
  createToken,
  SCOPES,
  setCallbackUrl,
} from '../../server/src/core/merchants/administer-merchants.ts';
import { topUpWallets } from '../../server/src/core/ledger/administer-wallets.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import { parseAmount } from '../../server/src/domain/money.ts';
import { OPERATIONS } from '../../server/src/domain/payments/payment.ts';
import { ensureAccounts } from '../../server/src/store/ledger/ledger.ts';
import type { BareMerchant } from './bare-sql.ts';
import { listPayoutPlaces, PLACE, type PayoutPlace } from './orders.ts';

export type BenchMerchant = BareMerchant & { readonly apiToken: string };

export type BenchMerchants = {
  /** They take deposits, each into one wallet. */
  readonly shops: readonly BenchMerchant[];
  /** Pays out, from one wallet for each provider. */
  readonly employer: BenchMerchant;
  readonly places: readonly PayoutPlace[];
};

const BY = 'bench';
/** With one shop alone the bare engine would queue for its one wallet, and the comparison would flatter us. */
const SHOP_COUNT = 8;
const WALLETS_MAX = 16;
const FUNDS = parseAmount('100000000000') ?? 0n;

export async function createMerchants(engine: Engine, callbackUrl: string): Promise<BenchMerchants> {
  const shops: BenchMerchant[] = [];
  for (let number = 1; number <= SHOP_COUNT; number += 1) {
    const shop = await create(engine, callbackUrl, {
      companyName: `Shop ${number}`,
      walletPerProvider: false,
    });
    await topUpWallets(engine, [{ by: BY, merchantId: shop.merchantId, ...PLACE, amount: FUNDS }]);
    shops.push(shop);
  }
  const employer = await create(engine, callbackUrl, { companyName: 'Employer', walletPerProvider: true });
  const places = listPayoutPlaces().slice(0, WALLETS_MAX);
  await topUpWallets(
    engine,
    places.map(({ provider: walletProvider, country, currency }) => {
      return { by: BY, merchantId: employer.merchantId, country, currency, walletProvider, amount: FUNDS };
    }),
  );
  await ensureAccounts(engine.store.database, [{ type: 'FLOAT', ...PLACE }]);
  return { shops, employer, places };
}

async function create(
  engine: Engine,
  callbackUrl: string,
  facts: { readonly companyName: string; readonly walletPerProvider: boolean },
): Promise<BenchMerchant> {
  const merchantId = await createMerchant(engine, { by: BY, operations: OPERATIONS, ...facts });
  const token = { by: BY, merchantId, name: 'bench', scopes: SCOPES, expiresAt: null };
  const { text: apiToken } = await createToken(engine, token);
  await setCallbackUrl(engine, { by: BY, merchantId, url: callbackUrl });
  const { rows } = await engine.store.database.query<{ endpoint_id: string }>(
    `select endpoint_id from callback_endpoints where merchant_id = $1 and kind = 'DEPOSIT'`,
    [merchantId],
  );
  return { merchantId, apiToken, endpointId: rows[0]?.endpoint_id ?? '' };
}
