import { expect, test } from 'vitest';
import { formatDay, parseDay } from '../../../dashboard/src/parts/days.ts';

test.each([
  ['2026-11-16', 'en'],
  ['16/11/2026', 'en'],
  ['16.11.2026', 'fr'],
  ['16 Nov 2026', 'en'],
  ['16 November 2026', 'en'],
  ['16 novembre 2026', 'fr'],
  [' 16  NOV. 2026 ', 'fr'],
] as const)('%j is understood as a day', (text, language) => {
  expect(parseDay(text, language)).toBe('2026-11-16');
});

test.each(['en', 'fr'] as const)('a day is shown in words that are understood again (%s)', (language) => {
  const days = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}-09`);
  expect(days.map((day) => parseDay(formatDay(day, language), language))).toEqual(days);
});

test.each(['', 'tomorrow', '31/02/2026', '2026-13-01', '16 ju 2026', '11/16/2026', '16/11/26'])(
  '%j is no day',
  (text) => {
    expect(parseDay(text, 'en')).toBeNull();
  },
);
