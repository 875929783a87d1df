// Where the databases are, and how connections to them are made.
import { ConfigError, optional, readEither, readNumber, required, requireDistinct } from './config-values.ts';
import { parseCells, parseCellUrls, type Cell } from './store/cells/cell.ts';
import { DEFAULT_CONNECTIONS, type ConnectionSettings } from './store/database.ts';

export function readConnections(env: NodeJS.ProcessEnv): ConnectionSettings {
  const { lifetimeMs, statementNames } = DEFAULT_CONNECTIONS;
  return {
    // A day is longer than any proxy keeps a connection; a second is for tests.
    lifetimeMs: readNumber(env, 'MALIPO_DATABASE_LIFETIME_MS', lifetimeMs, [1_000, 86_400_000]),
    statementNames: readEither(env, 'MALIPO_DATABASE_STATEMENT_NAMES', ['hash', 'none'], statementNames),
    isPooled: readDirectUrl(env) !== null,
  };
}

/** Where PostgreSQL itself is reached, beside a pooler. Null: there is no pooler. */
export function readDirectUrl(env: NodeJS.ProcessEnv): string | null {
  return optional(env, 'MALIPO_DATABASE_DIRECT_URL') ?? null;
}

/** `MALIPO_CELLS` is "0001=postgres://… 0002=postgres://…"; with one cell, `DATABASE_URL` is enough. */
export function readCells(env: NodeJS.ProcessEnv): readonly Cell[] {
  const text = optional(env, 'MALIPO_CELLS');
  if (text === undefined)
    return [{ id: '0001', databaseUrl: required(env, 'DATABASE_URL', 'postgres://…'), urls: [] }];
  const cells = parseCells(text);
  if (cells === null)
    throw new ConfigError('MALIPO_CELLS must list cells as "0001=postgres://…", parted by spaces.');
  requireDistinct('MALIPO_CELLS', 'the cell', cells);
  return cells.length === 1 ? cells : withUrls(env, cells);
}

/** Where there are several cells, each must be reachable by the others: what arrives at a wrong one is forwarded. */
function withUrls(env: NodeJS.ProcessEnv, cells: readonly Cell[]): readonly Cell[] {
  const urls = parseCellUrls(required(env, 'MALIPO_CELL_URLS', 'an address for each cell: "0001=http://…"'));
  if (urls === null)
    throw new ConfigError('MALIPO_CELL_URLS must list addresses as "0001=http://…", parted by spaces.');
  return cells.map((cell) => {
    const own = urls.get(cell.id);
    if (own === undefined) throw new ConfigError(`MALIPO_CELL_URLS has no address of the cell ${cell.id}.`);
    return { ...cell, urls: own };
  });
}

export function readOwnCell(env: NodeJS.ProcessEnv, cells: readonly Cell[]): Cell {
  const id = optional(env, 'MALIPO_CELL');
  const cell = id === undefined ? cells[0] : cells.find((candidate) => candidate.id === id);
  if (cell === undefined)
    throw new ConfigError(`MALIPO_CELL names the cell "${id}", which MALIPO_CELLS does not list.`);
  return cell;
}
