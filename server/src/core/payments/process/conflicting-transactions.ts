// Operators' transactions that cannot be what they claim: one that belongs to another payment, or a second one that
// moved the money of a payment once more. Either way the answer is unknown, and a case tells a person.
import { comparableTransaction } from '../../../domain/ledger/money-reference.ts';
import type { PaymentEvent } from '../../../domain/payments/lifecycle.ts';
import type { UnknownReason } from '../../../domain/payments/outcome.ts';
import { paymentKeyText } from '../../../domain/payments/payment.ts';
import {
  claimProviderTransactions,
  listTakenTransactions,
  type TransactionClaim,
} from '../../../store/payments/attempts.ts';
import { listLateTransactions } from '../../../store/payments/cases.ts';
import { isUseOf, listTransactionUses, lockTransactions } from '../../../store/payments/transaction-uses.ts';
import type { Tx } from '../../../store/database.ts';
import type { StoredPayment } from '../../../store/payments/payments.ts';
import type { Advance } from './advance.ts';
import { providerTransactionOf, validateEvent } from '../../operators/validate-answer.ts';

/** What somebody says of a payment. */
type Word = Pick<Advance, 'key' | 'event'>;

type Context = {
  /** The payments that words are about, by their names in the order of locks. */
  readonly payments: ReadonlyMap<string, StoredPayment>;
  /** The time at which claims are made. */
  readonly now: Date;
};

export type Conflicts<Said> = {
  /** The events that take the place of words whose transaction another payment has, or is a second one. */
  readonly instead: ReadonlyMap<Said, PaymentEvent>;
  /**
   * What is said after words whose transaction a case has, or a movement of the float, or a payment that people ended
   * with another spelling of it. An operator's word counts all the same, and opens a case; a person's does not.
   */
  readonly beside: ReadonlyMap<Said, PaymentEvent>;
};

/** Claims the transactions of all words that nothing takes the place of. */
export async function findConflictingTransactions<Said extends Word>(
  tx: Tx,
  words: readonly Said[],
  context: Context,
): Promise<Conflicts<Said>> {
  const wanted = claimsOf(words, context);
  const manual = wanted.filter(({ advance }) => advance.event.type === 'ENDED_MANUALLY');
  const told = wanted.filter(({ advance }) => advance.event.type !== 'ENDED_MANUALLY');
  await lockTransactions(tx, namesOf(told), 'SHARED');
  await lockTransactions(tx, namesOf(manual), 'ALONE');
  const conflicts = await findConflicts(tx, wanted, (claims) => claimProviderTransactions(tx, claims));
  const instead = new Map([...conflicts, ...(await findSecondReversals(tx, words, context))]);
  const beside = await findOtherOwners(
    tx,
    wanted.filter(({ advance }) => !instead.has(advance)),
  );
  return { instead, beside };
}

/** The same for words that are only looked at. Claims nothing. */
export async function foreseeConflictingTransactions<Said extends Word>(
  tx: Tx,
  words: readonly Said[],
  context: Context,
): Promise<ReadonlyMap<Said, PaymentEvent>> {
  const taken = await findConflicts(tx, claimsOf(words, context), (claims) =>
    listTakenTransactions(tx, claims),
  );
  return new Map([...taken, ...(await findSecondReversals(tx, words, context))]);
}

type Wanted<Said> = {
  readonly advance: Said;
  readonly payment: StoredPayment;
  readonly claim: TransactionClaim;
};

function claimsOf<Said extends Word>(
  words: readonly Said[],
  { payments, now }: Context,
): readonly Wanted<Said>[] {
  return words.flatMap((advance) => {
    const payment = payments.get(paymentKeyText(advance.key));
    const claim = payment === undefined ? null : claimOf(advance, payment, now);
    return payment === undefined || claim === null ? [] : [{ advance, payment, claim }];
  });
}

function namesOf(wanted: readonly Wanted<unknown>[]): readonly TransactionClaim[] {
  return wanted.map(({ claim }) => claim);
}

/** Of these, those whose transaction somebody else has who claimed it otherwise than a payment does. */
async function findOtherOwners<Said extends Word>(
  tx: Tx,
  wanted: readonly Wanted<Said>[],
): Promise<ReadonlyMap<Said, PaymentEvent>> {
  const uses = await listTransactionUses(tx, namesOf(wanted));
  return new Map(
    wanted.flatMap(({ advance, claim }) => {
      const isOthers = uses.some(
        (use) =>
          use.source === claim.provider && use.wanted === claim.providerTransactionId && !isUseOf(use, claim),
      );
      return isOthers ? [[advance, unknown('TRANSACTION_TAKEN', claim)]] : [];
    }),
  );
}

async function findConflicts<Said extends Word>(
  tx: Tx,
  claims: readonly Wanted<Said>[],
  /** The claims that another payment has. */
  findTaken: (claims: readonly TransactionClaim[]) => Promise<readonly TransactionClaim[]>,
): Promise<ReadonlyMap<Said, PaymentEvent>> {
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

/**
 * A COMPLETED payment that was taken back has a case about that, which moved its whole amount. Taken back once more
 * under another transaction it moves nothing: people find out what the operator means.
 */
async function findSecondReversals<Said extends Word>(
  tx: Tx,
  words: readonly Said[],
  { payments, now }: Context,
): Promise<ReadonlyMap<Said, PaymentEvent>> {
  const reversals = words.flatMap((advance) => {
    const payment = payments.get(paymentKeyText(advance.key));
    const providerTransactionId = payment === undefined ? undefined : reversalOf(advance, payment);
    if (payment === undefined || providerTransactionId === undefined) return [];
    return [
      {
        advance,
        claim: { ...advance.key, provider: payment.provider, providerTransactionId, claimedAt: now },
      },
    ];
  });
  const keys = reversals.map(({ claim }) => claim);
  const first = new Map(await listLateTransactions(tx, keys, 'LATE_FAILURE'));
  return new Map(
    reversals.flatMap(({ advance, claim }) => {
      const known = first.get(paymentKeyText(claim)) ?? claim.providerTransactionId;
      first.set(paymentKeyText(claim), known);
      const isSame = comparableTransaction(known) === comparableTransaction(claim.providerTransactionId);
      return isSame ? [] : [[advance, unknown('SECOND_TRANSACTION', claim)]];
    }),
  );
}

/** The transaction by which a COMPLETED payment was taken back, where the answer names one beside the payment's own. */
function reversalOf({ event }: Word, payment: StoredPayment): string | undefined {
  if (payment.state !== 'COMPLETED' || event.type !== 'OPERATOR_ANSWERED') return undefined;
  const validated = validateEvent(event, payment);
  const outcome = 'outcome' in validated ? validated.outcome : null;
  if (outcome?.type !== 'FAILED') return undefined;
  const { providerTransactionId } = providerTransactionOf(outcome);
  return providerTransactionId === payment.providerTransactionId ? undefined : providerTransactionId;
}

/** A FAILED payment that was paid all the same has a case about that; a second transaction is another matter. */
async function findSecondLateSuccesses(
  tx: Tx,
  claims: readonly { readonly payment: StoredPayment; readonly claim: TransactionClaim }[],
): Promise<ReadonlySet<TransactionClaim>> {
  const late = claims.filter(({ payment }) => payment.state === 'FAILED').map(({ claim }) => claim);
  const first = new Map(await listLateTransactions(tx, late, 'LATE_SUCCESS'));
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
