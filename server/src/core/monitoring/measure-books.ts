// The books: is every wallet the sum of its transfers, and every currency zero. That is read from sums of transfers and
// the transfers of the last minutes. The sums themselves are compared with the transfers: the latest days at every
// look, and a few older ones, so that every transfer is read in time and no look reads them all.
import { parseSigned, renderAmount, type Amount } from '../../domain/money.ts';
import { addMs } from '../../domain/time.ts';
import { listAccountNames } from '../../store/ledger/ledger-explorer.ts';
import {
  followStandings,
  freezeBooks,
  listPlatformAccounts,
  type Standing,
} from '../../store/ledger/ledger-sums.ts';
import {
  listTrialBalance,
  listUnbalancedWallets,
  readBalances,
  type TrialBalanceRow,
} from '../../store/ledger/ledger.ts';
import { COMMITS_WITHIN_MS, inTransaction } from '../../store/database.ts';
import type { StorePart, TimedStore } from '../engine.ts';
import { recountLedger } from './recount-ledger.ts';
import type { SpanOptions } from './ledger-span.ts';
import { sample, type Sample } from './monitor-metrics.ts';

/** What the next look goes on from. */
export type BooksCheckpoint = {
  /** No transaction can still write behind this time. */
  readonly through: Date;
  /** Where CLEARING and SUSPENSE stood then. */
  readonly standings: readonly Standing[];
  /** The day whose transfers are added up next; null for the first. */
  readonly recountFrom: Date | null;
};

export type Books = {
  readonly trialBalance: readonly TrialBalanceRow[];
  /** Wallets that are not the sum of their transfers. */
  readonly unbalancedWallets: readonly string[];
  /** Currencies that are not zero, or whose transfers are not what they were. */
  readonly unbalancedCurrencies: readonly string[];
};

/** Takes a second or two, and every transfer of ten million is read within half a day. */
const RECOUNTED_MAX = 1_000_000;

const BEGINNING = new Date(0);
const FOREVER = new Date('9999-01-01T00:00:00Z');

export type BooksOptions = SpanOptions & {
  readonly last: BooksCheckpoint | null;
  readonly recountedMax?: number;
};

/** Answers null when it was stopped on the way. */
export async function measureBooks(
  engine: TimedStore,
  { last, recountedMax = RECOUNTED_MAX, ...options }: BooksOptions,
): Promise<{ readonly samples: readonly Sample[]; readonly checkpoint: BooksCheckpoint } | null> {
  const from = last?.recountFrom ?? null;
  const recount = await recountLedger(engine, { ...options, from, transfersMax: recountedMax });
  if (recount === null) return null;
  const { unbalancedWallets, unbalancedCurrencies } = await readBooks(engine, recount.changedAccountIds);
  const now = await engine.clock.timeOf(engine.store.database);
  const through = addMs(now, -COMMITS_WITHIN_MS);
  const standings = await readStandings(engine, last, through);
  return {
    samples: [
      sample('malipo_wallets_unbalanced', unbalancedWallets.length),
      sample('malipo_currencies_unbalanced', unbalancedCurrencies.length),
    ],
    checkpoint: { through, standings, recountFrom: recount.next },
  };
}

/** The books as they are now, and accounts whose transfers were found to have changed. */
export async function readBooks(
  { store: { database } }: StorePart,
  changedAccountIds: readonly string[] = [],
): Promise<Books> {
  const trialBalance = await listTrialBalance(database);
  const wallets = await listUnbalancedWallets(database);
  const changed = [...(await listAccountNames(database, changedAccountIds)).values()];
  const changedWallets = changed.filter(({ type }) => type === 'WALLET').map(({ accountId }) => accountId);
  const notZero = totalsOf(trialBalance).filter(({ total }) => total !== 0n);
  return {
    trialBalance,
    unbalancedWallets: [...new Set([...wallets, ...changedWallets])],
    unbalancedCurrencies: [...new Set([...notZero, ...changed].map(({ currency }) => currency))],
  };
}

/** Where accounts stood, followed from the last look on, and from the beginning at the first. */
async function readStandings(
  { store: { database } }: StorePart,
  last: BooksCheckpoint | null,
  through: Date,
): Promise<readonly Standing[]> {
  return inTransaction(database, async (tx) => {
    await freezeBooks(tx);
    const accounts = (await listPlatformAccounts(tx)).filter(({ type }) => type !== 'FLOAT');
    const ids = accounts.map(({ accountId }) => accountId);
    const from = last?.through ?? BEGINNING;
    const zeros = ids.map((accountId) => ({ accountId, balance: 0n, since: null }));
    const balances = await readBalances(tx, ids);
    const moved = byAccount(await followStandings(tx, { standings: zeros, from, until: FOREVER }));
    const stood = byAccount(last?.standings ?? []);
    // From what it is now: transfers of merchants that came from another cell, or left, have older times.
    const standings = ids.map((accountId) => {
      const balance = (balances.get(accountId) ?? 0n) - (moved.get(accountId)?.balance ?? 0n);
      const since = balance === 0n ? null : (stood.get(accountId)?.since ?? from);
      return { accountId, balance, since };
    });
    const followed = byAccount(await followStandings(tx, { standings, from, until: through }));
    return standings.map((standing) => followed.get(standing.accountId) ?? standing);
  });
}

function byAccount(standings: readonly Standing[]): ReadonlyMap<string, Standing> {
  return new Map(standings.map((standing) => [standing.accountId, standing]));
}

/** What each currency adds up to. It must be zero. */
export function totalsOf(
  rows: readonly TrialBalanceRow[],
): readonly { readonly currency: string; readonly total: Amount }[] {
  const totals = new Map<string, Amount>();
  for (const { currency, balance } of rows) totals.set(currency, (totals.get(currency) ?? 0n) + balance);
  return [...totals].map(([currency, total]) => ({ currency, total }));
}

type StoredCheckpoint = {
  readonly through: string;
  readonly standings: readonly {
    readonly accountId: string;
    readonly balance: string;
    readonly since: string | null;
  }[];
  readonly recountFrom: string | null;
};

/** As it is stored: amounts as texts, so that they stay exact. */
export function renderCheckpoint({ through, standings, recountFrom }: BooksCheckpoint): StoredCheckpoint {
  return {
    through: through.toISOString(),
    standings: standings.map(({ accountId, balance, since }) => ({
      accountId,
      balance: renderAmount(balance),
      since: since?.toISOString() ?? null,
    })),
    recountFrom: recountFrom?.toISOString() ?? null,
  };
}

/** Only ever given what `renderCheckpoint` made. */
export function parseCheckpoint(stored: unknown): BooksCheckpoint {
  const { through, standings, recountFrom } = stored as StoredCheckpoint;
  return {
    through: new Date(through),
    standings: standings.map(({ accountId, balance, since }) => ({
      accountId,
      balance: parseSigned(balance),
      since: dateOrNull(since),
    })),
    recountFrom: dateOrNull(recountFrom),
  };
}

function dateOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
