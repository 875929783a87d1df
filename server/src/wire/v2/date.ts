// Dates and times in requests: RFC 3339, more generous than what we answer.
import { Type } from 'typebox';
import { invalidFault, type Fault } from '../fault.ts';
import { valueAt } from '../json.ts';

const DATE_PATTERN = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})?)?$';
const dateShape = new RegExp(DATE_PATTERN);

export function dateSchema(description: string, example = '2026-01-02T00:00:00Z') {
  return Type.String({
    pattern: DATE_PATTERN,
    description: `${description} RFC 3339; without a zone it is UTC.`,
    examples: [example],
  });
}

/** Dates in the right format that do not exist. `request` may be anything. */
export function listDateFaults(request: unknown, fields: readonly string[]): readonly Fault[] {
  return fields.flatMap((field) => {
    const text = valueAt(request, field);
    if (typeof text !== 'string' || !dateShape.test(text) || parseDate(text) !== null) return [];
    return [invalidFault(field, 'there is no such time')];
  });
}

const DAY_MS = 24 * 3_600_000;

/** A date alone means the whole day, so the first and the last day of a month give the whole month. */
export function parseEnd(text: string): Date | null {
  const parsed = parseDate(text);
  return parsed === null || text.includes('T') ? parsed : new Date(parsed.getTime() + DAY_MS);
}

export function parseDate(text: string): Date | null {
  const [day = '', time = '00:00Z'] = text.split('T');
  const midnight = new Date(`${day}T00:00Z`);
  // JavaScript reads the 31st of a shorter month as the start of the next month.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null;
  const parsed = new Date(`${day}T${time}${/(Z|[+-]\d{2}:\d{2})$/.test(time) ? '' : 'Z'}`);
  return Number.isNaN(parsed.getTime()) ? null : parsed;
}
