// What keeps a payment from being claimed although its step is due: this process's clock, its merchant's suspension, a
// freeze, a review, the reversal of the deposit that a refund gives back. Read in the claiming transaction, so that it
// holds when that commits.
import type { PaymentEvent } from '../../../domain/payments/lifecycle.ts';
import { paymentKeyText, type PaymentKey } from '../../../domain/payments/payment.ts';
import { isAwaited, isFromBefore, type Recovery } from '../../../domain/recovery.ts';
import { marksPayments } from '../../../domain/limits/freeze.ts';
import { listEvidence } from '../../../store/payments/cases.ts';
import type { Tx } from '../../../store/database.ts';
import { listSuspended, type Merchant } from '../../../store/merchants/merchants.ts';
import { listRefunds, type StoredPayment } from '../../../store/payments/payments.ts';
import { listInForce, type FoundFreeze } from '../../../store/limits/freezes.ts';
import type { Advance } from './advance.ts';
import type { Change } from './decide.ts';
import type { Engine, StorePart } from '../../engine.ts';
import { findFrozen, frozenEvent } from '../../limits/frozen-payments.ts';
import { findNeededReviews, reviewEvent, type NeededReview } from '../../limits/needed-reviews.ts';
import { isSending } from './hold-after-restore.ts';

export type Stops = {
  /** This process's clock is not the database's: it may not send. */
  readonly isClockOff: boolean;
  /** Merchants. */
  readonly suspended: ReadonlySet<string>;
  /** Deposits that the operator took back, by name. */
  readonly reversed: ReadonlySet<string>;
  /** Payments that leave, by name, with the freeze that stops each. */
  readonly frozen: ReadonlyMap<string, FoundFreeze>;
  /** Freezes that are said to have ended and have not, and entries that block a number, by identifier. */
  readonly inForce: ReadonlySet<string>;
  /** Payments that somebody looks at before they are sent, by name. */
  readonly reviews: ReadonlyMap<string, NeededReview>;
};

const NONE: Stops = {
  isClockOff: false,
  suspended: new Set(),
  reversed: new Set(),
  frozen: new Map(),
  inForce: new Set(),
  reviews: new Map(),
};

export async function findStops(
  engine: Pick<Engine, 'clockCheck' | 'store'>,
  tx: Tx,
  {
    advances,
    payments,
    merchants,
    now,
  }: {
    readonly advances: readonly Advance[];
    readonly payments: readonly StoredPayment[];
    readonly merchants: ReadonlyMap<string, Merchant>;
    readonly now: Date;
  },
): Promise<Stops> {
  const inForce = await listInForce(tx, advances.flatMap(freezeThatEnded), now);
  if (!advances.some(({ event }) => isSending(event))) {
    const isAnyReleased = advances.some(({ event }) => isOfGroup(event));
    return {
      ...NONE,
      inForce,
      frozen: isAnyReleased ? await findFrozen(engine, tx, payments, now) : NONE.frozen,
    };
  }
  const deposits = payments.flatMap((payment) => depositOf(payment) ?? []);
  const evidence = await listEvidence(tx, deposits);
  return {
    inForce,
    isClockOff: !(await engine.clockCheck.agrees(tx)),
    suspended: await listSuspended(
      tx,
      payments.map(({ merchantId }) => merchantId),
    ),
    reversed: new Set(deposits.map(paymentKeyText).filter((name) => evidence.has(`${name} LATE_FAILURE`))),
    frozen: await findFrozen(engine, tx, payments, now),
    reviews: await findNeededReviews(engine, tx, { payments, merchants, now }),
  };
}

/** Whether the event releases what waited with the others of its provider or merchant. */
function isOfGroup(event: PaymentEvent): boolean {
  return event.type === 'RELEASED' && event.heldBy === undefined && event.hold === undefined;
}

/** By the clock of the process that releases it no freeze was in force, and by the transaction's one is. */
function isReleasedTooEarly(event: PaymentEvent, payment: StoredPayment, stops: Stops): boolean {
  if (freezeThatEnded({ event }).some((freezeId) => stops.inForce.has(freezeId))) return true;
  const freeze = stops.frozen.get(paymentKeyText(payment));
  return isOfGroup(event) && freeze !== undefined && !marksPayments(freeze.scope);
}

/** The freeze of which the event says that it has ended. */
function freezeThatEnded({ event }: Pick<Advance, 'event'>): readonly string[] {
  return event.type === 'RELEASED' && event.heldBy !== undefined ? [event.heldBy] : [];
}

/** Whether the event takes a payment for one that was not sent. What its operator has made must not be. */
export function mayTakeForUnsent(event: PaymentEvent): boolean {
  return isSending(event) || event.type === 'CANCELLED';
}

type Facts = { readonly stops: Stops; readonly recovery: Recovery | null };

/** Nothing is done: a later claim, or an enquiry, finds out more. A deposit that is not sent in time ends by itself. */
export function isStopped(
  event: PaymentEvent,
  payment: StoredPayment,
  { stops, recovery, isMade }: Facts & { readonly isMade: boolean },
): boolean {
  if (isSending(event) && stops.isClockOff) return true;
  if (event.type === 'RELEASED') return isReleasedTooEarly(event, payment, stops);
  // In the time that was lost it may have been sent, no matter who cancels it.
  if (event.type === 'CANCELLED') return isMade || mayBeLost(payment, recovery);
  const isSuspended = stops.suspended.has(payment.merchantId);
  const isFrozen = stops.frozen.has(paymentKeyText(payment));
  if (event.type === 'RESUBMIT_CLAIMED') return isSuspended || isFrozen || isReversed(payment, stops);
  return event.type === 'SUBMIT_CLAIMED' && isSuspended && payment.kind === 'DEPOSIT';
}

/** What a claim becomes: a refund of what was taken back is cancelled, and what leaves a suspended merchant waits. */
export function stoppedEvent(
  event: PaymentEvent,
  payment: StoredPayment,
  { stops, recovery }: Facts,
): PaymentEvent {
  if (event.type !== 'SUBMIT_CLAIMED') return event;
  if (isReversed(payment, stops) && !mayBeLost(payment, recovery)) return REFUND_CANCELLED;
  // What is from before a restore is asked about first, whatever else is so.
  if (isFromBefore(recovery, payment)) return event;
  const freeze = stops.frozen.get(paymentKeyText(payment));
  if (freeze !== undefined) return frozenEvent(freeze);
  const waits = isReversed(payment, stops) || stops.suspended.has(payment.merchantId);
  if (waits) return { type: 'PROVIDER_DELAYED' };
  const review = stops.reviews.get(paymentKeyText(payment));
  return review === undefined ? event : reviewEvent(payment, review);
}

/**
 * After the commit: refunds of deposits that were taken back in it, to be cancelled as far as they are not sent. One
 * that is missed is cancelled when it is claimed.
 */
export async function listRefundsToCancel(
  engine: StorePart,
  changes: Iterable<Change>,
): Promise<readonly Advance[]> {
  const deposits = [...changes].flatMap(({ payment, cases }) =>
    payment.kind === 'DEPOSIT' && cases.some(({ evidence }) => evidence === 'LATE_FAILURE') ? payment : [],
  );
  const refunds = await listRefunds(engine.store.database, deposits);
  return refunds.map((key) => ({ key, event: REFUND_CANCELLED }));
}

const REFUND_CANCELLED = { type: 'CANCELLED', unsentAs: 'OTHER_ERROR' } as const;

function isReversed(payment: StoredPayment, { reversed }: Stops): boolean {
  const deposit = depositOf(payment);
  return deposit !== null && reversed.has(paymentKeyText(deposit));
}

function depositOf({ merchantId, depositId }: StoredPayment): PaymentKey | null {
  return depositId === undefined ? null : { merchantId, kind: 'DEPOSIT', paymentId: depositId };
}

function mayBeLost(payment: StoredPayment, recovery: Recovery | null): boolean {
  return isFromBefore(recovery, payment) || isAwaited(recovery, payment.provider);
}
