// The page of sandbox numbers and the table the simulator works by say the same. When the table has changed:
// npx vitest run server/test/docs --update
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import numbers from '../../src/sandbox/fakes/payers/numbers.json' with { type: 'json' };
import { findCountry, findProvider, listProviders } from '../../src/domain/operators/catalogue.ts';
import { FAILURES } from '../../src/domain/failure.ts';
import { renderSandboxNumbersPage, type NumberRow } from './sandbox-numbers-page.ts';

const PATH = '../../../docs/reference/sandbox-numbers.md';
const page = readFileSync(new URL(PATH, import.meta.url), 'utf8');

test('the page is the one that is made from the table', async () => {
  await expect(renderSandboxNumbersPage()).toMatchFileSnapshot(PATH);
});

test('read back, the page holds every number of the table under its provider, and nothing else', () => {
  expect(readPage(page).map(nameOf).toSorted()).toEqual(numbers.map(nameOf).toSorted());
});

test('the page has a row for every provider, with its country, and for nothing else', () => {
  const rows = [...page.matchAll(/^\| `([A-Z0-9_]+)`<br>([^:]+):/gm)].map(
    ([, code, where]) => `${where} ${code}`,
  );
  expect(rows).toEqual(
    listProviders().map(({ country, code }) => `${findCountry(country)?.displayName.en} ${code}`),
  );
});

test('every outcome on the page is one that is explained: an end, STUCK, or a failure code', () => {
  const outcomes = new Set(readPage(page).map(({ outcome }) => outcome));
  const explained = ['COMPLETED', 'STUCK', ...Object.keys(FAILURES)];
  expect([...outcomes].filter((outcome) => !explained.includes(outcome))).toEqual([]);
});

test('every provider of the table is in the catalogue: a number no one can use is a typing error', () => {
  expect(numbers.filter(({ provider }) => findProvider(provider) === null)).toEqual([]);
});

/** The numbers as a reader of the page finds them: provider from the first cell, operation from the column. */
function readPage(text: string): readonly NumberRow[] {
  return [...text.matchAll(/^\| `([A-Z0-9_]+)`<br>[^|]+ \| ([^|]*) \| ([^|]*) \|$/gm)].flatMap(
    ([, provider = '', deposits = '', payouts = '']) => [
      ...readCell(deposits).map((found) => ({ provider, operation: 'DEPOSIT', ...found })),
      ...readCell(payouts).map((found) => ({ provider, operation: 'PAYOUT', ...found })),
    ],
  );
}

function readCell(cell: string): readonly Pick<NumberRow, 'phoneNumber' | 'outcome'>[] {
  return [...cell.matchAll(/`(\d+)`&nbsp;(\w+)/g)].map(([, phoneNumber = '', outcome = '']) => ({
    phoneNumber,
    outcome,
  }));
}

function nameOf({ provider, operation, phoneNumber, outcome }: NumberRow): string {
  return [provider, operation, phoneNumber, outcome].join(' ');
}
