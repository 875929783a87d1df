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
