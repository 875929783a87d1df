import { Metadata, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import { describe, expect, test } from 'vitest';
import numbers from '../../src/sandbox/fakes/payers/numbers.json' with { type: 'json' };
import { findCountry, findProvider, type CountryFacts } from '../../src/domain/operators/catalogue.ts';
import countryRows from '../../src/domain/catalogue/countries.json' with { type: 'json' };
import { isPhoneNumberOf } from '../../src/domain/phone-number.ts';

const inSandbox = { testNumbersAllowed: true };
const inProduction = { testNumbersAllowed: false };

/** Section 6.1 of the specification's completions: digits after the country code. */
const NUMBERING = `
  country | code | national digits
  BEN     | 229  | 10
  BFA     | 226  | 8
  CIV     | 225  | 10
  CMR     | 237  | 9
  COD     | 243  | 9
  COG     | 242  | 9
  ETH     | 251  | 9
  GAB     | 241  | 7 or 8
  GHA     | 233  | 9
  KEN     | 254  | 9
  LSO     | 266  | 8
  MOZ     | 258  | 9
  MWI     | 265  | 9
  NGA     | 234  | 10
  RWA     | 250  | 9
  SEN     | 221  | 9
  SLE     | 232  | 8
  TZA     | 255  | 9
  UGA     | 256  | 9
  ZMB     | 260  | 9
`;

const numbering = NUMBERING.trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([alpha3 = '', code = '', digits = '']) => ({
    alpha3,
    code,
    lengths: digits.split(' or ').map(Number),
  }));

describe('country code and length', () => {
  test('country code and length are given for every country of the catalogue', () => {
    expect(numbering.map(({ alpha3 }) => alpha3)).toEqual(countryRows.map(({ alpha3 }) => alpha3));
  });

  test.each(numbering)(
    'of $alpha3 are $code and $lengths digits, no more and no fewer',
    ({ alpha3, code, lengths }) => {
      for (let length = 1; length <= 16; length += 1) {
        const number = code + '7'.repeat(length);
        expect([number, isPhoneNumberOf(number, country(alpha3), inProduction)]).toEqual([
          number,
          lengths.includes(length),
        ]);
      }
    },
  );

  test.each(numbering)('of $alpha3 do not fit a number of any other country', ({ alpha3, code, lengths }) => {
    const number = code + '7'.repeat(lengths[0]!);
    for (const other of numbering.filter((row) => row.alpha3 !== alpha3)) {
      expect(isPhoneNumberOf(number, country(other.alpha3), inSandbox)).toBe(false);
    }
  });

  test.each(countryRows)(
    'of $alpha3 are also what the public numbering plan has for mobile numbers',
    (row) => {
      // The library also has mobile numbers of 7 digits in the DRC: 88 and five more, which no wallet uses.
      const unused = row.alpha3 === 'COD' ? [7] : [];
      expect([...row.nationalDigits, ...unused].toSorted((a, b) => a - b)).toEqual(mobileLengths(row.alpha2));
    },
  );
});

describe('what is written', () => {
  test.each([
    ['250783456789', true],
    ['0783456789', false],
    ['0250783456789', false],
    ['00250783456789', false],
    ['2500783456789', false],
    ['+250783456789', false],
    ['250 783 456 789', false],
    ['250-783456789', false],
    ['25078345678x', false],
    ['250783456789\n', false],
    ['٢٥٠783456789', false],
    ['250', false],
    ['', false],
  ])('%j is a number of Rwanda: %s', (text, expected) => {
    expect(isPhoneNumberOf(text, country('RWA'), inProduction)).toBe(expected);
    expect(isPhoneNumberOf(text, country('RWA'), inSandbox)).toBe(expected);
  });

  test('the zero of a Congolese number is kept', () => {
    expect(isPhoneNumberOf('242061234567', country('COG'), inProduction)).toBe(true);
    expect(isPhoneNumberOf('24261234567', country('COG'), inProduction)).toBe(false);
  });

  test('a prefix of another operator is accepted, because numbers are portable', () => {
    // 72 is Airtel's prefix and 78 is MTN's; 20 is no one's, and still a number of the right length.
    for (const number of ['250722345678', '250783456789', '250203456789']) {
      expect(isPhoneNumberOf(number, country('RWA'), inProduction)).toBe(true);
    }
  });

  test('a possible number of the library is not enough: fixed lines and trunk zeroes are possible too', () => {
    for (const [alpha3, number] of [
      ['NGA', '23480312345678901'],
      ['KEN', '2547123456'],
      ['RWA', '2500783456789'],
    ] as const) {
      expect(parsePhoneNumberFromString(`+${number}`)?.isPossible()).toBe(true);
      expect(isPhoneNumberOf(number, country(alpha3), inSandbox)).toBe(false);
    }
  });
});

describe('the published numbers of the sandbox', () => {
  /** Numbers that no subscriber can have. Benin's are the old length; no number of the others begins with 1. */
  const ODD = [
    '22951345029',
    '22951345039',
    '22951345069',
    '22951345089',
    '22951345119',
    '22951345129',
    '22951345789',
    '22995345219',
    '22995345279',
    '22995345529',
    '22995345639',
    '22995345679',
    '22995345789',
    '258100000000',
    '258100000010',
    '266100000000',
  ];

  test('the published numbers of the sandbox are 303', () => {
    expect(numbers).toHaveLength(303);
  });

  test('the published numbers of the sandbox are all accepted in the sandbox, and in production all but the odd ones', () => {
    const refused = numbers.filter((row) => !isPhoneNumberOf(row.phoneNumber, countryOf(row), inSandbox));
    expect(refused).toEqual([]);
    const odd = numbers.filter((row) => !isPhoneNumberOf(row.phoneNumber, countryOf(row), inProduction));
    expect([...new Set(odd.map((row) => row.phoneNumber))].toSorted()).toEqual(ODD);
  });

  test.each([
    ['BEN', '229513450290'],
    ['BEN', '2295134502'],
    ['BEN', '22961345029'],
    ['LSO', '2661000000000'],
    ['MOZ', '2581000000000'],
    ['MOZ', '25810000000'],
  ])('of %s do not make %s one of them', (alpha3, number) => {
    expect(isPhoneNumberOf(number, country(alpha3), inSandbox)).toBe(false);
  });
});

function country(alpha3: string): CountryFacts {
  return findCountry(alpha3)!;
}

function countryOf(row: { provider: string }): CountryFacts {
  return country(findProvider(row.provider)!.country);
}

/** The library keeps lengths by type of number, but its type declarations do not say so. */
type NumberingPlanByType = { type: (type: 'MOBILE') => { possibleLengths: () => number[] } };

function mobileLengths(alpha2: string): number[] {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(alpha2 as CountryCode);
  return (metadata.numberingPlan as unknown as NumberingPlanByType).type('MOBILE').possibleLengths();
}
