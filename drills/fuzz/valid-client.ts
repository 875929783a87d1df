// A valid client, to create what hostile requests need, and to check afterwards.
import { randomUUID } from 'node:crypto';
import { apiCaller, callAccepted, consoleCaller, signIn, type Person } from '../kit/api.ts';
import { fieldOf } from './schema.ts';
import type { Limits, Offer } from './world.ts';

export type Client = ReturnType<typeof createClient>;

type Payer = { readonly provider: string; readonly currency: string; readonly phoneNumber: string };

export function createClient(port: number, token: string) {
  const url = `http://127.0.0.1:${port}`;
  const call = apiCaller(url, token);
  return {
    url,
    read: (path: string) => call<unknown>('GET', path),
    offers: async () => readOffers(await call<Published>('GET', '/v2/active-conf')),
    /** Returns the identifier. */
    deposit: async ({ provider, currency, phoneNumber }: Payer): Promise<string> => {
      const depositId = randomUUID();
      const payer = { type: 'MMO', accountDetails: { provider, phoneNumber } };
      await callAccepted(call, '/v2/deposits', { depositId, amount: '5000', currency, payer });
      return depositId;
    },
    /** Returns the path of the page. */
    open: async (path: string, order: object): Promise<string> =>
      new URL(String(fieldOf(await call('POST', path, order), 'redirectUrl'))).pathname,
    formToken: async (path: string): Promise<string> => {
      const page = await (await fetch(`${url}${path}`)).text();
      const [, found] = /name="token"\s+value="([^"]+)"/.exec(page) ?? [];
      if (found === undefined) throw new Error(`the page ${path} has no form`);
      return found;
    },
    /** Returns the session cookie. The other one names the device and is not needed. */
    signIn: async (person: Person): Promise<string> =>
      (await signIn(url, person)).split('; ').find((cookie) => cookie.includes('session_token=')) ?? '',
    confirm: async (cookie: string, password: string): Promise<void> => {
      await consoleCaller(url, cookie)('POST', 'me/confirm', { password });
    },
  };
}

type Published = {
  readonly countries: readonly {
    readonly country: string;
    readonly prefix: string;
    readonly providers: readonly {
      readonly provider: string;
      readonly currencies: readonly {
        readonly currency: string;
        readonly operationTypes: Readonly<Record<string, PublishedLimits>>;
      }[];
    }[];
  }[];
};

type PublishedLimits = {
  readonly minAmount: string;
  readonly maxAmount: string;
  readonly decimalsInAmount: string;
  readonly authType?: string;
};

/** The gateway's own published limits, with which requests are compared. */
function readOffers({ countries }: Published): readonly Offer[] {
  return countries.flatMap(({ country, prefix, providers }) =>
    providers.flatMap(({ provider, currencies }) =>
      currencies.map(({ currency, operationTypes }) => ({
        provider,
        country,
        prefix,
        currency,
        authType: operationTypes['DEPOSIT']?.authType ?? '',
        limits: Object.fromEntries(
          Object.entries(operationTypes).map(([operation, limits]) => [operation, limitsOf(limits)]),
        ),
      })),
    ),
  );
}

function limitsOf({ minAmount, maxAmount, decimalsInAmount }: PublishedLimits): Limits {
  return { min: minAmount, max: maxAmount, decimals: decimalsInAmount === 'NONE' ? 0 : 2 };
}
