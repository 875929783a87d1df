// How much of a deposit has arrived, and how much its refunds have given back. What counts is what was moved, as far as
// it is known: a payment's own end, corrected by what people found out when they resolved its cases.
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

/** A deposit, as its refunds see it. */
export type Arrived = {
  readonly amount: Amount;
  /** How much arrived is not known yet: nothing may be refunded meanwhile. */
  readonly isInDoubt: boolean;
};

/**
 * What of a COMPLETED deposit has arrived. What the merchant or the platform bore has not, whoever of them it was. More
 * than the deposit can arrive, but cannot be refunded.
 */
export function arrivedOf({ amount }: { readonly amount: Amount }, cases: readonly CaseFacts[]): Arrived {
  const discrepancies = cases.filter(({ evidence }) => evidence === 'DISCREPANCY');
  const sum = discrepancies.reduce((left, { resolved }) => left - movedBy(resolved), amount);
  const most = sum < amount ? sum : amount;
  return {
    amount: most > 0n ? most : 0n,
    isInDoubt: discrepancies.some(({ resolved }) => resolved === null),
  };
}

/**
 * What a refund has given back. A refund that FAILED gave back nothing, unless its operator paid it all the same or
 * people returned the money. A discrepancy leaves open how much left until it is resolved: what the merchant or the
 * platform bears has left in addition, and what came back to the merchant has not left after all. What the operator
 * gave back later counts until it is credited to the merchant.
 */
export function givenBackBy(
  { amount, state }: { readonly amount: Amount; readonly state: PaymentState },
  cases: readonly CaseFacts[],
): GivenBack {
  const discrepancies = cases.filter(({ evidence }) => evidence === 'DISCREPANCY');
  const paidLate = cases.filter(({ evidence }) => evidence === 'LATE_SUCCESS');
  const returned = cases.filter(
    ({ evidence, resolved }) => evidence === 'LATE_FAILURE' && resolved?.resolution === 'CREDIT_MERCHANT',
  );
  const own = state === 'FAILED' ? 0n : amount;
  const more = discrepancies.reduce((left, { resolved }) => left + leftBy(resolved, state), 0n);
  const sum = own + amount * BigInt(paidLate.length - returned.length) + more;
  return {
    amount: sum > 0n ? sum : 0n,
    isInProgress: !isFinal(state) || discrepancies.some(({ resolved }) => resolved === null),
  };
}

/**
 * How much more of an outgoing payment has left by the resolution of its discrepancy; 0 where no more has. The limits
 * that counted the payment count it.
 */
export function movedByDiscrepancy(
  resolved: NonNullable<CaseFacts['resolved']>,
  state: PaymentState,
): Amount {
  const left = leftBy(resolved, state);
  return left > 0n ? left : 0n;
}

/** How much more of a refund has left than the books said before the resolution; below zero for less. */
function leftBy(resolved: CaseFacts['resolved'], state: PaymentState): Amount {
  // Of what FAILED the payer has nothing but this.
  if (resolved?.resolution === 'RETURN_TO_PAYER' && state === 'FAILED') return resolved.amount;
  return movedBy(resolved);
}

/** How much more has left our float than the books said before the resolution; below zero for less. */
function movedBy(resolved: CaseFacts['resolved']): Amount {
  switch (resolved?.resolution) {
    case 'RECOVER_FROM_MERCHANT':
    case 'WRITE_OFF':
      return resolved.amount;
    case 'CREDIT_MERCHANT':
      return -resolved.amount;
    // What was in our float went to the payer: of a refund that COMPLETED, they have as much as it says.
    case 'RETURN_TO_PAYER':
    case 'REVERSE_EVIDENCE':
    case undefined:
      return 0n;
  }
}
