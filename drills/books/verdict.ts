// Compares the console with the expected balance of each account, computed from the payments, the manual movements and
// the operator's own books, never from the transfers.
import type { BooksView } from '../../server/src/sandbox/fakes/books/books.ts';
import { parseSigned, renderAmount, type Amount } from '../../server/src/domain/money.ts';
import type { Database } from '../../server/src/store/database.ts';
import { amountOfNumeric } from '../../server/src/store/columns.ts';
import type { MoneyMove } from './money-moves.ts';

export type ShownBooks = {
  readonly rows: readonly {
    readonly type: string;
    readonly currency: string;
    readonly provider: string | null;
    readonly balance: string;
  }[];
  readonly totals: readonly { readonly currency: string; readonly total: string }[];
  readonly unbalancedWallets: number;
  readonly isSound: boolean;
};

export type Facts = {
  readonly shown: ShownBooks;
  readonly database: Database;
  readonly moved: readonly MoneyMove[];
  readonly operator: BooksView;
};

/** Returns the errors; empty if there are none. */
export async function checkBooks({ shown, database, moved, operator }: Facts): Promise<readonly string[]> {
  const expected = new Sums();
  for (const move of moved) addMove(expected, move);
  for (const payment of await listCompleted(database)) addPayment(expected, payment);
  for (const { provider, currency, balance } of operator.totals) {
    expected.add(`FLOAT ${provider} ${currency}`, -parseSigned(balance));
  }
  const actual = new Sums();
  for (const { type, currency, provider, balance } of shown.rows) {
    const name = type === 'FLOAT' ? `FLOAT ${provider} ${currency}` : `${type} ${currency}`;
    actual.add(name, parseSigned(balance));
  }
  return [
    ...shown.totals
      .filter(({ total }) => total !== '0')
      .map(({ currency, total }) => `${currency}: ${total}`),
    ...(shown.unbalancedWallets === 0 ? [] : [`${shown.unbalancedWallets} wallets are not their transfers`]),
    ...(shown.isSound ? [] : ['the console says that the books are not sound']),
    ...expected.differencesTo(actual),
  ];
}

class Sums {
  readonly #sums = new Map<string, Amount>();

  add(name: string, amount: Amount): void {
    this.#sums.set(name, (this.#sums.get(name) ?? 0n) + amount);
  }

  differencesTo(other: Sums): readonly string[] {
    const names = [...new Set([...this.#sums.keys(), ...other.#sums.keys()])].toSorted();
    return names.flatMap((name) => {
      const [own, shown] = [this.#sums.get(name) ?? 0n, other.#sums.get(name) ?? 0n];
      return own === shown
        ? []
        : [`${name} should be ${renderAmount(own)} and is shown as ${renderAmount(shown)}`];
    });
  }
}

function addMove(expected: Sums, { type, currency, amount }: MoneyMove): void {
  const intoWallet = type === 'SETTLEMENT' ? -amount : amount;
  expected.add(`WALLET ${currency}`, intoWallet);
  expected.add(`${type === 'ADJUSTMENT' ? 'ADJUSTMENT' : 'CLEARING'} ${currency}`, -intoWallet);
}

type Completed = {
  readonly kind: string;
  readonly currency: string;
  readonly amount: Amount;
  readonly fee: Amount;
};

function addPayment(expected: Sums, { kind, currency, amount, fee }: Completed): void {
  expected.add(`FEE ${currency}`, fee);
  expected.add(`WALLET ${currency}`, kind === 'DEPOSIT' ? amount - fee : -amount - fee);
}

async function listCompleted(database: Database): Promise<readonly Completed[]> {
  const { rows } = await database.query<{ kind: string; currency: string; amount: string; fee: string }>(
    `select kind, currency, sum(amount) as amount, sum(fee) as fee from payments where state = 'COMPLETED'
     group by 1, 2`,
  );
  return rows.map(({ kind, currency, amount, fee }) => ({
    kind,
    currency,
    amount: amountOfNumeric(amount),
    fee: amountOfNumeric(fee),
  }));
}
