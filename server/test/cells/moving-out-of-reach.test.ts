// Databases that are out of reach while a merchant moves.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createArrivals } from '../../src/core/cells/moving/finish-arrivals.ts';
import { moveMerchant } from '../../src/core/cells/moving/move-merchant.ts';
import { findMigrationLock } from '../../src/store/cells/migration-locks.ts';
import { alone, moveBetween, openTwoCells, pairOf, type TwoCells } from '../two-cells.ts';

let cells: TwoCells;
beforeAll(async () => {
  cells = await openTwoCells({ role: 'api' });
  for (const { engine } of [cells.one, cells.two])
    await engine.store.database.query(
      `insert into operator_accounts (connector, account_hash, noted_at) values ('simulator', 'same', $1)`,
      [new Date()],
    );
});
afterAll(() => cells.stop());

test('While the directory is out of reach a merchant stays served where it is.', async () => {
  const { one, two, merchant } = cells;
  const { merchantId } = merchant;
  const order = { merchantId, home: '0001', by: 'test', onProgress: () => undefined };
  const pair = { ...(await pairOf(one, two)), to: alone(two) };
  await expect(moveMerchant(pair, order)).rejects.toThrow('no route');
  expect(await findMigrationLock(one.engine.store.database, merchantId)).toMatchObject({ state: 'COPYING' });
});

test('A merchant whose mover died arrives although the cell that another one comes from is out of reach.', async () => {
  const { one, two, merchant } = cells;
  const { merchantId } = merchant;
  expect(await moveBetween(cells, one, two)).toEqual({ type: 'MOVED' });
  const left = await findMigrationLock(one.engine.store.database, merchantId);
  const { database } = two.engine.store;
  const arriving = [
    [randomUUID(), '0003', randomUUID()],
    [merchantId, '0001', left?.moveId],
  ];
  for (const values of arriving)
    await database.query(
      `insert into migration_locks (merchant_id, state, other_cell, move_id) values ($1, 'ARRIVING', $2, $3)`,
      values,
    );
  const errors: unknown[] = [];
  const finish = createArrivals(two.engine);
  const report = { onError: (error: unknown) => void errors.push(String(error)) };
  await finish(report);
  await finish(report);
  expect(await findMigrationLock(database, merchantId)).toBe(null);
  expect(new Set(errors)).toEqual(new Set(['Error: the cell 0003 is not configured']));
});
