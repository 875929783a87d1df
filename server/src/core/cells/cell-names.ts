// A cell's name belongs to one database for ever, also after the cell has ended: references that it claimed and posted,
// moves, and the identifiers of its merchants name it, and would be taken for those of whatever has the name next.
import { randomUUID } from 'node:crypto';
import {
  ensureIdentity,
  findCellNames,
  findIdentity,
  insertCellName,
  listCellNames,
  markRegistered,
  type CellName,
} from '../../store/cells/cell-names.ts';
import { inTransaction } from '../../store/database.ts';
import type { Engine } from '../engine.ts';
import { askCell, type CellsPart, type CellSilent } from './ask-other-cells.ts';

type RegisteringPart = CellsPart & Pick<Engine, 'store' | 'clock'>;

export type CellRegistered =
  | { readonly type: 'REGISTERED' }
  /** Another database has the name, or had it before it ended. */
  | { readonly type: 'NAME_TAKEN'; readonly cell: string; readonly since: Date }
  /** The database is the one of another cell. */
  | { readonly type: 'OTHER_CELL'; readonly cell: string }
  /** Nobody can tell whether the name is free. A database that was registered before does not ask. */
  | CellSilent;

/**
 * Makes sure that this process's database has the name of its cell, in the first cell. The database of a cell that has
 * ended still has its own name, so it can be opened as long as it is needed.
 */
export async function registerCell(engine: RegisteringPart): Promise<CellRegistered> {
  const { home: cell, directoryCell, databaseOf } = engine;
  const { database } = engine.store;
  const own = await ensureIdentity(database, { databaseId: randomUUID(), cell });
  if (own.cell !== cell) return { type: 'OTHER_CELL', cell: own.cell };
  const { databaseId } = own;
  const answered = await askCell(directoryCell, () =>
    inTransaction(databaseOf(directoryCell), async (tx) => {
      const known = await findCellNames(tx, own);
      if (known.length > 0) return known;
      await insertCellName(tx, { cell, databaseId, registeredAt: await engine.clock.timeOf(tx) });
      return findCellNames(tx, own);
    }),
  );
  if (answered.type === 'CELL_SILENT') return own.registeredAt === null ? answered : { type: 'REGISTERED' };
  const refusal = answered.answer.map((known) => contradiction(known, own)).find((one) => one !== null);
  if (refusal !== undefined) return refusal;
  if (own.registeredAt === null)
    await inTransaction(database, async (tx) => markRegistered(tx, await engine.clock.timeOf(tx)));
  return { type: 'REGISTERED' };
}

/** The first of the other cells in the settings whose database is not the one that the first cell knows by its name. */
export async function findWrongCell(engine: CellsPart): Promise<string | null> {
  const { home, cells, directoryCell, databaseOf } = engine;
  const others = cells.filter((cell) => cell !== home);
  if (others.length === 0) return null;
  const known = await askCell(directoryCell, () => listCellNames(databaseOf(directoryCell)));
  if (known.type === 'CELL_SILENT') return null;
  const names = new Map(known.answer.map(({ cell, databaseId }) => [cell, databaseId]));
  const found = await Promise.all(
    others.map(async (cell) => {
      const answered = await askCell(cell, () => findIdentity(databaseOf(cell)));
      if (answered.type === 'CELL_SILENT') return null;
      const identity = answered.answer;
      const isRight =
        identity === null
          ? !names.has(cell)
          : identity.cell === cell && (names.get(cell) ?? identity.databaseId) === identity.databaseId;
      return isRight ? null : cell;
    }),
  );
  return found.find((cell) => cell !== null) ?? null;
}

function contradiction(
  known: CellName,
  own: Pick<CellName, 'cell' | 'databaseId'>,
): Exclude<CellRegistered, CellSilent> | null {
  if (known.cell !== own.cell) return { type: 'OTHER_CELL', cell: known.cell };
  if (known.databaseId === own.databaseId) return null;
  return { type: 'NAME_TAKEN', cell: known.cell, since: known.registeredAt };
}
