// What the answer to an enquiry leads to. Pure: the facts are those of the moment of asking, because an answer may have
// been long on its way.
import type { Connector, ConnectorTiming } from '../../../connectors/port.ts';
import type { PaymentEvent } from '../../../domain/payments/lifecycle.ts';
import type { Outcome } from '../../../domain/payments/outcome.ts';
import type { PaymentState } from '../../../domain/payments/payment.ts';
import { isPermitted, type Attempt } from '../../../store/payments/attempts.ts';
import { addMs } from '../../../domain/time.ts';
import { horizonOf, notSeenProvedAt } from '../../schedule.ts';

export type EnquiryFacts = {
  readonly operator: {
    readonly timing: ConnectorTiming;
    readonly repeatedSubmit: Connector['repeatedSubmit'];
    readonly reference?: Pick<Connector['reference'], 'isOriginals'>;
  };
  /** The payment's state and attempt as they were read before asking. */
  readonly state: PaymentState;
  readonly attempt: Pick<
    Attempt,
    'claimedAt' | 'sendDeadlineAt' | 'sendCount' | 'unsentCount' | 'providerReference'
  >;
  readonly outcome: Outcome;
  /** The operator was not asked, or will answer later: the outcome is our own. */
  readonly isSilent?: boolean | undefined;
  readonly askedAt: Date;
  /** Of a payment from before a restore: until when anything may have been done about it that is not known. */
  readonly lostUntil?: Date | undefined;
};

/**
 * Events for the single write path, in order, and perhaps the wish to send the same reference once more. No events: our
 * own rate budget held the question back, so no one was asked, and it does not count.
 */
export type Conclusion = { readonly events: readonly PaymentEvent[]; readonly resubmits: boolean };

export function interpretEnquiry(facts: EnquiryFacts): Conclusion {
  const { operator, state, attempt, askedAt } = facts;
  const isPastHorizon = askedAt >= horizonOf(attempt.claimedAt, operator.timing);
  if (isHeldBack(facts.outcome) && (state === 'IN_RECONCILIATION' || !isPastHorizon)) {
    return { events: [], resubmits: false };
  }
  const told = effectiveOutcome(facts, isPastHorizon);
  if (told === 'RESUBMIT' && state === 'PROCESSING' && !isPastHorizon) {
    return { events: [{ type: 'RESUBMIT_CLAIMED', sendCount: attempt.sendCount }], resubmits: true };
  }
  const outcome: Outcome = told === 'RESUBMIT' ? { type: 'NOT_SEEN' } : told;
  // What follows from "not found" or from silence holds for the permissions that were known when it was asked.
  const isDerived = facts.outcome.type === 'NOT_SEEN' && outcome.type === 'FAILED';
  const isConcluded = isDerived || facts.isSilent === true;
  const { sendCount } = attempt;
  const answered: PaymentEvent = {
    type: 'OPERATOR_ANSWERED',
    outcome,
    ...(isConcluded ? { sendCount } : {}),
  };
  return { events: isPastHorizon ? [answered, { type: 'HORIZON_PASSED' }] : [answered], resubmits: false };
}

function isHeldBack(outcome: Outcome): boolean {
  return outcome.type === 'UNKNOWN' && outcome.reason === 'RATE_LIMITED_HERE';
}

/**
 * "Not found" is proof only after the connector's time. Then the attempt was never seen: where a repeat is recognised
 * the same reference may be sent again, and so may one that was only held; where it is not, the payment has failed, and
 * that is certain. What comes from before a restore has failed in any case: its merchant may have heard so already, and
 * may have ordered again. An attempt that the operator acknowledged with a reference of its own was seen: a later "not
 * found" contradicts the operator itself and proves nothing.
 */
function effectiveOutcome(
  { operator, attempt, outcome, askedAt, lostUntil }: EnquiryFacts,
  isPastHorizon: boolean,
): Outcome | 'RESUBMIT' {
  if (outcome.type !== 'NOT_SEEN' || isAcknowledged(operator, attempt)) return outcome;
  if (askedAt < notSeenProvedAt(attempt.sendDeadlineAt, operator.timing)) return outcome;
  if (lostUntil !== undefined && askedAt < addMs(lostUntil, operator.timing.notSeenAfterMs)) return outcome;
  const maySend = operator.repeatedSubmit === 'HARMLESS' || !isPermitted(attempt);
  if (maySend && lostUntil === undefined) return 'RESUBMIT';
  // Long after the horizon an operator may simply have forgotten: then a person decides.
  return isPastHorizon ? outcome : { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' };
}

function isAcknowledged({ reference }: EnquiryFacts['operator'], attempt: EnquiryFacts['attempt']): boolean {
  return attempt.providerReference !== undefined && reference?.isOriginals !== true;
}
