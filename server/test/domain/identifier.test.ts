import { describe, expect, test } from 'vitest';
import { identifiersFrom } from '../../src/domain/identifier.ts';

const ID = '3f2a91bc-0d4e-4f6a-8b7c-9d0e1f2a3b4c';

describe('the identifiers that begin with a text', () => {
  test('eight characters name everything from the first such identifier to the last', () => {
    expect(identifiersFrom('3F2A91BC')).toEqual({
      first: '3f2a91bc-0000-0000-0000-000000000000',
      last: '3f2a91bc-ffff-ffff-ffff-ffffffffffff',
    });
  });

  test('a beginning may end at any place', () => {
    for (let length = 8; length <= ID.length; length += 1) {
      const range = identifiersFrom(ID.slice(0, length));
      expect(range !== null && range.first <= ID && ID <= range.last).toBe(true);
    }
  });

  test('a whole identifier names itself alone', () => {
    expect(identifiersFrom(ID)).toEqual({ first: ID, last: ID });
  });

  test.each(['', '3f2a91b', '3f2a91bg', '3f2a91bc0', `${ID}0`, '3f2a-91bc', 'INV-12345678'])(
    'no identifier begins with %s, or too many do',
    (text) => {
      expect(identifiersFrom(text)).toBeNull();
    },
  );
});
