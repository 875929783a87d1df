// Predicts the provider of a phone number. It is only a hint for the person who types the number: subscribers keep
// their numbers when they change operator, so a payment is never refused because of its prefix.
import { findCountry, findProvider } from './catalogue.ts';
import { parsePrefixes, type NumberingFacts } from './catalogue/parse-prefixes.ts';
import prefixRows from '../catalogue/prefixes.json' with { type: 'json' };
import { isPhoneNumberOf } from '../phone-number.ts';

export type Prediction =
  | {
      readonly type: 'PREDICTED';
      /** Alpha-3 code. */
      readonly country: string;
      readonly provider: string;
      /** The number in the format of payments. */
      readonly phoneNumber: string;
    }
  /** `cause` completes the sentence "… is not valid: it …" and never contains the number. */
  | {
      readonly type: 'UNRESOLVED';
      readonly because: 'COUNTRY' | 'LENGTH' | 'PREFIX';
      readonly cause: string;
    };

type Unresolved = Extract<Prediction, { type: 'UNRESOLVED' }>;

export type PredictionOptions = {
  /** For the sandbox: accepts test numbers. */
  readonly testNumbersAllowed: boolean;
};

const numberingByDialCode = parsePrefixes(prefixRows, { findCountry, findProvider });

/** Accepts numbers as people write them: with plus, spaces, punctuation, letters and extra zeroes. */
export function predictProvider(text: string, options: PredictionOptions): Prediction {
  const digits = text.replace(/[^0-9]/g, '').replace(/^0+/, '');
  const numbering = findNumbering(digits);
  if (numbering === null)
    return unresolved('COUNTRY', 'it does not begin with the dial code of a country we serve');
  const national = findNationalNumber(digits, numbering, options);
  if (national === null)
    return unresolved('LENGTH', `it has not the length of a number of ${numbering.country.alpha3}`);
  const provider = findOwner(national, numbering);
  if (provider === null) return unresolved('PREFIX', 'its prefix belongs to none of our providers');
  const { alpha3, prefix } = numbering.country;
  return { type: 'PREDICTED', country: alpha3, provider, phoneNumber: `${prefix}${national}` };
}

function unresolved(because: Unresolved['because'], cause: string): Prediction {
  return { type: 'UNRESOLVED', because, cause };
}

/** No dial code is a prefix of another, so the first match is the only one. */
function findNumbering(digits: string): NumberingFacts | null {
  for (const [dialCode, numbering] of numberingByDialCode) {
    if (digits.startsWith(dialCode)) return numbering;
  }
  return null;
}

/**
 * The digits after the dial code in today's numbering. A zero is removed only if the number is too long with it: in
 * Congo, Benin and other countries the zero is part of the number.
 */
function findNationalNumber(
  digits: string,
  numbering: NumberingFacts,
  options: PredictionOptions,
): string | null {
  const { country } = numbering;
  const written = digits.slice(country.prefix.length);
  const candidates = [written, ...(written.startsWith('0') ? [written.slice(1)] : [])].flatMap((national) => [
    national,
    modernise(national, numbering),
  ]);
  const fits = (national: string) => isPhoneNumberOf(`${country.prefix}${national}`, country, options);
  return candidates.find(fits) ?? null;
}

/** Converts a number from before the country's numbers became longer; other numbers stay as they are. */
function modernise(national: string, { formerNumbers }: NumberingFacts): string {
  if (formerNumbers === null || national.length !== formerNumbers.digits) return national;
  return `${formerNumbers.prepended}${national}`;
}

/** The longest prefix wins: 0155 is Moov's although MTN has the rest of 015. */
function findOwner(national: string, numbering: NumberingFacts): string | null {
  const number = modernise(national, numbering);
  for (let length = number.length; length > 0; length -= 1) {
    const owner = numbering.providerByPrefix.get(number.slice(0, length));
    if (owner !== undefined) return owner;
  }
  return null;
}
