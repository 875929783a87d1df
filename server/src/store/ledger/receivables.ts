// What merchants owe is collected from credits to the same wallet, in the transaction that credits it and under the
// wallet's lock. Pure: store/ledger/ledger.ts writes what is answered here.
import type { Amount } from '../../domain/money.ts';
import { collectable } from '../../domain/ledger/debts.ts';
import { beside, collectReceivable, type Account } from '../../domain/ledger/postings.ts';
import type { Posting, Subject } from './ledger.ts';
import { accountId, type WalletFunds } from './wallet-funds.ts';

/** What a posting credits to a wallet, or has collected from what the wallet had. */
export type Credit = {
  readonly subject: Subject;
  readonly firstLegNo: number;
  readonly wallet: Account;
  readonly walletId: string;
  readonly amount: Amount;
};

/** The leg of a collection stands this far behind those of the posting that credits the wallet. */
const COLLECTED_LEG_NO = 500;

export function creditsOf(posting: Posting): readonly Credit[] {
  const { subject, firstLegNo, legs, isKeptWhole = false, isCollectedAtOnce = false } = posting;
  if (isKeptWhole) return [];
  return legs.flatMap(({ debit, credit, amount }) => {
    const isCollected = isCollectedAtOnce && debit.type === 'RECEIVABLE';
    if (!isCollected && credit.type !== 'WALLET') return [];
    const wallet = isCollected ? beside(debit, 'WALLET') : credit;
    return [{ subject, firstLegNo, wallet, walletId: accountId(wallet), amount }];
  });
}

/** As much of each credit as its merchant owes, in the order of the credits. */
export function collectionsOf(
  credits: readonly Credit[],
  wallets: ReadonlyMap<string, WalletFunds>,
): readonly Posting[] {
  const left = new Map(wallets);
  return credits.flatMap(({ subject, firstLegNo, wallet, walletId, amount: credited }) => {
    const { available, owed, unheld } = left.get(walletId) ?? { available: 0n, owed: 0n, unheld: 0n };
    const amount = collectable(credited, { available, owed });
    if (amount <= 0n) return [];
    left.set(walletId, { available: available - amount, owed: owed - amount, unheld });
    const legs = [collectReceivable(wallet, amount)];
    return [{ subject, template: 'COLLECT', firstLegNo: firstLegNo + COLLECTED_LEG_NO, legs }];
  });
}
