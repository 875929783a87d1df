// Money moved by hand: brought in by bank, paid out to the merchant's bank, corrected. Always as ledger transfers, and
// never out of a wallet that does not have it.
import { randomUUID } from 'node:crypto';
import { renderAmount, type Amount } from '../domain/money.ts';
import { adjustment, settlement, topUp, type Account, type Leg } from '../domain/postings.ts';
import type { AuditedAct } from '../store/audit.ts';
import { inTransaction } from '../store/database.ts';
import { accountId, ensureAccounts, lockAvailable, post } from '../store/ledger.ts';
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
    orders.map((order) => moveOf(order, 'TOP_UP', 'WALLET_TOPPED_UP', topUp(postedOf(order)))),
  );
}

/** A merchant's money paid out to its bank. */
export async function settleWallet(engine: Engine, order: WalletOrder): Promise<WalletAnswer> {
  return move(engine, [moveOf(order, 'SETTLEMENT', 'WALLET_SETTLED', settlement(postedOf(order)))]);
}

/** A correction. Above zero it adds to the wallet, below zero it takes from it. */
export async function adjustWallet(
  engine: Engine,
  order: WalletOrder & { readonly reason: string },
): Promise<WalletAnswer> {
  await loadDataKeys(engine.store, [order.merchantId]);
  const { entry, ...rest } = moveOf(order, 'ADJUSTMENT', 'WALLET_ADJUSTED', adjustment(postedOf(order)));
  return move(engine, [{ ...rest, entry: { ...entry, reason: order.reason } }]);
}

type Move = {
  readonly merchantId: string;
  readonly kind: string;
  readonly transferId: string;
  readonly legs: readonly Leg[];
  readonly entry: Act;
};

function moveOf(order: WalletOrder, kind: string, act: AuditedAct, legs: readonly Leg[]): Move {
  const { by, merchantId, country, currency, walletProvider = '', amount } = order;
  const transferId = randomUUID();
  const subject = [country, currency, walletProvider].filter((part) => part !== '').join(' ');
  const detail = { amount: renderAmount(amount), transferId };
  return { merchantId, kind, transferId, legs, entry: { by, act, merchantId, subject, detail } };
}

async function move(engine: Engine, moves: readonly Move[]): Promise<WalletAnswer> {
  const legs = moves.flatMap((one) => one.legs);
  return inTransaction(engine.store.database, async (tx) => {
    const { away } = await enter(
      tx,
      moves.map(({ merchantId }) => merchantId),
    );
    for (const merchantId of away) throw new MerchantElsewhere(merchantId);
    await ensureAccounts(tx, accountsToMake(legs));
    const payers = legs.filter(({ debit }) => debit.type === 'WALLET');
    const available = await lockAvailable(
      tx,
      payers.map(({ debit }) => debit),
    );
    for (const { debit, amount } of payers) {
      const left = available.get(accountId(debit)) ?? 0n;
      if (left < amount) return { type: 'SHORT', available: left };
    }
    const postings = moves.map((one) => ({
      subject: { merchantId: one.merchantId, kind: one.kind, id: one.transferId },
      template: one.kind,
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
  });
}

/** Accounts are made before wallets are locked, as everywhere. A wallet that is to pay is there, or cannot pay. */
export function accountsToMake(legs: readonly Leg[]): readonly Account[] {
  return legs.flatMap(({ debit, credit }) => (debit.type === 'WALLET' ? [credit] : [debit, credit]));
}

function postedOf({ walletProvider = '', ...order }: WalletOrder) {
  return { ...order, provider: walletProvider, walletProvider };
}
