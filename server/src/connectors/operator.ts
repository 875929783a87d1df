// What a connector's folder exports for the registry, and what it receives. A connector has no access to the database,
// so everything that workers share is passed in as a function.
import type { Clock } from '../domain/clock.ts';
import type { PaymentKind } from '../domain/payments/payment.ts';
import type { Connector, ConnectorTiming } from './port.ts';
import type { RateRule, RateStore } from './rate-gate.ts';
import type { TokenStore } from './token-source.ts';

export type Operator = {
  readonly create: (context: OperatorContext) => Connector;
  /** The catalogue's providers that use this protocol, each with evidence in README.md. */
  readonly providers: readonly string[];
  /** For a protocol without a known provider: the one that the sandbox and the tests use. */
  readonly example?: string;
  /** One provider for each further variant of the protocol; tests run them too. */
  readonly variants?: readonly string[];
  /** The credential fields of an account, by product. Most operators have one product. */
  readonly credentials: Readonly<Record<string, CredentialForm>>;
  /** Which product handles an operation, if there are several. */
  readonly productOf?: (operation: PaymentKind) => string;
  /** The rate limit of an account, for all workers together. */
  readonly rate: RateRule;
  /** A separate rate limit for enquiries, if the operator has one: a refused enquiry then does not delay payments. */
  readonly queryRate?: RateRule;
  /** What `operator certify` must know beside the cases that all operators have. */
  readonly certification: Certification;
};

export type Certification = {
  /** Where the operator has its tests. Every other address is treated as one where real money moves. */
  readonly sandboxUrls: readonly string[];
  /** The currency of those tests, if it is not the market's. */
  readonly sandboxCurrency?: string;
  /** Phone numbers that the operator publishes for those tests. */
  readonly sandboxNumbers?: Partial<CertificationNumbers>;
  /** Providers whose answer about an unknown reference says nothing. */
  readonly withoutNotSeen?: readonly string[];
  /** What only the operator can answer, or a person can check. README.md has the same list. */
  readonly questions: readonly string[];
};

/** Phone numbers by what their payments do: they are paid, they are refused, or no one answers the prompt. */
export type CertificationNumbers = {
  readonly paying: string;
  readonly refusing: string;
  readonly silent: string;
};

/** The providers that an operator's fake simulates. */
export function playedProvidersOf({ providers, example }: Operator): readonly string[] {
  return example === undefined ? providers : [example, ...providers];
}

export type CredentialForm = Readonly<Record<string, CredentialField>>;

export type CredentialField = {
  /** Says where a person finds the value. */
  readonly what: string;
  /** SECRET: never shown again and removed from all records. */
  readonly kind: 'SECRET' | 'OPEN';
  readonly isOptional?: true;
  /** A different value means a different account. A new secret of the same account does not. */
  readonly identifiesAccount?: true;
  /** The operator expires it this many days after it was set. */
  readonly lastsDays?: number;
};

/** The product of an operator that has only one. */
export const ONLY_PRODUCT = 'default';

export type OperatorContext = {
  readonly clock: Clock;
  /** Null if the credentials are not set, or the named account was retired. */
  readonly findAccount: (wanted: WantedAccount) => Promise<Account | null>;
  readonly tokens: TokenStore;
  readonly rates: RateStore;
  /** Records the exchange for support. It must never delay or fail a payment. */
  readonly record: (exchange: Exchange) => void;
  /**
   * Creates the address for the answer to one enquiry, for operators that answer later and sign nothing. Its secret is
   * new, works once and is never shown. A connector may append a topic.
   */
  readonly createAnswerUrl: (question: Question) => Promise<string>;
  /** The host's overrides of the connector's timing. */
  readonly timing: Partial<ConnectorTiming>;
};

export type Question = {
  readonly reference: string;
  /** The connector's name in addresses. */
  readonly addressName: string;
};

export type WantedAccount = {
  readonly provider: string;
  readonly operation: PaymentKind;
  /** The account that the attempt was sent with; default: the account for new payments. */
  readonly account?: string;
};

/** Adds the account of the attempt, if known. */
export function accountWanted(wanted: WantedAccount, account: string | undefined): WantedAccount {
  return account === undefined ? wanted : { ...wanted, account };
}

export type Account = {
  /** Unique in this cell per account id: tokens and rates are stored under it. */
  readonly name: string;
  readonly provider: string;
  readonly product: string;
  readonly values: Readonly<Record<string, string>>;
  /** Values that must never be recorded. */
  readonly secrets: readonly string[];
  readonly rate: RateRule;
  readonly queryRate?: RateRule;
};

/** One request and its answer, without secrets and personal data. */
export type Exchange = {
  readonly at: Date;
  readonly connector: string;
  readonly account: string;
  readonly step: string;
  /** The reference of the payment. */
  readonly reference: string | null;
  readonly httpStatus: number | null;
  /** What went wrong, if there is no answer. */
  readonly error: string | null;
  readonly durationMs: number;
  readonly request: string;
  readonly answer: string;
};
