// Files of operators and banks, read with a mapping of their columns.
import { describe, expect, test } from 'vitest';
import * as offered from '../../../dashboard/src/screens/daily-close/mapping-choices.ts';
import {
  DECIMAL_MARKS,
  findMappingFault,
  MAPPED_COLUMNS,
  MEANINGS,
  TIME_FORMS,
  type ReportMapping,
} from '../../src/domain/reconciliation/report-mapping.ts';
import { renderAmount } from '../../src/domain/money.ts';
import {
  bankFormat,
  readReport,
  readWholeReport,
  reportFormat,
  UnreadableReport,
} from '../../src/wire/report-file.ts';

const ACCOUNT = { currency: 'RWF', timeZone: 'Africa/Kigali' };

const MAPPING: ReportMapping = {
  columns: {
    time: 'Date',
    amount: 'Value',
    direction: 'Type',
    status: 'State',
    transactionId: 'Id',
    movement: 'Type',
  },
  timeForm: 'DAY_FIRST',
  decimalMark: 'POINT',
  words: [
    { column: 'direction', word: 'Cash in', means: 'IN' },
    { column: 'direction', word: 'Cash out', means: 'OUT' },
    { column: 'direction', word: 'Fee', means: 'OUT' },
    { column: 'movement', word: 'fee', means: 'OPERATOR_CHARGE' },
    { column: 'status', word: 'Successful', means: 'COMPLETED' },
    { column: 'status', word: 'Pending', means: 'SKIP' },
  ],
};

const bytesOf = (text: string) => {
  async function* chunks() {
    // In small pieces, as a network brings them.
    for (let from = 0; from < text.length; from += 7) yield Buffer.from(text.slice(from, from + 7));
  }
  return { chunks: chunks(), size: text.length };
};

async function readAs(mapping: ReportMapping | null, text: string, source: 'OPERATOR' | 'BANK' = 'OPERATOR') {
  const faults: [number, string][] = [];
  const watch = {
    onFault: (lineNo: number, fault: string) => void faults.push([lineNo, fault]),
    onLines: () => undefined,
  };
  const bytes = bytesOf(text);
  const lines =
    source === 'OPERATOR'
      ? await readWholeReport(bytes, reportFormat(mapping, ACCOUNT), watch)
      : await readWholeReport(bytes, bankFormat(mapping, ACCOUNT), watch);
  return { lines: lines.map(({ lineNo, line }) => ({ lineNo, ...line })), faults };
}

const HEADER = 'Date,Type,State,Value,Id';

test('words, times of the account and grouped amounts are read; lines to skip are left out', async () => {
  const { lines, faults } = await readAs(
    MAPPING,
    [
      HEADER,
      '31/03/2027 14:05:06,CASH IN,Successful,"1,000.50",T1',
      '31/03/2027 14:06,cash out,successful,-20,T2',
      '31/03/2027 14:07,Cash in,Pending,5,T3',
      '31/03/2027 14:08,Fee,Successful,5,TX-4',
    ].join('\n'),
  );
  expect(faults).toEqual([]);
  expect(lines.map((line) => ({ ...line, amount: renderAmount(line.amount) }))).toMatchObject([
    {
      lineNo: 2,
      occurredAt: new Date('2027-03-31T12:05:06Z'),
      direction: 'IN',
      amount: '1000.5',
      currency: 'RWF',
    },
    { lineNo: 3, direction: 'OUT', status: 'COMPLETED', amount: '20', providerTransactionId: 'T2' },
    { lineNo: 5, movement: 'OPERATOR_CHARGE', providerTransactionId: 'TX-4' },
  ]);
});

test('what cannot be read is told by its line, and all other lines go on', async () => {
  const { lines, faults } = await readAs(
    MAPPING,
    [
      HEADER,
      '03/31/2027 14:05,Cash in,Successful,5,T1',
      '31/03/2027 14:05,Gift,Successful,5,T2',
      '31/03/2027 14:05,Cash in,Odd,5,T3',
      '31/03/2027 14:05,Cash in,Successful,"1,50",T4',
      '31/03/2027 14:05,Cash in,Successful,-5,T5',
      '31/03/2027 14:05,Cash in,Successful,5',
      '31/03/2027 14:05,Cash in,Successful,,T6',
      '31/03/2027 14:05,Cash in,Successful,5,T7',
    ].join('\n'),
  );
  expect(faults).toEqual([
    [2, 'TIME_INVALID'],
    [3, 'DIRECTION_INVALID'],
    [4, 'STATUS_INVALID'],
    // Never 150.
    [5, 'AMOUNT_INVALID'],
    // Perhaps a reversal: people must look.
    [6, 'AMOUNT_INVALID'],
    [7, 'CELL_COUNT'],
    [8, 'AMOUNT_INVALID'],
  ]);
  expect(lines).toMatchObject([{ lineNo: 9, providerTransactionId: 'T7' }]);
});

describe('a bank file', () => {
  const SPLIT: ReportMapping = {
    columns: { time: 'Jour', amountIn: 'Crédit', amountOut: 'Débit', reference: 'Réf' },
    timeForm: 'YEAR_FIRST',
    decimalMark: 'COMMA',
    words: [],
  };

  test('with columns for money in and out, semicolons and decimal commas', async () => {
    const text =
      'Jour;Crédit;Débit;Réf\n2027-03-31;;1.000,50;VIR 1\n2027-03-31;20;0,00;\n2027-03-31;1;2;X12\n';
    const { lines, faults } = await readAs(SPLIT, text, 'BANK');
    expect(lines).toEqual([
      // What left the bank came to the operator.
      { lineNo: 2, at: new Date('2027-03-30T22:00:00Z'), amount: 10_005_000n, reference: 'VIR1' },
      { lineNo: 3, at: new Date('2027-03-30T22:00:00Z'), amount: -200_000n, reference: '' },
    ]);
    expect(faults).toEqual([[4, 'AMOUNT_INVALID']]);
  });

  test('without a column for the direction, by the sign', async () => {
    const mapping = { ...SPLIT, columns: { time: 'Jour', amount: 'Montant' } };
    const { lines } = await readAs(mapping, 'Jour\tMontant\n2027-03-31\t-1\n2027-03-31\t+2\n', 'BANK');
    expect(lines.map(({ amount }) => amount)).toEqual([10_000n, -20_000n]);
  });
});

test.each([
  ['Date,Type,State,Value\n', 1, { code: 'COLUMN_MISSING', column: 'Id' }],
  ['Date,Type,State,Value,Id,Id\n', 1, { code: 'COLUMN_REPEATED', column: 'Id' }],
  ['', 1, { code: 'NOT_CSV', column: '' }],
])('a file that cannot be read as a whole says why: %j', async (text, lineNo, fault) => {
  const error = await readAs(MAPPING, text).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnreadableReport);
  expect(error).toMatchObject({ lineNo, fault });
});

test('progress is told after each batch, with the lines there may be by the size of the file', async () => {
  const told: number[][] = [];
  const text = [HEADER, ...Array.from({ length: 1_200 }, () => '31/03/2027 14:05,Cash in,Successful,5,T1')];
  const watch = {
    onFault: () => undefined,
    onLines: (done: number, total: number) => void told.push([done, total]),
  };
  const sizes: number[] = [];
  const bytes = bytesOf(text.join('\n'));
  for await (const batch of readReport(bytes, reportFormat(MAPPING, ACCOUNT), watch))
    sizes.push(batch.length);
  expect(sizes).toEqual([500, 500, 200]);
  expect(told.map(([done]) => done)).toEqual([501, 1_001]);
  for (const [done = 0, total = 0] of told) expect(total).toBeGreaterThanOrEqual(done);
});

test.each([
  [{ columns: { amount: 'A', reference: 'R' } }, 'TIME_MISSING'],
  [{ columns: { time: 'T', reference: 'R' } }, 'AMOUNT_MISSING'],
  [{ columns: { time: 'T', amount: 'A', amountIn: 'I', reference: 'R' } }, 'AMOUNT_TWICE'],
  [{ columns: { time: 'T', amount: 'A' } }, 'NAME_MISSING'],
  [{ words: [{ column: 'status', word: 'x', means: 'IN' }] }, 'WORD_INVALID'],
  [{}, null],
] as const)('a mapping %j: %s', (change, fault) => {
  expect(findMappingFault('OPERATOR', { ...MAPPING, words: [], ...change })).toBe(fault);
});

test('the dashboard offers every column, form and meaning that a mapping can have', () => {
  expect(offered.COLUMNS).toEqual(MAPPED_COLUMNS);
  expect(offered.MEANINGS).toEqual(MEANINGS);
  expect(offered.TIME_FORMS.toSorted()).toEqual(TIME_FORMS.toSorted());
  expect(offered.DECIMAL_MARKS).toEqual(DECIMAL_MARKS);
  for (const [source, columns] of Object.entries(MAPPED_COLUMNS)) {
    const worded = columns.filter((column) => column in MEANINGS);
    expect([source, offered.WORD_COLUMNS[source as keyof typeof MAPPED_COLUMNS]]).toEqual([source, worded]);
  }
});
