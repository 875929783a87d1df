// One transaction in the simulator, and its rendering in answers and notifications.
import type { PaymentKind } from '../../../domain/payments/payment.ts';

export type ChargeStatus = 'PENDING' | 'SUCCESSFUL' | 'FAILED';

/** The planned end of a transaction. PENDING never ends; FAILED without a code gives no reason. */
export type Verdict = { readonly status: ChargeStatus; readonly failureCode?: string };

/** One entry of the books. */
export type Charge = Verdict & {
  readonly reference: string;
  readonly transactionId: string;
  readonly operation: PaymentKind;
  readonly provider: string;
  readonly amount: string;
  readonly currency: string;
  readonly phoneNumber: string;
  /** How many times it was submitted. It is charged once. */
  readonly submissions: number;
  readonly acceptedAt: string;
  readonly settledAt: string | null;
};

/** A charge with what the simulator still has to do for it. */
export type OpenCharge = Charge & {
  readonly plan: Verdict;
  /** The merchant's message to the payer. */
  readonly message: string;
  /** When the plan is carried out; null if it waits for the payer. */
  readonly dueAt: string | null;
  readonly notificationUrl: string;
  readonly authorizationUrl?: string;
  readonly successUrl?: string;
  readonly failUrl?: string;
};

/** The status message, the same in answers and notifications. */
export function renderStatus(charge: Charge): Omit<Charge, 'submissions' | 'acceptedAt' | 'settledAt'> {
  const { reference, transactionId, operation, provider, status, amount, currency, phoneNumber } = charge;
  const reported = { reference, transactionId, operation, provider, status, amount, currency, phoneNumber };
  return charge.failureCode === undefined ? reported : { ...reported, failureCode: charge.failureCode };
}

/** The entry of the books, without the simulator's plans. */
export function renderCharge(charge: OpenCharge): Charge {
  const { submissions, acceptedAt, settledAt } = charge;
  return { ...renderStatus(charge), submissions, acceptedAt, settledAt };
}
