// Completions 7, the remittance request: every field with its required flag, length and enumeration; and the record.
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import type { Payment } from '../../../src/domain/payments/payment.ts';
import { parseBulk } from '../../../src/wire/v2/bulk.ts';
import {
  parseRemittanceRequest,
  remittanceRequestSchema,
  renderRemittanceInitiation,
} from '../../../src/wire/v2/payments/remittance.ts';
import { remittanceRecordSchema, renderRemittance } from '../../../src/wire/v2/payments/remittance-record.ts';
import { fieldOf, remittanceRequest, wallet, withField } from '../../requests.ts';
import { DEPOSIT_ID, depositPayment } from './deposit-body.ts';
import { KNOWN_PROVIDERS, NO_TEXTS, requestOf, toldOf } from './reading.ts';

const parse = (body: unknown) =>
  parseRemittanceRequest(body, { ...KNOWN_PROVIDERS, now: new Date('2026-01-02T03:04:05Z') });
const told = (body: unknown) => toldOf(parse(body));

const good = remittanceRequest({ customerMessage: 'From Aline', metadata: [{ a: '1' }] });

const TRANSACTION = 'sender.transactionDetails';
const SENDER = 'sender.senderDetails';

describe('the fields of a remittance request', () => {
  test('the fields of a remittance request are in the order of the specification', () => {
    expect(Object.keys(remittanceRequestSchema.properties)).toEqual([
      'remittanceId',
      'recipient',
      'sender',
      'amount',
      'currency',
      'customerMessage',
      'metadata',
    ]);
  });

  test.each([
    'remittanceId',
    'recipient',
    'recipient.type',
    'recipient.accountDetails',
    'recipient.accountDetails.phoneNumber',
    'recipient.accountDetails.provider',
    'recipient.recipientDetails',
    'recipient.recipientDetails.firstName',
    'recipient.recipientDetails.lastName',
    'sender',
    TRANSACTION,
    `${TRANSACTION}.transactionReference`,
    `${TRANSACTION}.originalAmount`,
    `${TRANSACTION}.originalCurrency`,
    `${TRANSACTION}.buyFxRate`,
    `${TRANSACTION}.senderFees`,
    `${TRANSACTION}.purposeOfFunds`,
    `${TRANSACTION}.sourceOfFunds`,
    SENDER,
    `${SENDER}.firstName`,
    `${SENDER}.lastName`,
    `${SENDER}.nationality`,
    `${SENDER}.phoneNumber`,
    `${SENDER}.address`,
    `${SENDER}.address.addressLine`,
    `${SENDER}.address.postalCode`,
    `${SENDER}.address.city`,
    `${SENDER}.address.country`,
    `${SENDER}.identification`,
    `${SENDER}.identification.type`,
    `${SENDER}.identification.number`,
    'amount',
    'currency',
  ])('%s is required', (path) => {
    expect(fieldOf(good, path)).toBeDefined();
    expect(told(withField(good, path, undefined))).toBe(`MISSING_PARAMETER ${path}`);
  });

  test.each([
    `${SENDER}.gender`,
    `${SENDER}.dateOfBirth`,
    `${SENDER}.placeOfBirth`,
    `${SENDER}.occupation`,
    `${SENDER}.relationshipRecipient`,
    'customerMessage',
    'metadata',
  ])('%s is optional', (path) => {
    expect(fieldOf(good, path)).toBeDefined();
    expect(told(withField(good, path, undefined))).toBe('PARSED');
  });

  test.each(listTexts(good).filter((path) => !path.startsWith('metadata')))(
    '%s of a wrong type is 400 INVALID_PARAMETER',
    (path) => {
      for (const value of NO_TEXTS)
        expect(told(withField(good, path, value))).toBe(`INVALID_PARAMETER ${path}`);
    },
  );

  test.each([
    'clientReferenceId',
    'payoutId',
    'country',
    'recipient.country',
    'recipient.recipientDetails.middleName',
    `${TRANSACTION}.surplus`,
    `${SENDER}.email`,
    `${SENDER}.address.state`,
    `${SENDER}.identification.country`,
    'sender.surplus',
  ])('%s, which remittances do not have, is 400 UNSUPPORTED_PARAMETER', (path) => {
    expect(told(withField(good, path, 'x'))).toBe(`UNSUPPORTED_PARAMETER ${path}`);
  });
});

describe('lengths', () => {
  test.each([
    'recipient.recipientDetails.firstName',
    'recipient.recipientDetails.lastName',
    `${TRANSACTION}.transactionReference`,
    `${SENDER}.occupation`,
  ])('%s has 1 to 64 characters', (path) => {
    for (const text of ['x', 'é'.repeat(64), '😀'.repeat(64)]) {
      expect(told(withField(good, path, text))).toBe('PARSED');
    }
    for (const text of ['', 'x'.repeat(65)]) {
      expect(told(withField(good, path, text))).toBe(`INVALID_PARAMETER ${path}`);
    }
  });

  test.each([
    `${SENDER}.firstName`,
    `${SENDER}.lastName`,
    `${SENDER}.address.addressLine`,
    `${SENDER}.address.city`,
    `${SENDER}.identification.number`,
  ])('%s has no published length: 1 to 1,000 characters', (path) => {
    expect(told(withField(good, path, 'x'.repeat(1_000)))).toBe('PARSED');
    for (const text of ['', 'x'.repeat(1_001)]) {
      expect(told(withField(good, path, text))).toBe(`INVALID_PARAMETER ${path}`);
    }
  });

  test('postalCode may be empty: some countries have none', () => {
    expect(told(withField(good, `${SENDER}.address.postalCode`, ''))).toBe('PARSED');
    expect(told(withField(good, `${SENDER}.address.postalCode`, 'x'.repeat(1_001)))).toBe(
      `INVALID_PARAMETER ${SENDER}.address.postalCode`,
    );
  });
});

describe('forms', () => {
  test.each(['amount', `${TRANSACTION}.originalAmount`, `${TRANSACTION}.senderFees`])(
    '%s is an amount text',
    (path) => {
      for (const text of ['0', '15', '12.50', '999999999999999999.9999']) {
        expect(told(withField(good, path, text))).toBe('PARSED');
      }
      for (const text of ['', '-1', '01', '1.', '.5', '1,5', '1e3', '1.23456', ' 1', '1000000000000000000']) {
        expect(told(withField(good, path, text))).toBe(`INVALID_PARAMETER ${path}`);
      }
    },
  );

  test('buyFxRate is a decimal text in the form of an amount, with as many decimals as fit', () => {
    const path = `${TRANSACTION}.buyFxRate`;
    for (const text of ['1', '1.0', '0.000612345', '23.4512', '0.123456789012345678901']) {
      expect(told(withField(good, path, text))).toBe('PARSED');
    }
    for (const text of ['', '0', '0.00', '-1', '01', '1.', '.5', '1,5', '1e-3', '0.1234567890123456789012']) {
      expect(told(withField(good, path, text))).toBe(`INVALID_PARAMETER ${path}`);
    }
  });

  test.each(['currency', `${TRANSACTION}.originalCurrency`])('%s is a code of three capitals', (path) => {
    expect(told(withField(good, path, 'USD'))).toBe('PARSED');
    for (const text of ['', 'usd', 'US', 'USDT', 'U5D']) {
      expect(told(withField(good, path, text))).toBe(`INVALID_PARAMETER ${path}`);
    }
  });

  test.each([`${SENDER}.nationality`, `${SENDER}.address.country`, `${SENDER}.placeOfBirth`])(
    '%s is an alpha-3 country code',
    (path) => {
      expect(told(withField(good, path, 'BEL'))).toBe('PARSED');
      for (const text of ['', 'BE', 'bel', 'BELG', 'B3L', 'Belgium']) {
        expect(told(withField(good, path, text))).toBe(`INVALID_PARAMETER ${path}`);
      }
    },
  );

  test("the sender's phoneNumber is digits", () => {
    const path = `${SENDER}.phoneNumber`;
    expect(told(withField(good, path, '0470123456'))).toBe('PARSED');
    for (const text of ['', '+32470123456', '32 470', '32-470', 'x', '٣٢']) {
      expect(told(withField(good, path, text))).toBe(`INVALID_PARAMETER ${path}`);
    }
  });

  test("the recipient's phoneNumber is a wallet's: an invalid one is 200 INVALID_PHONE_NUMBER later", () => {
    expect(told(withField(good, 'recipient.accountDetails.phoneNumber', '+250 x'))).toBe('PARSED');
  });

  test('an unknown provider code is 400 INVALID_PARAMETER', () => {
    const path = 'recipient.accountDetails.provider';
    expect(told(withField(good, path, 'NO_ONE_HAS_THIS'))).toBe(`INVALID_PARAMETER ${path}`);
  });

  test.each(['1988-02-29', '2000-02-29', '1999-12-31', '1900-01-01'])('dateOfBirth: %s is a date', (date) => {
    expect(told(withField(good, `${SENDER}.dateOfBirth`, date))).toBe('PARSED');
  });

  test.each([
    '',
    '1987-02-29',
    '1900-02-29',
    '1987-04-31',
    '1987-13-01',
    '1987-00-10',
    '1987-1-2',
    '05/06/1987',
    '1987-06-05T00:00:00Z',
    '1987-06-05\n',
  ])('dateOfBirth: %j is not a date', (date) => {
    expect(parse(withField(good, `${SENDER}.dateOfBirth`, date))).toEqual({
      type: 'FAULT',
      fault: {
        code: 'INVALID_PARAMETER',
        parameter: `${SENDER}.dateOfBirth`,
        cause: 'it must be a date of the calendar, YYYY-MM-DD',
      },
    });
  });
});

describe.each<[string, string]>([
  [
    `${TRANSACTION}.purposeOfFunds`,
    'FAMILY_SUPPORT, MEDICAL_EXPENSES, TUITION_FEES, EDUCATION_SUPPORT, GIFT_AND_OTHER_DONATIONS, HOME_IMPROVEMENT, ' +
      'DEBT_SETTLEMENT, REAL_ESTATE, TAXES, SALARY, SAVINGS, PERSONAL_TRANSFER, OTHER',
  ],
  [`${TRANSACTION}.sourceOfFunds`, 'SALARY, SAVINGS, LOTTERY, LOAN, BUSINESS_INCOME, GIFT, OTHER'],
  [
    `${SENDER}.identification.type`,
    'NATIONAL_ID, PASSPORT, DRIVING_LICENSE, SOCIAL_SECURITY_ID, RESIDENCE_PERMIT',
  ],
  [`${SENDER}.gender`, 'MALE, FEMALE, OTHER'],
  [
    `${SENDER}.relationshipRecipient`,
    'FATHER, MOTHER, SON, DAUGHTER, BROTHER, SISTER, HUSBAND, WIFE, PARTNER, FRIEND, AUNT, UNCLE, COUSIN, NEPHEW, ' +
      'NIECE, GRANDFATHER, GRANDMOTHER, GRANDSON, GRANDDAUGHTER, STEPCHILD, DAUGHTER_IN_LAW, SON_IN_LAW, ' +
      'BORTHER_IN_LAW, BROTHER_IN_LAW, SISTER_IN_LAW, MOTHER_IN_LAW, GUARDIAN, SELF',
  ],
])('the enumeration %s', (path, words) => {
  test.each(words.split(', '))('an enumeration takes %s and keeps it as sent', (word) => {
    const { sender } = requestOf(parse(withField(good, path, word))).details;
    expect(fieldOf({ sender }, path)).toBe(word);
  });

  test('an enumeration takes nothing else, and says what it takes', () => {
    for (const word of ['', 'NO_ONE', words.split(', ')[0]!.toLowerCase(), `${words.split(', ')[0]} `]) {
      const parsed = parse(withField(good, path, word));
      expect(parsed).toMatchObject({ fault: { code: 'INVALID_PARAMETER', parameter: path } });
      expect(parsed).toMatchObject({ fault: { cause: `it must be one of ${words}` } });
    }
  });
});

describe('reading a remittance request', () => {
  test('reading a remittance request loses nothing, and keeps sender and recipientDetails as sent', () => {
    expect(requestOf(parse(good))).toEqual({
      paymentId: good['remittanceId'],
      writtenId: good['remittanceId'],
      amount: 1_000_000n,
      amountText: '100',
      currency: 'RWF',
      provider: 'MTN_MOMO_RWA',
      details: {
        phoneNumber: '250783456789',
        customerMessage: 'From Aline',
        metadata: [{ name: 'a', value: '1', isPii: false }],
        recipientDetails: good['recipient'].recipientDetails,
        sender: good['sender'],
      },
    });
  });

  test('reading a remittance request repeats no value in a message', () => {
    for (const path of listTexts(good)) {
      const parsed = parse(withField(good, path, ['SECRET']));
      expect(parsed.type).toBe('FAULT');
      expect(JSON.stringify(parsed)).not.toContain('SECRET');
    }
  });

  test('reading a remittance request names the element and the field of a list', () => {
    const bad = withField(remittanceRequest(), `${SENDER}.gender`, 'X');
    expect(toldOf(parseBulk([remittanceRequest(), bad], parse))).toBe(
      `INVALID_PARAMETER [1].${SENDER}.gender`,
    );
  });
});

test('the answer names the remittanceId', () => {
  const createdAt = new Date('2026-01-02T03:04:05.006Z');
  expect(renderRemittanceInitiation('ID', { type: 'DUPLICATE_IGNORED', createdAt })).toStrictEqual({
    remittanceId: 'ID',
    status: 'DUPLICATE_IGNORED',
    created: '2026-01-02T03:04:05.006Z',
  });
});

describe('completions 1.5, the remittance record', () => {
  const { sender, recipient } = good;
  const remittance = (fields: Partial<Payment> = {}) => {
    const { details } = depositPayment();
    const encrypted = { ...details, sender, recipientDetails: recipient.recipientDetails };
    return depositPayment({ kind: 'REMITTANCE', details: encrypted, ...fields });
  };

  test('completions 1.5, the remittance record holds the fields of its column: recipientDetails and sender are echoed, no clientReferenceId', () => {
    expect(Compile(remittanceRecordSchema).Errors(renderRemittance(remittance()))).toEqual([]);
    expect(renderRemittance(remittance())).toStrictEqual({
      remittanceId: DEPOSIT_ID.toUpperCase(),
      status: 'PROCESSING',
      amount: '15.50',
      currency: 'ZMW',
      country: 'ZMB',
      recipient: {
        ...wallet('MTN_MOMO_ZMB', '260763456789'),
        recipientDetails: { firstName: 'Eric', lastName: 'Uwase' },
      },
      sender,
      customerMessage: 'Order 123456',
      created: '2026-01-02T03:04:05.000Z',
    });
  });

  test('status ENQUEUED, and failureReason when FAILED', () => {
    expect(renderRemittance(remittance({ state: 'ENQUEUED' })).status).toBe('ENQUEUED');
    expect(
      renderRemittance(remittance({ state: 'FAILED', failureCode: 'WALLET_LIMIT_REACHED' })).failureReason
        ?.failureCode,
    ).toBe('WALLET_LIMIT_REACHED');
  });
});

/** The dotted names of all texts inside. */
function listTexts(value: unknown, place = ''): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [place];
  return Object.entries(value).flatMap(([name, inner]) =>
    listTexts(inner, place === '' ? name : `${place}.${name}`),
  );
}
