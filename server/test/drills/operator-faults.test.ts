// The drill can fail: with one line of an operator's books changed it must find what is wrong. Clean
// runs of it are what `npm run drill:operator-faults` is for.
import { expect, test } from 'vitest';
import type { BookedCharge } from '../../../drills/kit/verdict/operator-books.ts';
import { listMissing } from '../../../drills/operator-faults/report.ts';
import { runOperators } from '../../../drills/operator-faults/run.ts';

const COUNT = 12;

/** Somebody else paid twice, and an end was another one. */
function spoil(charges: readonly BookedCharge[]): readonly BookedCharge[] {
  const plain = charges.filter(({ status, settlements }) => status === 'SUCCESSFUL' && settlements === 1);
  const [first, second, ...rest] = plain;
  const twice = { ...first!, reference: `${first!.reference} (2)` };
  return [first!, twice, { ...second!, status: 'FAILED', failureCode: 'ANY' }, ...rest];
}

test('a second charge and a false end in the books of the operator are found', async () => {
  const outcome = await runOperators({
    seed: 7,
    names: ['mtn-momo'],
    count: COUNT,
    keep: false,
    patienceMs: 1_000,
    tamper: spoil,
    say: () => undefined,
  });
  const found = new Set(outcome.verdict.findings.map(({ type, what }) => `${type} ${what}`));
  expect(found).toContain('DOUBLED charged 2 times');
  expect([...found].filter((text) => /^UNBALANCED [A-Z_]+ .*say FAILED/.test(text))).not.toEqual([]);
  expect([...found].filter((text) => text.startsWith('UNBALANCED ours '))).not.toEqual([]);
  expect(listMissing(outcome, COUNT).filter((what) => what.includes('payments'))).toEqual([]);
});
