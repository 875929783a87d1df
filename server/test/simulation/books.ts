// Our books in memory: what store/ledger/ledger.ts and its constraints promise, with plain maps. Balances are credits
// less debits of posted transfers; a wallet also knows what pending transfers are going to take.
import type { Amount } from '../../src/domain/money.ts';
import type { Account, Leg } from '../../src/domain/ledger/postings.ts';
import type { Posting } from '../../src/store/ledger/ledger.ts';
import { demand } from './violation.ts';

export type Wallet = { readonly account: Account; posted: Amount; held: Amount };

export class Books {
  readonly balances = new Map<string, Amount>();
  readonly wallets = new Map<string, Wallet>();
  /** Pending legs by subject. */
  readonly pending = new Map<string, readonly Leg[]>();
  /** What each subject's posted transfers added to the float: what an operator should hold because of it. */
  readonly floats = new Map<string, Amount>();
  readonly #transfers = new Set<string>();

  post(posting: Posting): void {
    this.#take(posting);
    for (const leg of posting.legs) this.#move(subjectName(posting.subject), leg);
    this.#demandFunds(posting.legs);
  }

  hold(posting: Posting): void {
    this.#take(posting);
    const name = subjectName(posting.subject);
    demand(!this.pending.has(name), `${name} holds its funds once`);
    this.pending.set(name, posting.legs);
    for (const { debit, amount } of posting.legs) this.wallet(debit).held += amount;
    this.#demandFunds(posting.legs);
  }

  end(subject: Posting['subject'], state: 'POSTED' | 'VOIDED'): void {
    const name = subjectName(subject);
    const legs = this.pending.get(name);
    demand(legs !== undefined, `${name} has the hold that ends`);
    this.pending.delete(name);
    for (const leg of legs) {
      this.wallet(leg.debit).held -= leg.amount;
      if (state === 'POSTED') this.#move(name, leg);
    }
    this.#demandFunds(legs);
  }

  available(account: Account): Amount {
    const wallet = this.wallets.get(accountName(account));
    return wallet === undefined ? 0n : wallet.posted - wallet.held;
  }

  wallet(account: Account): Wallet {
    const name = accountName(account);
    const found = this.wallets.get(name);
    if (found !== undefined) return found;
    const made = { account, posted: 0n, held: 0n };
    this.wallets.set(name, made);
    return made;
  }

  /** The key of a transfer is its subject and the number of its leg, as in the table. */
  #take({ subject, firstLegNo, legs }: Posting): void {
    legs.forEach(({ amount, debit, credit }, index) => {
      const key = `${subjectName(subject)} ${firstLegNo + index}`;
      demand(!this.#transfers.has(key), `transfer ${key} is made once`);
      demand(amount > 0n, `transfer ${key} is above zero`);
      demand(debit.currency === credit.currency, `transfer ${key} stays in one currency`);
      this.#transfers.add(key);
    });
  }

  #move(subject: string, { debit, credit, amount }: Leg): void {
    this.#add(debit, -amount);
    this.#add(credit, amount);
    const toFloat = (debit.type === 'FLOAT' ? amount : 0n) - (credit.type === 'FLOAT' ? amount : 0n);
    if (toFloat !== 0n) this.floats.set(subject, (this.floats.get(subject) ?? 0n) + toFloat);
  }

  #add(account: Account, amount: Amount): void {
    const name = accountName(account);
    this.balances.set(name, (this.balances.get(name) ?? 0n) + amount);
    if (account.type === 'WALLET') this.wallet(account).posted += amount;
  }

  #demandFunds(legs: readonly Leg[]): void {
    for (const { debit } of legs) {
      if (debit.type !== 'WALLET') continue;
      const { posted, held } = this.wallet(debit);
      demand(held >= 0n && posted - held >= 0n, `${accountName(debit)} has nothing available below zero`);
    }
  }
}

export function subjectName({ merchantId, kind, id }: Posting['subject']): string {
  return `${merchantId}/${kind}/${id}`;
}

export function accountName(account: Account): string {
  const owner = 'merchantId' in account ? account.merchantId : 'platform';
  return `${account.type} ${owner} ${account.country} ${account.currency} ${account.provider}`;
}
