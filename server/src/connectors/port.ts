// The port every operator connector fits. An operation that is absent is unsupported: there are no stubs.
// A connector only talks; it never decides what an answer means for a payment and never writes to the database.
import type { Outcome } from '../domain/payments/outcome.ts';
import type { Amount } from '../domain/money.ts';
import type { PaymentKind, RecipientDetails, RemittanceSender } from '../domain/payments/payment.ts';

export type Connector = OperationFacts & {
  readonly name: string;
  /** Its name in notification addresses, where the operator refuses addresses that hold some words. */
  readonly addressName?: string;
  /** Where an operation departs from the facts above; an operator that treats all alike says nothing. */
  readonly departures?: Readonly<Partial<Record<PaymentKind, Partial<OperationFacts>>>>;
  /** What this operator can do for a provider: capabilities differ by country. */
  readonly supports: (operation: PaymentKind, provider: string) => boolean;

  readonly submit: (request: SubmitRequest, permission: SendPermission) => Promise<SubmitAnswer>;
  /**
   * Receives the whole stored attempt: some operators want more than an identifier. It is not called about an attempt
   * whose only queryable reference is THEIRS and was lost with the answer to the submit.
   */
  readonly query?: (attempt: StoredAttempt) => Promise<QueryAnswer>;
  readonly refund?: {
    readonly mode: RefundMode;
    readonly submit: (request: RefundSubmitRequest, permission: SendPermission) => Promise<SubmitAnswer>;
  };
  readonly balance?: (account: BalanceAccount) => Promise<BalanceAnswer>;
  readonly notifications?: {
    /**
     * What makes a message authentic. SIGNED: the operator signs it. ANSWERS_ONLY: nothing is signed, so only the
     * answer to a question of ours counts, at the address that was made for it. HINTS_ONLY: nothing; the operator is
     * asked before money moves. An address that stays the same authenticates no one: people can read it.
     */
    readonly authenticity: 'SIGNED' | 'ANSWERS_ONLY' | 'HINTS_ONLY';
    /** Where its messages come from, as it publishes; in production no message from elsewhere is read. */
    readonly sources?: readonly string[];
    /** Reads and authenticates a raw notification; changes nothing. What it cannot vouch for is only a hint. */
    readonly read: (
      notification: RawNotification,
      accountOf: AccountOf,
    ) => NotificationReading | Promise<NotificationReading>;
    /** The JSON with which the operator wants a message acknowledged; an empty object where it does not care. */
    readonly acknowledge?: (notification: RawNotification) => object;
  };
  /**
   * Takes slots of the operator's rate budget, which all processes share, and answers when they are: by
   * `performance.now()`, because no clock that can be set is involved. Null: there is no limit.
   */
  readonly takeSlots?: (wanted: WantedSlots) => Promise<readonly number[] | null>;
  /** Lets go of connections once the calls in progress have ended. */
  readonly close?: () => Promise<void>;
};

/** The account that the attempt of a reference was sent with; undefined where that is not known. */
export type AccountOf = (reference: string) => Promise<string | undefined>;

/** What is true of every payment of an operation, whatever its country. */
export type OperationFacts = {
  readonly timing: ConnectorTiming;
  readonly reference: {
    /** OURS: the operator keys the payment by our reference. THEIRS: it picks the only queryable one. */
    readonly chosenBy: 'OURS' | 'THEIRS';
    readonly shape: ReferenceShape;
    /** A refund is known by the reference of its deposit: having that says nothing of whether it was seen. */
    readonly isOriginals?: true;
  };
  /** Whether sending the same reference again is recognised as a repeat, or charges a second time. */
  readonly repeatedSubmit: 'HARMLESS' | 'CHARGES_AGAIN';
  /** Where the operator has no word for a request it never saw: what was not sent could not be found out by asking. */
  readonly neverSaysNotSeen?: true;
};

/**
 * NATIVE_FULL: the whole deposit, in one piece. NATIVE_PARTIAL: any part. REVERSAL: the operator undoes a transaction
 * that is named by its own receipt. PAYOUT_EMULATED: a transfer back that names no original.
 */
export type RefundMode = 'NATIVE_FULL' | 'NATIVE_PARTIAL' | 'REVERSAL' | 'PAYOUT_EMULATED';

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
  /** The enquiry interval in the first day after the horizon. */
  readonly reconciliationDelayMs: number;
  /** The interval from then on, where it is longer. A day where it is left out. */
  readonly lateReconciliationDelayMs?: number;
  /** How long a payer has to approve a request on the phone, where it is known of the operator. */
  readonly approvalMs?: number;
};

/** UUID: for operators that demand one. TOKEN: 32 hex digits. Both begin with the home. */
export type ReferenceShape = 'UUID' | 'TOKEN';

export type SubmitRequest = {
  readonly reference: string;
  /** The operator account of the attempt: everything about it is said with this one. */
  readonly account?: string;
  readonly operation: PaymentKind;
  readonly provider: string;
  readonly country: string;
  readonly amount: Amount;
  readonly currency: string;
  readonly phoneNumber: string;
  readonly customerMessage: string;
  /** The one-time code the payer made beforehand, where the operator wants one. */
  readonly preAuthorisationCode?: string;
  readonly successfulUrl?: string;
  readonly failedUrl?: string;
  /** Of a remittance: who sends it and why, and who receives it. Personal, every word of it. */
  readonly sender?: RemittanceSender;
  readonly recipient?: RecipientDetails;
  /**
   * Where this attempt's notifications go. Its path ends in the reference and a secret of this attempt; a connector
   * that needs several addresses puts a topic of its own behind them: `${notificationUrl}/timeout`.
   */
  readonly notificationUrl: string;
};

export type RefundSubmitRequest = SubmitRequest & { readonly original: StoredAttempt };

export type WantedSlots = {
  readonly provider: string;
  readonly operation: PaymentKind;
  /** RELEASE: payments that waited for their provider become due, no faster than they can be sent. */
  readonly use: 'SUBMIT' | 'RELEASE';
  readonly countMax: number;
};

/** Permission to send, asked for immediately before the socket write. It ends; it does not come back. */
export type SendPermission = {
  readonly isOpen: () => boolean;
  /** The slot that was taken for it: the call waits until `performance.now()` has come to it. */
  readonly slotAt?: number | undefined;
};

export type SubmitAnswer = {
  readonly outcome: Outcome;
  /** The operator's own reference, where it picks one. Plain text of at most 255 characters. */
  readonly providerReference?: string;
  /** What the operator said, for people who have to understand it later. Encrypted at rest. */
  readonly evidence: string;
  /** The operator's word where the fault is the host's: a key, a setting, an account that is barred or empty. */
  readonly alert?: string;
  /** The code of a failure that is not believed before a second enquiry tells it too. */
  readonly reportedFailure?: string;
};

/** ENQUIRY_REQUESTED: the answer is only an acknowledgement, the result arrives as a notification. */
export type QueryAnswer = SubmitAnswer | { readonly outcome: 'ENQUIRY_REQUESTED'; readonly evidence: string };

export type StoredAttempt = SubmitRequest & {
  readonly attemptNo: number;
  readonly claimedAt: Date;
  readonly providerReference?: string;
  /** The operator's receipt, once the payment is COMPLETED. */
  readonly providerTransactionId?: string;
  /** The receipt that a message reported which nothing vouches for. It must be asked about before it is used. */
  readonly reportedReceipt?: string;
  /** A receipt that an enquiry of ours confirmed. */
  readonly provedReceipt?: string;
  /** A failure that an enquiry reported and that needs a second one, and when it was reported. */
  readonly reportedFailure?: ReportedFailure;
};

export type ReportedFailure = { readonly code: string; readonly at: Date };

export type BalanceAccount = {
  readonly provider: string;
  readonly country: string;
  readonly currency: string;
  readonly operation: PaymentKind;
  /** Names this account, for operators that tell balances later. */
  readonly reference: string;
};

export type BalanceAnswer =
  | { readonly type: 'BALANCE'; readonly amount: Amount }
  /** The balance arrives at the address for the answer. */
  | { readonly type: 'REQUESTED' }
  /** No call was made: this operator does not tell, or our own rate budget has no room. It says nothing about it. */
  | { readonly type: 'NOT_ASKED' }
  | { readonly type: 'UNKNOWN' };

export type RawNotification = {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** What the path carried, where the operator's messages hold nothing of ours. */
  readonly pathReference?: string;
  readonly pathSecretIsGenuine: boolean;
  /** It came, as the first one, to an address that was made for the answer to a question of ours. */
  readonly isAnswer?: true;
  /** What a connector put behind the secret. */
  readonly pathTopic?: string;
  /** Of an operator that knows one address for each account: the provider the host put into it. */
  readonly pathProvider?: string;
  readonly receivedAt: Date;
};

export type NotificationReading =
  | {
      readonly type: 'AUTHENTIC';
      readonly reference: string;
      /** It is the result of an enquiry of ours that was only acknowledged. It needs no confirmation: it is one. */
      readonly isAnswer?: true;
      readonly outcome: Outcome;
      readonly evidence: string;
      /** As of a SubmitAnswer. */
      readonly alert?: string;
    }
  /** The answer to a question for a balance. Only from a message that is as authentic as the operator's can be. */
  | { readonly type: 'BALANCE'; readonly reference: string; readonly amount: Amount }
  /** The answer to a question about a receipt: what that receipt stands for at the operator. */
  | { readonly type: 'RECEIPT'; readonly reference: string; readonly outcome: Outcome }
  /** A reason to ask. Forged: what this operator authenticates with is missing or wrong. */
  | {
      readonly type: 'HINT';
      readonly reference: string;
      readonly isForged?: true;
      /** A receipt that it tells. Nothing is done with it before an enquiry confirms it. */
      readonly reportedReceipt?: string;
      /** As of a SubmitAnswer. */
      readonly alert?: string;
    }
  | { readonly type: 'UNREADABLE' };

/** The facts of one operation. */
export function factsOf(connector: Connector, operation: PaymentKind): OperationFacts {
  const { timing, reference, repeatedSubmit, neverSaysNotSeen, departures } = connector;
  const unseen = neverSaysNotSeen === undefined ? {} : { neverSaysNotSeen };
  return { timing, reference, repeatedSubmit, ...unseen, ...departures?.[operation] };
}
