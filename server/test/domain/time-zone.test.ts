import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  countDays,
  dayIn,
  isTimeZone,
  offsetMs,
  renderInZone,
  startOfDay,
  upToHour,
} from '../../src/domain/time-zone.ts';

test.each(['UTC', 'Africa/Kigali', 'Africa/Porto-Novo', 'America/Argentina/Buenos_Aires', 'Etc/GMT+3'])(
  '%s is a time zone',
  (zone) => expect(isTimeZone(zone)).toBe(true),
);

test.each(['', 'Kigali', '+02:00', 'Africa/Nowhere', 'Africa/Kigali ', '2026', 'Africa//Kigali'])(
  '“%s” is not a time zone',
  (zone) => expect(isTimeZone(zone)).toBe(false),
);

test.each([
  ['2026-11-16', 'UTC', '2026-11-16T00:00:00.000Z'],
  ['2026-11-16', 'Africa/Kigali', '2026-11-15T22:00:00.000Z'],
  ['2026-11-16', 'Africa/Dakar', '2026-11-16T00:00:00.000Z'],
  ['2026-11-16', 'America/New_York', '2026-11-16T05:00:00.000Z'],
  ['2026-11-16', 'Asia/Kolkata', '2026-11-15T18:30:00.000Z'],
  ['2026-11-16', 'Pacific/Kiritimati', '2026-11-15T10:00:00.000Z'],
  // Clocks in Egypt skip the first hour of this day, and repeat the last hour of the day before the other.
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
  ['2026-04-25', 'Africa/Cairo', '2026-04-24T21:00:00.000Z'],
  ['2026-10-29', 'Africa/Cairo', '2026-10-28T21:00:00.000Z'],
  ['2026-10-30', 'Africa/Cairo', '2026-10-29T22:00:00.000Z'],
  // Clocks in the Azores are put back to 23:00 of the day before an hour after midnight: this day is shown twice.
  ['2026-10-25', 'Atlantic/Azores', '2026-10-25T00:00:00.000Z'],
])('%s begins in %s at %s', (day, zone, start) => {
  expect(startOfDay(day, zone).toISOString()).toBe(start);
});

test('an offset is that of the moment', () => {
  expect(offsetMs('Africa/Cairo', new Date('2026-01-01T12:00:00.123Z'))).toBe(2 * 3_600_000);
  expect(offsetMs('Africa/Cairo', new Date('2026-07-01T12:00:00.987Z'))).toBe(3 * 3_600_000);
});

test('a time is written with the offset of its zone', () => {
  const time = new Date('2026-11-16T19:45:46.123Z');
  expect(renderInZone(time, 'UTC')).toBe('2026-11-16T19:45:46.123Z');
  expect(renderInZone(time, 'Africa/Kigali')).toBe('2026-11-16T21:45:46.123+02:00');
  expect(renderInZone(time, 'America/St_Johns')).toBe('2026-11-16T16:15:46.123-03:30');
  expect(new Date(renderInZone(time, 'Asia/Kathmandu'))).toEqual(time);
});

test('days are counted by the calendar', () => {
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
  expect(countDays('2026-10-01', '2026-10-31')).toBe(31);
});

test('the next whole hour is this one where it begins now', () => {
  expect(upToHour(new Date('2026-01-01T18:30:00Z')).toISOString()).toBe('2026-01-01T19:00:00.000Z');
  expect(upToHour(new Date('2026-01-01T18:00:00Z')).toISOString()).toBe('2026-01-01T18:00:00.000Z');
});

describe('M11: the first instant of a day', () => {
  test.each([
    ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z'],
    ['2017-10-15', 'America/Sao_Paulo', '2017-10-15T03:00:00.000Z'],
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ])('%s in %s, where clocks skip midnight, is %s', (day, zone, start) => {
    expect(startOfDay(day, zone).toISOString()).toBe(start);
  });

  const zones = Intl.supportedValuesOf('timeZone');
  const [first, last] = ['2015-01-01', '2035-12-31'];

  test('has its date, which no instant before it has, on all days around a change of clocks in any zone', () => {
    const days = zones.flatMap((zone) => daysOfChange(zone).map((day) => [zone, day] as const));
    expect(days.length).toBeGreaterThan(10_000);
    expect(days.filter(([zone, day]) => !isFirstInstant(zone, day))).toEqual([]);
  });

  test('has its date, which no instant before it has, on any day in any zone', () => {
    const anyDay = fc.nat(countDays(first, last) - 1).map((count) => addDays(first, count));
    fc.assert(fc.property(fc.constantFrom(...zones), anyDay, isFirstInstant), { numRuns: 5_000 });
  });

  /** Every zone keeps its clocks unchanged for longer than this between two changes. */
  const STEP_DAYS = 20;

  /** The days on which a zone changes its clocks, and those next to them. */
  function daysOfChange(zone: string): readonly string[] {
    const offsetOn = (day: string) => offsetMs(zone, new Date(`${day}T00:00:00Z`));
    const found: string[] = [];
    let unchanged = offsetOn(first);
    for (let from = first; from < last; from = addDays(from, STEP_DAYS)) {
      let [before, after] = [from, addDays(from, STEP_DAYS)];
      const changed = offsetOn(after);
      if (unchanged === changed) continue;
      unchanged = changed;
      while (countDays(before, after) > 2) {
        const middle = addDays(before, Math.floor((countDays(before, after) - 1) / 2));
        if (offsetOn(middle) === changed) after = middle;
        else before = middle;
      }
      found.push(before, after, addDays(before, -1), addDays(after, 1));
    }
    return found;
  }

  /** How far back an instant is looked for that has the date already. */
  const BACK_MS = [1, ...[2, 4, 8, 96].map((quarters) => quarters * 900_000)];

  function isFirstInstant(zone: string, day: string): boolean {
    const start = startOfDay(day, zone).getTime();
    return (
      dayIn(zone, new Date(start)) === day &&
      BACK_MS.every((backMs) => dayIn(zone, new Date(start - backMs)) < day)
    );
  }
});
