// Where a page of a list goes on: the sort key of its last row, in letters no one needs to read.
import { isKeepable } from '../../wire/console/shape.ts';
import { failureBecause } from './failure.ts';

export function cursorOf(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The parts of a cursor we made, or none where there is none. */
export function readCursor(text: string | undefined, count: number): readonly string[] {
  if (text === undefined) return [];
  const parts = parse(Buffer.from(text, 'base64url').toString());
  if (Array.isArray(parts) && parts.length === count && parts.every(isKeepable)) return parts;
  throw failureBecause('INVALID_INPUT', 'CURSOR_INVALID');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
