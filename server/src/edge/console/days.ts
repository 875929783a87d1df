// The span of days somebody asks for.
import { parseDays, type DaySpan } from '../../wire/console/days.ts';
import { failureBecause } from './failure.ts';

export function requireDays(...asked: Parameters<typeof parseDays>): DaySpan {
  const parsed = parseDays(...asked);
  if (parsed.type === 'PARSED') return parsed.span;
  throw failureBecause('INVALID_INPUT', parsed.reason.code, parsed.reason.parameters);
}
