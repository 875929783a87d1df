// Limits without a database: windows, what is counted under which subject, what is looser, what people are told.
import { expect, test } from 'vitest';
import {
  countedSubject,
  describeLimit,
  fits,
  isLooser,
  LIMIT_PERIODS,
  windowEnd,
  type Limit,
} from '../../src/domain/limits/limit.ts';
import { parseListedNumber } from '../../src/domain/limits/listed-number.ts';

const LIMIT: Limit = {
  setBy: 'PLATFORM',
  kind: 'PAYOUT',
  scope: 'NUMBER',
  subject: '',
  period: 'DAY',
  currency: 'RWF',
  countMax: 5,
  amountMax: 5_000_000_000n,
};
const PAYMENT = {
  kind: 'PAYOUT',
  amount: 10_000n,
  currency: 'RWF',
  provider: 'MTN_MOMO_RWA',
  country: 'RWA',
  numberHash: 'ab',
} as const;

const ends = (at: string) => LIMIT_PERIODS.map((period) => windowEnd(period, new Date(at)).toISOString());

test('windows end with the minute, hour, day and month in UTC, also at the end of a year', () => {
  expect(ends('2026-12-31T23:59:59.999Z')).toEqual(LIMIT_PERIODS.map(() => '2027-01-01T00:00:00.000Z'));
  expect(ends('2028-02-28T10:30:00.000Z')).toEqual([
    '2028-02-28T10:31:00.000Z',
    '2028-02-28T11:00:00.000Z',
    '2028-02-29T00:00:00.000Z',
    '2028-03-01T00:00:00.000Z',
  ]);
});

test('a limit counts only payments of its kind, its currency and its subject', () => {
  expect(countedSubject(LIMIT, PAYMENT)).toBe('ab');
  expect(countedSubject(LIMIT, { ...PAYMENT, kind: 'REFUND' })).toBe(null);
  expect(countedSubject(LIMIT, { ...PAYMENT, currency: 'USD' })).toBe(null);
  expect(countedSubject({ ...LIMIT, currency: '' }, { ...PAYMENT, currency: 'USD' })).toBe('ab');
  const ofProvider = { ...LIMIT, scope: 'PROVIDER', subject: 'AIRTEL_RWA' } as const;
  expect(countedSubject(ofProvider, PAYMENT)).toBe(null);
  expect(countedSubject({ ...ofProvider, subject: PAYMENT.provider }, PAYMENT)).toBe(PAYMENT.provider);
  expect(countedSubject({ ...LIMIT, scope: 'COUNTRY' }, PAYMENT)).toBe('RWA');
  expect(countedSubject({ ...LIMIT, scope: 'MERCHANT' }, PAYMENT)).toBe('');
  // What no token carried is not any token's.
  expect(countedSubject({ ...LIMIT, scope: 'TOKEN' }, PAYMENT)).toBe(null);
});

test('what comes exactly to a limit fits, and the smallest amount more does not', () => {
  const used = { count: 4, amount: 4_999_990_000n };
  expect(fits(LIMIT, used, 10_000n)).toBe(true);
  expect(fits(LIMIT, used, 10_001n)).toBe(false);
  expect(fits(LIMIT, { ...used, count: 5 }, 1n)).toBe(false);
  expect(fits({ countMax: 0, amountMax: null }, { count: 0, amount: 0n }, 1n)).toBe(false);
});

test('a limit is looser when one maximum rises or goes, or when it is removed', () => {
  const before = { countMax: 5, amountMax: 100n };
  expect(isLooser({ countMax: 6, amountMax: 1n }, before)).toBe(true);
  expect(isLooser({ countMax: null, amountMax: 100n }, before)).toBe(true);
  expect(isLooser(null, before)).toBe(true);
  expect(isLooser({ countMax: 5, amountMax: 100n }, before)).toBe(false);
  expect(isLooser({ countMax: 1, amountMax: 1n }, { countMax: null, amountMax: 1n })).toBe(false);
  expect(isLooser({ countMax: 1_000_000, amountMax: null }, null)).toBe(false);
});

test('people are told what a limit allows', () => {
  expect(describeLimit(LIMIT)).toBe('5 payouts and 500000 RWF per day for each phone number');
  expect(describeLimit({ ...LIMIT, countMax: null, scope: 'MERCHANT' })).toBe(
    '500000 RWF in payouts per day',
  );
  expect(describeLimit({ ...LIMIT, amountMax: null, scope: 'PROVIDER', subject: 'MTN_MOMO_RWA' })).toBe(
    '5 payouts per day for MTN_MOMO_RWA',
  );
});

test('numbers on lists are read as people write them, with their country code', () => {
  expect(parseListedNumber('+250 783-456 789')).toBe('250783456789');
  for (const text of ['0783456789', '12345', 'abc', '']) expect(parseListedNumber(text)).toBe(null);
});
