// Statements as rows: asked for once, made by the worker that claims them, and forgotten after a while.
import type { StatementStatus, StatementWallet } from '../../domain/wallet-statement.ts';
import type { Tx } from '../database.ts';
import type { Pruning } from '../retention.ts';

export type StatementKey = { readonly merchantId: string; readonly statementId: string };

export type NewStatement = StatementKey & {
  readonly wallet: StatementWallet;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** Where it really ends: not after it was asked for. */
  readonly coversUntil: Date;
  readonly isCompressed: boolean;
  /** Null where no one wants to be told. */
  readonly callbackUrl: string | null;
  /** The gateway as its merchant reaches it. */
  readonly baseUrl: string;
  readonly createdAt: Date;
  /** When it can be made. */
  readonly dueAt: Date;
};

/** What was made: which making's chunks are the file. */
export type StatementFile = {
  readonly makingNo: number;
  readonly fileBytes: number;
  readonly rowCount: number;
};

export type Statement = Omit<NewStatement, 'dueAt'> & {
  readonly status: StatementStatus;
  readonly endedAt: Date | null;
  /** Null while no one has anything to do. */
  readonly dueAt: Date | null;
  /** Of a COMPLETED one. */
  readonly file: StatementFile | null;
};

type StatementRow = {
  merchant_id: string;
  statement_id: string;
  country: string;
  currency: string;
  provider: string;
  starts_at: Date;
  ends_at: Date;
  covers_until: Date;
  is_compressed: boolean;
  callback_url: string | null;
  base_url: string;
  status: StatementStatus;
  created_at: Date;
  ended_at: Date | null;
  due_at: Date | null;
  made_no: number | null;
  file_bytes: string | null;
  row_count: string | null;
};

const SELECTED = `s.merchant_id, s.statement_id, s.country, s.currency, s.provider, s.starts_at, s.ends_at,
  s.covers_until, s.is_compressed, s.callback_url, s.base_url, s.status, s.created_at, s.ended_at, s.due_at, s.made_no,
  s.file_bytes, s.row_count`;

export async function insertStatement(tx: Tx, statement: NewStatement): Promise<void> {
  const { merchantId, statementId, wallet } = statement;
  await tx.query(
    `insert into statements (merchant_id, statement_id, country, currency, provider, starts_at, ends_at, covers_until,
       is_compressed, callback_url, base_url, status, created_at, due_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'PROCESSING', $12, $13)`,
    [
      merchantId,
      statementId,
      wallet.country,
      wallet.currency,
      wallet.provider,
      statement.startsAt,
      statement.endsAt,
      statement.coversUntil,
      statement.isCompressed,
      statement.callbackUrl,
      statement.baseUrl,
      statement.createdAt,
      statement.dueAt,
    ],
  );
}

export async function findStatement(tx: Tx, key: StatementKey): Promise<Statement | null> {
  const { rows } = await tx.query<StatementRow>(
    `select ${SELECTED} from statements s where merchant_id = $1 and statement_id = $2`,
    [key.merchantId, key.statementId],
  );
  return rows[0] === undefined ? null : statementOf(rows[0]);
}

export type StatementPage = {
  readonly merchantId: string;
  /** Those asked for before this one; null for the newest. */
  readonly before: { readonly at: Date; readonly id: string } | null;
  readonly countMax: number;
};

export async function listStatements(
  tx: Tx,
  { merchantId, before, countMax }: StatementPage,
): Promise<readonly Statement[]> {
  const { rows } = await tx.query<StatementRow>(
    `select ${SELECTED} from statements s
     where merchant_id = $1 and (created_at, statement_id) < ($2::timestamptz, $3::uuid)
     order by created_at desc, statement_id desc limit $4`,
    [merchantId, before?.at ?? 'infinity', before?.id ?? NO_ID, countMax],
  );
  return rows.map(statementOf);
}

/** Counts those that are still to be made, no further than `countMax`. */
export async function countOpenStatements(
  tx: Tx,
  { merchantId, countMax }: Pick<StatementPage, 'merchantId' | 'countMax'>,
): Promise<number> {
  const { rowCount } = await tx.query(
    `select from statements where merchant_id = $1 and due_at is not null and status = 'PROCESSING' limit $2`,
    [merchantId, countMax],
  );
  return rowCount ?? 0;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** A statement that the caller may make until the lease ends. */
export type Claim = {
  readonly statement: Statement;
  readonly makingNo: number;
  /** By which its holder is known. */
  readonly leasedUntil: Date;
  /** Transactions with a smaller number began before the claim. */
  readonly transactionNo: bigint;
};

/**
 * Claims a statement that is due, of the merchant after the one that was served last. Null when there is none left.
 * The merchants are visited by their first statement each, and no further than the first that has one that is due:
 * what one of them asked for costs the others nothing.
 */
export async function claimStatement(
  tx: Tx,
  { now, leasedUntil }: { readonly now: Date; readonly leasedUntil: Date },
): Promise<Claim | null> {
  const { rows } = await tx.query<StatementRow & { making_no: number; transaction_no: string }>(
    `with recursive served as (
       select coalesce(
         (select merchant_id from statements where claimed_at < $2 order by claimed_at desc limit 1),
         '${NO_ID}') as merchant_id),
     visited (merchant_id, due_at, round) as (
       select merchant_id, 'infinity'::timestamptz, 1 from served
       union all
       select next.merchant_id, next.due_at, next.round from visited v cross join lateral (
         (select merchant_id, due_at, v.round from statements
          where due_at is not null and merchant_id > v.merchant_id order by merchant_id, due_at limit 1)
         union all
         (select merchant_id, due_at, 2 from statements
          where due_at is not null and v.round = 1 and merchant_id <= (select merchant_id from served)
          order by merchant_id, due_at limit 1)
         order by round limit 1) next
       where next.round = 1 or next.merchant_id <= (select merchant_id from served)),
     next as (
       select v.merchant_id from visited v where due_at <= $1 and not exists (
         select 1 from migration_locks f where f.merchant_id = v.merchant_id and f.state <> 'COPYING')
       limit 1),
     free as (
       select merchant_id, statement_id from statements
       where merchant_id = (select merchant_id from next) and due_at <= $1
       order by due_at limit 1 for update skip locked)
     update statements s set due_at = $2, claimed_at = $1, making_no = s.making_no + 1
     where (s.merchant_id, s.statement_id) = (select merchant_id, statement_id from free)
     returning ${SELECTED}, s.making_no, pg_current_xact_id()::text as transaction_no`,
    [now, leasedUntil],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const transactionNo = BigInt(row.transaction_no);
  return { statement: statementOf(row), makingNo: row.making_no, leasedUntil, transactionNo };
}

/** Whether every transaction that began before the claim has ended: what it wrote is seen here, or never was. */
export async function seesAllBefore(tx: Tx, { transactionNo }: Claim): Promise<boolean> {
  const { rows } = await tx.query<{ oldest_no: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as oldest_no',
  );
  return BigInt(rows[0]?.oldest_no ?? '0') > transactionNo;
}

/** Moves the end of the lease. Answers whether the claim was still its holder's. */
export async function moveLease(tx: Tx, claim: Claim, leasedUntil: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update statements set due_at = $5
     where merchant_id = $1 and statement_id = $2 and making_no = $3 and due_at = $4`,
    [...claimValues(claim), leasedUntil],
  );
  return rowCount === 1;
}

/** Gives a claim back as if it had never been. */
export async function putBack(tx: Tx, claim: Claim, dueAt: Date): Promise<void> {
  await tx.query(
    `update statements set due_at = $5, making_no = making_no - 1
     where merchant_id = $1 and statement_id = $2 and making_no = $3 and due_at = $4`,
    [...claimValues(claim), dueAt],
  );
}

/**
 * Ends a claim: with a file, or without one for good. One that was COMPLETED before stays what it was, with the new
 * file if there is one. Answers whether the claim was still its holder's.
 */
export async function endStatement(
  tx: Tx,
  claim: Claim,
  { file, endedAt }: { readonly file: StatementFile | null; readonly endedAt: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update statements set due_at = null, ended_at = coalesce(ended_at, $5),
       status = case when status = 'PROCESSING' and $6::int is null then 'FAILED' else 'COMPLETED' end,
       made_no = coalesce($6, made_no), file_bytes = coalesce($7, file_bytes), row_count = coalesce($8, row_count)
     where merchant_id = $1 and statement_id = $2 and making_no = $3 and due_at = $4`,
    [...claimValues(claim), endedAt, file?.makingNo ?? null, file?.fileBytes ?? null, file?.rowCount ?? null],
  );
  return rowCount === 1;
}

/** Answers how many. Those whose chunks are gone. */
export async function pruneStatements(tx: Tx, { before, countMax }: Pruning): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from statements where (merchant_id, statement_id) in (
       select merchant_id, statement_id from statements s where created_at < $1 and not exists (
         select 1 from statement_chunks c
         where c.merchant_id = s.merchant_id and c.statement_id = s.statement_id)
       order by created_at limit $2 for update skip locked)`,
    [before, countMax],
  );
  return rowCount ?? 0;
}

function claimValues({ statement, makingNo, leasedUntil }: Claim): unknown[] {
  return [statement.merchantId, statement.statementId, makingNo, leasedUntil];
}

function statementOf(row: StatementRow): Statement {
  const { made_no: makingNo, file_bytes: fileBytes, row_count: rowCount } = row;
  return {
    merchantId: row.merchant_id,
    statementId: row.statement_id,
    wallet: { country: row.country, currency: row.currency, provider: row.provider },
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    coversUntil: row.covers_until,
    isCompressed: row.is_compressed,
    callbackUrl: row.callback_url,
    baseUrl: row.base_url,
    status: row.status,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    dueAt: row.due_at,
    file:
      makingNo === null
        ? null
        : { makingNo, fileBytes: Number(fileBytes ?? 0), rowCount: Number(rowCount ?? 0) },
  };
}
