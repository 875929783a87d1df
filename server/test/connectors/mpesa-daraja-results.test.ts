// What Daraja tells later, in every form it was seen in: callbacks of pushes, results, time-outs, balances.
import { describe, expect, test } from 'vitest';
import { readNotification } from '../../src/connectors/mpesa-daraja/results.ts';
import type { NotificationReading } from '../../src/connectors/port.ts';

const REFERENCE = '00017c2f-9c3b-4d41-8a55-0f6b7c1d2e3f';

function reading(topic: string | undefined, message: unknown): NotificationReading {
  return readNotification({
    body: Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)),
    headers: {},
    pathReference: REFERENCE,
    pathSecretIsGenuine: true,
    ...(topic === undefined ? {} : { pathTopic: topic }),
    receivedAt: new Date(),
  });
}

/** "COMPLETED RECEIPT amount phone", "FAILED CODE !alert", or the reading where it is no end. */
function saying(told: NotificationReading): string {
  if (told.type !== 'AUTHENTIC') return told.type;
  const { outcome, alert } = told;
  const words: (string | bigint | undefined)[] = [outcome.type];
  if ('code' in outcome) words.push(outcome.code);
  if ('reason' in outcome) words.push(outcome.reason);
  if (outcome.type === 'COMPLETED') {
    words.push(outcome.providerTransactionId, outcome.moved?.amount, outcome.moved?.phoneNumber);
  }
  if (alert !== undefined) words.push(`!${alert}`);
  return words.filter((word) => word !== undefined).join(' ');
}

const ITEMS = [
  { Name: 'Balance' },
  { Name: 'PhoneNumber', Value: 254703456789 },
  { Name: 'MpesaReceiptNumber', Value: 'SAB1CDE2FG' },
  { Name: 'TransactionDate', Value: 20260101120000 },
  { Name: 'Amount', Value: 150.0 },
];

const callback = (told: object) => ({ Body: { stkCallback: { CheckoutRequestID: 'ws_CO_1', ...told } } });

describe('the callback of a push', () => {
  const withItems = (Item: unknown) => callback({ ResultCode: 0, CallbackMetadata: { Item } });
  const change = (name: string, Value: unknown) =>
    withItems(ITEMS.map((item) => (item.Name === name ? { Name: name, Value } : item)));

  test.each([
    ['a success, read by name', withItems(ITEMS), 'COMPLETED SAB1CDE2FG 1500000 254703456789'],
    ['in another order', withItems(ITEMS.toReversed()), 'COMPLETED SAB1CDE2FG 1500000 254703456789'],
    ['an amount as a text', change('Amount', '150.00'), 'COMPLETED SAB1CDE2FG 1500000 254703456789'],
    ['a number with stars', change('PhoneNumber', '2547****6789'), 'COMPLETED SAB1CDE2FG 1500000'],
    ['no receipt', change('MpesaReceiptNumber', undefined), 'UNKNOWN UNREADABLE_ANSWER'],
    ['no amount', change('Amount', undefined), 'UNKNOWN UNREADABLE_ANSWER'],
    ['a success without items', callback({ ResultCode: '0' }), 'UNKNOWN UNREADABLE_ANSWER'],
    ['cancelled', callback({ ResultCode: 1032 }), 'FAILED PAYMENT_NOT_APPROVED'],
    ['cancelled, as a text', callback({ ResultCode: '1032' }), 'FAILED PAYMENT_NOT_APPROVED'],
    ['a wrong PIN', callback({ ResultCode: 2001 }), 'FAILED PAYMENT_NOT_APPROVED'],
    ['still under way', callback({ ResultCode: 4999 }), 'PENDING'],
    ['a code of no table', callback({ ResultCode: 7001 }), 'UNKNOWN UNMAPPED_CODE'],
    ['no code', callback({}), 'HINT'],
    ['a result in its place', { Result: { ResultCode: 0 } }, 'HINT'],
    ['no JSON', '<html>', 'HINT'],
  ])('%s', (_title, message, expected) => {
    expect(saying(reading(undefined, message))).toBe(expected);
  });
});

const result = (told: object, parameters?: unknown) => ({
  Result: {
    ResultType: 0,
    TransactionID: 'SAB0000000',
    ...told,
    ...(parameters === undefined ? {} : { ResultParameters: { ResultParameter: parameters } }),
  },
});
const keyed = (told: Readonly<Record<string, unknown>>) =>
  Object.entries(told).map(([Key, Value]) => ({ Key, Value }));

describe('the result of a payout', () => {
  const paid = {
    TransactionAmount: 150,
    TransactionReceipt: 'SAB1CDE2FG',
    ReceiverPartyPublicName: '254703456789 - Zawadi Otieno',
  };
  const { TransactionReceipt: _receipt, ...unnamed } = paid;
  const { TransactionAmount: _amount, ...uncounted } = paid;

  test.each([
    ['a success', result({ ResultCode: 0 }, keyed(paid)), 'COMPLETED SAB1CDE2FG 1500000 254703456789'],
    [
      'its receipt outside',
      result({ ResultCode: '0' }, keyed(unnamed)),
      'COMPLETED SAB0000000 1500000 254703456789',
    ],
    ['no amount', result({ ResultCode: 0 }, keyed(uncounted)), 'UNKNOWN UNREADABLE_ANSWER'],
    [
      'a list of one without brackets',
      result({ ResultCode: 0 }, keyed(paid)[0]),
      'COMPLETED SAB0000000 1500000',
    ],
    ['nobody there', result({ ResultCode: 2040 }), 'FAILED RECIPIENT_NOT_FOUND'],
    ['an empty float', result({ ResultCode: 1 }), 'FAILED OTHER_ERROR !1'],
    ['a wrong initiator', result({ ResultCode: '2001' }), 'FAILED OTHER_ERROR !2001'],
    ['a code with letters', result({ ResultCode: 'SFC_IC0003' }), 'FAILED RECIPIENT_NOT_FOUND'],
    ['nothing', {}, 'HINT'],
  ])('%s', (_title, message, expected) => {
    expect(saying(reading('payout', message))).toBe(expected);
  });
});

test.each([
  ['a success', result({ ResultCode: 0 }, keyed({ Amount: '50' })), 'COMPLETED SAB0000000 500000'],
  ['one that tells no amount', result({ ResultCode: 0 }), 'COMPLETED SAB0000000'],
  [
    'one that repeats the receipt it undid',
    result({ ResultCode: 0 }, keyed({ OriginalTransactionID: 'SAB0000000' })),
    'COMPLETED',
  ],
  ['done before', result({ ResultCode: 'R000001' }), 'FAILED OTHER_ERROR'],
  ['a receipt nobody knows', result({ ResultCode: 'R000002' }), 'FAILED OTHER_ERROR'],
])('the result of a reversal: %s', (_title, message, expected) => {
  expect(saying(reading('refund', message))).toBe(expected);
});

describe('the result of an enquiry', () => {
  const status = (TransactionStatus: unknown) =>
    result({ ResultCode: 0 }, keyed({ ReceiptNo: 'SAB1CDE2FG', Amount: 150, TransactionStatus }));

  test.each([
    ['completed', status('Completed'), 'COMPLETED SAB1CDE2FG 1500000'],
    ['a word nobody published', status('Failed'), 'UNKNOWN UNMAPPED_CODE'],
    ['no word', status(undefined), 'UNKNOWN UNREADABLE_ANSWER'],
    ['an enquiry that failed itself', result({ ResultCode: 2040 }), 'UNKNOWN OPERATOR_ERROR'],
    ['a wrong initiator', result({ ResultCode: 2001 }), 'UNKNOWN OPERATOR_ERROR !2001'],
  ])('%s', (_title, message, expected) => {
    expect(saying(reading('status', message))).toBe(expected);
  });
});

test('a payout or reversal that waited too long in the queue only makes us ask', () => {
  expect(reading('timeout', result({ ResultCode: 1 }))).toEqual({ type: 'HINT', reference: REFERENCE });
});

test('an enquiry that waited too long in the queue does not make us ask at once', () => {
  expect(saying(reading('status-timeout', ''))).toBe('UNKNOWN NO_ANSWER');
});

const told = (AccountBalance: unknown) =>
  reading('balance', result({ ResultCode: 0 }, keyed({ AccountBalance, BOCompletedTime: 20260101120000 })));

describe('a balance', () => {
  const working = 'Working Account|KES|46713.00|46713.00|0.00|0.00';

  test('is what is available in the account that pays', () => {
    const text = `${working}&Utility Account|KES|228037.00|228000.50|36.50|0.00&Charges Paid Account|KES|-15.00`;
    expect(told(text)).toEqual({ type: 'BALANCE', reference: REFERENCE, amount: 2_280_005_000n });
  });

  test.each([
    ['no such account', working],
    ['another currency', 'Utility Account|USD|1.00|1.00|0.00|0.00'],
    ['a debt', 'Utility Account|KES|-1.00|-1.00|0.00|0.00'],
    ['half a row', 'Utility Account|KES'],
    ['no text', 7],
  ])('is nothing with %s', (_title, text) => {
    expect(told(text)).toEqual({ type: 'UNREADABLE' });
  });

  test('is nothing where the initiator was wrong', () => {
    expect(reading('balance', result({ ResultCode: 2001 }))).toEqual({ type: 'UNREADABLE' });
  });
});
