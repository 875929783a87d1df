// What a folder of connectors/ offers to the registry, and what the composition hands to it. A connector may not reach
// for the database, so everything shared by all workers comes in as a function.
import type { Clock } from '../domain/clock.ts';
import type { PaymentKind } from '../domain/payments/payment.ts';
import type { Connector, ConnectorTiming } from './port.ts';
import type { RateRule, RateStore } from './rate-gate.ts';
import type { TokenStore } from './token-source.ts';

export type Operator = {
  readonly create: (context: OperatorContext) => Connector;
  /** The providers of the catalogue that this operator's protocol serves, each with evidence that it does. */
  readonly providers: readonly string[];
  /** Of a protocol that no provider is known to speak: the one that the sandbox and the tests try it with. */
  readonly example?: string;
  /** Those of them that are spoken to in another way than the first, one for each way: tests try them too. */
  readonly variants?: readonly string[];
  /** What an account of a provider consists of, by product. Most operators have one product. */
  readonly credentials: Readonly<Record<string, CredentialForm>>;
  /** Which product carries an operation, where there are several. */
  readonly productOf?: (operation: PaymentKind) => string;
  /** How often an account may be called, all workers together. */
  readonly rate: RateRule;
  /** Where the operator counts enquiries apart: one that is refused does not hold up payments. */
  readonly queryRate?: RateRule;
};

/** The providers that an operator's fake plays. */
export function playedProvidersOf({ providers, example }: Operator): readonly string[] {
  return example === undefined ? providers : [example, ...providers];
}

export type CredentialForm = Readonly<Record<string, CredentialField>>;

export type CredentialField = {
  /** For the person who has to find it. */
  readonly what: string;
  /** SECRET: never shown again and taken out of everything that is written down. */
  readonly kind: 'SECRET' | 'OPEN';
  readonly isOptional?: true;
  /** Another value here is another account. A new secret of the same account is not. */
  readonly identifiesAccount?: true;
  /** The operator ends it so many days after it was set there. */
  readonly lastsDays?: number;
};

/** The product of an operator that has only one. */
export const ONLY_PRODUCT = 'default';

export type OperatorContext = {
  readonly clock: Clock;
  /** Null while the host has not set the credentials, and after the account that is named was retired. */
  readonly findAccount: (wanted: WantedAccount) => Promise<Account | null>;
  readonly tokens: TokenStore;
  readonly rates: RateStore;
  /** Keeps what was said for support. It must not hold up a payment, and cannot fail one. */
  readonly record: (exchange: Exchange) => void;
  /**
   * Makes the address for the answer to one question about a reference, for operators that answer at an address and
   * sign nothing. Its secret is fresh, works once and is shown nowhere. A connector puts a topic of its own behind it.
   */
  readonly createAnswerUrl: (question: Question) => Promise<string>;
  /** What the host wants otherwise than the connector's own timing. */
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
  /** The id of the account an attempt was sent with; without it the one that new payments are sent with. */
  readonly account?: string;
};

/** With the account that is named, where one is. */
export function accountWanted(wanted: WantedAccount, account: string | undefined): WantedAccount {
  return account === undefined ? wanted : { ...wanted, account };
}

export type Account = {
  /** Unique in this cell and of one account id: tokens and rates are kept under it. */
  readonly name: string;
  readonly provider: string;
  readonly product: string;
  readonly values: Readonly<Record<string, string>>;
  /** Values that must never be written down. */
  readonly secrets: readonly string[];
  readonly rate: RateRule;
  readonly queryRate?: RateRule;
};

/** One request and its answer, with secrets and personal data taken out. */
export type Exchange = {
  readonly at: Date;
  readonly connector: string;
  readonly account: string;
  readonly step: string;
  /** Of the payment it is about. */
  readonly reference: string | null;
  readonly httpStatus: number | null;
  /** A word for what went wrong where there is no answer. */
  readonly error: string | null;
  readonly durationMs: number;
  readonly request: string;
  readonly answer: string;
};
