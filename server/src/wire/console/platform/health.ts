// The health of the whole system: the last measurements.
import { Type } from 'typebox';
import { strict, timeSchema, describeCalls, arrayOf } from '../shape.ts';

export const healthCalls = describeCalls({
  readHealth: {
    answer: strict({
      now: timeSchema,
      cell: Type.String(),
      environment: Type.Enum(['sandbox', 'production'], { type: 'string' }),
      /** Everything that must be zero is zero, and every part was measured in time. */
      isSound: Type.Boolean(),
      monitors: arrayOf({
        part: Type.Enum(['flow', 'float', 'books'], { type: 'string' }),
        /** Null if it was never measured: no worker is running. */
        ageSeconds: Type.Union([Type.Number(), Type.Null()]),
        intervalSeconds: Type.Number(),
        isStale: Type.Boolean(),
        samples: arrayOf({
          metric: Type.String(),
          help: Type.String(),
          labels: Type.Record(Type.String(), Type.String()),
          /** For display only, never for the books. */
          value: Type.Number(),
          isWrong: Type.Boolean(),
        }),
      }),
    }),
  },
});
