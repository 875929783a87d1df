// Who did what by hand.
import { Type } from 'typebox';
import { pageOf, pageQuery } from './page.ts';
import { merchantPath, orNull, strict, timeSchema, type Shape } from './shape.ts';
import { codeSchema, uuidSchema } from './terms.ts';

const entrySchema = strict({
  at: timeSchema,
  actor: Type.String(),
  act: Type.String(),
  merchantId: orNull(Type.String()),
  merchant: orNull(Type.String()),
  subject: Type.String(),
  /** Codes, identifiers and amounts only. */
  detail: Type.Unknown(),
  /** Null where there is none, or for whoever may not read the words of people: they may name people. */
  reason: orNull(Type.String()),
});

const filters = {
  actor: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })),
  act: Type.Optional(codeSchema),
};

export const listAuditShape = {
  query: strict({ ...pageQuery, ...filters, merchantId: Type.Optional(uuidSchema) }),
  answer: pageOf(entrySchema),
} satisfies Shape;

export const listMerchantAuditShape = {
  path: merchantPath,
  query: strict({ ...pageQuery, ...filters }),
  answer: pageOf(entrySchema),
} satisfies Shape;
