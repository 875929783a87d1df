// Reads unvalidated JSON values. Only own properties count: what a parser, or an attacker, puts on a prototype is not
// part of the message.

export type JsonObject = { readonly [name: string]: unknown };

/** Not null and not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at the end of a chain of names; undefined if any of them is absent. */
export function valueAt(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    if (!isJsonObject(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}
