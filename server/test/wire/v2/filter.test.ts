// The filters of completions.md 1.1: `country` and `operationType`, both optional.
import { describe, expect, test } from 'vitest';
import { findCountry, listProviders } from '../../../src/domain/operators/catalogue.ts';
import { parseCountryQuery, parseOperationQuery } from '../../../src/wire/v2/filter.ts';

/** "INVALID_PARAMETER country: …" of a query that is refused. */
function faultOf(query: unknown): string {
  const parsed = parseOperationQuery(query);
  if (parsed.type === 'PARSED') return 'accepted';
  const { code, parameter, cause } = parsed.fault;
  return `${code} ${parameter}: ${cause}`;
}

describe('the filter accepts', () => {
  test('an empty query', () => {
    expect(parseOperationQuery({})).toEqual({
      type: 'PARSED',
      request: { country: null, operationType: null },
    });
    expect(parseCountryQuery({})).toEqual({ type: 'PARSED', request: { country: null } });
  });

  test('every country of the catalogue', () => {
    for (const { country } of listProviders()) {
      expect(parseCountryQuery({ country })).toEqual({ type: 'PARSED', request: { country } });
    }
  });

  test.each(['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE', 'PUSH_DEPOSIT', 'NAME_LOOKUP'])(
    'operationType %s',
    (operationType) => {
      expect(parseOperationQuery({ operationType })).toEqual({
        type: 'PARSED',
        request: { country: null, operationType },
      });
    },
  );

  test('unknown names, and ignores them', () => {
    const request = { country: null };
    expect(parseCountryQuery({ operationType: 'DEPOSIT', page: '1' })).toEqual({ type: 'PARSED', request });
  });

  test('a query as the server gives it, without a prototype', () => {
    const query = Object.assign(Object.create(null), { country: 'RWA', operationType: 'PAYOUT' });
    expect(parseOperationQuery(query)).toEqual({
      type: 'PARSED',
      request: { country: 'RWA', operationType: 'PAYOUT' },
    });
  });
});

describe('the filter refuses', () => {
  const NO_COUNTRY = 'INVALID_PARAMETER country: there is no provider in a country with this code';

  test.each([
    ['a country of the world without providers', { country: 'FRA' }, NO_COUNTRY],
    ['an alpha-2 code', { country: 'RW' }, NO_COUNTRY],
    ['small letters', { country: 'rwa' }, NO_COUNTRY],
    ['an empty text', { country: '' }, NO_COUNTRY],
    ['a name of a prototype', { country: 'constructor' }, NO_COUNTRY],
    ['two countries', { country: ['RWA', 'ZMB'] }, 'INVALID_PARAMETER country: it must be a string'],
    [
      'a type no one has',
      { operationType: 'CASH' },
      expect.stringMatching(/^INVALID_PARAMETER operationType: /),
    ],
    [
      'the former name of a type',
      { operationType: 'USSD_DEPOSIT' },
      expect.stringMatching(/^INVALID_PARAMETER/),
    ],
    ['an unknown value beside an unknown name', { country: 'FRA', page: '1' }, NO_COUNTRY],
    ['both values unknown: in the order of the fields', { operationType: 'X', country: 'X' }, NO_COUNTRY],
  ])('%s', (_, query, fault) => {
    expect(findCountry('FRA')).toBeNull();
    expect(faultOf(query)).toEqual(fault);
  });
});
