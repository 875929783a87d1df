// Availability in the map form of the specification: completions.md 1.7.
import { expect, test } from 'vitest';
import type { ActiveOperation } from '../../../src/domain/operators/active-configuration.ts';
import { findCountry, findProvider } from '../../../src/domain/operators/catalogue.ts';
import { renderAvailability } from '../../../src/wire/v2/toolkit/availability.ts';

function provider(
  code: string,
  statuses: Partial<Record<ActiveOperation['kind'], ActiveOperation['status']>>,
) {
  const facts = findProvider(code)!;
  const operations = (Object.keys(statuses) as ActiveOperation['kind'][]).map((kind) => ({
    kind,
    status: statuses[kind]!,
    limits: facts.currencies[0]!.operations[kind]!,
  }));
  return { provider: facts, currencies: facts.currencies.map((one) => ({ facts: one, operations })) };
}

test('[{ country, providers: [{ provider, operationTypes: map }] }]', () => {
  const rendered = renderAvailability([
    {
      country: findCountry('RWA')!,
      providers: [
        provider('AIRTEL_RWA', { DEPOSIT: 'OPERATIONAL', PAYOUT: 'DELAYED' }),
        provider('MTN_MOMO_RWA', { REMITTANCE: 'CLOSED' }),
      ],
    },
  ]);
  expect(rendered).toStrictEqual([
    {
      country: 'RWA',
      providers: [
        { provider: 'AIRTEL_RWA', operationTypes: { DEPOSIT: 'OPERATIONAL', PAYOUT: 'DELAYED' } },
        { provider: 'MTN_MOMO_RWA', operationTypes: { REMITTANCE: 'CLOSED' } },
      ],
    },
  ]);
});

test('a provider with two currencies is there once', () => {
  const rendered = renderAvailability([
    { country: findCountry('COD')!, providers: [provider('AIRTEL_COD', { REFUND: 'CLOSED' })] },
  ]);
  expect(rendered[0]!.providers).toStrictEqual([
    { provider: 'AIRTEL_COD', operationTypes: { REFUND: 'CLOSED' } },
  ]);
});

test('nothing active is an empty list', () => {
  expect(renderAvailability([])).toStrictEqual([]);
});
