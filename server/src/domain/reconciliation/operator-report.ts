// What a line of an operator's statement says, and what it was found to mean for our books. Pure.
import type { FloatMovementType } from '../ledger/float-movement.ts';
import type { PaymentFailureCode } from '../failure.ts';
import { parseAmount, renderAmount, type Amount } from '../money.ts';
import { judge, type End } from '../payments/outcome.ts';
import type { Payment } from '../payments/payment.ts';
import type { Direction } from '../ledger/postings.ts';

export type StatementLine = {
  /** When the operator moved the money, or gave it up. */
  readonly occurredAt: Date;
  readonly direction: Direction;
  readonly status: 'COMPLETED' | 'FAILED';
  readonly amount: Amount;
  readonly currency: string;
  /** Ours, or the one the operator picked for the attempt. */
  readonly reference?: string;
  readonly providerTransactionId?: string;
  readonly phoneNumber?: string;
  readonly failureCode?: PaymentFailureCode;
  /** For what is not about a payment. */
  readonly movement?: FloatMovementType;
};

/**
 * AGREES: our books say the same. APPLIED: an open payment has ended by it. CASE: it contradicts us, and a case holds
 * it. UNMATCHED: it is a payment of ours that a restored database has lost, and its money stands in SUSPENSE. UNKNOWN:
 * it is about nothing of ours. MISMATCHED: it names a payment of another provider, or in the other direction. NOT_SENT:
 * it names a payment that was not sent. UNCONFIRMED: it says FAILED of what is COMPLETED, and the operator does not.
 * ELSEWHERE: its merchant lives in another cell. TO_APPROVE: it would end a payment, and a second person must agree.
 * REQUESTED: it is no payment, and its posting waits for an approval.
 */
export const FINDINGS = [
  'AGREES',
  'APPLIED',
  'CASE',
  'UNMATCHED',
  'UNKNOWN',
  'MISMATCHED',
  'NOT_SENT',
  'UNCONFIRMED',
  'ELSEWHERE',
  'TO_APPROVE',
  'REQUESTED',
] as const;
export type Finding = (typeof FINDINGS)[number];

/** As people see it. RESOLVED: the case that holds it is resolved, and nothing is open. */
export type ShownFinding = Finding | 'RESOLVED';

/** Nothing more can come of a line that was found to mean this; all others are compared again with the next import. */
export function isSettled(finding: Finding): boolean {
  return finding === 'AGREES' || finding === 'APPLIED' || finding === 'CASE';
}

/** What a person must look at. */
export const TO_LOOK_AT: readonly Finding[] = FINDINGS.filter(
  (finding) => finding !== 'AGREES' && finding !== 'APPLIED',
);

/** The same text for the same line, in whichever order its columns stood: what is hashed, encrypted and shown. */
export function lineText(line: StatementLine): string {
  const { occurredAt, amount, ...rest } = line;
  const facts = { ...rest, time: occurredAt.toISOString(), amount: renderAmount(amount) };
  return JSON.stringify(Object.fromEntries(Object.entries(facts).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** Only ever given what `lineText` made. */
export function parseLineText(text: string): StatementLine {
  const { time, amount, ...rest } = JSON.parse(text) as Omit<StatementLine, 'occurredAt' | 'amount'> & {
    readonly time: string;
    readonly amount: string;
  };
  const parsed = parseAmount(amount);
  if (parsed === null) throw new Error('a line that is kept has no amount');
  return { ...rest, occurredAt: new Date(time), amount: parsed };
}

/** What the operator tells by a line. */
export function outcomeOfLine(line: StatementLine): End {
  const { providerTransactionId, amount, currency, phoneNumber, failureCode = 'UNSPECIFIED_FAILURE' } = line;
  const transaction = providerTransactionId === undefined ? {} : { providerTransactionId };
  if (line.status === 'FAILED') return { type: 'FAILED', code: failureCode, ...transaction };
  const moved = { amount, currency, ...(phoneNumber === undefined ? {} : { phoneNumber }) };
  return { type: 'COMPLETED', ...transaction, moved };
}

/** What can be said of a line without touching its payment; null where the payment must decide. */
export function compareLine(
  line: StatementLine,
  { provider, payment }: { readonly provider: string; readonly payment: Payment },
): Finding | null {
  if (payment.provider !== provider || line.direction !== directionOf(payment)) return 'MISMATCHED';
  if (payment.state !== line.status) return null;
  return line.status === 'FAILED' || isSameSuccess(line, payment) ? 'AGREES' : null;
}

/** Which way a payment's money goes. */
export function directionOf({ kind }: Pick<Payment, 'kind'>): Direction {
  return kind === 'DEPOSIT' ? 'IN' : 'OUT';
}

/** A payment that was completed without a transaction gets it from the statement, so it must be asked. */
function isSameSuccess(line: StatementLine, payment: Payment): boolean {
  const { amount, currency, details, providerTransactionId } = payment;
  const asked = { amount, currency, phoneNumber: details.phoneNumber };
  const isSame =
    line.providerTransactionId === undefined || line.providerTransactionId === providerTransactionId;
  return isSame && judge(outcomeOfLine(line), asked).type === 'COMPLETED';
}
