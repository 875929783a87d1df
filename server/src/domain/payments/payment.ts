// A payment, independent of API version and operator.
import type { Amount } from '../money.ts';
import type { FailureCode } from '../failure.ts';
import type { Hold } from '../limits/freeze.ts';
import type { UnknownReason } from './outcome.ts';

export const PAYMENT_KINDS = ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

/** What a merchant can start: payments, and split payments of several parts. */
export const OPERATIONS = [...PAYMENT_KINDS, 'SPLIT_PAYMENT'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** What has callbacks: operations, and checkouts, whose attempts are deposits. */
export const ANNOUNCED_KINDS = [...OPERATIONS, 'CHECKOUT'] as const;
export type AnnouncedKind = (typeof ANNOUNCED_KINDS)[number];

/** The name of a kind for people: "Deposit". */
export function nameOf(kind: PaymentKind): string {
  return kind.charAt(0) + kind.slice(1).toLowerCase();
}

export const PAYMENT_STATES = [
  'ACCEPTED',
  'ENQUEUED',
  'PROCESSING',
  'IN_RECONCILIATION',
  'COMPLETED',
  'FAILED',
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** Identifiers are unique per merchant and kind, permanently. `paymentId` is in lower case. */
export type PaymentKey = {
  readonly merchantId: string;
  readonly kind: PaymentKind;
  readonly paymentId: string;
  /** Our own number, where it is known: the payment is found by it without its identifier. */
  readonly paymentNo?: string;
};

/** The same for everything with its own identifier. Statements carry their own callback address. */
export type OperationKey = Omit<PaymentKey, 'kind'> & { readonly kind: AnnouncedKind | 'STATEMENT' };

/** A payment's next step; a job is only the wake-up for it. */
export type NextAction = 'SUBMIT' | 'ENQUIRE';

/** The API version that started the payment; callbacks use it too. */
export type ApiVersion = 'v1' | 'v2';

export type Metadata = readonly MetadataEntry[];
export type MetadataEntry = { readonly name: string; readonly value: string; readonly isPii: boolean };

/** The recipient of a remittance. */
export type RecipientDetails = { readonly firstName: string; readonly lastName: string };

/** The sender of a remittance and the purpose: the validated block from the merchant. */
export type RemittanceSender = {
  readonly transactionDetails: Readonly<Record<string, string>>;
  readonly senderDetails: { readonly [name: string]: string | Readonly<Record<string, string>> };
};

/** Everything that is encrypted at rest: the payer, and all free texts of the merchant. */
export type PaymentDetails = {
  readonly phoneNumber: string;
  readonly customerMessage: string;
  readonly clientReferenceId?: string;
  readonly preAuthorisationCode?: string;
  readonly successfulUrl?: string;
  readonly failedUrl?: string;
  readonly authorizationUrl?: string;
  readonly metadata?: Metadata;
  /** When the customer's own request began, as the merchant wrote it: RFC 3339. */
  readonly customerTimestamp?: string;
  /** How the operator's last contradicting answer differed from our request. */
  readonly discrepancy?: UnknownReason;
  /** The refunded deposit's identifier as written in the request, if not in lower case. */
  readonly writtenDepositId?: string;
  /** A payer started the deposit on a hosted page, so the merchant has nothing to do before its end. */
  readonly isFromPage?: true;
  readonly recipientDetails?: RecipientDetails;
  readonly sender?: RemittanceSender;
};

/** What remains of the details when a person is erased: our own findings. */
export function erasedDetails({ discrepancy, writtenDepositId }: PaymentDetails): PaymentDetails {
  return {
    phoneNumber: '',
    customerMessage: '',
    ...(discrepancy !== undefined && { discrepancy }),
    ...(writtenDepositId !== undefined && { writtenDepositId }),
  };
}

/** After erasure the person can no longer be paid, found or compared. */
export function isErased({ phoneNumber }: Pick<PaymentDetails, 'phoneNumber'>): boolean {
  return phoneNumber === '';
}

export type Payment = PaymentKey & {
  /** Our own, in the order of time; no merchant and no operator ever sees it. */
  readonly paymentNo: string;
  /** The identifier as the merchant wrote it: UUIDs are compared without case and returned as written. */
  readonly writtenId: string;
  readonly apiVersion: ApiVersion;
  readonly state: PaymentState;
  readonly amount: Amount;
  /** The merchant's own text of the amount, returned as written. */
  readonly amountText: string;
  readonly fee: Amount;
  readonly currency: string;
  readonly country: string;
  readonly provider: string;
  /** The deposit that a refund returns. */
  readonly depositId?: string;
  /** The split payment of this part. */
  readonly splitPaymentId?: string;
  /** The checkout of this attempt. */
  readonly checkoutId?: string;
  /** The API token that requested it; absent where a person or a payer did. */
  readonly tokenId?: string;
  /** The counters of limits that it counts in. */
  readonly countedIn?: readonly string[];
  readonly details: PaymentDetails;
  readonly createdAt: Date;
  /** When the payment became COMPLETED or FAILED. */
  readonly finalAt?: Date;
  readonly nextAction: NextAction | null;
  readonly nextActionAt: Date | null;
  readonly enquiryCount: number;
  readonly eventCount: number;
  readonly providerTransactionId?: string;
  readonly failureCode?: FailureCode;
  /** Why it waits until something beside its provider has ended. */
  readonly held?: Hold;
  /** The freeze that holds it. */
  readonly heldBy?: string;
};

/** Sorting by this text gives the lock order of payments: merchant, kind, identifier. */
export function paymentKeyText(key: OperationKey): string {
  return `${key.merchantId}/${key.kind}/${key.paymentId}`;
}

/** Each key once, in lock order. */
export function distinctKeys(keys: readonly PaymentKey[]): readonly PaymentKey[] {
  const byName = new Map(keys.map((key) => [paymentKeyText(key), key]));
  return [...byName.keys()].toSorted().flatMap((name) => byName.get(name) ?? []);
}
