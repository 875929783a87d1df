// Files that were uploaded in the console, and how far each import is.
import type { ReportFault } from '../../domain/reconciliation/report-fault.ts';
import type { ReportSource } from '../../domain/reconciliation/report-mapping.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { oneRowInserter } from '../rows.ts';
import type { AccountName } from './report-lines.ts';

/** REFUSED: it was read, contradicts most of what is known, and has no effect. */
export type UploadStatus = 'RUNNING' | 'DONE' | 'FAILED' | 'REFUSED';

const begun = columns({
  uploadId: 'uuid',
  provider: 'text',
  currency: 'text',
  source: column<ReportSource>('text'),
  fileName: 'text',
  fileHash: 'text',
  uploadedBy: 'text',
  startedAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

/** RUNNING: its lines are being taken back. */
export type Voiding = 'REQUESTED' | 'RUNNING' | 'VOIDED';

const uploads = columns({
  ...begun.defs,
  status: column<UploadStatus>('text'),
  /** What it is kept as: a report, or a bank's file. */
  fileId: 'uuid null',
  linesDone: 'int',
  linesExpected: 'int',
  faultCount: 'int',
  faults: column<readonly ReportFault[]>('jsonb'),
  /** Whether the file is voided, or is to be; null while it stands. */
  voiding: column<Voiding | null>(
    'text null',
    `coalesce(
       (select case when taken_back_at is null then 'RUNNING' else 'VOIDED' end from operator_reports r
        where r.report_id = file_id and r.voided_at is not null),
       (select 'VOIDED' from bank_files b where b.file_id = report_uploads.file_id and b.voided_at is not null),
       (select 'REQUESTED' from approvals a
        where a.kind = 'FILE_VOID' and a.subject = file_id::text and a.status = 'PENDING'))`,
  ),
});

export type ReportUpload = Row<typeof uploads>;

export const insertUpload = oneRowInserter('report_uploads', begun.cells);

export type UploadProgress = Pick<
  ReportUpload,
  'uploadId' | 'status' | 'fileId' | 'linesDone' | 'linesExpected' | 'faultCount' | 'faults' | 'updatedAt'
>;

export async function updateUpload(tx: Tx, progress: UploadProgress): Promise<void> {
  const { uploadId, status, fileId, linesDone, linesExpected, faultCount, faults, updatedAt } = progress;
  await tx.query(
    `update report_uploads set status = $2, lines_done = $3, lines_expected = $4, fault_count = $5, faults = $6,
       updated_at = $7, file_id = $8 where upload_id = $1`,
    [uploadId, status, linesDone, linesExpected, faultCount, JSON.stringify(faults), updatedAt, fileId],
  );
}

export async function findUpload(tx: Tx, uploadId: string): Promise<ReportUpload | null> {
  return uploads.find(tx, 'from report_uploads where upload_id = $1', [uploadId]);
}

/** The newest first. */
export async function listUploads(
  tx: Tx,
  { provider, currency }: AccountName,
  countMax: number,
): Promise<readonly ReportUpload[]> {
  return uploads.select(
    tx,
    `from report_uploads where provider = $1 and currency = $2 order by started_at desc, upload_id limit $3`,
    [provider, currency, countMax],
  );
}
