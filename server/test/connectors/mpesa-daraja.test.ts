// Daraja's words and forms, as its README lists them. Everything that is the same for every operator is in contract.ts,
// and what its fake does with them is in mpesa-daraja-habits.test.ts.
import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseErrorCode, parseResultCode } from '../../src/connectors/mpesa-daraja/failures.ts';
import { securityCredentialOf } from '../../src/connectors/mpesa-daraja/security-credential.ts';
import {
  isTokenRefusal,
  parseEnquiryAnswer,
  parsePushStatus,
  parseSubmitAnswer,
  parseTokenAnswer,
  renderPayout,
  renderPush,
  renderReversal,
  renderStatusEnquiry,
} from '../../src/connectors/mpesa-daraja/wire.ts';
import type { QueryAnswer } from '../../src/connectors/port.ts';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import { readTextTable } from '../domain/text-table.ts';

const README = readFileSync(new URL('../../src/connectors/mpesa-daraja/README.md', import.meta.url), 'utf8');

/** Every code of the sources but 0, which is done. */
const RESULTS =
  '1 2 3 4 8 11 2006 17 21 2028 8006 1001 1019 1025 9999 1032 1037 2001 2040 SFC_IC0003 R000001 R000002 4999';
const ERRORS =
  '400.002.02 400.002.05 400.003.02 404.001.04 404.001.03 401.002.01 401.003.01 ' +
  '500.001.1001 500.002.1001 500.003.02 500.003.03';

/** The rows of the README's table with this heading, one for each code. */
function rowsUnder(heading: string) {
  const table = README.slice(README.indexOf(heading)).split('\n\n')[0] ?? '';
  return readTextTable(table).flatMap(([, codes = '', first = '', second = '']) =>
    [...codes.matchAll(/`([\w.]+)`/g)].map(([, code = '']) => ({ code, first, second })),
  );
}

describe('results', () => {
  const rows = rowsUnder('| Result |');

  test('every known code is in the README once', () => {
    expect(rows.map(({ code }) => code).toSorted()).toEqual(RESULTS.split(' ').toSorted());
  });

  test.each(rows)('$code is $first of a deposit and $second otherwise', ({ code, first, second }) => {
    expect(wordFor(code, 'DEPOSIT')).toBe(first.replace(/:.*/, ''));
    for (const kind of ['PAYOUT', 'REFUND'] as const) {
      expect(wordFor(code, kind)).toBe(second.replace(/:.*/, ''));
    }
  });

  test.each(['', '0', '7001', 'toString', '1037 ', '01'])('%j is not mapped', (code) => {
    expect(parseResultCode(code, 'DEPOSIT')).toBeNull();
  });
});

function wordFor(code: string, kind: PaymentKind): string | null {
  const meaning = parseResultCode(code, kind);
  if (meaning === null) return null;
  if (meaning.type === 'NOT_FINAL') return 'not final';
  return meaning.isAlert === true ? 'Host' : meaning.code;
}

describe('refused calls', () => {
  const rows = rowsUnder('| Error |');

  test('every known code is in the README once, and is mapped', () => {
    expect(rows.map(({ code }) => code).toSorted()).toEqual(ERRORS.split(' ').toSorted());
    expect(rows.filter(({ code }) => parseErrorCode(code) === null)).toEqual([]);
  });

  test.each(rows)('$code of a request: $first; of an enquiry: $second', ({ code, first, second }) => {
    const isEnd = first.includes('Host');
    const answer = { httpStatus: 500, text: JSON.stringify({ errorCode: code, errorMessage: '' }) };
    const ordered = parseSubmitAnswer(answer, attempt);
    expect(saying(ordered)).toBe(isEnd ? 'FAILED OTHER_ERROR' : 'UNKNOWN OPERATOR_ERROR');
    expect(ordered.alert).toBe(isEnd ? code : undefined);
    for (const asked of [parsePushStatus(answer, attempt, OLD), parseEnquiryAnswer(answer)]) {
      expect(saying(asked)).toBe('UNKNOWN OPERATOR_ERROR');
      const isForHost = second.includes('Host') || (second === 'the same' && isEnd);
      expect('alert' in asked ? asked.alert : undefined).toBe(isForHost ? code : undefined);
    }
    expect(isTokenRefusal(answer)).toBe(first.startsWith('a new token'));
  });

  test('a payout that is known already is in progress', () => {
    const answer = { httpStatus: 500, text: '{"errorCode":"500.002.1001"}' };
    expect(saying(parseSubmitAnswer(answer, payout))).toBe('PENDING');
  });
});

const attempt = {
  reference: '00017c2f-9c3b-4d41-8a55-0f6b7c1d2e3f',
  operation: 'DEPOSIT',
  provider: 'MPESA_KEN',
  country: 'KEN',
  amount: 1_500_000n,
  currency: 'KES',
  phoneNumber: '254703456789',
  customerMessage: "Café d'Élise & fils",
  notificationUrl: 'https://gateway.example/operators/daraja/notifications/r/s',
  attemptNo: 1,
  claimedAt: new Date(),
  providerReference: 'ws_CO_1',
} as const;
const payout = { ...attempt, operation: 'PAYOUT' } as const;

const OLD = { isYoung: false, now: new Date() };
const YOUNG = { isYoung: true, now: new Date() };

function saying({ outcome }: QueryAnswer): string {
  if (outcome === 'ENQUIRY_REQUESTED') return outcome;
  const word = 'code' in outcome ? outcome.code : 'reason' in outcome ? outcome.reason : '';
  return `${outcome.type} ${word}`.trim();
}

const told = (code: string) => ({ httpStatus: 200, text: JSON.stringify({ ResultCode: code }) });

const completed = (more: object) => parsePushStatus(told('0'), { ...attempt, ...more }, OLD).outcome;

/** The attempt after an enquiry that told a failure so many seconds ago. */
const before = (code: string, seconds: number) => ({
  ...attempt,
  reportedFailure: { code, at: new Date(OLD.now.getTime() - seconds * 1_000) },
});

describe('answers', () => {
  test.each([
    ['an acknowledgement', 200, { ResponseCode: '0', CheckoutRequestID: 'ws_CO_1' }, 'PENDING'],
    ['one with a number', 200, { ResponseCode: 0, CheckoutRequestID: 'ws_CO_1' }, 'PENDING'],
    ['one without a name for it', 200, { ResponseCode: '0' }, 'UNKNOWN UNREADABLE_ANSWER'],
    ['another code', 200, { ResponseCode: '1', CheckoutRequestID: 'ws_CO_1' }, 'UNKNOWN UNMAPPED_CODE'],
    ["a proxy's page", 200, '<html>', 'UNKNOWN UNREADABLE_ANSWER'],
    ["a proxy's refusal", 403, '<html>', 'UNKNOWN OPERATOR_ERROR'],
  ])('to a request: %s', (_title, httpStatus, body, expected) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    expect(saying(parseSubmitAnswer({ httpStatus, text }, attempt))).toBe(expected);
  });

  test.each([
    ['done', { ResultCode: '0' }, 'COMPLETED'],
    ['done, as a number', { ResultCode: 0 }, 'COMPLETED'],
    ['in progress', { ResultCode: '4999' }, 'PENDING'],
    ['cancelled', { ResultCode: '1032' }, 'FAILED PAYMENT_NOT_APPROVED'],
    ['a code of no table', { ResultCode: '7001' }, 'UNKNOWN UNMAPPED_CODE'],
    ["another push's", { ResultCode: '0', CheckoutRequestID: 'ws_CO_2' }, 'UNKNOWN UNREADABLE_ANSWER'],
    ['accepted, and no more', { ResponseCode: '0' }, 'UNKNOWN UNREADABLE_ANSWER'],
  ])('to an enquiry about a push: %s', (_title, body, expected) => {
    const answer = { httpStatus: 200, text: JSON.stringify({ CheckoutRequestID: 'ws_CO_1', ...body }) };
    expect(saying(parsePushStatus(answer, attempt, OLD))).toBe(expected);
  });

  test('a success carries the receipt that was proved, never one that was only reported', () => {
    expect(completed({ reportedReceipt: 'FORGED1234' })).toEqual({ type: 'COMPLETED' });
    expect(completed({ provedReceipt: 'SAB1CDE2FG' })).toEqual({
      type: 'COMPLETED',
      providerTransactionId: 'SAB1CDE2FG',
    });
  });

  describe('D: a failure that an enquiry reports about a young push', () => {
    test.each(['1037', '1019', '1025', '9999', '1001', '17'])('%s is pending, however often told', (code) => {
      const answer = parsePushStatus(told(code), before(code, 60), YOUNG);
      expect(answer).toMatchObject({ outcome: { type: 'PENDING' }, reportedFailure: code });
    });

    test.each(['1037', '1019', '1025', '9999', '1001', '17'])(
      '%s needs a second enquiry once the push is not young any more',
      (code) => {
        expect(saying(parsePushStatus(told(code), attempt, OLD))).toBe('PENDING');
        expect(saying(parsePushStatus(told(code), before(code, 5), OLD))).toBe('PENDING');
        expect(saying(parsePushStatus(told(code), before('2001', 60), OLD))).toBe('PENDING');
        expect(saying(parsePushStatus(told(code), before(code, 60), OLD))).toMatch(/^FAILED /);
      },
    );

    test('1 is an end at once', () => {
      expect(saying(parsePushStatus(told('1'), attempt, YOUNG))).toBe('FAILED INSUFFICIENT_BALANCE');
    });
  });

  test('D: a push that is not known yet raises no alert while it is young', () => {
    const answer = { httpStatus: 400, text: '{"errorCode":"400.002.02"}' };
    expect(parsePushStatus(answer, attempt, YOUNG)).not.toHaveProperty('alert');
    expect(parsePushStatus(answer, attempt, OLD).alert).toBe('400.002.02');
  });

  test.each([
    ['{"ResponseCode":"0"}', 'ENQUIRY_REQUESTED'],
    ['{"ResponseCode":"1"}', 'UNKNOWN UNMAPPED_CODE'],
    ['{}', 'UNKNOWN UNREADABLE_ANSWER'],
  ])('to any other enquiry: %s is %s', (text, expected) => {
    expect(saying(parseEnquiryAnswer({ httpStatus: 200, text }))).toBe(expected);
  });

  test('a token has its lifetime as a text', () => {
    const text = '{"access_token":"abc","expires_in":"3599"}';
    expect(parseTokenAnswer({ httpStatus: 200, text })).toEqual({ token: 'abc', lifetimeMs: 3_599_000 });
    expect(parseTokenAnswer({ httpStatus: 400, text: '' })).toEqual({ error: 'NO_TOKEN_HTTP_400' });
  });
});

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const values = {
  shortCode: '174379',
  passkey: 'bfb279',
  initiatorName: 'testapi',
  initiatorPassword: 'Safcom#2026',
  certificate: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
};

const bodyOf = (text: string) => JSON.parse(text) as Record<string, string>;

describe('requests', () => {
  const now = new Date('2026-01-31T21:05:09.500Z');

  test('a push is signed with the time of Nairobi that stands beside it, in short plain texts', () => {
    expect(bodyOf(renderPush(attempt, { values, now }))).toEqual({
      BusinessShortCode: '174379',
      Password: Buffer.from('174379bfb27920260201000509').toString('base64'),
      Timestamp: '20260201000509',
      TransactionType: 'CustomerPayBillOnline',
      Amount: '150',
      PartyA: '254703456789',
      PartyB: '174379',
      PhoneNumber: '254703456789',
      CallBackURL: attempt.notificationUrl,
      AccountReference: 'Cafe d Elise',
      TransactionDesc: 'Cafe d Elise ',
    });
  });

  test('a push to a till names the till', () => {
    const till = bodyOf(renderPush(attempt, { values: { ...values, tillNumber: '5001' }, now }));
    expect(till).toMatchObject({ TransactionType: 'CustomerBuyGoodsOnline', PartyB: '5001' });
    expect(till['BusinessShortCode']).toBe('174379');
  });

  test('a payout carries our reference and is paid from its own short code', () => {
    expect(bodyOf(renderPayout(payout, { ...values, payoutShortCode: '600983' }))).toMatchObject({
      OriginatorConversationID: attempt.reference,
      CommandID: 'BusinessPayment',
      Amount: '150',
      PartyA: '600983',
      PartyB: '254703456789',
      ResultURL: `${attempt.notificationUrl}/payout`,
      QueueTimeOutURL: `${attempt.notificationUrl}/timeout`,
    });
  });

  test('a reversal names the receipt and the part, in their spelling', () => {
    const original = { ...attempt, reportedReceipt: 'FORGED1234', provedReceipt: 'SAB1CDE2FG' };
    const order = { ...attempt, operation: 'REFUND', amount: 500_000n, original } as const;
    expect(bodyOf(renderReversal(order, values))).toMatchObject({
      CommandID: 'TransactionReversal',
      TransactionID: 'SAB1CDE2FG',
      Amount: '50',
      ReceiverParty: '174379',
      RecieverIdentifierType: '11',
      ResultURL: `${attempt.notificationUrl}/refund`,
    });
  });

  test('a payout whose answer was lost is asked about by our reference, a reversal by theirs', () => {
    const { providerReference: _lost, ...unheard } = payout;
    const asked = { values, answerUrl: 'https://gateway.example/operators/daraja/answers/r/s' };
    expect(bodyOf(renderStatusEnquiry(unheard, asked))['OriginalConversationID']).toBe(attempt.reference);
    const heard = { ...attempt, operation: 'REFUND', providerReference: '12345-678-1' } as const;
    expect(bodyOf(renderStatusEnquiry(heard, asked))).toMatchObject({
      OriginalConversationID: '12345-678-1',
      ResultURL: 'https://gateway.example/operators/daraja/answers/r/s/refund',
      QueueTimeOutURL: 'https://gateway.example/operators/daraja/answers/r/s/timeout',
    });
  });
});

describe('the security credential', () => {
  test('the security credential is the password, readable with the private key', () => {
    const encrypted = Buffer.from(securityCredentialOf(values) ?? '', 'base64');
    const padding = constants.RSA_PKCS1_PADDING;
    expect(privateDecrypt({ key: privateKey, padding }, encrypted).toString()).toBe('Safcom#2026');
  });

  test.each([
    ['no initiator', { initiatorName: '' }],
    ['no password', { initiatorPassword: '' }],
    ['no certificate', { certificate: '' }],
    ['a certificate that cannot be read', { certificate: '-----BEGIN CERTIFICATE-----\nAAAA' }],
    [
      'a key of another kind',
      {
        certificate: generateKeyPairSync('ed25519')
          .publicKey.export({ type: 'spki', format: 'pem' })
          .toString(),
      },
    ],
  ])('the security credential is nothing with %s', (_title, change) => {
    expect(securityCredentialOf({ ...values, ...change })).toBeNull();
  });
});
