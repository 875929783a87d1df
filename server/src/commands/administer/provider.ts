import { findProvider, listProviders } from '../../domain/operators/catalogue.ts';
import type { Options } from '../options.ts';

/** The code of a provider that there is. */
export function requireProvider(options: Options): string {
  return options.oneOf(
    'provider',
    listProviders().map(({ code }) => code),
  );
}

/** The currency of one of its accounts. */
export function requireCurrency(options: Options, provider: string): string {
  const currencies = findProvider(provider)?.currencies.map(({ currency }) => currency) ?? [];
  return options.oneOf('currency', currencies);
}
