// The list of moves: which merchants live in another cell than their home. The first cell's is the true one.
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { replacedOn, rowInserter } from '../rows.ts';

const moves = columns({
  merchantId: 'uuid',
  home: 'text',
  cell: 'text',
  version: 'bigint',
  movedAt: 'timestamptz',
});

export type MerchantMove = Row<typeof moves>;

/** What changed since a version, in the order in which it did. */
export async function listMovesSince(tx: Tx, version: number): Promise<readonly MerchantMove[]> {
  return moves.select(tx, 'from merchant_moves where version > $1 order by version', [version]);
}

/** Into the true list. Versions are given under a lock, so that no one who has read one misses an earlier one. */
export async function recordMove(tx: Tx, move: Omit<MerchantMove, 'version'>): Promise<MerchantMove> {
  await tx.query('lock table merchant_moves in share row exclusive mode');
  const { rows } = await tx.query<{ version: string }>(
    `insert into merchant_moves (merchant_id, home, cell, version, moved_at)
     select $1, $2, $3, coalesce(max(version), 0) + 1, $4 from merchant_moves
     on conflict (merchant_id) do update set cell = excluded.cell, version = excluded.version,
       moved_at = excluded.moved_at
     returning version`,
    [move.merchantId, move.home, move.cell, move.movedAt],
  );
  return { ...move, version: Number(rows[0]?.version) };
}

/** Into a copy. What it has newer stays. */
export const keepMoves = rowInserter(
  'merchant_moves',
  moves.cells,
  `${replacedOn('merchant_id', moves.without('home').cells)} where merchant_moves.version < excluded.version`,
);
