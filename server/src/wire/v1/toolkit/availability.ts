// The availability of all providers in API v1. It needs no token.
import { Type, type Static } from 'typebox';
import type { ActiveCountry, ActiveProvider } from '../../../domain/operators/active-configuration.ts';
import { countrySchema } from '../../v2/amount.ts';
import { statusSchema } from '../../v2/toolkit/availability.ts';
import { isServed, OPERATION_TYPES } from './active-configuration.ts';
import { correspondentSchema } from './provider.ts';

const operationTypesSchema = Type.Array(
  Type.Object({ operationType: Type.Enum(OPERATION_TYPES, { type: 'string' }), status: statusSchema }),
);

export const availabilitySchema = Type.Array(
  Type.Object({
    country: countrySchema,
    correspondents: Type.Array(
      Type.Object({ correspondent: correspondentSchema, operationTypes: operationTypesSchema }),
    ),
  }),
  { title: 'Availability', description: 'Every provider this gateway is connected to, by country.' },
);

export function renderAvailability(countries: readonly ActiveCountry[]): Static<typeof availabilitySchema> {
  return countries.map(({ country, providers }) => ({
    country: country.alpha3,
    correspondents: providers.map((active) => ({
      correspondent: active.provider.code,
      operationTypes: renderOperationTypes(active),
    })),
  }));
}

/** A provider's status is the same for all of its currencies. */
function renderOperationTypes({ provider, currencies }: ActiveProvider): Static<typeof operationTypesSchema> {
  const states = new Map(
    currencies.flatMap(({ operations }) => operations.map(({ kind, status }) => [kind, status])),
  );
  return [...states].flatMap(([operationType, status]) =>
    isServed(operationType, provider) ? [{ operationType, status }] : [],
  );
}
