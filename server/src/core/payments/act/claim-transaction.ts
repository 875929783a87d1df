// The operator's transaction that a person ends a payment with, or credits a case for. It has one owner in all cells
// that share the operator account: a person is asked for another one where any of them has it for another payment, case
// or movement of the float. Operators' own answers never wait for other cells: they are compared afterwards.
import { comparableTransaction } from '../../../domain/ledger/money-reference.ts';
import type { PaymentKey } from '../../../domain/payments/payment.ts';
import type { ReferenceClaim } from '../../../store/cells/claimed-references.ts';
import type { Tx } from '../../../store/database.ts';
import { PLATFORM } from '../../../store/encryption/encryption.ts';
import {
  isUseOf,
  listTransactionUses,
  lockTransactions,
  type TransactionUse,
} from '../../../store/payments/transaction-uses.ts';
import { NotExecuted } from '../../approvals/executor.ts';
import {
  askOtherCells,
  describeSilence,
  type CellsPart,
  type CellSilent,
} from '../../cells/ask-other-cells.ts';
import { claimReference, giveBackClaims, type Claiming } from '../../cells/claim-reference.ts';
import type { Engine } from '../../engine.ts';
import { accountSharing } from '../../operators/shared-account.ts';

export type TransactionTaken = {
  readonly type: 'TRANSACTION_TAKEN';
  /** Who has it, where that is known. */
  readonly owner: TransactionOwner | null;
  /** Where its owner is, or was when it got it; null for this cell. */
  readonly cell: string | null;
};

/** A payment, by its end or by a case about it; or a movement of the float, whose kind and reference it has. */
export type TransactionOwner = Pick<TransactionUse, 'merchantId' | 'kind' | 'paymentId'>;

export type TransactionRefusal = TransactionTaken | CellSilent;

/** A payment that is to be ended with an operator's transaction, or credited for it. */
export type NamedTransaction = {
  readonly key: PaymentKey;
  readonly provider: string;
  readonly providerTransactionId: string;
};

type ClaimingPart = CellsPart & Pick<Engine, 'clock' | 'connectorOf' | 'store'>;

/** For a request: null where nobody else has the transaction, in this cell or another one. */
export async function findTransactionOwner(
  engine: ClaimingPart,
  wanted: NamedTransaction,
): Promise<TransactionRefusal | null> {
  const own = await findOtherOwner(engine.store.database, wanted);
  if (own !== null) return { type: 'TRANSACTION_TAKEN', owner: own, cell: null };
  return findOwnerElsewhere(engine, wanted, await accountSharing(engine, wanted.provider));
}

/**
 * Before a transaction: null where nobody in another cell has the operator's transaction, and no person there will
 * use it meanwhile. Where that transaction comes to nothing, the caller gives the claim back (`giveBackClaims`).
 * `claimId` is the approval's identifier. Within a cell its own key decides.
 */
export async function claimTransaction(
  engine: ClaimingPart,
  wanted: NamedTransaction,
  claimId: string,
): Promise<TransactionRefusal | null> {
  const isShared = await accountSharing(engine, wanted.provider);
  const claiming = claimOf(wanted, { claimId, isShared });
  const claimed = await claimReference(engine, claiming);
  if (claimed.type === 'CELL_SILENT') return claimed;
  if (claimed.type === 'CLAIMED_ELSEWHERE') {
    const owner = ownerOf(claimed.claim);
    // Before its merchant moved here, the payment was to be ended there.
    if (!isUseOf(owner, wanted.key)) return { type: 'TRANSACTION_TAKEN', owner, cell: claimed.claim.cell };
  }
  const elsewhere = await findOwnerElsewhere(engine, wanted, isShared);
  if (elsewhere !== null && claimed.type === 'CLAIMED') await giveBackClaims(engine, claimId);
  return elsewhere;
}

async function findOwnerElsewhere(
  engine: ClaimingPart,
  wanted: NamedTransaction,
  isShared: (cell: Tx) => Promise<boolean>,
): Promise<TransactionRefusal | null> {
  const asked = await askOtherCells(engine, async (database) =>
    (await isShared(database)) ? findOtherOwner(database, wanted) : null,
  );
  if (asked.type === 'CELL_SILENT') return asked;
  const found = asked.answers.find(({ answer }) => answer !== null);
  return found === undefined ? null : { type: 'TRANSACTION_TAKEN', owner: found.answer, cell: found.cell };
}

/**
 * Within a transaction, whose payments are locked and whose accounts are not: null where nobody else in this cell has
 * the operator's transaction, and nobody will before this ends.
 */
export async function findTransactionTaken(
  tx: Tx,
  wanted: NamedTransaction,
): Promise<TransactionTaken | null> {
  await lockTransactions(tx, [wanted], 'ALONE');
  const owner = await findOtherOwner(tx, wanted);
  return owner === null ? null : { type: 'TRANSACTION_TAKEN', owner, cell: null };
}

/** Who has a transaction; null where nobody has it, or only the payment that it is wanted for. */
async function findOtherOwner(tx: Tx, wanted: NamedTransaction): Promise<TransactionOwner | null> {
  const uses = await listTransactionUses(tx, [wanted]);
  return uses.find((use) => !isUseOf(use, wanted.key)) ?? null;
}

function claimOf(
  { key, provider, providerTransactionId }: NamedTransaction,
  rest: Pick<Claiming, 'claimId' | 'isShared'>,
): Claiming {
  const { merchantId, kind, paymentId } = key;
  const standsFor = { merchantId, kind, paymentId };
  const reference = comparableTransaction(providerTransactionId);
  return { usedFor: 'PAYMENT', source: provider, reference, standsFor, ...rest };
}

function ownerOf({ standsFor, reference }: ReferenceClaim): TransactionOwner {
  const { merchantId = '', type = '', kind = type, paymentId = reference } = standsFor;
  return { merchantId, kind, paymentId };
}

/** For what was approved and cannot be done. */
export function notEnded(refusal: TransactionRefusal): NotExecuted {
  const parameters = factsOfTransaction(refusal);
  return new NotExecuted({ code: refusal.type, parameters }, describeTransaction(refusal));
}

/** For words in any language. */
export function factsOfTransaction(refusal: TransactionRefusal): Readonly<Record<string, string>> {
  if (refusal.type === 'CELL_SILENT') return { cell: refusal.cell };
  const { owner, cell } = refusal;
  return {
    ...(owner !== null && { merchantId: owner.merchantId, kind: owner.kind, paymentId: owner.paymentId }),
    ...(cell !== null && { cell }),
  };
}

/** For the person who asked. */
export function describeTransaction(refusal: TransactionRefusal): string {
  if (refusal.type === 'CELL_SILENT') return describeSilence(refusal);
  const { owner, cell } = refusal;
  const which = owner === null ? 'another payment' : describeOwner(owner);
  const where = cell === null ? '' : ` in cell ${cell}`;
  return `The operator's transaction belongs to ${which}${where}. Nothing was changed.`;
}

function describeOwner({ merchantId, kind, paymentId }: TransactionOwner): string {
  if (merchantId === PLATFORM) return `a movement of the float, ${kind} ${paymentId}`;
  return `another payment, ${kind} ${paymentId} of merchant ${merchantId}`;
}
