// Days of time zones. Zones are named as in the IANA database ("Africa/Kigali"); what they mean is known by `Intl`.

export const UTC = 'UTC';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** An offset such as "+02:00" is not a zone: it does not know summer time. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A formatter takes longer to make than to use. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(timeZone, made);
  return made;
}

/** By how much a zone's clock is ahead of UTC at a time. */
export function offsetMs(timeZone: string, time: Date): number {
  const parts = Object.fromEntries(
    formatterOf(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const shown = Date.UTC(year, month - 1, day, hour, minute, second);
  return shown - Math.floor(time.getTime() / 1_000) * 1_000;
}

/**
 * The first instant at which a zone's clocks show the day ("2026-11-16"). That is midnight, or the moment to which the
 * clocks skip where they are put forward at midnight. Of a day that a zone left out altogether, it is the next one's.
 */
export function startOfDay(day: string, timeZone: string): Date {
  const midnightMs = Date.parse(`${day}T00:00:00Z`);
  const [from, until] = [midnightMs - DAY_MS, midnightMs + DAY_MS];
  const before = offsetMs(timeZone, new Date(from));
  const after = offsetMs(timeZone, new Date(until));
  const [byOldTime, byNewTime] = [midnightMs - before, midnightMs - after];
  if (before === after) return new Date(byOldTime);
  const changeMs = changeOfClocks(timeZone, { from, until });
  // Put back before they showed midnight, the clocks show it once, by the new time; otherwise they showed it before.
  if (before > after) return new Date(changeMs > byOldTime ? byOldTime : byNewTime);
  // Put forward, the day begins by the time that is in force at midnight, or with the change itself if that skips it.
  return new Date(Math.max(byNewTime, Math.min(changeMs, byOldTime)));
}

/** The instant between two times from which on the offset is that of the later one. It changes once between them. */
function changeOfClocks(
  timeZone: string,
  { from, until }: { readonly from: number; readonly until: number },
): number {
  const after = offsetMs(timeZone, new Date(until));
  let [last, first] = [from, until];
  while (first - last > 1) {
    const middle = Math.floor((last + first) / 2);
    if (offsetMs(timeZone, new Date(middle)) === after) first = middle;
    else last = middle;
  }
  return first;
}

/** When the zone's clocks show what UTC's show at `shownMs`. */
function whenShown(timeZone: string, shownMs: number): Date {
  const near = shownMs - offsetMs(timeZone, new Date(shownMs));
  return new Date(shownMs - offsetMs(timeZone, new Date(near)));
}

/** When a zone's clocks show a day and "14:05:06"; null where that is not a time. */
export function momentIn(
  timeZone: string,
  { day, time }: { readonly day: string; readonly time: string },
): Date | null {
  const shownMs = Date.parse(`${day}T${time}Z`);
  return Number.isNaN(shownMs) ? null : whenShown(timeZone, shownMs);
}

/** As "2026-11-16", and a day that there is. */
export function isDay(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
    addDays(text, 0) === text
  );
}

/** The day of a time in a zone. */
export function dayIn(timeZone: string, time: Date): string {
  return new Date(time.getTime() + offsetMs(timeZone, time)).toISOString().slice(0, 10);
}

/** The day after, or as many days after. */
export function addDays(day: string, count: number): string {
  const time = new Date(`${day}T00:00:00Z`);
  time.setUTCDate(time.getUTCDate() + count);
  return time.toISOString().slice(0, 10);
}

/** How many days there are from the first to the last, both included. */
export function countDays(first: string, last: string): number {
  return (Date.parse(`${last}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / DAY_MS + 1;
}

/** RFC 3339 with the zone's offset: "2026-11-16T21:45:00.000+02:00". */
export function renderInZone(time: Date, timeZone: string): string {
  const aheadMs = offsetMs(timeZone, time);
  if (aheadMs === 0) return time.toISOString();
  const shown = new Date(time.getTime() + aheadMs).toISOString().slice(0, -1);
  const minutes = Math.abs(aheadMs) / 60_000;
  const [hours, rest] = [minutes / 60, minutes % 60].map((part) => String(Math.floor(part)).padStart(2, '0'));
  return `${shown}${aheadMs < 0 ? '-' : '+'}${hours}:${rest}`;
}

/** The next whole hour of UTC, or this one. */
export function upToHour(time: Date): Date {
  return new Date(Math.ceil(time.getTime() / HOUR_MS) * HOUR_MS);
}
