// What a payment is, whichever API version asks and whichever operator carries it.
import type { Amount } from '../money.ts';
import type { FailureCode } from '../failure.ts';
import type { UnknownReason } from './outcome.ts';

export const PAYMENT_KINDS = ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

/** What a merchant can start: payments, and split payments that are made of several. */
export const OPERATIONS = [...PAYMENT_KINDS, 'SPLIT_PAYMENT'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** What is announced where the merchant's settings say: operations, and checkouts, whose attempts are deposits. */
export const ANNOUNCED_KINDS = [...OPERATIONS, 'CHECKOUT'] as const;
export type AnnouncedKind = (typeof ANNOUNCED_KINDS)[number];

/** What people call a kind of payment: "Deposit". */
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
};

/** The same for anything that has an identifier of its own, statements too: they say themselves who is told. */
export type OperationKey = Omit<PaymentKey, 'kind'> & { readonly kind: AnnouncedKind | 'STATEMENT' };

/** What a payment's next step is; a job is only the wake-up for it. */
export type NextAction = 'SUBMIT' | 'ENQUIRE';

/** The words the merchant used to start the payment, and in which it is announced. */
export type ApiVersion = 'v1' | 'v2';

export type Metadata = readonly MetadataEntry[];
export type MetadataEntry = { readonly name: string; readonly value: string; readonly isPii: boolean };

/** Who receives a remittance. */
export type RecipientDetails = { readonly firstName: string; readonly lastName: string };

/** Who sends a remittance, and why: the block as the merchant gave it, already checked. */
export type RemittanceSender = {
  readonly transactionDetails: Readonly<Record<string, string>>;
  readonly senderDetails: { readonly [name: string]: string | Readonly<Record<string, string>> };
};

/** Everything that is encrypted at rest: who pays, and every text the merchant wrote freely. */
export type PaymentDetails = {
  readonly phoneNumber: string;
  readonly customerMessage: string;
  readonly clientReferenceId?: string;
  readonly preAuthorisationCode?: string;
  readonly successfulUrl?: string;
  readonly failedUrl?: string;
  readonly authorizationUrl?: string;
  readonly metadata?: Metadata;
  /** When the customer's own request began, in the merchant's text: RFC 3339. */
  readonly customerTimestamp?: string;
  /** What of the operator's last contradicting answer differed from what we asked for. */
  readonly discrepancy?: UnknownReason;
  /** The refunded deposit's identifier as the request wrote it, where that is not in lower case. */
  readonly writtenDepositId?: string;
  /** A payer started the deposit on a hosted page, so the merchant has nothing to do before its end. */
  readonly isFromPage?: true;
  readonly recipientDetails?: RecipientDetails;
  readonly sender?: RemittanceSender;
};

/** What is left of details when the person they name is forgotten: what we found out ourselves. */
export function erasedDetails({ discrepancy, writtenDepositId }: PaymentDetails): PaymentDetails {
  return {
    phoneNumber: '',
    customerMessage: '',
    ...(discrepancy !== undefined && { discrepancy }),
    ...(writtenDepositId !== undefined && { writtenDepositId }),
  };
}

/** No one can be paid, found or compared any more. */
export function isErased({ phoneNumber }: Pick<PaymentDetails, 'phoneNumber'>): boolean {
  return phoneNumber === '';
}

export type Payment = PaymentKey & {
  /** The identifier as the merchant wrote it: UUIDs compare without case and are echoed as written. */
  readonly writtenId: string;
  readonly apiVersion: ApiVersion;
  readonly state: PaymentState;
  readonly amount: Amount;
  /** The merchant's own text of the amount, echoed as written. */
  readonly amountText: string;
  readonly fee: Amount;
  readonly currency: string;
  readonly country: string;
  readonly provider: string;
  /** The deposit a refund returns. */
  readonly depositId?: string;
  /** The split payment this is a part of. */
  readonly splitPaymentId?: string;
  /** The checkout this is an attempt of. */
  readonly checkoutId?: string;
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
};

/** Sorting by this text is the lock order of payments: merchant, kind, identifier. */
export function paymentKeyText(key: OperationKey): string {
  return `${key.merchantId}/${key.kind}/${key.paymentId}`;
}

/** Each key once, in the order of locks. */
export function distinctKeys(keys: readonly PaymentKey[]): readonly PaymentKey[] {
  const byName = new Map(keys.map((key) => [paymentKeyText(key), key]));
  return [...byName.keys()].toSorted().flatMap((name) => byName.get(name) ?? []);
}
