// Operators' reports and their lines. A line is kept once, whichever files it comes in. What it says never changes;
// what it was found to mean does, and with which of its reports it waits for an approval.
import { createHash } from 'node:crypto';
import type { Amount } from '../../domain/money.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import {
  isSettled,
  lineText,
  movedBy,
  withoutNumber,
  type Finding,
  type LineEffect,
  type ShownFinding,
  type OperatorReportLine,
} from '../../domain/reconciliation/operator-report.ts';
import { column, columns, type Row } from '../columns.ts';
import { isClosed, waitForSignature } from '../daily-close/closed-lines.ts';
import type { Tx } from '../database.ts';
import { rowInserter, unnested, valuesOf } from '../rows.ts';
import { insertLaterCopies, noteCopies, type StoredLine } from './line-copies.ts';
import { PLATFORM, type Keyring } from '../encryption/encryption.ts';
import { numberHashes } from '../encryption/number-hash.ts';
import { timedUuid } from '../timed-uuid.ts';
import { countOfRowsAbout, listVoided, netTimes } from './voided-lines.ts';

export type Report = { readonly reportId: string; readonly provider: string };

/** The time a report covers. */
export type Period = { readonly from: Date; readonly to: Date };

/** A line and where it stands in its file. */
export type NumberedLine = { readonly lineNo: number; readonly line: OperatorReportLine };

export type NewReport = {
  readonly provider: string;
  readonly fileHash: Buffer;
  /** What a file without lines is said to cover; null for a file with lines. */
  readonly emptyPeriod: Period | null;
  readonly now: Date;
};

/** `isNew` is false for a file that was imported before, and not voided since. */
export async function insertReport(
  tx: Tx,
  { provider, fileHash, emptyPeriod, now }: NewReport,
): Promise<Report & { readonly isNew: boolean }> {
  const period =
    emptyPeriod === null ? '' : `${emptyPeriod.from.toISOString()}/${emptyPeriod.to.toISOString()}`;
  const { rowCount } = await tx.query(
    `insert into operator_reports (report_id, provider, file_hash, imported_at, empty_period)
     values ($1, $2, $3, $4, $5)
     on conflict (provider, file_hash, empty_period) where voided_at is null do nothing`,
    [timedUuid(now), provider, fileHash, now, period],
  );
  const { rows } = await tx.query<{ report_id: string }>(
    `select report_id from operator_reports
     where provider = $1 and file_hash = $2 and empty_period = $3 and voided_at is null`,
    [provider, fileHash, period],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a report that was inserted is not there');
  return { reportId: row.report_id, provider, isNew: rowCount === 1 };
}

/** A line with the name under which it is kept. */
export type KeptLine = NumberedLine & { readonly hash: Buffer };

const newLines = columns({
  provider: 'text',
  hash: column<Buffer>('bytea', 'line_hash'),
  reportId: 'uuid',
  lineNo: 'int',
  encrypted: column<Buffer>('bytea', 'encrypted_line'),
});

const addedUp = columns({
  occurredAt: 'timestamptz',
  currency: 'text',
  moved: 'numeric',
  numberHash: 'bytea null',
});

const insertEncrypted = rowInserter(
  'operator_report_lines',
  columns({ ...newLines.defs, ...addedUp.defs }).cells,
  'on conflict do nothing',
);

/** Keeps lines. Answers those of which something can still come: new ones, and what was left undecided before. */
export async function keepLines(
  tx: Tx,
  keyring: Keyring,
  report: Report,
  read: readonly NumberedLine[],
): Promise<readonly KeptLine[]> {
  const { provider } = report;
  await waitForSignature(tx);
  const distinct = new Map(read.map((one) => [lineText(one.line), one]));
  const known = await listKnownBefore(tx, keyring, provider, [...distinct.keys()]);
  const named = [...distinct].map(([text, one]) => ({
    ...one,
    text,
    hash: known.get(text) ?? keyring.searchHash(PLATFORM, text),
  }));
  const standing = await standingNames(
    tx,
    provider,
    named.map(({ hash }) => hash),
  );
  const kept = named.map((one) => ({ ...one, hash: standing.get(one.hash.toString('hex')) ?? one.hash }));
  await insertEncrypted(
    tx,
    kept.map((one) => ({
      ...one,
      ...report,
      occurredAt: one.line.occurredAt,
      currency: one.line.currency,
      moved: movedBy(one.line),
      numberHash: one.line.phoneNumber === undefined ? null : numberHashes(keyring, one.line.phoneNumber)[0],
      encrypted: encryptLine(keyring, { provider, hash: one.hash }, one.text),
    })),
  );
  const { rows } = await tx.query<StoredLine>(
    // Two files may be imported at the same time.
    `select line_hash, finding, line_no, copies, ${netTimes('l')} as times, ${countOfRowsAbout('l')} as rows_about,
       report_id, ${isClosed('l')} as is_closed,
       encrypted_line is null as is_erased
     from operator_report_lines l
     where provider = $1 and line_hash = any($2) order by line_hash for no key update`,
    [provider, kept.map(({ hash }) => hash)],
  );
  const hashes = new Map(kept.map(({ text, hash }) => [text, hash.toString('hex')]));
  const later = await noteCopies(tx, report, {
    rows,
    read: read.map(({ lineNo, line }) => ({ lineNo, hash: hashes.get(lineText(line)) ?? '' })),
  });
  const texts = new Map(kept.map(({ text, hash }) => [hash.toString('hex'), text]));
  await insertLaterCopies(
    tx,
    report,
    later.map((one) => {
      const text = withoutNumber(texts.get(one.of.toString('hex')) ?? '');
      return { ...one, encrypted: encryptLine(keyring, { provider, hash: one.hash }, text) };
    }),
  );
  const settled = new Set(
    rows.flatMap(({ line_hash: hash, finding }) =>
      finding !== null && isSettled(finding) ? hash.toString('hex') : [],
    ),
  );
  const undecided = kept.filter(({ hash }) => !settled.has(hash.toString('hex')));
  const erased = new Set(rows.flatMap((row) => (row.is_erased ? row.line_hash.toString('hex') : [])));
  await writeAgain(
    tx,
    undecided
      .filter(({ hash }) => erased.has(hash.toString('hex')))
      .map(({ hash, text }) => ({
        provider,
        hash,
        encrypted: encryptLine(keyring, { provider, hash }, withoutNumber(text)),
      })),
  );
  return undecided;
}

const rewritten = columns({
  provider: 'text',
  hash: column<Buffer>('bytea', 'line_hash'),
  encrypted: column<Buffer>('bytea', 'encrypted_line'),
}).cells;

/** What people still have to decide on must be readable. The person who was forgotten is not named again. */
async function writeAgain(
  tx: Tx,
  lines: readonly { readonly provider: string; readonly hash: Buffer; readonly encrypted: Buffer }[],
): Promise<void> {
  if (lines.length === 0) return;
  await tx.query(
    `update operator_report_lines l set encrypted_line = n.encrypted_line from ${unnested(rewritten, 'n')}
     where (l.provider, l.line_hash) = (n.provider, n.line_hash) and l.encrypted_line is null`,
    valuesOf(rewritten, lines),
  );
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
    'select line_hash from operator_report_lines where provider = $1 and line_hash = any($2)',
    [provider, [...textsOf.keys()].map((hash) => Buffer.from(hash, 'hex'))],
  );
  return new Map(rows.map(({ line_hash: hash }) => [textsOf.get(hash.toString('hex')) ?? '', hash]));
}

/** Of names of lines that were voided, by name: under which the same line is kept from now on. */
async function standingNames(
  tx: Tx,
  provider: string,
  hashes: readonly Buffer[],
): Promise<ReadonlyMap<string, Buffer>> {
  const names = new Map<string, Buffer>();
  let asked = new Map(hashes.map((hash) => [hash.toString('hex'), hash.toString('hex')]));
  while (asked.size > 0) {
    const voided = await listVoided(
      tx,
      provider,
      [...asked.keys()].map((name) => Buffer.from(name, 'hex')),
    );
    const next = new Map<string, string>();
    for (const [name, first] of asked) {
      if (!voided.has(name)) continue;
      const hash = createHash('sha256').update(Buffer.from(name, 'hex')).update('again').digest();
      names.set(first, hash);
      next.set(hash.toString('hex'), first);
    }
    asked = next;
  }
  return names;
}

export type Found = {
  readonly hash: Buffer;
  readonly finding: Finding;
  readonly key: PaymentKey | null;
  /** The case that holds it. */
  readonly caseId?: string | null;
  /** Of a line that waits: what it does when it is approved. */
  readonly effect?: LineEffect | null;
  /** Of such a line: what the case that it opens would hold of the merchant's wallet, if anything. */
  readonly atRisk?: Amount;
};

const findings = columns({
  hash: column<Buffer>('bytea', 'line_hash'),
  finding: column<Finding>('text'),
  merchantId: 'uuid?',
  kind: 'payment_kind?',
  paymentId: 'uuid?',
  caseId: 'uuid null',
  effect: column<LineEffect | null>('text null'),
  atRisk: 'numeric null',
}).cells;

/** A line that waits already keeps the time since which it waits. */
export async function markFindings(
  tx: Tx,
  {
    provider,
    found,
    now,
  }: { readonly provider: string; readonly found: readonly Found[]; readonly now: Date },
): Promise<void> {
  if (found.length === 0) return;
  await tx.query(
    `update operator_report_lines l
     set finding = f.finding, merchant_id = f.merchant_id, kind = f.kind, payment_id = f.payment_id,
       case_id = f.case_id, effect = f.effect, at_risk = f.at_risk,
       hold_id = case when f.at_risk is not null then l.hold_id end,
       waits_since = case when f.effect is not null then coalesce(l.waits_since, $10) end
     from ${unnested(findings, 'f')}
     where l.provider = $9 and l.line_hash = f.line_hash
       and (l.finding, l.payment_id, l.effect, l.at_risk)
         is distinct from (f.finding, f.payment_id, f.effect, f.at_risk)`,
    [
      ...valuesOf(
        findings,
        found.map(({ key, hash, finding, caseId = null, effect = null, atRisk = null }) => {
          return { ...key, hash, finding, caseId, effect, atRisk };
        }),
      ),
      provider,
      now,
    ],
  );
}

/** What a line is found to mean now: a case that was resolved is not open. Older lines do not name theirs. */
const SHOWN_FINDING = `case when l.finding = 'CASE' and not exists (
    select 1 from cases c where c.resolved_at is null
      and (c.merchant_id, c.kind, c.payment_id) = (l.merchant_id, l.kind, l.payment_id)
      and (l.case_id is null or l.case_id = c.case_id))
  then 'RESOLVED' else l.finding end`;

/** How many lines stand with this report, by what they were found to mean; null: not compared. */
export async function countFindings(
  tx: Tx,
  reportId: string,
): Promise<readonly { readonly finding: ShownFinding | null; readonly count: number }[]> {
  const { rows } = await tx.query<{ finding: ShownFinding | null; count: number }>(
    `select ${SHOWN_FINDING} as finding, count(*)::int as count from operator_report_lines l
     where report_id = $1 and times > 0
     group by 1 order by 1`,
    [reportId],
  );
  return rows;
}

export const lines = columns({
  ...newLines.without('reportId').defs,
  finding: column<ShownFinding>('text'),
  /** Null where what it said was erased. */
  encrypted: column<Buffer | null>('bytea null', 'encrypted_line'),
});
const shownLines = columns({ ...lines.defs, finding: column<ShownFinding>('text', SHOWN_FINDING) });

/** A line as people see it. */
export type ShownLine = { readonly lineNo: number; readonly finding: ShownFinding; readonly text: string };

export async function listLines(
  tx: Tx,
  keyring: Keyring,
  {
    reportId,
    findings: wanted,
    countMax,
  }: { readonly reportId: string; readonly findings: readonly Finding[]; readonly countMax: number },
): Promise<readonly ShownLine[]> {
  const rows = await lines.select(
    tx,
    `from operator_report_lines l
     where report_id = $1 and finding = any($2) and times > 0 and ${SHOWN_FINDING} <> 'RESOLVED'
     order by line_no limit $3`,
    [reportId, wanted, countMax],
  );
  return rows.map((row) => shownOf(keyring, row));
}

/** What reports say about a payment that were not voided, in lines that were compared. */
export async function listLinesOfPayment(
  tx: Tx,
  keyring: Keyring,
  { merchantId, kind, paymentId }: PaymentKey,
): Promise<readonly ShownLine[]> {
  const rows = await shownLines.select(
    tx,
    `from operator_report_lines l
     where merchant_id = $1 and kind = $2 and payment_id = $3 and finding is not null and not voided and times > 0
     order by report_id, line_no`,
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
    'select encrypted_line from operator_report_lines where provider = $1 and line_hash = $2',
    [provider, hash],
  );
  return openLine(keyring, { provider, hash, encrypted: rows[0]?.encrypted_line ?? null });
}

export function shownOf(keyring: Keyring, row: Row<typeof lines>): ShownLine {
  const { provider, hash, lineNo, finding, encrypted } = row;
  const text = encrypted === null ? '' : keyring.openText(identityOf(provider, hash), encrypted);
  return { lineNo, finding, text };
}

/** What a line says; null where that was erased. */
export function openLine(
  keyring: Keyring,
  { provider, hash, encrypted }: Pick<Row<typeof lines>, 'provider' | 'hash' | 'encrypted'>,
): string | null {
  return keyring.openText(identityOf(provider, hash), encrypted);
}

export function encryptLine(
  keyring: Keyring,
  { provider, hash }: Pick<Row<typeof lines>, 'provider' | 'hash'>,
  text: string,
): Buffer {
  return keyring.encrypt(identityOf(provider, hash), text);
}

function identityOf(provider: string, hash: Buffer) {
  return { merchantId: PLATFORM, row: `operator_report_lines/${provider}/${hash.toString('hex')}` };
}
