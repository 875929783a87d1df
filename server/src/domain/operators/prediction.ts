// Which provider a phone number probably belongs to. A hint for the person who types the number and nothing more:
// subscribers take their numbers along when they change operator, so no payment is ever refused for its prefix.
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
      /** The number in the form that payments take. */
      readonly phoneNumber: string;
    }
  /** `cause` ends the sentence "… is not valid: it …" and never repeats the number. */
  | { readonly type: 'UNRESOLVED'; readonly cause: string };

export type PredictionOptions = {
  /** For the sandbox: numbers that no subscriber can have keep their form. */
  readonly testNumbersAllowed: boolean;
};

const numberingByDialCode = parsePrefixes(prefixRows, { findCountry, findProvider });

/** Takes the number as people write it: with plus, spaces, punctuation, letters, and zeroes that do not belong. */
export function predictProvider(text: string, options: PredictionOptions): Prediction {
  const digits = text.replace(/[^0-9]/g, '').replace(/^0+/, '');
  const numbering = findNumbering(digits);
  if (numbering === null) return unresolved('it does not begin with the dial code of a country we serve');
  const national = findNationalNumber(digits, numbering, options);
  if (national === null)
    return unresolved(`it has not the length of a number of ${numbering.country.alpha3}`);
  const provider = findOwner(national, numbering);
  if (provider === null) return unresolved('its prefix belongs to none of our providers');
  const { alpha3, prefix } = numbering.country;
  return { type: 'PREDICTED', country: alpha3, provider, phoneNumber: `${prefix}${national}` };
}

function unresolved(cause: string): Prediction {
  return { type: 'UNRESOLVED', cause };
}

/** No dial code of the catalogue begins another, so the first that fits is the only one. */
function findNumbering(digits: string): NumberingFacts | null {
  for (const [dialCode, numbering] of numberingByDialCode) {
    if (digits.startsWith(dialCode)) return numbering;
  }
  return null;
}

/**
 * The digits after the dial code as the country counts them today. A zero goes only where the number is too long with
 * it: in Congo, Benin and elsewhere the zero is part of the number.
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

/** A number from before the country's numbers grew, as it is dialled today; any other number as it is. */
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
