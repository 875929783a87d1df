// Keeps two cells from using one reference of the bank or of an operator at the same moment. A cell claims the
// reference in the first cell, in a transaction of its own, and only then begins the transaction that uses it: no
// transaction ever waits for another database. Within a cell a claim excludes nobody, because the cell's own keys do.
import type { ApprovalStatus } from '../../domain/approval.ts';
import { findStatusHere } from '../../store/approvals/approvals.ts';
import {
  deleteClaim,
  deleteClaimsOf,
  endAttempt,
  listClaims,
  lockClaims,
  writeClaim,
  type ClaimedName,
  type ReferenceClaim,
} from '../../store/cells/claimed-references.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import type { Engine } from '../engine.ts';
import { askCell, askOtherCells, type CellsPart, type CellSilent } from './ask-other-cells.ts';

export type ClaimingPart = CellsPart & Pick<Engine, 'clock' | 'store'>;

export type Claiming = ClaimedName & {
  /** The approval's identifier, or any number where none is needed. */
  readonly claimId: string;
  /** For people who meet the claim. */
  readonly standsFor: Readonly<Record<string, string>>;
  /** Whether what this cell and another one call by this reference is the same thing. */
  readonly isShared: (cell: Tx) => Promise<boolean>;
};

export type Claimed =
  | { readonly type: 'CLAIMED' }
  /** By another cell, which has used the reference or may be about to. */
  | { readonly type: 'CLAIMED_ELSEWHERE'; readonly claim: ReferenceClaim }
  | CellSilent;

/**
 * Claims a reference for this cell, and commits that before it answers: never call it inside a transaction. Repeating
 * a claim is harmless: it counts as another attempt, and each attempt gives its claim back by itself. A claim of
 * another cell gives way only when its approval was rejected or withdrawn: then nothing was done under it, and
 * nothing will be. With one cell in the settings nothing is claimed, and claims of cells that have left them are
 * asked as ever.
 */
export async function claimReference(engine: ClaimingPart, claiming: Claiming): Promise<Claimed> {
  const passedOver = new Set<string>();
  for (;;) {
    const attempt = await askCell(engine.directoryCell, () => writeUnless(engine, claiming, passedOver));
    if (attempt.type === 'CELL_SILENT') return attempt;
    const [other] = attempt.answer;
    if (other === undefined) return { type: 'CLAIMED' };
    const judged = await judge(engine, claiming, other);
    if (judged !== 'FREE') return judged;
    passedOver.add(other.claimId);
  }
}

/**
 * Gives back what one attempt has claimed under this identifier: its transaction did nothing and never will. What
 * another attempt of the same approval has claimed stays. Where the first cell does not answer, everything stays until
 * the approval is rejected. Never call it where a transaction may have been committed.
 */
export async function giveBackClaims(
  { cells, databaseOf, directoryCell }: CellsPart,
  claimId: string,
): Promise<void> {
  if (cells.length === 1) return;
  await askCell(directoryCell, () =>
    inTransaction(databaseOf(directoryCell), (tx) => endAttempt(tx, claimId)),
  );
}

/**
 * Ends what was claimed under this identifier, by however many attempts: no attempt can succeed any more, or what one
 * of them has posted was posted back. Where the first cell does not answer it stays, until somebody meets it.
 */
export async function endClaims(
  { cells, databaseOf, directoryCell }: CellsPart,
  claimId: string,
): Promise<void> {
  if (cells.length === 1) return;
  await askCell(directoryCell, () => deleteClaimsOf(databaseOf(directoryCell), claimId));
}

/** Writes the claim where no other cell has one. Answers those of other cells. */
async function writeUnless(
  { home: cell, cells, clock, databaseOf, directoryCell }: ClaimingPart,
  { usedFor, source, reference, claimId, standsFor }: Claiming,
  passedOver: ReadonlySet<string>,
): Promise<readonly ReferenceClaim[]> {
  return inTransaction(databaseOf(directoryCell), async (tx) => {
    const name = { usedFor, source, reference };
    await lockClaims(tx, name);
    const others = (await listClaims(tx, { ...name, standsFor })).filter(
      (claim) => claim.cell !== cell && claim.claimId !== claimId && !passedOver.has(claim.claimId),
    );
    // With one cell in the settings there is nobody to be kept out, and what is left are claims of cells that ended.
    if (others.length > 0 || cells.length === 1) return others;
    await writeClaim(tx, { ...name, claimId, cell, standsFor, claimedAt: await clock.timeOf(tx) });
    return [];
  });
}

/** Whether another cell's claim is in the way. One that can never be used is deleted. */
async function judge(
  engine: ClaimingPart,
  { isShared }: Claiming,
  claim: ReferenceClaim,
): Promise<'FREE' | Exclude<Claimed, { readonly type: 'CLAIMED' }>> {
  const { cell } = claim;
  const held = { type: 'CLAIMED_ELSEWHERE', claim } as const;
  // A cell that has left the settings cannot be asked what it did.
  if (engine.cells.includes(cell)) {
    const shared = await askCell(cell, () => isShared(engine.databaseOf(cell)));
    if (shared.type === 'CELL_SILENT') return shared;
    if (!shared.answer) return 'FREE';
  }
  const isVoid = await isVoidClaim(engine, claim);
  if (isVoid === false) return held;
  if (isVoid !== true) return isVoid;
  const deleted = await askCell(engine.directoryCell, () =>
    deleteClaim(engine.databaseOf(engine.directoryCell), claim),
  );
  return deleted.type === 'CELL_SILENT' ? deleted : 'FREE';
}

/** Whether its approval came to nothing, so that nothing was done under it and nothing will be. */
export async function isVoidClaim(
  engine: ClaimingPart,
  { claimId }: ReferenceClaim,
): Promise<boolean | CellSilent> {
  // The approval may have come into another cell with its merchant.
  const statuses = await listStatuses(engine, claimId);
  if ('type' in statuses) return statuses;
  return statuses.length > 0 && statuses.every((one) => one === 'REJECTED' || one === 'WITHDRAWN');
}

/** What became of an approval, in every cell that has it. */
async function listStatuses(
  engine: ClaimingPart,
  approvalId: string,
): Promise<readonly ApprovalStatus[] | CellSilent> {
  const own = await findStatusHere(engine.store.database, approvalId);
  const others = await askOtherCells(engine, (database) => findStatusHere(database, approvalId));
  if (others.type === 'CELL_SILENT') return others;
  return [own, ...others.answers.map(({ answer }) => answer)].filter((status) => status !== null);
}
