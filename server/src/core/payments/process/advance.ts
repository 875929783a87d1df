// The single write path: every change of a payment after its creation goes through here. Lock the rows, ask the
// lifecycle, write events, transfers, callbacks and next steps, commit. API calls, notifications, enquiries and
// time-outs are only different events in this write path. It must never be bypassed, and it never calls an operator.
import { factsOf as factsOfOperation } from '../../../connectors/port.ts';
import type { PaymentEvent, Transition } from '../../../domain/payments/lifecycle.ts';
import {
  distinctKeys,
  paymentKeyText,
  type OperationKey,
  type PaymentKey,
} from '../../../domain/payments/payment.ts';
import { effectOf, permitsEffect, type LineEffect } from '../../../domain/reconciliation/operator-report.ts';
import type { Recovery } from '../../../domain/recovery.ts';
import { listLatestAttempts, setProviderReferences, type Attempt } from '../../../store/payments/attempts.ts';
import type { Availability } from '../../../store/operators/availability.ts';
import { inTransaction, type Tx } from '../../../store/database.ts';
import type { Merchant } from '../../../store/merchants/merchants.ts';
import { lockPayments, type StoredPayment } from '../../../store/payments/payments.ts';
import {
  LISTED_FOR_EACH,
  listDueSubmits,
  lockDueSubmits,
  type Taking,
} from '../../../store/payments/due-steps.ts';
import type { StepGroup } from '../../../store/payments/due-floors.ts';
import { announce, trace } from './after-commit.ts';
import { firstClaims, listAttemptAccounts } from '../../operators/attempt-account.ts';
import { actsOn } from './payment-actions.ts';
import { record, type Actor } from '../../audit.ts';
import { decide, unchanged, type Change, type DecisionFacts } from './decide.ts';
import type { Engine } from '../../engine.ts';
import { lockForWriting } from '../../cells/lock-merchant.ts';
import { findExceptions } from './exceptional-events.ts';
import { expiredEvent, isExpired } from './expired-event.ts';
import { beginReviews } from '../../limits/needed-reviews.ts';
import { listMade } from './unmatched-payments.ts';
import { holdAfterRestore, alreadyPaidEvent } from './hold-after-restore.ts';
import { FollowUpFailed, makeApart, makeTogether, type MakeFollowUps } from './follow-ups.ts';
import { keepTold, type Told } from './keep-unproved.ts';
import { isPlainText } from '../../operators/validate-answer.ts';
import { connectorFor, firstReferenceOf } from '../../operators/operator-calls.ts';
import {
  findStops,
  isStopped,
  listRefundsToCancel,
  mayTakeForUnsent,
  stoppedEvent,
  type Stops,
} from './stopped-claims.ts';
import { withinBudget, type Allowed } from './submit-budget.ts';
import { waitingEvent } from './waiting-event.ts';
import { merchantOf, walletProviderOf, writeChanges } from './write-changes.ts';

export type Advance = {
  readonly key: PaymentKey;
  readonly event: PaymentEvent;
  /** What the operator said. Encrypted at rest. */
  readonly evidence?: string;
  /** The line of a report that says so. Left out where the operator itself says it, by an answer or a notification. */
  readonly lineHash?: Buffer;
  /** The operator's own reference, where it picks one. */
  readonly providerReference?: string;
  readonly told?: Told;
  /** Who says so, where it comes from outside. An operator speaks only of payments that were sent to it. */
  readonly fromConnector?: string;
  /** Until when the step this comes from was taken. */
  readonly lease?: Date;
  /** Where this speaks against a final state nothing is done: messages overtake each other, so it is asked about. */
  readonly mustBeVerified?: boolean;
  /** What people approved that this does. Where it would do anything else by now, nothing is done. */
  readonly approvedAs?: LineEffect;
  /** Who does this manually, and why: written into the audit log with it. */
  readonly actor?: Actor & { readonly reason: string };
};

export type Advanced =
  | {
      readonly type: Transition['type'];
      readonly payment: StoredPayment;
      readonly attempt: Attempt | null;
    }
  /** It had to be confirmed: it speaks against a final state, and nothing was done. */
  | { readonly type: 'UNCONFIRMED'; readonly payment: StoredPayment; readonly attempt: Attempt | null }
  /** It would do something else than was approved, and nothing was done. */
  | {
      readonly type: 'OTHER_EFFECT';
      readonly payment: StoredPayment;
      readonly attempt: Attempt | null;
    }
  /** Manually nothing is done with a transaction that is another payment's: it was mistyped. */
  | { readonly type: 'TRANSACTION_TAKEN'; readonly payment: StoredPayment }
  /** No such payment. */
  | { readonly type: 'NOT_FOUND' }
  /** Nothing was done: the merchant lives in another cell, or is on its way. */
  | { readonly type: 'OTHER_CELL' };

/** What else belongs to the transaction. It runs last, and takes everything back by throwing. */
type Within = (tx: Tx, answers: readonly Advanced[]) => Promise<void>;

/** Answers in the order of `advances`. Several events of one payment are applied in that order. */
export async function advance(
  engine: Engine,
  advances: readonly Advance[],
  within?: Within,
): Promise<readonly Advanced[]> {
  const keys = distinctKeys(advances.map(({ key }) => key));
  const { keyring } = engine.store;
  const lock = async (tx: Tx, here: readonly PaymentKey[]) => ({
    advances,
    payments: await lockPayments(tx, keyring, here),
  });
  return apply(engine, { keys, lock, within });
}

export type Claiming = Omit<Taking, 'now'> & {
  /** Takes slots for payments that are due: how many of a provider and kind may be claimed. */
  readonly allow?: ((due: readonly StepGroup[]) => Promise<Allowed>) | undefined;
};

const NO_BUDGET = () => Promise.resolve(() => Infinity);

/** Claims payments that wait to be sent, and passes over those somebody else has in hand. */
export async function claimDueSubmits(
  engine: Engine,
  { countMax, except, floors, allow = NO_BUDGET }: Claiming,
): Promise<readonly Advanced[]> {
  const { database, keyring } = engine.store;
  const due = await listDueSubmits(database, {
    now: engine.clockCheck.notBehind(engine.clock.now()),
    countMax: countMax * LISTED_FOR_EACH,
    except,
    floors,
  });
  const allowed = await allow(due);
  const claimed = withinBudget(due, allowed);
  const lock = async (tx: Tx, here: readonly PaymentKey[], now: Date): Promise<LockedBatch> => {
    const payments = withinBudget(await lockDueSubmits(tx, keyring, here, { now, countMax }), allowed);
    return { payments, advances: payments.map((key) => ({ key, event: { type: 'SUBMIT_CLAIMED' } })) };
  };
  return apply(engine, { keys: claimed, lock });
}

/** Payments that are locked, and what happened to them. */
type LockedBatch = { readonly advances: readonly Advance[]; readonly payments: readonly StoredPayment[] };

/** What one transaction of the write path is about. */
type Work = {
  readonly keys: readonly PaymentKey[];
  /** Locks the payments. Given the keys of merchants that live here, and the time of the transaction. */
  readonly lock: (tx: Tx, here: readonly PaymentKey[], now: Date) => Promise<LockedBatch>;
  readonly within?: Within | undefined;
};

/**
 * Applies events in one transaction. Where something that follows from them cannot be made, they are applied again
 * without it: what an operator did is recorded whatever follows from it.
 */
async function apply(engine: Engine, work: Work): Promise<readonly Advanced[]> {
  try {
    return await applyWith(engine, work, makeTogether);
  } catch (error) {
    if (!(error instanceof FollowUpFailed)) throw error;
    return applyWith(engine, work, makeApart(engine.clock));
  }
}

async function applyWith(
  engine: Engine,
  { keys, lock, within }: Work,
  makeFollowUps: MakeFollowUps,
): Promise<readonly Advanced[]> {
  if (keys.length === 0) return [];
  const since = performance.now();
  const merchants = await readMerchants(engine, keys);
  const unavailable = await engine.directory.unavailable();
  const recovery = await engine.directory.recovery();
  const mayBeLost = await engine.directory.mayBeLost();
  const { answers, changes, begun, writtenAt } = await inTransaction(engine.store.database, async (tx) => {
    const { away, note } = await lockForWriting(
      tx,
      keys.map(({ merchantId }) => merchantId),
    );
    const now = await engine.clock.timeOf(tx);
    const here = keys.filter(({ merchantId }) => !away.has(merchantId));
    const { advances, payments } = await lock(tx, here, now);
    await keepTold(tx, { advances, payments }, now);
    const stops = await findStops(engine, tx, { advances, payments, merchants, now });
    const context = { away, merchants, unavailable, recovery, mayBeLost, stops, now, makeFollowUps };
    const folded = await fold(engine, tx, { advances, payments }, context);
    const payouts = await writeChanges(engine, tx, [...folded.changes.values()], context);
    await beginReviews(tx, stops.reviews, folded.changes.values());
    await record(
      engine,
      tx,
      advances.flatMap((one, index) => actsOn(one, folded.answers[index])),
    );
    await setProviderReferences(tx, pickedReferences({ advances, payments }));
    await note(changedKeys(payments, folded, payouts));
    await within?.(tx, folded.answers);
    return { ...folded, begun: payouts, writtenAt: now };
  });
  announce(engine, changes, writtenAt);
  trace(engine, { changes, begun, since });
  await advance(engine, await listRefundsToCancel(engine, changes.values())).catch(() => undefined);
  return answers;
}

const NOT_FOUND: Advanced = { type: 'NOT_FOUND' };
const OTHER_CELL: Advanced = { type: 'OTHER_CELL' };

type Context = {
  /** Merchants that live in another cell, or are on their way. */
  readonly away: ReadonlySet<string>;
  readonly merchants: ReadonlyMap<string, Merchant>;
  /** Providers that are not OPERATIONAL, by "PROVIDER OPERATION". */
  readonly unavailable: ReadonlyMap<string, Availability>;
  readonly recovery: Recovery | null;
  /** Whether a restore of any cell may have lost payments that this one has. */
  readonly mayBeLost: boolean;
  readonly stops: Stops;
  readonly now: Date;
  readonly makeFollowUps: MakeFollowUps;
};

type Folded = { readonly answers: readonly Advanced[]; readonly changes: ReadonlyMap<string, Change> };

async function fold(
  engine: Engine,
  tx: Tx,
  { advances, payments }: LockedBatch,
  context: Context,
): Promise<Folded> {
  const attempts = new Map((await listLatestAttempts(tx, payments)).map((one) => [paymentKeyText(one), one]));
  const changes = new Map(
    payments.map((payment) => {
      const name = paymentKeyText(payment);
      return [name, unchanged(payment, attempts.get(name) ?? null)];
    }),
  );
  const exceptions = await findExceptions(tx, advances, changes, context.now);
  const accounts = await listAttemptAccounts(engine, tx, firstClaims(payments, { attempts, advances }));
  const mayBeMade = context.mayBeLost && advances.some(({ event }) => mayTakeForUnsent(event));
  const homeOf = (payment: StoredPayment) => merchantOf(payment, context).home;
  const made = mayBeMade ? await listMade(engine, tx, payments, homeOf) : new Set<string>();
  const answers = advances.map((one): Advanced => {
    if (context.away.has(one.key.merchantId)) return OTHER_CELL;
    const name = paymentKeyText(one.key);
    const change = changes.get(name);
    if (change === undefined) return NOT_FOUND;
    const isMade = made.has(name);
    const isStranger = one.fromConnector !== undefined && one.fromConnector !== change.payment.connector;
    const isTooEarly = one.event.type === 'SUBMIT_EXPIRED' && !isExpired(change, context);
    if (isStranger || isTooEarly || isStopped(one.event, change.payment, { ...context, isMade })) {
      return { type: 'NOTHING', payment: change.payment, attempt: change.attempt };
    }
    const { instead, beside } = exceptions;
    if (one.event.type === 'ENDED_MANUALLY' && (instead.has(one) || beside.has(one))) {
      return { type: 'TRANSACTION_TAKEN', payment: change.payment };
    }
    const event = instead.get(one) ?? eventOf(engine, one, change, { ...context, isMade });
    const account = accounts.get(name);
    const decision = decide(change, event, { ...factsOf(engine, change, one, context), account });
    if (one.mustBeVerified === true && isOppositeEnd(decision.transition)) {
      return { type: 'UNCONFIRMED', payment: change.payment, attempt: change.attempt };
    }
    const effect = one.approvedAs === undefined ? null : effectOf(decision.transition);
    if (one.approvedAs !== undefined && effect !== null && !permitsEffect(one.approvedAs, effect)) {
      return { type: 'OTHER_EFFECT', payment: change.payment, attempt: change.attempt };
    }
    const conflict = beside.get(one);
    const isDone = conflict !== undefined && decision.transition.type !== 'NOTHING';
    const after = isDone
      ? decide(decision.change, conflict, { ...factsOf(engine, decision.change, one, context), account })
          .change
      : decision.change;
    changes.set(name, after);
    return { type: decision.transition.type, payment: after.payment, attempt: after.attempt };
  });
  return { answers, changes };
}

/** The other end than the one we know. A discrepancy is none: an operator asked again does not tell of two charges. */
function isOppositeEnd(transition: Transition): boolean {
  return transition.type === 'CONTRADICTION' && transition.evidence !== 'DISCREPANCY';
}

/** What a wish becomes: a wait while its provider is closed, a question first after a restore, an end when too late. */
function eventOf(
  engine: Pick<Engine, 'connectors'>,
  { event }: Advance,
  change: Change,
  context: Context & { readonly isMade: boolean },
): PaymentEvent {
  const { payment } = change;
  const connector = engine.connectors.get(payment.connector);
  if (context.isMade) return alreadyPaidEvent(event, context.recovery?.begunAt ?? payment.createdAt);
  const claim = stoppedEvent(expiredEvent(event, change, context), payment, context);
  const waiting = waitingEvent(claim, payment, context.unavailable);
  return holdAfterRestore(waiting, payment, { connector, recovery: context.recovery });
}

function factsOf(engine: Engine, change: Change, one: Advance, context: Context): DecisionFacts {
  const { payment } = change;
  return {
    now: context.now,
    timing: factsOfOperation(connectorFor(engine, payment), payment.kind).timing,
    walletProvider: walletProviderOf(payment, context),
    // Only a first claim asks for it.
    get reference() {
      return firstReferenceOf(engine, payment, merchantOf(payment, context).home);
    },
    evidence: one.evidence,
    lineHash: one.lineHash,
    lease: one.lease,
  };
}

/** Everything the transaction may have changed, split payments with their parts. */
function changedKeys(
  keys: readonly PaymentKey[],
  { changes }: Folded,
  begun: readonly StoredPayment[],
): readonly OperationKey[] {
  const splits = [...changes.values()].flatMap(({ payment }) => {
    const { merchantId, splitPaymentId: paymentId } = payment;
    return paymentId === undefined ? [] : [{ merchantId, kind: 'SPLIT_PAYMENT', paymentId } as const];
  });
  return [...keys, ...begun, ...splits];
}

/** The references that operators picked for these payments, the first one of each. */
function pickedReferences({ advances, payments }: LockedBatch) {
  const numbers = new Map(payments.map((payment) => [paymentKeyText(payment), payment.paymentNo]));
  const picked = advances.toReversed().flatMap(({ key, providerReference }) => {
    const paymentNo = numbers.get(paymentKeyText(key));
    const isKept =
      paymentNo !== undefined && providerReference !== undefined && isPlainText(providerReference);
    return isKept ? [[paymentNo, { paymentNo, providerReference }] as const] : [];
  });
  return [...new Map(picked).values()];
}

async function readMerchants(
  engine: Pick<Engine, 'directory'>,
  keys: readonly PaymentKey[],
): Promise<ReadonlyMap<string, Merchant>> {
  const merchantIds = [...new Set(keys.map(({ merchantId }) => merchantId))];
  const merchants = await Promise.all(merchantIds.map((id) => engine.directory.merchant(id)));
  return new Map(merchants.flatMap((one) => (one === null ? [] : [[one.merchantId, one]])));
}
