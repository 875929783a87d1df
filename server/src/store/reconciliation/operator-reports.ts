// Operators' statements and their lines. A line is kept once, whichever files it comes in, and is never changed but for
// what it was found to mean.
import type { PaymentKey } from '../../domain/payments/payment.ts';
import {
  isSettled,
  lineText,
  type Finding,
  type ShownFinding,
  type StatementLine,
} from '../../domain/reconciliation/operator-report.ts';
import type { Tx } from '../database.ts';
import { rowInserter } from '../rows.ts';
import { PLATFORM, type Keyring } from '../encryption/encryption.ts';
import { timedUuid } from '../timed-uuid.ts';

export type Statement = { readonly statementId: string; readonly provider: string };

/** The time a statement covers. */
export type Period = { readonly from: Date; readonly to: Date };

/** A line and where it stands in its file. */
export type NumberedLine = { readonly lineNo: number; readonly line: StatementLine };

/** `isNew` is false for a file that was imported before. */
export async function insertStatement(
  tx: Tx,
  { provider, fileHash, now }: { readonly provider: string; readonly fileHash: Buffer; readonly now: Date },
): Promise<Statement & { readonly isNew: boolean }> {
  const { rowCount } = await tx.query(
    `insert into operator_statements (statement_id, provider, file_hash, imported_at) values ($1, $2, $3, $4)
     on conflict on constraint operator_statements_once do nothing`,
    [timedUuid(now), provider, fileHash, now],
  );
  const { rows } = await tx.query<{ statement_id: string }>(
    'select statement_id from operator_statements where provider = $1 and file_hash = $2',
    [provider, fileHash],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a statement that was inserted is not there');
  return { statementId: row.statement_id, provider, isNew: rowCount === 1 };
}

export async function setPeriod(tx: Tx, statementId: string, { from, to }: Period): Promise<void> {
  await tx.query('update operator_statements set covers_from = $2, covers_to = $3 where statement_id = $1', [
    statementId,
    from,
    to,
  ]);
}

/** A line with the name under which it is kept. */
export type KeptLine = NumberedLine & { readonly hash: Buffer };

type EncryptedLine = KeptLine & Statement & { readonly encrypted: Buffer };

const insertEncrypted = rowInserter<EncryptedLine>(
  'operator_statement_lines',
  [
    ['provider', 'text', (line) => line.provider],
    ['line_hash', 'bytea', (line) => line.hash],
    ['statement_id', 'uuid', (line) => line.statementId],
    ['line_no', 'int', (line) => line.lineNo],
    ['encrypted_line', 'bytea', (line) => line.encrypted],
  ],
  'on conflict do nothing',
);

/** Keeps lines. Answers those of which something can still come: new ones, and what was left undecided before. */
export async function keepLines(
  tx: Tx,
  keyring: Keyring,
  statement: Statement,
  lines: readonly NumberedLine[],
): Promise<readonly KeptLine[]> {
  const { provider } = statement;
  const distinct = new Map(lines.map((one) => [lineText(one.line), one]));
  const known = await listKnownBefore(tx, keyring, provider, [...distinct.keys()]);
  const kept = [...distinct].map(([text, one]) => ({
    ...one,
    text,
    hash: known.get(text) ?? keyring.searchHash(PLATFORM, text),
  }));
  await insertEncrypted(
    tx,
    kept.map((one) => ({
      ...one,
      ...statement,
      encrypted: keyring.encrypt(identityOf(provider, one.hash), one.text),
    })),
  );
  const { rows } = await tx.query<{ line_hash: Buffer; finding: Finding | null }>(
    'select line_hash, finding from operator_statement_lines where provider = $1 and line_hash = any($2)',
    [provider, kept.map(({ hash }) => hash)],
  );
  const settled = new Set(
    rows.flatMap(({ line_hash: hash, finding }) =>
      finding !== null && isSettled(finding) ? hash.toString('hex') : [],
    ),
  );
  return kept.filter(({ hash }) => !settled.has(hash.toString('hex')));
}

/** By their texts, the names of lines that are kept under another search key than makes names now. */
async function listKnownBefore(
  tx: Tx,
  keyring: Keyring,
  provider: string,
  texts: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const textsOf = new Map(
    texts.flatMap((text) =>
      keyring.olderSearchHashes(PLATFORM, text).map((hash) => [hash.toString('hex'), text] as const),
    ),
  );
  if (textsOf.size === 0) return new Map();
  const { rows } = await tx.query<{ line_hash: Buffer }>(
    'select line_hash from operator_statement_lines where provider = $1 and line_hash = any($2)',
    [provider, [...textsOf.keys()].map((hash) => Buffer.from(hash, 'hex'))],
  );
  return new Map(rows.map(({ line_hash: hash }) => [textsOf.get(hash.toString('hex')) ?? '', hash]));
}

export type Found = {
  readonly hash: Buffer;
  readonly finding: Finding;
  readonly key: PaymentKey | null;
  /** The case that holds it. */
  readonly caseId?: string | null;
};

export async function markFindings(tx: Tx, provider: string, found: readonly Found[]): Promise<void> {
  await tx.query(
    `update operator_statement_lines l
     set finding = f.finding, merchant_id = f.merchant_id, kind = f.kind, payment_id = f.payment_id,
       case_id = f.case_id
     from unnest($2::bytea[], $3::text[], $4::uuid[], $5::payment_kind[], $6::uuid[], $7::uuid[])
       as f (line_hash, finding, merchant_id, kind, payment_id, case_id)
     where l.provider = $1 and l.line_hash = f.line_hash
       and (l.finding, l.payment_id) is distinct from (f.finding, f.payment_id)`,
    [
      provider,
      found.map(({ hash }) => hash),
      found.map(({ finding }) => finding),
      found.map(({ key }) => key?.merchantId ?? null),
      found.map(({ key }) => key?.kind ?? null),
      found.map(({ key }) => key?.paymentId ?? null),
      found.map(({ caseId }) => caseId ?? null),
    ],
  );
}

/** What a line is found to mean now: a case that was resolved is not open. Older lines do not name theirs. */
const SHOWN_FINDING = `case when l.finding = 'CASE' and not exists (
    select 1 from cases c where c.resolved_at is null
      and (c.merchant_id, c.kind, c.payment_id) = (l.merchant_id, l.kind, l.payment_id)
      and (l.case_id is null or l.case_id = c.case_id))
  then 'RESOLVED' else l.finding end`;

/** How many lines first came in this statement, by what they were found to mean; null: not compared. */
export async function countFindings(
  tx: Tx,
  statementId: string,
): Promise<readonly { readonly finding: ShownFinding | null; readonly count: number }[]> {
  const { rows } = await tx.query<{ finding: ShownFinding | null; count: number }>(
    `select ${SHOWN_FINDING} as finding, count(*)::int as count from operator_statement_lines l where statement_id = $1
     group by 1 order by 1`,
    [statementId],
  );
  return rows;
}

/** A line as people see it. */
export type ShownLine = { readonly lineNo: number; readonly finding: ShownFinding; readonly text: string };

export async function listLines(
  tx: Tx,
  keyring: Keyring,
  {
    statementId,
    findings,
    countMax,
  }: { readonly statementId: string; readonly findings: readonly Finding[]; readonly countMax: number },
): Promise<readonly ShownLine[]> {
  const { rows } = await tx.query<LineRow>(
    `select provider, line_hash, line_no, finding, encrypted_line from operator_statement_lines l
     where statement_id = $1 and finding = any($2) and ${SHOWN_FINDING} <> 'RESOLVED' order by line_no limit $3`,
    [statementId, findings, countMax],
  );
  return rows.map((row) => shownOf(keyring, row));
}

/** What statements say about a payment. */
export async function listLinesOfPayment(
  tx: Tx,
  keyring: Keyring,
  { merchantId, kind, paymentId }: PaymentKey,
): Promise<readonly ShownLine[]> {
  const { rows } = await tx.query<LineRow>(
    `select provider, line_hash, line_no, ${SHOWN_FINDING} as finding, encrypted_line from operator_statement_lines l
     where merchant_id = $1 and kind = $2 and payment_id = $3 order by statement_id, line_no`,
    [merchantId, kind, paymentId],
  );
  return rows.map((row) => shownOf(keyring, row));
}

/** What a line says; null where that was erased. */
export async function findLineText(
  tx: Tx,
  keyring: Keyring,
  { provider, hash }: { readonly provider: string; readonly hash: Buffer },
): Promise<string | null> {
  const { rows } = await tx.query<{ encrypted_line: Buffer | null }>(
    'select encrypted_line from operator_statement_lines where provider = $1 and line_hash = $2',
    [provider, hash],
  );
  const encrypted = rows[0]?.encrypted_line ?? null;
  return encrypted === null ? null : keyring.open(identityOf(provider, hash), encrypted).toString();
}

export type LineRow = {
  provider: string;
  line_hash: Buffer;
  line_no: number;
  finding: ShownFinding;
  /** Null where what it said was erased. */
  encrypted_line: Buffer | null;
};

export function shownOf(keyring: Keyring, row: LineRow): ShownLine {
  const { provider, line_hash: hash, encrypted_line: encrypted } = row;
  const text = encrypted === null ? '' : keyring.open(identityOf(provider, hash), encrypted).toString();
  return { lineNo: row.line_no, finding: row.finding, text };
}

/** Null until the whole file was read once. */
export async function findPeriod(tx: Tx, statementId: string): Promise<Period | null> {
  const { rows } = await tx.query<{ from: Date | null; to: Date | null }>(
    'select covers_from as "from", covers_to as "to" from operator_statements where statement_id = $1',
    [statementId],
  );
  const { from = null, to = null } = rows[0] ?? {};
  return from === null || to === null ? null : { from, to };
}

function identityOf(provider: string, hash: Buffer) {
  return { merchantId: PLATFORM, row: `operator_statement_lines/${provider}/${hash.toString('hex')}` };
}
