// A phone number as a payer types it beside a country's dial code.
import type { CountryFacts } from '../operators/catalogue.ts';
import { isPhoneNumberOf } from '../phone-number.ts';
import { predictProvider, type PredictionOptions } from '../operators/prediction.ts';

export type PayerNumber = {
  /** In the format of payments. */
  readonly phoneNumber: string;
  /** The predicted provider; null if the prefix is unknown. */
  readonly provider: string | null;
};

/** With or without dial code, plus, spaces and a leading zero. Null if it is not a number of the country. */
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
