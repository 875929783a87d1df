// The sandbox as a merchant's program sees it: the API over HTTP, with the merchant's token.
import type { Call } from '../../drills/kit/api.ts';

export type Kind = 'DEPOSIT' | 'PAYOUT' | 'REFUND';

/** A provider with what the merchant may do with it. */
export type Offer = {
  readonly provider: string;
  readonly currency: string;
  readonly minAmounts: Readonly<Partial<Record<Kind, string>>>;
  readonly authType: string;
};

/** The connector of a provider. */
export type Carrier = {
  readonly connector: string;
  readonly fakeUrl?: string;
  readonly providers: readonly { readonly provider: string; readonly operations: readonly string[] }[];
};

export type Payment = {
  readonly status: string;
  readonly authorizationUrl?: string;
  readonly failureReason?: { readonly failureCode: string };
};

export function listCarriers(call: Call): Promise<readonly Carrier[]> {
  return call('GET', '/sandbox/operators');
}

type Configuration = {
  readonly countries: readonly {
    readonly providers: readonly {
      readonly provider: string;
      readonly currencies: readonly {
        readonly currency: string;
        readonly operationTypes: Readonly<
          Partial<Record<Kind, { readonly minAmount: string; readonly authType?: string }>>
        >;
      }[];
    }[];
  }[];
};

/** In the first currency of each provider. */
export async function listOffers(call: Call): Promise<readonly Offer[]> {
  const { countries } = await call<Configuration>('GET', '/v2/active-conf');
  return countries.flatMap(({ providers }) =>
    providers.flatMap(({ provider, currencies }) =>
      currencies.slice(0, 1).map(({ currency, operationTypes }) => ({
        provider,
        currency,
        minAmounts: Object.fromEntries(
          Object.entries(operationTypes).map(([kind, { minAmount }]) => [kind, minAmount]),
        ),
        authType: operationTypes.DEPOSIT?.authType ?? 'PROVIDER_AUTH',
      })),
    ),
  );
}

export function start(call: Call, kind: Kind, body: object): Promise<Payment> {
  return call('POST', `/v2/${kind.toLowerCase()}s`, body);
}

export async function read(call: Call, kind: Kind, id: string): Promise<Payment> {
  return (await call<{ data: Payment }>('GET', `/v2/${kind.toLowerCase()}s/${id}`)).data;
}

/** Moves the sandbox's clock forward by a minute. */
export async function moveClock(call: Call, forwardSeconds: number): Promise<void> {
  await call('POST', '/sandbox/clock', { forwardSeconds });
}
