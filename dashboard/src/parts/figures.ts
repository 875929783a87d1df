// Figures as people read them.
import type { Language } from '../language.tsx';
import { formatDuration } from './duration.ts';

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

/** Hundredths of a per cent: "1.5%" for 150. */
export function formatBasisPoints(basisPoints: number, language: Language): string {
  const options = { style: 'percent', maximumFractionDigits: 2 } as const;
  return new Intl.NumberFormat(language, options).format(basisPoints / 10_000);
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

/** "0.4 s", "1 min 5 s". A day stands for all that took longer. */
export function formatSeconds(seconds: number | null, language: Language): string {
  if (seconds === null) return '–';
  return seconds >= DAY_SECONDS ? '≥ 24 h' : formatDuration(seconds, language);
}

type Figure = number | string | null;

const CHANGE_MAX = 10;

/** "+12.3%"; null where there is nothing to compare with. Only for display: the figures stand beside it. */
export function formatChange(current: Figure, previous: Figure, language: Language): string | null {
  const [now, before] = [Number(current), Number(previous)];
  // More says only that there was next to nothing before.
  if (current === null || before <= 0 || now > CHANGE_MAX * before) return null;
  const options = { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const;
  return new Intl.NumberFormat(language, options).format((now - before) / before);
}

/** "+1.7 pts": percentage points between two shares. */
export function formatPoints(current: Figure, previous: Figure, language: Language): string | null {
  if (current === null || previous === null) return null;
  const options = { maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const;
  const points = (Number(current) - Number(previous)) * 100;
  return `${new Intl.NumberFormat(language, options).format(points)} pts`;
}
