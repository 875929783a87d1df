// The operator's and the bank's lines of a day. A line belongs to the first day that is signed after it came.
import { parseLineText } from '../../domain/reconciliation/operator-report.ts';
import type { ReportLine } from '../../domain/reconciliation/daily-close.ts';
import type { FiledBankLine } from '../../domain/reconciliation/bank-lines.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import type { Keyring } from '../encryption/encryption.ts';
import { openLine } from '../reconciliation/operator-reports.ts';
import { rowInserter } from '../rows.ts';
import {
  isClosed,
  LINES_BY_HASH,
  LINES_OF_PAYMENTS,
  linesIn,
  spanValues,
  type LineSpan,
} from './closed-lines.ts';
import { keyColumns } from './movements.ts';
import { fetchPages } from './whole-day.ts';

export type AccountName = { readonly provider: string; readonly currency: string };

/** `since`: the number of the parameter. */
const columnsSince = (since: number) =>
  columns({
    hash: column<Buffer>('bytea', 'l.line_hash'),
    fileId: column<string>('uuid', 'l.report_id'),
    // What takes a line back says nothing itself.
    encrypted: column<Buffer | null>(
      'bytea null',
      `case when l.times > 0 then l.encrypted_line else (
         select b.encrypted_line from operator_report_lines b
         where b.provider = l.provider and b.line_hash = l.of_hash) end`,
    ),
    encryptedAs: column<Buffer>('bytea', 'case when l.times > 0 then l.line_hash else l.of_hash end'),
    at: column<Date>('timestamptz', 'l.occurred_at'),
    amount: column<bigint>('numeric', 'l.moved'),
    times: column<number>('int', 'l.times'),
    merchantId: column<string | null>('uuid null', 'l.merchant_id'),
    kind: column<PaymentKey['kind'] | null>('payment_kind null', 'l.kind'),
    paymentId: column<string | null>('uuid null', 'l.payment_id'),
    isRepeated: column<boolean>(
      'bool',
      `l.payment_id is not null and exists (select from operator_report_lines o
       where o.payment_id = l.payment_id and o.merchant_id = l.merchant_id and o.kind = l.kind
         and o.counts and not o.voided and o.times > 0 and o.moved <> 0 and o.occurred_at >= $${since}
         and ${isClosed('o')})`,
    ),
  });

type ReportLineRow = Row<ReturnType<typeof columnsSince>>;

/** `since`: the beginning of the account's first day. What is older no signed day has counted. */
export type SinceSpan = LineSpan & { readonly since: Date };

/** With the hash by which it is found again. */
export type StoredReportLine = ReportLine & { readonly hash: Buffer };

/** All lines of a span, in the order of time. */
export function streamReportLines(
  tx: Tx,
  keyring: Keyring,
  account: AccountName,
  span: SinceSpan,
): AsyncGenerator<readonly StoredReportLine[]> {
  const tail = `${linesIn('OPERATOR')} l order by occurred_at, entry_no`;
  return openedPages(tx, keyring, { account, span, tail, cursor: 'report_lines' });
}

/** The lines of a span that are about no payment that this cell knows, in the order in which they came. */
export function streamUnknownLines(
  tx: Tx,
  keyring: Keyring,
  account: AccountName,
  span: SinceSpan,
): AsyncGenerator<readonly StoredReportLine[]> {
  const tail = `${linesIn('OPERATOR')} l where payment_id is null order by entry_no`;
  return openedPages(tx, keyring, { account, span, tail, cursor: 'unknown_lines' });
}

async function* openedPages(
  tx: Tx,
  keyring: Keyring,
  read: {
    readonly account: AccountName;
    readonly span: SinceSpan;
    readonly tail: string;
    readonly cursor: string;
  },
): AsyncGenerator<readonly StoredReportLine[]> {
  const { account, span, tail, cursor } = read;
  const query = `select ${columnsSince(8).names} from ${tail}`;
  const values = [...spanValues(account, span), span.since];
  for await (const rows of fetchPages(tx, columnsSince(8), { cursor, query, values }))
    yield rows.map((row) => openedLine(keyring, account.provider, row));
}

/** The lines of a span that are about these payments. */
export async function listReportLinesOf(
  tx: Tx,
  keyring: Keyring,
  account: AccountName,
  span: SinceSpan,
  payments: readonly PaymentKey[],
): Promise<readonly StoredReportLine[]> {
  const tail = `from ${LINES_OF_PAYMENTS} l order by occurred_at, entry_no`;
  const values = [...spanValues(account, span), ...keyColumns(payments), span.since];
  const rows = await columnsSince(11).select(tx, tail, values);
  return rows.map((row) => openedLine(keyring, account.provider, row));
}

/** The lines of a span that have these hashes. */
export async function listReportLinesByHash(
  tx: Tx,
  keyring: Keyring,
  account: AccountName,
  span: SinceSpan,
  hashes: readonly Buffer[],
): Promise<readonly StoredReportLine[]> {
  const tail = `from ${LINES_BY_HASH} l order by occurred_at, entry_no`;
  const rows = await columnsSince(9).select(tx, tail, [...spanValues(account, span), hashes, span.since]);
  return rows.map((row) => openedLine(keyring, account.provider, row));
}

function openedLine(keyring: Keyring, provider: string, row: ReportLineRow): StoredReportLine {
  const { hash, fileId, encrypted, encryptedAs, at, amount, times } = row;
  const { isRepeated, merchantId, kind, paymentId } = row;
  const text = openLine(keyring, { provider, hash: encryptedAs, encrypted });
  const line = text === null ? null : parseLineText(text);
  return {
    payment:
      merchantId === null || kind === null || paymentId === null ? null : { merchantId, kind, paymentId },
    // What was erased is known by its own name only.
    reference:
      line === null ? `erased ${encryptedAs.toString('hex').slice(0, 16)}` : (line.reference ?? null),
    transactionId: line?.providerTransactionId ?? null,
    float: line?.movement ?? null,
    amount,
    at,
    times,
    isRepeated,
    fileId,
    hash,
  };
}

export type ReportFile = {
  readonly fileId: string;
  /** As it was called when it was uploaded last; null where it came by command. */
  readonly fileName: string | null;
  readonly source: 'OPERATOR' | 'BANK';
  readonly fileHash: string;
  readonly importedAt: Date;
  readonly coversFrom: Date | null;
  readonly coversTo: Date | null;
  /** Lines that could not be read. */
  readonly faultCount: number;
  /** When two people voided it, and who approved that; null while it stands. */
  readonly voidedAt: Date | null;
  readonly voidedBy: string | null;
};

/** The operator's files that cover some of a span, and the bank's files with a line in it, also those voided since. */
export async function listFiles(
  tx: Tx,
  { provider, currency }: AccountName,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<readonly ReportFile[]> {
  return columns({
    fileId: 'uuid',
    fileName: 'text null',
    source: column<ReportFile['source']>('text'),
    fileHash: 'text',
    importedAt: 'timestamptz',
    coversFrom: 'timestamptz null',
    coversTo: 'timestamptz null',
    faultCount: 'int',
    voidedAt: 'timestamptz null',
    voidedBy: 'text null',
  }).query(
    tx,
    `with files as (
       select report_id as "fileId", 'OPERATOR' as source, encode(file_hash, 'hex') as "fileHash",
         imported_at as "importedAt", covers_from as "coversFrom", covers_to as "coversTo",
         fault_count as "faultCount", voided_at as "voidedAt", voided_by
       from operator_reports where provider = $1 and covers_from < $4 and covers_to >= $3 and $2 = any(currencies)
       union all
       select file_id, 'BANK', file_hash, imported_at, null, null, fault_count, voided_at, voided_by
       from bank_files f
       where provider = $1 and currency = $2
         and exists (select from bank_lines l
           where l.file_id = f.file_id and l.occurred_at >= $3 and l.occurred_at < $4))
     select files.*, (${FILE_NAME}) as "fileName",
       (select decided_by_name from approvals a where a.approval_id = files.voided_by) as "voidedBy"
     from files order by source, "importedAt"`,
    [provider, currency, from, to],
  );
}

const FILE_NAME = `select file_name from report_uploads u
  where u.provider = $1 and u.currency = $2 and u.source = files.source and u.file_hash = files."fileHash"
  order by started_at desc limit 1`;

/** What a day counts of lines that were taken back since a signed day had counted them, by the voided file. */
export type TakenBack = Pick<ReportFile, 'fileId' | 'fileName' | 'source' | 'fileHash'> & {
  readonly voidedAt: Date;
  readonly voidedBy: string | null;
  readonly lineCount: number;
  /** What those lines had brought. */
  readonly amount: bigint;
};

export async function listTakenBack(
  tx: Tx,
  account: AccountName,
  source: ReportFile['source'],
  span: LineSpan,
): Promise<readonly TakenBack[]> {
  const [table, key, hash] =
    source === 'BANK'
      ? ['bank_files', 'file_id', 'f.file_hash']
      : ['operator_reports', 'report_id', `encode(f.file_hash, 'hex')`];
  return columns({
    fileId: 'uuid',
    fileName: 'text null',
    source: column<ReportFile['source']>('text'),
    fileHash: 'text',
    voidedAt: 'timestamptz',
    voidedBy: 'text null',
    lineCount: 'bigint',
    amount: 'numeric',
  }).query(
    tx,
    `with files as (
       select f.${key} as "fileId", $8::text as source, ${hash} as "fileHash", f.voided_at as "voidedAt", f.voided_by,
         one."lineCount", one.amount
       from (select ${key}, -sum(times) as "lineCount", -sum(moved * times) as amount from ${linesIn(source)} l
         where times < 0 group by ${key}) one
       join ${table} f using (${key}))
     select files.*, (${FILE_NAME}) as "fileName",
       (select decided_by_name from approvals a where a.approval_id = files.voided_by) as "voidedBy"
     from files order by "voidedAt", "fileId"`,
    [...spanValues(account, span), source],
  );
}

/** What a file brought that a day does not count, because it came after the day's signature was requested. */
export type LateFile = Pick<
  ReportFile,
  'fileId' | 'fileName' | 'source' | 'fileHash' | 'importedAt' | 'faultCount'
> & {
  readonly lineCount: number;
  readonly amount: bigint;
};

/** Of lines above a number, of times from the beginning of the account to the end of a day. */
export async function listLateFiles(
  tx: Tx,
  { provider, currency }: AccountName,
  source: ReportFile['source'],
  late: { readonly since: Date; readonly to: Date; readonly after: number },
): Promise<readonly LateFile[]> {
  const [table, key, hash, lines] =
    source === 'BANK'
      ? ['bank_files', 'file_id', 'f.file_hash', 'bank_lines']
      : ['operator_reports', 'report_id', `encode(f.file_hash, 'hex')`, 'operator_report_lines'];
  return columns({
    fileId: 'uuid',
    fileName: 'text null',
    source: column<ReportFile['source']>('text'),
    fileHash: 'text',
    importedAt: 'timestamptz',
    faultCount: 'int',
    lineCount: 'bigint',
    amount: 'numeric',
  }).query(
    tx,
    `with files as (
       select f.${key} as "fileId", $6::text as source, ${hash} as "fileHash", f.imported_at as "importedAt",
         f.fault_count as "faultCount", one."lineCount", one.amount
       from (select ${key}, sum(times) as "lineCount", sum(moved * times) as amount from ${lines}
         where provider = $1 and currency = $2 and came_late and counts and moved <> 0 and entry_no > $5
           and occurred_at >= $3 and occurred_at < $4 group by ${key}) one
       join ${table} f using (${key}))
     select files.*, (${FILE_NAME}) as "fileName" from files order by "importedAt", "fileId"`,
    [provider, currency, late.since, late.to, late.after, source],
  );
}

/** Whether one of these files is voided. */
export async function isAnyVoided(tx: Tx, fileIds: readonly string[]): Promise<boolean> {
  const { rows } = await tx.query(
    `select from operator_reports where report_id = any($1::uuid[]) and voided_at is not null
     union all select from bank_files where file_id = any($1::uuid[]) and voided_at is not null limit 1`,
    [fileIds],
  );
  return rows.length > 0;
}

/** Files of an account by their identifiers, whichever days they cover. */
export async function listFilesById(
  tx: Tx,
  { provider, currency }: AccountName,
  fileIds: readonly string[],
): Promise<readonly Pick<ReportFile, 'fileId' | 'fileName' | 'source' | 'fileHash'>[]> {
  return columns({
    fileId: 'uuid',
    fileName: 'text null',
    source: column<ReportFile['source']>('text'),
    fileHash: 'text',
  }).query(
    tx,
    `with files as (
       select report_id as "fileId", 'OPERATOR' as source, encode(file_hash, 'hex') as "fileHash"
       from operator_reports where report_id = any($3)
       union all
       select file_id, 'BANK', file_hash from bank_files where file_id = any($3))
     select files.*, (${FILE_NAME}) as "fileName" from files`,
    [provider, currency, fileIds],
  );
}

const bankLines = columns({
  fileId: 'uuid',
  at: column<Date>('timestamptz', 'occurred_at'),
  amount: column<bigint>('numeric', 'moved'),
  reference: 'text',
  times: 'int',
});

export async function listBankLines(
  tx: Tx,
  account: AccountName,
  span: LineSpan,
): Promise<readonly FiledBankLine[]> {
  return bankLines.select(
    tx,
    `from ${linesIn('BANK')} l order by occurred_at, line_no, line_hash`,
    spanValues(account, span),
  );
}

const newBankLines = columns({
  provider: 'text',
  currency: 'text',
  lineHash: 'text',
  fileId: 'uuid',
  lineNo: 'int',
  occurredAt: 'timestamptz',
  moved: 'numeric',
  reference: 'text',
});

/** Inserts lines of a bank file and returns the new ones. A line that an earlier file had too is not inserted again. */
export const insertBankLines = rowInserter(
  'bank_lines',
  newBankLines.cells,
  'on conflict do nothing returning line_no',
);

/** Notes that lines stand in another file too. */
export async function noteBankCopies(
  tx: Tx,
  { provider, currency }: AccountName,
  { fileId, lineHashes }: { readonly fileId: string; readonly lineHashes: readonly string[] },
): Promise<void> {
  await tx.query(
    `update bank_lines set copies = copies || $3::uuid
     where provider = $1 and currency = $2 and line_hash = any($4) and file_id <> $3 and $3 <> all (copies)`,
    [provider, currency, fileId, lineHashes],
  );
}

/** `isNew` is false for a file that was imported before, and not voided since. */
export async function insertBankFile(
  tx: Tx,
  file: AccountName & {
    readonly fileId: string;
    readonly fileHash: string;
    readonly importedBy: string;
    readonly importedAt: Date;
    /** Lines that could not be read. */
    readonly faultCount: number;
  },
): Promise<{ readonly fileId: string; readonly isNew: boolean }> {
  const { provider, currency, fileId, fileHash, importedBy, importedAt, faultCount } = file;
  const { rowCount } = await tx.query(
    `insert into bank_files (file_id, provider, currency, file_hash, imported_by, imported_at, fault_count)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (provider, currency, file_hash) where voided_at is null do nothing`,
    [fileId, provider, currency, fileHash, importedBy, importedAt, faultCount],
  );
  if (rowCount === 1) return { fileId, isNew: true };
  const { rows } = await tx.query<{ file_id: string }>(
    `select file_id from bank_files
     where provider = $1 and currency = $2 and file_hash = $3 and voided_at is null`,
    [provider, currency, fileHash],
  );
  return { fileId: rows[0]?.file_id ?? fileId, isNew: false };
}
