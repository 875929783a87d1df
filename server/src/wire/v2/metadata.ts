// Metadata: a list of named texts in requests, one object in answers and callbacks.
import { Type, type Static } from 'typebox';
import {
  findDuplicateName,
  isLongerThan,
  METADATA_ENTRIES_MAX,
  METADATA_NAME_LENGTH_MAX,
  METADATA_VALUE_LENGTH_MAX,
} from '../../domain/metadata.ts';
import type { Metadata, MetadataEntry } from '../../domain/payments/payment.ts';
import { invalidFault, shownName, type Fault } from '../fault.ts';
import { isJsonObject, type JsonObject } from '../json.ts';

const PII_MARK = 'isPII';

const metadataEntrySchema = Type.Object(
  {
    [PII_MARK]: Type.Optional(
      Type.Boolean({ description: 'Whether the value is personal data, to be shown only where it must be.' }),
    ),
  },
  {
    // JSON Schema cannot express "exactly one name besides isPII" in a form that code generators understand;
    // `listMetadataFaults` checks it.
    minProperties: 1,
    maxProperties: 2,
    additionalProperties: Type.String({ maxLength: METADATA_VALUE_LENGTH_MAX }),
    description:
      `One name of your choice, of at most ${METADATA_NAME_LENGTH_MAX} characters, with a text of at most ` +
      `${METADATA_VALUE_LENGTH_MAX} as its value, and optionally isPII.`,
  },
);

/** Metadata in requests. */
export const metadataRequestSchema = Type.Array(metadataEntrySchema, {
  maxItems: METADATA_ENTRIES_MAX,
  description:
    'Your own data about the payment, each name once. It is not shown to the customer; you see it in the dashboard, ' +
    'in statements, in status checks and in callbacks.',
  examples: [[{ orderId: 'ORD-123456789' }, { customerEmail: 'customer@example.com', isPII: true }]],
});

export type MetadataRequest = Static<typeof metadataRequestSchema>;

/** Metadata in status checks and callbacks. */
export const metadataRecordSchema = Type.Object(
  {},
  {
    additionalProperties: Type.String(),
    description: 'The metadata given on initiation, as one object of names and values.',
    examples: [{ orderId: 'ORD-123456789', customerEmail: 'customer@example.com' }],
  },
);

/** Errors of entries that the schema cannot find. `value` may be anything. */
export function listMetadataFaults(value: unknown): readonly Fault[] {
  // The schema refuses these as a whole; reading on would only help a client that sent a million entries.
  if (!Array.isArray(value) || value.length > METADATA_ENTRIES_MAX) return [];
  return value.flatMap((entry: unknown, index) => {
    const cause = isJsonObject(entry) ? causeOfEntry(entry) : null;
    return cause === null ? [] : [invalidFault(`metadata[${index}]`, cause)];
  });
}

function causeOfEntry(entry: JsonObject): string | null {
  const [name, ...others] = namesOf(entry);
  const text = name === undefined ? undefined : entry[name];
  if (name === undefined || others.length > 0 || typeof text !== 'string') {
    return `it must hold one name with a string as its value, besides ${PII_MARK}`;
  }
  if (isLongerThan(name, METADATA_NAME_LENGTH_MAX)) {
    return `its name must be at most ${METADATA_NAME_LENGTH_MAX} characters long`;
  }
  if (!isLongerThan(text, METADATA_VALUE_LENGTH_MAX)) return null;
  return `its value must be at most ${METADATA_VALUE_LENGTH_MAX} characters long`;
}

/** Names are repeated to the merchant: they are its own, and only values are personal data. */
export function repeatedNameFault(name: string): Fault {
  return {
    code: 'DUPLICATE_METADATA_FIELD',
    parameter: shownName(name),
    cause: 'it is given more than once',
  };
}

/** The error of entries that fit the schema: a duplicate name. Null if there is none. */
export function findRepeatedName(entries: MetadataRequest = []): Fault | null {
  const name = findDuplicateName(parseMetadata(entries));
  return name === null ? null : repeatedNameFault(name);
}

/** Parses metadata that fits the schema and has no errors. */
export function parseMetadata(entries: MetadataRequest): Metadata {
  return entries.flatMap(parseEntry);
}

function parseEntry(entry: JsonObject): readonly MetadataEntry[] {
  const isPii = entry[PII_MARK] === true;
  return namesOf(entry).map((name) => ({ name, value: String(entry[name]), isPii }));
}

function namesOf(entry: JsonObject): readonly string[] {
  return Object.keys(entry).filter((name) => name !== PII_MARK);
}
