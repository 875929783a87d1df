// Asks operators for the outcome of payments, on a ladder that ends in IN_RECONCILIATION and never in a guess.
import { factsOf, type Connector } from '../../../connectors/port.ts';
import type { Outcome, UnknownReason } from '../../../domain/payments/outcome.ts';
import { isFromBefore, type Recovery } from '../../../domain/recovery.ts';
import { listLatestAttempts, type Attempt } from '../../../store/payments/attempts.ts';
import {
  leaseEnquiries,
  LISTED_FOR_EACH,
  listDueEnquiries,
  postpone,
  type Taking,
} from '../../../store/payments/due-steps.ts';
import { listPayments, type StoredPayment } from '../../../store/payments/payments.ts';
import { paymentKeyText, type PaymentKey } from '../../../domain/payments/payment.ts';
import { inTimedTransaction } from '../../timed-transaction.ts';
import type { Advance } from './advance.ts';
import { isReplacedSince } from '../../operators/attempt-account.ts';
import { countOutcome } from '../../operators/call-meter.ts';
import { interpretEnquiry } from './interpret-enquiry.ts';
import { outcomeText } from '../../operators/validate-answer.ts';
import type { Engine, StorePart, TimedStore } from '../../engine.ts';
import type { Told } from './keep-unproved.ts';
import { readUnmatchedOutcome } from './unmatched-payments.ts';
import { hasAccounts } from '../../operators/operator-accounts.ts';
import { callOf, connectorFor, storedAttemptFor } from '../../operators/operator-calls.ts';
import { addMs } from '../../../domain/time.ts';

/** A payment whose enquiry was taken, and until when. */
export type DueEnquiry = { readonly payment: StoredPayment; readonly attempt: Attempt; readonly lease: Date };

export type TakenStep = { readonly key: PaymentKey; readonly lease: Date };

/**
 * Leases payments that are due for a status enquiry. If this process dies, they become due again after `leaseMs`.
 */
export async function takeEnquiries(
  engine: Engine,
  { leaseMs, countMax, ...taking }: Omit<Taking, 'now'> & { readonly leaseMs: number },
): Promise<readonly TakenStep[]> {
  const { database } = engine.store;
  if (!(await engine.clockCheck.agrees(database))) return [];
  const now = engine.clockCheck.notBehind(engine.clock.now());
  const due = await listDueEnquiries(database, { ...taking, now, countMax: countMax * LISTED_FOR_EACH });
  if (due.length === 0) return [];
  return inTimedTransaction(engine, async (tx, takenAt) => {
    const lease = addMs(takenAt, leaseMs);
    const keys = await leaseEnquiries(tx, due, { now: takenAt, until: lease, countMax });
    return keys.map((key) => ({ key, lease }));
  });
}

/** The facts of payments that were taken. */
export async function readEnquiries(
  engine: StorePart,
  steps: readonly TakenStep[],
): Promise<readonly DueEnquiry[]> {
  const { database, keyring } = engine.store;
  const keys = steps.map(({ key }) => key);
  const payments = new Map(
    (await listPayments(database, keyring, keys)).map((one) => [paymentKeyText(one), one]),
  );
  const attempts = new Map(
    (await listLatestAttempts(database, keys)).map((one) => [paymentKeyText(one), one]),
  );
  return steps.flatMap(({ key, lease }) => {
    const payment = payments.get(paymentKeyText(key));
    const attempt = attempts.get(paymentKeyText(key));
    // It may have come to its end since it was taken.
    return attempt === undefined || payment?.nextAction !== 'ENQUIRE' ? [] : { payment, attempt, lease };
  });
}

/**
 * What an enquiry leads to: events for the single write path, and perhaps the wish to send the same reference once
 * more.
 */
export type Enquired = { readonly advances: readonly Advance[]; readonly resubmits: boolean };

const NOTHING: Enquired = { advances: [], resubmits: false };

/** The enquiry of a payment as it is now, by its name in the payment's trace. */
export function enquiryStep({ eventCount }: StoredPayment): string {
  return `enquire ${eventCount}`;
}

/** Asks the operator about one payment. Never throws for what an operator does. */
export async function enquire(engine: Engine, { payment, attempt, lease }: DueEnquiry): Promise<Enquired> {
  const connector = connectorFor(engine, payment);
  // "Not found" counts by the moment of asking: an answer may have been long on its way. By the database's clock, as
  // the end of the permission to send.
  const askedAt = await engine.clock.timeOf(engine.store.database);
  const recovery = await engine.directory.recovery();
  const mayBeLost = await engine.directory.mayBeLost();
  const reported = mayBeLost ? await readUnmatchedOutcome(engine, payment, attempt) : null;
  const mustWait = reported === 'TO_APPROVE';
  const said: OperatorSaid =
    reported === null || mustWait ? await askOperator(engine, connector, payment, attempt) : reported;
  const { evidence, told } = said;
  const mayBeOther = await mayBeSentWithAnother(engine, payment, { attempt, recovery });
  const doubt = mayBeOther ? 'OTHER_ACCOUNT' : mustWait ? 'REPORT_TO_APPROVE' : null;
  const outcome = doubt === null ? said.outcome : withoutProof(said.outcome, doubt);
  // It is asked again when the lease ends, by a process whose clock is right.
  if (outcome.type === 'NOT_SEEN' && !(await engine.clockCheck.agrees(engine.store.database))) return NOTHING;
  const { timing, repeatedSubmit, reference } = factsOf(connector, payment.kind);
  const { events, resubmits } = interpretEnquiry({
    operator: { timing, repeatedSubmit, reference },
    state: payment.state,
    attempt,
    outcome,
    isSilent: said.isSilent,
    askedAt,
    lostUntil: isFromBefore(recovery, payment) ? recovery?.begunAt : undefined,
  });
  if (events.length === 0) await askSoon(engine, payment, lease);
  // The first event is what the operator said.
  const advances = events.map((event, index): Advance => ({
    key: payment,
    event,
    lease,
    ...(index === 0 ? { evidence, ...(told === undefined ? {} : { told }) } : {}),
  }));
  return { advances, resubmits };
}

/** As soon as our own rate budget may have room again. */
const HELD_BACK_MS = 2_000;

async function askSoon(engine: TimedStore, payment: PaymentKey, lease: Date): Promise<void> {
  await inTimedTransaction(engine, (tx, now) =>
    postpone(tx, payment, { action: 'ENQUIRE', now: lease, until: addMs(now, HELD_BACK_MS) }),
  );
}

/** What is not found may be there: with the account that it was sent with, or as the report says. */
function withoutProof(outcome: Outcome, reason: UnknownReason): Outcome {
  return outcome.type === 'NOT_SEEN' ? { type: 'UNKNOWN', reason } : outcome;
}

/**
 * Whether an attempt that was made only to ask may have been sent before, in the time that a restore lost, with an
 * account that was replaced in that time or since.
 */
async function mayBeSentWithAnother(
  engine: Engine,
  payment: StoredPayment,
  { attempt, recovery }: { readonly attempt: Attempt; readonly recovery: Recovery | null },
): Promise<boolean> {
  if (recovery === null || attempt.sendCount > 0) return false;
  return isReplacedSince(engine, payment, recovery.lostFrom);
}

export type OperatorSaid = {
  readonly outcome: Outcome;
  readonly evidence: string;
  /** Nothing was said about the payment. */
  readonly isSilent?: boolean;
  /** The answer comes in a message. */
  readonly comesLater?: boolean;
  readonly told?: Told;
};

const UNASKED = { outcome: { type: 'PENDING' }, isSilent: true } as const;

/** What the operator says now, or that it will say so in a message. Never throws for what an operator does. */
export async function askOperator(
  engine: Engine,
  connector: Connector,
  payment: StoredPayment,
  attempt: Attempt,
): Promise<OperatorSaid> {
  if (connector.query === undefined) {
    return { ...UNASKED, evidence: 'this operator reports by notification only' };
  }
  const { chosenBy } = factsOf(connector, payment.kind).reference;
  if (chosenBy === 'THEIRS' && attempt.providerReference === undefined) {
    return { ...UNASKED, evidence: "the operator's own reference was never heard" };
  }
  const startedAt = performance.now();
  const answer = await connector.query(storedAttemptFor(engine, payment, attempt));
  // An acknowledged enquiry is answered later, by notification; until then nothing new is known.
  const said: Outcome = answer.outcome === 'ENQUIRY_REQUESTED' ? { type: 'PENDING' } : answer.outcome;
  const isRecorded = !hasAccounts(connector.name) || attempt.account !== undefined;
  const outcome = isRecorded ? said : withoutProof(said, 'OTHER_ACCOUNT');
  const seconds = (performance.now() - startedAt) / 1_000;
  engine.observer.operatorAnswered(connector.name, 'query', outcomeText(outcome), seconds);
  if ('alert' in answer && answer.alert !== undefined) engine.observer.alerted(connector.name, answer.alert);
  engine.tracer.record({
    key: payment,
    name: 'operator query',
    within: enquiryStep(payment),
    since: startedAt,
    ...callOf(payment, outcome),
  });
  countOutcome(engine.callMeter, { ...payment, step: 'QUERY' }, outcome);
  const failure = 'reportedFailure' in answer ? answer.reportedFailure : undefined;
  const comesLater = answer.outcome === 'ENQUIRY_REQUESTED';
  return {
    outcome,
    evidence: answer.evidence,
    comesLater,
    isSilent: comesLater,
    ...(failure !== undefined && { told: { failure } }),
  };
}
