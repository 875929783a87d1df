// The overview of a merchant's payments, for the first screen.
import { Type } from 'typebox';
import { PAYMENT_KINDS } from '../../../domain/payments/payment.ts';
import { daySchema } from '../days.ts';
import { merchantPath, orNull, strict, timeSchema, describeCalls, arrayOf } from '../shape.ts';
import { walletSchema } from './wallet.ts';

const kindSchema = Type.Enum([...PAYMENT_KINDS], { type: 'string' });
const countSchema = Type.Integer({ minimum: 0 });
const secondsSchema = orNull(Type.Number({ minimum: 0 }));

/** Three months at most. Statements have the rest. */
export const OVERVIEW_DAYS_MAX = 92;

const ends = {
  completed: countSchema,
  completedAmount: Type.String(),
  failed: countSchema,
  failedAmount: Type.String(),
  /** For the completed ones. */
  fees: Type.String(),
};

const ofKind = { kind: kindSchema, currency: Type.String() };
/** `net` = deposits − payouts, refunds and remittances − fees. */
const sums = { fees: Type.String(), net: Type.String() };

export const overviewCalls = describeCalls({
  readOverview: {
    path: merchantPath,
    /** Days in the merchant's time zone, both included. */
    query: strict({ from: daySchema, to: daySchema }),
    answer: strict({
      timeZone: Type.String(),
      /** Whole hours (UTC). If a day of the time zone begins between two of them, the later one. */
      from: timeSchema,
      until: timeSchema,
      /** Payments that ended before this time are counted. */
      countedUntil: orNull(timeSchema),
      /** Whether payments older than a minute are not counted yet. */
      isCatchingUp: Type.Boolean(),
      step: Type.Enum(['HOUR', 'DAY'], { type: 'string' }),
      /** The hours or days that have started. */
      starts: Type.Array(timeSchema),
      /** By the time payments ended. Hours and days without any are omitted. */
      volumes: arrayOf({ at: timeSchema, ...ofKind, ...ends }),
      /** `previous` is the same length of time before this period. */
      totals: arrayOf({ ...ofKind, ...ends, previous: strict(ends) }),
      /** The currency with most payments first. */
      currencies: arrayOf({ currency: Type.String(), count: countSchema, ...sums, previous: strict(sums) }),
      /** The median and the 90th percentile, of 20 payments or more; the maximum is one day. */
      providers: arrayOf({
        provider: Type.String(),
        ...ofKind,
        completed: countSchema,
        failed: countSchema,
        p50Seconds: secondsSchema,
        p90Seconds: secondsSchema,
      }),
      failures: arrayOf({ ...ofKind, failureCode: Type.String(), count: countSchema }),
      /** Null if the reader may not see wallets. */
      wallets: orNull(Type.Array(walletSchema)),
    }),
  },
});
