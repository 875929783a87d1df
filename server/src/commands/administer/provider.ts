import { listProviders } from '../../domain/operators/catalogue.ts';
import type { Options } from '../options.ts';

/** The code of a provider that there is. */
export function requireProvider(options: Options): string {
  return options.oneOf(
    'provider',
    listProviders().map(({ code }) => code),
  );
}
