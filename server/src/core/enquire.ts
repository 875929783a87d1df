// Asks operators what became of payments, on a ladder that ends in IN_RECONCILIATION and never in a guess.
import type { Connector } from '../connectors/port.ts';
import type { Outcome } from '../domain/outcome.ts';
import { listLatestAttempts, type Attempt } from '../store/attempts.ts';
import { listPayments, type StoredPayment } from '../store/payments.ts';
import { isWakeUpOf, type HeldJob } from '../store/queue.ts';
import { loadDataKeys } from '../store/store.ts';
import { lockOrder } from '../domain/payment.ts';
import type { Advance } from './advance.ts';
import { countOutcome } from './call-meter.ts';
import { outcomeText } from './judge.ts';
import type { Engine } from './engine.ts';
import { callOf, connectorFor, storedAttemptFor } from './operator.ts';
import { horizonOf, notSeenProvedAt } from './schedule.ts';

/** A payment whose enquiry is due, and the job that says so. */
export type DueEnquiry = {
  readonly payment: StoredPayment;
  readonly attempt: Attempt;
  readonly job: HeldJob;
};

/** Splits jobs into enquiries that are due and jobs whose payment has moved on; those are simply removed. */
export async function sortEnquiries(
  engine: Engine,
  jobs: readonly HeldJob[],
): Promise<{ readonly due: readonly DueEnquiry[]; readonly stale: readonly HeldJob[] }> {
  const keys = jobs.map(({ key }) => key);
  await loadDataKeys(
    engine.store,
    keys.map(({ merchantId }) => merchantId),
  );
  const { database, keyring } = engine.store;
  const payments = new Map((await listPayments(database, keyring, keys)).map((one) => [lockOrder(one), one]));
  const attempts = new Map((await listLatestAttempts(database, keys)).map((one) => [lockOrder(one), one]));
  const now = engine.clock.now();
  const due: DueEnquiry[] = [];
  const stale: HeldJob[] = [];
  for (const job of jobs) {
    const payment = payments.get(lockOrder(job.key));
    const attempt = attempts.get(lockOrder(job.key));
    if (payment === undefined || attempt === undefined || !isDue(payment, job, now)) stale.push(job);
    else due.push({ payment, attempt, job });
  }
  return { due, stale };
}

/** What an enquiry leads to: events for the door, and perhaps the wish to send the same reference once more. */
export type Enquired = { readonly advances: readonly Advance[]; readonly resubmits: boolean };

/** The enquiry of a payment as it is now, by its name in the payment's trace. */
export function enquiryStep({ eventCount }: StoredPayment): string {
  return `enquire ${eventCount}`;
}

/** Asks the operator about one payment. Never throws for what an operator does. */
export async function enquire(engine: Engine, { payment, attempt, job }: DueEnquiry): Promise<Enquired> {
  const connector = connectorFor(engine, payment);
  // "Not found" is judged by the moment of asking: an answer may have been long on its way.
  const now = engine.clock.now();
  const { outcome, evidence } = await query(engine, connector, payment, attempt);
  const answered = conclude({ connector, attempt, outcome, now });
  if (answered === 'RESUBMIT' && payment.state === 'PROCESSING' && !isPastHorizon(connector, attempt, now)) {
    const event = { type: 'RESUBMIT_CLAIMED', sendCount: attempt.sendCount } as const;
    return { advances: [{ key: payment, event, evidence, job }], resubmits: true };
  }
  const told: Outcome = answered === 'RESUBMIT' ? { type: 'NOT_SEEN' } : answered;
  const advances: Advance[] = [
    { key: payment, event: { type: 'OPERATOR_ANSWERED', outcome: told }, evidence, job },
  ];
  if (isPastHorizon(connector, attempt, now))
    advances.push({ key: payment, event: { type: 'HORIZON_PASSED' } });
  return { advances, resubmits: false };
}

async function query(engine: Engine, connector: Connector, payment: StoredPayment, attempt: Attempt) {
  if (connector.query === undefined) {
    return { outcome: { type: 'PENDING' } as const, evidence: 'this operator reports by notification only' };
  }
  const startedAt = performance.now();
  const answer = await connector.query(storedAttemptFor(engine, payment, attempt));
  // An acknowledged enquiry is answered later, by notification; until then nothing new is known.
  const outcome: Outcome = answer.outcome === 'ENQUIRY_REQUESTED' ? { type: 'PENDING' } : answer.outcome;
  const seconds = (performance.now() - startedAt) / 1_000;
  engine.observer.operatorAnswered(connector.name, 'query', outcomeText(outcome), seconds);
  engine.tracer.record({
    key: payment,
    name: 'operator query',
    within: enquiryStep(payment),
    since: startedAt,
    ...callOf(payment, outcome),
  });
  countOutcome(engine.callMeter, { ...payment, step: 'QUERY' }, outcome);
  return { outcome, evidence: answer.evidence };
}

/**
 * "Not found" is proof only after the connector's time. Then the attempt was never seen: where a repeat is recognised
 * the same reference may be sent again; where it is not, the payment has failed, and that is certain.
 */
function conclude(facts: {
  readonly connector: Connector;
  readonly attempt: Attempt;
  readonly outcome: Outcome;
  readonly now: Date;
}): Outcome | 'RESUBMIT' {
  const { connector, attempt, outcome, now } = facts;
  if (outcome.type !== 'NOT_SEEN') return outcome;
  if (now < notSeenProvedAt(attempt.sendDeadlineAt, connector.timing)) return outcome;
  if (connector.repeatedSubmit === 'HARMLESS') return 'RESUBMIT';
  // Long after the horizon an operator may simply have forgotten: then a person decides.
  return isPastHorizon(connector, attempt, now) ? outcome : { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' };
}

function isPastHorizon(connector: Connector, attempt: Attempt, now: Date): boolean {
  return now >= horizonOf(attempt.claimedAt, connector.timing);
}

/**
 * A job is only a wake-up: what counts is the payment's own next step. The wake-up of that very step is never too
 * early: the queue has judged the time, by a clock that may be a little ahead of ours.
 */
function isDue(payment: StoredPayment, job: HeldJob, now: Date): boolean {
  if (payment.nextAction !== 'ENQUIRE' || payment.nextActionAt === null) return false;
  return payment.nextActionAt <= now || isWakeUpOf(job, payment.eventCount);
}
