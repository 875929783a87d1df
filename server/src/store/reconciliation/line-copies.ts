// Lines that stand more than once in one file of an operator.
import type { Finding } from '../../domain/reconciliation/operator-report.ts';
import type { Tx } from '../database.ts';

export type StoredLine = {
  readonly line_hash: Buffer;
  readonly finding: Finding | null;
  readonly line_no: number;
  readonly copies: readonly number[];
  readonly statement_id: string;
};

/** The same line again in one file counts again in the daily close. In another file it is the same line. */
export async function noteCopies(
  tx: Tx,
  { provider, statementId }: { readonly provider: string; readonly statementId: string },
  {
    rows,
    read,
  }: {
    readonly rows: readonly StoredLine[];
    readonly read: readonly { readonly lineNo: number; readonly hash: string }[];
  },
): Promise<void> {
  const stored = new Map(
    rows
      .filter((row) => row.statement_id === statementId)
      .map((row) => [row.line_hash.toString('hex'), [row.line_no, ...row.copies]]),
  );
  const copies = read.filter(({ hash, lineNo }) => stored.get(hash)?.includes(lineNo) === false);
  if (copies.length === 0) return;
  await tx.query(
    `update operator_report_lines l set copies = l.copies || c.line_nos
     from (select line_hash, array_agg(line_no) as line_nos
       from unnest($2::bytea[], $3::int[]) as each (line_hash, line_no) group by 1) c
     where l.provider = $1 and l.line_hash = c.line_hash`,
    [provider, copies.map(({ hash }) => Buffer.from(hash, 'hex')), copies.map(({ lineNo }) => lineNo)],
  );
}
