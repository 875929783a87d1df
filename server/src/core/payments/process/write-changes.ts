// Writes what the events of a transaction have led to: the writing half of core/payments/process/advance. One payment
// or many, the number of statements is the same.
import { isFinal } from '../../../domain/payments/lifecycle.ts';
import { paymentKeyText } from '../../../domain/payments/payment.ts';
import { addMs } from '../../../domain/time.ts';
import { insertAttempts, updateAttempt } from '../../../store/payments/attempts.ts';
import { renderCallback } from '../../../callbacks/render.ts';
import {
  abandonCallbacks,
  encryptBody,
  insertCallbacks,
  type NewCallback,
} from '../../../store/callbacks/callbacks.ts';
import type { Keyring } from '../../../store/encryption/encryption.ts';
import {
  listOpenDiscrepancies,
  openCases,
  type NewCase,
  type OpenedCase,
} from '../../../store/payments/cases.ts';
import type { Tx } from '../../../store/database.ts';
import { book, ensureAccounts, type Posting } from '../../../store/ledger/ledger.ts';
import { accountId } from '../../../store/ledger/wallet-funds.ts';
import type { Merchant } from '../../../store/merchants/merchants.ts';
import { insertPaymentEvents } from '../../../store/payments/payment-events.ts';
import { updatePayments, type StoredPayment } from '../../../store/payments/payments.ts';
import { findSplitPayment } from '../../../store/payments/split-payments.ts';
import { advanceSplits } from './advance-split.ts';
import type { Change } from './decide.ts';
import type { MakeFollowUps } from './follow-ups.ts';
import type { Engine, StorePart } from '../../engine.ts';
import { countersOfLateSuccess, recount, type CountedAmount } from '../../limits/give-back.ts';
import { countableOf } from '../../limits/countable.ts';
import { releaseUnmatched } from './unmatched-payments.ts';
import { advanceCheckouts } from './move-checkouts.ts';
import { countsOf } from './split-payouts.ts';
import {
  accountsOfHolds,
  holdFunds,
  MANUAL_HOLD_MS,
  renderHold,
  wantedOf,
  type WantedHold,
} from '../../limits/wallet-holds.ts';
import { postingOfCase, subjectOf } from '../payment-postings.ts';
import { holdsOfCases, holdsOfDeposits, isManualDeposit, withoutParts } from '../wanted-holds.ts';

export type WriteContext = {
  readonly merchants: ReadonlyMap<string, Merchant>;
  /** False where no database was ever restored: then nothing is forgotten. */
  readonly mayBeLost: boolean;
  readonly now: Date;
  /** How what follows from the changes is made. */
  readonly makeFollowUps: MakeFollowUps;
};

/** Answers the payments that began by it: a split's payouts. */
export async function writeChanges(
  engine: Engine,
  tx: Tx,
  changes: readonly Change[],
  context: WriteContext,
): Promise<readonly StoredPayment[]> {
  const { keyring } = engine.store;
  const { makeFollowUps } = context;
  const changed = changes.filter((change) => change.events.length > 0);
  await updatePayments(
    tx,
    keyring,
    changed.map(({ payment }) => payment),
  );
  await insertPaymentEvents(
    tx,
    keyring,
    changed.flatMap(({ events }) => events),
  );
  await insertAttempts(
    tx,
    changed.flatMap(({ newAttempt }) => newAttempt ?? []),
  );
  for (const { changedAttempt } of changed) {
    if (changedAttempt !== undefined) await updateAttempt(tx, changedAttempt);
  }
  const opened = await openCases(tx, keyring, withCounters(engine, changed, context));
  await makeFollowUps(tx, {
    type: 'LIMITS',
    items: await listRecounts(tx, changed, opened),
    keyOf: ({ payment }) => payment,
    detailOf: ({ countedAgain }) => (countedAgain === undefined ? {} : { countedAgain }),
    make: (recounts) => recountPayments(engine, tx, recounts),
  });
  const facts = {
    now: context.now,
    walletProviderOf: (payment: StoredPayment) => walletProviderOf(payment, context),
  };
  const ofDeposits = holdsOfDeposits(changed, facts);
  const ofCases = await holdsOfCases(engine, tx, { opened, changed }, facts);
  await ensureAccounts(tx, accountsOfHolds([...ofDeposits, ...ofCases]));
  const released = context.mayBeLost ? await releaseBooked(tx, changed, opened, context.now) : [];
  await bookAll(
    tx,
    changed,
    {
      others: [...postingsOfCases(engine, changed, opened, context), ...released],
      holds: [...ofDeposits, ...ofCases],
    },
    context.now,
  );
  await abandonCallbacks(
    tx,
    changed
      .filter(hasEnded)
      .flatMap(({ payment }) => (payment.details.authorizationUrl === undefined ? [] : payment)),
  );
  await makeFollowUps(tx, {
    type: 'CALLBACK',
    items: changed.flatMap(({ payment, callbacks }) => callbacks.map((callback) => ({ payment, callback }))),
    keyOf: ({ payment }) => payment,
    detailOf: ({ callback: { announcedState } }) => ({ announcedState }),
    make: async (announced) => {
      const rendered = announced.map(({ payment, callback }) => ({
        ...callback,
        encryptedBody: bodyOf(keyring, payment, callback),
      }));
      await insertCallbacks(tx, rendered);
      return [];
    },
  });
  const ended = changed.filter(hasEnded).map(({ payment }) => payment);
  const delayed = new Set(changed.filter(isManualDeposit).map(({ payment }) => payment));
  const sendAtOf = (collection: StoredPayment) =>
    delayed.has(collection) ? addMs(context.now, MANUAL_HOLD_MS) : context.now;
  const begun = await makeFollowUps(tx, {
    type: 'SPLIT_PAYMENT',
    items: ended.filter(({ splitPaymentId }) => splitPaymentId !== undefined),
    keyOf: (payment) => payment,
    detailOf: (payment) => ({ sendAt: sendAtOf(payment).toISOString() }),
    make: (payments) => advanceSplits(engine, tx, payments, { ...facts, sendAtOf }),
  });
  await makeFollowUps(tx, {
    type: 'HOLD',
    items: [...withoutParts(ofDeposits, begun), ...ofCases],
    keyOf: ({ key }) => key,
    detailOf: renderHold,
    wantedOf,
    make: async (holds) => {
      await holdFunds(engine, tx, holds, context.now);
      return [];
    },
  });
  await makeFollowUps(tx, {
    type: 'CHECKOUT',
    items: ended.filter(({ checkoutId }) => checkoutId !== undefined),
    keyOf: (payment) => payment,
    detailOf: () => ({}),
    make: async (payments) => {
      await advanceCheckouts(tx, payments, context.now);
      return [];
    },
  });
  return begun;
}

/** Names the counters of limits in which late successes of outgoing payments count. A deposit brings no money out. */
function withCounters(
  { store }: StorePart,
  changed: readonly Change[],
  context: WriteContext,
): readonly NewCase[] {
  return changed.flatMap(({ payment, cases }) =>
    cases.map((one) => {
      const { countedIn = [], kind } = payment;
      if (one.evidence !== 'LATE_SUCCESS' || kind === 'DEPOSIT' || countedIn.length === 0) return one;
      const countable = countableOf(store.keyring, payment, merchantOf(payment, context).limits);
      return { ...one, countedIn: countersOfLateSuccess(countable, countedIn, context.now) };
    }),
  );
}

/** A payment whose count in limits changes. */
export type Recount = {
  readonly payment: StoredPayment;
  /** The counters in which it counts again because its operator has paid it; left out where it has FAILED. */
  readonly countedAgain?: readonly string[];
};

/**
 * What limits count otherwise from now on. A payment that FAILED while it is open how much its operator moved stays
 * counted: the resolution of its case gives it back.
 */
async function listRecounts(
  tx: Tx,
  changed: readonly Change[],
  opened: readonly OpenedCase[],
): Promise<readonly Recount[]> {
  const ended = changed.filter((change) => hasEnded(change) && change.payment.state === 'FAILED');
  const outgoing = ended.map(({ payment }) => payment).filter(({ kind }) => kind !== 'DEPOSIT');
  const inDoubt = new Set((await listOpenDiscrepancies(tx, outgoing)).map(paymentKeyText));
  const failed = ended.filter(({ payment }) => !inDoubt.has(paymentKeyText(payment)));
  const payments = new Map(changed.map(({ payment }) => [paymentKeyText(payment), payment]));
  const paid = opened.flatMap(({ countedIn: countedAgain, ...one }) => {
    const payment = payments.get(paymentKeyText(one));
    return payment === undefined || countedAgain === undefined ? [] : { payment, countedAgain };
  });
  return [...failed.map(({ payment }) => ({ payment })), ...paid];
}

/**
 * Gives back to limits what payments that have FAILED counted there, and what payouts of a split payment counted whose
 * collection has FAILED: they never begin. Counts again what was paid all the same.
 */
export async function recountPayments(
  engine: StorePart,
  tx: Tx,
  recounts: readonly Recount[],
): Promise<readonly never[]> {
  const failed = recounts.flatMap(({ payment, countedAgain }) => (countedAgain === undefined ? payment : []));
  const unbegun: CountedAmount[] = [];
  for (const payment of failed) {
    const { merchantId, kind, splitPaymentId } = payment;
    if (kind !== 'DEPOSIT' || splitPaymentId === undefined) continue;
    // What its parts count never changes, so that it is read without a lock.
    const split = await findSplitPayment(tx, engine.store.keyring, { merchantId, splitPaymentId });
    if (split !== null) unbegun.push(...countsOf(split));
  }
  const countedAgain = recounts.flatMap(({ payment: { merchantId, amount }, countedAgain: countedIn }) =>
    countedIn === undefined ? [] : { merchantId, amount, countedIn },
  );
  await recount(tx, { givenBack: [...failed, ...unbegun], countedAgain });
  return [];
}

/** Made here, a body costs no statement of its own. One that cannot be made must not keep a payment from its end. */
function bodyOf(keyring: Keyring, payment: StoredPayment, callback: NewCallback): Buffer | null {
  try {
    return encryptBody(keyring, callback, renderCallback(payment, callback.announcedState));
  } catch {
    return null;
  }
}

/** Whether the payment became final in this transaction; contradictions come after the end. */
function hasEnded({ payment, events }: Change): boolean {
  return isFinal(payment.state) && events.some(({ fromState }) => fromState !== null && !isFinal(fromState));
}

/** What stood in the place of payments that book their money in this transaction, by their end or by a case. */
async function releaseBooked(
  tx: Tx,
  changed: readonly Change[],
  opened: readonly NewCase[],
  now: Date,
): Promise<readonly Posting[]> {
  const late = new Set(opened.filter(({ evidence }) => evidence === 'LATE_SUCCESS').map(paymentKeyText));
  const booked = changed.filter(
    (change) =>
      (hasEnded(change) && change.payment.state === 'COMPLETED') || late.has(paymentKeyText(change.payment)),
  );
  return releaseUnmatched(tx, booked, now);
}

function postingsOfCases(
  engine: Pick<Engine, 'observer'>,
  changed: readonly Change[],
  opened: readonly OpenedCase[],
  context: WriteContext,
): readonly Posting[] {
  const payments = new Map(changed.map(({ payment }) => [paymentKeyText(payment), payment]));
  return opened.flatMap((one) => {
    engine.observer.caseOpened(one.evidence);
    const payment = payments.get(paymentKeyText(one));
    if (payment === undefined) return [];
    return postingOfCase(payment, one, walletProviderOf(payment, context)) ?? [];
  });
}

/** What a manually COMPLETED deposit brings is held: what the merchant owes is collected from it when the hold ends. */
function postingsOf(change: Change): readonly Posting[] {
  if (!isManualDeposit(change)) return change.postings;
  return change.postings.map((posting) => ({ ...posting, isKeptWhole: true }));
}

/** Everything the batch does to the books, in one booking. What is to be held is kept until it is. */
async function bookAll(
  tx: Tx,
  changed: readonly Change[],
  { others, holds }: { readonly others: readonly Posting[]; readonly holds: readonly WantedHold[] },
  now: Date,
): Promise<void> {
  const posted = [...changed.flatMap(postingsOf), ...others];
  const ended = changed.flatMap(({ payment, holdEndsAs: state }) =>
    state === undefined ? [] : [{ subject: subjectOf(payment), state }],
  );
  await ensureAccounts(
    tx,
    posted.flatMap(({ legs }) => legs.flatMap(({ debit, credit }) => [debit, credit])),
  );
  await book(tx, { posted, ended, kept: new Set(holds.map(({ wallet }) => accountId(wallet))) }, now);
}

export function merchantOf(payment: StoredPayment, { merchants }: Pick<WriteContext, 'merchants'>): Merchant {
  const merchant = merchants.get(payment.merchantId);
  if (merchant === undefined) throw new Error(`merchant ${payment.merchantId} is not in the directory`);
  return merchant;
}

export function walletProviderOf(payment: StoredPayment, context: Pick<WriteContext, 'merchants'>): string {
  return merchantOf(payment, context).walletPerProvider ? payment.provider : '';
}
