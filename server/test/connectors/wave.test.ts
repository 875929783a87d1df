// Wave's words and forms, as its README lists them. Everything that is the same for every operator is in contract.ts.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { parseCode } from '../../src/connectors/wave/failures.ts';
import {
  parseRefundAnswer,
  parseStatusAnswer,
  parseSubmitAnswer,
  readNotification,
  renderRequest,
} from '../../src/connectors/wave/wire.ts';
import { timedSignatureOf } from '../../src/connectors/timed-signature.ts';
import type { Outcome } from '../../src/domain/payments/outcome.ts';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import { readTextTable } from '../domain/text-table.ts';
import { eventually } from '../gateway.ts';
import { readPayment, start, startCompleted, waitForPayment } from '../payments.ts';
import { refundRequest } from '../requests.ts';
import { openOperatorGateway, requestFor, type OperatorGateway } from './operator-gateway.ts';

const README = new URL('../../src/connectors/wave/README.md', import.meta.url);

/** What Wave's pages and those who transcribed them list. */
const CODES = `
  missing-auth-header invalid-auth api-key-not-provided no-matching-api-key api-key-revoked authorization-error
  invalid-wallet disabled-wallet unauthorized-wallet request-not-json request-parsing-error request-validation-error
  currency-mismatch country-mismatch aggregated-merchant-required invalid-aggregated-merchant-id idempotency-mismatch
  rate-limit-exceeded service-unavailable internal-server-error insufficient-funds payer-mobile-mismatch blocked-account
  cross-border-payment-not-allowed customer-age-restricted kyb-limits-exceeded payment-failure recipient-limit-exceeded
  recipient-account-inactive recipient-account-blocked recipient-minor
  checkout-refund-failed checkout-session-not-found`
  .trim()
  .split(/\s+/);

describe('codes', () => {
  const page = readFileSync(README, 'utf8');
  const rows = readTextTable(page.slice(page.indexOf("| Wave's code"))).flatMap(
    ([, codes = '', deposit = '', payout = '', refund = '']) =>
      [...codes.matchAll(/`([\w-]+)`/g)].map(([, code = '']) => ({ code, deposit, payout, refund })),
  );

  test('every known code is in the README once', () => {
    expect(rows.map(({ code }) => code).toSorted()).toEqual(CODES.toSorted());
  });

  test.each(rows)('$code means what the README says', ({ code, deposit, payout, refund }) => {
    expect(wordFor(code, 'DEPOSIT')).toBe(deposit.replace(/:.*/, ''));
    expect(wordFor(code, 'PAYOUT')).toBe(payout.replace(/:.*/, ''));
    expect(wordFor(code, 'REFUND')).toBe(refund.replace(/:.*/, ''));
  });

  test.each(['', 'toString', 'Insufficient-Funds', 'insufficient'])('%j is not mapped', (code) => {
    expect(parseCode(code, 'DEPOSIT')).toBeNull();
  });
});

function wordFor(code: string, kind: PaymentKind): string {
  const meaning = parseCode(code, kind);
  if (meaning === null) return 'not mapped';
  if (meaning.type === 'NOT_FINAL') return 'not final';
  return meaning.isAlert === true ? 'Host' : meaning.code;
}

const deposit = {
  reference: '00017c2f-9c3b-4d41-8a55-0f6b7c1d2e3f',
  operation: 'DEPOSIT' as PaymentKind,
  provider: 'WAVE_SEN',
  country: 'SEN',
  amount: 1_000_000n,
  currency: 'XOF',
  phoneNumber: '221763456789',
  customerMessage: 'Chez Élise, 12 rue Félix Faure, commande 4711',
  successfulUrl: 'https://shop.example/ok',
  failedUrl: 'https://shop.example/failed',
  notificationUrl: 'https://gateway.example/n',
  attemptNo: 1,
  claimedAt: new Date(),
};
const payout = { ...deposit, operation: 'PAYOUT' as const };
const refund = { ...deposit, operation: 'REFUND' as const, providerReference: 'cos-1' };

const session = {
  id: 'cos-1',
  client_reference: deposit.reference,
  amount: '100',
  currency: 'XOF',
  checkout_status: 'open',
  payment_status: 'processing',
  wave_launch_url: 'https://pay.wave.com/c/cos-1',
};
const paid = { ...session, checkout_status: 'complete', payment_status: 'succeeded', transaction_id: 'TDH5' };
const ended = { ...session, checkout_status: 'expired', payment_status: 'cancelled' };
const sent = {
  id: 'pt-1',
  client_reference: deposit.reference,
  receive_amount: '100',
  currency: 'XOF',
  mobile: '+221763456789',
  status: 'succeeded',
};
const error = (code: string) => ({ last_payment_error: { code } });

const answerOf = (httpStatus: number, body: unknown) => ({
  httpStatus,
  text: typeof body === 'string' ? body : JSON.stringify(body),
});
const wordsOf = (outcome: Outcome | 'ENQUIRY_REQUESTED') => {
  if (typeof outcome === 'string') return outcome;
  const word = 'code' in outcome ? outcome.code : 'reason' in outcome ? outcome.reason : '';
  return `${outcome.type} ${word}`.trim();
};

describe('the answer to an enquiry', () => {
  test.each([
    ['an open session', 200, session, 'PENDING'],
    [
      'an open session after a payment that failed',
      200,
      { ...session, ...error('insufficient-funds') },
      'PENDING',
    ],
    [
      'the same, and cancelled',
      200,
      { ...ended, checkout_status: 'open', ...error('payment-failure') },
      'PENDING',
    ],
    ['a paid session', 200, paid, 'COMPLETED'],
    ['one that was paid in its last second', 200, { ...paid, checkout_status: 'expired' }, 'COMPLETED'],
    ['one that ran out', 200, ended, 'FAILED PAYMENT_NOT_APPROVED'],
    ['one that ran out while being paid', 200, { ...ended, payment_status: 'processing' }, 'PENDING'],
    [
      'one that ran out after an error',
      200,
      { ...ended, ...error('insufficient-funds') },
      'FAILED INSUFFICIENT_BALANCE',
    ],
    ['D: an error no one knows', 200, { ...ended, ...error('new-error') }, 'FAILED UNSPECIFIED_FAILURE'],
    ['a status no one knows', 200, { ...session, payment_status: 'paused' }, 'UNKNOWN UNMAPPED_CODE'],
    ['a session without a status', 200, { ...session, payment_status: '' }, 'UNKNOWN UNREADABLE_ANSWER'],
    ['a success without a receipt', 200, { ...paid, transaction_id: null }, 'UNKNOWN UNREADABLE_ANSWER'],
    ['a success without an amount', 200, { ...paid, amount: null }, 'UNKNOWN UNREADABLE_ANSWER'],
    ["another payment's", 200, { ...paid, client_reference: 'other' }, 'UNKNOWN UNREADABLE_ANSWER'],
    ['a search that finds nothing', 200, { result: [] }, 'NOT_SEEN'],
    ['two sessions, one of them paid', 200, { result: [ended, paid] }, 'COMPLETED'],
    ['two sessions, one of them open', 200, { result: [ended, session] }, 'PENDING'],
    ['a session that is not found', 404, { code: 'checkout-session-not-found' }, 'UNKNOWN OPERATOR_ERROR'],
    ["a proxy's not found", 404, '<html>', 'UNKNOWN OPERATOR_ERROR'],
    ['a key that was revoked', 401, { code: 'api-key-revoked' }, 'UNKNOWN OPERATOR_ERROR'],
  ])('about a deposit: %s', (_title, httpStatus, body, expected) => {
    expect(wordsOf(parseStatusAnswer(answerOf(httpStatus, body), deposit).outcome)).toBe(expected);
  });

  test.each([
    ['processing', { ...sent, status: 'processing' }, 'PENDING'],
    ['succeeded', sent, 'COMPLETED'],
    ['reversed', { ...sent, status: 'reversed' }, 'FAILED OTHER_ERROR'],
    ['failed without a reason', { ...sent, status: 'failed' }, 'FAILED UNSPECIFIED_FAILURE'],
    [
      'failed with one',
      { ...sent, status: 'failed', payout_error: { error_code: 'recipient-limit-exceeded' } },
      'FAILED RECIPIENT_LIMIT_REACHED',
    ],
    ['a status no one knows', { ...sent, status: 'paused' }, 'UNKNOWN UNMAPPED_CODE'],
    ['a search that finds nothing', { result: [] }, 'NOT_SEEN'],
  ])('about a payout: %s', (_title, body, expected) => {
    expect(wordsOf(parseStatusAnswer(answerOf(200, body), payout).outcome)).toBe(expected);
  });

  test.each([
    ['a session that was given back', { ...paid, when_refunded: '2026-01-01T00:00:00Z' }, 'COMPLETED'],
    ['one that was not', { ...paid, when_refunded: null }, 'NOT_SEEN'],
    ['one that does not say', paid, 'UNKNOWN UNREADABLE_ANSWER'],
  ])('about a refund: %s', (_title, body, expected) => {
    expect(wordsOf(parseStatusAnswer(answerOf(200, body), refund).outcome)).toBe(expected);
  });

  test('the answer to an enquiry has receipt, amount, currency and, of a payout, the phone number', () => {
    const moved = { amount: 1_000_000n, currency: 'XOF' };
    expect(parseStatusAnswer(answerOf(200, paid), deposit).outcome).toEqual({
      type: 'COMPLETED',
      providerTransactionId: 'TDH5',
      moved,
    });
    expect(parseStatusAnswer(answerOf(200, sent), payout).outcome).toEqual({
      type: 'COMPLETED',
      providerTransactionId: 'pt-1',
      moved: { ...moved, phoneNumber: '221763456789' },
    });
  });

  test('a revoked key raises an alert for the host', () => {
    expect(parseStatusAnswer(answerOf(401, { code: 'api-key-revoked' }), deposit).alert).toBe(
      'api-key-revoked',
    );
  });
});

describe('the answer to a request', () => {
  test.each([
    [200, session, 'PENDING', undefined],
    [200, '<html>', 'UNKNOWN UNREADABLE_ANSWER', undefined],
    [200, {}, 'UNKNOWN UNREADABLE_ANSWER', undefined],
    [401, { code: 'no-matching-api-key' }, 'FAILED OTHER_ERROR', 'no-matching-api-key'],
    [400, { error_code: 'request-validation-error' }, 'FAILED OTHER_ERROR', 'request-validation-error'],
    [409, { code: 'idempotency-mismatch' }, 'UNKNOWN OPERATOR_ERROR', undefined],
    [429, { code: 'rate-limit-exceeded' }, 'UNKNOWN OPERATOR_ERROR', undefined],
    [422, { code: 'new-error' }, 'UNKNOWN OPERATOR_ERROR', undefined],
    [503, '', 'UNKNOWN OPERATOR_ERROR', undefined],
  ])('%s with %j is %s', (httpStatus, body, expected, alert) => {
    const answer = parseSubmitAnswer(answerOf(httpStatus, body), deposit);
    expect([wordsOf(answer.outcome), answer.alert]).toEqual([expected, alert]);
  });

  test('the answer to a request keeps the id of the session and where the payer must go', () => {
    const answer = parseSubmitAnswer(
      answerOf(200, { ...session, when_expires: '2026-01-01T00:30:00Z' }),
      deposit,
    );
    expect(answer.providerReference).toBe('cos-1');
    expect(answer.outcome).toEqual({
      type: 'PENDING',
      authorizationUrl: 'https://pay.wave.com/c/cos-1',
      authorizationExpiresAt: new Date('2026-01-01T00:30:00Z'),
    });
  });

  test.each([
    [200, '', 'COMPLETED'],
    [200, '{}', 'COMPLETED'],
    [200, '<html>', 'UNKNOWN UNREADABLE_ANSWER'],
    [400, '{"code":"checkout-refund-failed"}', 'FAILED OTHER_ERROR'],
    [404, '', 'UNKNOWN OPERATOR_ERROR'],
  ])('of a refund: %s with %j is %s', (httpStatus, text, expected) => {
    expect(wordsOf(parseRefundAnswer({ httpStatus, text }, refund).outcome)).toBe(expected);
  });
});

test('requests carry our reference, whole amounts and numbers with +', () => {
  expect(JSON.parse(renderRequest(deposit))).toEqual({
    amount: '100',
    currency: 'XOF',
    success_url: 'https://shop.example/ok',
    error_url: 'https://shop.example/failed',
    client_reference: deposit.reference,
    restrict_payer_mobile: '+221763456789',
  });
  expect(JSON.parse(renderRequest(payout))).toEqual({
    currency: 'XOF',
    receive_amount: '100',
    mobile: '+221763456789',
    client_reference: deposit.reference,
    payment_reason: 'Chez Élise, 12 rue Félix Faure, commande',
  });
});

describe('a webhook', () => {
  const secret = 'WHS_secret';
  const read = (data: object, { by = secret, header = '' } = {}) => {
    const body = Buffer.from(JSON.stringify({ id: 'EV_1', type: 'checkout.session.completed', data }));
    const signature = timedSignatureOf(body, { secret: by, separator: '', at: new Date() });
    const headers = { 'wave-signature': header === '' ? signature : header };
    return readNotification({ body, headers, pathSecretIsGenuine: false, receivedAt: new Date() }, secret);
  };
  const { reference } = deposit;

  test('that is signed and reports a payment is accepted', () => {
    expect(read(paid)).toMatchObject({ type: 'AUTHENTIC', reference, outcome: { type: 'COMPLETED' } });
  });

  test.each([
    ['of a payment that failed', { ...session, ...error('insufficient-funds') }],
    ['of a session that ran out', ended],
    ['of a success without a receipt', { ...paid, transaction_id: null }],
  ])('%s only makes us ask', (_title, data) => {
    expect(read(data)).toEqual({ type: 'HINT', reference });
  });

  test.each([
    ['by somebody else', { by: 'another secret' }],
    ['with a header that is none', { header: 'v1=00' }],
    ['with a signature of another length', { header: 't=1,v1=00' }],
  ])('that is signed %s is forged', (_title, how) => {
    expect(read(paid, how)).toEqual({ type: 'HINT', reference, isForged: true });
  });

  test('a webhook is valid with one of two signatures, as during a secret rotation', () => {
    const body = Buffer.from(JSON.stringify({ data: paid }));
    const [time, good] = timedSignatureOf(body, { secret, separator: '', at: new Date() }).split(',');
    const headers = { 'wave-signature': `${time},v1=${'0'.repeat(64)},${good}` };
    const raw = { body, headers, pathSecretIsGenuine: false, receivedAt: new Date() };
    expect(readNotification(raw, secret).type).toBe('AUTHENTIC');
    expect(readNotification(raw, undefined)).toEqual({ type: 'HINT', reference, isForged: true });
  });

  test('of a payment that is not ours cannot be read', () => {
    expect(read({ ...paid, client_reference: null })).toEqual({ type: 'UNREADABLE' });
  });
});

describe('through the gateway', () => {
  let gateway: OperatorGateway;
  beforeEach(async () => {
    gateway = await openOperatorGateway({ name: 'wave', provider: 'WAVE_SEN', title: 'wave' });
  });
  afterEach(() => gateway.stop());

  test('the payer of a session whose answer was lost is redirected to it once the search has found it', async () => {
    gateway.fake.changeSettings({ redirects: 'MANUAL' });
    gateway.fake.addFault({ type: 'LOSE_ANSWER', step: 'submit' });
    const depositId = await start(gateway, 'deposit', requestFor(gateway, 'deposit'));
    const urlOf = async () => (await readPayment(gateway, 'deposit', depositId))['authorizationUrl'];
    await eventually(urlOf).toMatch(/\/c\/cos-/);
    expect(gateway.fake.books().charges).toHaveLength(1);
  });

  test('a deposit whose answer was lost can be refunded', async () => {
    gateway.fake.addFault({ type: 'LOSE_ANSWER', step: 'submit' });
    const depositId = await startCompleted(gateway, 'deposit', requestFor(gateway, 'deposit'));
    await startCompleted(gateway, 'refund', refundRequest(depositId));
  });

  test('a refund whose answer was lost is found in its session', async () => {
    const depositId = await startCompleted(gateway, 'deposit', requestFor(gateway, 'deposit'));
    gateway.fake.addFault({ type: 'LOSE_ANSWER', step: 'submit' });
    await startCompleted(gateway, 'refund', refundRequest(depositId));
    const refunds = gateway.fake.books().charges.filter(({ operation }) => operation === 'REFUND');
    expect(refunds.map(({ submissions }) => submissions)).toEqual([1]);
  });

  test.each([
    ['deposit', 'insufficient-funds', 'INSUFFICIENT_BALANCE'],
    ['payout', 'recipient-limit-exceeded', 'RECIPIENT_LIMIT_REACHED'],
    ['payout', 'insufficient-funds', 'OTHER_ERROR'],
  ] as const)('a %s that ends with %s is FAILED %s', async (noun, failureCode, expected) => {
    gateway.fake.addFault({ type: 'OUTCOME', status: 'FAILED', failureCode });
    const id = await start(gateway, noun, requestFor(gateway, noun));
    const record = await waitForPayment(gateway, noun, id, 'FAILED');
    expect(record['failureReason'].failureCode).toBe(expected);
  });
});
