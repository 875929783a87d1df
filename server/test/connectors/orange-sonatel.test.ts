// Sonatel's words and forms, as its README lists them. What is the same for every operator is in contract.ts.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseCode } from '../../src/connectors/orange-sonatel/failures.ts';
import { readNotification } from '../../src/connectors/orange-sonatel/notification.ts';
import {
  encryptPin,
  enquiryPathOf,
  parseKeyAnswer,
  parseStatusAnswer,
  parseSubmitAnswer,
  renderRequest,
} from '../../src/connectors/orange-sonatel/wire.ts';
import { timedSignatureOf } from '../../src/connectors/timed-signature.ts';
import type { Outcome } from '../../src/domain/payments/outcome.ts';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import { readTextTable } from '../domain/text-table.ts';
import { eventually } from '../gateway.ts';
import { readPayment, start, startCompleted, waitForOperators, waitForPayment } from '../payments.ts';
import { openTestStore, type TestStore } from '../store/open-store.ts';
import { openOperatorGateway, requestFor, type OperatorGateway } from './operator-gateway.ts';
import { openStage, type Stage } from './stage.ts';

const README = new URL('../../src/connectors/orange-sonatel/README.md', import.meta.url);
const TRIAL = { name: 'orange-sonatel', provider: 'ORANGE_SEN', title: 'orange-sonatel' };

/** What clients of Sonatel's API list. */
const CODES =
  `1 10 11 20 21 22 25 50 51 2000 2001 2010 2011 2012 2013 2020 2021 2022 2023 2041 2042 4003 4004 4099`.split(
    ' ',
  );

describe('codes', () => {
  const page = readFileSync(README, 'utf8');
  const rows = readTextTable(page.slice(page.indexOf('| Code |'))).flatMap(
    ([, codes = '', , deposit = '', transfer = '']) =>
      [...codes.matchAll(/`(\d+)`/g)].map(([, code = '']) => ({ code, deposit, transfer })),
  );

  test('every known code is in the README once', () => {
    expect(rows.map(({ code }) => code).toSorted()).toEqual(CODES.toSorted());
  });

  test.each(rows)('$code is $deposit of a deposit and $transfer otherwise', ({ code, deposit, transfer }) => {
    expect(wordFor(code, 'DEPOSIT')).toBe(deposit.replace(/:.*/, ''));
    for (const kind of ['PAYOUT', 'REFUND'] as const) {
      expect(wordFor(code, kind)).toBe(transfer.replace(/:.*/, ''));
    }
  });

  test.each(['', 'toString', '02020', '2999'])('%j is not mapped', (code) => {
    expect(parseCode(code, 'DEPOSIT')).toBeNull();
  });
});

function wordFor(code: string, kind: PaymentKind): string | null {
  const meaning = parseCode(code, kind);
  if (meaning === null) return null;
  if (meaning.type === 'NOT_FINAL') return 'not final';
  return meaning.isAlert === true ? 'Host' : meaning.code;
}

const deposit = {
  reference: '00017c2f-9c3b-4d41-8a55-0f6b7c1d2e3f',
  operation: 'DEPOSIT' as PaymentKind,
  provider: 'ORANGE_SEN',
  country: 'SEN',
  amount: 1_000_000n,
  currency: 'XOF',
  phoneNumber: '221773456789',
  customerMessage: 'Chez Élise',
  notificationUrl: 'https://gateway.example/n',
  attemptNo: 1,
  claimedAt: new Date(),
};
const payout = { ...deposit, operation: 'PAYOUT' as const };

const done = {
  transactionId: 'MP260223.0012.B07597',
  status: 'SUCCESS',
  reference: deposit.reference,
  amount: { value: 100, unit: 'XOF' },
  customer: { idType: 'MSISDN', id: '773456789' },
};

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
  const failed = { ...done, status: 'FAILED' };
  test.each([
    ['a success', 200, [done], 'COMPLETED'],
    ['a success inside an object', 200, { content: [done] }, 'COMPLETED'],
    ['PRE_INITIATED', 200, [{ ...done, status: 'PRE_INITIATED' }], 'PENDING'],
    ['INITIATED', 200, [{ ...done, status: 'INITIATED' }], 'PENDING'],
    ['PENDING', 200, [{ ...done, status: 'PENDING' }], 'PENDING'],
    ['ACCEPTED', 200, [{ ...done, status: 'ACCEPTED' }], 'PENDING'],
    ['FAILED without a code', 200, [failed], 'FAILED UNSPECIFIED_FAILURE'],
    ['REJECTED without a code', 200, [{ ...done, status: 'REJECTED' }], 'FAILED UNSPECIFIED_FAILURE'],
    ['CANCELLED without a code', 200, [{ ...done, status: 'CANCELLED' }], 'FAILED PAYMENT_NOT_APPROVED'],
    ['a code that is a text', 200, [{ ...failed, code: '2020' }], 'FAILED INSUFFICIENT_BALANCE'],
    ['a code that is a number', 200, [{ ...failed, code: 2020 }], 'FAILED INSUFFICIENT_BALANCE'],
    ['a code no one knows', 200, [{ ...failed, code: '2999' }], 'FAILED UNSPECIFIED_FAILURE'],
    ['a code that is no end', 200, [{ ...failed, code: '51' }], 'UNKNOWN OPERATOR_ERROR'],
    ['a status no one knows', 200, [{ ...done, status: 'PAUSED' }], 'UNKNOWN UNMAPPED_CODE'],
    ['one without a status', 200, [{ ...done, status: null }], 'UNKNOWN UNREADABLE_ANSWER'],
    ['a success without a receipt', 200, [{ ...done, transactionId: '' }], 'UNKNOWN UNREADABLE_ANSWER'],
    ['a success with an odd amount', 200, [{ ...done, amount: 100 }], 'UNKNOWN UNREADABLE_ANSWER'],
    ['one that failed and one that did not', 200, [failed, done], 'COMPLETED'],
    ['D: no transaction, which proves nothing', 200, [], 'PENDING'],
    ["only others' transactions", 200, [{ ...done, reference: 'other' }], 'UNKNOWN UNREADABLE_ANSWER'],
    ['no list', 200, {}, 'UNKNOWN UNREADABLE_ANSWER'],
    ['a page', 200, '<html>', 'UNKNOWN UNREADABLE_ANSWER'],
    ["a proxy's not found", 404, '<html>', 'UNKNOWN OPERATOR_ERROR'],
    ['access that was taken away', 403, { code: '11' }, 'UNKNOWN OPERATOR_ERROR'],
  ])('%s', (_title, httpStatus, body, expected) => {
    expect(wordsOf(parseStatusAnswer(answerOf(httpStatus, body), deposit).outcome)).toBe(expected);
  });

  test.each([
    ['a success', 200, { status: 'SUCCESS' }, 'COMPLETED'],
    ['a success that names the transaction', 200, done, 'COMPLETED'],
    ['another transaction', 200, { ...done, transactionId: 'MP1' }, 'UNKNOWN UNREADABLE_ANSWER'],
    ['another reference', 200, { ...done, reference: 'other' }, 'UNKNOWN UNREADABLE_ANSWER'],
    ['a failure', 200, { status: 'FAILED', code: '2020' }, 'FAILED INSUFFICIENT_BALANCE'],
    ['not found', 404, { code: '20' }, 'UNKNOWN OPERATOR_ERROR'],
    ['a list', 200, [], 'UNKNOWN UNREADABLE_ANSWER'],
  ])('D: by the operator\'s own identifier is never "not seen": %s', (_title, httpStatus, body, expected) => {
    const acknowledged = { ...deposit, providerReference: done.transactionId };
    expect(enquiryPathOf(acknowledged)).toBe(`/api/eWallet/v1/transactions/${done.transactionId}/status`);
    expect(wordsOf(parseStatusAnswer(answerOf(httpStatus, body), acknowledged).outcome)).toBe(expected);
  });

  test('D: a definite failure with an unknown code raises an alert that names it', () => {
    const answer = answerOf(200, [{ ...failed, code: '2999' }]);
    expect(parseStatusAnswer(answer, deposit).alert).toBe('UNMAPPED_2999');
  });

  test('a cancelled cash-in is not one that a payer did not approve', () => {
    const answer = answerOf(200, [{ ...done, status: 'CANCELLED' }]);
    expect(wordsOf(parseStatusAnswer(answer, payout).outcome)).toBe('FAILED OTHER_ERROR');
  });

  test.each(['773456789', '221773456789'])('a success with %s tells the whole number', (id) => {
    const answer = answerOf(200, [{ ...done, customer: { id } }]);
    expect(parseStatusAnswer(answer, deposit).outcome).toEqual({
      type: 'COMPLETED',
      providerTransactionId: 'MP260223.0012.B07597',
      moved: { amount: 1_000_000n, currency: 'XOF', phoneNumber: '221773456789' },
    });
  });

  test('access that was taken away raises an alert for the host', () => {
    expect(parseStatusAnswer(answerOf(403, { code: 11 }), deposit).alert).toBe('11');
  });
});

describe('the answer to a request', () => {
  const { transactionId, reference } = done;
  test.each([
    [201, { transactionId, reference, status: 'INITIATED' }, 'PENDING', undefined],
    [200, { transactionId, reference, status: 'SUCCESS' }, 'COMPLETED', undefined],
    [200, { transactionId, reference: 'other', status: 'SUCCESS' }, 'UNKNOWN UNREADABLE_ANSWER', undefined],
    [200, {}, 'UNKNOWN UNREADABLE_ANSWER', undefined],
    [200, '<html>', 'UNKNOWN UNREADABLE_ANSWER', undefined],
    [400, { code: '2000' }, 'FAILED PAYER_NOT_FOUND', undefined],
    [400, [{ code: '2000', detail: 'in a list' }], 'FAILED PAYER_NOT_FOUND', undefined],
    [400, { code: 2011 }, 'FAILED OTHER_ERROR', '2011'],
    [400, { detail: 'Invalid code' }, 'UNKNOWN OPERATOR_ERROR', undefined],
    [400, { code: '2999' }, 'UNKNOWN OPERATOR_ERROR', undefined],
    [500, { code: '50' }, 'UNKNOWN OPERATOR_ERROR', undefined],
    [503, '', 'UNKNOWN OPERATOR_ERROR', undefined],
  ])('%s with %j is %s', (httpStatus, body, expected, alert) => {
    const answer = parseSubmitAnswer(answerOf(httpStatus, body), deposit);
    expect([wordsOf(answer.outcome), answer.alert]).toEqual([expected, alert]);
  });
});

describe('a request', () => {
  const common = {
    amount: { value: 100, unit: 'XOF' },
    reference: deposit.reference,
    receiveNotification: true,
  };
  const customer = { idType: 'MSISDN', id: '773456789', walletType: 'PRINCIPAL' };

  test("with the payer's code names the merchant by its code", () => {
    const order = { ...deposit, preAuthorisationCode: '482915' };
    expect(JSON.parse(renderRequest(order, { merchantCode: '490132' }))).toEqual({
      ...common,
      customer: { ...customer, otp: '482915' },
      partner: { idType: 'CODE', id: '490132' },
      metadata: { operation: 'DEPOSIT' },
    });
  });

  test('without one is begun with the PIN of the merchant', () => {
    expect(JSON.parse(renderRequest(deposit, { number: '771234567', encryptedPinCode: 'c2VhbGVk' }))).toEqual(
      {
        ...common,
        method: 'CLASSIC',
        customer,
        partner: { idType: 'MSISDN', id: '771234567', walletType: 'PRINCIPAL', encryptedPinCode: 'c2VhbGVk' },
        metadata: { operation: 'DEPOSIT' },
      },
    );
  });

  test('that sends money never carries a code', () => {
    const order = { ...payout, preAuthorisationCode: '482915' };
    const rendered = renderRequest(order, { number: '771234567', encryptedPinCode: 'c2VhbGVk' });
    expect(JSON.parse(rendered)).toMatchObject({ customer, metadata: { operation: 'PAYOUT' } });
    expect(rendered).not.toContain('482915');
  });
});

describe('the PIN', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const bare = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const whole = publicKey.export({ format: 'pem', type: 'spki' }).toString();

  test.each([
    ['bare', bare],
    ['with the lines around it', whole],
  ])('the PIN is encrypted with a key that comes %s', (_title, key) => {
    const read = parseKeyAnswer(answerOf(200, { keyId: '1', keyType: 'RSA', key }));
    const encrypted = Buffer.from(encryptPin('4829', read!), 'base64');
    expect(encrypted).toHaveLength(256);
    const padding = constants.RSA_PKCS1_PADDING;
    expect(privateDecrypt({ key: privateKey, padding }, encrypted).toString()).toBe('4829');
  });

  test.each([
    [200, { key: 'no key' }],
    [200, {}],
    [200, '<html>'],
    [503, { key: bare }],
  ])('the PIN is not sent where the answer is %s with %j', (httpStatus, body) => {
    expect(parseKeyAnswer(answerOf(httpStatus, body))).toBeNull();
  });
});

describe('a callback', () => {
  const { reference } = deposit;
  const secret = 'endpoint secret';
  type How = {
    readonly by?: string;
    readonly known?: string | undefined;
    readonly pathReference?: string;
    /** The API key that the host entered, and the one that the callback carries. */
    readonly key?: string;
    readonly carried?: string;
  };
  const read = (message: object, how: How = {}) => {
    const { by = secret, pathReference } = how;
    const body = Buffer.from(JSON.stringify(message));
    const signature = timedSignatureOf(body, { secret: by, separator: ',', at: new Date() });
    const path = pathReference === undefined ? {} : { pathReference };
    const headers = { 'x-sonatel-signature': signature };
    const raw = { body, headers, ...path, pathSecretIsGenuine: true, receivedAt: new Date() };
    const known = 'known' in how ? how.known : secret;
    const { key, carried = key } = how;
    const authorization = carried === undefined ? {} : { authorization: `Basic ${carried}` };
    return readNotification(
      { ...raw, headers: { ...headers, ...authorization } },
      {
        ...(known === undefined ? {} : { webhookSecret: known }),
        ...(key === undefined ? {} : { callbackApiKey: key }),
      },
    );
  };

  test.each([
    ['a success', done, { type: 'COMPLETED' }],
    [
      'a failure',
      { ...done, status: 'FAILED', code: '2021' },
      { type: 'FAILED', code: 'INSUFFICIENT_BALANCE' },
    ],
    [
      'a cash-in that failed',
      { ...done, type: 'CASHIN', status: 'FAILED', code: '2000' },
      { type: 'FAILED', code: 'RECIPIENT_NOT_FOUND' },
    ],
  ])('that is signed is accepted: %s', (_title, message, outcome) => {
    expect(read(message, { pathReference: reference })).toMatchObject({
      type: 'AUTHENTIC',
      reference,
      outcome,
    });
    expect(read(message)).toMatchObject({ type: 'AUTHENTIC', reference, outcome });
  });

  test.each([
    ['that tells no end', { ...done, status: 'PENDING' }, {}],
    ['with a code that is no end', { ...done, status: 'FAILED', code: '51' }, {}],
    ['about another payment than its address', { ...done, reference: 'other' }, { pathReference: reference }],
    ['of a host that does not know the secret', done, { known: undefined }],
  ])('%s only makes us ask', (_title, message, how) => {
    expect(read(message, how)).toEqual({ type: 'HINT', reference });
  });

  test('D: a callback must carry the API key where the host has entered one', () => {
    expect(read(done, { key: 'a2V5' })).toMatchObject({ type: 'AUTHENTIC' });
    expect(read(done, { key: 'a2V5', carried: 'b3RoZXI=' })).toEqual({
      type: 'HINT',
      reference,
      isForged: true,
    });
  });

  test('with a wrong signature is forged', () => {
    expect(read(done, { by: 'another secret' })).toEqual({ type: 'HINT', reference, isForged: true });
  });

  test('without a reference cannot be read', () => {
    expect(read({ status: 'SUCCESS' })).toEqual({ type: 'UNREADABLE' });
  });
});

describe('over HTTP', () => {
  let store: TestStore;
  let stage: Stage;
  beforeAll(async () => {
    store = await openTestStore();
  });
  beforeEach(async () => {
    stage = await openStage(TRIAL, store);
  });
  afterEach(() => stage.stop());
  afterAll(() => store.stop());

  const OPEN = { isOpen: () => true };
  const submit = (changes: Parameters<Stage['order']>[0]) =>
    stage.connector.submit(stage.order(changes), OPEN);

  test("a payer's code is paid in the answer, once", async () => {
    const preAuthorisationCode = '482915';
    expect((await submit({ preAuthorisationCode })).outcome.type).toBe('COMPLETED');
    expect(wordsOf((await submit({ preAuthorisationCode })).outcome)).toBe('UNKNOWN OPERATOR_ERROR');
    expect(stage.fake.books().charges).toHaveLength(1);
    // It is recorded behind the answer.
    const readTraffic = async () => JSON.stringify(await stage.traffic!());
    await expect.poll(readTraffic).toContain('/payments/onestep');
    expect(await readTraffic()).not.toContain(preAuthorisationCode);
  });

  test('a key that was withdrawn is asked for again, and the payout is made once', async () => {
    await submit({ operation: 'PAYOUT' });
    stage.advance(24 * 3_600_000);
    expect((await submit({ operation: 'PAYOUT' })).outcome.type).toBe('COMPLETED');
    expect(stage.fake.books().charges).toHaveLength(2);
    const keys = async () => (await stage.traffic!()).filter(({ step }) => step === 'key').length;
    await eventually(keys).toBe(2);
  });

  test.each([
    ['DEPOSIT', '2000', 'PAYER_NOT_FOUND'],
    ['DEPOSIT', '2021', 'INSUFFICIENT_BALANCE'],
    ['PAYOUT', '2023', 'WALLET_LIMIT_REACHED'],
  ] as const)('a %s that is refused with %s is FAILED %s', async (operation, failureCode, expected) => {
    stage.fake.addFault({ type: 'OUTCOME', status: 'FAILED', failureCode });
    const answer = await submit({ operation, preAuthorisationCode: '482915' });
    expect(wordsOf(answer.outcome)).toBe(`FAILED ${expected}`);
  });

  test('the balance of a merchant account is not reported', async () => {
    expect(await stage.connector.balance!(stage.order())).toEqual({ type: 'NOT_ASKED' });
  });
});

describe('through the gateway', () => {
  let gateway: OperatorGateway;
  beforeEach(async () => {
    gateway = await openOperatorGateway(TRIAL);
  });
  afterEach(() => gateway.stop());

  const request = () => ({ ...requestFor(gateway, 'deposit'), preAuthorisationCode: '482915' });

  test('D: a refusal without a code we know is never concluded from an empty search: a person decides', async () => {
    await startCompleted(gateway, 'deposit', request());
    const id = await start(gateway, 'deposit', { ...request(), depositId: crypto.randomUUID() });
    await waitForOperators(gateway, [id]);
    await gateway.gateway.movableClock!.move(15 * 60_000);
    await eventually(async () => (await readPayment(gateway, 'deposit', id))['status']).toBe('PROCESSING');
    await gateway.gateway.movableClock!.move(60 * 60_000);
    await waitForPayment(gateway, 'deposit', id, 'IN_RECONCILIATION');
    expect(gateway.fake.books().charges).toHaveLength(1);
  });
});
