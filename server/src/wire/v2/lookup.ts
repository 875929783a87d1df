// The answer to a status check: whether there is such a payment, and if so its record.
import { Type, type TObject } from 'typebox';

/** `noun` is what the kind is called in a sentence, `title` its name among the schemas. */
export function lookupSchema<Record extends TObject>(
  { noun, title }: { readonly noun: string; readonly title: string },
  record: Record,
) {
  // One object and not two alternatives: a serializer that has to choose between alternatives validates the record to
  // do so, and would answer 500 for a payment that differs from its description in as little as a message.
  return Type.Object(
    {
      status: Type.Enum(['FOUND', 'NOT_FOUND'], {
        type: 'string',
        description: `Whether there is such a ${noun}. Its outcome is the status inside data.`,
      }),
      data: Type.Optional(record),
    },
    { title, description: 'The answer to a status check; data only when FOUND.' },
  );
}

export type Lookup<Record> =
  | { readonly status: 'FOUND'; readonly data: Record }
  | { readonly status: 'NOT_FOUND' };

/** `record` is null when there is no such payment. */
export function renderLookup<Record>(record: Record | null): Lookup<Record> {
  return record === null ? { status: 'NOT_FOUND' } : { status: 'FOUND', data: record };
}
