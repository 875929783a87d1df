// What is active on an account, as initiations would find it: whatever is listed here is not refused for its provider.
import type {
  ActiveCountry,
  ActiveOperation,
  ActiveProvider,
} from '../../../domain/operators/active-configuration.ts';
import { findCountry, listProviders, type ProviderFacts } from '../../../domain/operators/catalogue.ts';
import { PAYMENT_KINDS, type AnnouncedKind, type PaymentKind } from '../../../domain/payments/payment.ts';
import type { Availability } from '../../../store/operators/availability.ts';
import { listCallbackUrls, type Merchant } from '../../../store/merchants/merchants.ts';
import { checkAllowed, checkProvider } from '../admit.ts';
import type { Engine, StorePart } from '../../engine.ts';

export type ConfigurationFilter = {
  /** Alpha-3 code; null for all countries. */
  readonly country: string | null;
  /** Null for all. What is no kind of payment, such as NAME_LOOKUP, is active nowhere. */
  readonly operationType: string | null;
};

/** Countries in the order of the catalogue. Nothing is listed that has nothing active in it. */
export async function listActive(
  engine: Pick<Engine, 'connectorOf' | 'directory'>,
  merchant: Merchant,
  filter: ConfigurationFilter,
): Promise<readonly ActiveCountry[]> {
  const unavailable = await engine.directory.unavailable();
  const kinds = PAYMENT_KINDS.filter(
    (kind) => filter.operationType === null || kind === filter.operationType,
  );
  const providers = listProviders()
    .filter(({ country }) => filter.country === null || country === filter.country)
    .flatMap((provider) => {
      const active = kinds.filter((kind) => isActive(engine, merchant, { provider, kind }));
      return activeProvider(provider, active, unavailable);
    });
  return byCountry(providers);
}

function byCountry(providers: readonly ActiveProvider[]): readonly ActiveCountry[] {
  const grouped = Map.groupBy(providers, ({ provider }) => provider.country);
  return [...grouped].flatMap(([alpha3, ofCountry]) => {
    const country = findCountry(alpha3);
    return country === null ? [] : [{ country, providers: ofCountry }];
  });
}

/** What this installation offers to anybody, whatever an account may use of it. */
export async function listOffered(engine: Engine): Promise<readonly ActiveCountry[]> {
  const unavailable = await engine.directory.unavailable();
  return byCountry(
    listProviders().flatMap((provider) => {
      const offered = PAYMENT_KINDS.filter((kind) => engine.connectorOf(provider.code, kind) !== null);
      return activeProvider(provider, offered, unavailable);
    }),
  );
}

/** Where the merchant's callbacks go now. */
export function findCallbackUrls(
  engine: StorePart,
  merchantId: string,
): Promise<ReadonlyMap<AnnouncedKind, string>> {
  return listCallbackUrls(engine.store.database, merchantId);
}

/** By the very checks that an initiation goes through, so that the two cannot disagree. */
function isActive(
  engine: Pick<Engine, 'connectorOf'>,
  merchant: Merchant,
  { provider, kind }: { readonly provider: ProviderFacts; readonly kind: PaymentKind },
): boolean {
  const connector = engine.connectorOf(provider.code, kind);
  const facts = { merchant, kind, provider: provider.code, connector };
  return checkAllowed(facts) === null && checkProvider(facts, provider) === null;
}

/** The provider with its active kinds of payment, in a list of one; an empty list when it offers none of them. */
function activeProvider(
  provider: ProviderFacts,
  kinds: readonly PaymentKind[],
  unavailable: ReadonlyMap<string, Availability>,
): readonly ActiveProvider[] {
  const currencies = provider.currencies.flatMap((facts) => {
    const operations = kinds.flatMap((kind): readonly ActiveOperation[] => {
      const limits = facts.operations[kind];
      const status = unavailable.get(`${provider.code} ${kind}`) ?? 'OPERATIONAL';
      return limits === undefined ? [] : [{ kind, limits, status }];
    });
    return operations.length === 0 ? [] : [{ facts, operations }];
  });
  return currencies.length === 0 ? [] : [{ provider, currencies }];
}
