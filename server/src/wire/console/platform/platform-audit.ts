// The audit log of everything, for the platform's people.
import { Type } from 'typebox';
import { auditEntry } from '../merchant/audit.ts';
import { pageOf, pageQuery } from '../page.ts';
import { orNull, strict, describeCalls } from '../shape.ts';
import { codeSchema, uuidSchema } from '../terms.ts';

export const platformAuditCalls = describeCalls({
  listHostAudit: {
    query: strict({
      ...pageQuery,
      merchantId: Type.Optional(uuidSchema),
      actor: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })),
      act: Type.Optional(codeSchema),
    }),
    answer: pageOf(
      strict({
        ...auditEntry,
        /** Both null if it does not concern one merchant. */
        merchantId: orNull(Type.String()),
        merchant: orNull(Type.String()),
        /** Null if there is none, or if the reader may not read free texts, which may contain personal data. */
        reason: orNull(Type.String()),
      }),
    ),
  },
});
