// Copies what is no payment's and can be hundreds of thousands of rows: first all of it while the merchant is served,
// then what changed meanwhile, and behind the migration lock only what changed last.
import { inTransaction } from '../../../store/database.ts';
import { listDifferences, writeAlike, type Difference } from '../../../store/cells/moving/compare-rows.ts';
import { PIECE_TABLES, type PieceTable } from '../../../store/cells/moving/copied-tables.ts';
import {
  copyRows,
  findByKeys,
  readByKeys,
  type CopyTools,
  type Piece,
} from '../../../store/cells/moving/copy-rows.ts';
import {
  ALL_PIECE_TABLES,
  deleteLostPages,
  deletePieceNotes,
  listPieceNotes,
  listPiecesAfter,
  listUnnotedPieces,
  markPiecesThrough,
  readPiecesThrough,
  type NotedPiece,
} from '../../../store/cells/moving/pieces.ts';
import { requireArriving, type MoveStep } from '../../../store/cells/moving/steps.ts';
import type { MoveCells, MoveWatch } from './copy-payments.ts';

/** As many notes at a time. A piece of a batch is up to 500 rows. */
const NOTES_PER_PAGE = 10;
/** So few that the rest is copied in a moment. */
const NOTES_FEW = 3;

/** Everything, in the order of identifiers; a move that was cut off goes on where it was. */
export async function copyPieces(cells: MoveCells, step: MoveStep, watch: MoveWatch): Promise<void> {
  const { merchantId } = step;
  for (const table of ALL_PIECE_TABLES) {
    let after = await readPiecesThrough(cells.to.store.database, table, merchantId);
    for (;;) {
      watch.signal?.throwIfAborted();
      const pieces = await listPiecesAfter(cells.from.store.database, table, { merchantId, after });
      const last = pieces.at(-1);
      if (last === undefined) break;
      await copyTo(cells, step, { table, pieces }, ({ to }) =>
        markPiecesThrough(to, table, { merchantId, last }),
      );
      after = last;
    }
  }
  await deleteLeftPages(cells, step, watch);
}

/** Sessions that an earlier stay left in the new cell, and that were deleted with a person since. */
async function deleteLeftPages(cells: MoveCells, step: MoveStep, watch: MoveWatch): Promise<void> {
  const { merchantId } = step;
  let after: Piece | null = null;
  for (;;) {
    watch.signal?.throwIfAborted();
    const pieces: readonly Piece[] = await listPiecesAfter(cells.to.store.database, 'payment_pages', {
      merchantId,
      after,
    });
    const last = pieces.at(-1);
    if (last === undefined) break;
    await inBoth(cells, step, (tools) => deleteLostPages(tools, { merchantId, pieces }));
    after = last;
  }
}

/** What changed since, until little is left. */
export async function copyNotedPieces(cells: MoveCells, step: MoveStep, watch: MoveWatch): Promise<void> {
  const { database } = cells.from.store;
  const { merchantId } = step;
  let copied = NOTES_PER_PAGE;
  while (copied >= NOTES_FEW) {
    watch.signal?.throwIfAborted();
    const notes = await listPieceNotes(database, { merchantId, after: '0', countMax: NOTES_PER_PAGE });
    for (const [table, pieces] of byTable(notes))
      await copyTo(cells, step, { table, pieces }, async () => undefined);
    await deletePieceNotes(database, merchantId, notes);
    copied = notes.length;
  }
}

/** Behind the migration lock: copies what is noted, and answers what differs afterwards. Notes stay. */
export async function copyRestOfPieces(cells: MoveCells, step: MoveStep): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  let after = '0';
  for (;;) {
    const page = { merchantId: step.merchantId, after, countMax: NOTES_PER_PAGE };
    const notes = await listPieceNotes(cells.from.store.database, page);
    const last = notes.at(-1);
    if (last === undefined) return differences;
    for (const [table, pieces] of byTable(notes))
      differences.push(
        ...(await copyTo(cells, step, { table, pieces }, (tools) => compare(tools, step, { table, pieces }))),
      );
    after = last.noteNo;
  }
}

/** Before the merchant is locked: compares every piece that has no note, first of the old cell, then of the new one. */
export async function verifyPieces(
  cells: MoveCells,
  step: MoveStep,
  watch: MoveWatch,
): Promise<Difference | null> {
  const { merchantId } = step;
  for (const table of ALL_PIECE_TABLES)
    for (const side of ['from', 'to'] as const) {
      let after: Piece | null = null;
      for (;;) {
        watch.signal?.throwIfAborted();
        const pieces: readonly Piece[] = await listPiecesAfter(cells[side].store.database, table, {
          merchantId,
          after,
        });
        const last = pieces.at(-1);
        if (last === undefined) break;
        const [difference] = await compareUnnoted(cells, step, { table, pieces });
        if (difference !== undefined) return difference;
        after = last;
      }
    }
  return null;
}

type Some = { readonly table: PieceTable; readonly pieces: readonly Piece[] };

async function copyTo<Result>(
  cells: MoveCells,
  step: MoveStep,
  { table, pieces }: Some,
  end: (tools: CopyTools) => Promise<Result>,
): Promise<Result> {
  const of = { merchantId: step.merchantId, pieces };
  return inBoth(cells, step, async (tools) => {
    await copyRows(tools, PIECE_TABLES[table], of);
    if (table === 'payment_pages') await deleteLostPages(tools, of);
    return end(tools);
  });
}

/** One look at the old cell shows a change together with its note. */
async function compareUnnoted(cells: MoveCells, step: MoveStep, { table, pieces }: Some) {
  return inBoth(cells, step, async (tools) => {
    const unnoted = await listUnnotedPieces(tools.from, table, { merchantId: step.merchantId, pieces });
    return compare(tools, step, { table, pieces: unnoted });
  });
}

/** Batches themselves are compared behind the migration lock. */
async function compare(tools: CopyTools, { merchantId }: MoveStep, { table, pieces }: Some) {
  await Promise.all([tools.from, tools.to].map(writeAlike));
  return listDifferences(tools, PIECE_TABLES[table].slice(-1), { merchantId, pieces });
}

async function inBoth<Result>(
  { from, to, shapes }: MoveCells,
  step: MoveStep,
  work: (tools: CopyTools) => Promise<Result>,
): Promise<Result> {
  return inTransaction(to.store.database, async (there) => {
    await requireArriving(there, step);
    await findByKeys(there);
    return inTransaction(from.store.database, async (here) => {
      await readByKeys(here);
      return work({ from: here, to: there, shapes });
    });
  });
}

function byTable(notes: readonly NotedPiece[]): ReadonlyMap<PieceTable, readonly Piece[]> {
  return Map.groupBy(notes, ({ tableName }) => tableName);
}
