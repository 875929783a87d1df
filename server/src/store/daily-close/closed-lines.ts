// Which lines belong to which day. A signed day keeps up to which numbers it counted, and no line is marked: a line is
// closed when a signed day covers its time and its number. Inserting lines waits for whoever signs a day of their
// account; triggers of the schema see to that.
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import type { AccountName } from './report-lines.ts';

export type LineSource = 'OPERATOR' | 'BANK';

/** Lines of one source that a day adds up. */
export type LineSpan = {
  /** Lines of these times: the day. */
  readonly from: Date;
  readonly to: Date;
  /**
   * Lines of earlier times that came when their day was signed already: from the account's beginning on, and above the
   * number up to which the signed day before counted. Null where no day before is signed.
   */
  readonly late: { readonly since: Date; readonly after: number } | null;
  /** Up to this number; null for all that are there. */
  readonly through: number | null;
};

/**
 * The SQL that says whether a signed day counted the lines of a table under this alias. Only under a share lock on the
 * account, which inserting a line takes, does the answer stay true until the transaction ends.
 */
export function isClosed(alias: string, source: LineSource = 'OPERATOR'): string {
  return `is_line_closed('${source}', ${['provider', 'currency', 'occurred_at', 'entry_no']
    .map((name) => `${alias}.${name}`)
    .join(', ')})`;
}

const TABLES = { OPERATOR: 'operator_report_lines', BANK: 'bank_lines' } as const;

/** A line of the day's own time, and what takes it back, come to nothing where the day counts all of it. */
const NOT_CANCELLED = '(cancelled_through is null or cancelled_through > $7)';
/** The same of lines that came late: the day before may have counted the first of them. */
const NOT_CANCELLED_LATE = '(cancelled_through is null or cancelled_through > $7 or cancelled_from <= $6)';

/** Whether a line belongs to a span, in one condition. */
const IN_SPAN = `provider = $1 and currency = $2 and counts and moved <> 0 and entry_no <= $7
  and ((occurred_at >= $3 and occurred_at < $4 and ${NOT_CANCELLED})
    or (came_late and occurred_at >= $5 and occurred_at < $3 and entry_no > $6 and ${NOT_CANCELLED_LATE}))`;

/**
 * The lines of a span as a table of a `from`, for the parameters that `spanValues` gives. It has two parts, each a walk
 * along an index of its own.
 */
export function linesIn(source: LineSource): string {
  return linesWhere(source, [`and ${NOT_CANCELLED}`, `and ${NOT_CANCELLED_LATE}`]);
}

/** With lines that were voided and what takes them back, also where they come to nothing. */
function allLinesIn(source: LineSource): string {
  return linesWhere(source, ['', '']);
}

function linesWhere(source: LineSource, [ofDay, ofLate]: readonly [string, string]): string {
  const part = (where: string) => `
    select * from ${TABLES[source]}
    where provider = $1 and currency = $2 and counts and moved <> 0 and entry_no <= $7 and ${where}`;
  return `(${part(`occurred_at >= $3 and occurred_at < $4 ${ofDay}`)} union all
    ${part(`came_late and occurred_at >= $5 and occurred_at < $3 and entry_no > $6 ${ofLate}`)})`;
}

/**
 * Lines of an operator's report that belong to a span and are about given payments, with arrays of their columns as $8
 * to $10, as a table of a `from`. However many lines the span has, only those of the payments are read.
 */
export const LINES_OF_PAYMENTS = `(
  select l.* from unnest($8::uuid[], $9::payment_kind[], $10::uuid[]) as key (merchant_id, kind, payment_id)
  cross join lateral (
    select * from operator_report_lines o
    where o.payment_id = key.payment_id and o.merchant_id = key.merchant_id and o.kind = key.kind and ${IN_SPAN}
    offset 0) l)`;

/** Lines of an operator's report that belong to a span, by their hashes ($8). */
export const LINES_BY_HASH = `(
  select l.* from unnest($8::bytea[]) as key (line_hash)
  cross join lateral (
    select * from operator_report_lines o
    where o.provider = $1 and o.line_hash = key.line_hash and ${IN_SPAN} offset 0) l)`;

/** The parameters $1 to $7 of `linesIn`. */
export function spanValues(
  { provider, currency }: AccountName,
  { from, to, late, through }: LineSpan,
): readonly unknown[] {
  // Without a day before, the late lines are those of an empty span.
  return [provider, currency, from, to, late?.since ?? from, late?.after ?? 0, through ?? LAST_NUMBER];
}

const LAST_NUMBER = '9223372036854775807';

/** How long lines wait for a signature of their account, and it for them: lines are compared while it has the lock. */
const WAIT = `set local lock_timeout to '30s'`;

/** Inserting lines takes the lock by itself. In this transaction it waits longer than other locks are waited for. */
export async function waitForSignature(tx: Tx): Promise<void> {
  await tx.query(WAIT);
}

/** From here until the transaction ends no day of the provider's accounts is signed or reopened. */
export async function keepSignatures(tx: Tx, provider: string): Promise<void> {
  await tx.query(WAIT);
  await tx.query('select from close_accounts where provider = $1 order by currency for share', [provider]);
}

/** From here until the transaction ends no line of the account comes or changes what a day adds up. */
export async function lockLines(tx: Tx, { provider, currency }: AccountName): Promise<void> {
  await tx.query(WAIT);
  await tx.query('select from close_accounts where provider = $1 and currency = $2 for update', [
    provider,
    currency,
  ]);
}

/**
 * Marks the lines of a day's time that came after those that its requested signature counts, so that the next day finds
 * them. Lines that come after the request is committed are marked as they come. The account must be locked.
 */
export async function markLateLines(
  tx: Tx,
  { provider, currency }: AccountName,
  counted: { readonly from: Date; readonly to: Date; readonly through: Readonly<Record<LineSource, number>> },
): Promise<void> {
  for (const source of ['OPERATOR', 'BANK'] as const)
    await tx.query(
      `update ${TABLES[source]} set came_late = true
       where provider = $1 and currency = $2 and counts and moved <> 0 and occurred_at >= $3 and occurred_at < $4
         and entry_no > $5 and not came_late`,
      [provider, currency, counted.from, counted.to, counted.through[source]],
    );
}

/**
 * Before an account is followed: waits for transactions that insert lines of it without a row of the account to lock.
 * Afterwards they find the row.
 */
export async function waitForLines(tx: Tx, { provider, currency }: AccountName): Promise<void> {
  await tx.query(WAIT);
  await tx.query('select pg_advisory_xact_lock(followed_lock($1, $2))', [provider, currency]);
}

const digests = columns({ last: 'bigint null', digest: 'text' });

/**
 * What lines come to, without reading what they say. `last` is the highest number of one. `digest` has how many there
 * are, their sum, and a hash of what decides how each is compared: it is the same for the same lines.
 */
export type LineDigest = Row<typeof digests>;

export async function digestLines(
  tx: Tx,
  source: LineSource,
  account: AccountName,
  span: LineSpan,
): Promise<LineDigest> {
  const names =
    source === 'BANK' ? 'times, reference' : 'times, merchant_id, kind, payment_id, encrypted_line is null';
  // What comes to nothing together is numbered all the same: a day counts up to the last of it, or to none.
  const [row] = await digests.query(
    tx,
    `select max(entry_no) as last,
       concat_ws(' ', count(*), sum(times), sum(moved * times),
         bit_xor(hash_record_extended(
           row(entry_no, occurred_at, moved, cancelled_from, cancelled_through, ${names}), 0))) as digest
     from ${allLinesIn(source)} l`,
    spanValues(account, span),
  );
  return row ?? { last: null, digest: '' };
}
