// The calls of a certification: one payment through the connector, followed until its end as the gateway would.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Certification } from '../../connectors/operator.ts';
import {
  factsOf,
  type Connector,
  type NotificationReading,
  type StoredAttempt,
  type SubmitAnswer,
  type SubmitRequest,
} from '../../connectors/port.ts';
import { isDiscrepancy, validateOutcome, type Outcome } from '../../domain/payments/outcome.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import type { Engine } from '../engine.ts';
import { notificationUrlFor } from '../operators/operator-calls.ts';
import { referenceFor } from '../operators/reference.ts';
import type { Inbox } from './inbox.ts';
import type { CertificationOrder } from './order.ts';

export type TrialEngine = Pick<
  Engine,
  | 'store'
  | 'clock'
  | 'referenceKey'
  | 'home'
  | 'bindings'
  | 'environment'
  | 'clockCheck'
  | 'operatorSources'
  | 'clientAddresses'
>;

export type Trial = {
  readonly engine: TrialEngine;
  readonly connector: Connector;
  readonly certification: Certification;
  readonly order: CertificationOrder;
  /** Nothing may leave the account now: as it was before the case. */
  readonly isFrozen: boolean;
  /** References are made from it, and it is in the audit log before anything is sent. */
  readonly runId: string;
  readonly operatorsUrl: string;
  /** Null: the operator's messages do not reach this process. */
  readonly inbox: Inbox | null;
  readonly patience: Patience;
  /** Says what a person must do now. */
  readonly tell: (text: string) => void;
  /** The payments so far, by the case that made them. */
  readonly payments: Map<string, Followed>;
};

export type Patience = {
  /** How long the end of a payment is waited for. */
  readonly endMs: number;
  readonly askEveryMs: number;
};

export type Followed = {
  readonly attempt: StoredAttempt;
  readonly outcome: Outcome;
  /** The operator answers enquiries by messages, and none reach us. */
  readonly isUnheard: boolean;
};

export type Wanted = {
  /** The case, which makes the reference. */
  readonly name: string;
  readonly operation: PaymentKind;
  readonly phoneNumber: string;
  /** The deposit that a refund gives back. */
  readonly original?: StoredAttempt;
  /** False: the end is not waited for, only asked about once. */
  readonly awaitsEnd?: boolean;
};

export const UNHEARD = 'the operator answers by messages, and none reach this command: use --listen';

export async function pay(trial: Trial, wanted: Wanted): Promise<Followed> {
  const { connector, engine } = trial;
  const { original } = wanted;
  const request = requestFor(trial, wanted);
  const claimedAt = await engine.clock.timeOf(engine.store.database);
  const attempt = { ...request, attemptNo: 1, claimedAt };
  const permission = { isOpen: () => !engine.clockCheck.isOff };
  const answer =
    original === undefined
      ? await connector.submit(request, permission)
      : await connector.refund?.submit({ ...request, original }, permission);
  if (answer === undefined) throw new Error(`${connector.name} has no refunds`);
  if (answer.outcome.type === 'PENDING' && answer.outcome.authorizationUrl !== undefined) {
    trial.tell(`${wanted.name}: open ${answer.outcome.authorizationUrl}`);
  }
  const followed = await follow(trial, withReference(attempt, answer), {
    said: validateOutcome(answer.outcome, request),
    awaitsEnd: wanted.awaitsEnd ?? true,
  });
  trial.payments.set(wanted.name, followed);
  return followed;
}

/** Sends the same request once more. */
export async function repeat(trial: Trial, { attempt }: Followed): Promise<Outcome> {
  const permission = { isOpen: () => !trial.engine.clockCheck.isOff };
  return (await trial.connector.submit(attempt, permission)).outcome;
}

/** What the operator says now about a payment: as after a lost answer, where our reference finds it. */
export async function askAgain(trial: Trial, { attempt }: Followed): Promise<Followed> {
  const { chosenBy } = factsOf(trial.connector, attempt.operation).reference;
  const { providerReference: _lost, ...bare } = attempt;
  const heardBefore = trial.inbox?.about(attempt.reference).length ?? 0;
  return follow(trial, chosenBy === 'OURS' ? bare : attempt, { said: { type: 'PENDING' }, heardBefore });
}

/** About a reference that was never sent. */
export async function askUnsent(trial: Trial, operation: PaymentKind): Promise<Followed> {
  const phoneNumber = trial.order.numbers.paying ?? '';
  const request = requestFor(trial, { name: 'unknown-reference', operation, phoneNumber });
  const claimedAt = await trial.engine.clock.timeOf(trial.engine.store.database);
  const attempt = { ...request, attemptNo: 1, claimedAt };
  return follow(trial, attempt, { said: { type: 'PENDING' }, awaitsEnd: false });
}

/** Messages about it are ours from now on. */
export function expectedReference(
  { engine, connector, runId, inbox }: Trial,
  name: string,
  kind: PaymentKind,
): string {
  const { shape } = factsOf(connector, kind).reference;
  const key = { merchantId: `certification/${name}`, kind, paymentId: runId };
  const reference = referenceFor(engine.referenceKey, { key, attemptNo: 1, home: engine.home, shape });
  inbox?.expect(reference);
  return reference;
}

function requestFor(trial: Trial, { name, operation, phoneNumber }: Wanted): SubmitRequest {
  const { engine, connector, operatorsUrl } = trial;
  const { provider, amount, currency, code } = trial.order;
  const reference = expectedReference(trial, name, operation);
  const isRedirect = provider.authType === 'REDIRECT_AUTH' && operation === 'DEPOSIT';
  return {
    reference,
    operation,
    provider: provider.code,
    country: provider.country,
    amount,
    currency,
    phoneNumber,
    customerMessage: 'Malipo test',
    // It works once.
    ...(code !== null && name === 'deposit' ? { preAuthorisationCode: code } : {}),
    ...(isRedirect ? { successfulUrl: RETURN_URL, failedUrl: RETURN_URL } : {}),
    notificationUrl: notificationUrlFor({ ...engine, operatorsUrl }, connector, reference),
  };
}

/** Where a redirected payer is sent afterwards: an address that is kept for examples. */
const RETURN_URL = 'https://example.com/';

type Following = {
  readonly said: Outcome;
  /** Messages about the payment that are left out: they came before the question. */
  readonly heardBefore?: number;
  /** False: one answer is enough. */
  readonly awaitsEnd?: boolean;
};

async function follow(
  trial: Trial,
  first: StoredAttempt,
  { said, heardBefore = 0, awaitsEnd = true }: Following,
): Promise<Followed> {
  const { connector, inbox, patience, engine } = trial;
  const until = performance.now() + patience.endMs;
  let [attempt, outcome, heardCount, hasAnswered] = [first, said, heardBefore, false];
  const followed = (isUnheard: boolean): Followed => ({ attempt, outcome, isUnheard });
  const isOver = () => isEnd(outcome) || (!awaitsEnd && hasAnswered) || performance.now() >= until;
  for (;;) {
    const count = inbox?.count ?? 0;
    const heard = inbox?.about(first.reference).map(({ reading }) => reading) ?? [];
    attempt = heard.reduce(learn, attempt);
    const told = heard.slice(heardCount).findLast((reading) => reading.type === 'AUTHENTIC');
    heardCount = heard.length;
    if (told !== undefined) [outcome, hasAnswered] = [validateOutcome(told.outcome, first), true];
    if (isOver()) return followed(false);
    const answer = isAskable(connector, attempt) ? await connector.query?.(attempt) : undefined;
    if (answer !== undefined && answer.outcome !== 'ENQUIRY_REQUESTED') {
      [outcome, hasAnswered] = [validateOutcome(answer.outcome, first), true];
      const heardAt = await engine.clock.timeOf(engine.store.database);
      attempt = withReportedFailure(attempt, answer, heardAt);
      if (isOver()) return followed(false);
    } else if (inbox === null) return followed(true);
    await (inbox === null ? sleep(patience.askEveryMs) : inbox.waitBeyond(count, patience.askEveryMs));
  }
}

/** Nothing more is learnt by waiting. */
function isEnd(outcome: Outcome): boolean {
  if (outcome.type !== 'UNKNOWN') return outcome.type === 'COMPLETED' || outcome.type === 'FAILED';
  return outcome.reason === 'NOT_SENT' || isDiscrepancy(outcome.reason);
}

/** A receipt counts once an enquiry has said what it stands for, as in `payments/process/keep-unproved.ts`. */
function learn(attempt: StoredAttempt, reading: NotificationReading): StoredAttempt {
  if (reading.type === 'HINT' && reading.reportedReceipt !== undefined) {
    return { ...attempt, reportedReceipt: reading.reportedReceipt };
  }
  if (reading.type !== 'RECEIPT') return attempt;
  const outcome = validateOutcome(reading.outcome, attempt);
  const receipt = outcome.type === 'COMPLETED' ? outcome.providerTransactionId : undefined;
  return receipt !== undefined && receipt === attempt.reportedReceipt
    ? { ...attempt, provedReceipt: receipt }
    : attempt;
}

/** Whether the operator can be asked: not if it chose a reference that we do not have. */
export function isAskable(
  connector: Connector,
  { operation, providerReference }: Pick<StoredAttempt, 'operation' | 'providerReference'>,
): boolean {
  if (connector.query === undefined) return false;
  return factsOf(connector, operation).reference.chosenBy === 'OURS' || providerReference !== undefined;
}

function withReference(attempt: StoredAttempt, { providerReference }: SubmitAnswer): StoredAttempt {
  return providerReference === undefined ? attempt : { ...attempt, providerReference };
}

function withReportedFailure(
  attempt: StoredAttempt,
  { reportedFailure: code }: SubmitAnswer,
  now: Date,
): StoredAttempt {
  if (code === undefined || attempt.reportedFailure?.code === code) return attempt;
  return { ...attempt, reportedFailure: { code, at: now } };
}
