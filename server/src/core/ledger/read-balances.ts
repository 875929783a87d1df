// What a merchant has in each wallet.
import type { Amount } from '../../domain/money.ts';
import { listWallets } from '../../store/ledger/ledger.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import type { Engine } from '../engine.ts';
import { listActive } from '../payments/read/read-configuration.ts';
import { requireStillHere } from '../cells/cell-assignments.ts';

export type Balance = {
  readonly country: string;
  readonly currency: string;
  /** Empty when the wallet is not tied to one provider. */
  readonly provider: string;
  /** What can be spent: posted less held. */
  readonly available: Amount;
  /** What payments in progress will take, if they complete. */
  readonly held: Amount;
};

/**
 * The wallets of all countries, or of one, sorted by country, currency and provider. A wallet is made by its first
 * money; one that waits for it is listed with nothing in it, so that an account can be set up and looked at.
 */
export async function listBalances(
  engine: Engine,
  merchant: Merchant,
  filter: { readonly country: string | null },
): Promise<readonly Balance[]> {
  const wallets = await listWallets(engine.store.database, merchant.merchantId);
  // Wallets that are gone would look like wallets with nothing in them.
  await requireStillHere(engine.cellAssignments, merchant.merchantId);
  const kept = wallets
    .filter(({ country }) => filter.country === null || country === filter.country)
    .map(({ posted, held, ...place }) => ({ ...place, available: posted - held, held }));
  const expected = await listExpected(engine, merchant, filter);
  const byName = new Map([...expected, ...kept].map((balance) => [nameOf(balance), balance]));
  return [...byName.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, balance]) => balance);
}

/** The wallets that payments of this account would use. */
async function listExpected(
  engine: Pick<Engine, 'connectorOf' | 'directory'>,
  merchant: Merchant,
  { country }: { readonly country: string | null },
): Promise<readonly Balance[]> {
  const active = await listActive(engine, merchant, { country, operationType: null });
  return active.flatMap(({ providers }) =>
    providers.flatMap(({ provider, currencies }) =>
      currencies.map(({ facts }) => ({
        country: provider.country,
        currency: facts.currency,
        provider: merchant.walletPerProvider ? provider.code : '',
        available: 0n,
        held: 0n,
      })),
    ),
  );
}

function nameOf({ country, currency, provider }: Balance): string {
  return `${country} ${currency} ${provider}`;
}
