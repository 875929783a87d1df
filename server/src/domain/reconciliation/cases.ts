// How a case may be resolved: by evidence and kind of payment, the allowed resolutions and what each posts. Money in
// our float without an owner goes to the merchant or the payer; it is never written off. Money that is gone and unpaid
// is recovered from the merchant or written off. Evidence that the operator withdrew is reversed.
import type { Evidence } from '../payments/lifecycle.ts';
import type { Amount } from '../money.ts';
import type { PaymentKind, PaymentState } from '../payments/payment.ts';
import {
  creditMerchant,
  lateSuccessOfDeposit,
  lateSuccessOfOutgoing,
  recoverFromMerchant,
  returnToPayer,
  reversalOfDeposit,
  reversalOfOutgoing,
  reverseEvidence,
  writeOff,
  type Leg,
  type Outstanding,
  type Resolved,
} from '../ledger/postings.ts';

export const RESOLUTIONS = [
  'CREDIT_MERCHANT',
  'RETURN_TO_PAYER',
  'RECOVER_FROM_MERCHANT',
  'WRITE_OFF',
  'REVERSE_EVIDENCE',
] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

type Template = (resolved: Resolved) => readonly Leg[];

/** Allowed resolutions, each with what it posts. */
type Ways = Readonly<Partial<Record<Resolution, Template>>>;

/** The money is in our float: it goes to the merchant or the payer. */
function found(where: 'SUSPENSE' | 'FLOAT'): Required<Pick<Ways, 'CREDIT_MERCHANT' | 'RETURN_TO_PAYER'>> {
  return {
    CREDIT_MERCHANT: (resolved) => creditMerchant(resolved, where),
    RETURN_TO_PAYER: (resolved) => returnToPayer(resolved, where),
  };
}

/** The money is gone: the merchant or the platform pays. */
function lost(where: Outstanding): Required<Pick<Ways, 'RECOVER_FROM_MERCHANT' | 'WRITE_OFF'>> {
  return {
    RECOVER_FROM_MERCHANT: (resolved) => recoverFromMerchant(resolved, where),
    WRITE_OFF: (resolved) => writeOff(resolved, where),
  };
}

type Opening = (
  posted: Omit<Resolved, 'available' | 'collected'> & { readonly fee: Amount },
) => readonly Leg[];

/** The operator withdrew what opened the case. */
function reversing(opening: Opening): Required<Pick<Ways, 'REVERSE_EVIDENCE'>> {
  return {
    REVERSE_EVIDENCE: (resolved) => reverseEvidence(opening({ ...resolved, fee: 0n }), resolved),
  };
}

/** The payer of a payout or remittance is the merchant itself; only a refund has a payer to return the money to. */
const merchantOnly: Ways = {
  CREDIT_MERCHANT: found('SUSPENSE').CREDIT_MERCHANT,
  ...reversing(reversalOfOutgoing),
};
const lostOutgoing: Ways = { ...lost('SUSPENSE'), ...reversing(lateSuccessOfOutgoing) };
/** Nothing was posted when it was opened. Only with a voided file, not by people: see `allowedResolutions`. */
const withdrawn: Ways = { REVERSE_EVIDENCE: () => [] };
const discrepancyOfOutgoing: Ways = {
  CREDIT_MERCHANT: found('FLOAT').CREDIT_MERCHANT,
  ...lost('FLOAT'),
  ...withdrawn,
};

const WAYS: Readonly<Record<Evidence, Readonly<Record<PaymentKind, Ways>>>> = {
  LATE_SUCCESS: {
    DEPOSIT: { ...found('SUSPENSE'), ...reversing(lateSuccessOfDeposit) },
    PAYOUT: lostOutgoing,
    REFUND: lostOutgoing,
    REMITTANCE: lostOutgoing,
  },
  LATE_FAILURE: {
    DEPOSIT: { ...lost('RECEIVABLE'), ...reversing(reversalOfDeposit) },
    PAYOUT: merchantOnly,
    REFUND: { ...found('SUSPENSE'), ...reversing(reversalOfOutgoing) },
    REMITTANCE: merchantOnly,
  },
  // Nothing was posted when the case was opened, so each resolution posts the difference between the operator's report
  // and our books, out of the float or into it.
  DISCREPANCY: {
    DEPOSIT: { ...found('FLOAT'), ...lost('FLOAT'), ...withdrawn },
    PAYOUT: discrepancyOfOutgoing,
    REFUND: { ...found('FLOAT'), ...lost('FLOAT'), ...withdrawn },
    REMITTANCE: discrepancyOfOutgoing,
  },
};

export type CaseKind = { readonly evidence: Evidence; readonly kind: PaymentKind };

/** Those that people may request. A discrepancy is theirs to judge: only the file that reported it can be voided. */
export function allowedResolutions({ evidence, kind }: CaseKind): readonly Resolution[] {
  return RESOLUTIONS.filter(
    (resolution) =>
      WAYS[evidence][kind][resolution] !== undefined &&
      !(evidence === 'DISCREPANCY' && resolution === 'REVERSE_EVIDENCE'),
  );
}

/** What a case says that the operator has done. */
export type Reported = CaseKind & {
  /** What the operator says it moved; null where more than the amount is in doubt. */
  readonly reportedAmount: Amount | null;
  /** The transaction the case is about; undefined where the operator named none. */
  readonly providerTransactionId?: string | undefined;
};

/** What our books have of the payment. */
export type Recorded = {
  readonly state: PaymentState;
  readonly amount: Amount;
  /** The transaction that completed it. */
  readonly providerTransactionId?: string | undefined;
};

/**
 * The most that the merchant could have to pay when a case about its payment is resolved, which is what its wallet
 * holds until then. Where only the amount is in doubt, that is the difference between what the operator says it moved
 * (`reportedAmount`) and what our books moved or have reserved, or nothing when the difference is in the merchant's
 * favour. Where anything else is in doubt (`reportedAmount` is null), it is the whole payment. A transaction beside the
 * one that completed an outgoing payment took all that it moved. A deposit that is not COMPLETED has credited nothing.
 */
export function amountAtRisk(reported: Reported, payment: Recorded): Amount {
  const { evidence, kind, reportedAmount } = reported;
  const { state, amount } = payment;
  if (WAYS[evidence][kind].RECOVER_FROM_MERCHANT === undefined) return 0n;
  if (evidence !== 'DISCREPANCY') return amount;
  if (kind === 'DEPOSIT') {
    if (state !== 'COMPLETED') return 0n;
    if (reportedAmount === null || isOtherTransaction(reported, payment)) return amount;
    return atLeastZero(amount - reportedAmount);
  }
  if (state === 'FAILED') return reportedAmount ?? amount;
  if (reportedAmount === null) return state === 'COMPLETED' ? amount : 0n;
  if (isOtherTransaction(reported, payment)) return reportedAmount;
  return atLeastZero(reportedAmount - amount);
}

/** Of a payment that is not COMPLETED nobody knows yet which transaction will be its own. */
function isOtherTransaction(
  { providerTransactionId: about }: Reported,
  { providerTransactionId: own }: Recorded,
): boolean {
  return about !== undefined && own !== undefined && about !== own;
}

function atLeastZero(amount: Amount): Amount {
  return amount > 0n ? amount : 0n;
}

/** Whether a case opened a debt of the merchant when it was opened. */
export function opensDebt({ evidence, kind }: CaseKind): boolean {
  return evidence === 'LATE_FAILURE' && kind === 'DEPOSIT';
}

/** The transfers that resolve a case. Throws for a resolution that is not allowed: check before. */
export function resolutionLegs(
  { evidence, kind }: CaseKind,
  resolution: Resolution,
  resolved: Resolved,
): readonly Leg[] {
  const template = WAYS[evidence][kind][resolution];
  if (template === undefined) throw new Error(`${evidence} of a ${kind} is not resolved by ${resolution}`);
  return template(resolved);
}

/** Whether a person must enter the amount of the case. Otherwise it is the payment's amount. */
export function needsAmount({ evidence }: Pick<CaseKind, 'evidence'>): boolean {
  return evidence === 'DISCREPANCY';
}

/** A case among those of its payment with the same evidence: the first is number 1. */
export type NumberedCase = { readonly evidence: Evidence; readonly caseNo: number };

/** The distance between the leg numbers of further cases with the same evidence. */
const LEGS_OF_CASE = 1_000;

/** The first leg number of the postings that open a case. The payment's own posting starts at 0. */
export function openingLegNoOf({ evidence, caseNo }: NumberedCase): number {
  return (evidence === 'LATE_SUCCESS' ? 10 : 20) + LEGS_OF_CASE * (caseNo - 1);
}

/** The first leg number of the postings that resolve a case. */
export function firstLegNoOf({ evidence, caseNo }: NumberedCase): number {
  return RESOLVING_LEG_NO[evidence] + LEGS_OF_CASE * (caseNo - 1);
}

const RESOLVING_LEG_NO: Readonly<Record<Evidence, number>> = {
  LATE_SUCCESS: 30,
  LATE_FAILURE: 40,
  DISCREPANCY: 50,
};
