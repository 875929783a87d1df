// A cell keeps its name for ever: what names a cell that has ended is never taken for another one's.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/config-values.ts';
import type { Config } from '../../src/config.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { select } from '../gateway.ts';
import { openUnderRoles } from '../lesser-roles.ts';
import { openTwoCells, type TwoCells } from '../two-cells.ts';

let cells: TwoCells;
let empty: TestDatabase;
beforeAll(async () => {
  cells = await openTwoCells({ role: 'api' });
  empty = await createTestDatabase();
});
afterAll(async () => {
  await cells.stop();
  await empty.drop();
});

/** The settings of both cells where `name` is at this address. */
function settingsWith(config: Config, name: string, databaseUrl: string): Config {
  const named = { id: name, databaseUrl, urls: ['http://127.0.0.1:1'] };
  const others = config.cells.filter(({ id }) => id !== name && (id === '0001' || name !== '0003'));
  return { ...config, cells: [...others, named], cell: config.cell, port: 0 };
}

/** Opens a process of the cell, and starts it, as `serve` does. */
async function start(config: Config): Promise<void> {
  const gateway = await openUnderRoles(config, 'api');
  try {
    await gateway.start();
  } finally {
    await gateway.stop();
  }
}

async function refusalOf(config: Config): Promise<string> {
  const error: unknown = await start(config).then(
    () => expect.fail('it started'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConfigError);
  return String(error);
}

describe('the name of a cell', () => {
  test('is given to one database, and that of an ended cell to no other one', async () => {
    const config = settingsWith(cells.two.config, '0002', empty.url);
    const own = { ...config, cell: { ...cells.two.config.cell, databaseUrl: empty.url } };
    expect(await refusalOf(own)).toMatch(/The cell 0002 is another database.*never used again/);
    expect(await select(cells.one, 'select cell from cell_names order by cell')).toEqual([
      { cell: '0001' },
      { cell: '0002' },
    ]);
  });

  test('is not taken from another database by the processes of other cells', async () => {
    const config = settingsWith(cells.one.config, '0002', empty.url);
    expect(await refusalOf(config)).toMatch(/names a database as cell 0002 that is not this cell's/);
  });

  test('cannot be changed', async () => {
    const { databaseUrl } = cells.two.config.cell;
    const config = settingsWith(cells.two.config, '0003', databaseUrl);
    const renamed = { ...config, cell: { ...cells.two.config.cell, id: '0003' } };
    expect(await refusalOf(renamed)).toMatch(
      /This database is the cell 0002, and MALIPO_CELLS calls it 0003/,
    );
  });

  test('stays with its own database, which opens also while the first cell is away, once it is registered', async () => {
    await start({ ...cells.two.config, port: 0 });
    cells.one.link.refuse();
    try {
      await start({ ...cells.two.config, port: 0 });
    } finally {
      cells.one.link.restore();
    }
  });

  test('of a new cell is registered before it starts', async () => {
    const fresh = await createTestDatabase();
    const named = settingsWith(cells.two.config, '0004', fresh.url);
    const config = { ...named, cell: { ...cells.two.config.cell, id: '0004', databaseUrl: fresh.url } };
    cells.one.link.refuse();
    try {
      expect(await refusalOf(config)).toMatch(/The first cell, 0001, does not answer/);
    } finally {
      cells.one.link.restore();
    }
    await start(config);
    expect(await select(cells.one, `select 1 from cell_names where cell = '0004'`)).toHaveLength(1);
    await fresh.drop();
  });
});
