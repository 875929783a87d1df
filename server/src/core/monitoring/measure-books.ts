// The whole books, added up: is every wallet the sum of its transfers, and every currency zero. It reads every
// transfer, so it runs rarely; what it finds is where the cheap looks in between go on from.
import { parseSigned, renderAmount, type Amount } from '../../domain/money.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import type { TrialBalanceRow } from '../../store/ledger/ledger.ts';
import {
  countTransferBlocks,
  followStandings,
  freezeBooks,
  listAllWallets,
  listPlatformAccounts,
  sumTransfers,
  type AccountSum,
  type Standing,
} from '../../store/ledger/ledger-sums.ts';
import type { TimedStore } from '../engine.ts';
import { sample, type Sample } from './monitor-metrics.ts';
import { addMs } from '../../domain/time.ts';
import { COMMITS_WITHIN_MS } from '../schedule.ts';

/** Where accounts of the platform stood at a time that no transaction can still write behind. */
export type BooksCheckpoint = {
  readonly through: Date;
  /** CLEARING and SUSPENSE. */
  readonly standings: readonly Standing[];
  /** FLOAT: credits less debits, by account. */
  readonly floats: ReadonlyMap<string, Amount>;
  /** Every account but wallets: credits less debits, by account. Null in what an older build wrote down. */
  readonly balances: ReadonlyMap<string, Amount> | null;
};

export type MeasuredBooks = {
  readonly trialBalance: readonly TrialBalanceRow[];
  readonly unbalancedWallets: number;
};

/** A quarter of a million transfers, which take 0.4 s; the pool ends one after 30 s, and a busy machine is slower. */
const BLOCKS_PER_SLICE = 8_192;

const BEGINNING = new Date(0);

export type BooksOptions = {
  readonly blocksPerSlice?: number;
  /** Asked before each slice: a process that is to end must not be kept by what another can do. */
  readonly isStopping?: () => boolean;
};

/** Answers null when it was stopped on the way. */
export async function measureBooks(
  engine: TimedStore,
  { blocksPerSlice = BLOCKS_PER_SLICE, isStopping = () => false }: BooksOptions = {},
): Promise<
  (MeasuredBooks & { readonly samples: readonly Sample[]; readonly checkpoint: BooksCheckpoint }) | null
> {
  const through = addMs(engine.clock.now(), -COMMITS_WITHIN_MS);
  return inTransaction(engine.store.database, async (tx) => {
    await freezeBooks(tx);
    const sums = await sumBooks(tx, { before: through, blocksPerSlice, isStopping });
    if (sums === null) return null;
    const trialBalance = trialBalanceOf([...sums.values()]);
    const unbalancedWallets = await countUnbalancedWallets(tx, sums);
    const platform = await listPlatformAccounts(tx);
    const standings = await followStandings(tx, {
      standings: platform
        .filter(({ type }) => type !== 'FLOAT')
        .map(({ accountId }) => ({ accountId, balance: 0n, since: null })),
      from: BEGINNING,
      until: through,
    });
    const floats = platform
      .filter(({ type }) => type === 'FLOAT')
      .map(({ accountId }) => [accountId, sums.get(accountId)?.postedBefore ?? 0n] as const);
    const balances = [...sums.values()]
      .filter(({ type }) => type !== 'WALLET')
      .map(({ accountId, postedBefore }) => [accountId, postedBefore] as const);
    return {
      trialBalance,
      unbalancedWallets,
      samples: [
        sample('malipo_wallets_unbalanced', unbalancedWallets),
        sample(
          'malipo_currencies_unbalanced',
          totalsOf(trialBalance).filter(({ total }) => total !== 0n).length,
        ),
      ],
      checkpoint: { through, standings, floats: new Map(floats), balances: new Map(balances) },
    };
  });
}

async function sumBooks(
  tx: Tx,
  { before, blocksPerSlice, isStopping }: Required<BooksOptions> & { readonly before: Date },
): Promise<ReadonlyMap<string, AccountSum> | null> {
  const sums = new Map<string, AccountSum>();
  const blocks = await countTransferBlocks(tx);
  for (let fromBlock = 0; fromBlock < blocks; fromBlock += blocksPerSlice) {
    if (isStopping()) return null;
    const slice = await sumTransfers(tx, { fromBlock, untilBlock: fromBlock + blocksPerSlice, before });
    for (const sum of slice) {
      const earlier = sums.get(sum.accountId);
      sums.set(sum.accountId, earlier === undefined ? sum : added(earlier, sum));
    }
  }
  return sums;
}

function added(a: AccountSum, b: AccountSum): AccountSum {
  return {
    ...a,
    posted: a.posted + b.posted,
    postedBefore: a.postedBefore + b.postedBefore,
    pending: a.pending + b.pending,
  };
}

async function countUnbalancedWallets(tx: Tx, sums: ReadonlyMap<string, AccountSum>): Promise<number> {
  const wallets = await listAllWallets(tx);
  return wallets.filter(({ accountId, posted, held }) => {
    const sum = sums.get(accountId);
    return posted !== (sum?.posted ?? 0n) || held !== (sum?.pending ?? 0n);
  }).length;
}

function trialBalanceOf(sums: readonly AccountSum[]): readonly TrialBalanceRow[] {
  const rows = new Map<string, TrialBalanceRow>();
  for (const { type, country, currency, provider, posted } of sums) {
    const name = [currency, country, type, provider].join('/');
    const balance = (rows.get(name)?.balance ?? 0n) + posted;
    rows.set(name, { type, country, currency, provider, balance });
  }
  return [...rows.keys()].toSorted().flatMap((name) => rows.get(name) ?? []);
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
  readonly floats: Readonly<Record<string, string>>;
  readonly balances?: Readonly<Record<string, string>>;
};

/** As it is stored: amounts as texts, so that they stay exact. */
export function renderCheckpoint(checkpoint: BooksCheckpoint): StoredCheckpoint {
  return {
    through: checkpoint.through.toISOString(),
    standings: checkpoint.standings.map(({ accountId, balance, since }) => ({
      accountId,
      balance: renderAmount(balance),
      since: since?.toISOString() ?? null,
    })),
    floats: renderAmounts(checkpoint.floats),
    ...(checkpoint.balances !== null && { balances: renderAmounts(checkpoint.balances) }),
  };
}

function renderAmounts(amounts: ReadonlyMap<string, Amount>): Readonly<Record<string, string>> {
  return Object.fromEntries([...amounts].map(([accountId, amount]) => [accountId, renderAmount(amount)]));
}

function parseAmounts(stored: Readonly<Record<string, string>>): ReadonlyMap<string, Amount> {
  return new Map(Object.entries(stored).map(([accountId, amount]) => [accountId, parseSigned(amount)]));
}

/** Only ever given what `renderCheckpoint` made. */
export function parseCheckpoint(stored: unknown): BooksCheckpoint {
  const { through, standings, floats, balances } = stored as StoredCheckpoint;
  return {
    through: new Date(through),
    standings: standings.map(({ accountId, balance, since }) => ({
      accountId,
      balance: parseSigned(balance),
      since: since === null ? null : new Date(since),
    })),
    floats: parseAmounts(floats),
    balances: balances === undefined ? null : parseAmounts(balances),
  };
}

type StoredBooks = {
  readonly trialBalance?: readonly (Omit<TrialBalanceRow, 'balance'> & { readonly balance: string })[];
  readonly unbalancedWallets?: number;
};

/** As it is stored beside the checkpoint. */
export function renderBooks({ trialBalance, unbalancedWallets }: MeasuredBooks): StoredBooks {
  const rows = trialBalance.map(({ balance, ...row }) => ({ ...row, balance: renderAmount(balance) }));
  return { trialBalance: rows, unbalancedWallets };
}

/** Only ever given what `renderBooks` made; null where an older build made it. */
export function parseBooks(stored: unknown): MeasuredBooks | null {
  const { trialBalance, unbalancedWallets } = (stored ?? {}) as StoredBooks;
  if (trialBalance === undefined || unbalancedWallets === undefined) return null;
  const rows = trialBalance.map(({ balance, ...row }) => ({ ...row, balance: parseSigned(balance) }));
  return { trialBalance: rows, unbalancedWallets };
}
