/** Columns as wide as their widest cell; the last is not padded. */
export function align(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
}

/** The count of each group, sorted by name. */
export function countBy<Item>(
  items: readonly Item[],
  groupOf: (item: Item) => string,
): Readonly<Record<string, number>> {
  const groups = [...Map.groupBy(items, groupOf)].toSorted(([a], [b]) => a.localeCompare(b));
  return Object.fromEntries(groups.map(([name, some]) => [name, some.length]));
}
