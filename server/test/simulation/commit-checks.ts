// What must be true of every change of a payment, held against what really happened at the operator.
import type { Change } from '../../src/core/payments/process/decide.ts';
import { notSeenProvedAt } from '../../src/core/schedule.ts';
import { isFinal } from '../../src/domain/payments/lifecycle.ts';
import { isUnsent } from '../../src/store/payments/attempts.ts';
import { demand } from './violation.ts';
import type { Kept, World } from './world.ts';

export function checkCommit(world: World, kept: Kept, change: Change): void {
  const { payment: before } = kept;
  const { payment: after } = change;
  if (isFinal(before.state)) checkStaysFinal(kept, change);
  const isMoved = after.state !== before.state;
  const isMoney = change.postings.length > 0 || change.holdEndsAs !== undefined;
  if (change.events.every(({ event }) => event === 'HINTED')) {
    const hasEffect = isMoved || isMoney || change.callbacks.length > 0;
    demand(!hasEffect, 'an unsigned notification moves neither money nor state', kept);
  }
  demand(isFinal(after.state) || !isMoney, 'money moves only at the end', kept);
  if (!isFinal(after.state)) {
    const hasStep = after.nextAction !== null && after.nextActionAt !== null;
    demand(hasStep || after.state === 'ENQUEUED', 'an open payment has a next step', kept);
  } else {
    demand(after.nextAction === null, 'a final payment has no next step', kept);
  }
  if (isMoved && after.state === 'COMPLETED') checkCompleted(world, kept, change);
  if (isMoved && after.state === 'FAILED') checkFailed(world, kept, change);
  checkClaims(world, kept, change);
}

function checkStaysFinal(kept: Kept, change: Change): void {
  const { payment: after } = change;
  demand(after.state === kept.payment.state, 'final is final', kept);
  demand(change.postings.length === 0 && change.holdEndsAs === undefined, 'an end is posted once', kept);
  demand(change.callbacks.length === 0, 'an end is announced once', kept);
}

function checkCompleted(world: World, kept: Kept, change: Change): void {
  const entry = world.entryOf(kept);
  if (isManual(change)) {
    const isKnown = entry?.amount === kept.payment.amount || kept.cases.has('DISCREPANCY');
    demand(isKnown, 'another amount is COMPLETED manually only with a case', kept);
    return;
  }
  demand(entry?.hasSaidCompleted === true, 'a payment is COMPLETED only when its operator says so', kept);
  demand(entry.amount === kept.payment.amount, 'a payment is COMPLETED only with the amount asked for', kept);
}

/** A person knows what the operator's books say; what an operator must have said first does not bind him. */
function isManual({ events }: Change): boolean {
  return events.some(({ event }) => event === 'ENDED_MANUALLY');
}

/** Unknown is not FAILED: the operator has said so, or it has not heard of the payment and cannot any more. */
function checkFailed(world: World, kept: Kept, change: Change): void {
  const entry = world.entryOf(kept);
  const { attempt } = kept;
  if (entry !== undefined && !isManual(change)) {
    demand(
      entry.hasSaidFailed,
      'a payment its operator knows is FAILED only when the operator says so',
      kept,
    );
    return;
  }
  if (attempt === null || isUnsent(attempt)) {
    const hasEnd = change.events.some(({ event }) => event === 'CANCELLED' || event === 'SUBMIT_EXPIRED');
    demand(hasEnd, 'a payment that was never sent is FAILED only when it is cancelled or too late', kept);
    demand(kept.flying === 0, 'a payment is FAILED only once no payer can be charged', kept);
    return;
  }
  const canArrive = kept.flying > 0 || world.nowMs() < attempt.sendDeadlineAt.getTime();
  demand(!canArrive, 'a payment is FAILED only once no payer can be charged', kept);
}

/** Permission to send is given once, and again only when the one before it has proved to be without effect. */
function checkClaims(world: World, kept: Kept, { newAttempt, changedAttempt }: Change): void {
  const { attempt } = kept;
  if (newAttempt !== undefined) demand(attempt === null, 'a payment is claimed once', kept);
  if (changedAttempt === undefined) return;
  demand(attempt !== null, 'only what was claimed is claimed again', kept);
  const isUnknown = kept.flying === 0 && world.entryOf(kept) === undefined;
  if (changedAttempt.unsentCount > attempt.unsentCount)
    return demand(isUnknown, 'only a permission that was not used is given back', kept);
  if (isUnsent(attempt)) return demand(isUnknown, 'what is sent again was never sent', kept);
  const { timing } = kept.operator.facts;
  const isProved = world.now() >= notSeenProvedAt(attempt.sendDeadlineAt, timing);
  demand(isProved && kept.flying === 0, 'of two permissions to send the first has ended', kept);
}
