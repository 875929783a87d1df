// How much of a deposit its refunds have given back. What counts is what has left, as far as it is known: a refund's
// own end, corrected by what people found out when they resolved its cases.
import type { Amount } from '../money.ts';
import { isFinal, type Evidence } from '../payments/lifecycle.ts';
import type { PaymentState } from '../payments/payment.ts';
import type { Resolution } from './cases.ts';

/** A case as far as it says what has left. Evidence that the operator withdrew says nothing, and is no such case. */
export type CaseFacts = {
  readonly evidence: Evidence;
  /** With its amount, once two people have resolved it; null while it is open. */
  readonly resolved: { readonly resolution: Resolution; readonly amount: Amount } | null;
};

/** A refund, as the next refund of its deposit sees it. */
export type GivenBack = {
  readonly amount: Amount;
  /** How much it gives back is not known yet: nothing else may be refunded meanwhile. */
  readonly isInProgress: boolean;
};

/**
 * What a refund has given back. A refund that FAILED gave back nothing, unless its operator paid it all the same. A
 * discrepancy leaves open how much left until it is resolved: what the merchant or the platform bears has left in
 * addition, and what came back to the merchant has not left after all.
 */
export function givenBackBy(
  { amount, state }: { readonly amount: Amount; readonly state: PaymentState },
  cases: readonly CaseFacts[],
): GivenBack {
  const discrepancies = cases.filter(({ evidence }) => evidence === 'DISCREPANCY');
  const paidLate = cases.filter(({ evidence }) => evidence === 'LATE_SUCCESS');
  const own = state === 'FAILED' ? 0n : amount;
  const more = discrepancies.reduce((sum, { resolved }) => sum + leftBy(resolved), 0n);
  const sum = own + amount * BigInt(paidLate.length) + more;
  return {
    amount: sum > 0n ? sum : 0n,
    isInProgress: !isFinal(state) || discrepancies.some(({ resolved }) => resolved === null),
  };
}

/** How much more has left than the books said before the resolution; below zero for less. */
function leftBy(resolved: CaseFacts['resolved']): Amount {
  switch (resolved?.resolution) {
    case 'RECOVER_FROM_MERCHANT':
    case 'WRITE_OFF':
      return resolved.amount;
    case 'CREDIT_MERCHANT':
      return -resolved.amount;
    // What was in our float went to the payer, who has as much as the refund says.
    case 'RETURN_TO_PAYER':
    case 'REVERSE_EVIDENCE':
    case undefined:
      return 0n;
  }
}
