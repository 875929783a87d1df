// Sums of transfers by account, merchant and day, and their totals. A balance is the total and what moved since: a few
// minutes of transfers, however many there are. Summed up by core/monitoring/sum-ledger alone, one worker at a time.
//
// Everything here depends on what happened at a time that lies behind: a transfer posted at once, a hold made, a hold
// ended. None of these changes later. So spans of time can be read one after the other, without one snapshot of all.
import type { Tx } from '../database.ts';

/** The columns of a sum. */
export const SUMS = ['credits', 'debits', 'held', 'released'] as const;
export const SUMMED = SUMS.map((name) => `sum(${name}) as ${name}`).join(', ');

/** What has left, or has not arrived, is not in the books of this cell, although transfers of it may be here. */
export function countsHere(rows: string): string {
  return `not exists (select 1 from migration_locks f
    where f.merchant_id = ${rows}.merchant_id and f.state in ('AWAY', 'ARRIVING'))`;
}

/** How far the sums go: `own` for merchants apart, `start` for all others, and the first of both. */
export const PROGRESS = `own as materialized (
    select merchant_id, summed_until from ledger_progress p where merchant_id is not null and ${countsHere('p')}),
  start as materialized (
    select whole.summed_until, least(whole.summed_until, (select min(summed_until) from own)) as since
    from (select coalesce((select summed_until from ledger_progress where merchant_id is null), '-infinity')) as
      whole (summed_until))`;

const MOVED = 't.merchant_id, debit_account_id, credit_account_id, state, created_at, settled_at, amount';

type Span = {
  /** SQL of where it begins, for all and for the merchant of a transfer `t`, and of where it ends. */
  readonly since: string;
  readonly begin: string;
  readonly until: string;
  /** SQL of the accounts it is about; all of them without it. */
  readonly accounts?: string;
  readonly own?: string;
};

/**
 * Statements that end with `facts`: what happened in a span, by account, merchant and day. Each account is one step
 * into `transfers_by_debit_account` (`offset 0` keeps it so), and holds that ended are in `transfers_by_settlement`.
 */
export function factsIn({ since, begin, until, accounts, own = '' }: Span): string {
  const made = (side: string, among: string, but = '') => `
    select ${MOVED} from ${among} a cross join lateral (
      select * from transfers m where m.${side} = a.account_id and m.created_at >= ${since}
        and m.created_at < ${until} ${but} offset 0) t`;
  const these = `(select account_id from ${accounts})`;
  const isElse = `and m.debit_account_id not in ${these}`;
  const credited = accounts === undefined ? '' : `union all ${made('credit_account_id', accounts, isElse)}`;
  const touched =
    accounts === undefined ? '' : `and (debit_account_id in ${these} or credit_account_id in ${these})`;
  return `moved as (
      ${made('debit_account_id', accounts ?? 'accounts')} ${credited}
      union all
      select ${MOVED} from transfers t where settled_at >= ${since} and settled_at < ${until}
        and (created_at < ${since} or created_at >= ${until}) ${touched}),
    grouped as materialized (
      select t.merchant_id, debit_account_id, credit_account_id, state,
        date_trunc('day', created_at, 'UTC') as created_day, date_trunc('day', settled_at, 'UTC') as settled_day,
        created_at >= ${begin} and created_at < ${until} as is_made,
        settled_at >= ${begin} and settled_at < ${until} as is_ended,
        sum(amount) as amount, count(*) as transfer_count
      from moved t ${own} group by 1, 2, 3, 4, 5, 6, 7, 8),
    facts as materialized (
      select f.* from grouped g cross join lateral (values
        (g.credit_account_id, g.merchant_id, coalesce(settled_day, created_day), amount, 0, 0, 0,
          state = 'POSTED' and coalesce(is_ended, is_made)),
        (g.debit_account_id, g.merchant_id, coalesce(settled_day, created_day), 0, amount, 0, 0,
          state = 'POSTED' and coalesce(is_ended, is_made)),
        (g.debit_account_id, g.merchant_id, created_day, 0, 0, amount, 0,
          is_made and (settled_day is not null or state = 'PENDING')),
        (g.debit_account_id, g.merchant_id, settled_day, 0, 0, 0, amount, is_ended)
      ) as f (account_id, merchant_id, day_at, credits, debits, held, released, is_in)
      where f.is_in and ${countsHere('g')})`;
}

/** From where the sums end, for each merchant. */
const SINCE_SUMMED = {
  since: '(select since from start)',
  begin: 'coalesce(own.summed_until, (select summed_until from start))',
  own: 'left join own on own.merchant_id = t.merchant_id',
};

/** What happened since. */
function tailOf(accounts?: string): string {
  const span = { ...SINCE_SUMMED, until: `'infinity'`, ...(accounts !== undefined && { accounts }) };
  return `${PROGRESS}, ${factsIn(span)}`;
}

/** What every account comes to now: statements that end with `balances`, of the accounts in $1 or of all. */
export function balancesOf(which: 'ALL' | 'THESE'): string {
  const these = 'these as materialized (select unnest($1::uuid[]) as account_id)';
  return `${which === 'ALL' ? tailOf() : `${these}, ${tailOf('these')}`},
    balances as (
      select account_id, ${SUMMED} from (
        select account_id, ${SUMS.join(', ')} from ledger_totals l
        where ${countsHere('l')} ${which === 'ALL' ? '' : 'and account_id = any ($1)'}
        union all
        select account_id, ${SUMS.join(', ')} from facts) each group by 1)`;
}

/** Any fixed number will do; the worker that has it sums up, in a transaction. */
const SUMMING_LOCK = 7_030;

/** Answers false while another worker sums up. */
export async function takeSummingTurn(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [
    SUMMING_LOCK,
  ]);
  return rows[0]?.taken === true;
}

/** Waits for it. */
export async function waitForSummingTurn(tx: Tx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [SUMMING_LOCK]);
}

/** Where the sums of all, or of a merchant that is behind them, end. Null before anything was summed up. */
export async function findSummedUntil(tx: Tx): Promise<Date | null> {
  const { rows } = await tx.query<{ until: Date | null }>(
    `with ${PROGRESS} select nullif(since, '-infinity') as until from start`,
  );
  return rows[0]?.until ?? null;
}

/** When the first transfer was made: a step into the index for each account. Null without any. */
export async function findFirstTransferAt(tx: Tx): Promise<Date | null> {
  const { rows } = await tx.query<{ at: Date | null }>(
    `select min(t.created_at) as at from accounts a cross join lateral (
       select created_at from transfers where debit_account_id = a.account_id order by created_at limit 1) t`,
  );
  return rows[0]?.at ?? null;
}

/** For rows `s` that are there already. */
export const ADDED = SUMS.map((name) => `${name} = s.${name} + excluded.${name}`).join(', ');

/** Adds what happened from where the sums end until then, and answers how many transfers that were. */
export async function addToSums(tx: Tx, until: Date): Promise<number> {
  const span = { ...SINCE_SUMMED, until: '$1::timestamptz' };
  const { rows } = await tx.query<{ transfer_count: number }>(
    `with ${PROGRESS}, ${factsIn(span)},
     days as (
       insert into ledger_days as s (account_id, merchant_id, day_at, ${SUMS.join(', ')})
       select account_id, merchant_id, day_at, ${SUMMED} from facts group by 1, 2, 3
       on conflict (day_at, account_id, merchant_id) do update set ${ADDED}),
     totals as (
       insert into ledger_totals as s (account_id, merchant_id, ${SUMS.join(', ')})
       select account_id, merchant_id, ${SUMMED} from facts group by 1, 2
       on conflict (account_id, merchant_id) do update set ${ADDED}),
     behind as (
       update ledger_progress p set summed_until = $1 from own, start
       where p.merchant_id = own.merchant_id and own.summed_until < $1 and start.summed_until > $1),
     level as (
       delete from ledger_progress p using own, start
       where p.merchant_id = own.merchant_id and own.summed_until <= $1 and start.summed_until <= $1),
     whole as (
       insert into ledger_progress as p (merchant_id, summed_until) values (null, $1)
       on conflict (merchant_id) do update set summed_until = greatest(p.summed_until, $1))
     select coalesce(sum(transfer_count), 0)::int as transfer_count from grouped`,
    [until],
  );
  return rows[0]?.transfer_count ?? 0;
}
