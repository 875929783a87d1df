import { expect, test } from 'vitest';
import { maskName } from '../../src/domain/masking.ts';

test.each([
  ['Jane Doe', 'J••• D•••'],
  ['  zawadi   N. uwase ', 'Z••• N••• U•••'],
  ['Élise “Lili” d’Arc', 'É••• L••• D•••'],
  ['One Two Three Four Five', 'O••• T••• T••• F•••'],
  ['Ruth', 'R•••'],
  ['250783456789', '••••••'],
  ['<b>\u202e', 'B•••'],
  ['', '••••••'],
])('the name %j is shown as %s', (name, shown) => {
  expect(maskName(name)).toBe(shown);
});

test('a text of a megabyte is masked without delay', () => {
  expect(maskName('a '.repeat(500_000))).toBe('A••• A••• A••• A•••');
});
