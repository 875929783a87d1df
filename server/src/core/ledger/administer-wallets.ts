// Money moved manually: brought in by bank, paid out to the merchant's bank, corrected. Always as ledger transfers, and
// never out of a wallet that does not have it.
import { randomUUID } from 'node:crypto';
import { listProviders } from '../../domain/operators/catalogue.ts';
import { moneyMovementLegs, type MoneyMovementType } from '../../domain/ledger/money-movement.ts';
import type { Referenced } from '../../domain/ledger/money-reference.ts';
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { Account, Leg } from '../../domain/ledger/postings.ts';
import type { AuditedAct } from '../../store/audit.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import { ensureAccounts, post } from '../../store/ledger/ledger.ts';
import { accountId, lockFunds } from '../../store/ledger/wallet-funds.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { record, type Act, type Actor } from '../audit.ts';
import type { TimedStore } from '../engine.ts';
import { giveBackClaims } from '../cells/claim-reference.ts';
import { lockForWriting, MerchantInOtherCell } from '../cells/lock-merchant.ts';
import {
  claimUse,
  usePosted,
  type ReferencePart,
  type ReferenceRefusal,
  type ReferenceUse,
} from './money-references.ts';
import { findSettlementStopped, type LeavingMoney, type SettlementStopped } from './settlement-stops.ts';

export type WalletOrder = Actor & {
  readonly merchantId: string;
  readonly country: string;
  readonly currency: string;
  /** The wallet's provider, for a merchant that keeps one for each; empty or left out for all others. */
  readonly walletProvider?: string;
  readonly amount: Amount;
  /** The bank's, of a top-up or settlement: it is posted once. */
  readonly reference?: string | null;
  /** Of a settlement: somebody states that the bank has paid it. Then it is a fact, whatever stops settlements. */
  readonly bankHasPaid?: boolean | undefined;
};

export type WalletAnswer =
  | { readonly type: 'DONE' }
  /** The wallet does not have it: nothing was moved. */
  | { readonly type: 'SHORT'; readonly available: Amount }
  /** It must not be paid at the bank now, and nobody stated that it was. */
  | SettlementStopped
  | ReferenceRefusal;

/** Money merchants brought in by bank. */
export async function topUpWallets(
  engine: ReferencePart,
  orders: readonly WalletOrder[],
): Promise<WalletAnswer> {
  return move(
    engine,
    orders.map((order) => moveOf('TOP_UP', order)),
  );
}

/** A merchant's money paid out to its bank. */
export async function settleWallet(engine: ReferencePart, order: WalletOrder): Promise<WalletAnswer> {
  return move(engine, [moveOf('SETTLEMENT', order)]);
}

/** A correction. Above zero it adds to the wallet, below zero it takes from it. */
export async function adjustWallet(
  engine: ReferencePart,
  order: WalletOrder & { readonly reason: string },
): Promise<WalletAnswer> {
  await loadDataKeys(engine.store, [order.merchantId]);
  const { entry, ...rest } = moveOf('ADJUSTMENT', order);
  return move(engine, [{ ...rest, entry: { ...entry, reason: order.reason } }]);
}

/**
 * Moves what one person asked for and another approved, within the transaction of the approval. The transfers carry the
 * order's identifier: a second time, their key is taken. The merchant was entered before, and the reference was claimed
 * from the other cells.
 */
export async function moveApproved(
  engine: TimedStore,
  tx: Tx,
  order: WalletOrder & {
    readonly type: MoneyMovementType;
    readonly orderId: string;
    readonly requestedBy: string;
  },
): Promise<WalletAnswer> {
  const { type, orderId, requestedBy } = order;
  const { entry, ...rest } = moveOf(type, order, orderId);
  return moveWithin(engine, tx, [{ ...rest, entry: { ...entry, detail: { ...entry.detail, requestedBy } } }]);
}

export type WalletPlace = {
  readonly country: string;
  readonly currency: string;
  /** Empty where the merchant keeps one wallet for all providers. */
  readonly walletProvider: string;
};

/** The wallets that payments of a merchant can use: money in any other would be found by no one. */
export function listWalletPlaces({
  walletPerProvider,
}: {
  readonly walletPerProvider: boolean;
}): readonly WalletPlace[] {
  const places = listProviders().flatMap(({ code, country, currencies }) =>
    currencies.map(({ currency }) => ({
      country,
      currency,
      walletProvider: walletPerProvider ? code : '',
    })),
  );
  const byName = new Map(places.map((place) => [Object.values(place).join(' '), place]));
  return [...byName.keys()].toSorted().flatMap((name) => byName.get(name) ?? []);
}

export function isWalletPlace(
  merchant: { readonly walletPerProvider: boolean },
  { country, currency, walletProvider = '' }: Omit<WalletOrder, 'by' | 'merchantId' | 'amount'>,
): boolean {
  return listWalletPlaces(merchant).some(
    (place) =>
      place.country === country && place.currency === currency && place.walletProvider === walletProvider,
  );
}

type Move = {
  readonly merchantId: string;
  readonly type: MoneyMovementType;
  readonly transferId: string;
  readonly legs: readonly Leg[];
  readonly entry: Act;
  readonly referenced: Referenced | null;
  /** What leaves by the bank and must be allowed to; null where it is a fact, or nothing leaves. */
  readonly leaving: LeavingMoney | null;
};

const ACTS: Readonly<Record<MoneyMovementType, AuditedAct>> = {
  TOP_UP: 'WALLET_TOPPED_UP',
  SETTLEMENT: 'WALLET_SETTLED',
  ADJUSTMENT: 'WALLET_ADJUSTED',
};

function moveOf(type: MoneyMovementType, order: WalletOrder, transferId: string = randomUUID()): Move {
  const { by, merchantId, country, currency, walletProvider = '', amount } = order;
  const subject = [country, currency, walletProvider].filter((part) => part !== '').join(' ');
  const referenced = referencedBy(type, order);
  const detail = {
    amount: renderAmount(amount),
    transferId,
    ...(referenced !== null && { reference: referenced.reference }),
  };
  const legs = moneyMovementLegs(type, { ...order, provider: walletProvider, walletProvider });
  const entry = { by, act: ACTS[type], merchantId, subject, detail };
  return { merchantId, type, transferId, legs, entry, referenced, leaving: leavingBy(type, order) };
}

/** What a movement pays to the merchant's bank, unless somebody states that the bank has paid it. */
export function leavingBy(
  type: MoneyMovementType,
  { merchantId, country, currency, walletProvider = '', amount, bankHasPaid }: Omit<WalletOrder, 'by'>,
): LeavingMoney | null {
  if (type !== 'SETTLEMENT' || bankHasPaid === true) return null;
  return { merchantId, country, currency, provider: walletProvider, unreserved: amount };
}

/** What a bank's reference stands for; null without one. */
export function referencedBy(
  type: MoneyMovementType,
  { reference, merchantId, country, currency, walletProvider = '', amount }: Omit<WalletOrder, 'by'>,
): Referenced | null {
  if (reference === undefined || reference === null) return null;
  const place = { country, currency, provider: walletProvider };
  return { source: 'BANK', reference, merchantId, type, ...place, amount };
}

async function move(engine: ReferencePart, moves: readonly Move[]): Promise<WalletAnswer> {
  const named = moveUnderReference(moves);
  const refusal = named === null ? null : await claimUse(engine, named.referenced, named.transferId);
  if (refusal !== null) return refusal;
  const answer = await inTransaction(engine.store.database, async (tx) => {
    const { away } = await lockForWriting(
      tx,
      moves.map(({ merchantId }) => merchantId),
    );
    for (const merchantId of away) throw new MerchantInOtherCell(merchantId);
    return moveWithin(engine, tx, moves);
  });
  if (answer.type !== 'DONE' && named !== null) await giveBackClaims(engine, named.transferId);
  return answer;
}

async function moveWithin(engine: TimedStore, tx: Tx, moves: readonly Move[]): Promise<WalletAnswer> {
  const legs = moves.flatMap((one) => one.legs);
  await ensureAccounts(tx, accountsToMake(legs));
  // Also those that are paid: wallets come before references, so that no two transactions wait for each other.
  const wallets = legs
    .flatMap(({ debit, credit }) => [debit, credit])
    .filter(({ type }) => type === 'WALLET');
  const funds = await lockFunds(tx, wallets);
  for (const { debit, amount } of legs.filter((leg) => leg.debit.type === 'WALLET')) {
    const left = funds.get(accountId(debit))?.available ?? 0n;
    if (left < amount) return { type: 'SHORT', available: left };
  }
  const postedAt = await engine.clock.timeOf(tx);
  for (const leaving of moves.flatMap((one) => one.leaving ?? [])) {
    const stopped = await findSettlementStopped(tx, leaving, postedAt);
    if (stopped !== null) return stopped;
  }
  const use = await useReference(tx, moves, postedAt);
  if (use !== null) return use;
  const postings = moves.map((one) => ({
    subject: { merchantId: one.merchantId, kind: one.type, id: one.transferId },
    template: one.type,
    firstLegNo: 0,
    legs: one.legs,
  }));
  await post(tx, postings, postedAt);
  await record(
    engine,
    tx,
    moves.map(({ entry }) => entry),
  );
  return { type: 'DONE' };
}

async function useReference(tx: Tx, moves: readonly Move[], postedAt: Date): Promise<ReferenceUse | null> {
  const named = moveUnderReference(moves);
  return named === null
    ? null
    : usePosted(tx, { ...named.referenced, transferId: named.transferId, postedAt });
}

type ReferencedMove = Move & { readonly referenced: Referenced };

/** The one that has a reference. The first of several would be used up by a transaction that the second one ends. */
function moveUnderReference(moves: readonly Move[]): ReferencedMove | null {
  const [named, ...others] = moves.filter((one): one is ReferencedMove => one.referenced !== null);
  if (others.length > 0) throw new Error('one movement at a time is made under a reference');
  return named ?? null;
}

/** Accounts are made before wallets are locked, as everywhere. A wallet that is to pay is there, or cannot pay. */
export function accountsToMake(legs: readonly Leg[]): readonly Account[] {
  return legs.flatMap(({ debit, credit }) => (debit.type === 'WALLET' ? [credit] : [debit, credit]));
}
