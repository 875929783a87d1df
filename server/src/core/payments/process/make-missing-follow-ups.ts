// Makes follow-ups of payments that could not be made with the change they follow from, each in a transaction of its
// own that deletes its note. One that fails again is tried again later, and stays a problem of the platform until then.
import { paymentKeyText, type PaymentKey, type PaymentState } from '../../../domain/payments/payment.ts';
import { addMs } from '../../../domain/time.ts';
import { insertCallbacks } from '../../../store/callbacks/callbacks.ts';
import { errorName, inTransaction, type Tx } from '../../../store/database.ts';
import { loadDataKeys } from '../../../store/encryption/data-keys.ts';
import { ensureAccounts } from '../../../store/ledger/ledger.ts';
import {
  listDueFollowUps,
  putOffFollowUp,
  takeFollowUp,
  type MissingFollowUp,
} from '../../../store/payments/missing-follow-ups.ts';
import { lockPayments, type StoredPayment } from '../../../store/payments/payments.ts';
import { lockForWriting } from '../../cells/lock-merchant.ts';
import type { Engine } from '../../engine.ts';
import { inTimedTransaction } from '../../timed-transaction.ts';
import { accountsOfHolds, holdMissing, parseHold } from '../../limits/wallet-holds.ts';
import { advanceSplits } from './advance-split.ts';
import { FOLLOW_UP_PAUSE_MS } from './follow-ups.ts';
import { advanceCheckouts } from './move-checkouts.ts';
import { recountPayments, type Recount } from './write-changes.ts';

/** Answers how many were looked at. */
export async function makeMissingFollowUps(
  engine: Engine,
  { countMax, onError }: { readonly countMax: number; readonly onError: (error: unknown) => void },
): Promise<number> {
  const { database } = engine.store;
  const due = await listDueFollowUps(database, { now: engine.clock.now(), countMax });
  for (const missing of due) {
    try {
      await makeOne(engine, missing);
    } catch (error) {
      onError(error);
      await inTimedTransaction(engine, (tx, now) =>
        putOffFollowUp(tx, { ...missing, error: errorName(error), dueAt: addMs(now, FOLLOW_UP_PAUSE_MS) }),
      );
    }
  }
  return due.length;
}

async function makeOne(engine: Engine, missing: MissingFollowUp): Promise<void> {
  const { database, keyring } = engine.store;
  await loadDataKeys(engine.store, [missing.merchantId]);
  await inTransaction(database, async (tx) => {
    const { away, note } = await lockForWriting(tx, [missing.merchantId]);
    // The note goes with its merchant to the other cell.
    if (away.has(missing.merchantId)) return;
    const [payment] = await lockPayments(tx, keyring, [missing]);
    if (payment === undefined) throw new Error(`payment ${paymentKeyText(missing)} is missing`);
    if (!(await takeFollowUp(tx, missing))) return;
    await make(engine, tx, missing, payment);
    await note([missing, ...splitOf(payment)]);
  });
}

async function make(
  engine: Engine,
  tx: Tx,
  { type, detail }: MissingFollowUp,
  payment: StoredPayment,
): Promise<void> {
  const now = await engine.clock.timeOf(tx);
  switch (type) {
    case 'LIMITS': {
      const { countedAgain } = detail as Pick<Recount, 'countedAgain'>;
      await recountPayments(engine, tx, [{ payment, ...(countedAgain !== undefined && { countedAgain }) }]);
      return;
    }
    case 'CALLBACK': {
      const { merchantId, kind, paymentId, paymentNo: subjectId } = payment;
      const announcedState = detail['announcedState'] as PaymentState;
      await insertCallbacks(tx, [{ merchantId, kind, paymentId, subjectId, announcedState, createdAt: now }]);
      return;
    }
    case 'SPLIT_PAYMENT': {
      const merchant = await engine.directory.merchant(payment.merchantId);
      const sendAt = new Date(detail['sendAt'] as string);
      await advanceSplits(engine, tx, [payment], {
        now,
        walletProviderOf: ({ provider }) => (merchant?.walletPerProvider === true ? provider : ''),
        sendAtOf: () => (sendAt > now ? sendAt : now),
      });
      return;
    }
    case 'HOLD': {
      const hold = parseHold(keyOf(payment), detail);
      await ensureAccounts(tx, accountsOfHolds([hold]));
      await holdMissing(engine, tx, hold, now);
      return;
    }
    case 'CHECKOUT':
      await advanceCheckouts(tx, [payment], now);
  }
}

function keyOf({ merchantId, kind, paymentId }: PaymentKey): PaymentKey {
  return { merchantId, kind, paymentId };
}

/** A part or a collection that changes its split payment is noted for a move together with it. */
function splitOf({ merchantId, splitPaymentId: paymentId }: StoredPayment) {
  return paymentId === undefined ? [] : [{ merchantId, kind: 'SPLIT_PAYMENT', paymentId } as const];
}
