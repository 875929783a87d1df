// The overview of a merchant's payments, for the first screen.
import { Type } from 'typebox';
import { FAILURES, failureReason, type FailureCode } from '../../../domain/failure.ts';
import { renderAmount, type Amount } from '../../../domain/money.ts';
import { PAYMENT_KINDS, type PaymentKind } from '../../../domain/payments/payment.ts';
import { daySchema, type DaySpan } from '../days.ts';
import { merchantPath, orNull, strict, timeSchema, type AnswerOf, describeCalls, arrayOf } from '../shape.ts';
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

/** Half, and nine in ten, had ended within these; a day stands for longer too. */
const times = { meanSeconds: secondsSchema, p50Seconds: secondsSchema, p90Seconds: secondsSchema };

export const overviewCalls = describeCalls({
  readOverview: {
    path: merchantPath,
    /** Days of UTC, both included. */
    query: strict({ from: daySchema, to: daySchema }),
    answer: strict({
      from: timeSchema,
      until: timeSchema,
      /** What ended before this is counted. */
      countedUntil: orNull(timeSchema),
      /** Whether there is more to count than the last minute. */
      isCatchingUp: Type.Boolean(),
      step: Type.Enum(['HOUR', 'DAY'], { type: 'string' }),
      /** By when payments ended. Hours and days without any are left out. */
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
      /** Null for those who may not see wallets. */
      wallets: orNull(Type.Array(walletSchema)),
    }),
  },
});

type Ends = {
  readonly completed: number;
  readonly completedAmount: Amount;
  readonly failed: number;
  readonly failedAmount: Amount;
};

type Times = { readonly mean: number | null; readonly p50: number | null; readonly p90: number | null };

type Rate = { readonly completed: number; readonly failed: number; readonly kind: PaymentKind };

type OverviewFacts = {
  readonly counted: { readonly until: Date | null; readonly isBehind: boolean };
  readonly step: 'HOUR' | 'DAY';
  readonly volumes: readonly (Ends & {
    readonly at: Date;
    readonly kind: PaymentKind;
    readonly currency: string;
  })[];
  readonly totals: readonly (Ends & { readonly kind: PaymentKind; readonly currency: string })[];
  readonly providers: readonly (Rate & Times & { readonly provider: string })[];
  readonly kinds: readonly (Rate & Times)[];
  readonly failures: readonly {
    readonly kind: PaymentKind;
    readonly failureCode: string;
    readonly count: number;
  }[];
};

export function renderOverview(
  { counted, step, ...overview }: OverviewFacts,
  { from, until }: DaySpan,
): Omit<AnswerOf<typeof overviewCalls.readOverview>, 'wallets'> {
  return {
    from: from.toISOString(),
    until: until.toISOString(),
    countedUntil: counted.until?.toISOString() ?? null,
    isCatchingUp: counted.isBehind,
    step,
    volumes: overview.volumes.map(({ at, ...ended }) => ({ at: at.toISOString(), ...renderEnds(ended) })),
    totals: overview.totals.map(renderEnds),
    providers: overview.providers.map(renderTimes),
    kinds: overview.kinds.map(renderTimes),
    failures: overview.failures.map((failure) => ({
      ...failure,
      failureMessage: messageOf(failure.failureCode),
    })),
  };
}

function renderEnds<Ended extends Ends>({ completedAmount, failedAmount, ...ended }: Ended) {
  return {
    ...ended,
    completedAmount: renderAmount(completedAmount),
    failedAmount: renderAmount(failedAmount),
  };
}

function renderTimes<Timed extends Times>({ mean, p50, p90, ...timed }: Timed) {
  return { ...timed, meanSeconds: rounded(mean), p50Seconds: rounded(p50), p90Seconds: rounded(p90) };
}

/** Rounded to tenths: the histogram is not more exact. */
function rounded(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 10) / 10;
}

/** A code of a newer version is shown as it is. */
function messageOf(code: string): string {
  return Object.hasOwn(FAILURES, code) ? failureReason(code as FailureCode).failureMessage : code;
}
