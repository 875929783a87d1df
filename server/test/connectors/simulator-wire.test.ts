// The simulator's words and ours, as tables.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import { parseFailureCode } from '../../src/sandbox/simulator/failures.ts';
import {
  parseBalanceAnswer,
  parseNotification,
  parseStatusAnswer,
  parseSubmitAnswer,
  renderRequest,
} from '../../src/sandbox/simulator/wire.ts';

const DONE = {
  reference: 'R1',
  transactionId: 'SIM1',
  operation: 'DEPOSIT',
  status: 'SUCCESSFUL',
  amount: '15.5',
  currency: 'ZMW',
  phoneNumber: '260763456789',
};
const COMPLETED = {
  type: 'COMPLETED',
  providerTransactionId: 'SIM1',
  moved: { amount: 155_000n, currency: 'ZMW', phoneNumber: '260763456789' },
};
const unknown = (reason: string) => ({ type: 'UNKNOWN', reason });
const failure = (code: string) => ({ type: 'FAILED', code, providerTransactionId: 'SIM1' });
const without = (name: keyof typeof DONE) => ({ ...DONE, [name]: undefined });

describe('failure codes', () => {
  const rows: [string | undefined, PaymentKind, string | null][] = [
    [undefined, 'DEPOSIT', 'UNSPECIFIED_FAILURE'],
    ['PAYER_DECLINED', 'DEPOSIT', 'PAYMENT_NOT_APPROVED'],
    ['PIN_TIMEOUT', 'DEPOSIT', 'PAYMENT_NOT_APPROVED'],
    ['FUNDS_TOO_LOW', 'DEPOSIT', 'INSUFFICIENT_BALANCE'],
    ['PROMPT_ALREADY_OPEN', 'DEPOSIT', 'PAYMENT_IN_PROGRESS'],
    ['SUBSCRIBER_UNKNOWN', 'DEPOSIT', 'PAYER_NOT_FOUND'],
    ['SUBSCRIBER_CEILING', 'DEPOSIT', 'PAYER_LIMIT_REACHED'],
    ['OTHER', 'DEPOSIT', 'OTHER_ERROR'],
    ['BENEFICIARY_UNKNOWN', 'DEPOSIT', null],
    [undefined, 'PAYOUT', 'UNSPECIFIED_FAILURE'],
    ['BENEFICIARY_UNKNOWN', 'PAYOUT', 'RECIPIENT_NOT_FOUND'],
    ['BENEFICIARY_CEILING', 'REFUND', 'RECIPIENT_LIMIT_REACHED'],
    ['ACCOUNT_FULL', 'REMITTANCE', 'WALLET_LIMIT_REACHED'],
    ['OTHER', 'REFUND', 'OTHER_ERROR'],
    ['SUBSCRIBER_UNKNOWN', 'PAYOUT', null],
    ['E9999', 'DEPOSIT', null],
    ['', 'DEPOSIT', null],
    ['constructor', 'DEPOSIT', null],
    ['PAYER_NOT_FOUND', 'DEPOSIT', null],
  ];

  it.each(rows)('%s on a %s is %s', (code, operation, expected) => {
    expect(parseFailureCode(code, operation)).toBe(expected);
  });
});

describe('answers to a submit', () => {
  const rows: [string, number, unknown, object][] = [
    ['accepted', 202, { ...DONE, status: 'PENDING' }, { type: 'PENDING' }],
    [
      'a redirect',
      202,
      { ...DONE, status: 'PENDING', authorizationUrl: 'http://pay' },
      { type: 'PENDING', authorizationUrl: 'http://pay' },
    ],
    ['done at once', 202, DONE, COMPLETED],
    ['a repeat', 409, { ...DONE, code: 'DUPLICATE_REFERENCE' }, { type: 'PENDING' }],
    ['another conflict', 409, { code: 'CONFLICT' }, unknown('OPERATOR_ERROR')],
    ['a refusal', 400, { code: 'INVALID_REQUEST' }, unknown('OPERATOR_ERROR')],
    ['no permission', 403, {}, unknown('OPERATOR_ERROR')],
    ['a redirection', 302, {}, unknown('OPERATOR_ERROR')],
    ['not found', 404, { code: 'NOT_FOUND' }, unknown('OPERATOR_ERROR')],
    ['an error', 500, DONE, unknown('OPERATOR_ERROR')],
    ['another reference', 202, { ...DONE, reference: 'R2' }, unknown('UNREADABLE_ANSWER')],
  ];

  it.each(rows)('%s (%i)', (_name, httpStatus, body, expected) => {
    const answer = parseSubmitAnswer({ httpStatus, text: JSON.stringify(body) }, 'R1');
    expect(answer.outcome).toEqual(expected);
    expect(JSON.parse(answer.evidence)).toMatchObject({ step: 'submit', httpStatus });
  });
});

describe('answers to an enquiry', () => {
  const failed = { ...DONE, status: 'FAILED' };
  const rows: [string, number, unknown, object][] = [
    ['pending', 200, { ...DONE, status: 'PENDING' }, { type: 'PENDING' }],
    ['done', 200, DONE, COMPLETED],
    ['failed', 200, { ...failed, failureCode: 'FUNDS_TOO_LOW' }, failure('INSUFFICIENT_BALANCE')],
    ['failed without a code', 200, failed, failure('UNSPECIFIED_FAILURE')],
    ['failed with null for a code', 200, { ...failed, failureCode: null }, failure('UNSPECIFIED_FAILURE')],
    ['failed with a strange code', 200, { ...failed, failureCode: 'E9999' }, unknown('UNMAPPED_CODE')],
    ['failed with a number', 200, { ...failed, failureCode: 17 }, unknown('UNREADABLE_ANSWER')],
    ['failed without its operation', 200, { ...failed, operation: undefined }, unknown('UNREADABLE_ANSWER')],
    ['a strange status', 200, { ...DONE, status: 'REVERSED' }, unknown('UNMAPPED_CODE')],
    ['no status', 200, without('status'), unknown('UNREADABLE_ANSWER')],
    ['done without an amount', 200, without('amount'), unknown('UNREADABLE_ANSWER')],
    ['done with a number for an amount', 200, { ...DONE, amount: 15.5 }, unknown('UNREADABLE_ANSWER')],
    ['done without a currency', 200, without('currency'), unknown('UNREADABLE_ANSWER')],
    ['done without a party', 200, without('phoneNumber'), unknown('UNREADABLE_ANSWER')],
    ['done without a transaction', 200, without('transactionId'), unknown('UNREADABLE_ANSWER')],
    ['a list', 200, [DONE], unknown('UNREADABLE_ANSWER')],
    ['not seen', 404, { code: 'NOT_FOUND' }, { type: 'NOT_SEEN' }],
    ["a proxy's 404", 404, { error: 'no such host' }, unknown('OPERATOR_ERROR')],
    ['too many', 429, {}, unknown('OPERATOR_ERROR')],
    ['an error', 503, DONE, unknown('OPERATOR_ERROR')],
  ];

  it.each(rows)('%s (%i)', (_name, httpStatus, body, expected) => {
    expect(parseStatusAnswer({ httpStatus, text: JSON.stringify(body) }, 'R1').outcome).toEqual(expected);
  });

  it('a text that is not JSON is unreadable, and its evidence is cut short', () => {
    const answer = parseStatusAnswer({ httpStatus: 200, text: '<'.repeat(100_000) }, 'R1');
    expect(answer.outcome).toEqual(unknown('UNREADABLE_ANSWER'));
    expect(answer.evidence.length).toBeLessThan(1_100);
  });
});

describe('balances', () => {
  const rows: [number, string, object][] = [
    [200, '{"balance":"1200.5"}', { type: 'BALANCE', amount: 12_005_000n }],
    [200, '{"balance":"-3"}', { type: 'BALANCE', amount: -30_000n }],
    [200, '{"balance":1200.5}', { type: 'UNKNOWN' }],
    [200, '{"balance":"--3"}', { type: 'UNKNOWN' }],
    [200, 'nonsense', { type: 'UNKNOWN' }],
    [500, '{"balance":"1200.5"}', { type: 'UNKNOWN' }],
  ];

  it.each(rows)('%i %s', (httpStatus, text, expected) => {
    expect(parseBalanceAnswer({ httpStatus, text })).toEqual(expected);
  });
});

describe('requests', () => {
  const order = {
    reference: 'R1',
    operation: 'DEPOSIT',
    provider: 'ORANGE_BFA',
    country: 'BFA',
    amount: 155_000n,
    currency: 'XOF',
    phoneNumber: '22607345678',
    customerMessage: 'Merci',
    notificationUrl: 'http://gateway/n/R1',
  } as const;

  it('a request is written in the protocol’s format, without absent fields', () => {
    expect(JSON.parse(renderRequest(order))).toEqual({
      reference: 'R1',
      operation: 'DEPOSIT',
      provider: 'ORANGE_BFA',
      country: 'BFA',
      amount: '15.5',
      currency: 'XOF',
      phoneNumber: '22607345678',
      message: 'Merci',
      notificationUrl: 'http://gateway/n/R1',
    });
  });

  it('a one-time code and the return addresses are written where there are any', () => {
    const more = {
      preAuthorisationCode: '123456',
      successfulUrl: 'http://shop/ok',
      failedUrl: 'http://shop/no',
    };
    expect(JSON.parse(renderRequest({ ...order, ...more }))).toMatchObject({
      oneTimeCode: '123456',
      successUrl: 'http://shop/ok',
      failUrl: 'http://shop/no',
    });
  });
});

describe('notification signatures', () => {
  const body = Buffer.from(JSON.stringify(DONE));
  const digest = createHmac('sha256', 'secret').update(`1700000000000.${body.toString()}`).digest('hex');
  const read = (header: string | undefined) =>
    parseNotification(
      {
        body,
        headers: { 'x-simulator-signature': header },
        pathSecretIsGenuine: false,
        receivedAt: new Date(0),
      },
      'secret',
    );

  it('t=…,v1=… with the HMAC of time, point and body is genuine', () => {
    expect(read(`t=1700000000000,v1=${digest}`)).toMatchObject({ type: 'AUTHENTIC', outcome: COMPLETED });
  });

  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['another time', `t=1700000000001,v1=${digest}`],
    ['a shorter digest', `t=1700000000000,v1=${digest.slice(2)}`],
    ['another digest', `t=1700000000000,v1=${'0'.repeat(64)}`],
    ['no time', `v1=${digest}`],
  ])('%s is only a hint', (_name, header) => {
    expect(read(header)).toEqual({ type: 'HINT', reference: 'R1' });
  });
});
