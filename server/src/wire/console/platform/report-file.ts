// Files of operators and banks: how they are read, and what was uploaded.
import { Type } from 'typebox';
import { LINE_EFFECTS } from '../../../domain/reconciliation/operator-report.ts';
import { REPORT_FAULT_CODES } from '../../../domain/reconciliation/report-fault.ts';
import {
  DECIMAL_MARKS,
  MAPPED_COLUMNS,
  MEANINGS,
  REPORT_SOURCES,
  TIME_FORMS,
  type WordColumn,
} from '../../../domain/reconciliation/report-mapping.ts';
import { daySchema } from '../days.ts';
import { arrayOf, describeCalls, DONE, orNull, strict, strictOrNull, timeSchema } from '../shape.ts';
import { kindSchema, ownerSchema, reasonSchema, uuidSchema } from '../terms.ts';
import { closeAccountPath } from './daily-close.ts';

/** About a hundred thousand lines. Larger files are for the command line. */
export const REPORT_FILE_BYTES_MAX = 10_000_000;
/** As base64, which takes four characters for three bytes, with what stands around it. */
export const REPORT_BODY_BYTES_MAX = 13_400_000;

const sourceSchema = Type.Enum([...REPORT_SOURCES], { type: 'string' });
const columnName = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }));

const mappingSchema = strict({
  /** Of each of our columns, the name of the file's column. */
  columns: strict(
    Object.fromEntries(MAPPED_COLUMNS.OPERATOR.map((column) => [column, columnName])) as Record<
      (typeof MAPPED_COLUMNS.OPERATOR)[number],
      typeof columnName
    >,
  ),
  timeForm: Type.Enum([...TIME_FORMS], { type: 'string' }),
  decimalMark: Type.Enum([...DECIMAL_MARKS], { type: 'string' }),
  /** What words of the file mean. SKIP: such lines are left out. */
  words: Type.Array(
    strict({
      column: Type.Enum(Object.keys(MEANINGS) as WordColumn[], { type: 'string' }),
      word: Type.String({ maxLength: 100 }),
      means: Type.String({ minLength: 1, maxLength: 40 }),
    }),
    { maxItems: 40 },
  ),
});

const uploadSchema = strict({
  uploadId: Type.String(),
  /** What it is kept as; null while that is not known. */
  fileId: orNull(Type.String()),
  source: sourceSchema,
  fileName: Type.String(),
  fileHash: Type.String(),
  status: Type.Enum(['RUNNING', 'DONE', 'FAILED', 'REFUSED'], { type: 'string' }),
  linesDone: Type.Integer(),
  /** By the size of the file, until the end. */
  linesExpected: Type.Integer(),
  faultCount: Type.Integer(),
  /** The first ones. Line 1 is the header, 0 the whole file. */
  faults: arrayOf({
    line: Type.Integer(),
    code: Type.Enum([...REPORT_FAULT_CODES], { type: 'string' }),
    column: Type.String(),
  }),
  uploadedBy: Type.String(),
  startedAt: timeSchema,
  /** Whether the file is voided, or is to be. RUNNING: its lines are being taken back. Null: it stands. */
  voiding: orNull(Type.Enum(['REQUESTED', 'RUNNING', 'VOIDED'], { type: 'string' })),
});

/** A line as it was read, beside our payment. */
const shownLineSchema = {
  lineNo: Type.Integer(),
  line: strict({
    occurredAt: timeSchema,
    direction: Type.Enum(['IN', 'OUT'], { type: 'string' }),
    status: Type.Enum(['COMPLETED', 'FAILED'], { type: 'string' }),
    amount: Type.String(),
    currency: Type.String(),
    reference: orNull(Type.String()),
    transactionId: orNull(Type.String()),
  }),
  /** Ours that the line is about. Null for a payment that was lost, or is in another cell. */
  payment: strictOrNull({
    ...ownerSchema,
    kind: kindSchema,
    paymentId: Type.String(),
    state: Type.String(),
    amount: Type.String(),
    currency: Type.String(),
    provider: Type.String(),
  }),
};

const proposalSchema = strict({
  ...shownLineSchema,
  /** What the line does when it is approved. */
  effect: Type.Enum([...LINE_EFFECTS], { type: 'string' }),
});

const readingPath = strict({ reportId: uuidSchema });

export const reportFileCalls = describeCalls({
  listReportMappings: {
    path: closeAccountPath,
    answer: strict({
      /** Those that are set. Without one, a file has our own columns. */
      rows: arrayOf({
        source: sourceSchema,
        mapping: mappingSchema,
        setBy: Type.String(),
        setAt: timeSchema,
        /** Everybody who gave a field its present value: they approve nothing that its files do. */
        authors: Type.Array(Type.String()),
      }),
    }),
  },
  setReportMapping: {
    path: strict({ ...closeAccountPath.properties, source: sourceSchema }),
    /** Null: our own columns from now on. */
    body: strict({ mapping: orNull(mappingSchema) }),
    answer: DONE,
  },
  listProposedLines: {
    path: strict({ reportId: uuidSchema }),
    answer: strict({ rows: Type.Array(proposalSchema) }),
  },
  readRefusedReport: {
    path: readingPath,
    answer: strict({
      status: Type.Enum(['REFUSED', 'REQUESTED', 'ACCEPTED'], { type: 'string' }),
      /** Lines about payments of ours, and how many of them differ. */
      knownCount: Type.Integer(),
      differingCount: Type.Integer(),
      rows: Type.Array(strict(shownLineSchema)),
    }),
  },
  acceptRefusedReport: {
    path: readingPath,
    body: strict({ reason: reasonSchema }),
    answer: strict({ approvalId: Type.String() }),
  },
  voidFile: {
    path: strict({ fileId: uuidSchema }),
    body: strict({ reason: reasonSchema }),
    answer: strict({ approvalId: Type.String() }),
  },
  listReportUploads: { path: closeAccountPath, answer: strict({ rows: Type.Array(uploadSchema) }) },
  uploadReport: {
    path: closeAccountPath,
    body: strict({
      source: sourceSchema,
      fileName: Type.String({ minLength: 1, maxLength: 200 }),
      /** The bytes of the file, as base64. */
      file: Type.String({ maxLength: REPORT_BODY_BYTES_MAX }),
      /** The days that an operator's report covers, both included, in the account's time zone. */
      from: Type.Optional(daySchema),
      to: Type.Optional(daySchema),
    }),
    answer: uploadSchema,
  },
});
