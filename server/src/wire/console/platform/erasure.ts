// Forgetting a person at a merchant, and what is kept for how long anyway.
import { Type } from 'typebox';
import { strict, type Shape } from '../shape.ts';
import { reasonSchema, uuidSchema } from '../terms.ts';

export const erasePersonShape = {
  body: strict({
    merchantId: uuidSchema,
    phoneNumber: Type.String({ pattern: '^[1-9][0-9]{5,18}$' }),
    reason: reasonSchema,
  }),
  answer: strict({
    /** By which the audit log knows it. */
    erasureId: Type.String(),
    erased: Type.Integer(),
    /** Payments that are not final, or that a case is open about: they keep theirs until then. */
    open: Type.Integer(),
  }),
} satisfies Shape;

export const readRetentionShape = {
  answer: strict({ notificationDays: Type.Integer(), callbackAttemptDays: Type.Integer() }),
} satisfies Shape;
