// One JSON object of the catalogue, and the common checks of its fields. Errors name the row, because the person who
// edits the JSON searches for that name.

/** A JSON object with its name for error messages. */
export type Row = { readonly name: string; readonly fields: Readonly<Record<string, unknown>> };

/** An object with all required fields and no unknown ones. */
export function parseRow(
  value: unknown,
  name: string,
  known: { readonly required: readonly string[]; readonly optional?: readonly string[] },
): Row {
  if (!isRecord(value)) return fail(name, 'is not an object');
  const missing = known.required.find((field) => !Object.hasOwn(value, field));
  if (missing !== undefined) fail(name, `lacks '${missing}'`);
  const names = [...known.required, ...(known.optional ?? [])];
  const surplus = Object.keys(value).find((field) => !names.includes(field));
  if (surplus !== undefined) fail(name, `has the unknown field '${surplus}'`);
  return { name, fields: value };
}

export function parseList<Item>(
  value: unknown,
  name: string,
  parseItem: (value: unknown, place: string) => Item,
): readonly Item[] {
  if (!Array.isArray(value) || value.length === 0) return fail(name, 'is not a list with entries');
  return value.map((item: unknown, index) => parseItem(item, `${name}[${index}]`));
}

export function parseText(row: Row, field: string, shape: RegExp): string {
  const value = row.fields[field];
  return typeof value === 'string' && shape.test(value) ? value : fail(row.name, `has a bad '${field}'`);
}

export function parseChoice<const Choice>(row: Row, field: string, choices: readonly Choice[]): Choice {
  const chosen = choices.findIndex((choice) => choice === row.fields[field]);
  return chosen < 0 ? fail(row.name, `has a bad '${field}'`) : (choices[chosen] as Choice);
}

export function parseCount(value: unknown, name: string): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0
    ? value
    : fail(name, 'is not a whole number above zero');
}

/** The name of a row for errors. */
export function nameIn(value: unknown, field: string): string | null {
  const name = isRecord(value) ? value[field] : null;
  return typeof name === 'string' ? name : null;
}

/** Items by their key; each key occurs once. */
export function indexBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, Item> {
  const index = new Map<string, Item>();
  for (const item of items) {
    if (index.has(keyOf(item))) fail(keyOf(item), 'is there twice');
    index.set(keyOf(item), item);
  }
  return index;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fail(name: string, problem: string): never {
  throw new Error(`The catalogue's ${name} ${problem}.`);
}
