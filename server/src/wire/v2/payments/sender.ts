// The sender of a remittance, the source of funds and the purpose: what the law requires.
import { Type, type Static } from 'typebox';
import { isCountryCode, isCurrencyCode } from '../../../domain/iso-codes.ts';
import { AMOUNT_LENGTH_MAX } from '../../../domain/money.ts';
import type { ProcessTime } from '../../../domain/clock.ts';
import { invalidFault, type Fault } from '../../fault.ts';
import { valueAt } from '../../json.ts';
import { amountTextSchema, countryCodeSchema, currencyCodeSchema } from '../amount.ts';

/** Used if the specification gives no length. Enough for a long address, but not for a document. */
const FREE_TEXT_LENGTH_MAX = 1_000;
const SHORT_TEXT_LENGTH_MAX = 64;

const PURPOSES_OF_FUNDS = [
  'FAMILY_SUPPORT',
  'MEDICAL_EXPENSES',
  'TUITION_FEES',
  'EDUCATION_SUPPORT',
  'GIFT_AND_OTHER_DONATIONS',
  'HOME_IMPROVEMENT',
  'DEBT_SETTLEMENT',
  'REAL_ESTATE',
  'TAXES',
  'SALARY',
  'SAVINGS',
  'PERSONAL_TRANSFER',
  'OTHER',
] as const;

const SOURCES_OF_FUNDS = [
  'SALARY',
  'SAVINGS',
  'LOTTERY',
  'LOAN',
  'BUSINESS_INCOME',
  'GIFT',
  'OTHER',
] as const;

const IDENTIFICATION_TYPES = [
  'NATIONAL_ID',
  'PASSPORT',
  'DRIVING_LICENSE',
  'SOCIAL_SECURITY_ID',
  'RESIDENCE_PERMIT',
] as const;

const GENDERS = ['MALE', 'FEMALE', 'OTHER'] as const;

const RELATIONSHIPS = [
  'FATHER',
  'MOTHER',
  'SON',
  'DAUGHTER',
  'BROTHER',
  'SISTER',
  'HUSBAND',
  'WIFE',
  'PARTNER',
  'FRIEND',
  'AUNT',
  'UNCLE',
  'COUSIN',
  'NEPHEW',
  'NIECE',
  'GRANDFATHER',
  'GRANDMOTHER',
  'GRANDSON',
  'GRANDDAUGHTER',
  'STEPCHILD',
  'DAUGHTER_IN_LAW',
  'SON_IN_LAW',
  // The specification was published with this misspelling, and clients send it.
  'BORTHER_IN_LAW',
  'BROTHER_IN_LAW',
  'SISTER_IN_LAW',
  'MOTHER_IN_LAW',
  'GUARDIAN',
  'SELF',
] as const;

/** A name or a reference, 1 to 64 characters. */
export function shortTextSchema(description: string, example: string) {
  return Type.String({ minLength: 1, maxLength: SHORT_TEXT_LENGTH_MAX, description, examples: [example] });
}

function freeTextSchema(description: string, example: string) {
  return Type.String({ minLength: 1, maxLength: FREE_TEXT_LENGTH_MAX, description, examples: [example] });
}

function wordSchema<Word extends string>(words: readonly Word[], description: string) {
  return Type.Enum<Word[]>([...words], { type: 'string', description, examples: words.slice(0, 1) });
}

const transactionDetailsSchema = Type.Object(
  {
    transactionReference: shortTextSchema('Your reference of what the sender asked for.', 'TX-123456'),
    originalAmount: amountTextSchema(
      'What the sender paid, before exchange, as text in the form of an amount.',
      ['0.64'],
    ),
    originalCurrency: currencyCodeSchema(
      'The currency the sender paid in, an ISO 4217 code in upper case.',
      'USD',
    ),
    buyFxRate: Type.String({
      minLength: 1,
      maxLength: AMOUNT_LENGTH_MAX,
      // The format of an amount, with more decimals: four are too few for the rates of weak currencies.
      pattern: '^([0]|([1-9][0-9]{0,17}))([.][0-9]+)?$',
      description: 'The exchange rate at which the money was bought, as a decimal text.',
      examples: ['23.4375'],
    }),
    senderFees: amountTextSchema('What the sender was charged for the transfer; 0 for nothing.', ['0.05']),
    purposeOfFunds: wordSchema(PURPOSES_OF_FUNDS, 'What the money is for.'),
    sourceOfFunds: wordSchema(SOURCES_OF_FUNDS, 'Where the money comes from.'),
  },
  { additionalProperties: false, description: 'The transfer as the sender asked for it.' },
);

const addressSchema = Type.Object(
  {
    addressLine: freeTextSchema('Street and number.', '12 Kenneth Kaunda Road'),
    postalCode: Type.String({
      maxLength: FREE_TEXT_LENGTH_MAX,
      description: 'The postal code; empty where the country has none.',
      examples: ['10101'],
    }),
    city: freeTextSchema('The city.', 'Lusaka'),
    country: countryCodeSchema('The country of residence, an ISO 3166-1 alpha-3 code in upper case.'),
  },
  { additionalProperties: false, description: 'Where the sender lives.' },
);

const identificationSchema = Type.Object(
  {
    type: wordSchema(IDENTIFICATION_TYPES, 'The kind of document.'),
    number: freeTextSchema('The number of the document.', '123456/10/1'),
  },
  { additionalProperties: false, description: 'The document that proves who the sender is.' },
);

const senderDetailsSchema = Type.Object(
  {
    firstName: freeTextSchema('The first name of the sender.', 'Mutale'),
    lastName: freeTextSchema('The last name of the sender.', 'Banda'),
    nationality: countryCodeSchema('The nationality, an ISO 3166-1 alpha-3 code in upper case.'),
    phoneNumber: Type.String({
      minLength: 1,
      maxLength: SHORT_TEXT_LENGTH_MAX,
      pattern: '^[0-9]+$',
      description: 'The phone number of the sender: digits only, with country code.',
      examples: ['260973456789'],
    }),
    address: addressSchema,
    identification: identificationSchema,
    gender: Type.Optional(wordSchema(GENDERS, 'The gender of the sender.')),
    dateOfBirth: Type.Optional(
      Type.String({
        format: 'date',
        description: 'The date of birth, YYYY-MM-DD.',
        examples: ['1987-06-05'],
      }),
    ),
    placeOfBirth: Type.Optional(
      countryCodeSchema('The country of birth, an ISO 3166-1 alpha-3 code in upper case.'),
    ),
    occupation: Type.Optional(shortTextSchema('What the sender does for a living.', 'Teacher')),
    relationshipRecipient: Type.Optional(
      wordSchema(
        RELATIONSHIPS,
        'What the recipient is to the sender. BORTHER_IN_LAW is a published misspelling: both spellings are taken.',
      ),
    ),
  },
  { additionalProperties: false, description: 'Who the sender is.' },
);

export const senderSchema = Type.Object(
  { transactionDetails: transactionDetailsSchema, senderDetails: senderDetailsSchema },
  { additionalProperties: false, description: 'Who sends the money, and why.' },
);

export type Sender = Static<typeof senderSchema>;

type Rule = {
  readonly path: readonly string[];
  /** For a text in the format of the schema. */
  readonly isPlausible: (text: string, today: string) => boolean;
  readonly cause: string;
};

const NO_COUNTRY = 'there is no country with this code';

const RULES: readonly Rule[] = [
  {
    path: ['transactionDetails', 'originalCurrency'],
    isPlausible: isCurrencyCode,
    cause: 'there is no currency with this code',
  },
  {
    path: ['transactionDetails', 'buyFxRate'],
    isPlausible: (text) => /[1-9]/.test(text),
    cause: 'it must be greater than zero',
  },
  { path: ['senderDetails', 'nationality'], isPlausible: isCountryCode, cause: NO_COUNTRY },
  { path: ['senderDetails', 'address', 'country'], isPlausible: isCountryCode, cause: NO_COUNTRY },
  {
    path: ['senderDetails', 'dateOfBirth'],
    isPlausible: (text, today) => text < today,
    cause: 'it must be in the past',
  },
  { path: ['senderDetails', 'placeOfBirth'], isPlausible: isCountryCode, cause: NO_COUNTRY },
];

/** Values in the right format that cannot be true. The schema handles wrong formats. */
export function listSenderFaults(body: unknown, now: ProcessTime): readonly Fault[] {
  const today = now.toISOString().slice(0, 10);
  return RULES.flatMap(({ path, isPlausible, cause }) => {
    const value = valueAt(body, 'sender', ...path);
    if (typeof value !== 'string' || !FORM.test(value) || isPlausible(value, today)) return [];
    return [invalidFault(['sender', ...path].join('.'), cause)];
  });
}

/** A code, a rate or a date; other texts are format errors. */
const FORM = /^([A-Z]{3}|[0-9]+([.][0-9]+)?|\d{4}-\d\d-\d\d)$/;
