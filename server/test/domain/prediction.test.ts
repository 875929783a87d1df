// Whose a phone number probably is: the sanitising of completions.md 1.6 and every prefix of its table 6.1.
import { describe, expect, test } from 'vitest';
import numbers from '../../src/sandbox/fakes/payers/numbers.json' with { type: 'json' };
import { findCountry, findProvider, listProviders } from '../../src/domain/operators/catalogue.ts';
import { parsePrefixes } from '../../src/domain/operators/catalogue/parse-prefixes.ts';
import prefixRows from '../../src/domain/catalogue/prefixes.json' with { type: 'json' };
import { isPhoneNumberOf } from '../../src/domain/phone-number.ts';
import { predictProvider } from '../../src/domain/operators/prediction.ts';
import { readTextTable } from './text-table.ts';

const inProduction = { testNumbersAllowed: false };
const inSandbox = { testNumbersAllowed: true };

/** "RWA MTN_MOMO_RWA 250783456789", or why not. */
function predicted(text: string, options = inProduction): string {
  const prediction = predictProvider(text, options);
  if (prediction.type === 'UNRESOLVED') return prediction.cause;
  return `${prediction.country} ${prediction.provider} ${prediction.phoneNumber}`;
}

const NO_COUNTRY = 'it does not begin with the dial code of a country we serve';
const NO_PROVIDER = 'its prefix belongs to none of our providers';
const noLength = (country: string) => `it has not the length of a number of ${country}`;

// Table 6.1, in its words. A range is written out, "x" is any digit, and "–" stands for an operator that is not in
// the catalogue. Wave has wallets for any number: it is the answer where no other provider of ours has the prefix.
const TABLE = `
  country | digits | provider          | prefixes
  BEN     | 10     | MTN_MOMO_BEN      | 0142 0146 0150 0151 0152 0153 0154 0156 0157 0159 0161 0162 0166 0167 0169
  BEN     | 10     | MTN_MOMO_BEN      | 0190 0191 0196 0197
  BEN     | 10     | MOOV_BEN          | 0145 0155 0158 0160 0163 0164 0165 0168 0194 0195 0198 0199
  BEN     | 10     | –                 | 0140 0141 0143 0144 0192 0193
  BFA     | 8      | MOOV_BFA          | 01 02 03 50 51 52 53 60 61 62 63 70 71 72 73
  BFA     | 8      | ORANGE_BFA        | 04 05 06 07 4x 54 55 56 57 64 65 66 67 74 75 76 77
  CIV     | 10     | WAVE_CIV          | 01
  CIV     | 10     | MTN_MOMO_CIV      | 05
  CIV     | 10     | ORANGE_CIV        | 07
  CMR     | 9      | MTN_MOMO_CMR      | 67 650 651 652 653 654 680 681 682 683
  CMR     | 9      | ORANGE_CMR        | 64 69 655 656 657 658 659 686 687 688 689
  CMR     | 9      | –                 | 66 684 685
  COD     | 9      | VODACOM_MPESA_COD | 81 82 83 86
  COD     | 9      | AIRTEL_COD        | 96 97 98 99
  COD     | 9      | ORANGE_COD        | 80 84 85 89
  COD     | 9      | –                 | 90 91
  COG     | 9      | MTN_MOMO_COG      | 06
  COG     | 9      | AIRTEL_COG        | 05 04
  ETH     | 9      | MPESA_ETH         | 7
  ETH     | 9      | –                 | 9
  GAB     | 8      | AIRTEL_GAB        | 04 07 4x 7x
  GAB     | 7      | AIRTEL_GAB        | 4 7
  GAB     | 8      | –                 | 06 6x
  GHA     | 9      | MTN_MOMO_GHA      | 24 25 53 54 55 59
  GHA     | 9      | VODAFONE_GHA      | 20 50
  GHA     | 9      | AIRTELTIGO_GHA    | 23 26 27 56 57
  KEN     | 9      | MPESA_KEN         | 70 71 72 740 741 742 743 745 746 748 749 757 758 759 768 769 79 11 14 18
  KEN     | 9      | –                 | 744 747 73 75x 78 10
  LSO     | 8      | MPESA_LSO         | 5
  LSO     | 8      | –                 | 6
  MOZ     | 9      | VODACOM_MOZ       | 84 85
  MOZ     | 9      | MOVITEL_MOZ       | 86 87 88
  MOZ     | 9      | –                 | 82 83
  MWI     | 9      | AIRTEL_MWI        | 9x
  MWI     | 9      | TNM_MWI           | 8x 3x
  NGA     | 10     | MTN_MOMO_NGA      | 703 704 706 707 803 806 810 813 814 816 903 906 913 916 7025 7026
  NGA     | 10     | AIRTEL_NGA        | 701 708 802 808 812 901 902 904 907 911 912
  NGA     | 10     | –                 | 7020 705 805 809 905
  RWA     | 9      | MTN_MOMO_RWA      | 78 79
  RWA     | 9      | AIRTEL_RWA        | 72 73
  SEN     | 9      | ORANGE_SEN        | 77 78 71
  SEN     | 9      | FREE_SEN          | 76
  SEN     | 9      | WAVE_SEN          | 70 75
  SEN     | 9      | –                 | 33
  SLE     | 8      | ORANGE_SLE        | 71 72 73 74 75 76 78 79
  SLE     | 8      | –                 | 70 77 30
  TZA     | 9      | VODACOM_TZA       | 72 74 75 76 79
  TZA     | 9      | AIRTEL_TZA        | 66 68 69 78
  TZA     | 9      | TIGO_TZA          | 65 67 70 71 77
  TZA     | 9      | HALOTEL_TZA       | 61 62 63
  UGA     | 9      | MTN_MOMO_UGA      | 76 77 78 790 791 792 793 794 724 737
  UGA     | 9      | AIRTEL_OAPI_UGA   | 70 74 75 730 731 795
  UGA     | 9      | –                 | 71 720 796
  ZMB     | 9      | MTN_MOMO_ZMB      | 96 76 56
  ZMB     | 9      | AIRTEL_OAPI_ZMB   | 97 77 57
  ZMB     | 9      | ZAMTEL_ZMB        | 95 75 55
`;

const rows = readTextTable(TABLE).map(([country = '', digits = '', provider = '', prefixes = '']) => ({
  country,
  digits: Number(digits),
  provider,
  prefixes: prefixes.split(' '),
}));

/** Numbers with a prefix: for each digit an "x" stands for, filled up with a digit at a time. */
function numbersOf(country: string, prefix: string, digits: number): readonly string[] {
  const starts = prefix.endsWith('x')
    ? Array.from('0123456789', (digit) => prefix.replace('x', digit))
    : [prefix];
  return starts.map((start) => `${findCountry(country)!.prefix}${start.padEnd(digits, '3')}`);
}

describe('every prefix of table 6.1', () => {
  const taken = rows.filter(({ provider }) => provider !== '–');
  const free = rows.filter(({ provider }) => provider === '–');

  test.each(taken)('$country $provider: $prefixes', ({ country, provider, prefixes, digits }) => {
    for (const number of prefixes.flatMap((prefix) => numbersOf(country, prefix, digits))) {
      expect(predicted(number)).toBe(`${country} ${provider} ${number}`);
    }
  });

  test.each(free)('$country, none of our providers: $prefixes', ({ country, prefixes, digits }) => {
    // 757 to 759 are Safaricom's among the 75s of Kenya.
    const others = prefixes
      .flatMap((prefix) => numbersOf(country, prefix, digits))
      .filter((number) => !/^25475[789]/.test(number));
    for (const number of others) expect(predicted(number)).toBe(NO_PROVIDER);
  });

  test('table 6.1 names every provider of the catalogue, and every country', () => {
    const named = new Set(taken.map(({ provider }) => provider));
    expect([...named].toSorted()).toEqual(
      listProviders()
        .map(({ code }) => code)
        .toSorted(),
    );
    expect(prefixRows.map(({ country }) => country)).toEqual([
      ...new Set(rows.map(({ country }) => country)),
    ]);
  });

  test('table 6.1 holds every prefix of the data: no row of it goes untested', () => {
    const tested = taken.flatMap(({ country, provider, prefixes }) =>
      prefixes.map((prefix) => ({ country, provider, prefix: prefix.replace('x', '') })),
    );
    const untested = prefixRows.flatMap(({ country, providers }) =>
      Object.entries<readonly string[]>(providers).flatMap(([provider, prefixes]) =>
        prefixes.filter(
          (prefix) =>
            !tested.some(
              (one) => one.country === country && one.provider === provider && one.prefix.startsWith(prefix),
            ),
        ),
      ),
    );
    expect(untested).toEqual([]);
  });
});

describe('the longest prefix wins', () => {
  test.each([
    ['2290154333333', 'BEN MTN_MOMO_BEN 2290154333333'],
    ['2290155333333', 'BEN MOOV_BEN 2290155333333'],
    ['254743333333', 'KEN MPESA_KEN 254743333333'],
    ['254744333333', NO_PROVIDER],
    ['221773456789', 'SEN ORANGE_SEN 221773456789'],
    ['221703456789', 'SEN WAVE_SEN 221703456789'],
  ])('%s', (number, expected) => {
    expect(predicted(number)).toBe(expected);
  });
});

describe('the number as people write it', () => {
  const RWANDAN = 'RWA MTN_MOMO_RWA 250783456789';

  test.each([
    ['as payments want it', '250783456789'],
    ['with a plus', '+250783456789'],
    ['with the zeroes of an international call', '00250783456789'],
    ['with spaces', ' 250 783 456 789 '],
    ['with spaces that do not break', '250\u00a0783\u202f456\u2009789'],
    ['with punctuation', '+250-783.456/789'],
    ['with letters', 'Tel: 250783456789 (Alice)'],
    ['with a superfluous zero after the country code', '2500783456789'],
    ['with that zero in brackets', '+250 (0) 783 456 789'],
    ['with all of it', '+250 (0)7-83 45a6 789!'],
  ])('%s', (_, text) => {
    expect(predicted(text)).toBe(RWANDAN);
  });

  test.each([
    ['Congo keeps its zero', '+242 06 345 67 89', 'COG MTN_MOMO_COG 242063456789'],
    ['Congo loses a second zero only', '242 0 06 345 67 89', 'COG MTN_MOMO_COG 242063456789'],
    ['the Ivory Coast keeps its zero', '225 07 34 56 78 90', 'CIV ORANGE_CIV 2250734567890'],
    ['Burkina Faso keeps the zero of its numbers', '226 02 34 56 78', 'BFA MOOV_BFA 22602345678'],
    ['Burkina Faso loses a zero too many', '226 0 70 34 56 78', 'BFA MOOV_BFA 22670345678'],
    ['Gabon keeps it in eight digits', '241 07 34 56 78', 'GAB AIRTEL_GAB 24107345678'],
    ['Benin keeps its zero', '229 01 96 34 56 78', 'BEN MTN_MOMO_BEN 2290196345678'],
    ['an old number of Benin gets what all of them got', '229 96 34 56 78', 'BEN MTN_MOMO_BEN 2290196345678'],
    ['an old number of Benin with a zero too many', '229 0 96 34 56 78', 'BEN MTN_MOMO_BEN 2290196345678'],
  ])('%s', (_, text, expected) => {
    expect(predicted(text)).toBe(expected);
    expect(predicted(text, inSandbox)).toBe(expected);
  });

  test('Congo without its zero is too short', () => {
    expect(predicted('242 6 345 67 89')).toBe(noLength('COG'));
  });

  test('a prediction of a prediction changes nothing', () => {
    for (const { country, prefixes, digits } of rows) {
      for (const number of numbersOf(country, prefixes[0]!, digits)) {
        const first = predictProvider(number, inProduction);
        if (first.type === 'PREDICTED')
          expect(predictProvider(first.phoneNumber, inProduction)).toEqual(first);
      }
    }
  });
});

describe('a number that cannot be resolved', () => {
  test.each([
    ['nothing', '', NO_COUNTRY],
    ['no digit', 'call me', NO_COUNTRY],
    ['zeroes only', '0000', NO_COUNTRY],
    ['no country code', '0783456789', NO_COUNTRY],
    ['a country we do not serve', '+33 6 12 34 56 78', NO_COUNTRY],
    ['the country code alone', '250', noLength('RWA')],
    ['a digit too few', '25078345678', noLength('RWA')],
    ['a digit too many', '2507834567890', noLength('RWA')],
    ['two zeroes too many', '25000783456789', noLength('RWA')],
    ['no one’s prefix', '250203456789', NO_PROVIDER],
  ])('%s', (_, text, cause) => {
    expect(predicted(text)).toBe(cause);
  });

  test('the cause never repeats the number', () => {
    for (const text of ['0783456789', '25078345678', '250203456789']) {
      expect(predicted(text)).not.toMatch(/\d/);
    }
  });
});

describe('the published numbers of the sandbox', () => {
  /** Where a published number has the prefix of another provider: table 6.1 says so of Airtel in Nigeria. */
  const EXCEPTIONS: Readonly<Record<string, string>> = { AIRTEL_NGA: 'MTN_MOMO_NGA' };

  const providers = Object.entries(Object.groupBy(numbers, ({ provider }) => provider)).map(
    ([provider, all = []]) => ({ provider, all: [...new Set(all.map(({ phoneNumber }) => phoneNumber))] }),
  );

  test.each(providers)(
    '$provider: those inside the numbering plan are predicted to be its own',
    ({ provider, all }) => {
      const country = findCountry(findProvider(provider)!.country)!;
      const expected = EXCEPTIONS[provider] ?? provider;
      for (const number of all.filter((one) => isPhoneNumberOf(one, country, inProduction))) {
        expect(predicted(number, inSandbox)).toBe(`${country.alpha3} ${expected} ${number}`);
        expect(predicted(number)).toBe(`${country.alpha3} ${expected} ${number}`);
      }
    },
  );

  test('those of Benin keep their form in the sandbox, where it decides the outcome; production makes them new', () => {
    expect(predicted('22951345789', inSandbox)).toBe('BEN MTN_MOMO_BEN 22951345789');
    expect(predicted('22995345789', inSandbox)).toBe('BEN MOOV_BEN 22995345789');
    expect(predicted('22951345789')).toBe('BEN MTN_MOMO_BEN 2290151345789');
    expect(predicted('22995345789')).toBe('BEN MOOV_BEN 2290195345789');
  });

  test('those of Lesotho and Mozambique begin like no one’s, so they cannot be predicted', () => {
    const odd = ['258100000000', '258100000010', '266100000000'];
    for (const number of odd) expect(predicted(number, inSandbox)).toBe(NO_PROVIDER);
    expect(predicted('266100000000')).toBe(noLength('LSO'));
  });
});

describe('a bad row stops the gateway with its name', () => {
  const good = { country: 'RWA', providers: { MTN_MOMO_RWA: ['78', '79'] } };

  test.each<[string, object, string]>([
    ['of no country', { country: 'FRA' }, "prefixes of FRA has no country 'FRA' to belong to"],
    ['without providers', { providers: {} }, "prefixes of RWA has a bad 'providers'"],
    [
      'with a provider of another country',
      { providers: { MTN_MOMO_UGA: ['78'] } },
      "prefixes of RWA names 'MTN_MOMO_UGA', which is no provider of the country",
    ],
    ['with a number for a prefix', { providers: { MTN_MOMO_RWA: [78] } }, 'is not a prefix'],
    ['with a range', { providers: { MTN_MOMO_RWA: ['78-79'] } }, 'is not a prefix'],
    [
      'with one prefix of two owners',
      { providers: { MTN_MOMO_RWA: ['78'], AIRTEL_RWA: ['78'] } },
      'prefix RWA 78 is there twice',
    ],
    ['with a prefix that is also not served', { notServed: ['78'] }, 'prefix RWA 78 is there twice'],
    ['with a misspelt field', { notserved: ['70'] }, "prefixes of RWA has the unknown field 'notserved'"],
    [
      'with former numbers of no length',
      { formerNumbers: { digits: 0, prepended: '01' } },
      'prefixes of RWA.formerNumbers.digits is not a whole number above zero',
    ],
  ])('%s', (_, changes, problem) => {
    const known = { findCountry, findProvider };
    expect(parsePrefixes([good], known).size).toBe(1);
    expect(() => parsePrefixes([{ ...good, ...changes }], known)).toThrow(problem);
  });

  test('for a country that is there twice', () => {
    expect(() => parsePrefixes([good, good], { findCountry, findProvider })).toThrow('250 is there twice');
  });
});
