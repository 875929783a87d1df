// Both cells are compared before a move is decided, and until then it can be taken back.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { abortMove } from '../../src/core/cells/moving/abort-move.ts';
import { copyRest } from '../../src/core/cells/moving/copy-rest.ts';
import { sumLedger } from '../../src/core/monitoring/sum-ledger.ts';
import type { PaymentKey } from '../../src/domain/payments/payment.ts';
import { findMigrationLock, noteChanges } from '../../src/store/cells/migration-locks.ts';
import { inTransaction } from '../../src/store/database.ts';
import { clockAt } from '../clocks.ts';
import { moveBetween, openTwoCells, pairOf, type TestCell, type TwoCells } from '../two-cells.ts';
import { addPayout, endPayout, stateOf } from './moving-payouts.ts';

let cells: TwoCells;
let merchantId: string;
let key: PaymentKey;

beforeAll(async () => {
  cells = await openTwoCells({ role: 'api' });
  ({ merchantId } = cells.merchant);
  for (const { engine } of [cells.one, cells.two])
    await engine.store.database.query(
      `insert into operator_accounts (connector, account_hash, noted_at) values ('simulator', 'same', $1)`,
      [new Date()],
    );
  for (let count = 0; count < 3; count += 1) {
    key = await addPayout(cells.one, merchantId);
    await endPayout(cells.one, key);
  }
  // Everything until now is summed up, as it is ten minutes later. A time further ahead would keep the merchant.
  const soon = new Date(Date.now() + 600_001);
  await sumLedger({ ...cells.one.engine, clock: clockAt(() => soon) });
});
afterAll(() => cells.stop());

/** Past every trigger, as a mistake of the mover or of a disk would. */
async function plant({ engine }: TestCell, text: string, values: readonly unknown[] = []): Promise<void> {
  await inTransaction(engine.store.database, async (tx) => {
    await tx.query('set local session_replication_role = replica');
    const { rowCount } = await tx.query(text, values);
    expect(rowCount).toBe(1);
  });
}

/** A mover that is stopped when everything is copied, and nothing is compared. */
async function copyOnly(): Promise<void> {
  const controller = new AbortController();
  const stop = (text: string) =>
    text.startsWith('copied') ? controller.abort(new Error('stop')) : undefined;
  expect(await moveBetween(cells, cells.one, cells.two, stop, controller.signal)).toEqual({
    type: 'STOPPED',
  });
}

async function abort() {
  const lines: string[] = [];
  const order = { merchantId, by: 'test', onProgress: (text: string) => void lines.push(text) };
  return { answer: await abortMove(await pairOf(cells.one, cells.two), order), lines };
}

const TRANSFER_OF_PAYMENT = `(subject_id, leg_no) = (select t.subject_id, t.leg_no from transfers t
  join payments p on p.payment_no = t.subject_id where p.payment_id = $1 order by t.leg_no limit 1)`;

/** How many rows of each kind a cell has of the merchant. */
async function countRows({ engine }: TestCell): Promise<Record<string, string>> {
  const booked = ['transfers', 'wallets', 'accounts', 'ledger_days', 'ledger_totals'];
  const tables = ['payment_keys', 'payments', ...booked, 'callbacks', 'fees'];
  const counts = tables.map((name) => `(select count(*) from ${name} where merchant_id = $1) as ${name}`);
  const { rows } = await engine.store.database.query<Record<string, string>>(
    `select ${counts.join(', ')}, (select count(*) from payment_events) as events,
       (select count(*) from payment_search) as search`,
    [merchantId],
  );
  return rows[0]!;
}

test('An amount that differs in its 18th digit keeps the merchant where it is, and the table is named.', async () => {
  const change = `update transfers set amount = $2 where ${TRANSFER_OF_PAYMENT}`;
  await plant(cells.one, change, [key.paymentId, '99999999999999.9999']);
  await copyOnly();
  await plant(cells.two, change, [key.paymentId, '99999999999999.9998']);
  const answer = await moveBetween(cells, cells.one, cells.two);
  expect(answer).toMatchObject({ type: 'DIFFERENT', table: 'transfers' });
  expect(answer).toMatchObject({
    row: expect.stringMatching(/^leg_no \d+ subject_id [0-9a-f-]{36} subject_kind [A-Z]+$/) as string,
  });
  expect(await findMigrationLock(cells.one.engine.store.database, merchantId)).toMatchObject({
    state: 'COPYING',
  });
  await endPayout(cells.one, await addPayout(cells.one, merchantId));
});

test('A row that is missing in the new cell is found, and one that only the new cell has.', async () => {
  await plant(cells.two, `update transfers set amount = $2 where ${TRANSFER_OF_PAYMENT}`, [
    key.paymentId,
    '99999999999999.9999',
  ]);
  const event = `select p.payment_no, event_no from payment_events join payments p using (payment_no)
    where p.payment_id = $1 order by event_no desc limit 1`;
  await plant(
    cells.two,
    `update payment_events set event_no = 99 where (payment_no, event_no) = (${event})`,
    [key.paymentId],
  );
  const missing = await moveBetween(cells, cells.one, cells.two);
  expect(missing).toMatchObject({ type: 'DIFFERENT', table: 'payment_events' });
});

test('Behind the migration lock what was copied last is compared, and which payments are open and have ended.', async () => {
  const { database } = cells.one.engine.store;
  const { moveId } = (await findMigrationLock(database, merchantId))!;
  const step = { merchantId, moveId, otherCell: '0002' };
  await noteChanges(database, [key]);
  const pair = await pairOf(cells.one, cells.two);
  expect(await copyRest(pair, step)).toMatchObject([{ table: 'payment_events' }]);
  await plant(cells.two, `delete from payment_events where event_no = 99`);
  expect(await copyRest(pair, step)).toEqual([]);
  const unnoted = await addPayout(cells.one, merchantId);
  const withoutNote = () =>
    database.query('delete from moving_payments where merchant_id = $1', [merchantId]);
  await withoutNote();
  expect(await copyRest(pair, step)).toMatchObject([{ table: 'payments' }]);
  await noteChanges(database, [unnoted]);
  expect(await copyRest(pair, step)).toEqual([]);
  await endPayout(cells.one, unnoted);
  await withoutNote();
  expect(await copyRest(pair, step)).toMatchObject([{ table: 'payments' }]);
  await noteChanges(database, [unnoted]);
});

test('A payment that only the new cell has is found.', async () => {
  const copied = `insert into payment_keys (merchant_id, kind, payment_id, payment_no, created_at, fingerprint)
    values ($1, 'PAYOUT', gen_random_uuid(), gen_random_uuid(), now(), '')`;
  await plant(cells.two, copied, [merchantId]);
  expect(await moveBetween(cells, cells.one, cells.two)).toMatchObject({
    type: 'DIFFERENT',
    table: 'payment_keys',
    row: expect.stringMatching(/^PAYOUT [0-9a-f-]{36} is only in 0002$/) as string,
  });
  await plant(cells.two, `delete from payment_keys where fingerprint = ''`);
});

test('Sums of the ledger are compared as well.', async () => {
  const { moveId } = (await findMigrationLock(cells.one.engine.store.database, merchantId))!;
  await plant(
    cells.two,
    `insert into ledger_days (day_at, account_id, merchant_id, credits, debits, held, released)
     values ('2020-01-01', gen_random_uuid(), $1, 1, 0, 0, 0)`,
    [merchantId],
  );
  const step = { merchantId, moveId, otherCell: '0002' };
  expect(await copyRest(await pairOf(cells.one, cells.two), step)).toMatchObject([{ table: 'ledger_days' }]);
});

test('A move that is aborted leaves nothing of the copy that is served, and the merchant goes on where it was.', async () => {
  const before = await countRows(cells.one);
  const { answer, lines } = await abort();
  expect(answer).toEqual({ type: 'ABORTED' });
  expect(lines.at(-1)).toMatch(/^cleared \d+ payments out of 0002$/);
  expect(new Set(Object.values(await countRows(cells.two)))).toEqual(new Set(['0']));
  expect(await countRows(cells.one)).toEqual(before);
  expect(await findMigrationLock(cells.one.engine.store.database, merchantId)).toBe(null);
  const next = await addPayout(cells.one, merchantId);
  await endPayout(cells.one, next);
  const { rows } = await cells.one.engine.store.database.query(
    `select actor from audit_log where act = 'MERCHANT_MOVE_ABORTED'`,
  );
  expect(rows).toEqual([{ actor: 'test' }]);
  expect((await abort()).answer).toEqual({ type: 'NOTHING' });
});

test('An abort that was interrupted goes on, and until then no other move begins.', async () => {
  await copyOnly();
  const controller = new AbortController();
  controller.abort(new Error('stop'));
  const order = { merchantId, by: 'test', onProgress: () => undefined, signal: controller.signal };
  await expect(abortMove(await pairOf(cells.one, cells.two), order)).rejects.toThrow('stop');
  expect(await moveBetween(cells, cells.one, cells.two)).toEqual({ type: 'NOT_CLEARED' });
  expect((await abort()).answer).toEqual({ type: 'ABORTED' });
});

test('A mover that goes on after the abort copies nothing and decides nothing.', async () => {
  await copyOnly();
  const { moveId } = (await findMigrationLock(cells.one.engine.store.database, merchantId))!;
  await abort();
  const step = { merchantId, moveId, otherCell: '0002' };
  await expect(copyRest(await pairOf(cells.one, cells.two), step)).rejects.toThrow('no longer, arriving');
});

test('What changes without a note keeps no merchant: the lease of a step, a delivery.', async () => {
  const open = await addPayout(cells.one, merchantId);
  await copyOnly();
  const later = `now() + interval '1 minute'`;
  await plant(cells.one, `update payments set next_action_at = ${later} where payment_id = $1`, [
    open.paymentId,
  ]);
  await plant(
    cells.one,
    `update callbacks set status = 'DELIVERED', attempt_count = 1 where payment_id = $1 and status = 'PENDING'`,
    [key.paymentId],
  );
  expect(await moveBetween(cells, cells.one, cells.two)).toEqual({ type: 'MOVED' });
  const { rows } = await cells.two.engine.store.database.query(
    'select status, attempt_count from callbacks where payment_id = $1',
    [key.paymentId],
  );
  expect(rows).toEqual([{ status: 'DELIVERED', attempt_count: 1 }]);
  expect(await moveBetween(cells, cells.two, cells.one)).toEqual({ type: 'MOVED' });
});

test('After the decision a move is not aborted, and the way back is to move the merchant back.', async () => {
  expect(await moveBetween(cells, cells.one, cells.two)).toEqual({ type: 'MOVED' });
  expect((await abort()).answer).toEqual({ type: 'DECIDED', cell: '0002' });
  const made = await addPayout(cells.two, merchantId);
  expect(await moveBetween(cells, cells.two, cells.one)).toEqual({ type: 'MOVED' });
  expect(await stateOf(cells.one, key)).toBe('COMPLETED');
  await endPayout(cells.one, made);
});
