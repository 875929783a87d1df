// The query of a request that may be limited to a country or a type of operation.
import { Type, type Static } from 'typebox';
import { findCountry } from '../../domain/operators/catalogue.ts';
import { findFault, invalidFault, type Fault, type Parsed } from '../fault.ts';
import { valueAt } from '../json.ts';
import { countryCodeSchema } from './amount.ts';

/** Those of the specification. The last two are not supported here, so they find nothing. */
const OPERATION_TYPES = ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE', 'PUSH_DEPOSIT', 'NAME_LOOKUP'] as const;

const countryFilterSchema = countryCodeSchema('Only this country: an ISO 3166-1 alpha-3 code in upper case.');

// Unknown query parameters, such as a cache-buster, are ignored.
export const countryQuerySchema = Type.Object({ country: Type.Optional(countryFilterSchema) });

/** The same if the country is in the path. */
export const countryPathSchema = Type.Object(
  { country: countryFilterSchema },
  { additionalProperties: false },
);

export const operationQuerySchema = Type.Object({
  country: Type.Optional(countryFilterSchema),
  operationType: Type.Optional(
    Type.Enum(OPERATION_TYPES, { type: 'string', description: 'Only this type of operation.' }),
  ),
});

export type CountryFilter = { readonly country: string | null };
export type OperationFilter = CountryFilter & { readonly operationType: string | null };

export function parseCountryQuery(query: unknown): Parsed<CountryFilter> {
  const fault = findFault(countryQuerySchema, query, listCountryFaults(query));
  if (fault !== null) return { type: 'FAULT', fault };
  const { country = null } = query as Static<typeof countryQuerySchema>;
  return { type: 'PARSED', request: { country } };
}

export function parseOperationQuery(query: unknown): Parsed<OperationFilter> {
  const fault = findFault(operationQuerySchema, query, listCountryFaults(query));
  if (fault !== null) return { type: 'FAULT', fault };
  const { country = null, operationType = null } = query as Static<typeof operationQuerySchema>;
  return { type: 'PARSED', request: { country, operationType } };
}

/** A country without providers is an error in the request; an empty answer would hide it. */
function listCountryFaults(query: unknown): readonly Fault[] {
  const country = valueAt(query, 'country');
  if (typeof country !== 'string' || findCountry(country) !== null) return [];
  return [invalidFault('country', 'there is no provider in a country with this code')];
}
