// A sound client, for what has to be there before hostile ones come, and for looking afterwards.
import { randomUUID } from 'node:crypto';
import { fieldOf } from './schema.ts';
import type { Limits, Offer } from './world.ts';

export type Client = ReturnType<typeof createClient>;

type Payer = { readonly provider: string; readonly currency: string; readonly phoneNumber: string };

export function createClient(port: number, token: string) {
  const url = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${url}${path}`, { method, headers, ...sent });
    const told: unknown = await answer.json();
    if (!answer.ok)
      throw new Error(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(told)}`);
    return told;
  };
  return {
    read: (path: string) => call('GET', path),
    offers: async () => readOffers(await call('GET', '/v2/active-conf')),
    /** Answers the identifier. */
    deposit: async ({ provider, currency, phoneNumber }: Payer): Promise<string> => {
      const depositId = randomUUID();
      const payer = { type: 'MMO', accountDetails: { provider, phoneNumber } };
      const told = await call('POST', '/v2/deposits', { depositId, amount: '5000', currency, payer });
      if (fieldOf(told, 'status') !== 'ACCEPTED')
        throw new Error(`a deposit was not accepted: ${JSON.stringify(told)}`);
      return depositId;
    },
    /** Answers the path of the page. */
    open: async (path: string, order: object): Promise<string> =>
      new URL(String(fieldOf(await call('POST', path, order), 'redirectUrl'))).pathname,
    formToken: async (path: string): Promise<string> => {
      const page = await (await fetch(`${url}${path}`)).text();
      const [, found] = /name="token"\s+value="([^"]+)"/.exec(page) ?? [];
      if (found === undefined) throw new Error(`the page ${path} has no form`);
      return found;
    },
    /** Answers the cookie of the session. */
    signIn: async (email: string, password: string): Promise<string> => {
      const answer = await post(`${url}/console/auth/sign-in/email`, { origin: url }, { email, password });
      return (
        answer.headers
          .getSetCookie()
          .map((cookie) => cookie.split(';')[0] ?? '')
          // The other one names the device and lets no one in: without it a session is as good.
          .filter((cookie) => cookie.includes('session_token='))
          .join('; ')
      );
    },
    /** As somebody who is signed in. */
    atConsole: async (cookie: string, method: string, path: string, body?: object): Promise<unknown> => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const asked = { method, headers: { ...headers, cookie, origin: url }, ...sent };
      const answer = await fetch(`${url}/console/api/${path}`, asked);
      if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
      return answer.json();
    },
    confirm: async (cookie: string, password: string): Promise<void> => {
      await post(`${url}/console/api/me/confirm`, { origin: url, cookie }, { password });
    },
  };
}

async function post(url: string, headers: Record<string, string>, body: object): Promise<Response> {
  const sent = { ...headers, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} was answered ${answer.status}: ${await answer.text()}`);
  return answer;
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

/** What the gateway publishes of itself is what requests are held against. */
function readOffers(told: unknown): readonly Offer[] {
  return (told as Published).countries.flatMap(({ country, prefix, providers }) =>
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
