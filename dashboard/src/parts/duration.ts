// Lengths of time as people read them.
import type { Language } from '../language.tsx';

const UNITS: Readonly<Record<Language, readonly (readonly [seconds: number, unit: string])[]>> = {
  en: [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
  ],
  fr: [
    [86_400, 'j'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
  ],
};

/** Below this, tenths of a second are told. */
const TENTHS_BELOW_S = 10;

/** "1 h 17 min", "6 min 32 s", "1.5 s": the two largest units. */
export function formatDuration(seconds: number, language: Language): string {
  if (Math.abs(seconds) < TENTHS_BELOW_S) {
    return `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(seconds)} s`;
  }
  const units = UNITS[language];
  const whole = Math.round(seconds);
  const largest = units.findIndex(([size]) => whole >= size);
  const parts = units.slice(largest, largest + 2).reduce<{ left: number; shown: readonly string[] }>(
    ({ left, shown }, [size, unit]) => {
      const count = Math.floor(left / size);
      return { left: left - count * size, shown: count === 0 ? shown : [...shown, `${count} ${unit}`] };
    },
    { left: whole, shown: [] },
  );
  return parts.shown.join(' ');
}
