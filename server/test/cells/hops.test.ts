import { expect, test } from 'vitest';
import { readHops, renderHops } from '../../src/cells/hops.ts';

const KEY = [Buffer.alloc(32, 7)] as const;
const NEW_KEY = Buffer.alloc(32, 9);
const REQUEST = { method: 'POST', path: '/v2/deposits' };

test('what a cell says about hops is believed by a cell with the same key', () => {
  expect(readHops(KEY, renderHops(KEY, 3, REQUEST), REQUEST)).toBe(3);
});

test('no one else is believed, nor what was said of another request', () => {
  const said = renderHops(KEY, 3, REQUEST);
  expect(readHops([Buffer.alloc(32, 8)], said, REQUEST)).toBe(0);
  expect(readHops(KEY, said, { ...REQUEST, path: '/v2/payouts' })).toBe(0);
  expect(readHops(KEY, said.replace('3.', '2.'), REQUEST)).toBe(0);
  for (const header of [undefined, '', '3', '3.abc', 'x']) expect(readHops(KEY, header, REQUEST)).toBe(0);
});

test('B11: while the key is being replaced, cells believe each other under either', () => {
  const said = renderHops(KEY, 3, REQUEST);
  expect(readHops([NEW_KEY, ...KEY], said, REQUEST)).toBe(3);
  expect(readHops([NEW_KEY], said, REQUEST)).toBe(0);
});
