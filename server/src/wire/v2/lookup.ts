// The answer to a status check: whether the payment exists, and its record.
import { Type, type TObject } from 'typebox';

/** `noun` is the kind's name in a sentence, `title` its schema name. */
export function lookupSchema<Record extends TObject>(
  { noun, title }: { readonly noun: string; readonly title: string },
  record: Record,
) {
  // One object instead of two alternatives: to choose between alternatives, a serializer validates the record, and
  // would answer 500 for a payment that differs from its schema only in a message.
  return Type.Object(
    {
      status: Type.Enum(['FOUND', 'NOT_FOUND'], {
        type: 'string',
        description: `Whether the ${noun} exists. Its outcome is the status inside data.`,
      }),
      data: Type.Optional(record),
    },
    { title, description: 'The answer to a status check; data only when FOUND.' },
  );
}

export type Lookup<Record> =
  | { readonly status: 'FOUND'; readonly data: Record }
  | { readonly status: 'NOT_FOUND' };

/** `record` is null if there is no such payment. */
export function renderLookup<Record>(record: Record | null): Lookup<Record> {
  return record === null ? { status: 'NOT_FOUND' } : { status: 'FOUND', data: record };
}
