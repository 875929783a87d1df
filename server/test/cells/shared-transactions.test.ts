// Two cells at one operator account: an operator's answer posts whatever the other cell has. Where one transaction has
// completed payments in both, the one that claimed it later gets a case.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import type { Engine } from '../../src/core/engine.ts';
import { orderFloat } from '../../src/core/ledger/move-float.ts';
import { measureFlow } from '../../src/core/monitoring/measure-flow.ts';
import { ClockCheck } from '../../src/core/operators/clock-check.ts';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import { compareTransactions } from '../../src/core/payments/process/compare-transactions.ts';
import { openConflictCases } from '../../src/core/payments/process/open-conflicts.ts';
import { readCase } from '../../src/core/reconciliation/resolve-cases.ts';
import type { PaymentKey } from '../../src/domain/payments/payment.ts';
import { addMs } from '../../src/domain/time.ts';
import { COMMITS_WITHIN_MS, type Tx } from '../../src/store/database.ts';
import { select } from '../gateway.ts';
import { orderOf } from '../limits/limited-merchants.ts';
import { moveBetween, noteAccounts, openTwoCells, type TestCell, type TwoCells } from '../two-cells.ts';

const HOUR_MS = 3_600_000;

let cells: TwoCells;
let merchantOfOne: string;
let merchantOfTwo: string;
beforeAll(async () => {
  cells = await openTwoCells({ role: 'api' });
  merchantOfOne = cells.merchant.merchantId;
  merchantOfTwo = (await createDemoMerchant(cells.two.engine, null)).merchantId;
});
afterAll(() => cells.stop());
beforeEach(() => noteAccounts(cells, 'same', 'same'));

/** A deposit that the operator has completed with a transaction. */
async function completed(
  { engine }: TestCell,
  merchantId: string,
  providerTransactionId: string,
): Promise<PaymentKey> {
  const order = await orderOf(engine, merchantId, { kind: 'DEPOSIT' });
  await initiate(engine, [order]);
  const key = { merchantId, kind: 'DEPOSIT', paymentId: order.writtenId } as const;
  await advance(engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
  const outcome = { type: 'COMPLETED', providerTransactionId } as const;
  const [answer] = await advance(engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
  expect(answer).toMatchObject({ type: 'MOVE', payment: { state: 'COMPLETED' } });
  return key;
}

const NOT_EXPECTED = (error: unknown): void => {
  throw error;
};

/** As soon as everything that is there now counts as committed, or so much later. */
function after({ engine }: TestCell, byMs = 0): Engine {
  const { clock } = engine;
  const timeOf = async (tx: Tx) => addMs(await clock.timeOf(tx), COMMITS_WITHIN_MS + 1 + byMs);
  return Object.create(engine, { clock: { value: { ...clock, timeOf } } });
}

/** What the workers of a cell do, some minutes later. */
async function compare(cell: TestCell, { pageMax = 1_000, onError = NOT_EXPECTED } = {}): Promise<void> {
  const later = after(cell);
  for (let rounds = 0; rounds < 1_000; rounds += 1)
    if ((await compareTransactions(later, { pageMax, onError })) === 'IDLE') break;
  await openConflictCases(cell.engine, { countMax: 100, onError });
}

/** The transactions of open and resolved cases of a payment. */
async function casesOf({ engine }: TestCell, { paymentId }: PaymentKey): Promise<readonly string[]> {
  const rows = await select(
    { engine },
    'select evidence, provider_transaction_id as id from cases where payment_id = $1 order by opened_at',
    [paymentId],
  );
  return rows.map((row) => `${row['evidence']} ${row['id']}`);
}

describe('M6: one transaction of the operator completes a payment in each cell', () => {
  test('opens one case, for the payment that claimed it later, whichever cell compares first', async () => {
    for (const order of [
      [cells.one, cells.two],
      [cells.two, cells.one],
    ] as const) {
      const transaction = randomUUID();
      const first = await completed(cells.one, merchantOfOne, transaction);
      const second = await completed(cells.two, merchantOfTwo, transaction);
      const other = await completed(cells.two, merchantOfTwo, randomUUID());
      for (const cell of order) await compare(cell);
      for (const cell of order) await compare(cell);
      expect(await casesOf(cells.one, first)).toEqual([]);
      expect(await casesOf(cells.two, second)).toEqual([`DISCREPANCY ${transaction}`]);
      expect(await casesOf(cells.two, other)).toEqual([]);
      const opened = await select(cells.two, 'select case_id from cases where payment_id = $1', [
        second.paymentId,
      ]);
      const read = await readCase(cells.two.engine, { by: 'Ana', caseId: opened[0]!['case_id'] });
      expect(read?.statement).toContain(`is that of DEPOSIT ${first.paymentId}`);
    }
  });

  test('at the same time, the case is in the higher cell', async () => {
    const transaction = randomUUID();
    const inTwo = await completed(cells.two, merchantOfTwo, transaction);
    const inOne = await completed(cells.one, merchantOfOne, transaction);
    const [row] = await select(
      cells.two,
      'select claimed_at from provider_transactions where provider_transaction_id = $1',
      [transaction],
    );
    await cells.one.engine.store.database.query(
      'update provider_transactions set claimed_at = $2 where provider_transaction_id = $1',
      [transaction, row!['claimed_at']],
    );
    for (const cell of [cells.one, cells.two]) await compare(cell);
    expect(await casesOf(cells.one, inOne)).toEqual([]);
    expect(await casesOf(cells.two, inTwo)).toEqual([`DISCREPANCY ${transaction}`]);
  });

  test('opens one for a payment whose transaction a case or a top-up of the other cell has', async () => {
    const [ofCase, ofTopUp] = ['CASE', 'TOP'].map((name) => `${name}-${randomUUID()}`.toUpperCase());
    const differs = await completed(cells.one, merchantOfOne, randomUUID());
    const outcome = { type: 'COMPLETED', providerTransactionId: ofCase! } as const;
    await advance(cells.one.engine, [{ key: differs, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
    const place = { provider: 'MTN_MOMO_RWA', country: 'RWA', currency: 'RWF', amount: 10_000n };
    const movement = { type: 'FLOAT_TOP_UP', ...place, reference: ofTopUp! } as const;
    const topUp = { actor: { personId: null, by: 'Ana' }, secondApprover: 'OPTIONAL', movement } as const;
    expect(await orderFloat(cells.one.engine, topUp)).toEqual({ type: 'DONE' });
    for (const transaction of [ofCase!, ofTopUp!]) {
      const later = await completed(cells.two, merchantOfTwo, transaction);
      expect(await casesOf(cells.two, later)).toEqual([]);
      for (const cell of [cells.one, cells.two, cells.two]) await compare(cell);
      expect(await casesOf(cells.two, later)).toEqual([`DISCREPANCY ${transaction}`]);
    }
    expect(await casesOf(cells.one, differs)).toEqual([`DISCREPANCY ${ofCase}`]);
  });

  test('opens none where each cell has an operator account of its own', async () => {
    await noteAccounts(cells, 'of one', 'of two');
    const transaction = randomUUID();
    await completed(cells.one, merchantOfOne, transaction);
    const second = await completed(cells.two, merchantOfTwo, transaction);
    for (const cell of [cells.one, cells.two]) await compare(cell);
    expect(await casesOf(cells.two, second)).toEqual([]);
  });

  test('opens one where an account that one cell has replaced is still that of the other', async () => {
    await noteAccounts(cells, 'of one', 'of two');
    await cells.one.engine.store.database.query(
      `insert into operator_account_ids (connector, account, product, account_id, noted_at)
       values ('simulator', '', '', 'of two', now())`,
    );
    const transaction = randomUUID();
    await completed(cells.one, merchantOfOne, transaction);
    const second = await completed(cells.two, merchantOfTwo, transaction);
    for (const cell of [cells.one, cells.two, cells.two]) await compare(cell);
    expect(await casesOf(cells.two, second)).toEqual([`DISCREPANCY ${transaction}`]);
  });

  test.each([-60, -12, 60])(
    'O4: cells whose clocks differ find a transaction used twice: the clock of the second is off by %i minutes',
    async (minutes) => {
      const byMs = minutes * 60_000;
      const shift = (text: string) =>
        select(
          cells.two,
          `create or replace function time_shift() returns interval language sql stable as
             $$ select interval '${text}' $$`,
        );
      // Of a process that was started with that clock.
      const clockCheck = new ClockCheck({
        realClock: { now: () => new Date() },
        onCompared: () => undefined,
      });
      const engine: Engine = Object.create(cells.two.engine, { clockCheck: { value: clockCheck } });
      const two: TestCell = { ...cells.two, engine };
      for (const cell of [cells.one, two]) await compare(cell);
      await shift(`${minutes} minutes`);
      const known = (await select(two, 'select compared_until as until from transaction_comparisons'))[0]![
        'until'
      ];
      const setCompared = (until: Date) =>
        select(two, 'update transaction_comparisons set compared_until = $1, leased_until = $1', [until]);
      // It was off when it compared before, too.
      await setCompared(addMs(known, Math.min(0, byMs)));
      try {
        const transaction = randomUUID();
        const first = await completed(cells.one, merchantOfOne, transaction);
        await compare(cells.one);
        const second = await completed(two, merchantOfTwo, transaction);
        for (const cell of [cells.one, two, cells.one]) await compare(cell);
        const found = [...(await casesOf(cells.one, first)), ...(await casesOf(two, second))];
        expect(found).toEqual([`DISCREPANCY ${transaction}`]);
        // Handed over once more, after it is decided: one case is enough.
        await setCompared(addMs(known, Math.min(0, byMs)));
        for (const cell of [two, cells.one]) await compare(cell);
        expect([...(await casesOf(cells.one, first)), ...(await casesOf(two, second))]).toEqual(found);
      } finally {
        await shift('0');
        await setCompared(known);
      }
    },
  );

  test('is found when a cell that was away is back, in pages, and the metric says how far behind it is', async () => {
    const transactions = Array.from({ length: 20 }, () => randomUUID());
    for (const transaction of transactions) await completed(cells.one, merchantOfOne, transaction);
    const seconds: PaymentKey[] = [];
    for (const transaction of transactions)
      seconds.push(await completed(cells.two, merchantOfTwo, transaction));
    cells.one.link.refuse();
    const errors: unknown[] = [];
    try {
      await compare(cells.two, { onError: (error) => errors.push(error) });
      const samples = await measureFlow(after(cells.two, 2 * HOUR_MS), null);
      const late = samples.find(({ metric }) => metric === 'malipo_transactions_uncompared_seconds');
      expect(late?.labels).toEqual({ other_cell: '0001' });
      expect(late?.value).toBeGreaterThanOrEqual(7_200);
    } finally {
      cells.one.link.restore();
    }
    expect(errors).not.toEqual([]);
    expect(await casesOf(cells.two, seconds[0]!)).toEqual([]);
    await compare(cells.two, { pageMax: 3 });
    for (const [index, key] of seconds.entries())
      expect(await casesOf(cells.two, key)).toEqual([`DISCREPANCY ${transactions[index]}`]);
    const samples = await measureFlow(cells.two.engine, null);
    const late = samples.find(({ metric }) => metric === 'malipo_transactions_uncompared_seconds');
    expect(late?.value).toBe(0);
  });

  test('is found once by workers that compare at the same time', async () => {
    const transaction = randomUUID();
    await completed(cells.one, merchantOfOne, transaction);
    const second = await completed(cells.two, merchantOfTwo, transaction);
    await Promise.all(Array.from({ length: 5 }, () => compare(cells.two)));
    await compare(cells.two);
    expect(await casesOf(cells.two, second)).toEqual([`DISCREPANCY ${transaction}`]);
  });

  test('is found by a process that dies between finding it and opening the case', async () => {
    const transaction = randomUUID();
    await completed(cells.one, merchantOfOne, transaction);
    const second = await completed(cells.two, merchantOfTwo, transaction);
    await compareTransactions(after(cells.two), { pageMax: 1_000, onError: NOT_EXPECTED });
    expect(await casesOf(cells.two, second)).toEqual([]);
    await compare(cells.two);
    expect(await casesOf(cells.two, second)).toEqual([`DISCREPANCY ${transaction}`]);
    expect(await select(cells.two, 'select 1 from transaction_conflicts')).toEqual([]);
  });
});

describe('M6: a merchant that moves', () => {
  test('brings a transaction that a payment there had first, and gets a case at the end of the move', async () => {
    const [taken, brought] = [randomUUID(), randomUUID()];
    await completed(cells.two, merchantOfTwo, taken);
    const mover = await completed(cells.one, merchantOfOne, taken);
    const earlier = await completed(cells.one, merchantOfOne, brought);
    const resident = await completed(cells.two, merchantOfTwo, brought);
    expect(await moveBetween(cells, cells.one, cells.two)).toEqual({ type: 'MOVED' });
    expect(await casesOf(cells.two, mover)).toEqual([`DISCREPANCY ${taken}`]);
    // The other way about: the payment that was there claimed it later.
    expect(await casesOf(cells.two, earlier)).toEqual([]);
    expect(await casesOf(cells.two, resident)).toEqual([`DISCREPANCY ${brought}`]);
    // What is handed to the cell that it left is handed on.
    for (const cell of [cells.one, cells.two, cells.one, cells.two]) await compare(cell);
    expect(await casesOf(cells.two, mover)).toEqual([`DISCREPANCY ${taken}`]);
    expect(await casesOf(cells.two, resident)).toEqual([`DISCREPANCY ${brought}`]);
    expect(await select(cells.one, 'select 1 from transaction_conflicts')).toEqual([]);
    expect(await moveBetween(cells, cells.two, cells.one)).toEqual({ type: 'MOVED' });
  });

  test('takes along what was found before it left and had no case yet', async () => {
    const transaction = randomUUID();
    const first = await completed(cells.two, merchantOfTwo, transaction);
    const later = await completed(cells.one, merchantOfOne, transaction);
    await compareTransactions(after(cells.one), { pageMax: 1_000, onError: NOT_EXPECTED });
    // As if the payment of the other cell were not there: only what was found before knows of the transaction.
    await cells.two.engine.store.database.query(
      'delete from provider_transactions where provider_transaction_id = $1',
      [transaction],
    );
    expect(await moveBetween(cells, cells.one, cells.two)).toEqual({ type: 'MOVED' });
    expect(await casesOf(cells.two, later)).toEqual([]);
    await openConflictCases(cells.one.engine, { countMax: 100, onError: NOT_EXPECTED });
    expect(await select(cells.one, 'select 1 from transaction_conflicts')).toEqual([]);
    await openConflictCases(cells.two.engine, { countMax: 100, onError: NOT_EXPECTED });
    expect(await casesOf(cells.two, later)).toEqual([`DISCREPANCY ${transaction}`]);
    expect(await casesOf(cells.two, first)).toEqual([]);
  });
});
