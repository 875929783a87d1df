// Rules for metadata in all formats.
import type { Metadata } from './payments/payment.ts';

export const METADATA_ENTRIES_MAX = 10;

/** In characters. Enough for identifiers and short texts. */
export const METADATA_NAME_LENGTH_MAX = 100;
export const METADATA_VALUE_LENGTH_MAX = 1_000;

/** Counts characters outside the basic plane as one. */
export function isLongerThan(text: string, lengthMax: number): boolean {
  if (text.length <= lengthMax) return false;
  return text.length > 2 * lengthMax || Array.from(text).length > lengthMax;
}

/** The first name that occurs twice, or null. Names are compared exactly. */
export function findDuplicateName(metadata: Metadata): string | null {
  const seen = new Set<string>();
  for (const { name } of metadata) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}

/**
 * Metadata as one object of names and values. `Object.fromEntries` defines each name as an own property, so an entry
 * called `__proto__` works like any other; assignment would lose it.
 */
export function metadataToRecord(metadata: Metadata): Record<string, string> {
  return Object.fromEntries(metadata.map(({ name, value }) => [name, value]));
}
