// Rows of the specification's tables that speak of refunds: the request (completions 1.4), its answer and the record
// (completions 1.5).
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { failureReason } from '../../../src/domain/failure.ts';
import type { Payment } from '../../../src/domain/payments/payment.ts';
import {
  parseRefundRequest,
  refundRequestSchema,
  renderRefundInitiation,
} from '../../../src/wire/v2/payments/refund.ts';
import { refundRecordSchema, renderRefund } from '../../../src/wire/v2/payments/refund-record.ts';
import { refundRequest, wallet, withField } from '../../requests.ts';
import { DEPOSIT_ID, depositPayment } from './deposit-body.ts';
import { NO_TEXTS, requestOf, toldOf } from './reading.ts';

const told = (body: unknown) => toldOf(parseRefundRequest(body));
const refund = (fields: Partial<Payment> = {}) =>
  depositPayment({ kind: 'REFUND', depositId: DEPOSIT_ID, ...fields });

describe('the refund request', () => {
  const good = refundRequest(DEPOSIT_ID, {
    amount: '10.50',
    currency: 'ZMW',
    clientReferenceId: 'R-1',
    metadata: [{ a: '1' }],
  });

  test('the refund request has its fields in the order of the specification', () => {
    expect(Object.keys(refundRequestSchema.properties)).toEqual([
      'refundId',
      'depositId',
      'amount',
      'currency',
      'clientReferenceId',
      'metadata',
    ]);
  });

  test.each(['refundId', 'depositId'])('%s is required', (field) => {
    expect(told(withField(good, field, undefined))).toBe(`MISSING_PARAMETER ${field}`);
  });

  test.each(['amount', 'currency', 'clientReferenceId', 'metadata'])('%s is optional', (field) => {
    expect(told(withField(good, field, undefined))).toBe('PARSED');
  });

  test.each(['refundId', 'depositId', 'amount', 'currency', 'clientReferenceId'])(
    '%s of a wrong type is 400 INVALID_PARAMETER',
    (field) => {
      for (const value of NO_TEXTS)
        expect(told({ ...good, [field]: value })).toBe(`INVALID_PARAMETER ${field}`);
    },
  );

  test.each<[string, unknown]>([
    ['refundId', 'x'],
    ['depositId', DEPOSIT_ID.slice(1)],
    ['depositId', ''],
    ['amount', '-1'],
    ['amount', ''],
    ['currency', 'zmw'],
    ['clientReferenceId', 'x'.repeat(1_001)],
    ['metadata', 'x'],
  ])('%s: %j is 400 INVALID_PARAMETER', (field, value) => {
    expect(told({ ...good, [field]: value })).toBe(`INVALID_PARAMETER ${field}`);
  });

  test.each(['customerMessage', 'recipient', 'payer', 'payoutId', 'country'])(
    '%s, which refunds do not have, is 400 UNSUPPORTED_PARAMETER',
    (field) => {
      expect(told({ ...good, [field]: 'x' })).toBe(`UNSUPPORTED_PARAMETER ${field}`);
    },
  );

  test('two metadata entries with one name are 400 DUPLICATE_METADATA_FIELD', () => {
    expect(told({ ...good, metadata: [{ a: '1' }, { a: '2' }] })).toBe('DUPLICATE_METADATA_FIELD a');
  });

  test.each([null, 'text', []])('a body that is no object is 400 INVALID_INPUT: %j', (body) => {
    expect(told(body)).toBe('INVALID_INPUT');
  });

  test('the refund request is read without losing anything', () => {
    expect(requestOf(parseRefundRequest(good))).toStrictEqual({
      writtenId: good['refundId'],
      depositId: DEPOSIT_ID,
      amount: 105_000n,
      amountText: '10.50',
      currency: 'ZMW',
      details: { clientReferenceId: 'R-1', metadata: [{ name: 'a', value: '1', isPii: false }] },
    });
  });

  test('the refund request keeps omitted fields omitted', () => {
    const body = refundRequest(DEPOSIT_ID);
    expect(requestOf(parseRefundRequest(body))).toStrictEqual({
      writtenId: body['refundId'],
      depositId: DEPOSIT_ID,
      details: {},
    });
  });
});

test('the answer names the refundId', () => {
  const createdAt = new Date('2026-01-02T03:04:05.006Z');
  expect(renderRefundInitiation('ID', { type: 'ACCEPTED', createdAt })).toStrictEqual({
    refundId: 'ID',
    status: 'ACCEPTED',
    created: '2026-01-02T03:04:05.006Z',
  });
});

describe('completions 1.5, the refund record', () => {
  test('completions 1.5, the refund record holds the fields of its column, and depositId', () => {
    expect(Compile(refundRecordSchema).Errors(renderRefund(refund()))).toEqual([]);
    expect(renderRefund(refund())).toStrictEqual({
      refundId: DEPOSIT_ID.toUpperCase(),
      depositId: DEPOSIT_ID,
      status: 'PROCESSING',
      amount: '15.50',
      currency: 'ZMW',
      country: 'ZMB',
      recipient: wallet('MTN_MOMO_ZMB', '260763456789'),
      customerMessage: 'Order 123456',
      created: '2026-01-02T03:04:05.000Z',
    });
  });

  test('depositId is returned as the request wrote it', () => {
    const writtenDepositId = DEPOSIT_ID.toUpperCase();
    const { details } = refund();
    expect(renderRefund(refund({ details: { ...details, writtenDepositId } })).depositId).toBe(
      writtenDepositId,
    );
  });

  test('status ENQUEUED, and failureReason when FAILED', () => {
    expect(renderRefund(refund({ state: 'ENQUEUED' })).status).toBe('ENQUEUED');
    expect(renderRefund(refund({ state: 'FAILED', failureCode: 'MANUALLY_CANCELLED' }))).toMatchObject({
      status: 'FAILED',
      failureReason: failureReason('MANUALLY_CANCELLED'),
    });
  });
});
