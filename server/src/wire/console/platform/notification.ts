// Authentic messages of operators with unknown references.
import { Type } from 'typebox';
import { DONE, orNull, strict, timeSchema, describeCalls, arrayOf } from '../shape.ts';
import { uuidSchema } from '../terms.ts';

export const notificationCalls = describeCalls({
  listUnmatchedNotifications: {
    answer: strict({
      rows: arrayOf({
        notificationId: Type.String(),
        connector: Type.String(),
        receivedAt: timeSchema,
        /** Null if it does not have the format of our references. */
        reference: orNull(Type.String()),
      }),
    }),
  },
  dismissNotification: {
    path: strict({ notificationId: uuidSchema }),
    answer: DONE,
  },
});
