// The span of days somebody asks for.
import { parseDays, type DaySpan } from '../../wire/console/days.ts';
import { ConsoleFailure } from './failure.ts';

export function requireDays(...asked: Parameters<typeof parseDays>): DaySpan {
  const parsed = parseDays(...asked);
  if (parsed.type === 'PARSED') return parsed.request;
  throw new ConsoleFailure('INVALID_INPUT', `${parsed.fault.parameter}: ${parsed.fault.cause}.`);
}
