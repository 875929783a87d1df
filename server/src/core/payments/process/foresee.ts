// What somebody's word about payments would lead to, found out without doing it: for people who decide whether it
// counts. `advance` decides in the end, under the payment's lock.
import type { Amount } from '../../../domain/money.ts';
import { isFinal, lifeStateOf, transition, type PaymentEvent } from '../../../domain/payments/lifecycle.ts';
import { paymentKeyText, type PaymentKey } from '../../../domain/payments/payment.ts';
import { effectOf, type LineEffect } from '../../../domain/reconciliation/operator-report.ts';
import { findCaseOf } from '../../../store/payments/cases.ts';
import type { StoredPayment } from '../../../store/payments/payments.ts';
import type { StorePart } from '../../engine.ts';
import { validateEvent } from '../../operators/validate-answer.ts';
import { foreseeConflictingTransactions } from './conflicting-transactions.ts';
import { foreseeHold } from '../wanted-holds.ts';
import { caseOf } from './decide.ts';

export type Foreseen =
  | {
      readonly type: 'EFFECT';
      readonly effect: LineEffect;
      /** What the case that it opens would hold of the merchant's wallet; zero where it holds nothing. */
      readonly atRisk: Amount;
    }
  /** A case about it is there already, open or resolved. */
  | { readonly type: 'CASE'; readonly caseId: string }
  /** Our books say the same, or the payment was not sent. */
  | { readonly type: 'AGREES' | 'NOT_SENT' };

export type Word = { readonly key: PaymentKey; readonly event: PaymentEvent };

/** Answers in the order of `words`, each as if it were the only one. `payments`: those that the words are about. */
export async function foresee<Said extends Word>(
  { store: { database } }: StorePart,
  words: readonly Said[],
  payments: ReadonlyMap<string, StoredPayment>,
): Promise<ReadonlyMap<Said, Foreseen>> {
  const conflicts = await foreseeConflictingTransactions(database, words, { payments, now: NO_TIME });
  const foreseen = new Map<Said, Foreseen>();
  for (const word of words) {
    const payment = payments.get(paymentKeyText(word.key));
    if (payment === undefined) continue;
    const event = validateEvent(conflicts.get(word) ?? word.event, payment);
    const decided = transition(lifeStateOf(payment), event);
    const effect = effectOf(decided);
    const evidence = 'evidence' in decided ? decided.evidence : undefined;
    const wanted =
      evidence === undefined ? null : caseOf(payment, event, evidence, { now: NO_TIME, evidence: undefined });
    const caseId = wanted === null ? null : await findCaseOf(database, wanted);
    if (caseId !== null) {
      foreseen.set(word, { type: 'CASE', caseId });
    } else if (effect !== null) {
      const atRisk = wanted === null ? 0n : await foreseeHold(database, wanted, payment);
      foreseen.set(word, { type: 'EFFECT', effect, atRisk });
    } else foreseen.set(word, { type: isFinal(payment.state) ? 'AGREES' : 'NOT_SENT' });
  }
  return foreseen;
}

/** Claims and cases that are only looked for are never written. */
const NO_TIME = new Date(0);
