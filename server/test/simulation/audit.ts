// What must be true once everything has settled: our books, the operators' books, and every promise to a merchant.
// The sums are told a second time here, from the payments, and not taken from the code that posts.
import { isFinal } from '../../src/domain/payments/lifecycle.ts';
import type { Amount } from '../../src/domain/money.ts';
import { subjectOf } from '../../src/core/payments/payment-postings.ts';
import { subjectName } from './books.ts';
import { differenceOf } from './people.ts';
import { payoutStates, type Split } from './splits.ts';
import { demand } from './violation.ts';
import type { Kept, World } from './world.ts';

/** After the storm, before anybody has resolved a case. */
export function auditSettled(world: World): void {
  for (const kept of world.payments) {
    auditPayment(kept, world);
    auditBooked(kept, world);
  }
  for (const split of world.splits) auditSplit(split);
  auditBalances(world);
  auditEarnings(world);
}

/** After people have resolved every case that can be resolved. */
export function auditResolved(world: World): void {
  for (const kept of world.payments) {
    demand(isFinal(kept.payment.state), 'what operators leave open is ended by people', kept);
    // What was believed too late is somebody's to find out; a discrepancy was resolved with the truth.
    const isTrue = kept.cases.has('DISCREPANCY') || world.entryOf(kept)?.wasHeardLate !== true;
    if (isTrue) demand(differenceOf(world, kept) === 0n, 'a resolved case leaves the books true', kept);
  }
  auditBalances(world);
  for (const [name, balance] of world.books.balances) {
    if (name.startsWith('SUSPENSE')) demand(balance === 0n, `${name} is empty when every case is resolved`);
  }
}

function auditPayment(kept: Kept, world: World): void {
  const { payment, cases, callbacks } = kept;
  const entry = world.entryOf(kept);
  const isOpen = !isFinal(payment.state);
  if (isOpen) {
    const hasReason = cases.has('DISCREPANCY') || entry === undefined;
    demand(
      payment.state === 'IN_RECONCILIATION' && hasReason,
      'a payment ends, or is IN_RECONCILIATION with a reason',
      kept,
    );
    demand(payment.nextAction === 'ENQUIRE', 'a payment IN_RECONCILIATION is asked about', kept);
  }
  demand(kept.finalCallbacks === (isOpen ? 0 : 1), 'a final payment is announced exactly once', kept);
  const told = callbacks.acknowledged + callbacks.waiting;
  demand(told === callbacks.announced, 'no callback is forgotten', kept);
  const isHeld = world.books.pending.has(subjectName(subjectOf(payment)));
  const holds = isOpen && payment.kind !== 'DEPOSIT';
  demand(isHeld === holds, 'funds are held exactly while a payment that sends them is open', kept);
}

/** Our books against the operator's, payment by payment. */
function auditBooked(kept: Kept, world: World): void {
  const entry = world.entryOf(kept);
  const isDisputed = kept.cases.has('DISCREPANCY') || entry?.wasHeardLate === true;
  const isAgreed = differenceOf(world, kept) === 0n;
  if (kept.cases.size === 0) demand(isAgreed, 'books that differ from the operator have a case', kept);
  if (!isDisputed) demand(isAgreed, 'the float is what the operator holds', kept);
  const ownCharges = entry === undefined ? 0 : entry.charges;
  if (ownCharges > 1) {
    demand(entry?.fate === 'CHARGES_TWICE', 'no payer is charged twice', kept);
    demand(kept.cases.has('DISCREPANCY'), 'a second charge has a case', kept);
  }
}

function auditSplit(split: Split): void {
  const state = split.collection?.payment.state;
  const begun = split.payouts.length;
  demand(
    begun === (state === 'COMPLETED' ? split.parts.length : 0),
    'the shares of a split begin exactly when its collection is COMPLETED',
    split.collection,
  );
  const isOver = state === 'FAILED' || (begun > 0 && payoutStates(split).every((one) => one && isFinal(one)));
  demand(
    split.callbacks.announced === (isOver ? 1 : 0),
    'a split is announced once, when it is over',
    split.collection,
  );
}

function auditBalances({ books }: World): void {
  const totals = new Map<string, Amount>();
  for (const [name, balance] of books.balances) add(totals, name.split(' ')[3] ?? '', balance);
  for (const [currency, total] of totals) demand(total === 0n, `the books in ${currency} sum to zero`);
  const held = new Map<string, Amount>();
  for (const legs of books.pending.values()) {
    for (const { debit, amount } of legs) add(held, JSON.stringify(debit), amount);
  }
  for (const { account, held: isHeld } of books.wallets.values()) {
    demand((held.get(JSON.stringify(account)) ?? 0n) === isHeld, 'a wallet holds what is pending');
  }
}

/** Fees and wallets as a merchant would add them up. Money of cases is in no wallet yet. */
function auditEarnings({ books, payments, merchants, brought }: World): void {
  const fees = new Map<string, Amount>();
  const wallets = new Map<string, Amount>();
  for (const { payment } of payments) {
    const { merchantId, country, currency, provider, amount, fee, kind } = payment;
    if (payment.state !== 'COMPLETED') continue;
    add(fees, `FEE platform ${country} ${currency} ${provider}`, fee);
    add(wallets, `${merchantId} ${currency}`, kind === 'DEPOSIT' ? amount - fee : -amount - fee);
  }
  for (const [name, balance] of books.balances) {
    if (name.startsWith('FEE ')) demand(balance === (fees.get(name) ?? 0n), `${name} is what was earned`);
  }
  const earned = [...fees.values()].reduce((sum, fee) => sum + fee, 0n);
  const credited = [...books.balances].filter(([name]) => name.startsWith('FEE '));
  demand(earned === credited.reduce((sum, [, fee]) => sum + fee, 0n), 'every fee is credited');
  for (const { merchantId } of merchants) {
    for (const currency of new Set(payments.map(({ payment }) => payment.currency))) {
      const expected = sumOf(wallets, brought, `${merchantId} ${currency}`);
      const posted = [...books.wallets.values()]
        .filter(({ account }) => 'merchantId' in account && account.merchantId === merchantId)
        .filter(({ account }) => account.currency === currency)
        .reduce((sum, wallet) => sum + wallet.posted, 0n);
      demand(
        posted === expected,
        `the wallets of ${merchantId} in ${currency} are what its payments made them`,
      );
    }
  }
}

function sumOf(one: ReadonlyMap<string, Amount>, other: ReadonlyMap<string, Amount>, name: string): Amount {
  return (one.get(name) ?? 0n) + (other.get(name) ?? 0n);
}

function add(sums: Map<string, Amount>, name: string, amount: Amount): void {
  sums.set(name, (sums.get(name) ?? 0n) + amount);
}
