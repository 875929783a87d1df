// Periods of days, in the merchant's time zone.
import type { Language } from '../../language.tsx';
import { addDays, dayIn } from '../../parts/time-zone.ts';

export const PERIODS = { today: 1, week: 7, month: 30, quarter: 90 } as const;
export type Period = keyof typeof PERIODS;

/** The last days, today included. */
export function daysOf(period: Period, timeZone: string): { readonly from: string; readonly to: string } {
  const today = dayIn(timeZone);
  return { from: addDays(today, 1 - PERIODS[period]), to: today };
}

type StepLabel = { readonly step: 'HOUR' | 'DAY'; readonly timeZone: string };

export function stepLabel(at: string, { step, timeZone }: StepLabel, language: Language): string {
  const options =
    step === 'HOUR'
      ? ({ hour: '2-digit', minute: '2-digit' } as const)
      : ({ day: 'numeric', month: 'short' } as const);
  const locale = language === 'en' ? 'en-GB' : 'fr';
  return new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(new Date(at));
}

/** "00:30" where days begin between two hours of UTC and are counted from the next one; else null. */
export function lateStart({
  from,
  timeZone,
}: {
  readonly from: string;
  readonly timeZone: string;
}): string | null {
  const start = stepLabel(from, { step: 'HOUR', timeZone }, 'en');
  return start.endsWith(':00') ? null : start;
}
