// The page of sandbox numbers and the table the simulator works by say the same. When the table has changed:
// npx vitest run server/test/docs --update
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import numbers from '../../src/sandbox/fakes/payers/numbers.json' with { type: 'json' };
import { findProvider, listProviders } from '../../src/domain/operators/catalogue.ts';
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

test('the page has a section for every provider, under its country', () => {
  const headings = [...page.matchAll(/^## .+ \(([A-Z]{3})\)$|^### ([A-Z0-9_]+)$/gm)];
  let country = '';
  const found = headings.flatMap(([, alpha3, code]) => {
    country = alpha3 ?? country;
    return code === undefined ? [] : [`${country} ${code}`];
  });
  expect(found).toEqual(listProviders().map((provider) => `${provider.country} ${provider.code}`));
});

test('every outcome on the page is one that is explained: an end, STUCK, or a failure code', () => {
  const outcomes = new Set(readPage(page).map(({ outcome }) => outcome));
  const explained = ['COMPLETED', 'STUCK', ...Object.keys(FAILURES)];
  expect([...outcomes].filter((outcome) => !explained.includes(outcome))).toEqual([]);
});

test('every provider of the table is in the catalogue: a number no one can use is a typing error', () => {
  expect(numbers.filter(({ provider }) => findProvider(provider) === null)).toEqual([]);
});

/** The numbers as a reader of the page finds them: provider from the heading, the rest from the row. */
function readPage(text: string): readonly NumberRow[] {
  const sections = text.split(/^### /m).slice(1);
  return sections.flatMap((section) => {
    const provider = section.slice(0, section.indexOf('\n'));
    const rows = [...section.matchAll(/^\| (DEPOSIT|PAYOUT) \| `(\d+)` \| `(\w+)` \|$/gm)];
    return rows.map(([, operation = '', phoneNumber = '', outcome = '']) => ({
      provider,
      operation,
      phoneNumber,
      outcome,
    }));
  });
}

function nameOf({ provider, operation, phoneNumber, outcome }: NumberRow): string {
  return [provider, operation, phoneNumber, outcome].join(' ');
}
