// Books of a test that moves its own clock, and what they come to when every transfer is read.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { expect } from 'vitest';
import type { TimedStore } from '../src/core/engine.ts';
import type { Summing } from '../src/core/monitoring/sum-ledger.ts';
import { ClockCheck } from '../src/core/operators/clock-check.ts';
import { parseAmount } from '../src/domain/money.ts';
import type { Account, Leg } from '../src/domain/ledger/postings.ts';
import { inTransaction } from '../src/store/database.ts';
import { balancesOf } from '../src/store/ledger/ledger-rollups.ts';
import {
  book,
  ensureAccounts,
  listUnbalancedWallets,
  type Booking,
  type Posting,
} from '../src/store/ledger/ledger.ts';
import { clockAt } from './clocks.ts';
import type { TestStore } from './store/open-store.ts';

export const MINUTE_MS = 60_000;
export const DAY_MS = 1_440 * MINUTE_MS;

export const after = (time: Date, ms: number) => new Date(time.getTime() + ms);

const PLACE = { country: 'RWA', currency: 'RWF', provider: '' };
export const wallet = (merchantId: string): Account => ({ type: 'WALLET', merchantId, ...PLACE });
export const FLOAT: Account = { type: 'FLOAT', ...PLACE, provider: 'MTN_MOMO_RWA' };
export const FEE: Account = { type: 'FEE', ...PLACE, provider: 'MTN_MOMO_RWA' };
export const CLEARING: Account = { type: 'CLEARING', ...PLACE };

export function posting(merchantId: string, legs: readonly (readonly [Account, Account, number])[]): Posting {
  return {
    subject: { merchantId, kind: 'TOP_UP', id: randomUUID() },
    template: 'TEST',
    firstLegNo: 0,
    legs: legs.map(([debit, credit, amount]): Leg => ({
      debit,
      credit,
      amount: parseAmount(String(amount))!,
    })),
  };
}

export async function bookAt({ database }: Pick<TestStore, 'database'>, now: Date, booking: Booking) {
  const postings = [...(booking.posted ?? []), ...(booking.held ?? [])];
  const accounts = postings.flatMap(({ legs }) => legs.flatMap(({ debit, credit }) => [debit, credit]));
  await inTransaction(database, async (tx) => {
    await ensureAccounts(tx, accounts);
    await book(tx, booking, now);
  });
}

/** Books have a time of their own; the clock of the machine is ahead by so much. */
export function engineAt({ database, keyring }: TestStore, now: Date, aheadMs = 0): TimedStore & Summing {
  const realClock = { now: () => after(new Date(), aheadMs) };
  return {
    store: { database, keyring } as TimedStore['store'],
    clock: clockAt(() => now),
    clockCheck: new ClockCheck({ realClock, onCompared: () => undefined }),
  };
}

type Balances = Readonly<Record<string, string>>;

const HERE = `merchant_id not in (select merchant_id from migration_locks where state in ('AWAY', 'ARRIVING'))`;

/** What every account of merchants that are here comes to, read from all transfers: posted and held. */
export async function readPlainSums({ database }: Pick<TestStore, 'database'>): Promise<Balances> {
  return balances(
    database,
    `select account_id, sum(posted) as posted, sum(held) as held from (
       select credit_account_id as account_id, amount as posted, 0 as held from transfers
       where state = 'POSTED' and ${HERE}
       union all
       select debit_account_id, case state when 'POSTED' then -amount else 0 end,
         case state when 'PENDING' then amount else 0 end
       from transfers where ${HERE}) each group by 1`,
  );
}

/** The same from sums and the transfers since. */
export async function readSums({ database }: Pick<TestStore, 'database'>): Promise<Balances> {
  return balances(
    database,
    `with ${balancesOf('ALL')} select account_id, credits - debits as posted, held - released as held from balances`,
  );
}

/** Sums are what the transfers come to, and so are wallets. */
export async function expectSummed(...stores: readonly TestStore[]): Promise<void> {
  for (const store of stores) {
    expect(await readSums(store)).toEqual(await readPlainSums(store));
    expect(await listUnbalancedWallets(store.database)).toEqual([]);
  }
}

async function balances(database: TestStore['database'], text: string): Promise<Balances> {
  const { rows } = await database.query<{ account_id: string; posted: string; held: string }>(text);
  const named = rows.map((row) => [row.account_id, Number(row.posted), Number(row.held)] as const);
  return Object.fromEntries(
    named
      .filter(([, posted, held]) => posted !== 0 || held !== 0)
      .map(([accountId, posted, held]) => [accountId, `${posted} ${held}`]),
  );
}

/** What only the owner of the tables can do. */
export async function tamper(
  { url }: Pick<TestStore, 'url'>,
  text: string,
  values: unknown[] = [],
): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    const { rowCount } = await client.query(text, values);
    if (rowCount === 0) throw new Error('nothing was changed');
  } finally {
    await client.end();
  }
}
