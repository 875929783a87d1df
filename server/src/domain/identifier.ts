// Identifiers merchants choose: UUIDv4 text, compared without case, echoed as written.

export const IDENTIFIER_PATTERN =
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$';
export const IDENTIFIER_LENGTH = 36;

/** Whether a text is a UUID of any version: some are our own. The database takes nothing else for one. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** The form under which an identifier is unique. */
export function canonicalIdentifier(text: string): string {
  return text.toLowerCase();
}
