import { expect, test } from 'vitest';
import { showAmount } from '../../src/domain/shown-amount.ts';

test.each([
  ['5', '5 RWF', '5 RWF'],
  ['999.5', '999.5 RWF', '999,5 RWF'],
  ['1500', '1,500 RWF', '1 500 RWF'],
  ['1234567.89', '1,234,567.89 RWF', '1 234 567,89 RWF'],
])('%s is shown as "%s", in French as "%s", on one line', (amount, english, french) => {
  const shown = (['en', 'fr'] as const).map((language) => showAmount({ amount, currency: 'RWF' }, language));
  expect(shown.map((text) => text.replace(/\s/g, ' '))).toEqual([english, french]);
  expect(shown.join('')).not.toContain(' ');
});
