import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { causeOf } from '../../src/wire/cause.ts';

test('an array with a least number of entries says both bounds: none is as wrong as too many', () => {
  const bounded = Type.Array(Type.String(), { minItems: 1, maxItems: 20 });
  expect(causeOf(bounded, [])).toBe('it must have 1 to 20 entries');
  expect(causeOf(Type.Array(Type.String(), { maxItems: 10 }), [])).toBe('it must have at most 10 entries');
});
