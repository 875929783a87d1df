// The interface that every connector implements. An absent operation is unsupported; there are no stubs. A connector
// only communicates: it never decides what an answer means for a payment and never writes to the database.
import type { Outcome } from '../domain/payments/outcome.ts';
import type { Amount } from '../domain/money.ts';
import type { PaymentKind, RecipientDetails, RemittanceSender } from '../domain/payments/payment.ts';
import type { ProcessTime } from '../domain/clock.ts';

export type Connector = OperationFacts & {
  readonly name: string;
  /** The connector's name in notification addresses, if the operator refuses addresses that contain its real one. */
  readonly addressName?: string;
  /** Differences of single operations from the facts above. */
  readonly departures?: Readonly<Partial<Record<PaymentKind, Partial<OperationFacts>>>>;
  /** Whether the operator supports an operation for a provider; this differs by country. */
  readonly supports: (operation: PaymentKind, provider: string) => boolean;

  readonly submit: (request: SubmitRequest, permission: SendPermission) => Promise<SubmitAnswer>;
  /**
   * Receives the whole stored attempt, because some operators need more than an identifier. Not called if the operator
   * chooses the reference (THEIRS) and it was lost with the answer to the submit.
   */
  readonly query?: (attempt: StoredAttempt) => Promise<QueryAnswer>;
  readonly refund?: {
    readonly mode: RefundMode;
    readonly submit: (request: RefundSubmitRequest, permission: SendPermission) => Promise<SubmitAnswer>;
  };
  readonly balance?: (account: BalanceAccount) => Promise<BalanceAnswer>;
  /**
   * Who holds the account of a phone number, for people before they send money. It never decides about a payment, and
   * never takes a rate slot that a payment could use.
   */
  readonly holder?: (question: HolderQuestion) => Promise<HolderAnswer>;
  readonly notifications?: {
    /**
     * What makes a message authentic. SIGNED: the operator signs it. ANSWERS_ONLY: nothing is signed, so only the
     * answer to our own enquiry counts, at the address created for it. HINTS_ONLY: nothing; we ask the operator before
     * money moves. A permanent address authenticates nothing, because people can read it.
     */
    readonly authenticity: 'SIGNED' | 'ANSWERS_ONLY' | 'HINTS_ONLY';
    /** The operator's published IP addresses. In production, messages from other addresses are ignored. */
    readonly sources?: readonly string[];
    /** Parses and authenticates a raw notification, without side effects. What is not authentic is only a hint. */
    readonly read: (
      notification: RawNotification,
      accountOf: AccountOf,
    ) => NotificationReading | Promise<NotificationReading>;
    /** The JSON acknowledgement that the operator expects; default: an empty object. */
    readonly acknowledge?: (notification: RawNotification) => object;
  };
  /**
   * Takes slots of the operator's rate budget, which all processes share. Returns their times on the
   * `performance.now()` clock, which cannot be set. Null: there is no limit.
   */
  readonly takeSlots?: (wanted: WantedSlots) => Promise<readonly number[] | null>;
  /** Closes connections when the calls in progress have ended. */
  readonly close?: () => Promise<void>;
};

/** The account that the attempt with this reference was sent with; undefined if unknown. */
export type AccountOf = (reference: string) => Promise<string | undefined>;

/** Facts about every payment of an operation, in all countries. */
export type OperationFacts = {
  readonly timing: ConnectorTiming;
  readonly reference: {
    /** OURS: the operator stores our reference. THEIRS: the operator chooses the only reference that can be queried. */
    readonly chosenBy: 'OURS' | 'THEIRS';
    readonly shape: ReferenceShape;
    /**
     * A refund has the reference of its deposit, so knowing the reference does not prove that the refund was received.
     */
    readonly isOriginals?: true;
  };
  /** Whether the operator recognises a repeated reference, or charges again. */
  readonly repeatedSubmit: 'HARMLESS' | 'CHARGES_AGAIN';
  /** The operator has no answer for "unknown reference": an enquiry cannot prove that nothing was sent. */
  readonly neverSaysNotSeen?: true;
};

/**
 * NATIVE_FULL: the whole deposit. NATIVE_PARTIAL: any part. REVERSAL: the operator reverses a transaction, identified
 * by its receipt. PAYOUT_EMULATED: a payout without a link to the deposit.
 */
export type RefundMode = 'NATIVE_FULL' | 'NATIVE_PARTIAL' | 'REVERSAL' | 'PAYOUT_EMULATED';

export type ConnectorTiming = {
  /** How long after its claim an attempt may still be sent. */
  readonly sendDeadlineMs: number;
  /** The time-out of a submit or query. */
  readonly timeoutMs: number;
  /** When "not found" proves that nothing happened: send deadline + time-out + the operator's own delay. */
  readonly notSeenAfterMs: number;
  /** Delays before the 1st, 2nd, … enquiry; the last one repeats. */
  readonly enquiryDelaysMs: readonly number[];
  /** When an attempt without a final answer moves to IN_RECONCILIATION. */
  readonly horizonMs: number;
  /** The enquiry interval in the first day after the horizon. */
  readonly reconciliationDelayMs: number;
  /** The enquiry interval after that, if longer; default: one day. */
  readonly lateReconciliationDelayMs?: number;
  /** How long the payer can approve on the phone, if known. */
  readonly approvalMs?: number;
};

/** UUID: for operators that require one. TOKEN: 32 hex digits. Both begin with the number of the home cell. */
export type ReferenceShape = 'UUID' | 'TOKEN';

export type SubmitRequest = {
  readonly reference: string;
  /** The operator account of the attempt; all its calls use this one. */
  readonly account?: string;
  readonly operation: PaymentKind;
  readonly provider: string;
  readonly country: string;
  readonly amount: Amount;
  readonly currency: string;
  readonly phoneNumber: string;
  readonly customerMessage: string;
  /** The one-time code that the payer created in advance, if the operator needs one. */
  readonly preAuthorisationCode?: string;
  readonly successfulUrl?: string;
  readonly failedUrl?: string;
  /** Of a remittance: sender, recipient and purpose. All of it is personal data. */
  readonly sender?: RemittanceSender;
  readonly recipient?: RecipientDetails;
  /**
   * The notification address of this attempt. Its path ends with the reference and a secret. A connector that needs
   * several addresses appends a topic: `${notificationUrl}/timeout`.
   */
  readonly notificationUrl: string;
};

export type RefundSubmitRequest = SubmitRequest & { readonly original: StoredAttempt };

export type WantedSlots = {
  readonly provider: string;
  readonly operation: PaymentKind;
  /** RELEASE: payments that waited for their provider become due at the rate at which they can be sent. */
  readonly use: 'SUBMIT' | 'RELEASE';
  readonly countMax: number;
};

/** Permission to send, checked immediately before the socket write. Once it has ended it stays ended. */
export type SendPermission = {
  readonly isOpen: () => boolean;
  /** The slot taken for this call: it waits until `performance.now()` reaches it. */
  readonly slotAt?: number | undefined;
};

export type SubmitAnswer = {
  readonly outcome: Outcome;
  /** The operator's own reference, if it has one. Plain text, at most 255 characters. */
  readonly providerReference?: string;
  /** The operator's words, for people who investigate later. Encrypted at rest. */
  readonly evidence: string;
  /** The operator's code if the host must act: a wrong key or setting, a barred account, an empty float. */
  readonly alert?: string;
  /** The code of a failure that counts only when a second enquiry reports it too. */
  readonly reportedFailure?: string;
};

/** ENQUIRY_REQUESTED: only an acknowledgement; the result arrives as a notification. */
export type QueryAnswer = SubmitAnswer | { readonly outcome: 'ENQUIRY_REQUESTED'; readonly evidence: string };

export type StoredAttempt = SubmitRequest & {
  readonly attemptNo: number;
  readonly claimedAt: Date;
  readonly providerReference?: string;
  /** The operator's receipt, once the payment is COMPLETED. */
  readonly providerTransactionId?: string;
  /** A receipt from an unauthenticated message. It must be confirmed by an enquiry before use. */
  readonly reportedReceipt?: string;
  /** A receipt that an enquiry of ours has confirmed. */
  readonly provedReceipt?: string;
  /** A failure that one enquiry reported, and when. It needs a second enquiry. */
  readonly reportedFailure?: ReportedFailure;
};

export type ReportedFailure = { readonly code: string; readonly at: Date };

export type BalanceAccount = {
  readonly provider: string;
  readonly country: string;
  readonly currency: string;
  readonly operation: PaymentKind;
  /** Identifies this account, for operators that report balances later. */
  readonly reference: string;
};

export type BalanceAnswer =
  | { readonly type: 'BALANCE'; readonly amount: Amount }
  /** The balance arrives later as a notification. */
  | { readonly type: 'REQUESTED' }
  /** No call was made: the operator does not report balances, or our rate budget is used up. */
  | { readonly type: 'NOT_ASKED' }
  | { readonly type: 'UNKNOWN' };

export type HolderQuestion = {
  readonly provider: string;
  readonly country: string;
  readonly currency: string;
  readonly phoneNumber: string;
};

export type HolderAnswer = {
  /** NOT_ACTIVE: there is no account, or it cannot receive money. UNKNOWN: no clear answer. */
  readonly status: 'ACTIVE' | 'NOT_ACTIVE' | 'UNKNOWN';
  /** The name as the operator has it: personal data, masked before it is shown and never stored. */
  readonly name: string | null;
};

export type RawNotification = {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The reference in the path, for operators whose messages do not contain it. */
  readonly pathReference?: string;
  readonly pathSecretIsGenuine: boolean;
  /** It is the first message at an address created for the answer to our enquiry. */
  readonly isAnswer?: true;
  /** The topic that the connector appended after the secret. */
  readonly pathTopic?: string;
  /** For operators with one address per account: the provider in the registered address. */
  readonly pathProvider?: string;
  readonly receivedAt: ProcessTime;
};

export type NotificationReading =
  | {
      readonly type: 'AUTHENTIC';
      readonly reference: string;
      /** The result of our own enquiry, so it needs no further confirmation. */
      readonly isAnswer?: true;
      readonly outcome: Outcome;
      readonly evidence: string;
      /** See SubmitAnswer. */
      readonly alert?: string;
    }
  /** The answer to a balance enquiry, from a message that is as authentic as the operator allows. */
  | { readonly type: 'BALANCE'; readonly reference: string; readonly amount: Amount }
  /** The answer to an enquiry about a receipt: the payment it belongs to. */
  | { readonly type: 'RECEIPT'; readonly reference: string; readonly outcome: Outcome }
  /** A reason to ask the operator. Forged: its signature or secret is missing or wrong. */
  | {
      readonly type: 'HINT';
      readonly reference: string;
      readonly isForged?: true;
      /** An unconfirmed receipt. It is not used before an enquiry confirms it. */
      readonly reportedReceipt?: string;
      /** See SubmitAnswer. */
      readonly alert?: string;
    }
  | { readonly type: 'UNREADABLE' };

/** The facts of one operation. */
export function factsOf(connector: Connector, operation: PaymentKind): OperationFacts {
  const { timing, reference, repeatedSubmit, neverSaysNotSeen, departures } = connector;
  const unseen = neverSaysNotSeen === undefined ? {} : { neverSaysNotSeen };
  return { timing, reference, repeatedSubmit, ...unseen, ...departures?.[operation] };
}
