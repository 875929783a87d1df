// The daily close: operator accounts, their days, and one day with everything that differs.
import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { CLOSE_OBSTACLES, SIGNED_IN_SPITE_OF } from '../../../domain/reconciliation/close-obstacles.ts';
import { DIFFERENCE_KINDS } from '../../../domain/reconciliation/daily-close.ts';
import { REPORT_SOURCES } from '../../../domain/reconciliation/report-mapping.ts';
import { approvalSchema } from '../approval.ts';
import { daySchema } from '../days.ts';
import { pageOf, pageQuery } from '../page.ts';
import { arrayOf, describeCalls, orNull, strict, strictOrNull, timeSchema } from '../shape.ts';
import { codeSchema, kindSchema, reasonSchema } from '../terms.ts';

export const closeAccountPath = strict({ provider: codeSchema, currency: codeSchema });
const dayPath = strict({ ...closeAccountPath.properties, day: daySchema });
const hashSchema = Type.String({ pattern: '^[0-9a-f]{64}$' });
const countSchema = Type.Integer();

const accountSchema = strict({
  provider: Type.String(),
  currency: Type.String(),
  timeZone: Type.String(),
  firstDay: Type.String(),
  /** The last signed one; null before the first. */
  lastDay: orNull(Type.String()),
  nextDay: Type.String(),
  dueAt: timeSchema,
  isLate: Type.Boolean(),
});

/** REQUESTED: one person signed; a second approver must. */
const statusSchema = Type.Enum(['OPEN', 'REQUESTED', 'CLOSED'], { type: 'string' });

const listedDaySchema = strict({
  day: Type.String(),
  status: statusSchema,
  dueAt: timeSchema,
  isLate: Type.Boolean(),
  /** Of what was signed, or is to be signed. */
  unexplained: orNull(Type.String()),
  differenceCount: orNull(countSchema),
  closedAt: orNull(timeSchema),
});

const figuresSchema = strict({
  opening: Type.String(),
  received: Type.String(),
  sent: Type.String(),
  closing: Type.String(),
  reportReceived: Type.String(),
  reportSent: Type.String(),
  broughtForward: Type.String(),
  carriedForward: Type.String(),
  unexplained: Type.String(),
  bankReceived: Type.String(),
  bankSent: Type.String(),
  bankUnexplained: Type.String(),
  movementCount: countSchema,
  lineCount: countSchema,
  bankLineCount: countSchema,
  /** Of reports that cover the day, unless reports without such lines cover it too. */
  unreadableLineCount: countSchema,
});

const differenceSchema = strict({
  kind: Type.Enum([...DIFFERENCE_KINDS], { type: 'string' }),
  /** Theirs less ours; of a late one, what came; of an opening balance, by how much our books have changed. */
  amount: Type.String(),
  sinceDay: Type.String(),
  otherDay: orNull(Type.String()),
  payment: strictOrNull({ merchantId: Type.String(), kind: kindSchema, paymentId: Type.String() }),
  reference: orNull(Type.String()),
  transactionId: orNull(Type.String()),
});

const passableSchema = Type.Enum([...SIGNED_IN_SPITE_OF], { type: 'string' });

const closeSchema = strict({
  ...accountSchema.properties,
  day: Type.String(),
  from: timeSchema,
  to: timeSchema,
  status: statusSchema,
  /** Of this day. */
  dueAt: timeSchema,
  isLate: Type.Boolean(),
  figures: figuresSchema,
  /** The first ones. */
  differences: Type.Array(differenceSchema),
  differenceCount: countSchema,
  /** Whether something differs that another day does not explain, or was not read: then a signature needs a note. */
  needsNote: Type.Boolean(),
  /** Why it cannot be signed now. */
  obstacles: Type.Array(Type.Enum([...CLOSE_OBSTACLES], { type: 'string' })),
  /** Of these obstacles, those in spite of which two people can sign, with a note. */
  passableObstacles: Type.Array(passableSchema),
  /** From when on an open day can be compared. */
  comparableAt: orNull(timeSchema),
  /** Of an open day, the first one that is not signed. */
  firstOpenDay: orNull(Type.String()),
  /** Cells that did not answer. */
  missingCells: Type.Array(Type.String()),
  /** Parts of the day that no report covers. */
  gaps: arrayOf({ from: timeSchema, to: timeSchema }),
  /** By how much the books of the signed day before have changed; null where they have not. */
  openingChange: orNull(Type.String()),
  /** If there are too many differences: in how many each file has a part, the most first. */
  differencesByFile: arrayOf({
    source: Type.Enum([...REPORT_SOURCES], { type: 'string' }),
    fileHash: Type.String(),
    /** Null if it was imported by command. */
    fileName: orNull(Type.String()),
    differenceCount: countSchema,
  }),
  /** Signatures of this day that were taken back, the last one first. */
  reopened: arrayOf({
    contentHash: Type.String(),
    closedAt: timeSchema,
    reopenedAt: timeSchema,
    requestedBy: Type.String(),
    approvedBy: Type.String(),
    reason: Type.String(),
    note: orNull(Type.String()),
    unexplained: Type.String(),
    differenceCount: countSchema,
  }),
  /** A request to take the signature back that is pending. */
  reopening: orNull(approvalSchema),
  /** Whether it is the last signed day, which alone can be reopened. */
  isLastSigned: Type.Boolean(),
  /** Of a signed day also those that it counted, and that were voided since. */
  files: arrayOf({
    fileId: Type.String(),
    source: Type.Enum([...REPORT_SOURCES], { type: 'string' }),
    /** Null if it was imported by command. */
    fileName: orNull(Type.String()),
    fileHash: Type.String(),
    importedAt: timeSchema,
    /** Lines that could not be read. */
    faultCount: countSchema,
    voidedAt: orNull(timeSchema),
    /** Who approved that. */
    voidedBy: orNull(Type.String()),
  }),
  /** What this day takes back of voided files that an earlier day had counted. */
  takenBack: arrayOf({
    source: Type.Enum([...REPORT_SOURCES], { type: 'string' }),
    fileName: orNull(Type.String()),
    fileHash: Type.String(),
    voidedAt: timeSchema,
    voidedBy: orNull(Type.String()),
    lineCount: countSchema,
    /** What these lines had brought. */
    amount: Type.String(),
  }),
  /** Of a requested day: whether what it counts has changed since, so that it must be requested again. */
  isChanged: Type.Boolean(),
  /** Of a requested or the last signed day: the files whose lines came since. The next day counts them. */
  cameSince: arrayOf({
    source: Type.Enum([...REPORT_SOURCES], { type: 'string' }),
    fileName: orNull(Type.String()),
    fileHash: Type.String(),
    importedAt: timeSchema,
    faultCount: countSchema,
    /** Below zero where a voided file is taken back. */
    lineCount: countSchema,
    amount: Type.String(),
  }),
  /** Of everything that is signed. */
  contentHash: Type.String(),
  note: orNull(Type.String()),
  /** The signatures: requested by one person, decided by another. */
  approval: orNull(approvalSchema),
});

export const dailyCloseCalls = describeCalls({
  listCloseAccounts: { answer: strict({ rows: Type.Array(accountSchema) }) },
  listCloseDays: {
    path: closeAccountPath,
    query: strict(pageQuery),
    answer: strict({ ...pageOf(listedDaySchema).properties, account: accountSchema }),
  },
  readClose: { path: dayPath, answer: closeSchema },
  setFirstDay: {
    path: closeAccountPath,
    body: strict({ firstDay: daySchema }),
    answer: strict({ approvalId: Type.String() }),
  },
  signClose: {
    path: dayPath,
    body: strict({
      /** Of what you were shown. If the day differs from that now, nothing is signed. */
      contentHash: hashSchema,
      /** Why it is signed although something differs. */
      note: Type.Optional(Type.String({ minLength: 3, maxLength: 500, pattern: '\\S' })),
      /** Obstacles that you were shown and sign in spite of. */
      despite: Type.Optional(Type.Array(passableSchema, { maxItems: SIGNED_IN_SPITE_OF.length })),
    }),
    answer: strict({ approvalId: Type.String() }),
  },
  reopenClose: {
    path: dayPath,
    body: strict({ reason: reasonSchema }),
    answer: strict({ approvalId: Type.String() }),
  },
  exportClose: {
    path: dayPath,
    contentType: 'text/csv',
    answer: Type.Unsafe<Readable>(
      Type.String({ description: 'Every figure, difference, movement and line.' }),
    ),
  },
});
