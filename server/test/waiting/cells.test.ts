// Whatever waits because of several cells can be ended by a person.
import { afterAll, beforeAll, describe } from 'vitest';
import { noteAccounts, openTwoCells } from '../two-cells.ts';
import { CELL_WAYS, type CellsWorld } from './cells.ts';
import { testWays } from './ways.ts';

let world: CellsWorld;
beforeAll(async () => {
  const cells = await openTwoCells({ role: 'api' });
  await noteAccounts(cells, 'same', 'same');
  world = { cells, gateway: cells.one };
});
afterAll(() => world.cells.stop());

describe('a cell', () => testWays(CELL_WAYS, () => world));
