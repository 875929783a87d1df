// What a process needs to know of the other cells: who lives there, and the ways to them.
import { Forwarder } from '../../cells/forwarder.ts';
import type { Config } from '../../config.ts';
import type { Engine } from '../../core/engine.ts';
import { deriveLinkKeys } from '../../core/access/link-keys.ts';
import { createMoves } from '../../core/cells/moves.ts';
import { createCellAssignments } from '../../core/cells/cell-assignments.ts';
import { openDatabase, type Database } from '../../store/database.ts';
import { wallClock } from './clock.ts';
import type { ShutdownHooks } from './shutdown-hooks.ts';

export function openOtherCells(
  { cell, cells, connections, keys }: Pick<Config, 'cell' | 'cells' | 'connections' | 'keys'>,
  database: Database,
  shutdownHooks: ShutdownHooks,
): Pick<Engine, 'cellAssignments' | 'forwarder' | 'cells' | 'databaseOf' | 'directoryCell'> {
  const directoryCell = cells[0]?.id ?? cell.id;
  const databaseOf = createDatabases({ cell, cells, connections }, database, shutdownHooks);
  const forwarder = new Forwarder({ own: cell.id, cells, keys: deriveLinkKeys(keys.linkKeys).cellHops });
  shutdownHooks.add(() => forwarder.close());
  const moves = createMoves(database, directoryCell === cell.id ? null : databaseOf(directoryCell));
  const cellAssignments = createCellAssignments({ own: cell.id, database, clock: wallClock }, moves);
  const ids = [...new Set([cell.id, ...cells.map(({ id }) => id)])];
  return { cellAssignments, forwarder, cells: ids, databaseOf, directoryCell };
}

/** One connection is enough for what is done there, and is made when it is first needed. */
function createDatabases(
  { cell, cells, connections }: Pick<Config, 'cell' | 'cells' | 'connections'>,
  own: Database,
  shutdownHooks: ShutdownHooks,
): Engine['databaseOf'] {
  const opened = new Map<string, Database>();
  shutdownHooks.add(async () => {
    for (const database of opened.values()) await database.end();
  });
  return (id) => {
    if (id === cell.id) return own;
    const known = opened.get(id);
    if (known !== undefined) return known;
    const url = cells.find((candidate) => candidate.id === id)?.databaseUrl;
    if (url === undefined) throw new Error(`the cell ${id} is not configured`);
    const applicationName = `malipo of ${cell.id}`;
    const database = openDatabase({ url, connectionsMax: 1, applicationName, connections });
    opened.set(id, database);
    return database;
  };
}
