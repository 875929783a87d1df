// What an event makes of a payment's attempt: its permissions to send, and when the next one may be asked for. Pure.
import type { PaymentEvent } from '../../../domain/payments/lifecycle.ts';
import type { Attempt } from '../../../store/payments/attempts.ts';
import type { Change, DecisionFacts } from './decide.ts';
import { addMs } from '../../../domain/time.ts';

/** Claiming makes or renews the attempt, giving back marks it; all other events leave it alone. */
export function attemptAfter({ payment, attempt }: Change, event: PaymentEvent, facts: DecisionFacts) {
  switch (event.type) {
    case 'SUBMIT_CLAIMED':
    case 'SUBMIT_HELD': {
      if (attempt !== null)
        return changed({ ...attempt, ...accountOf(attempt, facts), ...permissionOf(attempt, event, facts) });
      const { merchantId, kind, paymentId, paymentNo } = payment;
      const key = { merchantId, kind, paymentId, paymentNo, attemptNo: 1, reference: facts.reference };
      const unsent = { sendCount: 0, unsentCount: 0 };
      const newAttempt: Attempt = {
        ...key,
        ...unsent,
        ...facts.account,
        ...permissionOf(unsent, event, facts),
      };
      return { attempt: newAttempt, newAttempt };
    }
    case 'RESUBMIT_CLAIMED': {
      if (attempt === null) return { attempt };
      const sendDeadlineAt = addMs(facts.now, facts.timing.sendDeadlineMs);
      return changed({ ...attempt, sendDeadlineAt, sendCount: attempt.sendCount + 1 });
    }
    case 'SUBMIT_UNSENT':
      return attempt === null ? { attempt } : changed({ ...attempt, unsentCount: attempt.unsentCount + 1 });
    case 'SUBMIT_EXPIRED':
    case 'OPERATOR_ANSWERED':
    case 'HINTED':
    case 'HORIZON_PASSED':
    case 'PROVIDER_DELAYED':
    case 'RELEASED':
    case 'CANCELLED':
    case 'ENDED_MANUALLY':
      return { attempt };
  }
}

function changed(changedAttempt: Attempt) {
  return { attempt: changedAttempt, changedAttempt };
}

/** What was claimed while its account was not set gets one; what has one keeps it. */
function accountOf(attempt: Attempt, { account }: DecisionFacts) {
  return attempt.account === undefined ? account : {};
}

function permissionOf(
  { sendCount }: Pick<Attempt, 'sendCount'>,
  event: PaymentEvent & { readonly type: 'SUBMIT_CLAIMED' | 'SUBMIT_HELD' },
  { now, timing }: DecisionFacts,
) {
  const isHeld = event.type === 'SUBMIT_HELD';
  return {
    claimedAt: now,
    // Of one that is held: when the last permission ended that somebody may have had in the time that was lost.
    sendDeadlineAt: addMs(isHeld ? event.lostUntil : now, timing.sendDeadlineMs),
    sendCount: isHeld ? sendCount : sendCount + 1,
  };
}

/** Only the latest permission can be given back, and only where none before it was used. */
export function isGivenBack({ sendCount, unsentCount }: Attempt, which: number): boolean {
  return sendCount === which && unsentCount === sendCount - 1;
}

/** Soon, since its payer waits; then more seldom, since what keeps it back may last. */
const UNSENT_DELAYS_MS = [1_000, 2_000, 5_000, 10_000, 30_000];
const UNSENT_DELAY_MS_MAX = 60_000;

export function submitDelayMs({ type }: PaymentEvent, attempt: Attempt | null): number {
  if (type === 'PROVIDER_DELAYED') return UNSENT_DELAY_MS_MAX;
  if (type !== 'SUBMIT_UNSENT' || attempt === null) return 0;
  return UNSENT_DELAYS_MS[attempt.unsentCount - 1] ?? UNSENT_DELAY_MS_MAX;
}
