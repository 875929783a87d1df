// Metadata in requests of API v1. Answers and callbacks have it as one object, in both API versions.
import { Type, type Static } from 'typebox';
import {
  findDuplicateName,
  METADATA_ENTRIES_MAX,
  METADATA_NAME_LENGTH_MAX,
  METADATA_VALUE_LENGTH_MAX,
} from '../../domain/metadata.ts';
import type { Metadata } from '../../domain/payments/payment.ts';
import type { Fault } from '../fault.ts';
import { repeatedNameFault } from '../v2/metadata.ts';

export const metadataRequestSchema = Type.Array(
  Type.Object(
    {
      fieldName: Type.String({
        maxLength: METADATA_NAME_LENGTH_MAX,
        description: 'A name of your choice.',
        examples: ['orderId'],
      }),
      fieldValue: Type.String({
        maxLength: METADATA_VALUE_LENGTH_MAX,
        description: 'Its value.',
        examples: ['ORD-123456789'],
      }),
      isPII: Type.Optional(
        Type.Boolean({
          description: 'Whether the value is personal data, to be shown only where it must be.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  {
    maxItems: METADATA_ENTRIES_MAX,
    description:
      'Your own data about the payment, each name once. It is not shown to the customer; you see it in the ' +
      'dashboard, in statements, in status checks and in callbacks.',
  },
);

export type MetadataRequest = Static<typeof metadataRequestSchema>;

/** Parses metadata that fits the schema; a duplicate name is an error. */
export function parseMetadata(entries: MetadataRequest): Metadata | Fault {
  const metadata = entries.map(({ fieldName, fieldValue, isPII = false }) => ({
    name: fieldName,
    value: fieldValue,
    isPii: isPII,
  }));
  const repeated = findDuplicateName(metadata);
  return repeated === null ? metadata : repeatedNameFault(repeated);
}
