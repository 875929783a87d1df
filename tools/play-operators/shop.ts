// The sandbox as a merchant's program sees it: the API over HTTP, with the merchant's token.

export type Shop = { readonly url: string; readonly token: string };

export type Kind = 'DEPOSIT' | 'PAYOUT' | 'REFUND';

/** A provider with what the merchant may do with it. */
export type Offer = {
  readonly provider: string;
  readonly currency: string;
  readonly minAmounts: Readonly<Partial<Record<Kind, string>>>;
  readonly authType: string;
};

/** Who carries a provider's payments. */
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

export async function listCarriers(shop: Shop): Promise<readonly Carrier[]> {
  return (await call(shop, 'GET', '/sandbox/operators')) as readonly Carrier[];
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
export async function listOffers(shop: Shop): Promise<readonly Offer[]> {
  const { countries } = (await call(shop, 'GET', '/v2/active-conf')) as Configuration;
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

export async function start(shop: Shop, kind: Kind, body: object): Promise<Payment> {
  return (await call(shop, 'POST', `/v2/${kind.toLowerCase()}s`, body)) as Payment;
}

export async function read(shop: Shop, kind: Kind, id: string): Promise<Payment> {
  const answer = await call(shop, 'GET', `/v2/${kind.toLowerCase()}s/${id}`);
  return (answer as { readonly data: Payment }).data;
}

/** The sandbox's clock: what would come in a minute comes now. */
export async function moveClock(shop: Shop, forwardSeconds: number): Promise<void> {
  await call(shop, 'POST', '/sandbox/clock', { forwardSeconds });
}

async function call({ url, token }: Shop, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (answer.status >= 500 || answer.status === 401)
    throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
