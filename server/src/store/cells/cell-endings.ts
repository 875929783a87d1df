// The platform's balances that were posted from a cell that ends into another one. Both cells keep the same row.
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { oneRowInserter } from '../rows.ts';

const endings = columns({
  endingId: 'uuid',
  fromCell: 'text',
  toCell: 'text',
  toDatabase: 'uuid',
  balances: 'text[]',
  postedAt: 'timestamptz',
});

const shown = columns({ ...endings.defs, arrivedAt: 'timestamptz null' });

/** `arrivedAt` is null in the cell that the balances arrived in, and until they are known to have arrived. */
export type CellEnding = Row<typeof shown>;

/** Answers false where this cell has it already. Until the transaction ends, no other one inserts it. */
export const insertEnding = oneRowInserter('cell_endings', endings.cells, 'on conflict do nothing');

/** A few rows at most: one for each time that a cell was ended. */
export async function listEndings(tx: Tx): Promise<readonly CellEnding[]> {
  return shown.select(tx, 'from cell_endings order by posted_at, ending_id');
}

const claims = columns({
  endingId: 'uuid',
  fromCell: 'text',
  toCell: 'text',
  toDatabase: 'uuid',
  balances: 'text[]',
  claimedAt: 'timestamptz',
});

/** In the first cell, before anything leaves: where an ending goes. It never goes anywhere else. */
export type EndingClaim = Row<typeof claims>;

/** Answers false where it was claimed before. */
export const insertEndingClaim = oneRowInserter('ending_claims', claims.cells, 'on conflict do nothing');

export async function listEndingClaims(tx: Tx, fromCell: string): Promise<readonly EndingClaim[]> {
  return claims.select(tx, 'from ending_claims where from_cell = $1 order by claimed_at, ending_id', [
    fromCell,
  ]);
}

export async function markArrived(tx: Tx, endingId: string, arrivedAt: Date): Promise<void> {
  await tx.query('update cell_endings set arrived_at = $2 where ending_id = $1 and arrived_at is null', [
    endingId,
    arrivedAt,
  ]);
}
