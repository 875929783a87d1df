// The health of the whole system: the last measurements.
import { Type } from 'typebox';
import { strict, timeSchema, type Shape } from '../shape.ts';

export const readHealthShape = {
  answer: strict({
    now: timeSchema,
    cell: Type.String(),
    environment: Type.Enum(['sandbox', 'production'], { type: 'string' }),
    /** Everything that must be zero is zero, and every part was measured in time. */
    isSound: Type.Boolean(),
    monitors: Type.Array(
      strict({
        part: Type.Enum(['flow', 'float', 'books'], { type: 'string' }),
        /** Null if it was never measured: no worker is running. */
        ageSeconds: Type.Union([Type.Number(), Type.Null()]),
        intervalSeconds: Type.Number(),
        isStale: Type.Boolean(),
        samples: Type.Array(
          strict({
            metric: Type.String(),
            help: Type.String(),
            labels: Type.Record(Type.String(), Type.String()),
            /** For display only, never for the books. */
            value: Type.Number(),
            isWrong: Type.Boolean(),
          }),
        ),
      }),
    ),
  }),
} satisfies Shape;
