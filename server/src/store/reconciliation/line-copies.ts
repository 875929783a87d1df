// Lines that stand more than once in one file of an operator: it may have moved money twice.
import { createHash } from 'node:crypto';
import type { Finding } from '../../domain/reconciliation/operator-report.ts';
import { isClosed } from '../daily-close/closed-lines.ts';
import type { Tx } from '../database.ts';
import { leaveOutOpen } from './voided-lines.ts';

export type StoredLine = {
  readonly line_hash: Buffer;
  readonly finding: Finding | null;
  readonly line_no: number;
  readonly copies: readonly string[];
  /** How often it counts, with the rows about it. */
  readonly times: number;
  readonly rows_about: number;
  readonly report_id: string;
  readonly is_closed: boolean;
  readonly is_erased: boolean;
};

/** A copy beyond those that a day was signed with. */
export type LaterCopy = { readonly of: Buffer; readonly hash: Buffer };

/**
 * A line counts in the daily close as often as it stands in the file that has it most often. In another file it is the
 * same line. Answers copies that a signed day does not have.
 */
export async function noteCopies(
  tx: Tx,
  { provider, reportId }: { readonly provider: string; readonly reportId: string },
  {
    rows,
    read,
  }: {
    readonly rows: readonly StoredLine[];
    readonly read: readonly { readonly lineNo: number; readonly hash: string }[];
  },
): Promise<readonly LaterCopy[]> {
  const found = Map.groupBy(read, ({ hash }) => hash);
  const changed = rows.flatMap((row) => {
    const before = new Set([`${row.report_id}/${row.line_no}`, ...row.copies]);
    const here = found.get(row.line_hash.toString('hex')) ?? [];
    const added = here.map(({ lineNo }) => `${reportId}/${lineNo}`).filter((one) => !before.has(one));
    return added.length === 0 ? [] : [{ row, added, times: timesOf([...before, ...added]) }];
  });
  const each = changed.flatMap(({ row, added, times }) => added.map((one) => ({ row, one, times })));
  if (each.length === 0) return [];
  await tx.query(
    `update operator_report_lines l
     set copies = l.copies || c.added, times = case when ${isClosed('l')} then l.times else c.times end
     from (select line_hash, array_agg(one) as added, max(times) as times
       from unnest($2::bytea[], $3::text[], $4::int[]) as each (line_hash, one, times) group by 1) c
     where l.provider = $1 and l.line_hash = c.line_hash`,
    [
      provider,
      each.map(({ row }) => row.line_hash),
      each.map(({ one }) => one),
      each.map(({ times }) => times),
    ],
  );
  await leaveOutOpen(
    tx,
    provider,
    changed.flatMap(({ row }) => (row.is_closed || row.rows_about === 0 ? [] : [row.line_hash])),
  );
  return changed
    .filter(({ row }) => row.is_closed)
    .flatMap(({ row, times }) =>
      Array.from({ length: Math.max(0, times - row.times) }, (_, index) => ({
        of: row.line_hash,
        hash: createHash('sha256')
          .update(row.line_hash)
          .update(String(row.rows_about + index + 2))
          .digest(),
      })),
    );
}

/** The most in any one file. */
function timesOf(places: readonly string[]): number {
  const files = Map.groupBy(places, (place) => place.split('/', 1)[0]);
  return Math.max(...[...files.values()].map(({ length }) => length));
}

/** They are lines of their own, because a signed day never changes: those of the next one. */
export async function insertLaterCopies(
  tx: Tx,
  { provider, reportId }: { readonly provider: string; readonly reportId: string },
  copies: readonly (LaterCopy & { readonly encrypted: Buffer })[],
): Promise<void> {
  if (copies.length === 0) return;
  await tx.query(
    `insert into operator_report_lines (provider, line_hash, of_hash, report_id, line_no, finding, effect, waits_since,
       merchant_id, kind, payment_id, encrypted_line, case_id, occurred_at, currency, moved)
     select l.provider, c.hash, l.line_hash, $2, l.line_no, l.finding, l.effect, l.waits_since, l.merchant_id, l.kind,
       l.payment_id,
       -- What was erased does not come back.
       case when l.encrypted_line is not null then c.encrypted end, l.case_id, l.occurred_at, l.currency, l.moved
     from unnest($3::bytea[], $4::bytea[], $5::bytea[]) as c (of_hash, hash, encrypted)
     join operator_report_lines l on l.provider = $1 and l.line_hash = c.of_hash
     on conflict do nothing`,
    [
      provider,
      reportId,
      copies.map(({ of }) => of),
      copies.map(({ hash }) => hash),
      copies.map(({ encrypted }) => encrypted),
    ],
  );
}
