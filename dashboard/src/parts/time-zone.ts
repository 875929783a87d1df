// The time zone that days and times are shown in: the merchant's inside a merchant, elsewhere that of this machine.
import { createContext, useContext } from 'react';

const OF_THIS_MACHINE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const TimeZoneContext = createContext(OF_THIS_MACHINE);

/** `<TimeZoneProvider value="Africa/Kigali">` */
export const TimeZoneProvider = TimeZoneContext.Provider;

/** By its IANA name. */
export function useTimeZone(): string {
  return useContext(TimeZoneContext);
}

/** "Kigali" for "Africa/Kigali", "UTC" for "UTC". */
export function zoneName(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
}

/** The day in a zone: "2026-11-16". */
export function dayIn(timeZone: string, time: Date = new Date()): string {
  const { year, month, day } = partsIn(timeZone, time);
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

export function addDays(day: string, count: number): string {
  const time = new Date(`${day}T00:00:00Z`);
  time.setUTCDate(time.getUTCDate() + count);
  return time.toISOString().slice(0, 10);
}

/** The first moment of a day in a zone; where clocks skip midnight, the moment to which they skip. */
export function startOfDay(day: string, timeZone: string): Date {
  return momentIn(timeZone, day, '00:00');
}

/** When the clocks of a zone show this time ("14:30") of a day. */
export function momentIn(timeZone: string, day: string, time: string): Date {
  const shown = Date.parse(`${day}T${time}:00Z`);
  const near = shown - offsetMs(timeZone, shown);
  return new Date(shown - offsetMs(timeZone, near));
}

/** What the clocks of a zone show: "14:30". */
export function clockIn(timeZone: string, time: Date): string {
  const { hour, minute } = partsIn(timeZone, time);
  return [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
}

/** By how much a zone's clock is ahead of UTC. */
function offsetMs(timeZone: string, timeMs: number): number {
  const { year, month, day, hour, minute, second } = partsIn(timeZone, new Date(timeMs));
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(timeMs / 1_000) * 1_000;
}

function partsIn(timeZone: string, time: Date) {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return { year, month, day, hour, minute, second };
}
