// A ledger in memory, as small as a ledger can be: transfers are kept, and every account has a running balance.
import { renderAmount, type Amount } from '../../src/domain/money.ts';
import type { Account, Leg } from '../../src/domain/ledger/postings.ts';

export type MemoryLedger = {
  readonly post: (legs: readonly Leg[]) => void;
  readonly transfers: () => readonly Leg[];
  /** Running balances by account name: what was credited less what was debited. */
  readonly balances: () => ReadonlyMap<string, Amount>;
};

export function createMemoryLedger(): MemoryLedger {
  const transfers: Leg[] = [];
  const balances = new Map<string, Amount>();
  const add = (account: Account, amount: Amount): void => {
    const name = accountName(account);
    balances.set(name, (balances.get(name) ?? 0n) + amount);
  };
  return {
    post: (legs) => {
      for (const leg of legs) {
        transfers.push(leg);
        add(leg.debit, -leg.amount);
        add(leg.credit, leg.amount);
      }
    },
    transfers: () => transfers,
    balances: () => balances,
  };
}

/** What all these transfers together put into an account. */
export function sumOfTransfers(transfers: readonly Leg[], name: string): Amount {
  const credited = transfers.filter((leg) => accountName(leg.credit) === name);
  const debited = transfers.filter((leg) => accountName(leg.debit) === name);
  return sumOf(credited) - sumOf(debited);
}

/** What transfers add up to in each country and currency: nothing, if no transfer leads from one to another. */
export function sumsByCurrency(transfers: readonly Leg[]): ReadonlyMap<string, Amount> {
  const sums = new Map<string, Amount>();
  const add = ({ country, currency }: Account, amount: Amount): void => {
    const place = `${country} ${currency}`;
    sums.set(place, (sums.get(place) ?? 0n) + amount);
  };
  for (const { debit, credit, amount } of transfers) {
    add(debit, -amount);
    add(credit, amount);
  }
  return sums;
}

/** An account as people call it: whose it is, and at which operator where that matters. */
export function accountName(account: Account): string {
  const owner = 'merchantId' in account ? account.merchantId : 'platform';
  return [account.type, owner, account.provider, account.country, account.currency].filter(Boolean).join(' ');
}

/** One line per transfer: debit, credit, amount. */
export function renderLegs(legs: readonly Leg[]): readonly (readonly string[])[] {
  return legs.map((leg) => [accountName(leg.debit), accountName(leg.credit), renderAmount(leg.amount)]);
}

function sumOf(legs: readonly Leg[]): Amount {
  return legs.reduce((sum, leg) => sum + leg.amount, 0n);
}
