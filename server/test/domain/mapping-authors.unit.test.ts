import { expect, test } from 'vitest';
import { authorsAfter, namesOf } from '../../src/domain/reconciliation/mapping-authors.ts';
import type { ReportMapping } from '../../src/domain/reconciliation/report-mapping.ts';

const MAPPING: ReportMapping = {
  columns: { time: 'When', amount: 'Sum' },
  timeForm: 'ISO',
  decimalMark: 'POINT',
  words: [{ column: 'status', word: 'Paid', means: 'COMPLETED' }],
};

test('whoever sets the same values again is no author of them', () => {
  const authors = authorsAfter(null, MAPPING, 'Ana');
  expect(namesOf(authors)).toEqual(['Ana']);
  const same = { ...MAPPING, words: [{ column: 'status', word: ' PAID', means: 'COMPLETED' }] } as const;
  expect(authorsAfter({ mapping: MAPPING, authors }, same, 'Ben')).toEqual(authors);
});

test('whoever takes a field away is its author, and whoever gives it back is the next', () => {
  const authors = authorsAfter(null, MAPPING, 'Ana');
  const without = { ...MAPPING, words: [] };
  const taken = authorsAfter({ mapping: MAPPING, authors }, without, 'Ben');
  expect(taken).toMatchObject({ 'words.status.paid': 'Ben', 'columns.amount': 'Ana' });
  expect(authorsAfter({ mapping: without, authors: taken }, without, 'Cleo')).toEqual(taken);
  const given = authorsAfter({ mapping: without, authors: taken }, MAPPING, 'Cleo');
  expect(given).toMatchObject({ 'words.status.paid': 'Cleo' });
});

test('whoever gave every field its present value is the only author', () => {
  const authors = authorsAfter(null, MAPPING, 'Ana');
  const other: ReportMapping = {
    columns: { time: 'Time', amount: 'Value' },
    timeForm: 'DAY_FIRST',
    decimalMark: 'COMMA',
    words: [{ column: 'status', word: 'paid', means: 'FAILED' }],
  };
  expect(namesOf(authorsAfter({ mapping: MAPPING, authors }, other, 'Ben'))).toEqual(['Ben']);
});
