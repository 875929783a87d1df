// References of banks and operators that cells have claimed. Only the rows of the first cell count.
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { oneRowInserter, replacedOn } from '../rows.ts';

/** What is claimed: a reference to post money under, or an operator's transaction to end a payment with. */
export type ClaimedName = {
  readonly usedFor: 'MOVEMENT' | 'PAYMENT';
  /** BANK, or the provider. */
  readonly source: string;
  readonly reference: string;
};

const claims = columns({
  usedFor: column<ClaimedName['usedFor']>('text'),
  source: 'text',
  reference: 'text',
  /** The approval that claims it. */
  claimId: 'uuid',
  cell: 'text',
  standsFor: column<Readonly<Record<string, string>>>('jsonb'),
  claimedAt: 'timestamptz',
});

export type ReferenceClaim = Row<typeof claims>;

/** Until the transaction ends, nobody else claims this. */
export async function lockClaims(tx: Tx, { source, reference }: ClaimedName): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 7059))', [`${source}/${reference}`]);
}

/** Whatever it is claimed for. A charge of the operator is no other use: it is called as what it was charged for. */
export async function listClaims(
  tx: Tx,
  { usedFor, source, reference, standsFor }: ClaimedName & Pick<ReferenceClaim, 'standsFor'>,
): Promise<readonly ReferenceClaim[]> {
  return claims.select(
    tx,
    `from claimed_references where used_for in ('MOVEMENT', 'PAYMENT') and source = $2 and reference = $3
       and (used_for = $1 or 'OPERATOR_CHARGE' not in ($4, coalesce(stands_for ->> 'type', '')))
     order by claimed_at, claim_id`,
    [usedFor, source, reference, standsFor['type'] ?? ''],
  );
}

/** All that a cell has claimed. */
export async function listClaimsOfCell(tx: Tx, cell: string): Promise<readonly ReferenceClaim[]> {
  return claims.select(tx, 'from claimed_references where cell = $1 order by claimed_at, claim_id', [cell]);
}

const KEY = 'used_for, source, reference, claim_id';

/**
 * The same claim may be repeated, and then counts one attempt more; with its merchant it may have come into another
 * cell since.
 */
export const writeClaim = oneRowInserter(
  'claimed_references',
  claims.cells,
  `${replacedOn(KEY, claims.cells)}, attempts = claimed_references.attempts + 1`,
);

/**
 * Counts one attempt less for what was claimed under this identifier, and deletes it when none is left. The count is
 * changed first: its lock keeps out who claims at the same moment.
 */
export async function endAttempt(tx: Tx, claimId: string): Promise<void> {
  await tx.query(
    'update claimed_references set attempts = attempts - 1 where claim_id = $1 and attempts > 0',
    [claimId],
  );
  await tx.query('delete from claimed_references where claim_id = $1 and attempts = 0', [claimId]);
}

/** Whatever was claimed under this identifier, by however many attempts. */
export async function deleteClaimsOf(tx: Tx, claimId: string): Promise<void> {
  await tx.query('delete from claimed_references where claim_id = $1', [claimId]);
}

export async function deleteClaim(
  tx: Tx,
  { usedFor, source, reference, claimId }: ClaimedName & { readonly claimId: string },
): Promise<void> {
  await tx.query(
    'delete from claimed_references where used_for = $1 and source = $2 and reference = $3 and claim_id = $4',
    [usedFor, source, reference, claimId],
  );
}
