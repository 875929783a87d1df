// Authentic messages of operators with unknown references.
import { Type } from 'typebox';
import { DONE, orNull, strict, timeSchema, type Shape } from '../shape.ts';
import { uuidSchema } from '../terms.ts';

export const listUnmatchedNotificationsShape = {
  answer: strict({
    rows: Type.Array(
      strict({
        notificationId: Type.String(),
        connector: Type.String(),
        receivedAt: timeSchema,
        /** Null if it does not have the format of our references. */
        reference: orNull(Type.String()),
      }),
    ),
  }),
} satisfies Shape;

export const dismissNotificationShape = {
  path: strict({ notificationId: uuidSchema }),
  answer: DONE,
} satisfies Shape;
