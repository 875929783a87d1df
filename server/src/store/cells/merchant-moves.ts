// The list of moves: which merchants live in another cell than their home. The first cell's is the true one.
import type { Tx } from '../database.ts';
import { rowInserter } from '../rows.ts';

export type MerchantMove = {
  readonly merchantId: string;
  readonly home: string;
  readonly cell: string;
  readonly version: number;
  readonly movedAt: Date;
};

/** What changed since a version, in the order in which it did. */
export async function listMovesSince(tx: Tx, version: number): Promise<readonly MerchantMove[]> {
  const { rows } = await tx.query<{
    merchant_id: string;
    home: string;
    cell: string;
    version: string;
    moved_at: Date;
  }>(
    'select merchant_id, home, cell, version, moved_at from merchant_moves where version > $1 order by version',
    [version],
  );
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    home: row.home,
    cell: row.cell,
    version: Number(row.version),
    movedAt: row.moved_at,
  }));
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
export const keepMoves = rowInserter<MerchantMove>(
  'merchant_moves',
  [
    ['merchant_id', 'uuid', (move) => move.merchantId],
    ['home', 'text', (move) => move.home],
    ['cell', 'text', (move) => move.cell],
    ['version', 'bigint', (move) => move.version],
    ['moved_at', 'timestamptz', (move) => move.movedAt],
  ],
  `on conflict (merchant_id) do update set cell = excluded.cell, version = excluded.version,
     moved_at = excluded.moved_at where merchant_moves.version < excluded.version`,
);
