import { describe, expect, test } from 'vitest';
import { lineText } from '../../src/domain/reconciliation/operator-report.ts';
import { findHeaderFault, parseStatementLine, STATEMENT_COLUMNS } from '../../src/wire/statement-line.ts';

const CELLS = {
  time: '2027-03-01T14:00:00+02:00',
  direction: 'IN',
  status: 'COMPLETED',
  amount: '12.50',
  currency: 'ZMW',
  reference: '0001abc',
  transactionId: 'T-1',
  phoneNumber: '260763456789',
  failureCode: '',
};

test('a line is read, whatever its zone and zeroes', () => {
  expect(parseStatementLine(CELLS)).toEqual({
    line: {
      occurredAt: new Date('2027-03-01T12:00:00Z'),
      direction: 'IN',
      status: 'COMPLETED',
      amount: 125_000n,
      currency: 'ZMW',
      reference: '0001abc',
      providerTransactionId: 'T-1',
      phoneNumber: '260763456789',
    },
  });
});

test('two ways to write one line are one line', () => {
  const texts = [CELLS, { ...CELLS, time: '2027-03-01T12:00:00.000Z', amount: '12.5' }].map((cells) => {
    const read = parseStatementLine(Object.fromEntries(Object.entries(cells).toReversed()));
    return 'line' in read ? lineText(read.line) : read.fault;
  });
  expect(texts[0]).toBe(texts[1]);
  expect(texts[0]).toContain('"amount":"12.5"');
});

describe('a fault is told by its column, never by its value:', () => {
  test.each([
    ['time', '2027-03-01T14:00:00', 'time must be as 2027-03-01T14:00:00Z, with its zone'],
    ['time', '2027-13-01T14:00:00Z', 'time must be as 2027-03-01T14:00:00Z, with its zone'],
    ['direction', 'DEPOSIT', 'direction must be IN or OUT'],
    ['status', 'PENDING', 'status must be COMPLETED or FAILED'],
    ['amount', '-5', 'amount must be as 1000 or 12.5'],
    ['amount', '1,000', 'amount must be as 1000 or 12.5'],
    ['currency', 'zmw', 'currency must be as RWF'],
    ['transactionId', 'Überweisung', 'reference and transactionId must be plain text'],
    ['phoneNumber', '26076***6789', 'phoneNumber must be digits with the country code'],
    ['failureCode', 'PAYER_NOT_FOUND', 'failureCode must be one of a FAILED payment'],
  ])('%s %s', (column, value, fault) => {
    expect(parseStatementLine({ ...CELLS, [column]: value })).toEqual({ fault });
  });

  test('a line that names no payment', () => {
    expect(parseStatementLine({ ...CELLS, reference: '', transactionId: '' })).toEqual({
      fault: 'reference or transactionId must be there',
    });
  });

  test('a failure code that is none of ours', () => {
    const failed = { ...CELLS, status: 'FAILED' };
    expect(parseStatementLine({ ...failed, failureCode: 'NO_MONEY' })).toHaveProperty('fault');
    expect(parseStatementLine({ ...failed, failureCode: 'PAYER_NOT_FOUND' })).toMatchObject({
      line: { status: 'FAILED', failureCode: 'PAYER_NOT_FOUND' },
    });
  });
});

test.each([
  [[...STATEMENT_COLUMNS], null],
  [STATEMENT_COLUMNS.toReversed(), null],
  [['time', 'direction', 'status', 'amount', 'currency', 'transactionId'], null],
  [['time', 'direction', 'status', 'amount', 'currency'], 'it needs a column reference or transactionId'],
  [['time', 'time'], 'a column stands there twice'],
  [['Time'], 'there is no column "Time"'],
])('the first line %j: %s', (header, fault) => {
  expect(findHeaderFault(header)).toBe(fault);
});
