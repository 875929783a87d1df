// Figures as people read them.
import type { Language } from '../../language.tsx';

type Rate = { readonly completed: number; readonly failed: number };

/** Null where nothing ended. */
export function rateOf({ completed, failed }: Rate): number | null {
  const ended = completed + failed;
  return ended === 0 ? null : completed / ended;
}

export function formatRate(rate: number | null, language: Language): string {
  if (rate === null) return '–';
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(rate);
}

export function formatCount(count: number, language: Language): string {
  return new Intl.NumberFormat(language).format(count);
}

/** "1.2M", for the side of a chart. */
export function formatShort(value: number, language: Language): string {
  const options = { notation: 'compact', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, options).format(value);
}

const DAY_SECONDS = 86_400;

/** "0.4 s", "2 min", "1.5 h". A day stands for all that took longer. */
export function formatSeconds(seconds: number | null, language: Language): string {
  if (seconds === null) return '–';
  if (seconds >= DAY_SECONDS) return '≥ 24 h';
  const [value, unit] =
    seconds < 100 ? [seconds, 's'] : seconds < 6_000 ? [seconds / 60, 'min'] : [seconds / 3_600, 'h'];
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value)} ${unit}`;
}
