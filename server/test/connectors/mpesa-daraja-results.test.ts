// What Daraja tells later, in every form it was seen in: callbacks of pushes, results, time-outs, balances.
import { describe, expect, test } from 'vitest';
import { readNotification } from '../../src/connectors/mpesa-daraja/results.ts';
import type { NotificationReading } from '../../src/connectors/port.ts';

const REFERENCE = '00017c2f-9c3b-4d41-8a55-0f6b7c1d2e3f';

const CERTIFIED = new Set(['Cancelled', 'Declined', 'Expired']);

/** What is read of a message to the address that stays the same for a payment. */
function hinted(topic: string | undefined, message: unknown): NotificationReading {
  return readNotification(raw(topic, message), CERTIFIED);
}

/** What is read of a message to the address for the answer to a question of ours. */
function reading(topic: string, message: unknown, certified = CERTIFIED): NotificationReading {
  return readNotification({ ...raw(topic, message), pathSecretIsGenuine: false, isAnswer: true }, certified);
}

function raw(topic: string | undefined, message: unknown) {
  return {
    body: Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)),
    headers: {},
    pathReference: REFERENCE,
    pathSecretIsGenuine: true,
    ...(topic === undefined ? {} : { pathTopic: topic }),
    receivedAt: new Date(),
  };
}

/** "COMPLETED RECEIPT amount phone", "FAILED CODE !alert", or the reading where it is no end. */
function saying(told: NotificationReading): string {
  if (told.type !== 'AUTHENTIC' && told.type !== 'RECEIPT') return told.type;
  const { outcome } = told;
  const words: (string | bigint | undefined)[] = [outcome.type];
  if ('code' in outcome) words.push(outcome.code);
  if ('reason' in outcome) words.push(outcome.reason);
  if (outcome.type === 'COMPLETED') {
    words.push(outcome.providerTransactionId, outcome.moved?.amount, outcome.moved?.phoneNumber);
  }
  if ('alert' in told && told.alert !== undefined) words.push(`!${told.alert}`);
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

const HINT = { type: 'HINT', reference: REFERENCE };

describe('B1: the callback of a push is a hint, and its receipt is only reported', () => {
  const withItems = (Item: unknown) => callback({ ResultCode: 0, CallbackMetadata: { Item } });
  const change = (name: string, Value: unknown) =>
    withItems(ITEMS.map((item) => (item.Name === name ? { Name: name, Value } : item)));
  const withReceipt = { ...HINT, reportedReceipt: 'SAB1CDE2FG' };

  test.each([
    ['a success, read by name', withItems(ITEMS), withReceipt],
    ['in another order', withItems(ITEMS.toReversed()), withReceipt],
    ['no receipt', change('MpesaReceiptNumber', undefined), HINT],
    ['a success without items', callback({ ResultCode: '0' }), HINT],
    ['cancelled', callback({ ResultCode: 1032 }), HINT],
    ['a wrong PIN', callback({ ResultCode: 2001 }), HINT],
    ['a code of no table', callback({ ResultCode: 7001 }), HINT],
    ['no code', callback({}), HINT],
    ['a result in its place', { Result: { ResultCode: 0 } }, HINT],
    ['no JSON', '<html>', HINT],
  ])('%s', (_title, message, expected) => {
    expect(hinted(undefined, message)).toEqual(expected);
  });

  test('B1: the callback of a push is nothing at all with a wrong secret', () => {
    const told = { ...raw(undefined, withItems(ITEMS)), pathSecretIsGenuine: false };
    expect(readNotification(told, CERTIFIED)).toEqual({ ...HINT, isForged: true });
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

describe('B1: the result of a payout or reversal is a hint', () => {
  const paid = { TransactionAmount: 150, TransactionReceipt: 'SAB1CDE2FG' };

  test.each([
    ['payout', 'a success', result({ ResultCode: 0 }, keyed(paid)), HINT],
    ['payout', 'no one there', result({ ResultCode: 2040 }), HINT],
    ['payout', 'an empty float', result({ ResultCode: 1 }), { ...HINT, alert: '1' }],
    ['payout', 'a wrong initiator', result({ ResultCode: '2001' }), { ...HINT, alert: '2001' }],
    ['payout', 'nothing', {}, HINT],
    ['refund', 'a success', result({ ResultCode: 0 }, keyed({ Amount: '50' })), HINT],
    ['refund', 'done before', result({ ResultCode: 'R000001' }), HINT],
    ['timeout', 'a queue that was too long', result({ ResultCode: 1 }), HINT],
    ['status', 'an answer at an address that stays the same', result({ ResultCode: 0 }), HINT],
  ])('%s: %s', (topic, _title, message, expected) => {
    expect(hinted(topic, message)).toEqual(expected);
  });
});

describe('the answer to an enquiry', () => {
  const status = (TransactionStatus: unknown) =>
    result({ ResultCode: 0 }, keyed({ ReceiptNo: 'SAB1CDE2FG', Amount: 150, TransactionStatus }));
  const { Amount: _amount, ...uncounted } = { ReceiptNo: 'SAB1CDE2FG', Amount: 150 };

  test.each([
    ['completed', status('Completed'), 'COMPLETED SAB1CDE2FG 1500000'],
    [
      'completed without an amount',
      result({ ResultCode: 0 }, keyed({ ...uncounted, TransactionStatus: 'Completed' })),
      'UNKNOWN UNREADABLE_ANSWER',
    ],
    ['a word of no table', status('Failed'), 'UNKNOWN UNMAPPED_CODE'],
    ['no word', status(undefined), 'UNKNOWN UNREADABLE_ANSWER'],
    ['an enquiry that failed itself', result({ ResultCode: 2040 }), 'UNKNOWN OPERATOR_ERROR'],
    ['a wrong initiator', result({ ResultCode: 2001 }), 'UNKNOWN OPERATOR_ERROR !2001'],
    ['nothing', {}, 'HINT'],
  ])('%s', (_title, message, expected) => {
    expect(saying(reading('payout', message))).toBe(expected);
    expect(saying(reading('refund', message))).toBe(expected);
  });

  test.each(['Initiated', 'Authorized'])('D: the status %s is pending', (word) => {
    expect(saying(reading('payout', status(word), new Set()))).toBe('PENDING');
  });

  test.each(['Cancelled', 'Declined', 'Expired'])(
    'D: the status %s is a failure once the host has certified it, and unknown before',
    (word) => {
      expect(saying(reading('payout', status(word), new Set()))).toBe('UNKNOWN UNMAPPED_CODE');
      expect(saying(reading('payout', status(word)))).toBe('FAILED UNSPECIFIED_FAILURE');
    },
  );

  test('that waited too long in the queue does not make us ask at once', () => {
    expect(saying(reading('timeout', ''))).toBe('UNKNOWN NO_ANSWER');
  });
});

const about = (told: Readonly<Record<string, unknown>>, ResultCode: unknown = 0) =>
  result({ ResultCode }, keyed({ ReceiptNo: 'SAB1CDE2FG', Amount: '150.00', ...told }));

describe('B1: the answer about a receipt says what it stands for', () => {
  const party = '254703456789 - Zawadi Otieno';

  test.each([
    [
      'a payment',
      about({ TransactionStatus: 'Completed', DebitPartyName: party }),
      'COMPLETED SAB1CDE2FG 1500000 254703456789',
    ],
    [
      'a number with stars',
      about({ TransactionStatus: 'Completed', DebitPartyName: '2547****6789' }),
      'COMPLETED SAB1CDE2FG 1500000',
    ],
    ['one that is not over', about({ TransactionStatus: 'Initiated' }), 'UNKNOWN UNREADABLE_ANSWER'],
    ['an unknown receipt', about({}, '7001'), 'UNKNOWN UNREADABLE_ANSWER'],
    ['nothing', {}, 'UNKNOWN UNREADABLE_ANSWER'],
  ])('%s', (_title, message, expected) => {
    expect(saying(reading('receipt', message))).toBe(expected);
  });
});

const told = (AccountBalance: unknown) =>
  reading('balance', result({ ResultCode: 0 }, keyed({ AccountBalance, BOCompletedTime: 20260101120000 })));

describe('a balance', () => {
  const working = 'Working Account|KES|46713.00|46713.00|0.00|0.00';

  test('a balance is what is available in the account that pays', () => {
    const text = `${working}&Utility Account|KES|228037.00|228000.50|36.50|0.00&Charges Paid Account|KES|-15.00`;
    expect(told(text)).toEqual({ type: 'BALANCE', reference: REFERENCE, amount: 2_280_005_000n });
  });

  test.each([
    ['no such account', working],
    ['another currency', 'Utility Account|USD|1.00|1.00|0.00|0.00'],
    ['a debt', 'Utility Account|KES|-1.00|-1.00|0.00|0.00'],
    ['half a row', 'Utility Account|KES'],
    ['no text', 7],
  ])('a balance is nothing with %s', (_title, text) => {
    expect(told(text)).toEqual({ type: 'UNREADABLE' });
  });

  test('a balance is nothing where the initiator was wrong', () => {
    expect(reading('balance', result({ ResultCode: 2001 }))).toEqual({ type: 'UNREADABLE' });
  });
});
