// How the whole system is: what monitors measured last.
import { Type } from 'typebox';
import { strict, timeSchema, type Shape } from '../shape.ts';

export const readHealthShape = {
  answer: strict({
    now: timeSchema,
    cell: Type.String(),
    environment: Type.Enum(['sandbox', 'production'], { type: 'string' }),
    /** Nothing that must be zero is not, and every part was measured in its time. */
    isSound: Type.Boolean(),
    monitors: Type.Array(
      strict({
        part: Type.Enum(['flow', 'float', 'books'], { type: 'string' }),
        /** Null where it was never measured: then no worker runs. */
        ageSeconds: Type.Union([Type.Number(), Type.Null()]),
        intervalSeconds: Type.Number(),
        isStale: Type.Boolean(),
        samples: Type.Array(
          strict({
            metric: Type.String(),
            help: Type.String(),
            labels: Type.Record(Type.String(), Type.String()),
            /** For looking at, never for the books. */
            value: Type.Number(),
            isWrong: Type.Boolean(),
          }),
        ),
      }),
    ),
  }),
} satisfies Shape;
