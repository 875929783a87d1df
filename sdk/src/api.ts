// The gateway's types, taken from its OpenAPI document, with two changes that make them easier to use correctly:
// identifiers are optional in requests, and records are unions of what they can mean.
import type { Currency, FailureCode, Provider } from './known-values.ts';
import type { operations } from './schema.ts';

export type { Currency, FailureCode, Provider };

type Body<Name extends keyof operations> = operations[Name] extends {
  requestBody: { content: { 'application/json': infer Content } };
}
  ? WithKnown<Content>
  : never;

/** A request whose editor proposes the providers and currencies there are. */
type WithKnown<Content> = Content extends readonly (infer Item)[]
  ? readonly WithKnown<Item>[]
  : Content extends object
    ? {
        [Name in keyof Content]: Name extends 'provider'
          ? Provider
          : Name extends 'currency'
            ? Currency
            : WithKnown<Content[Name]>;
      }
    : Content;

type Answer<Name extends keyof operations> = operations[Name] extends {
  responses: { 200: { content: { 'application/json': infer Content } } };
}
  ? Content
  : never;

type RecordOf<Name extends keyof operations> =
  Answer<Name> extends { readonly data?: infer Content } ? NonNullable<Content> : never;

type Query<Name extends keyof operations> = operations[Name] extends {
  parameters: { query?: infer Parameters };
}
  ? NonNullable<Parameters>
  : never;

type ListedBy<Name extends keyof operations> =
  Answer<Name> extends { readonly data: readonly (infer Content)[] } ? Content : never;

export type FailureReason = { readonly failureCode: FailureCode; readonly failureMessage: string };

/** At most ten. Each has one name of your own with a text, and `isPII: true` if that is personal data. */
export type Metadata = readonly { readonly [name: string]: string | boolean }[];

/** A request without an identifier gets one. */
type WithOptionalId<Request, Id extends string> = Omit<Request, Id | 'metadata'> & {
  readonly [Name in Id]?: string;
} & { readonly metadata?: Metadata };

export type DepositRequest = WithOptionalId<Body<'initiateDeposit'>, 'depositId'>;
export type PayoutRequest = WithOptionalId<Body<'initiatePayout'>, 'payoutId'>;
export type RefundRequest = WithOptionalId<Body<'initiateRefund'>, 'refundId'>;
export type RemittanceRequest = WithOptionalId<Body<'initiateRemittance'>, 'remittanceId'>;
export type CheckoutRequest = WithOptionalId<Body<'openCheckout'>, 'checkoutId'>;
export type PaymentPageRequest = WithOptionalId<Body<'openPaymentPage'>, 'depositId'>;
export type StatementRequest = Body<'requestStatement'>;

type SplitPaymentBody = Body<'initiateSplitPayment'>;
export type SplitRequest = WithOptionalId<SplitPaymentBody['splits'][number], 'payoutId'>;
export type SplitPaymentRequest = Omit<WithOptionalId<SplitPaymentBody, 'splitPaymentId'>, 'splits'> & {
  readonly splits: readonly SplitRequest[];
};

// Records. A record's `status` is the outcome of the payment; only a COMPLETED one has `paid`.

type Rest<Record> = Omit<Record, 'status' | 'failureReason'>;

/** Done, and final: the only record that proves that money moved. */
export type Completed<Record> = Rest<Record> & {
  readonly status: 'COMPLETED';
  readonly isFinal: true;
  readonly paid: true;
};

/** It failed finally, for the given reason. */
export type Failed<Record> = Rest<Record> & {
  readonly status: 'FAILED';
  readonly isFinal: true;
  readonly paid?: never;
  readonly failureReason: FailureReason;
};

/** It ended in another way. */
export type Ended<Record, Status extends string> = Rest<Record> & {
  readonly status: Status;
  readonly isFinal: true;
  readonly paid?: never;
};

/** The outcome is not known yet. */
export type Open<Record, Status extends string> = Rest<Record> & {
  readonly status: Status;
  readonly isFinal: false;
  readonly paid?: never;
};

type Waiting = 'ACCEPTED' | 'PROCESSING' | 'IN_RECONCILIATION';

type Told<Record, OpenStatus extends string> = Completed<Record> | Failed<Record> | Open<Record, OpenStatus>;

export type Deposit = Told<RecordOf<'getDeposit'>, Waiting>;
export type Payout = Told<RecordOf<'getPayout'>, Waiting | 'ENQUEUED'>;
export type Refund = Told<RecordOf<'getRefund'>, Waiting | 'ENQUEUED'>;
export type Remittance = Told<RecordOf<'getRemittance'>, Waiting | 'ENQUEUED'>;
export type SplitPayment =
  | Told<RecordOf<'getSplitPayment'>, Waiting>
  /** The money was collected, and at least one split could not be paid out. */
  | Ended<RecordOf<'getSplitPayment'>, 'PAYOUT_FAILED'>;
export type Checkout =
  | Completed<RecordOf<'getCheckout'>>
  | Ended<RecordOf<'getCheckout'>, 'FAILED' | 'EXPIRED' | 'CANCELLED'>
  | Open<RecordOf<'getCheckout'>, 'WAITING_PAYMENT' | 'PROCESSING'>;
/** A statement moves no money, so none of its records has `paid`. */
export type Statement =
  | Ended<RecordOf<'getStatement'>, 'COMPLETED'>
  | Failed<RecordOf<'getStatement'>>
  | Open<RecordOf<'getStatement'>, 'PROCESSING'>;

/** A remittance in a list: what is known of its sender only with the scope personal-data:read. */
export type ListedRemittance = Told<ListedBy<'listRemittances'>, Waiting | 'ENQUEUED'>;

// Lists.

/** At most one of them. The whole value: what begins alike is not found. */
type SoughtBy =
  | { readonly clientReferenceId?: string; readonly metadata?: never; readonly phoneNumber?: never }
  | { readonly metadata: string; readonly clientReferenceId?: never; readonly phoneNumber?: never }
  /** It needs the scope personal-data:read. */
  | { readonly phoneNumber: string; readonly clientReferenceId?: never; readonly metadata?: never };

/** What a list is narrowed by. */
export type ListFilter<Status extends string> = SoughtBy & {
  /** Accepted at this time or later: a Date, or a text of RFC 3339. */
  readonly from?: string | Date;
  /** Accepted before this time. A date without a time means the whole day. */
  readonly to?: string | Date;
  readonly status?: Status;
  readonly provider?: Provider;
  /** How many are read at a time, 1 to 100; default: 50. */
  readonly pageSize?: number;
};

// Answers that are returned unchanged.

export type FeedEvent = Answer<'listEvents'>['data'][number];
export type Balances = Answer<'getWalletBalances'>;
export type BalancesFilter = Query<'getWalletBalances'>;
export type ActiveConfiguration = Answer<'getActiveConfiguration'>;
export type ConfigurationFilter = Query<'getActiveConfiguration'>;
export type Availability = Answer<'getAvailability'>;
export type AvailabilityFilter = Query<'getAvailability'>;
export type PublicKeys = Answer<'getPublicKeys'>;
export type PredictedProvider = Answer<'predictProvider'>;
export type NextStep = NonNullable<Answer<'initiateDeposit'>['nextStep']>;
