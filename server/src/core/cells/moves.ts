// The list of moves as this process knows it: read from the cell's own copy, which is brought up to date with the
// directory's beside the work. A directory that is out of reach costs nothing but news.
import type { Database } from '../../store/database.ts';
import { keepMoves, listMovesSince, type MerchantMove } from '../../store/cells/merchant-moves.ts';

export type Moves = {
  /** The cell a merchant has moved to; null for one that never moved. */
  readonly cellOf: (merchantId: string) => Promise<string | null>;
  /** The cells that merchants of a home live in, other than that home. */
  readonly cellsOfHome: (home: string) => Promise<readonly string[]>;
};

/** Within ten seconds everybody knows; a cell that was left forwards in the meantime. */
const REFRESH_MS = 5_000;

/** `directory` is null in the cell whose own list is the true one. */
export function createMoves(database: Database, directory: Database | null): Moves {
  const moves = new Map<string, MerchantMove>();
  let version = 0;
  let refreshed = -Infinity;
  let first: Promise<void> | undefined;

  const readCopy = async (): Promise<void> => {
    for (const move of await listMovesSince(database, version)) {
      moves.set(move.merchantId, move);
      version = Math.max(version, move.version);
    }
  };
  const refresh = async (): Promise<void> => {
    refreshed = performance.now();
    if (directory !== null) await keepMoves(database, await listMovesSince(directory, version));
    await readCopy();
  };
  const known = async (): Promise<ReadonlyMap<string, MerchantMove>> => {
    // The first one waits for the copy, and starts over where that cannot be read.
    first ??= readCopy();
    await first.catch((error: unknown) => {
      first = undefined;
      throw error;
    });
    if (performance.now() - refreshed > REFRESH_MS) void refresh().catch(() => undefined);
    return moves;
  };
  return {
    cellOf: async (merchantId) => (await known()).get(merchantId)?.cell ?? null,
    cellsOfHome: async (home) => {
      const cells = [...(await known()).values()].filter((move) => move.home === home);
      return [...new Set(cells.map(({ cell }) => cell))].filter((cell) => cell !== home);
    },
  };
}
