// Forgets one person at one merchant: what final payments of a phone number say about people is emptied, wherever it
// was written. Amounts, states, times and the books stay. Payments that are open, or about which a case is open or a
// report waits for approval, keep theirs: somebody still has to act on them. So do attempts of a checkout that goes on:
// its page needs the payer.
import { randomUUID } from 'node:crypto';
import { isFinal } from '../../domain/payments/lifecycle.ts';
import {
  erasedDetails,
  paymentKeyText,
  type OperationKey,
  type PaymentKey,
} from '../../domain/payments/payment.ts';
import {
  listOpenCheckouts,
  lockCheckouts,
  openCheckoutOrder,
  replaceCheckoutOrder,
  type CheckoutKey,
} from '../../store/checkouts/checkouts.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import { eraseTraces, listWithOpenCases } from '../../store/encryption/erasure.ts';
import { findMigrationLock } from '../../store/cells/migration-locks.ts';
import {
  deleteSearchEntries,
  searchPayments,
  type SearchEntry,
} from '../../store/payments/payment-search.ts';
import { eraseNumber } from '../../store/reconciliation/line-numbers.ts';
import { listWaitingWords } from '../../store/reconciliation/waiting-words.ts';
import { eraseBatchRows } from '../../store/payout-batches/payout-batch-rows.ts';
import { lockPayments, replaceDetails, type StoredPayment } from '../../store/payments/payments.ts';
import { lockSplitPayment, replaceSplitParts } from '../../store/payments/split-payments.ts';
import { record, type Actor } from '../audit.ts';
import { inEveryCell, missingCells } from '../cells/in-every-cell.ts';
import type { Engine, StorePart, TimedStore } from '../engine.ts';
import { inMerchant, MerchantInOtherCell } from '../cells/lock-merchant.ts';
import { searchValue, searchValuesOf } from '../payments/search-terms.ts';

export type ErasureOrder = Actor & {
  readonly merchantId: string;
  /** As payments name it: digits with the country's code. */
  readonly phoneNumber: string;
  readonly reason: string;
};

export type Erasure = {
  /** By which the audit log knows it: the number itself is written nowhere. */
  readonly erasureId: string;
  readonly erased: number;
  /**
   * Payments that are not final yet, have an open case, stand in a report that waits for approval, or belong to an open
   * checkout. Ask again when that is over.
   */
  readonly open: number;
  /** Cells that did not answer: lines of their operator reports may name the person. Ask again when they do. */
  readonly missingCells: readonly string[];
};

/** A few at a time, each batch with its entry in the audit log: no one waits long for what a batch locks. */
const BATCH = 100;

const LINES = 500;

type ErasingEngine = TimedStore & Pick<Engine, 'home' | 'cells' | 'databaseOf'>;

/** A report is imported in the cell that closes its days, and in those of the merchants that it is about. */
export async function erasePerson(engine: ErasingEngine, order: ErasureOrder): Promise<Erasure> {
  const { merchantId, phoneNumber } = order;
  const { database, keyring } = engine.store;
  const erased = await erasePayments(engine, order);
  const answers = await inEveryCell(engine, async (cell) => {
    const asked = { merchantId, phoneNumber, isHome: cell === database, countMax: LINES };
    while ((await inTransaction(cell, (tx) => eraseNumber(tx, keyring, asked))) === LINES);
  });
  return { ...erased, missingCells: missingCells(answers) };
}

async function erasePayments(
  engine: TimedStore,
  order: ErasureOrder,
): Promise<Omit<Erasure, 'missingCells'>> {
  const { merchantId, phoneNumber } = order;
  const { store } = engine;
  await loadDataKeys(store, [merchantId]);
  const erasureId = randomUUID();
  const value = searchValue('phoneNumber', phoneNumber);
  const left = new Set<string>();
  let erased = 0;
  for (;;) {
    const found = await searchPayments(store.database, store.keyring, {
      merchantId,
      value,
      countMax: BATCH + left.size,
    });
    const keys = found.filter((key) => !left.has(paymentKeyText(key)));
    if (keys.length === 0 && erased + left.size > 0) return { erasureId, erased, open: left.size };
    const final = await eraseBatch(engine, { ...order, erasureId }, keys);
    const isGone = new Set(final.map(paymentKeyText));
    for (const key of keys) if (!isGone.has(paymentKeyText(key))) left.add(paymentKeyText(key));
    erased += final.length;
    // That somebody asked and nothing was found is recorded as well.
    if (keys.length === 0) return { erasureId, erased, open: left.size };
  }
}

/** Answers the payments that were emptied. */
async function eraseBatch(
  engine: TimedStore,
  order: ErasureOrder & { readonly erasureId: string },
  keys: readonly PaymentKey[],
): Promise<readonly StoredPayment[]> {
  const { by, merchantId, reason, erasureId } = order;
  const { store } = engine;
  return inMerchant(store.database, merchantId, async (tx) => {
    // Copies that were made before would not be forgotten.
    if ((await findMigrationLock(tx, merchantId)) !== null) throw new MerchantInOtherCell(merchantId);
    const locked = await lockPayments(tx, store.keyring, keys);
    const undecided = await listWithOpenCases(tx, locked);
    const reported = await listWaitingWords(tx, locked);
    const goingOn = await listOpenCheckouts(tx, locked.flatMap(checkoutOf));
    const final = locked.filter(
      (payment) =>
        isFinal(payment.state) &&
        !undecided.has(paymentKeyText(payment)) &&
        !reported.has(paymentKeyText(payment)) &&
        !goingOn.has(payment.checkoutId ?? ''),
    );
    await deleteSearchEntries(
      tx,
      store.keyring,
      final.flatMap((payment) => entriesOf(payment, order)),
    );
    await replaceDetails(
      tx,
      store.keyring,
      final.map((payment) => ({ ...payment, details: erasedDetails(payment.details) })),
    );
    await eraseTraces(tx, [...final, ...(await erasePartsOf(engine, tx, final))]);
    await eraseBatchRows(tx, store.keyring, order);
    const detail = { payments: final.length, open: locked.length - final.length };
    await record(engine, tx, [
      { by, act: 'PERSONAL_DATA_ERASED', merchantId, subject: erasureId, detail, reason },
    ]);
    return final;
  });
}

/**
 * By what it is found; by the number also where the payment itself is empty already, or it would be found permanently.
 */
function entriesOf(payment: StoredPayment, { phoneNumber }: ErasureOrder): readonly SearchEntry[] {
  const found = { payment, value: searchValue('phoneNumber', phoneNumber) };
  return [...searchValuesOf(payment), found];
}

/** Split payments and checkouts repeat what their payments say. Answers their keys. */
async function erasePartsOf(
  engine: StorePart,
  tx: Tx,
  payments: readonly StoredPayment[],
): Promise<readonly OperationKey[]> {
  const splits = await eraseSplits(engine, tx, payments);
  return [...splits, ...(await eraseCheckouts(engine, tx, payments))];
}

async function eraseSplits(engine: StorePart, tx: Tx, payments: readonly StoredPayment[]) {
  const { keyring } = engine.store;
  const payouts = new Set(payments.filter(({ kind }) => kind === 'PAYOUT').map(({ paymentId }) => paymentId));
  const ids = [...new Set(payments.flatMap(({ splitPaymentId }) => splitPaymentId ?? []))].toSorted();
  const erased: OperationKey[] = [];
  for (const splitPaymentId of ids) {
    const merchantId = payments[0]?.merchantId ?? '';
    const split = await lockSplitPayment(tx, keyring, { merchantId, splitPaymentId });
    if (split === null) continue;
    const parts = split.parts.map((part) =>
      payouts.has(part.payoutId) ? { ...part, details: erasedDetails(part.details) } : part,
    );
    await replaceSplitParts(tx, keyring, { merchantId, splitPaymentId, parts });
    erased.push({ merchantId, kind: 'SPLIT_PAYMENT', paymentId: splitPaymentId });
  }
  return erased;
}

async function eraseCheckouts(engine: StorePart, tx: Tx, payments: readonly StoredPayment[]) {
  const { keyring } = engine.store;
  const ended = await lockCheckouts(tx, payments.flatMap(checkoutOf));
  for (const checkout of ended) {
    const { terms, details: _details, ...order } = openCheckoutOrder(keyring, checkout);
    const { payer: _payer, ...rest } = terms;
    await replaceCheckoutOrder(tx, keyring, { ...checkout, order: { ...order, terms: rest, details: {} } });
  }
  return ended.map(({ merchantId, checkoutId }): OperationKey => ({
    merchantId,
    kind: 'CHECKOUT',
    paymentId: checkoutId,
  }));
}

function checkoutOf({ merchantId, checkoutId }: StoredPayment): readonly CheckoutKey[] {
  return checkoutId === undefined ? [] : [{ merchantId, checkoutId }];
}
