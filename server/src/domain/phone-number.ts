// Whether a text is a phone number of a country, by country code and length only. The operator is not checked, because
// subscribers keep their numbers when they change operator.
import type { CountryFacts } from './operators/catalogue.ts';

const internationalDigits = /^[1-9][0-9]*$/;

/**
 * `testNumbersAllowed` is for the sandbox: some of its published numbers are outside the country's numbering plan. In
 * production they are refused even if their length fits. The lengths come from the catalogue. A library of numbering
 * plans also allows fixed lines, toll-free numbers and a trunk zero: libphonenumber accepts 14 digits in Nigeria, 7 in
 * Kenya and 2500783456789 in Rwanda. A test compares the catalogue with its mobile lengths, so that a change of a
 * numbering plan is noticed.
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
