// A wallet statement: a wallet, a time range, and every movement between two balances.
import type { ProcessTime } from './clock.ts';
import type { Amount } from './money.ts';
import type { PaymentDetails, PaymentState } from './payments/payment.ts';

export type StatementWallet = {
  readonly country: string;
  readonly currency: string;
  /** Empty if the wallet is not tied to one provider. */
  readonly provider: string;
};

export type StatementStatus = 'PROCESSING' | 'COMPLETED' | 'FAILED';

/** Includes the first time, excludes the second. */
export type StatementRange = { readonly startsAt: Date; readonly endsAt: Date };

export const STATEMENT_DAYS_MAX = 31;
const DAY_MS = 24 * 3_600_000;
/** By as much a month is longer in a zone that sets its clocks back. */
const CLOCK_CHANGE_MS = 3_600_000;

/** The error in a range, which completes the sentence "The dates cannot be used: …". Null if there is none. */
export function findRangeFault(
  { startsAt, endsAt }: StatementRange,
  { now, areDays }: { readonly now: ProcessTime; readonly areDays: boolean },
): string | null {
  if (endsAt <= startsAt) return 'endDate must be after startDate';
  const longestMs = STATEMENT_DAYS_MAX * DAY_MS + (areDays ? CLOCK_CHANGE_MS : 0);
  if (endsAt.getTime() - startsAt.getTime() > longestMs) {
    return `there can be at most '${STATEMENT_DAYS_MAX}' days between them`;
  }
  return startsAt >= now ? 'startDate must be in the past' : null;
}

/** The fields of a payment in a statement. */
export type StatedPayment = {
  /** The identifier as the merchant wrote it. */
  readonly writtenId: string;
  readonly state: PaymentState;
  readonly amount: Amount;
  readonly fee: Amount;
  readonly provider: string;
  /** RFC 3339 in UTC. */
  readonly createdAt: string;
  readonly providerTransactionId: string | null;
  readonly details: PaymentDetails;
};

/** One movement of a wallet. Times are texts, RFC 3339 in UTC. */
export type Movement = {
  /** The subject: a kind of payment, or an action such as TOP_UP. */
  readonly subjectKind: string;
  readonly subjectId: string;
  /** 0 for the subject's own movement; others belong to cases about a payment. */
  readonly postingNo: number;
  /** The posting's template, such as CREDIT_MERCHANT. */
  readonly template: string;
  readonly at: string;
  /** The change of the wallet, including fees; negative: a payment. */
  readonly net: Amount;
  /** Null if it is not about a payment. */
  readonly payment: StatedPayment | null;
};

/** A movement as a row, with its fee and the balance after it. */
export type StatementRow = Pick<Movement, 'at' | 'net' | 'payment'> & {
  readonly id: string;
  readonly type: string;
  /** `net` = `amount` − `fee`. Negative if the wallet pays. */
  readonly amount: Amount;
  readonly fee: Amount;
  readonly balance: Amount;
};

/**
 * Compares a movement with its payment. Throws if the books and the payment disagree: such a statement must never be
 * sent.
 */
export function statementRow(movement: Movement, balance: Amount): StatementRow {
  const { net, at, subjectKind, subjectId, template, payment } = movement;
  const isOwn = movement.postingNo === 0;
  const fee = isOwn && payment !== null ? payment.fee : 0n;
  const amount = net + fee;
  if (isOwn && payment !== null && amount !== (net < 0n ? -payment.amount : payment.amount)) {
    throw new Error(`the movement of ${subjectKind} ${subjectId} is not what its payment says`);
  }
  return {
    id: payment?.writtenId ?? subjectId,
    type: isOwn ? subjectKind : template,
    at,
    amount,
    fee,
    net,
    balance,
    payment,
  };
}
