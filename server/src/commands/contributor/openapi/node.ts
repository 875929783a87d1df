// Reads the nodes of an OpenAPI document, for what is made of one.

export type Node = { readonly [name: string]: unknown };

export const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** The nodes of a list. */
export const nodes = (value: unknown) => list(value).filter(isNode);

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Those whose values are nodes. */
export const entriesOf = (value: unknown) => (isNode(value) ? Object.entries(value).filter(isEntry) : []);

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEntry(entry: readonly [string, unknown]): entry is readonly [string, Node] & [string, Node] {
  return isNode(entry[1]);
}
