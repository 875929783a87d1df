// An adversary that finds nothing proves something only if it would find what is there.
import { expect, test } from 'vitest';
import { attackWith, HOLES } from './adversary/planted.ts';

test.for(HOLES)('an adversary finds $name', { timeout: 1_200_000 }, async (hole) => {
  const printed = await attackWith(hole, 10_000);
  expect(printed).toMatch(/1 failed/u);
  expect(printed).toMatch(hole.broken);
});
