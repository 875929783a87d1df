// Files that two people void: an operator's report, or a bank's file. What is in one, and what of it signed days have
// counted; and how far what it brought is taken back.
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged } from '../rows.ts';

export type FileSource = 'OPERATOR' | 'BANK';

const files = columns({
  fileId: 'uuid',
  source: column<FileSource>('text'),
  provider: 'text',
  /** Of the accounts that it covers, or has lines of. */
  currencies: 'text[]',
  /** As it was called when it was uploaded last; null where it came by command. */
  fileName: 'text null',
  fileHash: 'text',
  importedAt: 'timestamptz',
  /** It was refused as a whole, or nothing of it could be read. */
  isEmpty: 'bool',
  voidedAt: 'timestamptz null',
  takenBackAt: 'timestamptz null',
});

export type VoidableFile = Row<typeof files>;

/** `isLocked`: until the transaction ends. Null where there is no such file. */
export async function findFile(
  tx: Tx,
  fileId: string,
  { isLocked = false }: { readonly isLocked?: boolean } = {},
): Promise<VoidableFile | null> {
  if (isLocked) {
    await tx.query('select from operator_reports where report_id = $1 for update', [fileId]);
    await tx.query('select from bank_files where file_id = $1 for update', [fileId]);
  }
  const [found] = await files.query(
    tx,
    `with found as (
       select report_id as "fileId", 'OPERATOR' as source, provider, currencies, encode(file_hash, 'hex') as "fileHash",
         imported_at as "importedAt", voided_at as "voidedAt", taken_back_at as "takenBackAt",
         covers_from is null and not exists (
           select from operator_report_lines l where l.report_id = r.report_id) as "isEmpty"
       from operator_reports r where report_id = $1
       union all
       select file_id, 'BANK', provider, array[currency], file_hash, imported_at, voided_at, voided_at,
         not exists (select from bank_lines l where l.file_id = f.file_id) and fault_count = 0
       from bank_files f where file_id = $1)
     select found.*, (
       select file_name from report_uploads u where u.file_id = found."fileId"
       order by started_at desc limit 1) as "fileName"
     from found`,
    [fileId],
  );
  return found ?? null;
}

const facts = columns({
  lineCount: 'bigint',
  /** Of these, those that stand in other files too, and stay. */
  elsewhereCount: 'bigint',
  /** Lines that wait for an approval, or for that of their posting. */
  waitingCount: 'bigint',
  /** Lines that ended a payment. */
  endedCount: 'bigint',
  openCaseCount: 'bigint',
  /** Of these, those that stay: the operator itself has said what they are about, or another file does. */
  keptCaseCount: 'bigint',
  resolvedCaseCount: 'bigint',
  /** Lines that posted a payment which a restore had lost. */
  lostCount: 'bigint',
  /** Of these, those that stay: the payment is in the books again, or two people have decided about it. */
  keptLostCount: 'bigint',
});

export type FileFacts = Row<typeof facts> & {
  /** What its lines posted or ended, and is posted back or asked about: "FLOAT_TOP_UP 2: 500 RWF". */
  readonly postedBack: readonly string[];
  /** Signed days that have counted lines of it, with how many: "2027-03-01 RWF: 12". */
  readonly signedDays: readonly string[];
};

/** What stands in a file, or in others and in this one too. */
const OWN_LINES = `own as materialized (
  select * from operator_report_lines where report_id = $1 and not voided and of_hash is null
  union all
  select * from operator_report_lines
  where copies <> '{}' and reports_of(copies) @> array[$1::uuid] and report_id <> $1 and not voided)`;

const OWN_BANK_LINES = `own as materialized (
  select * from bank_lines
  where (file_id = $1 or (copies <> '{}' and copies @> array[$1::uuid])) and not voided and of_hash is null)`;

/** Which of them stand in other files too. */
const MARKED = `marked as materialized (
  select own.*, report_id <> $1 or exists (
    select from unnest(copies) one where split_part(one, '/', 1) <> $1::text) as is_elsewhere from own)`;

/** Of an open case `c`: no operator has said it, and no line that stays does. */
const IS_TO_REVERSE = `(c.line_hash is not null and not exists (
  select from operator_report_lines o where o.case_id = c.case_id and not o.voided and o.of_hash is null
    and not exists (select from marked own_line
      where own_line.line_hash = o.line_hash and own_line.provider = o.provider and not own_line.is_elsewhere)))`;

/** What is posted back, or asked about, of the lines that stand in no other file: by kind and currency. */
const POSTED_BACK = `with ${OWN_LINES}, ${MARKED}, mine as (select * from marked where not is_elsewhere),
  effects as (
    select r.type as kind, r.currency, r.amount from mine m
    join posted_references r on r.source = m.provider and r.line_hash = m.line_hash and r.posted_back_at is null
    union all
    select 'LOST_PAYMENT', u.currency, u.amount from mine m
    join unmatched_payments u on (u.provider, u.line_hash) = (m.provider, m.line_hash)
    where u.posted_at is not null and num_nonnulls(u.released_at, u.decided_at, u.withdrawn_at) = 0
    union all
    select c.evidence, p.currency, p.amount from (select distinct case_id from mine) m
    join cases c using (case_id) join payments p using (merchant_id, kind, payment_id)
    where c.resolved_at is null and ${IS_TO_REVERSE}
    union all
    select 'ENDED_' || p.state, p.currency, p.amount from mine m
    join payments p using (merchant_id, kind, payment_id) where m.finding = 'APPLIED')
  select kind || ' ' || count(*) || ': ' || trim_scale(sum(amount)) || ' ' || currency as effect
  from effects group by kind, currency order by kind, currency`;

const PATIENCE = `select set_config('statement_timeout', '2min', true)`;

/** What voiding a file takes back. It reads every line of the file. */
export async function readFileFacts(
  tx: Tx,
  { fileId, source, provider }: Pick<VoidableFile, 'fileId' | 'source' | 'provider'>,
): Promise<FileFacts> {
  await tx.query(PATIENCE);
  const [counted] = await facts.query(
    tx,
    source === 'BANK'
      ? `with ${OWN_BANK_LINES}
         select count(*) as "lineCount", count(*) filter (where array_remove(file_id || copies, $1::uuid) <> '{}')
           as "elsewhereCount", 0 as "waitingCount", 0 as "endedCount", 0 as "openCaseCount",
           0 as "keptCaseCount", 0 as "resolvedCaseCount", 0 as "lostCount", 0 as "keptLostCount" from own`
      : `with ${OWN_LINES}, ${MARKED}
         select count(*) as "lineCount", count(*) filter (where is_elsewhere) as "elsewhereCount",
           count(*) filter (where finding in ('TO_APPROVE', 'REQUESTED') and not is_elsewhere) as "waitingCount",
           count(*) filter (
             where finding = 'APPLIED' and m.payment_id is not null and not is_elsewhere) as "endedCount",
           count(distinct c.case_id) filter (where c.resolved_at is null) as "openCaseCount",
           count(distinct c.case_id) filter (where c.resolved_at is null and not ${IS_TO_REVERSE}) as "keptCaseCount",
           count(distinct c.case_id) filter (where c.resolved_at is not null) as "resolvedCaseCount",
           count(u.unmatched_id) filter (where u.posted_at is not null) as "lostCount",
           count(u.unmatched_id) filter (where u.posted_at is not null
             and num_nonnulls(u.released_at, u.decided_at) > 0) as "keptLostCount"
         from marked m left join cases c on c.case_id = m.case_id and not is_elsewhere
         left join unmatched_payments u on (u.provider, u.line_hash) = (m.provider, m.line_hash)
           and u.withdrawn_at is null and not is_elsewhere`,
    [fileId],
  );
  if (counted === undefined) throw new Error('a count has no row');
  const [lines, after, through] =
    source === 'BANK'
      ? [OWN_BANK_LINES, 'bank_lines_after', 'bank_lines_through']
      : [OWN_LINES, 'lines_after', 'lines_through'];
  const { rows } = await tx.query<{ day: string }>(
    `with ${lines}
     select c.day || ' ' || c.currency || ': ' || count(*) as day
     from day_closes c join own l on l.currency = c.currency and l.counts and l.moved <> 0
       and l.entry_no <= c.${through} and ((l.occurred_at >= c.begins_at and l.occurred_at < c.ends_at)
         or (l.came_late and l.occurred_at < c.begins_at and l.entry_no > c.${after}))
     where c.provider = $2 and c.status = 'CLOSED' and c.ends_at > (select min(occurred_at) from own)
     group by c.day, c.currency order by c.day, c.currency`,
    [fileId, provider],
  );
  const effects = source === 'BANK' ? [] : (await tx.query<{ effect: string }>(POSTED_BACK, [fileId])).rows;
  const postedBack = effects.map(({ effect }) => effect);
  return { ...counted, postedBack, signedDays: rows.map(({ day }) => day) };
}

/** The requests to resolve cases that end with a report. */
export async function listCaseRequests(tx: Tx, fileId: string): Promise<readonly string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `with ${OWN_LINES}, ${MARKED}, ending as (
       select c.* from (select distinct case_id from marked where not is_elsewhere) m join cases c using (case_id)
       where c.resolved_at is null and ${IS_TO_REVERSE})
     select a.approval_id as id from ending c
     join approvals a on a.kind = 'CASE' and a.subject = c.case_id::text and a.merchant_id = c.merchant_id
     where a.status = 'PENDING' order by a.approval_id`,
    [fileId],
  );
  return rows.map(({ id }) => id);
}

/** Who approved that a file be voided. Workers may not read approvals, so that the audit log is asked. */
export async function findVoider(tx: Tx, fileId: string): Promise<string | null> {
  const [entry] = await columns({ actor: 'text' }).select(
    tx,
    `from audit_log where act = 'FILE_VOIDED' and subject = $1 limit 1`,
    [fileId],
  );
  return entry?.actor ?? null;
}

/** Movements of a report whose posting a person has requested as well: that request stays. */
export async function rejectRequested(
  tx: Tx,
  { fileId, provider }: Pick<VoidableFile, 'fileId' | 'provider'>,
): Promise<void> {
  await tx.query(
    `update operator_report_lines set finding = 'REJECTED'
     where provider = $1 and report_id = $2 and finding = 'REQUESTED'`,
    [provider, fileId],
  );
}

/** The merchants whose payments a file has ended, holds, or has opened cases about. */
export async function listFileMerchants(tx: Tx, fileId: string): Promise<readonly string[]> {
  const { rows } = await tx.query<{ merchant_id: string }>(
    `select distinct merchant_id from operator_report_lines
     where report_id = $1 and finding in ('TO_APPROVE', 'APPLIED', 'CASE', 'UNMATCHED') and merchant_id is not null`,
    [fileId],
  );
  return rows.map(({ merchant_id: merchantId }) => merchantId);
}

export type Voiding = {
  readonly fileId: string;
  readonly source: FileSource;
  readonly voidedAt: Date;
  /** The approval. */
  readonly voidedBy: string;
  readonly reason: string;
};

/** The database refuses it without this approval in the same transaction. Answers false where it was voided before. */
export async function markVoided(tx: Tx, voiding: Voiding): Promise<boolean> {
  const { fileId, source, voidedAt, voidedBy, reason } = voiding;
  const [table, key] = source === 'BANK' ? ['bank_files', 'file_id'] : ['operator_reports', 'report_id'];
  return isChanged(
    tx,
    `update ${table} set voided_at = $2, voided_by = $3, void_reason = $4 where ${key} = $1 and voided_at is null`,
    [fileId, voidedAt, voidedBy, reason],
  );
}

const voided = columns({ reportId: 'uuid', provider: 'text', voidedBy: 'uuid' });

/** A report whose lines are still to be taken back. */
export type VoidedReport = Row<typeof voided>;

/** Those of one provider, or of all; the one that was voided first comes first. */
export async function listToTakeBack(tx: Tx, provider: string | null): Promise<readonly VoidedReport[]> {
  return voided.select(
    tx,
    `from operator_reports where voided_at is not null and taken_back_at is null and ($1::text is null or provider = $1)
     order by voided_at, report_id`,
    [provider],
  );
}

export async function markTakenBack(tx: Tx, reportId: string, now: Date): Promise<void> {
  await tx.query(
    'update operator_reports set taken_back_at = $2 where report_id = $1 and taken_back_at is null',
    [reportId, now],
  );
}
