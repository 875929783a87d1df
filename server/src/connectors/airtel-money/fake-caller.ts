// Identifies the app that calls the fake, and the rules of its market: versions, signing, currency, phone numbers.
import { findCountry, findProvider } from '../../domain/operators/catalogue.ts';
import type { FakeCall, FakeContext } from '../../sandbox/fakes/kit.ts';
import type { FakeTokens } from '../../sandbox/fakes/tokens.ts';
import type { Answer } from '../../sandbox/fakes/answer.ts';
import { airtelMoney } from './connector.ts';
import { secretsOf, type FakeKeys } from './fake-keys.ts';
import { routerProblem } from './fake-words.ts';
import { dialectOf, habitsOf, type Dialect } from './markets.ts';

export type Front = {
  readonly context: FakeContext;
  /** Each token belongs to the provider whose app requested it. */
  readonly tokens: FakeTokens<string>;
  readonly keys: FakeKeys;
  readonly settings: Readonly<Record<string, string>>;
};

export function clientOf({ body }: FakeCall): string | undefined {
  return airtelMoney.providers.find((provider) => {
    const { clientId, clientSecret } = secretsOf(provider);
    const isClient = body['client_id'] === clientId && body['client_secret'] === clientSecret;
    return isClient && body['grant_type'] === 'client_credentials';
  });
}

export function callerOf(tokens: Front['tokens'], { headers }: FakeCall): string {
  return tokens.holderOf(headers.authorization) ?? '';
}

export function dialectFor({ tokens, settings }: Front, call: FakeCall): Dialect {
  const dialect = dialectOf({ provider: callerOf(tokens, call), values: settings });
  if (dialect === null) throw new Error('the caller has no known market');
  return dialect;
}

/** The API gateway has its own error format. */
export function refuseCaller({ tokens, settings }: Front, call: FakeCall): Answer | null {
  const provider = findProvider(callerOf(tokens, call));
  if (provider === null) return { status: 401, json: { error: 'invalid_token' } };
  const { 'x-country': country, 'x-currency': currency } = call.headers;
  if (country !== findCountry(provider.country)?.alpha2) return routerProblem('ROUTER006');
  const { currencyCode } = habitsOf({ values: settings });
  const isCurrency = provider.currencies.some((one) => (currencyCode ?? one.currency) === currency);
  return isCurrency ? null : routerProblem('ROUTER112');
}

/** The market's ISO currency, whatever code Airtel uses for it. */
export function currencyOf(provider: string, { headers }: FakeCall): string {
  const { currencies = [] } = findProvider(provider) ?? {};
  const named = currencies.find(({ currency }) => currency === headers['x-currency']) ?? currencies[0];
  return named?.currency ?? '';
}

export function nationalOf({ settings }: Front, msisdn: unknown): string {
  return String(msisdn).slice(habitsOf({ values: settings }).numberPrefix?.length ?? 0);
}
