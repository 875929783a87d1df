// The merchants of a benchmark: several shops that take deposits, and one that pays out from many wallets.
import type { Engine } from '../../server/src/core/engine.ts';
import { changeLimit } from '../../server/src/core/limits/set-limits.ts';
import type { LimitPeriod, LimitScope } from '../../server/src/domain/limits/limit.ts';
import { ensureAccounts } from '../../server/src/store/ledger/ledger.ts';
import { addMerchant } from '../../drills/kit/merchants.ts';
import { listPayoutWallets, PLACE, type PayoutWallet } from './requests.ts';

type Place = Pick<PayoutWallet, 'provider' | 'country' | 'currency'>;

export type BenchMerchant = { readonly merchantId: string; readonly apiToken: string };

export type BenchMerchants = {
  /** They take deposits, each into one wallet. */
  readonly shops: readonly BenchMerchant[];
  /** Pays out, from one wallet for each provider. */
  readonly employer: BenchMerchant;
  readonly places: readonly PayoutWallet[];
};

/** With one shop the bare engine would wait for its one wallet, and the comparison would be unfair. */
const SHOP_COUNT = 8;
const WALLETS_MAX = 16;

export async function createMerchants(engine: Engine, callbackUrl: string): Promise<BenchMerchants> {
  const create = (name: string, walletPerProvider: boolean, places: readonly Place[]) => {
    const markets = places.map(({ provider: code, ...place }) => ({ code, ...place }));
    const facts = { name, callbackUrl, walletPerProvider, markets, balance: '100000000000' };
    return addMerchant(engine, facts);
  };
  const shops: BenchMerchant[] = [];
  for (let number = 1; number <= SHOP_COUNT; number += 1)
    shops.push(await create(`Shop ${number}`, false, [PLACE]));
  const places = listPayoutWallets().slice(0, WALLETS_MAX);
  const employer = await create('Employer', true, places);
  await ensureAccounts(engine.store.database, [{ type: 'FLOAT', ...PLACE }]);
  return { shops, employer, places };
}

/** Ten. None of them is ever reached. */
const LIMITS: readonly (readonly [LimitScope, readonly LimitPeriod[]])[] = [
  ['MERCHANT', ['MINUTE', 'HOUR', 'DAY', 'MONTH']],
  ['TOKEN', ['HOUR', 'DAY']],
  ['PROVIDER', ['DAY', 'MONTH']],
  ['NUMBER', ['DAY', 'MONTH']],
];

const COUNT_MAX = 1_000_000_000;
const AMOUNT_MAX = 10n ** 20n;

export async function setTenLimits(engine: Engine, merchantId: string): Promise<void> {
  for (const [scope, periods] of LIMITS) {
    for (const period of periods) {
      await changeLimit(engine, {
        merchantId,
        key: { setBy: 'PLATFORM', kind: 'DEPOSIT', scope, subject: '', period, currency: 'RWF' },
        maxima: { countMax: COUNT_MAX, amountMax: AMOUNT_MAX },
        actor: { personId: null, by: 'benchmark' },
        secondApprover: 'OPTIONAL',
      });
    }
  }
}
