// Money moved by hand: brought in by bank, paid out to the merchant's bank, corrected. Always as ledger transfers, and
// never out of a wallet that does not have it.
import { randomUUID } from 'node:crypto';
import { listProviders } from '../domain/catalogue.ts';
import { moneyOrderLegs, type MoneyOrderType } from '../domain/money-order.ts';
import { renderAmount, type Amount } from '../domain/money.ts';
import type { Account, Leg } from '../domain/postings.ts';
import type { AuditedAct } from '../store/audit.ts';
import { inTransaction, type Tx } from '../store/database.ts';
import { ensureAccounts, post } from '../store/ledger.ts';
import { accountId, lockFunds } from '../store/wallet-funds.ts';
import { loadDataKeys } from '../store/data-keys.ts';
import { record, type Act, type ByHand } from './audit.ts';
import type { Engine } from './engine.ts';
import { enter, MerchantElsewhere } from './enter.ts';

export type WalletOrder = ByHand & {
  readonly merchantId: string;
  readonly country: string;
  readonly currency: string;
  /** The wallet's provider, for a merchant that keeps one for each; empty or left out for all others. */
  readonly walletProvider?: string;
  readonly amount: Amount;
};

export type WalletAnswer =
  | { readonly type: 'DONE' }
  /** The wallet does not have it: nothing was moved. */
  | { readonly type: 'SHORT'; readonly available: Amount };

/** Money merchants brought in by bank. */
export async function topUpWallets(engine: Engine, orders: readonly WalletOrder[]): Promise<void> {
  await move(
    engine,
    orders.map((order) => moveOf('TOP_UP', order)),
  );
}

/** A merchant's money paid out to its bank. */
export async function settleWallet(engine: Engine, order: WalletOrder): Promise<WalletAnswer> {
  return move(engine, [moveOf('SETTLEMENT', order)]);
}

/** A correction. Above zero it adds to the wallet, below zero it takes from it. */
export async function adjustWallet(
  engine: Engine,
  order: WalletOrder & { readonly reason: string },
): Promise<WalletAnswer> {
  await loadDataKeys(engine.store, [order.merchantId]);
  const { entry, ...rest } = moveOf('ADJUSTMENT', order);
  return move(engine, [{ ...rest, entry: { ...entry, reason: order.reason } }]);
}

/**
 * Moves what one person asked for and another approved, within the transaction of the approval. The transfers carry the
 * order's identifier: a second time, their key is taken. The merchant was entered before.
 */
export async function moveApproved(
  engine: Engine,
  tx: Tx,
  order: WalletOrder & {
    readonly type: MoneyOrderType;
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

/** The wallets that payments of a merchant can use: money in any other would be found by nobody. */
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
  readonly type: MoneyOrderType;
  readonly transferId: string;
  readonly legs: readonly Leg[];
  readonly entry: Act;
};

const ACTS: Readonly<Record<MoneyOrderType, AuditedAct>> = {
  TOP_UP: 'WALLET_TOPPED_UP',
  SETTLEMENT: 'WALLET_SETTLED',
  ADJUSTMENT: 'WALLET_ADJUSTED',
};

function moveOf(type: MoneyOrderType, order: WalletOrder, transferId: string = randomUUID()): Move {
  const { by, merchantId, country, currency, walletProvider = '', amount } = order;
  const subject = [country, currency, walletProvider].filter((part) => part !== '').join(' ');
  const detail = { amount: renderAmount(amount), transferId };
  const legs = moneyOrderLegs(type, { ...order, provider: walletProvider, walletProvider });
  return { merchantId, type, transferId, legs, entry: { by, act: ACTS[type], merchantId, subject, detail } };
}

async function move(engine: Engine, moves: readonly Move[]): Promise<WalletAnswer> {
  return inTransaction(engine.store.database, async (tx) => {
    const { away } = await enter(
      tx,
      moves.map(({ merchantId }) => merchantId),
    );
    for (const merchantId of away) throw new MerchantElsewhere(merchantId);
    return moveWithin(engine, tx, moves);
  });
}

async function moveWithin(engine: Engine, tx: Tx, moves: readonly Move[]): Promise<WalletAnswer> {
  const legs = moves.flatMap((one) => one.legs);
  await ensureAccounts(tx, accountsToMake(legs));
  const payers = legs.filter(({ debit }) => debit.type === 'WALLET');
  const funds = await lockFunds(
    tx,
    payers.map(({ debit }) => debit),
  );
  for (const { debit, amount } of payers) {
    const left = funds.get(accountId(debit))?.available ?? 0n;
    if (left < amount) return { type: 'SHORT', available: left };
  }
  const postings = moves.map((one) => ({
    subject: { merchantId: one.merchantId, kind: one.type, id: one.transferId },
    template: one.type,
    firstLegNo: 0,
    legs: one.legs,
  }));
  await post(tx, postings, engine.clock.now());
  await record(
    engine,
    tx,
    moves.map(({ entry }) => entry),
  );
  return { type: 'DONE' };
}

/** Accounts are made before wallets are locked, as everywhere. A wallet that is to pay is there, or cannot pay. */
export function accountsToMake(legs: readonly Leg[]): readonly Account[] {
  return legs.flatMap(({ debit, credit }) => (debit.type === 'WALLET' ? [credit] : [debit, credit]));
}
