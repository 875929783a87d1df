// A cell is drained by one command that can be stopped at any time and run again.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drainCell } from '../../src/core/cells/moving/drain-cell.ts';
import { createMerchant } from '../../src/core/merchants/administer-merchants.ts';
import { topUpWallets } from '../../src/core/ledger/administer-wallets.ts';
import { OPERATIONS } from '../../src/domain/payments/payment.ts';
import { parseAmount } from '../../src/domain/money.ts';
import { openTwoCells, pairOf, type TestCell, type TwoCells } from '../two-cells.ts';
import { addPayout, endPayout } from './moving-payouts.ts';

let cells: TwoCells;
const merchantIds: string[] = [];

beforeAll(async () => {
  cells = await openTwoCells({ role: 'api' });
  for (const { engine } of [cells.one, cells.two])
    await engine.store.database.query(
      `insert into operator_accounts (connector, account_hash, noted_at) values ('simulator', 'same', $1)`,
      [new Date()],
    );
  merchantIds.push(cells.merchant.merchantId);
  const { engine } = cells.one;
  while (merchantIds.length < 4) {
    const order = { by: 'test', companyName: 'Duka', operations: OPERATIONS, walletPerProvider: false };
    merchantIds.push(await createMerchant(engine, order));
  }
  const place = { by: 'test', country: 'RWA', currency: 'RWF', amount: parseAmount('1000')! };
  for (const merchantId of merchantIds) {
    await topUpWallets(engine, [{ ...place, merchantId, reference: randomUUID() }]);
    await endPayout(cells.one, await addPayout(cells.one, merchantId));
  }
  merchantIds.sort();
});
afterAll(() => cells.stop());

async function drain(onProgress: (text: string) => void = () => undefined, signal?: AbortSignal) {
  return drainCell(await pairOf(cells.one, cells.two), { by: 'test', onProgress, signal });
}

async function countPayments({ engine }: TestCell): Promise<number> {
  return (await engine.store.database.query('select 1 from payments')).rows.length;
}

test('A drain that is stopped ends between two steps, and says which merchant of how many it moves.', async () => {
  const controller = new AbortController();
  const lines: string[] = [];
  const stopped = await drain((text) => {
    lines.push(text);
    if (text.startsWith('2 of 4') && text.includes('is being copied')) controller.abort(new Error('stop'));
  }, controller.signal);
  expect(stopped).toEqual({ movedCount: 1, notMoved: [], isStopped: true });
  expect(lines[0]).toBe(`1 of 4: ${merchantIds[0]} is being copied to 0002`);
  expect(lines.join('\n')).toMatch(
    /1 of 4: \S+ copied 1 payments, \d+ rows, \d+ rows a second while it was served/,
  );
  expect(await countPayments(cells.two)).toBe(1);
});

test('A drain that is run again goes on; a merchant that cannot be moved is reported, and the others are moved.', async () => {
  const stuck = merchantIds[2]!;
  // As another move left it there.
  await cells.two.engine.store.database.query(
    `insert into migration_locks (merchant_id, state, other_cell, move_id) values ($1, 'AWAY', '0001', $1)`,
    [stuck],
  );
  await cells.two.engine.store.database.query(
    `insert into payment_keys (merchant_id, kind, payment_id, payment_no, created_at, fingerprint)
     values ($1, 'PAYOUT', $1, $1, now(), '')`,
    [stuck],
  );
  const drained = await drain();
  expect(drained).toEqual({
    movedCount: 2,
    notMoved: [{ merchantId: stuck, why: { type: 'NOT_CLEARED' } }],
    isStopped: false,
  });
  expect(await countPayments(cells.one)).toBe(1);
});

test('A merchant whose clearing was interrupted is cleared by the next drain.', async () => {
  await cells.two.engine.store.database.query('delete from payment_keys where payment_no = merchant_id');
  const controller = new AbortController();
  const stopped = await drain((text) => {
    if (text.includes('is now in cell 0002')) controller.abort(new Error('stop'));
  }, controller.signal);
  expect(stopped.isStopped).toBe(true);
  expect(await countPayments(cells.one)).toBe(1);
  expect(await drain()).toEqual({ movedCount: 1, notMoved: [], isStopped: false });
  expect(await countPayments(cells.one)).toBe(0);
  expect(await countPayments(cells.two)).toBe(4);
});

test('A drained cell has nothing left to move.', async () => {
  expect(await drain()).toEqual({ movedCount: 0, notMoved: [], isStopped: false });
});
