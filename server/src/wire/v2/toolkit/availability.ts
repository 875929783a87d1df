// The availability of an account's providers in API v2.
import { Type, type Static } from 'typebox';
import type { ActiveCountry, ActiveProvider } from '../../../domain/operators/active-configuration.ts';
import { countrySchema } from '../amount.ts';
import { providerCodeSchema } from './provider.ts';

export const statusSchema = Type.Enum(['OPERATIONAL', 'DELAYED', 'CLOSED'], {
  type: 'string',
  description:
    'OPERATIONAL: payments are processed at once. DELAYED: payouts, refunds and remittances are accepted and wait; ' +
    'deposits are rejected. CLOSED: everything is rejected.',
});

const operationTypesSchema = Type.Object(
  {
    DEPOSIT: Type.Optional(statusSchema),
    PAYOUT: Type.Optional(statusSchema),
    REFUND: Type.Optional(statusSchema),
    REMITTANCE: Type.Optional(statusSchema),
  },
  { description: 'The availability of each type of operation that is active on your account.' },
);

export const availabilitySchema = Type.Array(
  Type.Object({
    country: countrySchema,
    providers: Type.Array(
      Type.Object({ provider: providerCodeSchema, operationTypes: operationTypesSchema }),
    ),
  }),
  { title: 'Availability', description: 'The providers that are active on your account, by country.' },
);

export function renderAvailability(countries: readonly ActiveCountry[]): Static<typeof availabilitySchema> {
  return countries.map(({ country, providers }) => ({
    country: country.alpha3,
    providers: providers.map((active) => ({
      provider: active.provider.code,
      operationTypes: renderOperationTypes(active),
    })),
  }));
}

/** A provider's status is the same for all of its currencies. */
function renderOperationTypes({ currencies }: ActiveProvider): Static<typeof operationTypesSchema> {
  const operations = currencies.flatMap((currency) => currency.operations);
  return Object.fromEntries(operations.map(({ kind, status }) => [kind, status]));
}
