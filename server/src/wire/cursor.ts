// Where a page of a list continues: the parts of a key, in letters that clients need not read. Anyone can write a
// cursor, so its parts must be checked.

export function renderCursor(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Null where the text is not a cursor of so many parts. */
export function parseCursor(text: string, count: number): readonly string[] | null {
  const parts = parse(Buffer.from(text, 'base64url').toString());
  return Array.isArray(parts) && parts.length === count && parts.every(isText) ? parts : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
