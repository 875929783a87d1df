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
};

const rate = { completed: countSchema, failed: countSchema };

/** The median and the 90th percentile; the maximum is one day. */
const times = { meanSeconds: secondsSchema, p50Seconds: secondsSchema, p90Seconds: secondsSchema };

export const overviewCalls = describeCalls({
  readOverview: {
    path: merchantPath,
    /** Days in UTC, both included. */
    query: strict({ from: daySchema, to: daySchema }),
    answer: strict({
      from: timeSchema,
      until: timeSchema,
      /** Payments that ended before this time are counted. */
      countedUntil: orNull(timeSchema),
      /** Whether payments older than a minute are not counted yet. */
      isCatchingUp: Type.Boolean(),
      step: Type.Enum(['HOUR', 'DAY'], { type: 'string' }),
      /** By the time payments ended. Hours and days without any are omitted. */
      volumes: arrayOf({ at: timeSchema, kind: kindSchema, currency: Type.String(), ...ends }),
      totals: arrayOf({ kind: kindSchema, currency: Type.String(), ...ends }),
      providers: arrayOf({ provider: Type.String(), kind: kindSchema, ...rate, ...times }),
      kinds: arrayOf({ kind: kindSchema, ...rate, ...times }),
      failures: arrayOf({
        kind: kindSchema,
        failureCode: Type.String(),
        failureMessage: Type.String(),
        count: countSchema,
      }),
      /** Null if the reader may not see wallets. */
      wallets: orNull(Type.Array(walletSchema)),
    }),
  },
});
