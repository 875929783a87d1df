// When a payment's next step is due. Pure; the figures belong to the connector.
import { addMs } from '../domain/time.ts';
import type { ConnectorTiming } from '../connectors/port.ts';
import type { PaymentEvent } from '../domain/payments/lifecycle.ts';
import type { PaymentState } from '../domain/payments/payment.ts';

export type StepFacts = {
  readonly event: PaymentEvent['type'];
  /** The state after the event. */
  readonly state: PaymentState;
  readonly enquiryCount: number;
  readonly claimedAt: Date;
  readonly now: Date;
  readonly timing: ConnectorTiming;
};

export function nextEnquiryAt(facts: StepFacts): Date {
  const { event, timing, now } = facts;
  switch (event) {
    case 'SUBMIT_CLAIMED':
    case 'RESUBMIT_CLAIMED':
      // Covers a crash of the worker that holds the permission: by then it has either sent and heard, or may not send.
      return addMs(now, timing.sendDeadlineMs + timing.timeoutMs);
    case 'SUBMIT_HELD':
    case 'HINTED':
    case 'PROVIDER_DELAYED':
    case 'RELEASED':
    case 'SUBMIT_UNSENT':
    case 'SUBMIT_EXPIRED':
    case 'CANCELLED':
    case 'ENDED_MANUALLY':
      return now;
    case 'OPERATOR_ANSWERED':
    case 'HORIZON_PASSED':
      return laterOnTheLadder(facts);
  }
}

export function horizonOf(claimedAt: Date, timing: ConnectorTiming): Date {
  return addMs(claimedAt, timing.horizonMs);
}

/** When "not found" is proof for an attempt whose permission to send ended at `sendDeadlineAt`. */
export function notSeenProvedAt(sendDeadlineAt: Date, timing: ConnectorTiming): Date {
  return addMs(sendDeadlineAt, timing.notSeenAfterMs - timing.sendDeadlineMs);
}

/**
 * An enquiry is never put behind the horizon: the payment must reach IN_RECONCILIATION in time. An answer to a question
 * from before the horizon can arrive after it; then the next question is due at once.
 */
function laterOnTheLadder({ state, enquiryCount, claimedAt, now, timing }: StepFacts): Date {
  if (state === 'IN_RECONCILIATION') return addMs(now, reconciliationDelayMs({ claimedAt, now, timing }));
  const delays = timing.enquiryDelaysMs;
  const delayMs = delays[Math.min(enquiryCount, delays.length - 1)] ?? timing.reconciliationDelayMs;
  const horizon = horizonOf(claimedAt, timing);
  const onLadder = addMs(now, delayMs);
  return onLadder > horizon ? horizon : onLadder;
}

const DAY_MS = 24 * 3_600_000;

/** What was not cleared up within a day will hardly be within the next hour; the operator is asked more seldom then. */
function reconciliationDelayMs({
  claimedAt,
  now,
  timing,
}: Pick<StepFacts, 'claimedAt' | 'now' | 'timing'>): number {
  const { reconciliationDelayMs: soonMs, lateReconciliationDelayMs: lateMs = DAY_MS } = timing;
  const isLate = now >= addMs(horizonOf(claimedAt, timing), DAY_MS);
  return isLate ? Math.max(soonMs, lateMs) : soonMs;
}
