// Blocked and allowed phone numbers, of the platform or of one merchant.
import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { NUMBER_LISTS } from '../../../domain/limits/listed-number.ts';
import { pageOf, pageQuery } from '../page.ts';
import { describeCalls, orNull, outcomeSchema, strict, timeSchema } from '../shape.ts';
import { reasonSchema, uuidSchema } from '../terms.ts';

/** Ten thousand numbers with long reasons. */
export const NUMBER_FILE_BYTES_MAX = 2_097_152;
export const NUMBER_FILE_ROWS_MAX = 10_000;

const listSchema = Type.Enum([...NUMBER_LISTS], { type: 'string' });
/** Left out: the platform's list, for every merchant. */
const whose = { list: listSchema, merchantId: Type.Optional(uuidSchema) };
const numberSchema = Type.String({ minLength: 8, maxLength: 40 });
const entryPath = strict({ entryId: uuidSchema });
const requestPath = strict({ approvalId: uuidSchema });

const entrySchema = strict({
  entryId: Type.String(),
  list: listSchema,
  /** Null: for every merchant. */
  merchantId: orNull(Type.String()),
  merchant: orNull(Type.String()),
  /** Masked, but for those who asked for it in full. */
  phoneNumber: Type.String(),
  /** Only for those who may see personal data: it may name people. */
  reason: orNull(Type.String()),
  /** Null: until it is removed. */
  expiresAt: orNull(timeSchema),
  hasExpired: Type.Boolean(),
  addedBy: Type.String(),
  addedAt: timeSchema,
});

const changed = {
  outcome: outcomeSchema,
  /** Cells that have not confirmed: the list is as before there. */
  missingCells: Type.Array(Type.String()),
};

export const listedNumberCalls = describeCalls({
  listNumbers: { query: strict({ ...pageQuery, ...whose }), answer: pageOf(entrySchema) },
  findNumber: {
    body: strict({ phoneNumber: numberSchema }),
    answer: strict({ entries: Type.Array(entrySchema) }),
  },
  addNumber: {
    body: strict({
      ...whose,
      phoneNumber: numberSchema,
      reason: reasonSchema,
      /** Default: until it is removed. */
      expiresAt: Type.Optional(timeSchema),
    }),
    answer: strict(changed),
  },
  importNumbers: {
    /** With the columns number, reason and expires. */
    body: strict({ ...whose, file: Type.String({ maxLength: NUMBER_FILE_BYTES_MAX }) }),
    answer: strict({ ...changed, count: Type.Integer() }),
  },
  exportNumbers: {
    body: strict(whose),
    contentType: 'text/csv',
    answer: Type.Unsafe<Readable>(Type.String({ description: 'The file that an import reads.' })),
  },
  removeNumber: { path: entryPath, answer: strict(changed) },
  revealNumber: { path: entryPath, answer: strict({ phoneNumber: Type.String() }) },
  /** What a request adds to a list, or removes from it. */
  listRequestedNumbers: { path: requestPath, query: strict(pageQuery), answer: pageOf(entrySchema) },
  revealRequestedNumbers: { path: requestPath, body: strict(pageQuery), answer: pageOf(entrySchema) },
});
