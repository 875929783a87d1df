// MTN's words and forms, as its README lists them. Everything that is the same for every operator is in contract.ts.
import { describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { parseReason } from '../../src/connectors/mtn-momo/failures.ts';
import { targetEnvironmentOf } from '../../src/connectors/mtn-momo/markets.ts';
import { mtnMomo } from '../../src/connectors/mtn-momo/connector.ts';
import {
  parseActiveAnswer,
  parseNameAnswer,
  parseStatusAnswer,
  parseSubmitAnswer,
  renderRequest,
} from '../../src/connectors/mtn-momo/wire.ts';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import { readTextTable } from '../domain/text-table.ts';

const README = new URL('../../src/connectors/mtn-momo/README.md', import.meta.url);

/** MTN's published enum of 17 and what was seen beside it. */
const REASONS = `
  PAYER_NOT_FOUND PAYEE_NOT_FOUND NOT_ENOUGH_FUNDS PAYER_LIMIT_REACHED PAYEE_NOT_ALLOWED_TO_RECEIVE APPROVAL_REJECTED
  PAYMENT_NOT_APPROVED EXPIRED TRANSACTION_CANCELED NOT_ALLOWED SERVICE_UNAVAILABLE INTERNAL_PROCESSING_ERROR
  RESOURCE_NOT_FOUND RESOURCE_ALREADY_EXIST INVALID_CURRENCY NOT_ALLOWED_TARGET_ENVIRONMENT INVALID_CALLBACK_URL_HOST
  COULD_NOT_PERFORM_TRANSACTION SENDER_ACCOUNT_NOT_ACTIVE TRANSACTION_NOT_FOUND PAYEE_LIMIT_REACHED VALIDATION_ERROR
  LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED TARGET_AUTHORIZATION_ERROR`
  .trim()
  .split(/\s+/);

describe('reasons', () => {
  const page = readFileSync(README, 'utf8');
  const rows = readTextTable(page.slice(page.indexOf("| MTN's reason"))).flatMap(
    ([, reasons = '', deposit = '', transfer = '']) =>
      [...reasons.matchAll(/`(\w+)`/g)].map(([, reason = '']) => ({ reason, deposit, transfer })),
  );

  test('every known code is in the README once', () => {
    expect(rows.map(({ reason }) => reason).toSorted()).toEqual(REASONS.toSorted());
  });

  test.each(rows)(
    '$reason is $deposit of a deposit and $transfer otherwise',
    ({ reason, deposit, transfer }) => {
      expect(wordFor(reason, 'DEPOSIT')).toBe(deposit.replace(/:.*/, ''));
      for (const kind of ['PAYOUT', 'REFUND'] as const) {
        expect(wordFor(reason, kind)).toBe(transfer.replace(/:.*/, ''));
      }
    },
  );

  test.each(['not enough_funds', 'NOT ENOUGH_FUNDS', ' Not_Enough_Funds '])('%j is evened out', (reason) => {
    expect(wordFor(reason, 'DEPOSIT')).toBe('INSUFFICIENT_BALANCE');
  });

  test.each(['', 'toString', 'NOT_ENOUGH', 'SUCCESSFUL'])('%j is not mapped', (reason) => {
    expect(parseReason(reason, 'DEPOSIT')).toBeNull();
  });
});

function wordFor(reason: string, kind: PaymentKind): string | null {
  const meaning = parseReason(reason, kind);
  if (meaning === null) return null;
  if (meaning.type === 'NOT_FINAL') return 'not final';
  return meaning.isAlert === true ? 'Host' : meaning.code;
}

const attempt = {
  reference: '00017c2f-9c3b-4d41-8a55-0f6b7c1d2e3f',
  operation: 'DEPOSIT',
  provider: 'MTN_MOMO_RWA',
  country: 'RWA',
  amount: 1_000_000n,
  currency: 'RWF',
  phoneNumber: '250783456789',
  customerMessage: "Café d'Élise & fils",
  notificationUrl: 'https://gateway.example/n',
  attemptNo: 1,
  claimedAt: new Date(),
} as const;

describe('the answer to an enquiry', () => {
  const told = (httpStatus: number, body: unknown) =>
    parseStatusAnswer({ httpStatus, text: typeof body === 'string' ? body : JSON.stringify(body) }, attempt);
  const success = {
    status: 'SUCCESSFUL',
    financialTransactionId: '1234567890',
    externalId: attempt.reference,
    amount: '100',
    currency: 'RWF',
    payer: { partyIdType: 'MSISDN', partyId: '250783456789' },
  };

  test.each([
    ['a success', 200, success, 'COMPLETED'],
    ['PENDING', 200, { ...success, status: 'PENDING' }, 'PENDING'],
    ['CREATED', 200, { ...success, status: 'CREATED' }, 'PENDING'],
    ['a bare reason', 200, { status: 'FAILED', reason: 'EXPIRED' }, 'FAILED PAYMENT_NOT_APPROVED'],
    [
      'a reason in an object',
      200,
      { status: 'FAILED', reason: { code: 'EXPIRED' } },
      'FAILED PAYMENT_NOT_APPROVED',
    ],
    ['FAILED without a reason', 200, { status: 'FAILED' }, 'FAILED UNSPECIFIED_FAILURE'],
    [
      'the catch-all with FAILED',
      200,
      { status: 'FAILED', reason: 'INTERNAL_PROCESSING_ERROR' },
      'FAILED UNSPECIFIED_FAILURE',
    ],
    ['the catch-all without a status', 500, { code: 'INTERNAL_PROCESSING_ERROR' }, 'UNKNOWN OPERATOR_ERROR'],
    ['a reason beside PENDING', 200, { status: 'PENDING', reason: 'EXPIRED' }, 'PENDING'],
    [
      'SERVICE_UNAVAILABLE',
      200,
      { status: 'FAILED', reason: 'SERVICE_UNAVAILABLE' },
      'UNKNOWN OPERATOR_ERROR',
    ],
    ['D: a reason no one knows', 200, { status: 'FAILED', reason: 'NEW_WORD' }, 'FAILED UNSPECIFIED_FAILURE'],
    ['D: a number as the receipt', 200, { ...success, financialTransactionId: 1234567890 }, 'COMPLETED'],
    ['a status no one knows', 200, { status: 'REVERSED' }, 'UNKNOWN UNMAPPED_CODE'],
    ["MTN's own not found", 404, { code: 'RESOURCE_NOT_FOUND' }, 'NOT_SEEN'],
    ["a proxy's not found", 404, '<html>', 'UNKNOWN OPERATOR_ERROR'],
    ["another payment's", 200, { ...success, externalId: 'other' }, 'UNKNOWN UNREADABLE_ANSWER'],
    [
      'a success without a receipt',
      200,
      { ...success, financialTransactionId: '' },
      'UNKNOWN UNREADABLE_ANSWER',
    ],
    ['a success without an amount', 200, { ...success, amount: undefined }, 'UNKNOWN UNREADABLE_ANSWER'],
  ])('%s', (_title, httpStatus, body, expected) => {
    const { outcome } = told(httpStatus, body);
    const word = 'code' in outcome ? outcome.code : 'reason' in outcome ? outcome.reason : '';
    expect(`${outcome.type} ${word}`.trim()).toBe(expected);
  });

  test('D: a failure with an unknown reason raises an alert that names it', () => {
    expect(told(200, { status: 'FAILED', reason: 'A NEW <word>' }).alert).toBe('UNMAPPED_A_NEW__word_');
  });

  test('a success has receipt, amount, currency and party', () => {
    expect(told(200, success).outcome).toEqual({
      type: 'COMPLETED',
      providerTransactionId: '1234567890',
      moved: { amount: 1_000_000n, currency: 'RWF', phoneNumber: '250783456789' },
    });
  });

  test('an address that MTN does not list raises an alert for the host', () => {
    expect(told(403, '').alert).toBe('FORBIDDEN');
  });
});

describe('the answer to a request', () => {
  test.each([
    [202, '', 'PENDING', undefined],
    [409, '{"code":"RESOURCE_ALREADY_EXIST"}', 'PENDING', undefined],
    [500, '{"code":"INVALID_CURRENCY"}', 'FAILED', 'INVALID_CURRENCY'],
    [500, '{"code":"NOT_ALLOWED_TARGET_ENVIRONMENT"}', 'FAILED', 'NOT_ALLOWED_TARGET_ENVIRONMENT'],
    [404, '{"code":"PAYER_NOT_FOUND"}', 'FAILED', undefined],
    [500, '{"code":"INTERNAL_PROCESSING_ERROR"}', 'UNKNOWN', undefined],
    [503, '{"code":"SERVICE_UNAVAILABLE"}', 'UNKNOWN', undefined],
    [400, '', 'UNKNOWN', undefined],
    [200, '<html>', 'UNKNOWN', undefined],
    [403, '', 'UNKNOWN', 'FORBIDDEN'],
  ])('%s with %j is %s', (httpStatus, text, type, alert) => {
    const answer = parseSubmitAnswer({ httpStatus, text }, attempt);
    expect([answer.outcome.type, answer.alert]).toEqual([type, alert]);
  });
});

describe('an account holder', () => {
  test.each([
    [200, { result: true }, 'ACTIVE'],
    [200, { result: false }, 'NOT_ACTIVE'],
    [404, { code: 'RESOURCE_NOT_FOUND' }, 'NOT_ACTIVE'],
    [404, {}, 'UNKNOWN'],
    [200, { result: 'true' }, 'UNKNOWN'],
    [500, { result: true }, 'UNKNOWN'],
    [200, '<html>', 'UNKNOWN'],
  ])('%s with %j is %s', (httpStatus, body, status) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    expect(parseActiveAnswer({ httpStatus, text })).toBe(status);
  });

  test.each([
    [200, { given_name: 'Zawadi', family_name: 'Uwase', birthdate: '1990-02-28' }, 'Zawadi Uwase'],
    [200, { given_name: ' Zawadi ', family_name: '' }, 'Zawadi'],
    [200, { name: 'Zawadi Uwase' }, 'Zawadi Uwase'],
    [200, {}, null],
    [403, { given_name: 'Zawadi' }, null],
  ])('%s with %j has the name %s', (httpStatus, body, name) => {
    expect(parseNameAnswer({ httpStatus, text: JSON.stringify(body) })).toBe(name);
  });
});

test('notes go out in plain characters, and the reference as externalId', () => {
  expect(JSON.parse(renderRequest(attempt))).toEqual({
    amount: '100',
    currency: 'RWF',
    externalId: attempt.reference,
    payer: { partyIdType: 'MSISDN', partyId: '250783456789' },
    payerMessage: 'Cafe d Elise   fils',
    payeeNote: 'Cafe d Elise   fils',
  });
});

test('every provider of the catalogue that is MTN has a market', () => {
  expect(mtnMomo.providers).toHaveLength(9);
  expect(mtnMomo.providers.map(targetEnvironmentOf)).not.toContain('');
});
