// The standard's words and forms, as the connector's README lists them, and the ways that its operators differ. What is
// the same for every connector is in contract.ts.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OPERATORS } from '../../src/connectors/registry.ts';
import { readFileSync } from 'node:fs';
import { alpha2Of } from '../../src/connectors/gsma/countries.ts';
import { parseError } from '../../src/connectors/gsma/failures.ts';
import { outcomeWordOf } from '../../src/connectors/gsma/status-words.ts';
import {
  firstResourceOf,
  isTokenRefusal,
  parseBalanceAnswer,
  parseEnquiry,
  parseSubmitAnswer,
  renderRequest,
  renderReversal,
  type Resource,
} from '../../src/connectors/gsma/wire.ts';
import type { StoredAttempt, SubmitAnswer } from '../../src/connectors/port.ts';
import countries from '../../src/domain/catalogue/countries.json' with { type: 'json' };
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import { readTextTable } from '../domain/text-table.ts';
import { smallest, startCompleted } from '../payments.ts';
import { remittanceRecipient, remittanceRequest } from '../requests.ts';
import { openTestStore, type TestStore } from '../store/open-store.ts';
import { openOperatorGateway } from './operator-gateway.ts';
import { eventually } from './receiver.ts';
import { openStage, phoneNumberOf, type Stage } from './stage.ts';

const README = new URL('../../src/connectors/gsma/README.md', import.meta.url);

/** The enumeration of version 1.2; `genericError` by each category that has it. */
const ERRORS = `
  businessRule.genericError validation.genericError internal.genericError serviceUnavailable.genericError
  dailyVolumeLimitExceeded dailyValueLimitExceeded weeklyVolumeLimitExceeded weeklyValueLimitExceeded
  monthlyVolumeLimitExceeded monthlyValueLimitExceeded accountMaxTotalVolumeExceeded accountMaxTotalValueExceeded
  lessThanTransactionMinValue greaterThanTransactionMaxValue maxBalanceExceeded samePartiesError duplicateRequest
  insufficientFunds incorrectState underPaymentNotAllowed overPaymentNotAllowed rateLimitError transactionTypeError
  noMandateAuthority linkViolation countryofOriginNotPermitted nationalityNotPermitted idDocumentNotSupported
  issuingCountryNotSupported quoteHasExpired identifierError lengthError formatError negativeValue currencyNotSupported
  mandatoryValueNotSupplied invalidOffset clientAuthorisationError requestDeclined servicingPartyAuthorisationError
  requestingPartyAuthorisationError`
  .trim()
  .split(/\s+/);

describe('errors', () => {
  const page = readFileSync(README, 'utf8');
  const rows = readTextTable(page.slice(page.indexOf('| Error |'))).flatMap(
    ([, errors = '', deposit = '', payout = '', refund = '']) =>
      [...errors.matchAll(/`([\w.]+)`/g)].map(([, error = '']) => ({ error, deposit, payout, refund })),
  );

  test('each of the 38 stands in the README once', () => {
    expect(rows.map(({ error }) => error).toSorted()).toEqual(ERRORS.toSorted());
    expect(new Set(ERRORS.map((error) => error.split('.').at(-1))).size).toBe(38);
  });

  test.each(rows)('$error is $deposit of a deposit, $payout of a payout, $refund of a refund', (row) => {
    const { error, deposit, payout, refund } = row;
    expect(wordFor(error, 'DEPOSIT')).toBe(deposit.replace(/:.*/, ''));
    for (const kind of ['PAYOUT', 'REMITTANCE'] as const) {
      expect(wordFor(error, kind)).toBe(payout.replace(/:.*/, ''));
    }
    expect(wordFor(error, 'REFUND')).toBe(refund.replace(/:.*/, ''));
  });

  test('GSMA errors are read with a capital letter too, and with a space in the category', () => {
    expect(wordFor('BusinessRule.GenericError', 'DEPOSIT')).toBe('UNSPECIFIED_FAILURE');
    expect(wordFor('Service Unavailable.GenericError', 'DEPOSIT')).toBe('not final');
    expect(wordFor('InsufficientFunds', 'DEPOSIT')).toBe('INSUFFICIENT_BALANCE');
  });

  test.each(['', 'toString', 'authorisation.genericError', 'insufficient'])('%j is not mapped', (error) => {
    expect(wordFor(error, 'DEPOSIT')).toBeNull();
  });
});

function wordFor(error: string, kind: PaymentKind): string | null {
  const [code = '', category = 'businessRule'] = error.split('.').toReversed();
  const meaning = parseError({ category, code }, kind);
  if (meaning === null) return null;
  if (meaning.type === 'NOT_FINAL') return 'not final';
  return meaning.isAlert === true ? 'Host' : meaning.code;
}

const attempt: StoredAttempt = {
  reference: '00017c2f-9c3b-4d41-8a55-0f6b7c1d2e3f',
  operation: 'DEPOSIT',
  provider: 'ZAMTEL_ZMB',
  country: 'ZMB',
  amount: 1_505_000n,
  currency: 'ZMW',
  phoneNumber: '260953456789',
  customerMessage: 'Thank you',
  notificationUrl: 'https://gateway.example/n',
  attemptNo: 1,
  claimedAt: new Date(),
};

const transaction = {
  transactionReference: 'REF-1',
  requestingOrganisationTransactionReference: attempt.reference,
  transactionStatus: 'completed',
  amount: '150.50',
  currency: 'ZMW',
  debitParty: [
    { key: 'accountid', value: '77' },
    { key: 'msisdn', value: '+260953456789' },
  ],
  creditParty: [{ key: 'accountid', value: '12' }],
};

const answer = (httpStatus: number, body: unknown) => ({
  httpStatus,
  text: typeof body === 'string' ? body : JSON.stringify(body),
});
const error = (errorCode: string, errorCategory = 'businessRule') => ({ errorCategory, errorCode });
const textOf = ({ outcome, alert }: SubmitAnswer) => {
  const word = 'code' in outcome ? outcome.code : 'reason' in outcome ? outcome.reason : '';
  return [outcome.type, word, alert === undefined ? '' : `(${alert})`]
    .filter((part) => part !== '')
    .join(' ');
};

describe('the answer to a request', () => {
  const state = { serverCorrelationId: 'b7c1', status: 'pending', notificationMethod: 'callback' };

  test.each([
    ['202 with the state of the request', 202, state, 'PENDING', 'requeststates/b7c1'],
    [
      'a state that is completed already',
      200,
      { ...state, status: 'completed' },
      'PENDING',
      'requeststates/b7c1',
    ],
    [
      'a state that failed already',
      202,
      { ...state, status: 'failed', errorReference: error('insufficientFunds') },
      'FAILED INSUFFICIENT_BALANCE',
      'requeststates/b7c1',
    ],
    [
      'a state no one knows',
      202,
      { ...state, status: 'parked' },
      'UNKNOWN UNMAPPED_CODE',
      'requeststates/b7c1',
    ],
    [
      'a state without a status',
      202,
      { serverCorrelationId: 'b7c1' },
      'UNKNOWN UNREADABLE_ANSWER',
      'requeststates/b7c1',
    ],
    ['an id that cannot be kept', 202, { ...state, serverCorrelationId: 'a b' }, 'PENDING', undefined],
    ['201 with the transaction', 201, transaction, 'COMPLETED', 'transactions/REF-1'],
    [
      'a transaction that waits',
      201,
      { ...transaction, transactionStatus: 'pending' },
      'PENDING',
      'transactions/REF-1',
    ],
    ['a repeat', 400, error('DuplicateRequest', 'BusinessRule'), 'PENDING', undefined],
    ['a known code', 400, error('insufficientFunds'), 'FAILED INSUFFICIENT_BALANCE', undefined],
    [
      'a payer who declined',
      401,
      error('requestDeclined', 'authorisation'),
      'FAILED PAYMENT_NOT_APPROVED',
      undefined,
    ],
    [
      'keys that are refused',
      401,
      error('clientAuthorisationError', 'authorisation'),
      'FAILED OTHER_ERROR (clientAuthorisationError)',
      undefined,
    ],
    ['an unknown code', 400, error('somethingNew'), 'UNKNOWN UNMAPPED_CODE', undefined],
    ['too many requests', 400, error('rateLimitError'), 'UNKNOWN OPERATOR_ERROR', undefined],
    ['a known code with a 5xx', 500, error('insufficientFunds'), 'UNKNOWN OPERATOR_ERROR', undefined],
    ["a proxy's refusal", 403, '<html>', 'UNKNOWN OPERATOR_ERROR (UNAUTHORISED)', undefined],
    ['a page', 200, '<html>', 'UNKNOWN UNREADABLE_ANSWER', undefined],
    ['an empty object', 202, {}, 'UNKNOWN UNREADABLE_ANSWER', undefined],
  ])('%s', (_title, httpStatus, body, expected, reference) => {
    const told = parseSubmitAnswer(answer(httpStatus, body), attempt, '');
    expect(textOf(told)).toBe(expected);
    expect(told.providerReference).toBe(reference);
  });

  test('a 401 is the token only where the client is meant or nothing is said', () => {
    expect(isTokenRefusal(answer(401, ''))).toBe(true);
    expect(isTokenRefusal(answer(401, error('ClientAuthorisationError', 'Authorisation')))).toBe(true);
    expect(isTokenRefusal(answer(401, error('requestDeclined', 'authorisation')))).toBe(false);
    expect(isTokenRefusal(answer(400, error('clientAuthorisationError')))).toBe(false);
  });
});

describe('an enquiry', () => {
  const told = (asked: Resource['kind'], httpStatus: number, body: unknown, words = '') => {
    const enquired = parseEnquiry({ kind: asked, id: 'x' }, answer(httpStatus, body), { attempt, words });
    return 'next' in enquired ? `next ${enquired.next.kind}/${enquired.next.id}` : textOf(enquired);
  };
  const notFound = error('identifierError', 'identification');

  test.each([
    ['requeststates', 200, { status: 'pending' }, 'PENDING'],
    ['requeststates', 200, { status: 'completed', objectReference: 'REF-1' }, 'next transactions/REF-1'],
    ['requeststates', 200, { status: 'completed' }, `next responses/${attempt.reference}`],
    [
      'requeststates',
      200,
      { status: 'failed', errorReference: error('requestDeclined') },
      'FAILED PAYMENT_NOT_APPROVED',
    ],
    ['requeststates', 200, { status: 'failed' }, 'FAILED UNSPECIFIED_FAILURE'],
    [
      'requeststates',
      200,
      { status: 'failed', errorReference: error('new') },
      'FAILED UNSPECIFIED_FAILURE (UNMAPPED_new)',
    ],
    [
      'requeststates',
      200,
      { status: 'failed', errorReference: error('genericError', 'serviceUnavailable') },
      'UNKNOWN OPERATOR_ERROR',
    ],
    ['requeststates', 404, notFound, `next responses/${attempt.reference}`],
    ['requeststates', 404, '', 'UNKNOWN OPERATOR_ERROR'],
    ['responses', 404, notFound, 'NOT_SEEN'],
    ['responses', 404, '<html>', 'UNKNOWN OPERATOR_ERROR'],
    [
      'responses',
      401,
      error('clientAuthorisationError'),
      'UNKNOWN OPERATOR_ERROR (clientAuthorisationError)',
    ],
    ['responses', 200, { link: '/transactions/REF-1' }, 'next transactions/REF-1'],
    [
      'responses',
      200,
      { link: 'https://other.example/1.2/mm/Transactions/REF-1/' },
      'next transactions/REF-1',
    ],
    ['responses', 200, { link: '/requeststates/b7c1' }, 'next requeststates/b7c1'],
    ['responses', 200, { link: 'https://other.example/evil' }, 'UNKNOWN UNREADABLE_ANSWER'],
    ['responses', 200, {}, 'UNKNOWN UNREADABLE_ANSWER'],
    ['transactions', 404, notFound, 'UNKNOWN OPERATOR_ERROR'],
    ['transactions', 200, transaction, 'COMPLETED'],
    ['transactions', 200, { ...transaction, transactionStatus: 'failed' }, 'FAILED UNSPECIFIED_FAILURE'],
    ['transactions', 200, { ...transaction, transactionStatus: 'Paid' }, 'UNKNOWN UNMAPPED_CODE'],
    ['transactions', 200, { ...transaction, transactionReference: '' }, 'UNKNOWN UNREADABLE_ANSWER'],
    ['transactions', 200, { ...transaction, amount: undefined }, 'UNKNOWN UNREADABLE_ANSWER'],
    [
      'transactions',
      200,
      { ...transaction, requestingOrganisationTransactionReference: 'other' },
      'UNKNOWN UNREADABLE_ANSWER',
    ],
  ] as const)('of %s answered %i with %j: %s', (asked, httpStatus, body, expected) => {
    expect(told(asked, httpStatus, body)).toBe(expected);
  });

  test('a status is read in the words of the account', () => {
    const body = { ...transaction, transactionStatus: 'Paid' };
    expect(told('transactions', 200, body, 'completed=success,paid failed=voided')).toBe('COMPLETED');
    expect(outcomeWordOf('voided', 'completed=success failed=voided')).toBe('failed');
    expect(outcomeWordOf('completed', 'failed=voided')).toBe('completed');
    // What the account maps to nothing we know stays unknown.
    expect(outcomeWordOf('voided', 'gone=voided')).toBeNull();
  });

  test('a success has receipt, amount, currency and party', () => {
    const asked = { kind: 'transactions', id: 'REF-1' } as const;
    const completed = parseEnquiry(asked, answer(200, transaction), { attempt, words: '' });
    expect(completed).toMatchObject({
      outcome: {
        type: 'COMPLETED',
        providerTransactionId: 'REF-1',
        moved: { amount: 1_505_000n, currency: 'ZMW', phoneNumber: '260953456789' },
      },
    });
  });

  test('a number in its national form is left out, and so is the amount of a reversal that has none', () => {
    const { amount: _amount, currency: _currency, ...rest } = transaction;
    const body = { ...rest, creditParty: [{ key: 'msisdn', value: '0953456789' }] };
    const refund = { ...attempt, operation: 'REFUND' } as const;
    const asked = { kind: 'transactions', id: 'REF-1' } as const;
    expect(parseEnquiry(asked, answer(200, body), { attempt: refund, words: '' })).toMatchObject({
      outcome: { type: 'COMPLETED', moved: {} },
    });
  });

  test.each([
    [undefined, { kind: 'responses', id: attempt.reference }],
    ['any', { kind: 'responses', id: attempt.reference }],
    ['requeststates/b7c1', { kind: 'requeststates', id: 'b7c1' }],
    ['transactions/REF-1', { kind: 'transactions', id: 'REF-1' }],
  ])('an enquiry begins, with %j kept of the answer, at %j', (providerReference, expected) => {
    const stored = providerReference === undefined ? attempt : { ...attempt, providerReference };
    expect(firstResourceOf(stored)).toEqual(expected);
  });
});

describe('what goes out', () => {
  const own = { key: 'accountid', value: '12' };

  test('a deposit names the payer as debit party, and the code', () => {
    expect(JSON.parse(renderRequest({ ...attempt, preAuthorisationCode: '482915' }, own))).toEqual({
      amount: '150.5',
      currency: 'ZMW',
      descriptionText: 'Thank you',
      requestingOrganisationTransactionReference: attempt.reference,
      debitParty: [{ key: 'msisdn', value: '+260953456789' }],
      creditParty: [own],
      oneTimeCode: '482915',
    });
  });

  test('a payout names the recipient as credit party', () => {
    expect(JSON.parse(renderRequest({ ...attempt, operation: 'PAYOUT' }, own))).toMatchObject({
      debitParty: [own],
      creditParty: [{ key: 'msisdn', value: '+260953456789' }],
    });
  });

  test('a remittance names who sends it and who receives it, with countries in two letters', () => {
    const { sender, recipient } = remittanceRequest();
    const order = {
      ...attempt,
      operation: 'REMITTANCE',
      sender,
      recipient: recipient.recipientDetails,
    } as const;
    expect(JSON.parse(renderRequest(order, own))).toMatchObject({
      debitParty: [own],
      creditParty: [{ key: 'msisdn', value: '+260953456789' }],
      senderKyc: {
        nationality: 'RW',
        birthCountry: 'RW',
        dateOfBirth: '1988-02-29',
        gender: 'f',
        occupation: 'Nurse',
        contactPhone: '+32470123456',
        idDocument: [{ idType: 'passport', idNumber: 'PC123456' }],
        postalAddress: { addressLine1: 'Rue Neuve 1', city: 'Brussels', postalCode: '1000', country: 'BE' },
        subjectName: { firstName: 'Aline', lastName: 'Uwase', fullName: 'Aline Uwase' },
      },
      recipientKyc: { subjectName: { firstName: 'Eric', lastName: 'Uwase' } },
      internationalTransferInformation: {
        originCountry: 'BE',
        receivingCountry: 'ZM',
        remittancePurpose: 'family support',
        relationshipSender: 'sister',
      },
    });
  });

  test('a residence permit is another document, and omitted sender fields are left out', () => {
    const { sender } = remittanceRequest();
    const { firstName, lastName, address } = sender.senderDetails;
    const senderDetails = {
      firstName,
      lastName,
      address,
      identification: { type: 'RESIDENCE_PERMIT', number: 'R-77' },
    };
    const order = { ...attempt, operation: 'REMITTANCE', sender: { ...sender, senderDetails } } as const;
    const { senderKyc, recipientKyc } = JSON.parse(renderRequest(order, own));
    expect(Object.keys(senderKyc).toSorted()).toEqual(['idDocument', 'postalAddress', 'subjectName']);
    expect(senderKyc.idDocument).toEqual([
      { idType: 'otherid', otherIdDescription: 'residence permit', idNumber: 'R-77' },
    ]);
    expect(recipientKyc).toBeUndefined();
  });

  test('every country of the catalogue, and the world beside it, has its two letters', () => {
    for (const { alpha3, alpha2 } of countries) expect(alpha2Of(alpha3)).toBe(alpha2);
    expect(['GBR', 'USA', 'DEU', 'XXX'].map(alpha2Of)).toEqual(['GB', 'US', 'DE', undefined]);
  });

  test('a reversal names its type and what of the transaction is to be undone', () => {
    expect(JSON.parse(renderReversal(attempt))).toMatchObject({
      type: 'reversal',
      amount: '150.5',
      currency: 'ZMW',
    });
  });
});

test.each([
  [{ availableBalance: '90.00', currentBalance: '100.00', currency: 'ZMW' }, 900_000n],
  [{ currentBalance: '100.00' }, 1_000_000n],
  [{ currentBalance: '100.00', currency: 'USD' }, null],
  [{}, null],
])('the balance %j is %s', (body, amount) => {
  const expected = amount === null ? { type: 'UNKNOWN' } : { type: 'BALANCE', amount };
  expect(parseBalanceAnswer(answer(200, body), 'ZMW')).toEqual(expected);
});

const stored = (order: ReturnType<Stage['order']>, submitted?: SubmitAnswer): StoredAttempt => ({
  ...order,
  attemptNo: 1,
  claimedAt: new Date(),
  ...(submitted?.providerReference === undefined ? {} : { providerReference: submitted.providerReference }),
});

describe('over the wire', () => {
  const OPEN = { isOpen: () => true };
  let store: TestStore;
  let stage: Stage;
  beforeAll(async () => {
    store = await openTestStore();
  });
  afterEach(() => stage.stop());
  afterAll(() => store.stop());

  describe('an operator that answers at once, and takes Basic', () => {
    beforeEach(async () => {
      stage = await openStage({ name: 'gsma', provider: 'TNM_MWI', title: 'gsma' }, store);
    });

    test('an operator that answers at once, and takes Basic, gives the end in its answer, and by our reference where that is lost', async () => {
      const { connector, fake } = stage;
      expect((await connector.submit(stage.order(), OPEN)).outcome).toMatchObject({ type: 'COMPLETED' });
      const lost = stage.order({ operation: 'PAYOUT' });
      fake.addFault({ type: 'LOSE_ANSWER', step: 'submit' });
      expect((await connector.submit(lost, OPEN)).outcome).toEqual({ type: 'UNKNOWN', reason: 'NO_ANSWER' });
      expect((await connector.query!(stored(lost))).outcome).toMatchObject({ type: 'COMPLETED' });
      const steps = (await stage.traffic!()).map(({ step }) => step);
      expect(steps).not.toContain('token');
    });

    test('a payer who declines ends it, though a 401 says so: the request is not sent again', async () => {
      const { connector, fake } = stage;
      fake.addFault({ type: 'OUTCOME', status: 'FAILED', failureCode: 'requestDeclined' });
      const { outcome } = await connector.submit(stage.order(), OPEN);
      expect(outcome).toEqual({ type: 'FAILED', code: 'PAYMENT_NOT_APPROVED' });
      expect(fake.books().charges.map(({ submissions }) => submissions)).toEqual([1]);
    });
  });

  test('a lost answer of a payer who waits is not seen, and is found after the payment', async () => {
    stage = await openStage({ name: 'gsma', provider: 'ZAMTEL_ZMB', title: 'gsma' }, store);
    const { connector, fake } = stage;
    const order = stage.order();
    fake.addFault({ type: 'OUTCOME', status: 'SUCCESSFUL', delayMs: 60_000 });
    fake.addFault({ type: 'LOSE_ANSWER', step: 'submit' });
    await connector.submit(order, OPEN);
    expect((await connector.query!(stored(order))).outcome).toEqual({ type: 'NOT_SEEN' });
    // Sent again, it is refused as a repeat and charges no one.
    expect((await connector.submit(order, OPEN)).outcome).toEqual({ type: 'PENDING' });
    stage.advance(60_000);
    expect((await connector.query!(stored(order))).outcome).toMatchObject({ type: 'COMPLETED' });
    expect(fake.books().charges).toHaveLength(1);
  });

  test('a payer of a provider with codes approves with a code', async () => {
    stage = await openStage({ name: 'gsma', provider: 'ORANGE_BFA', title: 'gsma' }, store);
    const { preAuthorisationCode: _code, ...without } = stage.order();
    expect((await stage.connector.submit(without, OPEN)).alert).toBe('mandatoryValueNotSupplied');
    expect((await stage.connector.submit(stage.order(), OPEN)).outcome).toEqual({ type: 'PENDING' });
  });

  test('a remittance is carried, and nothing of its sender is recorded', async () => {
    stage = await openStage({ name: 'gsma', provider: 'ZAMTEL_ZMB', title: 'gsma' }, store);
    const order = stage.order({ operation: 'REMITTANCE' });
    const submitted = await stage.connector.submit(order, OPEN);
    expect((await stage.connector.query!(stored(order, submitted))).outcome).toMatchObject({
      type: 'COMPLETED',
    });
    const readTraffic = async () => JSON.stringify(await stage.traffic!());
    await eventually(readTraffic).toContain('senderKyc');
    const written = await readTraffic();
    expect(
      ['Uwase', 'Rue Neuve', 'PC123456', '32470123456', '1988'].filter((word) => written.includes(word)),
    ).toEqual([]);
  });

  test('D: it lists no provider without evidence, serves those that are bound to it, and redirects no payer', async () => {
    expect(OPERATORS['gsma']?.providers).toEqual([]);
    stage = await openStage({ name: 'gsma', provider: 'ZAMTEL_ZMB', title: 'gsma' }, store);
    const { supports } = stage.connector;
    expect([supports('DEPOSIT', 'MTN_MOMO_RWA'), supports('PAYOUT', 'WAVE_SEN')]).toEqual([true, true]);
    expect([supports('DEPOSIT', 'WAVE_SEN'), supports('DEPOSIT', 'NO_ONE')]).toEqual([false, false]);
  });
});

test('a merchant remits through it, and the operator gets the sender', async () => {
  const gateway = await openOperatorGateway({ name: 'gsma', provider: 'ZAMTEL_ZMB', title: 'gsma' });
  try {
    const recipient = remittanceRecipient('ZAMTEL_ZMB', phoneNumberOf('ZAMTEL_ZMB'));
    // The fake refuses a transfer without its sender.
    await startCompleted(
      gateway,
      'remittance',
      remittanceRequest({ ...smallest('ZAMTEL_ZMB', 'REMITTANCE'), recipient }),
    );
    expect(gateway.fake.books().charges.map(({ operation }) => operation)).toEqual(['REMITTANCE']);
  } finally {
    await gateway.stop();
  }
});
