// The operator's transaction that a person ends a payment with. Cells that share the operator account share its
// transactions, so that a person is asked for another one where any of them has it for another payment. Operators' own
// answers are never kept waiting for other cells: they are compared afterwards.
import { paymentKeyText, type PaymentKey } from '../../../domain/payments/payment.ts';
import type { ReferenceClaim } from '../../../store/cells/claimed-references.ts';
import type { Tx } from '../../../store/database.ts';
import { listTransactionOwners } from '../../../store/payments/attempts.ts';
import { NotExecuted } from '../../approvals/executor.ts';
import {
  askOtherCells,
  describeSilence,
  type CellsPart,
  type CellSilent,
} from '../../cells/ask-other-cells.ts';
import { claimReference, giveBackClaim, type Claiming } from '../../cells/claim-reference.ts';
import type { Engine } from '../../engine.ts';
import { accountSharing } from '../../operators/shared-account.ts';

export type TransactionTaken = {
  readonly type: 'TRANSACTION_TAKEN';
  /** The payment that has it, where that is known. */
  readonly owner: PaymentKey | null;
  /** Where that payment is, or was when it got it; null for this cell. */
  readonly cell: string | null;
};

export type TransactionRefusal = TransactionTaken | CellSilent;

/** A payment that is to be ended with an operator's transaction. */
export type NamedTransaction = {
  readonly key: PaymentKey;
  readonly provider: string;
  readonly providerTransactionId: string;
};

type ClaimingPart = CellsPart & Pick<Engine, 'clock' | 'connectorOf' | 'store'>;

/** For a request: null where no other payment has the transaction, in this cell or another one. */
export async function findTransactionOwner(
  engine: ClaimingPart,
  wanted: NamedTransaction,
): Promise<TransactionRefusal | null> {
  const own = await findOtherOwner(engine.store.database, wanted);
  if (own !== null) return { type: 'TRANSACTION_TAKEN', owner: own, cell: null };
  return findOwnerElsewhere(engine, wanted, await accountSharing(engine, wanted.provider));
}

/**
 * For an end, before its transaction: null where no other payment has the transaction, and no person in another cell
 * will end one with it meanwhile. `claimId` is the approval's identifier. With one cell nothing is claimed.
 */
export async function claimTransaction(
  engine: ClaimingPart,
  wanted: NamedTransaction,
  claimId: string,
): Promise<TransactionRefusal | null> {
  // The cell's own key decides within the cell.
  if (engine.cells.length === 1) return null;
  const isShared = await accountSharing(engine, wanted.provider);
  const claiming = claimOf(wanted, { claimId, isShared });
  const claimed = await claimReference(engine, claiming);
  if (claimed.type === 'CELL_SILENT') return claimed;
  if (claimed.type === 'CLAIMED_ELSEWHERE') {
    const owner = ownerOf(claimed.claim);
    // Before its merchant moved here, the payment was to be ended there.
    const isSame = paymentKeyText(owner) === paymentKeyText(wanted.key);
    if (!isSame) return { type: 'TRANSACTION_TAKEN', owner, cell: claimed.claim.cell };
  }
  const elsewhere = await findOwnerElsewhere(engine, wanted, isShared);
  if (elsewhere?.type === 'TRANSACTION_TAKEN') await giveBackClaim(engine, claiming);
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

/** The payment that has a transaction; null where none has it, or the one that is to be ended with it. */
async function findOtherOwner(
  tx: Tx,
  { key, provider, providerTransactionId }: NamedTransaction,
): Promise<PaymentKey | null> {
  const asked = { provider, providerTransactionIds: [providerTransactionId] };
  const owner = (await listTransactionOwners(tx, asked)).get(providerTransactionId) ?? null;
  return owner === null || paymentKeyText(owner) === paymentKeyText(key) ? null : owner;
}

function claimOf(
  { key, provider, providerTransactionId }: NamedTransaction,
  rest: Pick<Claiming, 'claimId' | 'isShared'>,
): Claiming {
  const { merchantId, kind, paymentId } = key;
  const standsFor = { merchantId, kind, paymentId };
  return { usedFor: 'PAYMENT', source: provider, reference: providerTransactionId, standsFor, ...rest };
}

function ownerOf({ standsFor }: ReferenceClaim): PaymentKey {
  const { merchantId = '', kind, paymentId = '' } = standsFor;
  return { merchantId, kind: kind as PaymentKey['kind'], paymentId };
}

/** For an end that was approved and cannot be made. */
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
  const which = owner === null ? '' : `, ${owner.kind} ${owner.paymentId} of merchant ${owner.merchantId}`;
  const where = cell === null ? '' : ` in cell ${cell}`;
  return `The operator's transaction belongs to another payment${which}${where}. Nothing was changed.`;
}
