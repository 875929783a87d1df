// The rules of the product that a world lives by. A test hands over others to show that it notices.
import { retryDelayMs } from '../../src/callbacks/schedule.ts';
import { admit } from '../../src/core/payments/admit.ts';
import { admitRefund, refundHistoryOf } from '../../src/core/payments/accept/admit-refund.ts';
import { checkParts } from '../../src/core/payments/accept/admit-split.ts';
import { interpretEnquiry } from '../../src/core/payments/process/interpret-enquiry.ts';
import { DECISION_RULES, type DecisionRules } from '../../src/core/payments/process/decide.ts';
import { allocate } from '../../src/core/payments/accept/funds.ts';
import { holdOf, postingOfCase } from '../../src/core/payments/payment-postings.ts';
import { payoutOf, splitEndOf } from '../../src/core/payments/process/split-payouts.ts';
import { waitingEvent } from '../../src/core/payments/process/waiting-event.ts';
import { allowedResolutions, firstLegNoOf, resolutionLegs } from '../../src/domain/reconciliation/cases.ts';
import type { Attempt } from '../../src/store/payments/attempts.ts';

export type Rules = {
  /** lifecycle.transition, schedule.nextEnquiryAt, the postings of an end, and who comes too late. */
  readonly decision: DecisionRules;
  readonly interpretEnquiry: typeof interpretEnquiry;
  readonly waitingEvent: typeof waitingEvent;
  readonly admit: typeof admit;
  readonly admitRefund: typeof admitRefund;
  readonly refundHistoryOf: typeof refundHistoryOf;
  readonly checkParts: typeof checkParts;
  readonly allocate: typeof allocate;
  readonly payoutOf: typeof payoutOf;
  readonly splitEndOf: typeof splitEndOf;
  readonly holdOf: typeof holdOf;
  readonly postingOfCase: typeof postingOfCase;
  readonly allowedResolutions: typeof allowedResolutions;
  readonly resolutionLegs: typeof resolutionLegs;
  readonly firstLegNoOf: typeof firstLegNoOf;
  readonly retryDelayMs: typeof retryDelayMs;
  /**
   * Asked immediately before the socket write; what permissionFor of core/operators/operator-calls asks, with one
   * clock.
   */
  readonly maySend: (attempt: Attempt, now: Date) => boolean;
};

export const REAL_RULES: Rules = {
  decision: DECISION_RULES,
  interpretEnquiry,
  waitingEvent,
  admit,
  admitRefund,
  refundHistoryOf,
  checkParts,
  allocate,
  payoutOf,
  splitEndOf,
  holdOf,
  postingOfCase,
  allowedResolutions,
  resolutionLegs,
  firstLegNoOf,
  retryDelayMs,
  maySend: (attempt, now) => now < attempt.sendDeadlineAt,
};
