// Erasing a person's data at a merchant, and how long data is kept otherwise.
import { Type } from 'typebox';
import { strict, describeCalls } from '../shape.ts';
import { reasonSchema, uuidSchema } from '../terms.ts';

export const erasureCalls = describeCalls({
  erasePerson: {
    body: strict({
      merchantId: uuidSchema,
      phoneNumber: Type.String({ pattern: '^[1-9][0-9]{5,18}$' }),
      reason: reasonSchema,
    }),
    answer: strict({
      /** Its identifier in the audit log. */
      erasureId: Type.String(),
      erased: Type.Integer(),
      /** Payments that are not final, have an open case or checkout, or stand in a report that waits: erased later. */
      open: Type.Integer(),
      /** Cells that did not answer: their operator reports may still name the person. */
      missingCells: Type.Array(Type.String()),
    }),
  },
  readRetention: {
    answer: strict({ notificationDays: Type.Integer(), callbackAttemptDays: Type.Integer() }),
  },
});
