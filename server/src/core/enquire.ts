// Asks operators what became of payments, on a ladder that ends in IN_RECONCILIATION and never in a guess.
import { factsOf, type Connector } from '../connectors/port.ts';
import type { Outcome } from '../domain/outcome.ts';
import { listLatestAttempts, type Attempt } from '../store/attempts.ts';
import { listPayments, type StoredPayment } from '../store/payments.ts';
import { isWakeUpOf, type HeldJob } from '../store/queue.ts';
import { loadDataKeys } from '../store/data-keys.ts';
import { lockOrder } from '../domain/payment.ts';
import type { Advance } from './advance.ts';
import { countOutcome } from './call-meter.ts';
import { concludeEnquiry } from './conclude.ts';
import { outcomeText } from './judge.ts';
import type { Engine } from './engine.ts';
import { callOf, connectorFor, storedAttemptFor } from './operator.ts';
import { isEnquiryDue } from './schedule.ts';

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
    const isDue =
      payment !== undefined &&
      isEnquiryDue(payment, { isOwnWakeUp: isWakeUpOf(job, payment.eventCount), now });
    if (!isDue || attempt === undefined) stale.push(job);
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
  const { outcome, evidence } = await askOperator(engine, connector, payment, attempt);
  const { timing, repeatedSubmit } = factsOf(connector, payment.kind);
  const { events, resubmits } = concludeEnquiry({
    operator: { timing, repeatedSubmit },
    state: payment.state,
    attempt,
    outcome,
    askedAt: now,
  });
  // The first event is what the operator said, and the work of the job.
  const advances = events.map((event, index): Advance => ({
    key: payment,
    event,
    ...(index === 0 ? { evidence, job } : {}),
  }));
  return { advances, resubmits };
}

/** What the operator says now. Never throws for what an operator does. */
export async function askOperator(
  engine: Engine,
  connector: Connector,
  payment: StoredPayment,
  attempt: Attempt,
) {
  if (connector.query === undefined) {
    return { outcome: { type: 'PENDING' } as const, evidence: 'this operator reports by notification only' };
  }
  const { chosenBy } = factsOf(connector, payment.kind).reference;
  if (chosenBy === 'THEIRS' && attempt.providerReference === undefined) {
    return {
      outcome: { type: 'PENDING' } as const,
      evidence: "the operator's own reference was never heard",
    };
  }
  const startedAt = performance.now();
  const answer = await connector.query(storedAttemptFor(engine, payment, attempt));
  // An acknowledged enquiry is answered later, by notification; until then nothing new is known.
  const outcome: Outcome = answer.outcome === 'ENQUIRY_REQUESTED' ? { type: 'PENDING' } : answer.outcome;
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
  return { outcome, evidence: answer.evidence };
}
