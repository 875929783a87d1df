// Text in columns, for people.

export type Row = readonly string[];

/** Cells below each other, two spaces apart; the last column is as long as it is. */
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

/** A heading in capitals, and rows below it. */
export function renderTable(heading: Row, rows: readonly Row[]): string {
  return renderColumns([heading.map((name) => name.toUpperCase()), ...rows]);
}

/** What a record holds, one line for each field; fields of fields are named with a point between. */
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
