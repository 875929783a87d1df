// Who decided what the columns of a file say: for each field of a mapping who gave it its present value. Pure.
import type { ReportMapping } from './report-mapping.ts';

/** By field: `columns.amount`, `words.status.paid`, `timeForm`. Of one that was taken away, who took it away. */
export type MappingAuthors = Readonly<Record<string, string>>;

type Before = { readonly mapping: ReportMapping; readonly authors: MappingAuthors };

/** A field that keeps its value keeps its author. `before` is null where files had our own columns. */
export function authorsAfter(before: Before | null, mapping: ReportMapping, by: string): MappingAuthors {
  const old = before === null ? new Map<string, string>() : fieldsOf(before.mapping);
  const now = fieldsOf(mapping);
  const known = before?.authors ?? {};
  const fields = new Set([...Object.keys(known), ...now.keys()]);
  return Object.fromEntries(
    [...fields].map((field) => [field, old.get(field) === now.get(field) ? (known[field] ?? by) : by]),
  );
}

/** Everybody who decided a field, once. */
export function namesOf(authors: MappingAuthors): readonly string[] {
  return [...new Set(Object.values(authors))].toSorted();
}

function fieldsOf({ columns, timeForm, decimalMark, words }: ReportMapping): ReadonlyMap<string, string> {
  return new Map([
    ['timeForm', timeForm],
    ['decimalMark', decimalMark],
    ...Object.entries(columns).map(([name, column]) => [`columns.${name}`, column] as const),
    ...words.map(
      ({ column, word, means }) => [`words.${column}.${word.trim().toLowerCase()}`, means] as const,
    ),
  ]);
}
