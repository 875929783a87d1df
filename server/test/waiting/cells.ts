// Merchants on their way between two cells, and transactions that two cells have.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { completeEndings } from '../../src/core/cells/ending/complete-endings.ts';
import { requestCellEnd } from '../../src/core/cells/ending/end-cell.ts';
import { orderFloat } from '../../src/core/ledger/move-float.ts';
import { startCloses } from '../../src/core/daily-close/accounts.ts';
import { readClose } from '../../src/core/daily-close/read-close.ts';
import { moveMerchant } from '../../src/core/cells/moving/move-merchant.ts';
import { openConflictCases } from '../../src/core/payments/process/open-conflicts.ts';
import { insertConflicts } from '../../src/store/payments/transaction-conflicts.ts';
import { addAdministrators, ANA, approveAs, BEN } from '../approval-requests.ts';
import { addPayout, endPayout } from '../cells/moving-payouts.ts';
import { runCommandHere } from '../command-process.ts';
import { select } from '../gateway.ts';
import { whileRefused } from '../refused-writes.ts';
import { serverEnvironment } from '../server-process.ts';
import { alone, pairOf, type TestCell, type TwoCells } from '../two-cells.ts';
import { countWaiting } from './states.ts';
import type { Way, Ways } from './ways.ts';

export type CellsWorld = { readonly cells: TwoCells; readonly gateway: Pick<TestCell, 'engine'> };

/** Runs a command with the settings of a cell. */
async function runIn({ cells }: CellsWorld, cell: TestCell, ...args: readonly string[]): Promise<void> {
  const { config } = cell;
  const { databaseUrl } = config.cell;
  const { [`MALIPO_DATABASE_URL`]: _, ...environment } = serverEnvironment({
    ...cells,
    ...cell,
    databaseUrl,
  } as never);
  const listed = (of: (cell: (typeof config.cells)[number]) => string | undefined) =>
    config.cells.map((one) => `${one.id}=${of(one)}`).join(' ');
  const { errors } = await runCommandHere(
    {
      ...environment,
      MALIPO_CELL: config.cell.id,
      MALIPO_CELLS: listed((one) => one.databaseUrl),
      MALIPO_CELL_URLS: listed(({ urls }) => urls[0]),
    },
    args,
  );
  expect(errors).toBe('');
}

const move = (
  world: CellsWorld,
  from: TestCell,
  to: TestCell,
  merchantId: string,
  ...more: readonly string[]
) =>
  runIn(
    world,
    from,
    'merchant',
    'move',
    '--merchant',
    merchantId,
    '--to',
    to.config.cell.id,
    '--by',
    'Ana',
    ...more,
  );

/** A merchant of the first cell with a payout, whose move to the second one stopped while it was copied. */
async function stopCopying({ cells }: CellsWorld): Promise<string> {
  const { one, two } = cells;
  const { merchantId } = await createDemoMerchant(one.engine, null);
  await endPayout(one, await addPayout(one, merchantId));
  const controller = new AbortController();
  const order = { merchantId, home: '0001', by: 'Ana', signal: controller.signal };
  const onProgress = (text: string) => {
    if (text.startsWith('is being copied')) controller.abort(new Error('stopped'));
  };
  await moveMerchant(await pairOf(one, two), { ...order, onProgress }).catch(() => undefined);
  return merchantId;
}

/** In the cell to which the merchant moves. */
const countThere = ({ cells }: CellsWorld) =>
  countWaiting(cells.two.engine.store.database, 'migration_locks.state ARRIVING');

const aborted: Way<CellsWorld> = {
  make: async (world) => {
    const merchantId = await stopCopying(world);
    return () => move(world, world.cells.one, world.cells.two, merchantId, '--abort');
  },
};

/** The second cell, which nobody lives in, ends: its balances have left it, and the first one cannot post them. */
const ending: Way<CellsWorld> = {
  make: async ({ cells: { one, two } }) => {
    const { engine } = two;
    await addAdministrators(engine);
    const movement = { provider: 'MTN_MOMO_RWA', country: 'RWA', currency: 'RWF', amount: 10_000n } as const;
    const topUp = { ...movement, type: 'FLOAT_TOP_UP', reference: randomUUID() } as const;
    await orderFloat(engine, { actor: ANA, secondApprover: 'OPTIONAL', movement: topUp });
    const asked = await requestCellEnd(engine, { actor: ANA, to: one.engine.home });
    if (asked.type !== 'REQUESTED') expect.fail(JSON.stringify(asked));
    const writes = {
      table: 'transfers',
      operation: 'insert',
      when: `new.subject_kind = 'CELL_END'`,
    } as const;
    await whileRefused(one, writes, () => approveAs(engine, BEN, asked.approvalId));
    return () => completeEndings(engine, { onError: fail });
  },
  count: ({ cells }) => countWaiting(cells.two.engine.store.database, 'cell_endings.arrived_at null'),
};

/** Something of a merchant that is no payment changes while the merchant is copied. */
const noted = (change: string): Way<CellsWorld> => ({
  make: async (world) => {
    const { one, two } = world.cells;
    const merchantId = await stopCopying(world);
    await select(one, change, [merchantId]);
    return () => move(world, one, two, merchantId);
  },
});

const fail = (error: unknown): never => {
  throw error;
};

export const CELL_WAYS: Ways<CellsWorld> = {
  // First, because a cell that ends must be empty.
  'cell_endings.arrived_at null': ending,
  'migration_locks.state COPYING': aborted,
  'migration_locks.state ARRIVING': { ...aborted, count: countThere },
  'migration_locks.state LEAVING': {
    make: async (world) => {
      const { one, two } = world.cells;
      const merchantId = await stopCopying(world);
      await select(
        one,
        `update migration_locks set state = 'LEAVING', lapses_at = now() + interval '1 minute',
           lock_id = gen_random_uuid() where merchant_id = $1`,
        [merchantId],
      );
      return () => move(world, one, two, merchantId);
    },
  },
  'migration_locks.state AWAY': {
    make: async (world) => {
      const { one, two } = world.cells;
      const merchantId = await stopCopying(world);
      await move(world, one, two, merchantId);
      return () => move(world, two, one, merchantId);
    },
  },
  'moving_payments row': {
    make: async (world) => {
      const { one, two } = world.cells;
      const merchantId = await stopCopying(world);
      await endPayout(one, await addPayout(one, merchantId));
      return () => move(world, one, two, merchantId);
    },
  },
  'moving_pieces.table_name payment_pages': noted(`
    insert into payment_pages (merchant_id, deposit_id, written_id, api_version, code_hash, created_at, expires_at)
    values ($1, gen_random_uuid(), 'order', 'v2', uuid_send($1), now(), now() + interval '1 h')`),
  'moving_pieces.table_name payout_batch_rows': noted(`
    with batch as (
      insert into payout_batches (merchant_id, batch_id, source, api_version, encrypted_title, content_hash,
        row_count, status, prepared_by, prepared_by_name, prepared_at, needs_approval)
      values ($1, gen_random_uuid(), 'FORM', 'v2', '', '', 1, 'WAITING', 'ana', 'ana', now(), true) returning batch_id)
    insert into payout_batch_rows (merchant_id, batch_id, row_no, payout_id, payment_no, provider, currency, amount,
      fee, encrypted_order, number_hash, status)
    select $1, batch_id, 1, gen_random_uuid(), gen_random_uuid(), 'MTN_MOMO_RWA', 'RWF', 100, 1, '', '', 'WAITING'
    from batch`),
  'daily close CELL_SILENT': {
    make: async ({ cells }) => {
      const { engine } = cells.one;
      const account = { provider: 'MTN_MOMO_RWA', currency: 'RWF' };
      const day = new Date().toISOString().slice(0, 10);
      await startCloses(engine, { by: 'Ana', ...account, firstDay: day, timeZone: 'UTC', dueHours: 36 });
      // No way leads to the other cell until somebody brings it back.
      let reachable = alone(cells.one);
      return {
        count: async () => {
          const close = await readClose(reachable, { ...account, day });
          return close?.obstacles.filter((one) => one === 'CELL_SILENT').length ?? 0;
        },
        end: async () => {
          reachable = engine;
        },
      };
    },
  },
  'transaction_conflicts row': {
    make: async ({ cells: { one, merchant } }) => {
      const { engine } = one;
      const key = await addPayout(one, merchant.merchantId);
      await endPayout(one, key);
      const owner = { ...key, paymentId: randomUUID(), cell: '0002', claimedAt: new Date().toISOString() };
      const taken = { provider: 'MTN_MOMO_RWA', providerTransactionId: randomUUID() };
      const conflict = { ...key, ...taken, owner, foundAt: new Date() };
      await insertConflicts(engine.store.database, [conflict]);
      return () =>
        openConflictCases(engine, {
          countMax: 10,
          onError: fail,
        });
    },
  },
};
