// Statements as rows: asked for once, made by the worker that claims them, and forgotten after a while.
import type { StatementStatus, StatementWallet } from '../../domain/wallet-statement.ts';
import { column, columns, type Row } from '../columns.ts';
import { livesHere } from '../cells/migration-locks.ts';
import type { Tx } from '../database.ts';
import { countChanged, isChanged, oneRowInserter } from '../rows.ts';
import type { Pruning } from '../retention.ts';

export type StatementKey = { readonly merchantId: string; readonly statementId: string };

const newStatements = columns({
  merchantId: 'uuid',
  statementId: 'uuid',
  country: 'text',
  currency: 'text',
  provider: 'text',
  startsAt: 'timestamptz',
  endsAt: 'timestamptz',
  /** Where it really ends: not after it was asked for. */
  coversUntil: 'timestamptz',
  isCompressed: 'bool',
  /** Null where no one wants to be notified. */
  callbackUrl: 'text null',
  /** The gateway as its merchant reaches it. */
  baseUrl: 'text',
  status: column<StatementStatus>('text'),
  createdAt: 'timestamptz',
  /** When it can be made. */
  dueAt: 'timestamptz',
});
const statements = columns({
  ...newStatements.defs,
  endedAt: 'timestamptz null',
  /** Null while no one has anything to do. */
  dueAt: 'timestamptz null',
  madeNo: 'int null',
  fileBytes: 'bigint null',
  rowCount: 'bigint null',
});
type StatementRow = Row<typeof statements>;

export type NewStatement = Omit<Row<typeof newStatements>, keyof StatementWallet | 'status'> & {
  readonly wallet: StatementWallet;
};

/** What was made: which making's chunks are the file. */
export type StatementFile = {
  readonly makingNo: number;
  readonly fileBytes: number;
  readonly rowCount: number;
};

export type Statement = Omit<StatementRow, keyof StatementWallet | 'madeNo' | 'fileBytes' | 'rowCount'> & {
  readonly wallet: StatementWallet;
  /** Of a COMPLETED one. */
  readonly file: StatementFile | null;
};

const insertRow = oneRowInserter('statements', newStatements.cells);

export async function insertStatement(tx: Tx, { wallet, ...statement }: NewStatement): Promise<void> {
  await insertRow(tx, { ...statement, ...wallet, status: 'PROCESSING' });
}

export async function findStatement(tx: Tx, key: StatementKey): Promise<Statement | null> {
  const tail = 'from statements where merchant_id = $1 and statement_id = $2';
  const found = await statements.find(tx, tail, [key.merchantId, key.statementId]);
  return found === null ? null : statementOf(found);
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
  const rows = await statements.select(
    tx,
    `from statements
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
  return countChanged(
    tx,
    `select from statements where merchant_id = $1 and due_at is not null and status = 'PROCESSING' limit $2`,
    [merchantId, countMax],
  );
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

const claimed = columns({
  ...statements.defs,
  makingNo: 'int',
  transactionNo: column<string>('text', 'pg_current_xact_id()::text'),
});

/**
 * Claims a statement that is due, of the merchant after the one that was served last. Null when there is none left.
 * The merchants are visited by their first statement each, and no further than the first that has one that is due:
 * what one of them asked for costs the others nothing.
 */
export async function claimStatement(
  tx: Tx,
  { now, leasedUntil }: { readonly now: Date; readonly leasedUntil: Date },
): Promise<Claim | null> {
  const [row] = await claimed.query(
    tx,
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
       select v.merchant_id from visited v where due_at <= $1 and ${livesHere('v')} limit 1),
     free as (
       select merchant_id, statement_id from statements
       where merchant_id = (select merchant_id from next) and due_at <= $1
       order by due_at limit 1 for update skip locked)
     update statements s set due_at = $2, claimed_at = $1, making_no = s.making_no + 1
     where (s.merchant_id, s.statement_id) = (select merchant_id, statement_id from free)
     returning ${claimed.namesIn('s')}`,
    [now, leasedUntil],
  );
  if (row === undefined) return null;
  const { makingNo, transactionNo, ...statement } = row;
  return {
    statement: statementOf(statement),
    makingNo,
    leasedUntil,
    transactionNo: BigInt(transactionNo),
  };
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
  return isChanged(
    tx,
    `update statements set due_at = $5
     where merchant_id = $1 and statement_id = $2 and making_no = $3 and due_at = $4`,
    [...claimValues(claim), leasedUntil],
  );
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
  return isChanged(
    tx,
    `update statements set due_at = null, ended_at = coalesce(ended_at, $5),
       status = case when status = 'PROCESSING' and $6::int is null then 'FAILED' else 'COMPLETED' end,
       made_no = coalesce($6, made_no), file_bytes = coalesce($7, file_bytes), row_count = coalesce($8, row_count)
     where merchant_id = $1 and statement_id = $2 and making_no = $3 and due_at = $4`,
    [...claimValues(claim), endedAt, file?.makingNo ?? null, file?.fileBytes ?? null, file?.rowCount ?? null],
  );
}

/** Answers how many. Those whose chunks are gone. */
export async function pruneStatements(tx: Tx, { before, countMax }: Pruning): Promise<number> {
  return countChanged(
    tx,
    `delete from statements where (merchant_id, statement_id) in (
       select merchant_id, statement_id from statements s where created_at < $1 and not exists (
         select 1 from statement_chunks c
         where c.merchant_id = s.merchant_id and c.statement_id = s.statement_id)
       order by created_at limit $2 for update skip locked)`,
    [before, countMax],
  );
}

function claimValues({ statement, makingNo, leasedUntil }: Claim): unknown[] {
  return [statement.merchantId, statement.statementId, makingNo, leasedUntil];
}

function statementOf(row: StatementRow): Statement {
  const { country, currency, provider, madeNo: makingNo, fileBytes, rowCount, ...statement } = row;
  return {
    ...statement,
    wallet: { country, currency, provider },
    file: makingNo === null ? null : { makingNo, fileBytes: fileBytes ?? 0, rowCount: rowCount ?? 0 },
  };
}
