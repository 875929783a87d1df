// Whether a text is a phone number of a country: country code and length, nothing more. Which operator a number
// belongs to is not asked, because subscribers take their numbers along when they change operator.
import type { CountryFacts } from './operators/catalogue.ts';

const internationalDigits = /^[1-9][0-9]*$/;

/**
 * `testNumbersAllowed` is for the sandbox: some of its published numbers are outside the country's numbering plan.
 * Where they are not allowed they are refused even when their length fits.
 *
 * The lengths are the catalogue's. A library of numbering plans also counts fixed lines, toll-free numbers and a
 * trunk zero: libphonenumber calls 14 digits possible in Nigeria, 7 in Kenya and 2500783456789 in Rwanda. A test
 * compares the catalogue with its lengths of mobile numbers, so that a change of a numbering plan is noticed.
 */
export function isPhoneNumberOf(
  text: string,
  country: CountryFacts,
  { testNumbersAllowed }: { readonly testNumbersAllowed: boolean },
): boolean {
  if (isTestNumberOf(text, country)) return testNumbersAllowed;
  if (!internationalDigits.test(text) || !text.startsWith(country.prefix)) return false;
  return country.nationalDigits.includes(text.length - country.prefix.length);
}

function isTestNumberOf(text: string, { testNumberPattern }: CountryFacts): boolean {
  return testNumberPattern !== undefined && new RegExp(testNumberPattern).test(text);
}
