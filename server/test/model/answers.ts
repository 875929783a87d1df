// What operators answer in the model, and what the product concludes from it.
import type { Conclusion } from '../../src/core/payments/process/interpret-enquiry.ts';
import type { PaymentEvent } from '../../src/domain/payments/lifecycle.ts';
import type { PaymentState } from '../../src/domain/payments/payment.ts';
import { attemptOf, NOW } from './advance.ts';
import type { ModelRules } from './moves.ts';
import { TIMING, type Told, type Worker } from './state.ts';

/** One object for each event, by which the write path knows what it was asked before. */
export const ANSWERED: Readonly<Record<Told, PaymentEvent>> = {
  COMPLETED: { type: 'OPERATOR_ANSWERED', outcome: { type: 'COMPLETED' } },
  FAILED: { type: 'OPERATOR_ANSWERED', outcome: { type: 'FAILED', code: 'PAYMENT_NOT_APPROVED' } },
  PENDING: { type: 'OPERATOR_ANSWERED', outcome: { type: 'PENDING' } },
  NOT_SEEN: { type: 'OPERATOR_ANSWERED', outcome: { type: 'NOT_SEEN' } },
  NO_ANSWER: { type: 'OPERATOR_ANSWERED', outcome: { type: 'UNKNOWN', reason: 'NO_ANSWER' } },
  NOT_SENT: { type: 'OPERATOR_ANSWERED', outcome: { type: 'UNKNOWN', reason: 'NOT_SENT' } },
};

const STATES: readonly PaymentState[] = [
  'ACCEPTED',
  'PROCESSING',
  'IN_RECONCILIATION',
  'COMPLETED',
  'FAILED',
];

/** Answers that bring nothing new mean the same to the write path, so they are one here. Checked, not believed. */
export const NOTHING_NEW: readonly Told[] = ['PENDING', 'NOT_SEEN', 'NO_ANSWER', 'NOT_SENT'];

export function demandNothingNew({ decision }: Pick<ModelRules, 'decision'>): void {
  for (const state of STATES) {
    const meanings = NOTHING_NEW.map((told) => JSON.stringify(decision.transition(state, ANSWERED[told])));
    if (new Set(meanings).size > 1) throw new Error(`in ${state} an answer without news is not like another`);
  }
}

/** What the product concludes from an answer; one object for each conclusion, so that states stay small. */
export function createConclude({ interpretEnquiry: concludes, repeatedSubmit }: ModelRules) {
  const known = new Map<string, Conclusion>();
  const byWorker = new Map<Worker, Map<Told, Conclusion>>();
  return (asked: Extract<Worker, { at: 'ASKED' }>, told: Told): Conclusion => {
    const concluded = byWorker.get(asked)?.get(told);
    if (concluded !== undefined) return concluded;
    const attempt = attemptOf(asked.attempt);
    if (attempt === null) throw new Error('only what was tried is asked about');
    const event = ANSWERED[told];
    if (event.type !== 'OPERATOR_ANSWERED') throw new Error('an answer is an answer');
    const { outcome } = event;
    const operator = { timing: TIMING, repeatedSubmit };
    const facts = { operator, state: asked.state, attempt, outcome, askedAt: NOW };
    const { events, resubmits } = concludes(facts);
    const conclusion = { resubmits, events: events.map(asOneOfOurs) };
    const key = JSON.stringify(conclusion);
    const same = known.get(key) ?? conclusion;
    known.set(key, same);
    byWorker.set(asked, (byWorker.get(asked) ?? new Map<Told, Conclusion>()).set(told, same));
    return same;
  };
}

function asOneOfOurs(event: PaymentEvent): PaymentEvent {
  if (event.type !== 'OPERATOR_ANSWERED') return event;
  const { type } = event.outcome;
  return type === 'COMPLETED' || type === 'FAILED' ? event : ANSWERED.NO_ANSWER;
}
