// Where a page of a list goes on: the sort key of its last row.
import { isKeepable } from '../../wire/console/shape.ts';
import { parseCursor, renderCursor } from '../../wire/cursor.ts';
import { failureBecause } from './failure.ts';

export const cursorOf = renderCursor;

/** The parts of a cursor we made, or none where there is none. */
export function readCursor(text: string | undefined, count: number): readonly string[] {
  if (text === undefined) return [];
  const parts = parseCursor(text, count);
  if (parts?.every(isKeepable) === true) return parts;
  throw failureBecause('INVALID_INPUT', 'CURSOR_INVALID');
}
