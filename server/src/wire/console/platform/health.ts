// The health of the whole system: open problems and the last measurements.
import { Type } from 'typebox';
import { strict, timeSchema, describeCalls, arrayOf } from '../shape.ts';
import { problemsSchema } from './problem.ts';

export const healthCalls = describeCalls({
  readHealth: {
    answer: strict({
      now: timeSchema,
      cell: Type.String(),
      environment: Type.Enum(['sandbox', 'production'], { type: 'string' }),
      ...problemsSchema,
      monitors: arrayOf({
        part: Type.Enum(['flow', 'float', 'books'], { type: 'string' }),
        /** Null if it was never measured: no worker is running. */
        ageSeconds: Type.Union([Type.Number(), Type.Null()]),
        intervalSeconds: Type.Number(),
        isStale: Type.Boolean(),
        samples: arrayOf({
          /** A name under which Prometheus knows it too. The dashboard words it. */
          metric: Type.String(),
          labels: Type.Record(Type.String(), Type.String()),
          /** For display only, never for the books. */
          value: Type.Number(),
          isWrong: Type.Boolean(),
        }),
      }),
    }),
  },
});
