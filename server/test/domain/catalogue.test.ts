import { describe, expect, test } from 'vitest';
import { findCountry, findProvider, limitsOf, listProviders } from '../../src/domain/operators/catalogue.ts';
import countryRows from '../../src/domain/catalogue/countries.json' with { type: 'json' };
import { parseCountries, parseProviders } from '../../src/domain/operators/catalogue/parse-rows.ts';
import providerRows from '../../src/domain/catalogue/providers.json' with { type: 'json' };
import { parseAmount } from '../../src/domain/money.ts';
import { PAYMENT_KINDS } from '../../src/domain/payments/payment.ts';

describe('the catalogue', () => {
  test('the catalogue holds 42 providers in 20 countries, 45 provider-currency pairs in all', () => {
    const countries = new Set(listProviders().map((provider) => provider.country));
    expect(listProviders()).toHaveLength(42);
    expect(countries.size).toBe(20);
    expect(listProviders().flatMap((provider) => provider.currencies)).toHaveLength(45);
    expect(countryRows.map((country) => country.alpha3).toSorted()).toEqual([...countries].toSorted());
  });

  test('the catalogue has several currencies per provider in the Democratic Republic of the Congo only', () => {
    const several = listProviders().filter((provider) => provider.currencies.length > 1);
    expect(several.map((provider) => provider.code)).toEqual([
      'AIRTEL_COD',
      'ORANGE_COD',
      'VODACOM_MPESA_COD',
    ]);
    for (const provider of several) {
      expect(provider.currencies.map((facts) => facts.currency)).toEqual(['CDF', 'USD']);
    }
  });

  test.each(listProviders())(
    '$code has limits for every operation, as texts and as the same amounts',
    (provider) => {
      for (const { currency } of provider.currencies) {
        for (const operation of PAYMENT_KINDS) {
          const limits = limitsOf(provider, { currency, operation });
          expect(limits).not.toBeNull();
          expect(parseAmount(limits!.minAmountText)).toBe(limits!.minAmount);
          expect(parseAmount(limits!.maxAmountText)).toBe(limits!.maxAmount);
          expect(limits!.minAmount).toBeGreaterThan(0n);
        }
      }
    },
  );

  test.each(listProviders())('$code refunds and remits within its payout limits', (provider) => {
    for (const { currency } of provider.currencies) {
      const payout = limitsOf(provider, { currency, operation: 'PAYOUT' });
      expect(limitsOf(provider, { currency, operation: 'REFUND' })).toEqual(payout);
      expect(limitsOf(provider, { currency, operation: 'REMITTANCE' })).toEqual(payout);
    }
  });

  test('the catalogue knows the three ways in which a payer agrees', () => {
    expect(findProvider('MTN_MOMO_RWA')).toMatchObject({
      authType: 'PROVIDER_AUTH',
      pinPrompt: 'AUTOMATIC',
      pinPromptRevivable: true,
    });
    expect(findProvider('ORANGE_BFA')).toMatchObject({ authType: 'PREAUTH', pinPrompt: null });
    expect(findProvider('WAVE_SEN')).toMatchObject({ authType: 'REDIRECT_AUTH', pinPrompt: null });
  });
});

describe('looking something up', () => {
  test('a provider is found by its exact code', () => {
    expect(findProvider('MTN_MOMO_BEN')).toMatchObject({
      code: 'MTN_MOMO_BEN',
      country: 'BEN',
      displayName: 'MTN',
      currencies: [
        {
          currency: 'XOF',
          displayName: 'CFA',
          ussd: { shortCode: '*840#', quickLink: '*840*8*2*1#', steps: 6 },
          assumed: [],
        },
      ],
    });
  });

  test.each(['', 'mtn_momo_ben', 'MTN_MOMO_BEN ', 'NO_ONE_BEN', '__proto__', 'constructor'])(
    'no provider is found by %j',
    (code) => {
      expect(findProvider(code)).toBeNull();
    },
  );

  test('a country is found by its alpha-3 code', () => {
    expect(findCountry('COD')).toEqual({
      alpha3: 'COD',
      alpha2: 'CD',
      displayName: { en: 'Democratic Republic of the Congo', fr: 'République démocratique du Congo' },
      prefix: '243',
      nationalDigits: [9],
    });
    expect(findCountry('CD')).toBeNull();
    expect(findCountry('EST')).toBeNull();
  });

  test('limits differ by currency and by operation', () => {
    const vodacom = findProvider('VODACOM_MPESA_COD')!;
    expect(limitsOf(vodacom, { currency: 'CDF', operation: 'DEPOSIT' })).toEqual({
      minAmount: 5_000_000n,
      maxAmount: 10_000_000_000n,
      minAmountText: '500',
      maxAmountText: '1000000',
      decimals: 0,
    });
    expect(limitsOf(vodacom, { currency: 'CDF', operation: 'PAYOUT' })?.minAmountText).toBe('1000');
    expect(limitsOf(vodacom, { currency: 'USD', operation: 'DEPOSIT' })).toMatchObject({
      maxAmountText: '2500',
      decimals: 2,
    });
    expect(limitsOf(vodacom, { currency: 'RWF', operation: 'DEPOSIT' })).toBeNull();
  });

  test('an operation without limits is not offered', () => {
    const [country, provider] = [countryRow('RWA'), providerRow('MTN_MOMO_RWA')];
    const { DEPOSIT } = provider.currencies[0]!.operations;
    const currencies = [{ ...provider.currencies[0]!, operations: { DEPOSIT } }];
    const parsed = parseProviders([{ ...provider, currencies }], parseCountries([country])).get(
      'MTN_MOMO_RWA',
    )!;
    expect(limitsOf(parsed, { currency: 'RWF', operation: 'DEPOSIT' })).not.toBeNull();
    expect(limitsOf(parsed, { currency: 'RWF', operation: 'PAYOUT' })).toBeNull();
  });
});

describe('a bad row stops the gateway with its name', () => {
  test.each<[string, object, string]>([
    ['without a field', { prefix: undefined }, "RWA has a bad 'prefix'"],
    ['with a dial code that begins with zero', { prefix: '0250' }, "RWA has a bad 'prefix'"],
    ['with a misspelt field', { testNumberPatern: '^250$' }, "RWA has the unknown field 'testNumberPatern'"],
    [
      'with a pattern open at its start',
      { testNumberPattern: '250[0-9]$' },
      "RWA has a bad 'testNumberPattern'",
    ],
    [
      'with a pattern open at its end',
      { testNumberPattern: '^250[0-9]' },
      "RWA has a bad 'testNumberPattern'",
    ],
    [
      'with a pattern that goes on',
      { testNumberPattern: '^250$|[0-9]' },
      "RWA has a bad 'testNumberPattern'",
    ],
    [
      'with a pattern of another country',
      { testNumberPattern: '^251[0-9]$' },
      "RWA has a bad 'testNumberPattern'",
    ],
    [
      'with a pattern that is none',
      { testNumberPattern: '^250([0-9]$' },
      "RWA has a bad 'testNumberPattern'",
    ],
    ['without lengths', { nationalDigits: [] }, 'RWA.nationalDigits is not a list with entries'],
    [
      'with a length of zero',
      { nationalDigits: [0] },
      'RWA.nationalDigits[0] is not a whole number above zero',
    ],
    ['without a French name', { displayName: { en: 'Rwanda' } }, "RWA.displayName lacks 'fr'"],
  ])('a country %s', (_, change, problem) => {
    expect(() => parseCountries([{ ...countryRow('RWA'), ...change }])).toThrow(problem);
  });

  test.each<[string, object, string]>([
    ['with an unknown way to agree', { authType: 'PIN' }, "MTN_MOMO_RWA has a bad 'authType'"],
    ['that prompts, but no one knows how', { pinPrompt: null }, "MTN_MOMO_RWA has a bad 'pinPrompt'"],
    ['that redirects and prompts', { authType: 'REDIRECT_AUTH' }, "MTN_MOMO_RWA has a bad 'pinPrompt'"],
    [
      'of a country without a row',
      { country: 'KEN' },
      "MTN_MOMO_RWA is in the country 'KEN', which has no row",
    ],
    [
      'whose code names another country',
      { code: 'MTN_MOMO_KEN' },
      'MTN_MOMO_KEN does not end with its country',
    ],
    ['without currencies', { currencies: [] }, 'MTN_MOMO_RWA.currencies is not a list with entries'],
    ['with a field no one knows', { logo: 'mtn.svg' }, "MTN_MOMO_RWA has the unknown field 'logo'"],
  ])('a provider %s', (_, change, problem) => {
    expect(() => parseOneProvider(change)).toThrow(problem);
  });

  test.each<[string, object, string]>([
    ['with a bad code', { currency: 'rwf' }, "MTN_MOMO_RWA rwf has a bad 'currency'"],
    [
      'with a menu that cannot be dialled',
      { ussd: { shortCode: '182', quickLink: null, steps: 1 } },
      'MTN_MOMO_RWA RWF.ussd has a bad',
    ],
    ['that assumes what no one knows', { assumed: ['weather'] }, "MTN_MOMO_RWA RWF assumes 'weather'"],
    [
      'with an operation no one knows',
      { operations: { LOAN: {} } },
      "MTN_MOMO_RWA RWF has the unknown field 'LOAN'",
    ],
  ])('a currency %s', (_, change, problem) => {
    const [currency] = providerRow('MTN_MOMO_RWA').currencies;
    expect(() => parseOneProvider({ currencies: [{ ...currency, ...change }] })).toThrow(problem);
  });

  test.each<[string, object, string]>([
    ['that are no amounts', { minAmount: '05' }, "MTN_MOMO_RWA RWF DEPOSIT has a bad 'minAmount'"],
    ['written as numbers', { maxAmount: 2000000 }, "MTN_MOMO_RWA RWF DEPOSIT has a bad 'maxAmount'"],
    ['finer than the provider takes', { minAmount: '5.5' }, "MTN_MOMO_RWA RWF DEPOSIT has a bad 'minAmount'"],
    ['with four decimals', { decimals: 4 }, "MTN_MOMO_RWA RWF DEPOSIT has a bad 'decimals'"],
    [
      'that begin at zero',
      { minAmount: '0' },
      'MTN_MOMO_RWA RWF DEPOSIT would let an amount of zero through',
    ],
    [
      'the wrong way round',
      { maxAmount: '4' },
      'MTN_MOMO_RWA RWF DEPOSIT has a minAmount above its maxAmount',
    ],
  ])('limits %s', (_, change, problem) => {
    const [currency] = providerRow('MTN_MOMO_RWA').currencies;
    const operations = { DEPOSIT: { ...currency!.operations.DEPOSIT, ...change } };
    expect(() => parseOneProvider({ currencies: [{ ...currency, operations }] })).toThrow(problem);
  });

  test('a row that is there twice', () => {
    const provider = providerRow('MTN_MOMO_RWA');
    const countries = parseCountries([countryRow('RWA')]);
    expect(() => parseCountries([countryRow('RWA'), countryRow('RWA')])).toThrow('RWA is there twice');
    expect(() => parseProviders([provider, provider], countries)).toThrow('MTN_MOMO_RWA is there twice');
    const currencies = [...provider.currencies, ...provider.currencies];
    expect(() => parseOneProvider({ currencies })).toThrow('MTN_MOMO_RWA RWF is there twice');
  });

  test('a row that has no name is named by its place', () => {
    expect(() => parseCountries([countryRow('RWA'), null])).toThrow('countries[1] is not an object');
    expect(() => parseCountries({})).toThrow('countries is not a list with entries');
  });
});

function parseOneProvider(change: object): void {
  parseProviders([{ ...providerRow('MTN_MOMO_RWA'), ...change }], parseCountries([countryRow('RWA')]));
}

function countryRow(alpha3: string): (typeof countryRows)[number] {
  return countryRows.find((row) => row.alpha3 === alpha3)!;
}

function providerRow(code: string): (typeof providerRows)[number] {
  return providerRows.find((row) => row.code === code)!;
}
