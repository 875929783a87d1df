// Spans of days, of UTC as the API counts them.
import type { Language } from '../../language.tsx';

export const SPANS = { today: 1, week: 7, month: 30, quarter: 90 } as const;
export type Span = keyof typeof SPANS;

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** The last days, today included. */
export function daysOf(span: Span, now: Date = new Date()): { readonly from: string; readonly to: string } {
  const first = new Date(now.getTime() - (SPANS[span] - 1) * DAY_MS);
  return { from: dayOf(first), to: dayOf(now) };
}

export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Every hour or day of a span, also those without payments: a gap must be seen. */
export function stepsOf(
  { from, until, step }: { readonly from: string; readonly until: string; readonly step: 'HOUR' | 'DAY' },
  now: Date = new Date(),
): readonly string[] {
  const stepMs = step === 'HOUR' ? HOUR_MS : DAY_MS;
  const end = Math.min(new Date(until).getTime(), now.getTime());
  const begin = new Date(from).getTime();
  const count = Math.max(0, Math.ceil((end - begin) / stepMs));
  return Array.from({ length: count }, (_, index) => new Date(begin + index * stepMs).toISOString());
}

export function stepLabel(at: string, step: 'HOUR' | 'DAY', language: Language): string {
  const options =
    step === 'HOUR'
      ? ({ hour: '2-digit', minute: '2-digit' } as const)
      : ({ day: 'numeric', month: 'short' } as const);
  const locale = language === 'en' ? 'en-GB' : 'fr';
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(at));
}
