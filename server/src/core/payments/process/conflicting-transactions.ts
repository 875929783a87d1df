// Operators' transactions that cannot be what they claim: one that belongs to another payment, or a second one that
// moved the money of a payment once more. Either way the answer is unknown, and a case tells a person.
import type { PaymentEvent } from '../../../domain/payments/lifecycle.ts';
import type { UnknownReason } from '../../../domain/payments/outcome.ts';
import { paymentKeyText } from '../../../domain/payments/payment.ts';
import {
  claimProviderTransactions,
  listTakenTransactions,
  type TransactionClaim,
} from '../../../store/payments/attempts.ts';
import { listLateTransactions } from '../../../store/payments/cases.ts';
import type { Tx } from '../../../store/database.ts';
import type { StoredPayment } from '../../../store/payments/payments.ts';
import type { Advance } from './advance.ts';
import { validateEvent } from '../../operators/validate-answer.ts';

/** What somebody says of a payment. */
type Word = Pick<Advance, 'key' | 'event'>;

type Context = {
  /** The payments that words are about, by their names in the order of locks. */
  readonly payments: ReadonlyMap<string, StoredPayment>;
  /** The time at which claims are made. */
  readonly now: Date;
};

/** The events that are to take the place of the words whose transaction is not theirs alone. Claims all the others. */
export async function findConflictingTransactions<Said extends Word>(
  tx: Tx,
  words: readonly Said[],
  context: Context,
): Promise<ReadonlyMap<Said, PaymentEvent>> {
  return findConflicts(tx, words, context, (claims) => claimProviderTransactions(tx, claims));
}

/** The same for words that are only looked at. Claims nothing. */
export async function foreseeConflictingTransactions<Said extends Word>(
  tx: Tx,
  words: readonly Said[],
  context: Context,
): Promise<ReadonlyMap<Said, PaymentEvent>> {
  return findConflicts(tx, words, context, (claims) => listTakenTransactions(tx, claims));
}

async function findConflicts<Said extends Word>(
  tx: Tx,
  words: readonly Said[],
  { payments, now }: Context,
  /** The claims that another payment has. */
  findTaken: (claims: readonly TransactionClaim[]) => Promise<readonly TransactionClaim[]>,
): Promise<ReadonlyMap<Said, PaymentEvent>> {
  const claims = words.flatMap((advance) => {
    const payment = payments.get(paymentKeyText(advance.key));
    const claim = payment === undefined ? null : claimOf(advance, payment, now);
    return payment === undefined || claim === null ? [] : [{ advance, payment, claim }];
  });
  const taken = new Set(await findTaken(claims.map(({ claim }) => claim)));
  const isSecond = await findSecondLateSuccesses(tx, claims);
  return new Map(
    claims.flatMap(({ advance, claim }) => {
      if (taken.has(claim)) return [[advance, unknown('TRANSACTION_TAKEN', claim)]];
      return isSecond.has(claim) ? [[advance, unknown('SECOND_TRANSACTION', claim)]] : [];
    }),
  );
}

/** The transaction that would complete the payment, if the answer names one and fits it. */
function claimOf({ key, event }: Word, payment: StoredPayment, claimedAt: Date): TransactionClaim | null {
  const validated = validateEvent(event, payment);
  const outcome = 'outcome' in validated ? validated.outcome : null;
  // Manually nothing is claimed that the payment cannot become.
  if (validated.type === 'ENDED_MANUALLY' && payment.state !== 'IN_RECONCILIATION') return null;
  if (outcome?.type !== 'COMPLETED') return null;
  const { providerTransactionId } = outcome;
  if (providerTransactionId === undefined) return null;
  return { ...key, provider: payment.provider, providerTransactionId, claimedAt };
}

/** A FAILED payment that was paid all the same has a case about that; a second transaction is another matter. */
async function findSecondLateSuccesses(
  tx: Tx,
  claims: readonly { readonly payment: StoredPayment; readonly claim: TransactionClaim }[],
): Promise<ReadonlySet<TransactionClaim>> {
  const late = claims.filter(({ payment }) => payment.state === 'FAILED').map(({ claim }) => claim);
  const first = new Map(await listLateTransactions(tx, late));
  return new Set(
    late.filter((claim) => {
      const known = first.get(paymentKeyText(claim)) ?? claim.providerTransactionId;
      // Of two that arrive together the first one counts as first.
      first.set(paymentKeyText(claim), known);
      return known !== claim.providerTransactionId;
    }),
  );
}

/** What an operator's transaction that is not the payment's alone makes of an answer that names it. */
export function unknown(
  reason: UnknownReason,
  { providerTransactionId: about }: Pick<TransactionClaim, 'providerTransactionId'>,
): PaymentEvent {
  return { type: 'OPERATOR_ANSWERED', outcome: { type: 'UNKNOWN', reason, about } };
}
