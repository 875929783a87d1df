// The port every operator connector fits. An operation that is absent is unsupported: there are no stubs.
// A connector only talks; it never decides what an answer means for a payment and never writes to the database.
import type { Outcome } from '../domain/outcome.ts';
import type { Amount } from '../domain/money.ts';
import type { PaymentKind } from '../domain/payment.ts';

export type Connector = {
  readonly name: string;
  readonly timing: ConnectorTiming;
  readonly reference: {
    /** OURS: the operator keys the payment by our reference. THEIRS: it picks the only queryable one. */
    readonly chosenBy: 'OURS' | 'THEIRS';
    readonly shape: ReferenceShape;
  };
  /** Whether sending the same reference again is recognised as a repeat, or charges a second time. */
  readonly repeatedSubmit: 'HARMLESS' | 'CHARGES_AGAIN';
  /** What this operator can do for a provider: capabilities differ by country. */
  readonly supports: (operation: PaymentKind, provider: string) => boolean;

  readonly submit: (order: SubmitOrder, permission: SendPermission) => Promise<SubmitAnswer>;
  /** Receives the whole stored attempt: some operators want more than an identifier. */
  readonly query?: (attempt: StoredAttempt) => Promise<QueryAnswer>;
  readonly refund?: {
    readonly mode: 'NATIVE_FULL' | 'NATIVE_PARTIAL' | 'REVERSAL' | 'PAYOUT_EMULATED';
    readonly submit: (order: RefundOrder, permission: SendPermission) => Promise<SubmitAnswer>;
  };
  readonly balance?: (account: BalanceAccount) => Promise<BalanceAnswer>;
  readonly notifications?: {
    /** Pure: reads and authenticates a raw notification. What it cannot vouch for is only a hint. */
    readonly read: (notification: RawNotification) => NotificationReading;
  };
  /** Lets go of connections once the calls under way have ended. */
  readonly close?: () => Promise<void>;
};

export type ConnectorTiming = {
  /** How long after its claim an attempt may still be written to the socket. */
  readonly sendDeadlineMs: number;
  /** How long we wait for the answer to a submit or query. */
  readonly timeoutMs: number;
  /** When "not found" is proof: send deadline + time-out + the operator's own lag. */
  readonly notSeenAfterMs: number;
  /** Waits before the 1st, 2nd, … enquiry; the last one repeats. */
  readonly enquiryDelaysMs: readonly number[];
  /** When an attempt without a final answer goes to IN_RECONCILIATION. */
  readonly horizonMs: number;
  /** The enquiry interval after the horizon. */
  readonly reconciliationDelayMs: number;
};

/** UUID: for operators that demand one. TOKEN: 32 hex digits. Both begin with the home. */
export type ReferenceShape = 'UUID' | 'TOKEN';

export type SubmitOrder = {
  readonly reference: string;
  readonly operation: PaymentKind;
  readonly provider: string;
  readonly country: string;
  readonly amount: Amount;
  readonly currency: string;
  readonly phoneNumber: string;
  readonly customerMessage: string;
  readonly preAuthorisationCode?: string;
  readonly successfulUrl?: string;
  readonly failedUrl?: string;
  /** Where this attempt's notifications go. Its path carries the reference and a secret of this attempt. */
  readonly notificationUrl: string;
};

export type RefundOrder = SubmitOrder & { readonly original: StoredAttempt };

/** Permission to send, asked for immediately before the socket write. It ends; it does not come back. */
export type SendPermission = { readonly isOpen: () => boolean };

export type SubmitAnswer = {
  readonly outcome: Outcome;
  /** The operator's own reference, where it picks one. */
  readonly providerReference?: string;
  /** What the operator said, for people who have to understand it later. Sealed at rest. */
  readonly evidence: string;
};

/** ENQUIRY_REQUESTED: the answer is only an acknowledgement, the result arrives as a notification. */
export type QueryAnswer = SubmitAnswer | { readonly outcome: 'ENQUIRY_REQUESTED'; readonly evidence: string };

export type StoredAttempt = SubmitOrder & {
  readonly attemptNo: number;
  readonly claimedAt: Date;
  readonly providerReference?: string;
};

export type BalanceAccount = {
  readonly provider: string;
  readonly country: string;
  readonly currency: string;
  readonly operation: PaymentKind;
};

export type BalanceAnswer =
  | { readonly type: 'BALANCE'; readonly amount: Amount }
  /** The balance arrives as a notification. */
  | { readonly type: 'REQUESTED' }
  | { readonly type: 'UNKNOWN' };

export type RawNotification = {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** What the path carried, where the operator's messages hold nothing of ours. */
  readonly pathReference?: string;
  readonly pathSecretIsGenuine: boolean;
  readonly receivedAt: Date;
};

export type NotificationReading =
  | {
      readonly type: 'AUTHENTIC';
      readonly reference: string;
      readonly outcome: Outcome;
      readonly evidence: string;
    }
  | { readonly type: 'HINT'; readonly reference: string }
  | { readonly type: 'UNREADABLE' };
