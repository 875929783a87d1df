// What merchants ask for, before it is a payment.
import { canonicalIdentifier } from '../../domain/identifier.ts';
import type { Amount } from '../../domain/money.ts';
import type { ApiVersion, PaymentDetails, PaymentKey, PaymentKind } from '../../domain/payments/payment.ts';
import type { Availability } from '../../store/operators/availability.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import type { StoredPayment } from '../../store/payments/payments.ts';
import type { Admitted, Refused } from './admit.ts';

type OrderBase = {
  /** The number its payment gets. It also tells the request from its repeats. */
  readonly paymentNo: string;
  readonly merchant: Merchant;
  readonly apiVersion: ApiVersion;
  readonly writtenId: string;
  /** The API token that carried it; absent where a person or a payer asks. */
  readonly tokenId?: string;
};

/** Which try of which checkout a deposit is. */
export type AttemptOf = { readonly checkoutId: string; readonly attemptNo: number };

/** A payment that names its own provider and amount. */
export type DirectOrder = OrderBase & {
  readonly kind: Exclude<PaymentKind, 'REFUND'>;
  readonly amount: Amount;
  readonly amountText: string;
  readonly currency: string;
  readonly provider: string;
  /** The country the merchant expects the provider to be in, where the request says so: alpha-3. */
  readonly askedCountry?: string;
  readonly attemptOf?: AttemptOf;
  readonly details: Omit<PaymentDetails, 'customerMessage'> & { readonly customerMessage?: string };
};

/** A payment that gives a deposit back, wholly when it names no amount. */
export type RefundSubmitRequest = OrderBase & {
  readonly kind: 'REFUND';
  readonly depositId: string;
  readonly amount?: Amount;
  readonly amountText?: string;
  readonly currency?: string;
  readonly details: Pick<PaymentDetails, 'clientReferenceId' | 'metadata'>;
};

/** A schema-valid request of an authenticated merchant. */
export type InitiationOrder = DirectOrder | RefundSubmitRequest;

/** An order on its way: a payment it may become, or why it may not. A refund is resolved in the transaction. */
export type Candidate = {
  readonly order: InitiationOrder;
  readonly becomes: StoredPayment | Refused | 'RESOLVED_IN_TRANSACTION';
};

export type ResolvedCandidate = Candidate & { readonly becomes: StoredPayment | Refused };

export function keyOf(order: InitiationOrder): PaymentKey {
  const { merchant, kind, writtenId } = order;
  return { merchantId: merchant.merchantId, kind, paymentId: canonicalIdentifier(writtenId) };
}

/** The token of a request, for what it becomes. */
export function tokenOf({ tokenId }: { readonly tokenId?: string }) {
  return tokenId === undefined ? {} : { tokenId };
}

/** How every payment begins: to be submitted now, or waiting for its provider. */
export function firstStep(admitted: Admitted, now: Date) {
  const isEnqueued = admitted.state === 'ENQUEUED';
  return {
    state: admitted.state,
    country: admitted.country,
    connector: admitted.connector,
    fee: admitted.fee,
    createdAt: now,
    nextAction: isEnqueued ? null : ('SUBMIT' as const),
    nextActionAt: isEnqueued ? null : now,
    enquiryCount: 0,
    eventCount: 1,
  };
}

/** What requests are accepted by: nothing in the transaction may wait for another connection. */
export type InitiationFacts = {
  /** The time of the transaction. */
  readonly now: Date;
  /** Providers that are not OPERATIONAL, by "PROVIDER OPERATION". */
  readonly unavailable: ReadonlyMap<string, Availability>;
};
