// A line of an operator report, and the finding after comparing it with our books. Pure.
import { FLOAT_MOVEMENT_TYPES, type FloatMovementType } from '../ledger/float-movement.ts';
import type { PaymentFailureCode } from '../failure.ts';
import { parseAmount, renderAmount, type Amount } from '../money.ts';
import type { Transition } from '../payments/lifecycle.ts';
import { validateOutcome, type End } from '../payments/outcome.ts';
import type { Payment } from '../payments/payment.ts';
import type { Direction } from '../ledger/postings.ts';

export type OperatorReportLine = {
  /** When the operator moved the money, or failed it. */
  readonly occurredAt: Date;
  readonly direction: Direction;
  readonly status: 'COMPLETED' | 'FAILED';
  readonly amount: Amount;
  readonly currency: string;
  /** Our reference, or the operator's. */
  readonly reference?: string;
  readonly providerTransactionId?: string;
  readonly phoneNumber?: string;
  readonly failureCode?: PaymentFailureCode;
  /** For lines that are not about a payment. */
  readonly movement?: FloatMovementType;
};

/**
 * AGREES: our books say the same. APPLIED: it ended an open payment. CASE: it contradicts our books, and a case exists.
 * UNMATCHED: a payment that a restored database has lost; its money is in SUSPENSE. UNKNOWN: not about us. MISMATCHED:
 * it names a payment of another provider or direction. NOT_SENT: it names a payment that was not sent. UNCONFIRMED: it
 * says FAILED about a COMPLETED payment, but the operator does not confirm it. OTHER_CELL: its merchant is in another
 * cell. TO_APPROVE: it would have an effect (see LINE_EFFECTS), and waits for the approval of its report. REJECTED: its
 * report was not approved. REQUESTED: it is not a payment, and its posting waits because a person requested it.
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
  'OTHER_CELL',
  'TO_APPROVE',
  'REJECTED',
  'REQUESTED',
] as const;
export type Finding = (typeof FINDINGS)[number];

/**
 * What a line does once its report is approved. END_COMPLETED and END_FAILED: it ends an open payment. CASE: it opens a
 * case about a success that contradicts our books. REVERSAL: it opens the case of a payment that COMPLETED and was
 * taken back. LOST_PAYMENT: it posts a payment that a restored database has lost. Those of a movement: it posts it.
 */
export const LINE_EFFECTS = [
  'END_COMPLETED',
  'END_FAILED',
  'CASE',
  'REVERSAL',
  'LOST_PAYMENT',
  ...FLOAT_MOVEMENT_TYPES,
] as const;
export type LineEffect = (typeof LINE_EFFECTS)[number];

/** The effect on a payment of what a line says; null where it changes nothing that the books or people depend on. */
export function effectOf(transition: Transition): LineEffect | null {
  switch (transition.type) {
    case 'NOTHING':
      return null;
    case 'CONTRADICTION':
      return transition.evidence === 'LATE_FAILURE' ? 'REVERSAL' : 'CASE';
    case 'MOVE':
      if (transition.evidence !== undefined) return 'CASE';
      if (transition.next !== null) return null;
      return transition.to === 'COMPLETED' ? 'END_COMPLETED' : 'END_FAILED';
  }
}

/**
 * Whether a line that was approved with one effect may have another by now. A lost payment that its merchant has sent
 * again completes from the line: that is what its approval was for.
 */
export function permitsEffect(approved: LineEffect, effect: LineEffect): boolean {
  return approved === effect || (approved === 'LOST_PAYMENT' && effect === 'END_COMPLETED');
}

/** As shown to people. RESOLVED: its case is resolved, and nothing is open. */
export type ShownFinding = Finding | 'RESOLVED';

/** Final findings. Lines with any other finding are compared again at the next import. */
export function isSettled(finding: Finding): boolean {
  return finding === 'AGREES' || finding === 'APPLIED' || finding === 'CASE';
}

/** Findings that a person must look at. */
export const TO_LOOK_AT: readonly Finding[] = FINDINGS.filter(
  (finding) => finding !== 'AGREES' && finding !== 'APPLIED',
);

/** The same text for the same line, whatever the order of its columns: it is hashed, encrypted and shown. */
export function lineText(line: OperatorReportLine): string {
  const { occurredAt, amount, ...rest } = line;
  const facts = { ...rest, time: occurredAt.toISOString(), amount: renderAmount(amount) };
  return JSON.stringify(Object.fromEntries(Object.entries(facts).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** Only for the output of `lineText`. */
export function parseLineText(text: string): OperatorReportLine {
  const { time, amount, ...rest } = JSON.parse(text) as Omit<OperatorReportLine, 'occurredAt' | 'amount'> & {
    readonly time: string;
    readonly amount: string;
  };
  const parsed = parseAmount(amount);
  if (parsed === null) throw new Error('a line that is kept has no amount');
  return { ...rest, occurredAt: new Date(time), amount: parsed };
}

/** The same line, naming no person. */
export function withoutNumber(text: string): string {
  const { phoneNumber: _, ...line } = parseLineText(text);
  return lineText(line);
}

/** How much a line brought to us; below zero, how much left. */
export function movedBy({ status, direction, amount }: OperatorReportLine): Amount {
  if (status === 'FAILED') return 0n;
  return direction === 'IN' ? amount : -amount;
}

/** The outcome that a line reports. */
export function outcomeOfLine(line: OperatorReportLine): End {
  const { providerTransactionId, amount, currency, phoneNumber, failureCode = 'UNSPECIFIED_FAILURE' } = line;
  const transaction = providerTransactionId === undefined ? {} : { providerTransactionId };
  if (line.status === 'FAILED')
    return { type: 'FAILED', code: failureCode, stated: { amount, currency }, ...transaction };
  const moved = { amount, currency, ...(phoneNumber === undefined ? {} : { phoneNumber }) };
  return { type: 'COMPLETED', ...transaction, moved };
}

/** The finding if it does not depend on the payment's state; null otherwise. */
export function compareLine(
  line: OperatorReportLine,
  { provider, payment }: { readonly provider: string; readonly payment: Payment },
): Finding | null {
  if (payment.provider !== provider || line.direction !== directionOf(payment)) return 'MISMATCHED';
  if (payment.state !== line.status) return null;
  return line.status === 'FAILED' || isSameSuccess(line, payment) ? 'AGREES' : null;
}

/**
 * Whether a line says something else of a final payment than our books know for certain: another provider or direction,
 * another end, amount or currency.
 */
export function contradicts(
  line: OperatorReportLine,
  { provider, payment }: { readonly provider: string; readonly payment: Payment },
): boolean {
  if (payment.provider !== provider || line.direction !== directionOf(payment)) return true;
  if (payment.state !== line.status) return true;
  return line.amount !== payment.amount || line.currency !== payment.currency;
}

/** Final payments of ours that lines are about, and how many of them a line contradicts. */
export type ReadingCounts = { readonly knownCount: number; readonly differingCount: number };

/** With lines about fewer final payments, nothing is said about a file as a whole. */
const KNOWN_MIN = 20;

/** Whether a report was probably read wrongly: more than half of what is known differs. */
export function isReadWrongly({ knownCount, differingCount }: ReadingCounts): boolean {
  return knownCount >= KNOWN_MIN && differingCount * 2 > knownCount;
}

/** The direction of a payment's money. */
export function directionOf({ kind }: Pick<Payment, 'kind'>): Direction {
  return kind === 'DEPOSIT' ? 'IN' : 'OUT';
}

/** A payment that completed without a transaction id gets it from the report. */
function isSameSuccess(line: OperatorReportLine, payment: Payment): boolean {
  const { amount, currency, details, providerTransactionId } = payment;
  const asked = { amount, currency, phoneNumber: details.phoneNumber };
  const isSame =
    line.providerTransactionId === undefined || line.providerTransactionId === providerTransactionId;
  return isSame && validateOutcome(outcomeOfLine(line), asked).type === 'COMPLETED';
}
