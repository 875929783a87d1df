// What a move must not do: decide under another mover's migration lock, or take payments out of the care of a recovery.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { advance } from '../src/core/payments/process/advance.ts';
import { numberAllEvents } from '../src/core/event-numbers/number-events.ts';
import { copyPayments } from '../src/core/cells/moving/copy-payments.ts';
import { copyRest } from '../src/core/cells/moving/copy-rest.ts';
import { beginRecovery, endRecovery } from '../src/core/recovery/recover.ts';
import { claimSubmits } from '../src/core/payments/process/submit.ts';
import type { PaymentKey } from '../src/domain/payments/payment.ts';
import { inTransaction } from '../src/store/database.ts';
import { findMigrationLock, clearExpiredMigrationLocks } from '../src/store/cells/migration-locks.ts';
import { MERCHANT_ROW } from '../src/store/cells/moving/copied-tables.ts';
import { copyRows, readShapes } from '../src/store/cells/moving/copy-rows.ts';
import { deleteNotes, listNotes } from '../src/store/cells/moving/notes.ts';
import {
  beginArriving,
  beginCopying,
  leave,
  listKeysAfter,
  clearMigrationLock,
  setMigrationLock,
  requireArriving,
} from '../src/store/cells/moving/steps.ts';
import { addPayout, endPayout, stateOf } from './cells/moving-payouts.ts';
import { call } from './gateway.ts';
import type { Body } from './requests.ts';
import { moveBetween, openTwoCells, type TestCell, type TwoCells } from './two-cells.ts';

let cells: TwoCells;
/** Each part leaves its merchant in another cell. */
function useTwoCells(): void {
  beforeAll(async () => {
    cells = await openTwoCells({ role: 'api' });
  });
  afterAll(() => cells.stop());
}

const payout = (): Promise<PaymentKey> => addPayout(cells.one, cells.merchant.merchantId);
const end = (key: PaymentKey): Promise<void> => endPayout(cells.one, key);

describe('A7: a mover that stood still', () => {
  useTwoCells();

  test('A7: a mover that stood still writes nothing over what another mover copied after it', async () => {
    const { there, step, pair, undo } = await begin();
    const { promise: isHeld, resolve: releaseNow } = Promise.withResolvers<void>();
    // One mover is in the middle of a copy; the other one waits for it, and reads only then.
    const first = inTransaction(there, async (tx) => {
      await requireArriving(tx, step);
      await isHeld;
    });
    const key = await payout();
    let isCopied = false;
    const second = copyPayments(pair, step, [key]).then(() => (isCopied = true));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isCopied).toBe(false);
    await advance(cells.one.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
    releaseNow();
    await Promise.all([first, second]);
    expect(await stateOf(cells.two, key)).toBe('PROCESSING');
    await end(key);
    await undo();
  });

  test('A7: a mover that stood still does not decide under the migration lock of the mover that replaced it: nothing is claimed in both cells', async () => {
    const paid = await payout();
    const { database, pair, step, raise, copyNotes } = await begin();
    const first = await raise();
    await copyRest(pair, step);
    // The first mover stands still here. Its migration lock lapses, and the second mover goes on.
    await clearExpiredMigrationLocks(database, new Date(Date.now() + 120_000));
    await copyNotes();
    const { claimed } = await claimSubmits(cells.one.engine, { countMax: 10 });
    expect(claimed.map(({ payment }) => payment.paymentId)).toEqual([paid.paymentId]);
    const second = await raise();
    // The first mover goes on: what it copied is older than the claim.
    expect(await inTransaction(database, (tx) => leave(tx, first))).toBe(false);
    expect(await findMigrationLock(database, paid.merchantId)).toMatchObject({ state: 'LEAVING' });
    // Nor does it lower a migration lock that is not its own.
    await inTransaction(database, (tx) => clearMigrationLock(tx, first));
    expect(await findMigrationLock(database, paid.merchantId)).toMatchObject({ state: 'LEAVING' });
    // The second one decides, after it has copied what changed.
    await copyRest(pair, step);
    expect(await stateOf(cells.two, paid)).toBe('PROCESSING');
    expect(await inTransaction(database, (tx) => leave(tx, second))).toBe(true);
    expect((await claimSubmits(cells.two.engine, { countMax: 10 })).claimed).toEqual([]);
  });
});

describe('A3: a merchant of a cell that was restored', () => {
  useTwoCells();

  test('A3: a merchant of a cell that was restored is not moved while either cell has an open recovery, nor while it has open payments from before', async () => {
    const { one, two } = cells;
    for (const { engine } of [one, two])
      await engine.store.database.query(
        `insert into operator_accounts (connector, account_hash, noted_at) values ('simulator', 'same', $1)`,
        [new Date()],
      );
    const lostFrom = new Date(Date.now() - 60_000);
    // In the time that was lost this payout may have been sent.
    const before = await payout();
    await beginRecovery(one.engine, { by: 'Ana', lostFrom });
    expect(await moveBetween(cells, one, two)).toEqual({ type: 'RECOVERY_OPEN', cell: '0001' });
    expect(await findMigrationLock(one.engine.store.database, before.merchantId)).toBe(null);
    expect((await claimSubmits(two.engine, { countMax: 10 })).claimed).toEqual([]);

    await endRecovery(one.engine, { by: 'Ana', provider: null, unasked: true });
    expect(await moveBetween(cells, one, two)).toEqual({ type: 'OPEN_FROM_BEFORE_RECOVERY', cell: '0001' });

    await endAllOpen();
    await beginRecovery(two.engine, { by: 'Ana', lostFrom });
    expect(await moveBetween(cells, one, two)).toEqual({ type: 'RECOVERY_OPEN', cell: '0002' });
    await payout();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await two.engine.store.database.query('update recoveries set begun_at = $1', [new Date()]);
    await endRecovery(two.engine, { by: 'Ana', provider: null, unasked: true });
    expect(await moveBetween(cells, one, two)).toEqual({ type: 'OPEN_FROM_BEFORE_RECOVERY', cell: '0002' });
    await endAllOpen();
  });

  test('A3: a merchant of a cell that was restored is not moved by a mover that began before the recovery did', async () => {
    const { one, two } = cells;
    const begun: string[] = [];
    const answer = await moveBetween(cells, one, two, (text) => {
      // Nothing is awaited: the recovery is there before the decision, which waits for the migration lock.
      if (text === 'is leaving' && begun.push(text) === 1)
        void one.engine.store.database.query(
          `insert into recoveries (recovery_id, lost_from, begun_at) values ($1, $2, $2)`,
          [randomUUID(), new Date()],
        );
    });
    expect(answer).toEqual({ type: 'RECOVERY_OPEN', cell: '0001' });
    expect(await findMigrationLock(one.engine.store.database, cells.merchant.merchantId)).toMatchObject({
      state: 'COPYING',
    });
  });

  test('A3: a merchant of a cell that was restored is moved when the recovery has ended, its payments are final, and all that operators made was sent again', async () => {
    const { one, two } = cells;
    await endRecovery(one.engine, { by: 'Ana', provider: null, unasked: true });
    await endAllOpen();
    const { database } = one.engine.store;
    await database.query(
      `insert into unmatched_payments
         (unmatched_id, provider, reference, direction, line_hash, country, currency, amount, occurred_at, found_at)
       values (gen_random_uuid(), 'MTN_MOMO_RWA', 'lost', 'OUT', '', 'RWA', 'RWF', 100, $1, $1)`,
      [new Date()],
    );
    expect(await moveBetween(cells, one, two)).toEqual({ type: 'UNMATCHED_PAYMENTS', cell: '0001' });
    await database.query(
      `update unmatched_payments set released_at = $1, merchant_id = $2, kind = 'PAYOUT', payment_id = $2`,
      [new Date(), cells.merchant.merchantId],
    );
    expect(await moveBetween(cells, one, two)).toEqual({ type: 'MOVED' });
  });
});

describe('the event feed of a merchant that moves', () => {
  useTwoCells();

  test('the feed of a merchant that moves keeps its cursors and numbers, and goes on with events that had no number yet', async () => {
    const { one, two, merchant } = cells;
    const read = async (cell: TestCell, after = '') => {
      const { status, body } = await call({ ...cell, ...merchant }, 'GET', `/v2/events?limit=100${after}`);
      expect(status).toBe(200);
      return body;
    };
    await end(await payout());
    await numberAllEvents(one.engine);
    const { data: known, next } = await read(one);
    await end(await payout());
    expect(await moveBetween(cells, one, two)).toEqual({ type: 'MOVED' });
    await endPayout(two, await addPayout(two, merchant.merchantId));
    await numberAllEvents(two.engine);
    for (const cell of [one, two]) {
      const { data } = await read(cell);
      const numbers: readonly number[] = data.map(({ number }: Body) => number);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      expect(data.slice(0, known.length)).toEqual(known);
      expect((await read(cell, `&after=${next}`)).data).toEqual(data.slice(known.length));
      const ends = data.filter(({ status }: Body) => status === 'COMPLETED');
      expect(new Set(ends.map(({ id }: Body) => id)).size).toBe(3);
    }
  });
});

async function endAllOpen(): Promise<void> {
  const { rows } = await cells.one.engine.store.database.query<PaymentKey>(
    `select merchant_id as "merchantId", kind, payment_id as "paymentId" from payments
     where state not in ('COMPLETED', 'FAILED')`,
  );
  for (const key of rows) await end(key);
}

/** As moveMerchant does it, step by step. */
async function begin() {
  const { one, two, merchant } = cells;
  const { merchantId } = merchant;
  const { database } = one.engine.store;
  const step = { merchantId, moveId: randomUUID(), otherCell: '0002' };
  const pair = { from: one.engine, to: two.engine, shapes: await readShapes(database) };
  const there = two.engine.store.database;
  await inTransaction(there, (tx) => beginArriving(tx, { ...step, otherCell: '0001' }));
  await inTransaction(database, (tx) => beginCopying(tx, step));
  await inTransaction(there, (tx) =>
    copyRows({ from: database, to: tx, shapes: pair.shapes }, [MERCHANT_ROW], { merchantId, keys: [] }),
  );
  await copyPayments(pair, step, await listKeysAfter(database, { merchantId, after: null, countMax: 500 }));
  const raise = async () => {
    const lock = { ...step, lockId: randomUUID() };
    const lapsesAt = new Date(Date.now() + 60_000);
    expect(await inTransaction(database, (tx) => setMigrationLock(tx, lock, lapsesAt))).toBe(true);
    return lock;
  };
  const copyNotes = async () => {
    const notes = await listNotes(database, { merchantId, countMax: 500 });
    await copyPayments(
      pair,
      step,
      notes.map(({ key }) => key),
    );
    await deleteNotes(database, notes);
  };
  const undo = async () => {
    await database.query('delete from migration_locks');
    await there.query('delete from migration_locks');
  };
  return { database, there, step, pair, raise, copyNotes, undo };
}
