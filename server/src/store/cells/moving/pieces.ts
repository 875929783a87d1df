// Rows that are no payment's, copied in pieces: which there are, how far the copying has come, and which changed since.
import { column, columns } from '../../columns.ts';
import type { Tx } from '../../database.ts';
import { PIECE_ROWS, PIECE_TABLES, type PieceTable } from './copied-tables.ts';
import type { Piece, PiecesOf } from './copy-rows.ts';

const pieces = columns({ id: 'uuid', piece: 'int' });
const notes = columns({
  noteNo: column<string>('text', 'note_no::text'),
  tableName: column<PieceTable>('text'),
  ...pieces.defs,
});

export type NotedPiece = Piece & { readonly noteNo: string; readonly tableName: PieceTable };

export const ALL_PIECE_TABLES = Object.keys(PIECE_TABLES) as readonly PieceTable[];

/** As many rows at a time, to the end of the last one's piece. */
const ROWS_PER_PAGE = 500;

const KEYS_AFTER: Readonly<Record<PieceTable, string>> = {
  payment_pages: `select deposit_id as id, 0 as piece from payment_pages
    where merchant_id = $1 and deposit_id > coalesce($2, '00000000-0000-0000-0000-000000000000'::uuid)
      and $3::int is not null order by deposit_id`,
  payout_batch_rows: `select batch_id as id, row_no / ${PIECE_ROWS} as piece from payout_batch_rows
    where merchant_id = $1 and (batch_id, row_no)
      > (coalesce($2, '00000000-0000-0000-0000-000000000000'::uuid), $3::int * ${PIECE_ROWS} + ${PIECE_ROWS - 1})
    order by batch_id, row_no`,
};

/** The next pieces in their order, from behind `after`; none at the end. */
export async function listPiecesAfter(
  tx: Tx,
  table: PieceTable,
  { merchantId, after }: { readonly merchantId: string; readonly after: Piece | null },
): Promise<readonly Piece[]> {
  return pieces.select(
    tx,
    `from (select distinct id, piece from (${KEYS_AFTER[table]} limit ${ROWS_PER_PAGE}) r) p order by id, piece`,
    [merchantId, after?.id ?? null, after?.piece ?? -1],
  );
}

export async function markPiecesThrough(
  tx: Tx,
  table: PieceTable,
  { merchantId, last }: { readonly merchantId: string; readonly last: Piece },
): Promise<void> {
  await tx.query(
    `update migration_locks set pieces_through = pieces_through || jsonb_build_object($2::text, $3::jsonb)
     where merchant_id = $1 and state = 'ARRIVING'`,
    [merchantId, table, JSON.stringify(last)],
  );
}

export async function readPiecesThrough(
  tx: Tx,
  table: PieceTable,
  merchantId: string,
): Promise<Piece | null> {
  const { rows } = await tx.query<{ through: Piece | null }>(
    'select pieces_through -> $2 as through from migration_locks where merchant_id = $1',
    [merchantId, table],
  );
  return rows[0]?.through ?? null;
}

/** Notes behind `after`, the oldest first. */
export async function listPieceNotes(
  tx: Tx,
  {
    merchantId,
    after,
    countMax,
  }: { readonly merchantId: string; readonly after: string; readonly countMax: number },
): Promise<readonly NotedPiece[]> {
  return notes.select(
    tx,
    'from moving_pieces where merchant_id = $1 and moving_pieces.note_no > $2 order by moving_pieces.note_no limit $3',
    [merchantId, after, countMax],
  );
}

/** Exactly these: a change that is not yet committed has a note of its own. */
export async function deletePieceNotes(
  tx: Tx,
  merchantId: string,
  done: readonly NotedPiece[],
): Promise<void> {
  await tx.query('delete from moving_pieces where merchant_id = $1 and note_no = any ($2::bigint[])', [
    merchantId,
    done.map(({ noteNo }) => noteNo),
  ]);
}

/** Those of these pieces that have no note. */
export async function listUnnotedPieces(
  tx: Tx,
  table: PieceTable,
  { merchantId, pieces: asked }: PiecesOf,
): Promise<readonly Piece[]> {
  return pieces.select(
    tx,
    `from unnest($3::uuid[], $4::int[]) as u (id, piece) where not exists (
       select from moving_pieces n
       where n.merchant_id = $1 and n.table_name = $2 and (n.id, n.piece) = (u.id, u.piece))`,
    [merchantId, table, asked.map(({ id }) => id), asked.map(({ piece }) => piece)],
  );
}

/** Sessions of the payment page are deleted with the person whom they name. Deletes those that the old cell lacks. */
export async function deleteLostPages(
  { from, to }: { readonly from: Tx; readonly to: Tx },
  { merchantId, pieces: asked }: PiecesOf,
): Promise<void> {
  const ids = asked.map(({ id }) => id);
  const { rows } = await from.query<{ id: string }>(
    'select deposit_id as id from payment_pages where merchant_id = $1 and deposit_id = any ($2::uuid[])',
    [merchantId, ids],
  );
  const there = new Set(rows.map(({ id }) => id));
  await to.query('delete from payment_pages where merchant_id = $1 and deposit_id = any ($2::uuid[])', [
    merchantId,
    ids.filter((id) => !there.has(id)),
  ]);
}
