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
        /** Both null for what concerns no merchant alone. */
        merchantId: orNull(Type.String()),
        merchant: orNull(Type.String()),
        /** Null where there is none, or for anyone who may not read the words of people: they may name people. */
        reason: orNull(Type.String()),
      }),
    ),
  },
});
