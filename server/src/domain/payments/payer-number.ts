// A phone number as a payer types it beside the dial code of a country.
import type { CountryFacts } from '../operators/catalogue.ts';
import { isPhoneNumberOf } from '../phone-number.ts';
import { predictProvider, type PredictionOptions } from '../operators/prediction.ts';

export type PayerNumber = {
  /** In the form that payments take. */
  readonly phoneNumber: string;
  /** Whose number it probably is; null where its prefix says nothing. */
  readonly provider: string | null;
};

/** With or without dial code, plus, spaces and a leading zero. Null when it is no number of the country. */
export function readPayerNumber(
  text: string,
  country: CountryFacts,
  options: PredictionOptions,
): PayerNumber | null {
  const digits = text.replace(/[^0-9]/g, '');
  const candidates = [
    ...(digits.startsWith(country.prefix) ? [digits] : []),
    ...(digits.startsWith(`00${country.prefix}`) ? [digits.slice(2)] : []),
    `${country.prefix}${digits}`,
    `${country.prefix}${digits.replace(/^0+/, '')}`,
  ];
  for (const candidate of candidates) {
    const prediction = predictProvider(candidate, options);
    if (prediction.type === 'PREDICTED' && prediction.country === country.alpha3) {
      const { phoneNumber, provider } = prediction;
      return { phoneNumber, provider };
    }
  }
  const phoneNumber = candidates.find((candidate) => isPhoneNumberOf(candidate, country, options));
  return phoneNumber === undefined ? null : { phoneNumber, provider: null };
}
