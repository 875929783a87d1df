// How much money there is at operators: by what they say, by our books, and by what the host wants to have there.
import { findProvider } from '../domain/catalogue.ts';
import { parseSigned, renderAmount, type Amount } from '../domain/money.ts';
import { listHouseAccounts, sumSince } from '../store/ledger-sums.ts';
import { findBalance } from '../store/operator-balances.ts';
import type { Engine } from './engine.ts';
import type { FloatMinimum } from './float-minimum.ts';
import type { BooksCheckpoint } from './measure-books.ts';
import { floating } from './measure-flow.ts';
import { sample, type Sample } from './monitor-metrics.ts';
import { balanceAccountFor } from './operator.ts';
import { later } from './schedule.ts';

type FloatPlace = { readonly provider: string; readonly currency: string };

/** What is known about the money at one operator, exactly. */
export type FloatFigure = FloatPlace & {
  /** Null where the operator does not tell. */
  readonly operator: Amount | null;
  /** Null until the books have been read once. */
  readonly books: Amount | null;
  /** What the host wants to have there. */
  readonly min: Amount | null;
};

export async function measureFloat(
  engine: Engine,
  {
    minimums,
    checkpoint,
  }: { readonly minimums: readonly FloatMinimum[]; readonly checkpoint: BooksCheckpoint | null },
): Promise<{ readonly samples: readonly Sample[]; readonly figures: readonly FloatFigure[] }> {
  const books = await readBooks(engine, checkpoint);
  const places = new Map<string, FloatPlace>(
    [...minimums, ...books.keys()].map((place) => [nameOf(place), place]),
  );
  const booked = new Map([...books].map(([place, amount]) => [nameOf(place), amount]));
  const wanted = new Map(minimums.map((minimum) => [nameOf(minimum), minimum.amount]));
  const figures = await Promise.all(
    [...places].map(async ([name, { provider, currency }]) => ({
      provider,
      currency,
      operator: await ask(engine, { provider, currency }),
      books: booked.get(name) ?? null,
      min: wanted.get(name) ?? null,
    })),
  );
  return { samples: figures.flatMap(samplesOf), figures };
}

function samplesOf({ provider, currency, operator, books, min }: FloatFigure): readonly Sample[] {
  const labels = { provider, currency };
  const difference = operator === null || books === null ? null : operator - books;
  const amounts = [
    ['malipo_float_operator_amount', operator],
    ['malipo_float_books_amount', books],
    ['malipo_float_difference_amount', difference],
    ['malipo_float_min_amount', min],
  ] as const;
  return amounts.flatMap(([metric, amount]) =>
    amount === null ? [] : [sample(metric, floating(amount), labels)],
  );
}

type StoredFigure = { readonly [Name in keyof FloatFigure]: string | null } & FloatPlace;

/** As they are stored: amounts as texts, so that they stay exact. */
export function renderFigures(figures: readonly FloatFigure[]): readonly StoredFigure[] {
  const textOf = (amount: Amount | null) => (amount === null ? null : renderAmount(amount));
  return figures.map(({ operator, books, min, ...place }) => ({
    ...place,
    operator: textOf(operator),
    books: textOf(books),
    min: textOf(min),
  }));
}

/** Only ever given what `renderFigures` made; an older build stored nothing. */
export function parseFigures(stored: unknown): readonly FloatFigure[] {
  const amountOf = (text: string | null) => (text === null ? null : parseSigned(text));
  return ((stored ?? []) as readonly StoredFigure[]).map(({ operator, books, min, ...place }) => ({
    ...place,
    operator: amountOf(operator),
    books: amountOf(books),
    min: amountOf(min),
  }));
}

/** Our own figure: where the last full look left it, and what happened since. A float is a debit: it is owed to us. */
async function readBooks(
  engine: Engine,
  checkpoint: BooksCheckpoint | null,
): Promise<ReadonlyMap<FloatPlace, Amount>> {
  const { database } = engine.store;
  const accounts = (await listHouseAccounts(database)).filter(({ type }) => type === 'FLOAT');
  if (checkpoint === null || accounts.length === 0) return new Map();
  const accountIds = accounts.map(({ accountId }) => accountId);
  const since = await sumSince(database, { accountIds, since: checkpoint.through });
  return new Map(
    accounts.map(({ accountId, provider, currency }) => [
      { provider, currency },
      -((checkpoint.floats.get(accountId) ?? 0n) + (since.get(accountId) ?? 0n)),
    ]),
  );
}

/** What runs dry is what payouts are paid from; an operator may keep it apart from what deposits go into. */
async function ask(engine: Engine, { provider, currency }: FloatPlace): Promise<Amount | null> {
  const country = findProvider(provider)?.country;
  const operation = engine.connectorOf(provider, 'PAYOUT') === null ? 'DEPOSIT' : 'PAYOUT';
  const connector = engine.connectors.get(engine.connectorOf(provider, operation) ?? '');
  if (connector?.balance === undefined || country === undefined) return null;
  const account = balanceAccountFor(engine, connector, { provider, currency, country, operation });
  const answer = await connector.balance(account);
  if (answer.type !== 'REQUESTED') return answer.type === 'BALANCE' ? answer.amount : null;
  const told = await findBalance(engine.store.database, account.reference);
  const isYoung = told !== null && engine.clock.now() < later(told.toldAt, TOLD_BALANCE_HOLDS_MS);
  return isYoung ? told.amount : null;
}

/** An operator that tells its balance later has answered the last question by the time of the next, or never will. */
const TOLD_BALANCE_HOLDS_MS = 3_600_000;

function nameOf({ provider, currency }: FloatPlace): string {
  return `${provider}/${currency}`;
}
