// Times in answers and callbacks: RFC 3339 in UTC, always with milliseconds. The fixed width means that clients can
// parse all times alike and sort them as text.
import { Type } from 'typebox';

/** `example` where it must be later than others of the same answer. */
export function timestampSchema(description: string, example = '2026-01-02T03:04:05.678Z') {
  return Type.String({
    format: 'date-time',
    description: `${description} RFC 3339 in UTC, always with milliseconds.`,
    examples: [example],
  });
}

export function renderTimestamp(time: Date): string {
  return time.toISOString();
}
