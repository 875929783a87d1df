// What is late: overdue steps of payments, and failing callback endpoints.
import { Type } from 'typebox';
import { orNull, strict, timeSchema, describeCalls, arrayOf } from '../shape.ts';
import { kindSchema, ownerSchema } from '../terms.ts';

export const delayCalls = describeCalls({
  listLatePayments: {
    answer: strict({
      rows: arrayOf({
        ...ownerSchema,
        kind: kindSchema,
        paymentId: Type.String(),
        state: Type.String(),
        provider: Type.String(),
        amount: Type.String(),
        currency: Type.String(),
        createdAt: timeSchema,
        nextAction: Type.String(),
        dueAt: timeSchema,
      }),
    }),
  },
  listFailingEndpoints: {
    answer: strict({
      rows: arrayOf({
        ...ownerSchema,
        kind: Type.String(),
        /** The address without its path, which may be a secret. */
        host: Type.String(),
        failureCount: Type.Integer(),
        failingSince: orNull(timeSchema),
        /** Null if it is tried normally. */
        pausedUntil: orNull(timeSchema),
        disabledAt: orNull(timeSchema),
        disabledBecause: orNull(Type.String()),
        waitingSince: orNull(timeSchema),
      }),
    }),
  },
});
