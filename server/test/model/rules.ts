// The rules of the model: the product's, for an operator of either habit, and variants with one of them taken away.
import { interpretEnquiry } from '../../src/core/payments/process/interpret-enquiry.ts';
import { DECISION_RULES } from '../../src/core/payments/process/decide.ts';
import type { ModelRules } from './moves.ts';
import { UNMATCHED, type PromiseName } from './promises.ts';

/** Sending the same reference again charges a second time. */
export const CHARGES_AGAIN: ModelRules = {
  repeatedSubmit: 'CHARGES_AGAIN',
  decision: DECISION_RULES,
  interpretEnquiry,
  maySend: (deadlineIn) => deadlineIn > 0,
  writesAtOnce: true,
  leaseEnds: true,
  notifies: true,
};

/** The same, and nothing is ever heard of a payment unless one asks. */
export const SILENT: ModelRules = { ...CHARGES_AGAIN, notifies: false };

/** Sending the same reference again is recognised. */
export const HARMLESS: ModelRules = { ...CHARGES_AGAIN, repeatedSubmit: 'HARMLESS' };

export type Variant = {
  readonly rules: ModelRules;
  /** What is broken by it, which its search looks for. */
  readonly breaks: PromiseName | typeof UNMATCHED;
};

/** "Not found" is taken for proof at once. */
const impatient: typeof interpretEnquiry = (facts) =>
  interpretEnquiry({ ...facts, attempt: { ...facts.attempt, sendDeadlineAt: new Date(0) } });

/** By the rule that was taken away. */
export const VARIANTS: Readonly<Record<string, Variant>> = {
  'no look at the deadline before the write': {
    rules: { ...CHARGES_AGAIN, maySend: () => true },
    breaks: 'no payer is charged for a payment that is FAILED',
  },
  'not found is proof at once': {
    rules: { ...CHARGES_AGAIN, interpretEnquiry: impatient },
    breaks: 'no payer is charged for a payment that is FAILED',
  },
  'resubmission on not found, without waiting for proof': {
    rules: { ...HARMLESS, interpretEnquiry: impatient },
    breaks: 'one request at a time is permitted or on its way',
  },
  'resubmission where a repeat charges again': {
    rules: {
      ...CHARGES_AGAIN,
      interpretEnquiry: (facts) =>
        impatient({ ...facts, operator: { ...facts.operator, repeatedSubmit: 'HARMLESS' } }),
    },
    breaks: 'no payer is charged twice',
  },
  'a claim without an attempt of its own': {
    rules: {
      ...CHARGES_AGAIN,
      decision: {
        ...DECISION_RULES,
        transition: (state, event) =>
          DECISION_RULES.transition(
            event.type === 'SUBMIT_CLAIMED' && state === 'PROCESSING' ? 'ACCEPTED' : state,
            event,
          ),
      },
    },
    breaks: 'no payer is charged twice',
  },
  'resubmission without the number of sends': {
    rules: {
      ...HARMLESS,
      decision: {
        ...DECISION_RULES,
        isOutrun: (change, event, now) =>
          event.type !== 'RESUBMIT_CLAIMED' && DECISION_RULES.isOutrun(change, event, now),
      },
    },
    breaks: 'one request at a time is permitted or on its way',
  },
  'a conclusion from not found without the number of sends': {
    rules: {
      ...CHARGES_AGAIN,
      decision: {
        ...DECISION_RULES,
        isOutrun: (change, event, now) =>
          event.type !== 'OPERATOR_ANSWERED' && DECISION_RULES.isOutrun(change, event, now),
      },
    },
    breaks: 'no payer is charged for a payment that is FAILED',
  },
  'a permission that is given back without the number of sends': {
    rules: {
      ...HARMLESS,
      decision: {
        ...DECISION_RULES,
        isOutrun: (change, event, now) =>
          event.type !== 'SUBMIT_UNSENT' && DECISION_RULES.isOutrun(change, event, now),
      },
    },
    breaks: 'one request at a time is permitted or on its way',
  },
  'an unsent deposit that ends although it may have been sent': {
    rules: {
      ...CHARGES_AGAIN,
      decision: {
        ...DECISION_RULES,
        isOutrun: (change, event, now) =>
          event.type !== 'SUBMIT_EXPIRED' && DECISION_RULES.isOutrun(change, event, now),
        transition: (state, event) =>
          DECISION_RULES.transition(
            event.type === 'SUBMIT_EXPIRED' && state === 'PROCESSING' ? 'RETURNED' : state,
            event,
          ),
      },
    },
    breaks: 'no payer is charged for a payment that is FAILED',
  },
  // Not a rule that could be taken away, but what the model rests on: docs/internals/checks.md says more.
  'a pause between the look at the deadline and the write': {
    rules: { ...CHARGES_AGAIN, writesAtOnce: false },
    breaks: 'no payer is charged for a payment that is FAILED',
  },
  'an enquiry that is never due again': {
    rules: { ...CHARGES_AGAIN, notifies: false, leaseEnds: false },
    breaks: UNMATCHED,
  },
};
