// Text in columns.

export type Row = readonly string[];

/** Aligned cells, two spaces apart; the last column is not padded. */
export function renderColumns(rows: readonly Row[]): string {
  const widths = rows.reduce<readonly number[]>(
    (known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A header in capitals, and rows below it. */
export function renderTable(heading: Row, rows: readonly Row[]): string {
  return renderColumns([heading.map((name) => name.toUpperCase()), ...rows]);
}

/** The fields of a record, one per line; nested fields are named with a dot. */
export function renderRecord(record: object): string {
  return renderColumns(listFields(record, '').map(([name, value]) => [name, value]));
}

function listFields(record: object, prefix: string): readonly (readonly [string, string])[] {
  return Object.entries(record).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? listFields(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, String(value)] as const],
  );
}
