// Rows of the specification's tables that speak of payouts: the request (completions 1.3), its answer, the record
// (completions 1.5) and lists.
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { failureReason } from '../../../src/domain/failure.ts';
import type { Payment } from '../../../src/domain/payments/payment.ts';
import { parseBulk } from '../../../src/wire/v2/bulk.ts';
import { renderFault } from '../../../src/wire/v2/failure.ts';
import {
  parsePayoutRequest,
  payoutRequestSchema,
  renderPayoutInitiation,
} from '../../../src/wire/v2/payments/payout.ts';
import { payoutRecordSchema, renderPayout } from '../../../src/wire/v2/payments/payout-record.ts';
import { fieldOf, payoutRequest, wallet, withField, type Body } from '../../requests.ts';
import { DEPOSIT_ID, depositPayment } from './deposit-body.ts';
import { KNOWN_PROVIDERS, NO_TEXTS, requestOf, toldOf } from './reading.ts';

const parse = (body: unknown) => parsePayoutRequest(body, KNOWN_PROVIDERS);
const told = (body: unknown) => toldOf(parse(body));
const toldOfList = (body: unknown) => toldOf(parseBulk(body, parse));
const list = (length: number) => Array.from({ length }, () => payoutRequest());
const broken = (index: number, changes: Body) =>
  list(5).map((body, at) => (at === index ? { ...body, ...changes } : body));
const payout = (fields: Partial<Payment> = {}) => depositPayment({ kind: 'PAYOUT', ...fields });

describe('completions 1.3, the payout request', () => {
  const good = payoutRequest({
    customerMessage: 'Salary May',
    clientReferenceId: 'P-1',
    metadata: [{ a: '1' }],
  });

  test('completions 1.3, the payout request has its fields in the order of the specification', () => {
    expect(Object.keys(payoutRequestSchema.properties)).toEqual([
      'payoutId',
      'amount',
      'currency',
      'recipient',
      'customerMessage',
      'clientReferenceId',
      'metadata',
    ]);
  });

  test.each([
    'payoutId',
    'amount',
    'currency',
    'recipient',
    'recipient.type',
    'recipient.accountDetails',
    'recipient.accountDetails.phoneNumber',
    'recipient.accountDetails.provider',
  ])('%s is required', (path) => {
    expect(fieldOf(good, path)).toBeDefined();
    expect(told(withField(good, path, undefined))).toBe(`MISSING_PARAMETER ${path}`);
  });

  test.each(['customerMessage', 'clientReferenceId', 'metadata'])('%s is not required', (path) => {
    expect(told(withField(good, path, undefined))).toBe('PARSED');
  });

  test.each([
    'payoutId',
    'amount',
    'currency',
    'recipient.type',
    'recipient.accountDetails.phoneNumber',
    'recipient.accountDetails.provider',
    'customerMessage',
    'clientReferenceId',
  ])('%s of a wrong type is 400 INVALID_PARAMETER', (path) => {
    for (const value of NO_TEXTS) {
      expect(told(withField(good, path, value))).toBe(`INVALID_PARAMETER ${path}`);
    }
  });

  test.each<[string, unknown]>([
    ['payoutId', 'f4401bd2-1568-1140-bf2d-eb77d2b2b639'],
    ['amount', '01'],
    ['amount', '1.'],
    ['amount', '1.23456'],
    ['currency', 'rwf'],
    ['recipient.type', 'MSISDN'],
    ['recipient.accountDetails.provider', 'NO_ONE_HAS_THIS'],
    ['customerMessage', 'abc'],
    ['customerMessage', 'A'.repeat(23)],
    ['customerMessage', 'Not-this'],
    ['clientReferenceId', 'x'.repeat(1_001)],
    ['metadata', {}],
    ['metadata', Array.from({ length: 11 }, (_, index) => ({ [index]: 'x' }))],
  ])('%s: %j is 400 INVALID_PARAMETER', (path, value) => {
    expect(told(withField(good, path, value))).toBe(`INVALID_PARAMETER ${path}`);
  });

  test.each(['preAuthorisationCode', 'successfulUrl', 'failedUrl', 'payer', 'country', 'sender'])(
    '%s, which payouts do not have, is 400 UNSUPPORTED_PARAMETER',
    (field) => {
      expect(told({ ...good, [field]: 'x' })).toBe(`UNSUPPORTED_PARAMETER ${field}`);
    },
  );

  test.each(['recipient.recipientDetails', 'recipient.accountDetails.country'])(
    'an unknown field inside is named with its place: %s',
    (path) => {
      expect(told(withField(good, path, 'x'))).toBe(`UNSUPPORTED_PARAMETER ${path}`);
    },
  );

  test('two metadata entries with one name are 400 DUPLICATE_METADATA_FIELD', () => {
    expect(told({ ...good, metadata: [{ a: '1' }, { a: '2' }] })).toBe('DUPLICATE_METADATA_FIELD a');
  });

  test('a phoneNumber of any characters is read: it is validated later', () => {
    const body = withField(good, 'recipient.accountDetails.phoneNumber', '+250 783');
    expect(requestOf(parse(body)).details.phoneNumber).toBe('+250 783');
  });

  test('completions 1.3, the payout request is read without losing anything', () => {
    expect(requestOf(parse(good))).toEqual({
      paymentId: good['payoutId'],
      writtenId: good['payoutId'],
      amount: 1_000_000n,
      amountText: '100',
      currency: 'RWF',
      provider: 'MTN_MOMO_RWA',
      details: {
        phoneNumber: '250783456789',
        customerMessage: 'Salary May',
        clientReferenceId: 'P-1',
        metadata: [{ name: 'a', value: '1', isPii: false }],
      },
    });
  });

  test('completions 1.3, the payout request gets no default customerMessage here', () => {
    expect(requestOf(parse(payoutRequest())).details).toEqual({ phoneNumber: '250783456789' });
  });
});

describe('the answer to a payout request', () => {
  const createdAt = new Date('2026-01-02T03:04:05.006Z');
  const created = '2026-01-02T03:04:05.006Z';

  test('ACCEPTED and DUPLICATE_IGNORED carry created', () => {
    for (const type of ['ACCEPTED', 'DUPLICATE_IGNORED'] as const) {
      expect(renderPayoutInitiation('ID', { type, createdAt })).toStrictEqual({
        payoutId: 'ID',
        status: type,
        created,
      });
    }
  });

  test('REJECTED carries failureReason and no created', () => {
    const reason = failureReason('WALLET_OUT_OF_FUNDS', { country: 'RWA', needed: '1', currency: 'RWF' });
    expect(renderPayoutInitiation('ID', { type: 'REJECTED', failureReason: reason })).toStrictEqual({
      payoutId: 'ID',
      status: 'REJECTED',
      failureReason: reason,
    });
  });
});

describe('completions 1.5, the payout record', () => {
  test('completions 1.5, the payout record holds the fields of its column and leaves absent ones out', () => {
    expect(Compile(payoutRecordSchema).Errors(renderPayout(payout()))).toEqual([]);
    expect(renderPayout(payout())).toStrictEqual({
      payoutId: DEPOSIT_ID.toUpperCase(),
      status: 'PROCESSING',
      amount: '15.50',
      currency: 'ZMW',
      country: 'ZMB',
      recipient: wallet('MTN_MOMO_ZMB', '260763456789'),
      customerMessage: 'Order 123456',
      created: '2026-01-02T03:04:05.000Z',
    });
  });

  test.each(['ACCEPTED', 'ENQUEUED', 'PROCESSING', 'IN_RECONCILIATION', 'COMPLETED'] as const)(
    'status: %s, without failureReason',
    (state) => {
      const record = renderPayout(payout({ state, failureCode: 'OTHER_ERROR' }));
      expect(record.status).toBe(state);
      expect(record).not.toHaveProperty('failureReason');
    },
  );

  test('clientReferenceId, providerTransactionId, failureReason and metadata when there are any', () => {
    const details = {
      ...payout().details,
      clientReferenceId: '',
      metadata: [{ name: 'a', value: '1', isPii: true }],
    };
    const failed = payout({
      state: 'FAILED',
      failureCode: 'RECIPIENT_NOT_FOUND',
      providerTransactionId: 'MP1',
      details,
    });
    expect(renderPayout(failed)).toMatchObject({
      status: 'FAILED',
      clientReferenceId: '',
      providerTransactionId: 'MP1',
      failureReason: failureReason('RECIPIENT_NOT_FOUND'),
      metadata: { a: '1' },
    });
  });
});

describe('a list of payout requests', () => {
  test.each([1, 20])('of %i is read in its order', (length) => {
    const bodies = list(length);
    const requests = requestOf(parseBulk(bodies, parse));
    expect(requests.map(({ writtenId }) => writtenId)).toEqual(bodies.map((body) => body['payoutId']));
  });

  test.each([0, 21, 1_000])('of %i is 400 INVALID_INPUT', (length) => {
    const parsed = parseBulk(list(length), parse);
    expect(parsed.type === 'FAULT' && renderFault(parsed.fault)).toEqual({
      failureCode: 'INVALID_INPUT',
      failureMessage: 'The request body could not be read: it must have 1 to 20 entries.',
    });
  });

  test.each([null, {}, 'text', payoutRequest()])('that is none is 400 INVALID_INPUT: %j', (body) => {
    expect(toldOfList(body)).toBe('INVALID_INPUT');
  });

  test.each<[string, number, Body]>([
    ['INVALID_PARAMETER [3].amount', 3, { amount: 100 }],
    ['MISSING_PARAMETER [0].currency', 0, { currency: undefined }],
    ['UNSUPPORTED_PARAMETER [4].surplus', 4, { surplus: 1 }],
    [
      'INVALID_PARAMETER [1].recipient.accountDetails.provider',
      1,
      { recipient: wallet('NO_ONE_HAS_THIS', '1') },
    ],
    ['INVALID_PARAMETER [2].metadata[0]', 2, { metadata: [{}] }],
    ['DUPLICATE_METADATA_FIELD [2].a', 2, { metadata: [{ a: '1' }, { a: '2' }] }],
  ])('a list of payout requests names the element: %s', (expected, index, changes) => {
    expect(toldOfList(JSON.parse(JSON.stringify(broken(index, changes))))).toBe(expected);
  });

  test.each([null, 1, 'x', []])('names an element that is no object: %j', (element) => {
    expect(toldOfList([payoutRequest(), element])).toBe('INVALID_PARAMETER [1]');
  });

  test('with several errors reports the most serious, in whichever element; of equals the first', () => {
    const [first, second, third] = list(3) as [Body, Body, Body];
    const faults = [
      { ...first, amount: 1 },
      { ...second, surplus: 1 },
      { ...third, amount: 2 },
    ];
    expect(toldOfList(faults)).toBe('UNSUPPORTED_PARAMETER [1].surplus');
    expect(toldOfList([faults[0], second, faults[2]])).toBe('INVALID_PARAMETER [0].amount');
  });
});
