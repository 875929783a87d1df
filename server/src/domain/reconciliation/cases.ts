// How a case may be resolved: by evidence and kind of payment, which resolutions make sense and what each posts.
// Money that is in our float and no one's yet belongs to the merchant or to the payer; it is never written off. Money
// that is gone and no one has paid for is recovered from the merchant or written off, and nothing else. Evidence that
// the operator took back is reversed.
import type { Evidence } from '../payments/lifecycle.ts';
import type { Amount } from '../money.ts';
import type { PaymentKind } from '../payments/payment.ts';
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

/** Resolutions that make sense, each with what it posts. */
type Ways = Readonly<Partial<Record<Resolution, Template>>>;

/** The money is there: the merchant gets it, or its payer. */
function found(where: 'SUSPENSE' | 'FLOAT'): Required<Pick<Ways, 'CREDIT_MERCHANT' | 'RETURN_TO_PAYER'>> {
  return {
    CREDIT_MERCHANT: (resolved) => creditMerchant(resolved, where),
    RETURN_TO_PAYER: (resolved) => returnToPayer(resolved, where),
  };
}

/** The money is gone: the merchant pays for it, or the platform. */
function lost(where: Outstanding): Required<Pick<Ways, 'RECOVER_FROM_MERCHANT' | 'WRITE_OFF'>> {
  return {
    RECOVER_FROM_MERCHANT: (resolved) => recoverFromMerchant(resolved, where),
    WRITE_OFF: (resolved) => writeOff(resolved, where),
  };
}

type Opening = (posted: Omit<Resolved, 'available' | 'owed'> & { readonly fee: Amount }) => readonly Leg[];

/** The operator took back what opened the case. */
function reversing(opening: Opening): Required<Pick<Ways, 'REVERSE_EVIDENCE'>> {
  return {
    REVERSE_EVIDENCE: (resolved) => reverseEvidence(opening({ ...resolved, fee: 0n }), resolved),
  };
}

/** The payer of a payout or remittance is the merchant itself; only a refund has a payer to give the money to. */
const merchantOnly: Ways = {
  CREDIT_MERCHANT: found('SUSPENSE').CREDIT_MERCHANT,
  ...reversing(reversalOfOutgoing),
};
const lostOutgoing: Ways = { ...lost('SUSPENSE'), ...reversing(lateSuccessOfOutgoing) };
const discrepancyOfOutgoing: Ways = { CREDIT_MERCHANT: found('FLOAT').CREDIT_MERCHANT, ...lost('FLOAT') };

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
  // Nothing was posted when the case was opened, so each way posts the difference between the operator's statement
  // and our books itself, out of the float or into it.
  DISCREPANCY: {
    DEPOSIT: { ...found('FLOAT'), ...lost('FLOAT') },
    PAYOUT: discrepancyOfOutgoing,
    REFUND: { ...found('FLOAT'), ...lost('FLOAT') },
    REMITTANCE: discrepancyOfOutgoing,
  },
};

export type CaseKind = { readonly evidence: Evidence; readonly kind: PaymentKind };

export function allowedResolutions({ evidence, kind }: CaseKind): readonly Resolution[] {
  return RESOLUTIONS.filter((resolution) => WAYS[evidence][kind][resolution] !== undefined);
}

/** The transfers that resolve a case. Throws for a resolution that is not allowed: ask before. */
export function resolutionLegs(
  { evidence, kind }: CaseKind,
  resolution: Resolution,
  resolved: Resolved,
): readonly Leg[] {
  const template = WAYS[evidence][kind][resolution];
  if (template === undefined) throw new Error(`${evidence} of a ${kind} is not resolved by ${resolution}`);
  return template(resolved);
}

/** Whether a person must say how much the case is about. Otherwise it is the payment's amount. */
export function needsAmount({ evidence }: Pick<CaseKind, 'evidence'>): boolean {
  return evidence === 'DISCREPANCY';
}

/** A case among those of its payment with the same evidence: the first is number 1. */
export type NumberedCase = { readonly evidence: Evidence; readonly caseNo: number };

/** Each further case of the same evidence has leg numbers of its own, this far behind those of the one before. */
const LEGS_OF_CASE = 1_000;

/** Where the legs begin that are posted when a case opens. Those of its payment's own posting begin at 0. */
export function openingLegNoOf({ evidence, caseNo }: NumberedCase): number {
  return (evidence === 'LATE_SUCCESS' ? 10 : 20) + LEGS_OF_CASE * (caseNo - 1);
}

/** Where the legs begin that resolve a case. */
export function firstLegNoOf({ evidence, caseNo }: NumberedCase): number {
  return RESOLVING_LEG_NO[evidence] + LEGS_OF_CASE * (caseNo - 1);
}

const RESOLVING_LEG_NO: Readonly<Record<Evidence, number>> = {
  LATE_SUCCESS: 30,
  LATE_FAILURE: 40,
  DISCREPANCY: 50,
};
