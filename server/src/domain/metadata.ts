// Rules of metadata that hold in whatever form a merchant writes it.
import type { Metadata } from './payments/payment.ts';

export const METADATA_ENTRIES_MAX = 10;

/** In characters. Enough for identifiers and short texts, which metadata is for; a value as long as a reference. */
export const METADATA_NAME_LENGTH_MAX = 100;
export const METADATA_VALUE_LENGTH_MAX = 1_000;

/** Counted as people count: a character outside the basic plane is one. */
export function isLongerThan(text: string, lengthMax: number): boolean {
  if (text.length <= lengthMax) return false;
  return text.length > 2 * lengthMax || Array.from(text).length > lengthMax;
}

/** The first name that is given a second time, or null. Names are compared exactly as written. */
export function findDuplicateName(metadata: Metadata): string | null {
  const seen = new Set<string>();
  for (const { name } of metadata) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}

/**
 * The form in which metadata is told: one object of names and values. `Object.fromEntries` defines each name as an
 * own property, so that a merchant's entry called `__proto__` is an entry like any other; assignment would lose it.
 */
export function metadataToRecord(metadata: Metadata): Record<string, string> {
  return Object.fromEntries(metadata.map(({ name, value }) => [name, value]));
}
