// The answer of API v1 to a status check: a list with the record, or an empty list.
import { Type, type TObject } from 'typebox';

export function lookupSchema<Record extends TObject>(record: Record) {
  return Type.Array(record, { maxItems: 1, description: 'Empty when there is no such payment.' });
}

/** `record` is null if there is no such payment. */
export function renderLookup<Record>(record: Record | null): readonly Record[] {
  return record === null ? [] : [record];
}
