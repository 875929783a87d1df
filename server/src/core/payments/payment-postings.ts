// The postings of payments: which template a payment's end, hold or case follows, keyed by what it is about.
import { openingLegNoOf, type NumberedCase } from '../../domain/reconciliation/cases.ts';
import type { Transition } from '../../domain/payments/lifecycle.ts';
import {
  lateSuccessOfDeposit,
  lateSuccessOfOutgoing,
  outgoing,
  reversalOfDeposit,
  reversalOfOutgoing,
  settleDeposit,
  type Leg,
  type Posted,
} from '../../domain/ledger/postings.ts';
import type { Posting } from '../../store/ledger/ledger.ts';
import type { StoredPayment } from '../../store/payments/payments.ts';

/** The postings of a newly opened case. A repeat of the same evidence opens none and posts nothing. */
export function postingOfCase(
  payment: StoredPayment,
  opened: NumberedCase,
  walletProvider: string,
): Posting | null {
  const { evidence } = opened;
  const facts = posted(payment, walletProvider);
  const isDeposit = payment.kind === 'DEPOSIT';
  const firstLegNo = openingLegNoOf(opened);
  switch (evidence) {
    case 'LATE_SUCCESS':
      return posting(
        payment,
        evidence,
        firstLegNo,
        isDeposit ? lateSuccessOfDeposit(facts) : lateSuccessOfOutgoing(facts),
      );
    case 'LATE_FAILURE':
      return posting(
        payment,
        evidence,
        firstLegNo,
        isDeposit ? reversalOfDeposit(facts) : reversalOfOutgoing(facts),
      );
    case 'DISCREPANCY':
      // What was moved is not known well enough to post: a person resolves it with the evidence.
      return null;
  }
}

/** What a payment that sends money holds from its acceptance on; `walletCountry` where it is not the payment's. */
export function holdOf(
  payment: StoredPayment,
  walletProvider: string,
  walletCountry = payment.country,
): Posting {
  return posting(payment, 'OUTGOING', 0, outgoing({ ...posted(payment, walletProvider), walletCountry }));
}

/** A deposit's money arrives when it completes; all other kinds held theirs from the start. */
export function settlement(
  postings: readonly Posting[],
  after: StoredPayment,
  move: Transition & { readonly type: 'MOVE' },
  walletProvider: string,
): { readonly postings: readonly Posting[]; readonly holdEndsAs?: 'POSTED' | 'VOIDED' } {
  if (move.posting === null) return { postings };
  if (after.kind !== 'DEPOSIT')
    return { postings, holdEndsAs: move.posting === 'SETTLE' ? 'POSTED' : 'VOIDED' };
  if (move.posting === 'VOID') return { postings };
  return { postings: [...postings, settlementOf(after, walletProvider)] };
}

/** The shares of a split come out of its collection, so that is kept whole until they are held. */
export function settlementOf(deposit: StoredPayment, walletProvider: string): Posting {
  const settled = posting(deposit, 'SETTLE', 0, settleDeposit(posted(deposit, walletProvider)));
  return { ...settled, isKeptWhole: deposit.splitPaymentId !== undefined };
}

/** The wallet of a payment; of a split payment's part, that of its collection. */
export function walletOf({ merchantId, country, currency }: StoredPayment, walletProvider: string) {
  return { type: 'WALLET', merchantId, country, currency, provider: walletProvider } as const;
}

function posting(
  payment: StoredPayment,
  template: string,
  firstLegNo: number,
  legs: readonly Leg[],
): Posting {
  return { subject: subjectOf(payment), template, firstLegNo, legs };
}

export function subjectOf({ merchantId, kind, paymentNo }: StoredPayment): Posting['subject'] {
  return { merchantId, kind, id: paymentNo };
}

function posted(payment: StoredPayment, walletProvider: string): Posted {
  const { merchantId, country, currency, provider, amount, fee } = payment;
  return { merchantId, country, currency, provider, walletProvider, amount, fee };
}
