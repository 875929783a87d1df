// Random events of a payment, every kind of answer an operator can give among them.
import * as fc from 'fast-check';
import { FAILURES, type PaymentFailureCode } from '../../src/domain/failure.ts';
import type { PaymentEvent } from '../../src/domain/payments/lifecycle.ts';
import type { Asked, Outcome, UnknownReason } from '../../src/domain/payments/outcome.ts';

const UNKNOWN_REASONS: Readonly<Record<UnknownReason, true>> = {
  NO_ANSWER: true,
  OPERATOR_ERROR: true,
  UNMAPPED_CODE: true,
  UNREADABLE_ANSWER: true,
  NOT_SENT: true,
  RATE_LIMITED_HERE: true,
  NOT_YET: true,
  OTHER_ACCOUNT: true,
  REPORT_TO_APPROVE: true,
  AMOUNT_DIFFERS: true,
  CURRENCY_DIFFERS: true,
  PARTY_DIFFERS: true,
  TRANSACTION_TAKEN: true,
  SECOND_TRANSACTION: true,
};

export const unknownReasons = Object.keys(UNKNOWN_REASONS) as readonly UnknownReason[];

const paymentFailureCodes = Object.entries(FAILURES)
  .filter(([, row]) => row.httpStatus === null)
  .map(([code]) => code as PaymentFailureCode);

/** What operators say about a payment of which we asked for `asked`; some of what they say they moved differs. */
export function arbitraryOutcome(asked: Asked): fc.Arbitrary<Outcome> {
  const moved = fc.record(
    {
      amount: fc.constantFrom(asked.amount, asked.amount, asked.amount + 1n),
      currency: fc.constantFrom(asked.currency, asked.currency, 'XXX'),
      phoneNumber: fc.constantFrom(asked.phoneNumber, asked.phoneNumber, '250700000000'),
    },
    { requiredKeys: [] },
  );
  return fc.oneof(
    fc.record({ type: fc.constant('COMPLETED'), moved }, { requiredKeys: ['type'] }),
    fc.record({ type: fc.constant('FAILED'), code: fc.constantFrom(...paymentFailureCodes) }),
    fc.record(
      { type: fc.constant('PENDING'), authorizationUrl: fc.constant('https://operator.example/pay') },
      { requiredKeys: ['type'] },
    ),
    fc.constant({ type: 'NOT_SEEN' } as const),
    fc.record({ type: fc.constant('UNKNOWN'), reason: fc.constantFrom(...unknownReasons) }),
  );
}

export function arbitraryEvent(asked: Asked): fc.Arbitrary<PaymentEvent> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant({ type: 'SUBMIT_CLAIMED' } as const) },
    { weight: 4, arbitrary: arbitraryOutcome(asked).map(answered) },
    { weight: 1, arbitrary: fc.constant({ type: 'HINTED' } as const) },
    {
      weight: 1,
      arbitrary: fc.nat(3).map((sendCount) => ({ type: 'RESUBMIT_CLAIMED', sendCount }) as const),
    },
    { weight: 1, arbitrary: fc.constant({ type: 'HORIZON_PASSED' } as const) },
  );
}

/** With what only befalls payments that can wait for their provider, and what people do. */
export function arbitraryWaitingEvent(asked: Asked): fc.Arbitrary<PaymentEvent> {
  return fc.oneof(
    { weight: 3, arbitrary: arbitraryEvent(asked) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<PaymentEvent>(
        { type: 'PROVIDER_DELAYED' },
        { type: 'RELEASED' },
        { type: 'CANCELLED' },
        { type: 'SUBMIT_HELD', lostUntil: new Date(0) },
        { type: 'SUBMIT_UNSENT', sendCount: 1 },
        { type: 'SUBMIT_EXPIRED' },
        { type: 'ENDED_MANUALLY', outcome: { type: 'COMPLETED', providerTransactionId: 'T1' } },
        { type: 'ENDED_MANUALLY', outcome: { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' } },
      ),
    },
  );
}

function answered(outcome: Outcome): PaymentEvent {
  return { type: 'OPERATOR_ANSWERED', outcome };
}
