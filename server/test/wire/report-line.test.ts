import { describe, expect, test } from 'vitest';
import { lineText } from '../../src/domain/reconciliation/operator-report.ts';
import { findHeaderFault, parseReportLine, REPORT_COLUMNS } from '../../src/wire/report-line.ts';

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
  expect(parseReportLine(CELLS)).toEqual({
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
    const read = parseReportLine(Object.fromEntries(Object.entries(cells).toReversed()));
    return 'line' in read ? lineText(read.line) : read.fault;
  });
  expect(texts[0]).toBe(texts[1]);
  expect(texts[0]).toContain('"amount":"12.5"');
});

describe('a fault is told by its column, never by its value:', () => {
  test.each([
    ['time', '2027-03-01T14:00:00', 'TIME_INVALID'],
    ['time', '2027-13-01T14:00:00Z', 'TIME_INVALID'],
    ['direction', 'DEPOSIT', 'DIRECTION_INVALID'],
    ['status', 'PENDING', 'STATUS_INVALID'],
    ['amount', '-5', 'AMOUNT_INVALID'],
    ['amount', '1,000', 'AMOUNT_INVALID'],
    ['currency', 'zmw', 'CURRENCY_INVALID'],
    ['transactionId', 'Überweisung', 'NAMES_INVALID'],
    ['phoneNumber', '26076***6789', 'PHONE_NUMBER_INVALID'],
    ['failureCode', 'PAYER_NOT_FOUND', 'FAILURE_CODE_INVALID'],
  ])('%s %s', (column, value, fault) => {
    expect(parseReportLine({ ...CELLS, [column]: value })).toEqual({ fault });
  });

  test('a line that names no payment', () => {
    expect(parseReportLine({ ...CELLS, reference: '', transactionId: '' })).toEqual({
      fault: 'NAMES_MISSING',
    });
  });

  test('a failure code that is none of ours', () => {
    const failed = { ...CELLS, status: 'FAILED' };
    expect(parseReportLine({ ...failed, failureCode: 'NO_MONEY' })).toHaveProperty('fault');
    expect(parseReportLine({ ...failed, failureCode: 'PAYER_NOT_FOUND' })).toMatchObject({
      line: { status: 'FAILED', failureCode: 'PAYER_NOT_FOUND' },
    });
  });
});

test.each([
  [[...REPORT_COLUMNS], null],
  [REPORT_COLUMNS.toReversed(), null],
  [['time', 'direction', 'status', 'amount', 'currency', 'transactionId'], null],
  [['time', 'direction', 'status', 'amount', 'currency'], { code: 'NAME_COLUMN_MISSING', column: '' }],
  [['time', 'time'], { code: 'COLUMN_REPEATED', column: 'time' }],
  [['Time'], { code: 'COLUMN_UNKNOWN', column: 'Time' }],
])('the first line %j: %j', (header, fault) => {
  expect(findHeaderFault(header)).toEqual(fault);
});
