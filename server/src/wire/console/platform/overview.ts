// The figures of all merchants, for the platform's first screen.
import { Type } from 'typebox';
import { daySchema } from '../days.ts';
import { OVERVIEW_DAYS_MAX } from '../merchant/overview.ts';
import { arrayOf, describeCalls, orNull, strict, timeSchema } from '../shape.ts';
import { ownerSchema } from '../terms.ts';

export { OVERVIEW_DAYS_MAX };

const countSchema = Type.Integer({ minimum: 0 });
const secondsSchema = orNull(Type.Number({ minimum: 0 }));

const figures = strict({
  completed: countSchema,
  failed: countSchema,
  completedAmount: Type.String(),
  /** What merchants paid for the completed ones: the platform's revenue. */
  fees: Type.String(),
  /** The median and the 90th percentile; null for fewer than 20 payments. */
  p50Seconds: secondsSchema,
  p90Seconds: secondsSchema,
});

/** The days themselves, and the days before them, as far as the days themselves have passed. */
const compared = { currency: Type.String(), current: figures, previous: figures };

export const platformOverviewCalls = describeCalls({
  readPlatformOverview: {
    /** Days in UTC, both included. */
    query: strict({ from: daySchema, to: daySchema }),
    answer: strict({
      now: timeSchema,
      from: timeSchema,
      until: timeSchema,
      /** The currency with most payments first. */
      totals: arrayOf(compared),
      providers: arrayOf({ provider: Type.String(), ...compared }),
      /** In each currency the 20 with the largest volume. */
      merchants: arrayOf({ ...ownerSchema, ...compared }),
      /** The days that have payments, in UTC. */
      days: arrayOf({
        at: timeSchema,
        currency: Type.String(),
        completed: countSchema,
        failed: countSchema,
        completedAmount: Type.String(),
        fees: Type.String(),
      }),
    }),
  },
});
