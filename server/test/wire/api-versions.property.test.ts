// One payment, told in both API versions: the same story. The rename table of the specification is held in both
// directions, from the earlier record to the current one and back, for payments of every state and either origin.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FAILURES, type FailureCode } from '../../src/domain/failure.ts';
import { renderAmount } from '../../src/domain/money.ts';
import type { Payment, PaymentState } from '../../src/domain/payments/payment.ts';
import { renderDeposit as renderEarlierDeposit } from '../../src/wire/v1/payments/deposit-record.ts';
import { renderPayout as renderEarlierPayout } from '../../src/wire/v1/payments/payout-record.ts';
import { renderRefund as renderEarlierRefund } from '../../src/wire/v1/payments/refund-record.ts';
import { renderDeposit } from '../../src/wire/v2/payments/deposit-record.ts';
import { renderPayout } from '../../src/wire/v2/payments/payout-record.ts';
import { renderRefund } from '../../src/wire/v2/payments/refund-record.ts';
import { unknownReasons } from '../domain/arbitrary-event.ts';
import { fieldOf, withField, type Body } from '../requests.ts';

type Kind = 'DEPOSIT' | 'PAYOUT' | 'REFUND';

const RENDERED = {
  DEPOSIT: {
    earlier: renderEarlierDeposit,
    current: (deposit: Payment) => renderDeposit(deposit, 'PROVIDER_AUTH'),
  },
  PAYOUT: { earlier: renderEarlierPayout, current: renderPayout },
  REFUND: { earlier: renderEarlierRefund, current: renderRefund },
};

/** The rename table of the specification, for records: the same value under two names. */
function renamesOf(kind: Kind): readonly (readonly [earlier: string, current: string])[] {
  const id = `${kind.toLowerCase()}Id`;
  const party = kind === 'DEPOSIT' ? 'payer' : 'recipient';
  return [
    [id, id],
    [kind === 'DEPOSIT' ? 'requestedAmount' : 'amount', 'amount'],
    ['currency', 'currency'],
    ['country', 'country'],
    ['correspondent', `${party}.accountDetails.provider`],
    [`${party}.address.value`, `${party}.accountDetails.phoneNumber`],
    ['statementDescription', 'customerMessage'],
    ['created', 'created'],
    ['metadata', 'metadata'],
  ];
}

/** What only one of them tells. */
const ONLY_EARLIER = [
  'depositedAmount',
  'customerTimestamp',
  'respondedByPayer',
  'receivedByRecipient',
  'suspiciousActivityReport',
];
const ONLY_CURRENT: Readonly<Record<Kind, readonly string[]>> = {
  DEPOSIT: ['clientReferenceId'],
  PAYOUT: ['clientReferenceId'],
  REFUND: ['clientReferenceId', 'depositId'],
};

/** Completions 3.3 and 3.4, written out: what API v2 says, and the earlier one. */
const EARLIER_CODES: Readonly<Record<string, string>> = {
  UNSPECIFIED_FAILURE: 'OTHER_ERROR',
  WALLET_LIMIT_REACHED: 'RECIPIENT_NOT_ALLOWED_TO_RECEIVE',
  WALLET_OUT_OF_FUNDS: 'BALANCE_INSUFFICIENT',
  PAYMENT_IN_PROGRESS: 'TRANSACTION_ALREADY_IN_PROCESS',
};
const EARLIER_STATUSES: Readonly<Record<string, string>> = {
  PROCESSING: 'SUBMITTED',
  IN_RECONCILIATION: 'SUBMITTED',
};

const OUTGOING_CODES: readonly FailureCode[] = [
  'RECIPIENT_NOT_FOUND',
  'RECIPIENT_LIMIT_REACHED',
  'WALLET_LIMIT_REACHED',
  'WALLET_OUT_OF_FUNDS',
  'MANUALLY_CANCELLED',
  'UNSPECIFIED_FAILURE',
  'OTHER_ERROR',
];
const DEPOSIT_CODES = (Object.keys(FAILURES) as FailureCode[]).filter(
  (code) => FAILURES[code].httpStatus === null && !OUTGOING_CODES.slice(0, 5).includes(code),
);

function arbitraryPayment(kind: Kind): fc.Arbitrary<Payment> {
  const states: readonly PaymentState[] = [
    'ACCEPTED',
    ...(kind === 'DEPOSIT' ? [] : (['ENQUEUED'] as const)),
    'PROCESSING',
    'IN_RECONCILIATION',
    'COMPLETED',
    'FAILED',
  ];
  const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
  return fc
    .record({
      state: fc.constantFrom(...states),
      apiVersion: fc.constantFrom('v1' as const, 'v2' as const),
      id: fc.uuid({ version: 4 }),
      depositId: fc.uuid({ version: 4 }),
      isUpperCase: fc.boolean(),
      amount: fc.bigInt(1n, 10n ** 20n),
      provider: fc.constantFrom('MTN_MOMO_RWA', 'AIRTEL_OAPI_ZMB', 'MPESA_KEN', 'ORANGE_CIV'),
      country: fc.constantFrom('RWA', 'ZMB', 'KEN'),
      currency: fc.constantFrom('RWF', 'ZMW', 'KES'),
      createdAt: time,
      finalAt: fc.option(time, { nil: undefined }),
      phoneNumber: fc.stringMatching(/^[1-9][0-9]{8,13}$/),
      customerMessage: fc.stringMatching(/^[a-zA-Z0-9 ]{4,22}$/),
      clientReferenceId: fc.option(fc.string(), { nil: undefined }),
      customerTimestamp: time.map((at) => at.toISOString()),
      metadata: fc.option(
        fc.uniqueArray(fc.record({ name: fc.string(), value: fc.string(), isPii: fc.boolean() }), {
          maxLength: 10,
          selector: ({ name }) => name,
        }),
        { nil: undefined },
      ),
      discrepancy: fc.option(fc.constantFrom(...unknownReasons), { nil: undefined }),
      transaction: fc.option(fc.stringMatching(/^[\x20-\x7e]{1,40}$/), { nil: undefined }),
      failureCode: fc.constantFrom(...(kind === 'DEPOSIT' ? DEPOSIT_CODES : OUTGOING_CODES)),
      zeroes: fc.constantFrom('', '.0', '.00'),
    })
    .map((drawn) => paymentOf(kind, drawn));
}

const defined = (fields: Body) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function paymentOf(kind: Kind, drawn: Record<string, any>): Payment {
  const isFinal = /COMPLETED|FAILED/.test(drawn['state']);
  const { state, apiVersion, amount, provider, country, currency, createdAt } = drawn;
  const { phoneNumber, customerMessage, clientReferenceId, metadata, discrepancy } = drawn;
  return {
    merchantId: 'merchant',
    kind,
    paymentId: drawn['id'],
    paymentNo: 'number',
    writtenId: drawn['isUpperCase'] ? drawn['id'].toUpperCase() : drawn['id'],
    apiVersion,
    state,
    amount,
    // As the merchant wrote it, which both API versions repeat.
    amountText:
      renderAmount(amount) + (Number.isInteger(Number(renderAmount(amount))) ? drawn['zeroes'] : ''),
    fee: 0n,
    currency,
    country,
    provider,
    ...(kind === 'REFUND' && { depositId: drawn['depositId'] }),
    details: {
      phoneNumber,
      customerMessage,
      ...defined({ clientReferenceId, metadata, discrepancy }),
      ...(apiVersion === 'v1' && kind !== 'REFUND' && { customerTimestamp: drawn['customerTimestamp'] }),
    },
    createdAt,
    ...(isFinal && defined({ finalAt: drawn['finalAt'] })),
    nextAction: null,
    nextActionAt: null,
    enquiryCount: 0,
    eventCount: 1,
    ...defined({ providerTransactionId: drawn['transaction'] }),
    ...(state === 'FAILED' && { failureCode: drawn['failureCode'] }),
  };
}

/** Messages use the words of their version. */
function earlierMessage<Text extends string | undefined>(text: Text): string | Text {
  return text?.replace('phone number', 'MSISDN').replace('provider', 'correspondent') ?? text;
}

/** The same record under the names of the other API version, as far as the table goes. */
function renamed(record: Body, renames: readonly (readonly [from: string, to: string])[]): Body {
  return renames.reduce<Body>((told, [from, to]) => {
    const value = fieldOf(record, from);
    return value === undefined ? told : placed(told, to, value);
  }, {});
}

function placed(record: Body, path: string, value: unknown): Body {
  const parents = path.split('.').slice(0, -1);
  const grown = parents.reduce<Body>((body, _, index) => {
    const parent = parents.slice(0, index + 1).join('.');
    return fieldOf(body, parent) === undefined ? withField(body, parent, {}) : body;
  }, record);
  return withField(grown, path, value);
}

const without = (record: Body, names: readonly string[]) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** What the table calls the same word with another value: kinds of account, identifiers of the operator. */
function currentOf(kind: Kind, earlier: Body): Body {
  const party = kind === 'DEPOSIT' ? 'payer' : 'recipient';
  const body = withField(renamed(earlier, renamesOf(kind)), `${party}.type`, 'MMO');
  const [id] = Object.values<string>(earlier['correspondentIds'] ?? {});
  return id === undefined ? body : { ...body, providerTransactionId: id };
}

function earlierOf(kind: Kind, current: Body): Body {
  const party = kind === 'DEPOSIT' ? 'payer' : 'recipient';
  const renames = renamesOf(kind).map(([earlier, now]) => [now, earlier] as const);
  let body = withField(renamed(current, renames), `${party}.type`, 'MSISDN');
  const { status, failureReason, providerTransactionId: id } = current;
  body = { ...body, status: EARLIER_STATUSES[status] ?? status };
  const code = failureReason?.failureCode;
  if (code !== undefined) {
    const failureMessage = earlierMessage(failureReason.failureMessage);
    body = { ...body, failureReason: { failureCode: EARLIER_CODES[code] ?? code, failureMessage } };
  }
  if (id === undefined) return body;
  const operator = /^[A-Z]+/.exec(body['correspondent'])![0];
  const final = /COMPLETED|FAILED/.test(status) ? { [`${operator}_FINAL`]: id } : {};
  return { ...body, correspondentIds: { [`${operator}_INIT`]: id, ...final } };
}

const RUNS = { numRuns: 1_000 };

test.each(['DEPOSIT', 'PAYOUT', 'REFUND'] as const)(
  'the current record of 1,000 random payments, put into earlier words, is the earlier record: %s',
  (kind) => {
    fc.assert(
      fc.property(arbitraryPayment(kind), (payment) => {
        const { earlier, current } = RENDERED[kind];
        expect(without(earlier(payment), ONLY_EARLIER)).toEqual(earlierOf(kind, current(payment)));
      }),
      RUNS,
    );
  },
);

test.each(['DEPOSIT', 'PAYOUT', 'REFUND'] as const)(
  'the earlier record of 1,000 random payments, put into current words, is the current record: %s',
  (kind) => {
    fc.assert(
      fc.property(arbitraryPayment(kind), (payment) => {
        const { earlier, current } = RENDERED[kind];
        const told: Body = without(current(payment), ONLY_CURRENT[kind]);
        const earlierRecord: Body = earlier(payment);
        // Several current words have one earlier word, so status and code can only be held against it.
        const { status, failureReason } = told;
        const expected = { ...currentOf(kind, earlierRecord), status };
        expect(without(told, ['failureReason'])).toEqual(without(expected, ['failureReason']));
        expect(EARLIER_STATUSES[status] ?? status).toBe(earlierRecord['status']);
        expect(earlierMessage(failureReason?.failureMessage)).toBe(
          earlierRecord['failureReason']?.failureMessage,
        );
      }),
      RUNS,
    );
  },
);

test('what only API v1 tells follows from the payment', () => {
  fc.assert(
    fc.property(arbitraryPayment('DEPOSIT'), (payment) => {
      const record = renderEarlierDeposit(payment);
      const isCompleted = payment.state === 'COMPLETED';
      expect(record.depositedAmount).toBe(isCompleted ? payment.amountText : undefined);
      expect(record.respondedByPayer).toBe(isCompleted ? payment.finalAt?.toISOString() : undefined);
      const { customerTimestamp = payment.createdAt.toISOString(), discrepancy } = payment.details;
      expect(record.customerTimestamp).toBe(customerTimestamp);
      const isReported = discrepancy === 'AMOUNT_DIFFERS' || discrepancy === 'CURRENCY_DIFFERS';
      expect(record.suspiciousActivityReport?.map(({ activityType }) => activityType)).toEqual(
        isReported ? ['AMOUNT_DISCREPANCY'] : undefined,
      );
    }),
    RUNS,
  );
});
