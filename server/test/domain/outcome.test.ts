import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isDiscrepancy,
  validateOutcome,
  type Asked,
  type Outcome,
  type UnknownReason,
} from '../../src/domain/payments/outcome.ts';

const asked: Asked = { amount: 1_000_000n, currency: 'RWF', phoneNumber: '250783456789' };

describe('an operator that says the payment is completed', () => {
  test.each<[string, Outcome]>([
    ['without saying what it moved', { type: 'COMPLETED' }],
    ['with its own transaction id', { type: 'COMPLETED', providerTransactionId: 'ABC123' }],
    ['and names nothing', { type: 'COMPLETED', moved: {} }],
    ['and names our amount', { type: 'COMPLETED', moved: { amount: 1_000_000n } }],
    ['and names all we asked for', { type: 'COMPLETED', moved: { ...asked } }],
  ])('an operator that says the payment is completed is believed: %s', (_, outcome) => {
    expect(validateOutcome(outcome, asked)).toBe(outcome);
  });

  test.each<[string, Partial<Asked>, UnknownReason]>([
    ['a smaller amount', { amount: 999_999n }, 'AMOUNT_DIFFERS'],
    ['a larger amount', { amount: 1_000_001n }, 'AMOUNT_DIFFERS'],
    ['nothing at all', { amount: 0n }, 'AMOUNT_DIFFERS'],
    ['another currency', { currency: 'USD' }, 'CURRENCY_DIFFERS'],
    ['another phone number', { phoneNumber: '250783456780' }, 'PARTY_DIFFERS'],
    ['our number in another form', { phoneNumber: '0783456789' }, 'PARTY_DIFFERS'],
  ])(
    'an operator that says the payment is completed is not believed when it moved %s',
    (_, moved, reason) => {
      const outcome = validateOutcome({ type: 'COMPLETED', moved: { ...asked, ...moved } }, asked);
      const reported = reason === 'AMOUNT_DIFFERS' ? { reportedAmount: moved.amount } : {};
      expect(outcome).toEqual({ type: 'UNKNOWN', reason, ...reported });
      expect(isDiscrepancy(reason)).toBe(true);
    },
  );

  test('an operator that says the payment is completed says how much it moved only where nothing else differs', () => {
    const moved = { ...asked, amount: 1n, currency: 'USD' };
    expect(validateOutcome({ type: 'COMPLETED', moved }, asked)).toEqual({
      type: 'UNKNOWN',
      reason: 'AMOUNT_DIFFERS',
    });
  });

  test('an operator that says the payment is completed is believed if and only if nothing it names differs from what we asked', () => {
    const moved = fc.record(
      {
        amount: fc.constantFrom(asked.amount, 1n),
        currency: fc.constantFrom(asked.currency, 'USD'),
        phoneNumber: fc.constantFrom(asked.phoneNumber, '250783456780'),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(moved, (named) => {
        const together = { ...asked, ...named };
        const differs =
          together.amount !== asked.amount ||
          together.currency !== asked.currency ||
          together.phoneNumber !== asked.phoneNumber;
        expect(validateOutcome({ type: 'COMPLETED', moved: named }, asked).type).toBe(
          differs ? 'UNKNOWN' : 'COMPLETED',
        );
      }),
    );
  });
});

test.each<Outcome>([
  { type: 'FAILED', code: 'PAYMENT_NOT_APPROVED' },
  { type: 'PENDING', authorizationUrl: 'https://wave.example/pay' },
  { type: 'NOT_SEEN' },
  { type: 'UNKNOWN', reason: 'NO_ANSWER' },
])('an answer of $type is passed on as it is', (outcome) => {
  expect(validateOutcome(outcome, asked)).toBe(outcome);
});

test('an operator transaction that another payment has is a discrepancy too', () => {
  expect(isDiscrepancy('TRANSACTION_TAKEN')).toBe(true);
});

test.each<UnknownReason>(['NO_ANSWER', 'OPERATOR_ERROR', 'UNMAPPED_CODE', 'UNREADABLE_ANSWER', 'NOT_SENT'])(
  '%s says nothing about what was moved',
  (reason) => {
    expect(isDiscrepancy(reason)).toBe(false);
  },
);
