import { Tooltip } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useLanguage, type Language } from '../language.tsx';
import { useTimeZone, zoneName } from './time-zone.ts';

type TimeProps = {
  /** ISO 8601. */
  readonly at: string;
  /** Shows date and time instead of how long ago it was. */
  readonly isExact?: boolean;
  /** Leaves the zone out, where a heading names it. */
  readonly isZoneNamed?: boolean;
  /** It is about what happens next: where that is late, it says "now". */
  readonly isToCome?: boolean;
};

/** "5 minutes ago", and the exact time, also in UTC, when pointed at. */
export function Time({ at, isExact = false, isZoneNamed = false, isToCome = false }: TimeProps) {
  const { language } = useLanguage();
  const timeZone = useTimeZone();
  const now = useSyncExternalStore(subscribe, currentMinute);
  const time = new Date(at);
  const exact = formatExact(time, language, timeZone);
  const ms = time.getTime() - now;
  return (
    <Tooltip
      label={`${exact} · ${time.toISOString().replace('T', ' ').slice(0, 19)} UTC`}
      events={{ hover: true, focus: true, touch: true }}
    >
      <time dateTime={at} className="time">
        <span>
          {isExact
            ? formatTime(time, language, timeZone)
            : formatRelative(isToCome ? Math.max(0, ms) : ms, language)}
        </span>
        {isExact && !isZoneNamed && <small> ({zoneName(timeZone)})</small>}
      </time>
    </Tooltip>
  );
}

/** With the zone that it is told in: "16 Nov 2026, 21:45:46 (Kigali)". */
export function formatExact(time: Date, language: Language, timeZone: string): string {
  return `${formatTime(time, language, timeZone)} (${zoneName(timeZone)})`;
}

function formatTime(time: Date, language: Language, timeZone: string): string {
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'fr', {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone,
  }).format(time);
}

const STEPS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

function formatRelative(distanceMs: number, language: Language): string {
  const seconds = distanceMs / 1_000;
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  // "in 0 seconds" would be a clock that differs a little; it was just now.
  return unit === 'second' ? format.format(0, 'second') : format.format(Math.round(seconds / size), unit);
}

const MINUTE_MS = 60_000;
const currentMinute = () => Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;

/** One tick for all times on the screen. */
function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, MINUTE_MS / 4);
  return () => clearInterval(timer);
}
