// Amount and currency.
import { Type } from 'typebox';
import { AMOUNT_LENGTH_MAX, AMOUNT_PATTERN } from '../../domain/money.ts';

export const amountSchema = amountTextSchema(
  'The amount as text, without sign or leading zeroes. Trailing zeroes count as decimal places. ' +
    'The active configuration has the decimals, minimum and maximum of the provider. Status checks ' +
    'and callbacks repeat it as you wrote it.',
);

export const currencySchema = currencyCodeSchema(
  'The currency, an ISO 4217 code in upper case. The provider must support it.',
);

export const countrySchema = countryCodeSchema(
  'The country of the provider, an ISO 3166-1 alpha-3 code in upper case.',
);

/** A text in the amount format. `examples` where others of the same body must differ from the usual one. */
export function amountTextSchema(description: string, examples: readonly string[] = ['15', '12.50']) {
  return Type.String({
    minLength: 1,
    maxLength: AMOUNT_LENGTH_MAX,
    pattern: AMOUNT_PATTERN,
    description,
    examples: [...examples],
  });
}

export function currencyCodeSchema(description: string, example = 'ZMW') {
  return Type.String({ pattern: '^[A-Z]{3}$', description, examples: [example] });
}

export function countryCodeSchema(description: string) {
  return Type.String({ pattern: '^[A-Z]{3}$', description, examples: ['ZMB'] });
}
