// Moves between cells whose databases have different times.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { abortMove } from '../../src/core/cells/moving/abort-move.ts';
import { moveMerchant } from '../../src/core/cells/moving/move-merchant.ts';
import type { Engine } from '../../src/core/engine.ts';
import { topUpWallets } from '../../src/core/ledger/administer-wallets.ts';
import { sumLedger } from '../../src/core/monitoring/sum-ledger.ts';
import { parseAmount } from '../../src/domain/money.ts';
import { listUnbalancedWallets } from '../../src/store/ledger/ledger.ts';
import { readDatabaseTimes } from '../../src/store/monitoring/database-time.ts';
import { noteAccounts, openTwoCells, pairOf, type TwoCells } from '../two-cells.ts';

let cells: TwoCells;
let merchantId: string;
beforeAll(async () => {
  cells = await openTwoCells({ role: 'api' });
  await noteAccounts(cells, 'same', 'same');
});
afterAll(() => cells.stop());
beforeEach(async () => {
  ({ merchantId } = await createDemoMerchant(cells.one.engine, null));
});

/** As the clock of a database server that is ahead by so much. */
async function setClock({ store }: Engine, ahead: string): Promise<void> {
  const shift = `create or replace function time_shift() returns interval language sql stable as`;
  await store.database.query(`${shift} $$ select interval '${ahead}' $$`);
}

async function aheadMs({ store }: Engine): Promise<number> {
  const { real, writing } = await readDatabaseTimes(store.database);
  return writing.getTime() - real.getTime();
}

async function topUp(engine: Engine): Promise<void> {
  const place = { by: 'Ana', merchantId, country: 'RWA', currency: 'RWF' };
  const amount = parseAmount('1000')!;
  expect((await topUpWallets(engine, [{ ...place, amount, reference: null }])).type).toBe('DONE');
}

async function move(onProgress: (text: string) => void = () => undefined) {
  const order = { merchantId, home: '0001', by: 'test', onProgress };
  return moveMerchant(await pairOf(cells.one, cells.two), order);
}

const HOUR_MS = 3_600_000;

test('O2: a moving merchant carries no fast clock into another cell: the move is not begun, and both times are named', async () => {
  const [one, two] = [cells.one.engine, cells.two.engine];
  await setClock(one, '50 hours');
  try {
    await topUp(one);
    const answer = await move();
    expect(answer).toMatchObject({ type: 'TIMES_DIFFER', here: expect.any(Date), there: expect.any(Date) });
    const { here, there } = answer as { here: Date; there: Date };
    expect(Math.round((here.getTime() - there.getTime()) / HOUR_MS)).toBe(50);
    expect(Math.abs(await aheadMs(two))).toBeLessThan(1_000);
    expect((await two.store.database.query('select 1 from migration_locks')).rows).toEqual([]);
  } finally {
    await setClock(one, '0');
  }
});

const STEPS = [
  ['its clock jumps ahead', (engine: Engine) => setClock(engine, '50 hours')],
  [
    'its sums were carried ahead by a clock that is right again',
    async ({ store }: Engine) => {
      const until = new Date(Date.now() + 50 * HOUR_MS);
      const text = 'insert into ledger_progress (merchant_id, summed_until) values ($1, $2)';
      await store.database.query(text, [merchantId, until]);
    },
  ],
] as const;

test.each(STEPS)(
  'O2: a moving merchant carries no fast clock into another cell where %s while it is copied',
  async (_how, change) => {
    const [one, two] = [cells.one.engine, cells.two.engine];
    await topUp(one);
    const changes: Promise<void>[] = [];
    const onProgress = (text: string) => {
      if (text.startsWith('compared') && changes.length === 0) changes.push(change(one));
    };
    try {
      expect(await move(onProgress)).toMatchObject({ type: 'TIMES_DIFFER' });
      await Promise.all(changes);
      expect(changes.length).toBe(1);
      expect(Math.abs(await aheadMs(two))).toBeLessThan(1_000);
      expect(await move()).toMatchObject({ type: 'TIMES_DIFFER' });
    } finally {
      await setClock(one, '0');
      await one.store.database.query('delete from ledger_progress where merchant_id = $1', [merchantId]);
    }
    const abort = { merchantId, by: 'test', onProgress: () => undefined };
    expect((await abortMove(await pairOf(cells.one, cells.two), abort)).type).toBe('ABORTED');
    expect(await move()).toEqual({ type: 'MOVED' });
    await sumLedger(two);
    expect(await listUnbalancedWallets(two.store.database)).toEqual([]);
  },
);
