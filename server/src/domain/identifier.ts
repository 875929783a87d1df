// Identifiers chosen by merchants: UUIDv4 text, compared without case, returned as written.

export const IDENTIFIER_PATTERN =
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$';
export const IDENTIFIER_LENGTH = 36;

/** Whether a text is a UUID of any version: some are ours. The database accepts only UUIDs. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** The canonical form of an identifier, in which it is unique. */
export function canonicalIdentifier(text: string): string {
  return text.toLowerCase();
}

/** As many characters as lists show of an identifier. Fewer would name too many. */
const PREFIX_LENGTH_MIN = 8;
const LEAST = '00000000-0000-0000-0000-000000000000';
const GREATEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export type IdentifierRange = { readonly first: string; readonly last: string };

/** The identifiers that begin with this text, from the first to the last; null where none can. */
export function identifiersFrom(text: string): IdentifierRange | null {
  const prefix = canonicalIdentifier(text);
  const [first, last] = [prefix + LEAST.slice(prefix.length), prefix + GREATEST.slice(prefix.length)];
  return prefix.length >= PREFIX_LENGTH_MIN && isUuid(first) ? { first, last } : null;
}
