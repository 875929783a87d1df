// A process starts only where the settings and the first cell agree which database is which cell.
import { ConfigError } from '../../config-values.ts';
import { findWrongCell, registerCell } from '../../core/cells/cell-names.ts';
import type { Engine } from '../../core/engine.ts';

/** Throws ConfigError where this process's database may not have the name of its cell. */
export async function requireOwnName(engine: Engine): Promise<void> {
  const registered = await registerCell(engine);
  switch (registered.type) {
    case 'REGISTERED':
      return;
    case 'NAME_TAKEN':
      throw new ConfigError(
        `The cell ${registered.cell} is another database, since ${registered.since.toISOString()}. The name of a ` +
          'cell is never used again, also after its end: references and merchants name it. Give a new cell a name ' +
          'that no cell has had, in MALIPO_CELLS and MALIPO_CELL, or put the database of this cell into MALIPO_CELLS.',
      );
    case 'OTHER_CELL':
      throw new ConfigError(
        `This database is the cell ${registered.cell}, and MALIPO_CELLS calls it ${engine.home}. A cell keeps its ` +
          'name.',
      );
    case 'CELL_SILENT':
      throw new ConfigError(
        `The first cell, ${registered.cell}, does not answer. A new cell is registered there before it starts.`,
      );
  }
}

/** Throws ConfigError where another cell of the settings is not the database that had its name first. */
export async function requireNamesOfOthers(engine: Engine): Promise<void> {
  const cell = await findWrongCell(engine);
  if (cell === null) return;
  throw new ConfigError(
    `MALIPO_CELLS names a database as cell ${cell} that is not this cell's. The name of a cell is never used again, ` +
      'also after its end. Put its own database there, or give a new cell a name that no cell has had.',
  );
}
