// What a statement is: a wallet, a span of time, and every movement of the wallet in it between two balances.
import type { Amount } from './money.ts';
import type { PaymentDetails, PaymentState } from './payments/payment.ts';

export type StatementWallet = {
  readonly country: string;
  readonly currency: string;
  /** Empty when the wallet is not tied to one provider. */
  readonly provider: string;
};

export type StatementStatus = 'PROCESSING' | 'COMPLETED' | 'FAILED';

/** From the first time on, before the second. */
export type StatementRange = { readonly startsAt: Date; readonly endsAt: Date };

export const STATEMENT_DAYS_MAX = 31;
const DAY_MS = 24 * 3_600_000;

/** What is wrong with a range, to end the sentence "The dates cannot be used: …". Null when it is sound. */
export function findRangeFault({ startsAt, endsAt }: StatementRange, now: Date): string | null {
  if (endsAt <= startsAt) return 'endDate must be after startDate';
  if (endsAt.getTime() - startsAt.getTime() > STATEMENT_DAYS_MAX * DAY_MS) {
    return `there can be at most '${STATEMENT_DAYS_MAX}' days between them`;
  }
  return startsAt >= now ? 'startDate must be in the past' : null;
}

/** What a statement tells of a payment. */
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

/** What moved a wallet at one time for one reason. Times are texts, RFC 3339 in UTC: they are only told. */
export type Movement = {
  /** What it is about: a kind of payment, or an act such as TOP_UP. */
  readonly subjectKind: string;
  readonly subjectId: string;
  /** 0 for the subject's own movement; others are of cases about a payment. */
  readonly postingNo: number;
  /** The posting's template, such as CREDIT_MERCHANT. */
  readonly template: string;
  readonly at: string;
  /** What the wallet gained; below zero, what it paid. Fees are in it. */
  readonly net: Amount;
  /** Null for what is no payment's. */
  readonly payment: StatedPayment | null;
};

/** A movement as a row: with its fee, and with what is in the wallet afterwards. */
export type StatementRow = Pick<Movement, 'at' | 'net' | 'payment'> & {
  readonly id: string;
  readonly type: string;
  /** `net` = `amount` − `fee`. Below zero for what the wallet pays. */
  readonly amount: Amount;
  readonly fee: Amount;
  readonly balance: Amount;
};

/** Holds a movement against its payment. Throws where the books and the payment disagree: that must never be told. */
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
