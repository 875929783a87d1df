// What an operator's answer is worth for a payment. Pure: an answer that does not fit the payment, or cannot be kept,
// is unknown, whatever it claims.
import type { PaymentEvent } from '../../domain/payments/lifecycle.ts';
import { differs, validateOutcome, type Outcome } from '../../domain/payments/outcome.ts';
import { comparableTransaction } from '../../domain/ledger/money-reference.ts';
import type { StoredPayment } from '../../store/payments/payments.ts';

/** What an answer is worth for this payment: one that does not fit it, or cannot be kept, is unknown. */
export function validateEvent(event: PaymentEvent, payment: StoredPayment): PaymentEvent {
  if (event.type !== 'OPERATOR_ANSWERED') return event;
  if (!isKeepable(event.outcome))
    return { ...event, outcome: { type: 'UNKNOWN', reason: 'UNREADABLE_ANSWER' } };
  if (isSecondSuccess(event.outcome, payment)) {
    return { ...event, outcome: secondSuccess(event.outcome, payment) };
  }
  const { amount, currency, details } = payment;
  return {
    ...event,
    outcome: validateOutcome(event.outcome, { amount, currency, phoneNumber: details.phoneNumber }),
  };
}

/** Operators' identifiers are short plain texts. Anything else would poison every statement that carries it. */
export function isPlainText(text: string): boolean {
  return /^[\x20-\x7e]{1,255}$/.test(text);
}

function isKeepable(outcome: Outcome): boolean {
  const { providerTransactionId } = providerTransactionOf(outcome);
  return providerTransactionId === undefined || isPlainText(providerTransactionId);
}

/** With the amount that the second transaction moved, which is at risk whatever the payment's own moved. */
function secondSuccess(outcome: Completed, { currency }: StoredPayment): Outcome {
  const { amount: reportedAmount, currency: moved = currency } = outcome.moved ?? {};
  const isKnown = reportedAmount !== undefined && moved === currency;
  return { ...differs(outcome, 'SECOND_TRANSACTION'), ...(isKnown && { reportedAmount }) };
}

type Completed = Extract<Outcome, { readonly type: 'COMPLETED' }>;

/** The operator moved the money of a completed payment once more, under another transaction. */
function isSecondSuccess(outcome: Outcome, payment: StoredPayment): outcome is Completed {
  if (payment.state !== 'COMPLETED' || outcome.type !== 'COMPLETED') return false;
  const { providerTransactionId: second } = outcome;
  return (
    second !== undefined &&
    payment.providerTransactionId !== undefined &&
    comparableTransaction(second) !== comparableTransaction(payment.providerTransactionId)
  );
}

export function providerTransactionOf(outcome: Outcome | null): { readonly providerTransactionId?: string } {
  if (outcome === null || !('providerTransactionId' in outcome)) return {};
  const { providerTransactionId } = outcome;
  return providerTransactionId === undefined ? {} : { providerTransactionId };
}

/** A code-like text of an outcome, safe to keep in the open: "FAILED PAYER_NOT_FOUND". */
export function outcomeText(outcome: Outcome): string {
  switch (outcome.type) {
    case 'FAILED':
      return `FAILED ${outcome.code}`;
    case 'UNKNOWN':
      return `UNKNOWN ${outcome.reason}`;
    case 'COMPLETED':
    case 'PENDING':
    case 'NOT_SEEN':
      return outcome.type;
  }
}
