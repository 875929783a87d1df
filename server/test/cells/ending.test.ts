// The end of a cell that was drained: the platform's own balances are posted over into another cell exactly once,
// although two databases take part.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approve } from '../../src/core/approvals/decide.ts';
import { completeEndings } from '../../src/core/cells/ending/complete-endings.ts';
import { requestCellEnd } from '../../src/core/cells/ending/end-cell.ts';
import { listObstacles, listStays } from '../../src/core/cells/ending/remains.ts';
import { drainCell } from '../../src/core/cells/moving/drain-cell.ts';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { startCloses } from '../../src/core/daily-close/accounts.ts';
import { openSpans } from '../../src/core/daily-close/counted-lines.ts';
import { gatherDay } from '../../src/core/daily-close/gather-day.ts';
import { topUpWallets } from '../../src/core/ledger/administer-wallets.ts';
import { orderFloat } from '../../src/core/ledger/move-float.ts';
import { measureFlow } from '../../src/core/monitoring/measure-flow.ts';
import type { Engine } from '../../src/core/engine.ts';
import { parseAmount, renderAmount } from '../../src/domain/money.ts';
import { addMs } from '../../src/domain/time.ts';
import { findApproval } from '../../src/store/approvals/approvals.ts';
import { listCloseAccounts } from '../../src/store/daily-close/closes.ts';
import { ensureIdentity } from '../../src/store/cells/cell-names.ts';
import { inTransaction, openDatabase } from '../../src/store/database.ts';
import { listTrialBalance } from '../../src/store/ledger/ledger.ts';
import { createTestDatabase } from '../database.ts';
import { addAdministrators, ANA, BEN } from '../approval-requests.ts';
import {
  moveBetween,
  noteAccounts,
  openTwoCells,
  pairOf,
  unawareOfOthers,
  type TestCell,
  type TwoCells,
} from '../two-cells.ts';

const PROVIDER = 'MTN_MOMO_RWA';
const DAY_MS = 24 * 3_600_000;

let cells: TwoCells;
/** The cell that ends, and the one that goes on: the first one is the directory, which cannot end. */
let old: TestCell;
let other: TestCell;
beforeAll(async () => {
  cells = await openTwoCells({ role: 'api' });
  [other, old] = [cells.one, cells.two];
  for (const { engine } of [old, other]) await addAdministrators(engine);
  await noteAccounts(cells, 'same', 'same');
});
afterAll(() => cells.stop());

async function moveFloat({ engine }: TestCell, amount: string): Promise<void> {
  const movement = {
    provider: PROVIDER,
    country: 'RWA',
    currency: 'RWF',
    amount: parseAmount(amount)!,
  } as const;
  const order = { actor: ANA, secondApprover: 'OPTIONAL' } as const;
  const moved = { ...movement, type: 'FLOAT_TOP_UP', reference: randomUUID() } as const;
  expect(await orderFloat(engine, { ...order, movement: moved })).toEqual({ type: 'DONE' });
  const charged = { ...movement, amount: 70_000n, type: 'OPERATOR_CHARGE', reference: randomUUID() } as const;
  expect(await orderFloat(engine, { ...order, movement: charged })).toEqual({ type: 'DONE' });
}

/** What every account comes to over both cells, but for those at zero; each cell alone must be balanced. */
async function sumBooks(): Promise<Readonly<Record<string, string>>> {
  const sums = new Map<string, bigint>();
  for (const { engine } of [old, other]) {
    const rows = await listTrialBalance(engine.store.database);
    expect(rows.reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n);
    for (const { type, country, currency, provider, balance } of rows) {
      const name = [type, country, currency, provider].join(' ');
      sums.set(name, (sums.get(name) ?? 0n) + balance);
    }
  }
  return Object.fromEntries(
    [...sums].filter(([, sum]) => sum !== 0n).map(([name, sum]) => [name, renderAmount(sum)]),
  );
}

async function balancesIn({ engine }: TestCell, type: string): Promise<readonly string[]> {
  const rows = await listTrialBalance(engine.store.database);
  return rows
    .filter((row) => row.type === type && row.balance !== 0n)
    .map(({ balance }) => renderAmount(balance));
}

async function requested(): Promise<string> {
  const answer = await requestCellEnd(old.engine, { actor: ANA, to: other.engine.home });
  expect(answer).toMatchObject({ type: 'REQUESTED', approvalId: expect.any(String) });
  return (answer as { readonly approvalId: string }).approvalId;
}

async function approved(approvalId: string, engine: Engine = old.engine) {
  const found = await findApproval(old.engine.store.database, approvalId);
  return approve(engine, { decider: BEN, approvalId, whose: 'ALL', hash: found?.shownHash ?? '' });
}

const WITHDRAW = `update approvals set status = 'WITHDRAWN', decided_by_name = 'test', decided_at = now()
  where status = 'PENDING'`;

/** As nobody can, but a restore to an earlier time does. */
async function pastTriggers({ engine }: TestCell, ...statements: readonly string[]): Promise<void> {
  await inTransaction(engine.store.database, async (tx) => {
    await tx.query('set local session_replication_role = replica');
    for (const statement of statements) await tx.query(statement);
  });
}

const complete = () => completeEndings(old.engine, { onError: () => undefined });

const transfersOf = async ({ engine }: TestCell) =>
  (await engine.store.database.query(`select 1 from transfers where subject_kind = 'CELL_END'`)).rows.length;

/** The account's day as the cell that goes on closes it, with these cells in its settings. */
async function closeDay(engine: Engine) {
  const [account] = await listCloseAccounts(other.engine.store.database);
  const now = await other.engine.clock.timeOf(other.engine.store.database);
  const [from, to] = [addMs(now, -DAY_MS), addMs(now, DAY_MS)];
  const next = addMs(now, 1);
  const spans = [
    { since: from, from, to },
    { since: next, from: next, to },
  ] as const;
  const gatheringOf = (span: (typeof spans)[number]) => ({
    name: '2027-03-01',
    span,
    spans: openSpans(span, null),
    brought: [],
  });
  const [day, after] = [
    await gatherDay(engine, account!, gatheringOf(spans[0])),
    await gatherDay(engine, account!, gatheringOf(spans[1])),
  ];
  const { received, sent, movementCount } = day.sums;
  const closing = day.opening + received - sent;
  return { opening: day.opening, closing, moved: movementCount, next: after.opening };
}

describe('The end of a cell', () => {
  test('is refused while something is left, and each thing is named', async () => {
    await moveBetween(cells, other, old);
    const { engine } = old;
    const stranger = await createDemoMerchant(engine, null);
    const place = { by: 'test', country: 'RWA', currency: 'RWF', amount: parseAmount('1000')! };
    await topUpWallets(engine, [{ ...place, merchantId: stranger.merchantId, reference: randomUUID() }]);
    await moveFloat(old, '500000');
    const movement = {
      provider: PROVIDER,
      country: 'RWA',
      currency: 'RWF',
      amount: 10_000n,
      reference: 'OP-1',
    } as const;
    const order = {
      actor: ANA,
      secondApprover: 'REQUIRED',
      movement: { ...movement, type: 'FLOAT_TOP_UP' },
    } as const;
    expect(await orderFloat(engine, order)).toEqual({ type: 'REQUESTED' });
    await engine.store.database.query(
      `insert into unmatched_payments
         (unmatched_id, provider, reference, direction, line_hash, country, currency, amount, occurred_at, found_at)
       values (gen_random_uuid(), $1, 'lost', 'IN', 'x', 'RWA', 'RWF', 5, now(), now())`,
      [PROVIDER],
    );
    expect(await requestCellEnd(engine, { actor: ANA, to: '0001' })).toEqual({
      type: 'NOT_POSSIBLE',
      obstacles: [
        { type: 'MERCHANTS', count: 2 },
        { type: 'unmatchedPayments', count: 1 },
        { type: 'approvals', count: 1 },
      ],
    });
    expect(await listObstacles(other.engine, '0002')).toEqual([{ type: 'DIRECTORY_CELL' }]);
    await noteAccounts(cells, 'of one', 'of two');
    expect(await listObstacles(engine, '0001')).toContainEqual({ type: 'OTHER_ACCOUNT', provider: PROVIDER });
    await noteAccounts(cells, 'same', 'same');
    await pastTriggers(old, WITHDRAW);
    await engine.store.database.query(
      'set session_replication_role = replica; delete from unmatched_payments',
    );
    const drained = await drainCell(await pairOf(old, other), { by: 'test', onProgress: () => undefined });
    expect(drained).toMatchObject({ movedCount: 2, notMoved: [] });
    expect(await listObstacles(engine, '0001')).toEqual([]);
  });

  test('is refused while the other cell does not answer', async () => {
    other.link.refuse();
    try {
      expect(await requestCellEnd(old.engine, { actor: ANA, to: '0001' })).toEqual({
        type: 'NOT_POSSIBLE',
        obstacles: [{ type: 'CELL_SILENT', cell: '0001' }],
      });
    } finally {
      other.link.restore();
    }
  });

  test('is not approved by the one who requests it, nor when something was posted since', async () => {
    const approvalId = await requested();
    expect(await requestCellEnd(old.engine, { actor: BEN, to: '0001' })).toEqual({
      type: 'REQUESTED_BEFORE',
    });
    const found = await findApproval(old.engine.store.database, approvalId);
    const own = { decider: ANA, approvalId, whose: 'ALL', hash: found?.shownHash ?? '' } as const;
    expect(await approve(old.engine, own)).toMatchObject({ type: 'SAME_PERSON' });
    await moveFloat(old, '20000');
    expect(await approved(approvalId)).toMatchObject({ type: 'NOT_EXECUTED' });
    expect(await transfersOf(old)).toBe(0);
    await pastTriggers(old, WITHDRAW);
  });

  test('leaves with the approval, waits for a cell that is away, and arrives once; no day differs', async () => {
    await startCloses(other.engine, {
      by: 'Ana',
      provider: PROVIDER,
      currency: 'RWF',
      firstDay: '2020-01-01',
      timeZone: null,
      dueHours: 36,
    });
    const [books, day] = [await sumBooks(), await closeDay(other.engine)];
    expect(day.next).toBe(day.closing);
    const leaving = await balancesIn(old, 'FLOAT');
    const before = await balancesIn(other, 'FLOAT');
    const approvalId = await requested();
    // The other cell goes away when everything was asked.
    const cutOff: Engine = Object.create(old.engine, {
      databaseOf: {
        value: (cell: string) => {
          const stack = new Error('asked').stack ?? '';
          if (cell === '0001' && stack.includes('complete-endings')) throw new Error('no route');
          return old.engine.databaseOf(cell);
        },
      },
    });
    expect(await approved(approvalId, cutOff)).toMatchObject({ type: 'DONE' });
    expect(await balancesIn(old, 'FLOAT')).toEqual([]);
    expect(await balancesIn(other, 'FLOAT')).toEqual(before);
    expect(await transfersOf(other)).toBe(0);
    expect(await listStays(old.engine)).toMatchObject([
      { type: 'ON_THE_WAY', to: '0001' },
      { type: 'DAY_OPEN', cell: '0001', provider: PROVIDER },
    ]);
    const late = (await measureFlow(old.engine, null)).filter(
      ({ metric }) => metric === 'malipo_cell_balances_in_transit_seconds',
    );
    expect(late).toMatchObject([{ labels: { other_cell: '0001' } }]);
    expect(late[0]!.value).toBeGreaterThan(0);
    expect(await closeDay(other.engine)).toEqual(day);
    expect(await approved(approvalId)).toMatchObject({ type: 'DECIDED_BEFORE' });
    expect(await requestCellEnd(old.engine, { actor: ANA, to: '0003' })).toMatchObject({
      type: 'ON_THE_WAY',
      to: '0001',
    });
    // Whoever repeats it, at the same time and again.
    await Promise.all(Array.from({ length: 5 }, complete));
    await complete();
    expect(await transfersOf(other)).toBe(await transfersOf(old));
    const sum = [...leaving, ...before].reduce((all, text) => all + Number(text), 0);
    expect((await balancesIn(other, 'FLOAT')).map(Number)).toEqual([sum]);
    expect(await sumBooks()).toEqual(books);
    expect(await closeDay(other.engine)).toEqual(day);
    expect(await listStays(old.engine)).toMatchObject([
      { type: 'DAY_OPEN', cell: '0001', provider: PROVIDER },
    ]);
    expect(await requestCellEnd(old.engine, { actor: ANA, to: '0001' })).toEqual({ type: 'NOTHING_LEFT' });
  });

  test('is the same day when the old cell has left the settings', async () => {
    const alone: Engine = Object.create(other.engine, { cells: { value: ['0001'] } });
    const [together, after] = [await closeDay(other.engine), await closeDay(alone)];
    expect(after.next).toBe(together.closing);
    expect(after.next).toBe(after.closing);
  });

  test('arrives once wherever the process dies', async () => {
    for (const dies of ['BEFORE', 'INSIDE', 'AFTER'] as const) {
      await moveFloat(old, '3000');
      const books = await sumBooks();
      const approvalId = await requested();
      const dying: Engine = Object.create(old.engine, {
        databaseOf: {
          value: (cell: string) => {
            const isArrival = (new Error('asked').stack ?? '').includes('complete-endings');
            if (cell === '0001' && isArrival && dies === 'BEFORE') throw new Error('killed');
            return old.engine.databaseOf(cell);
          },
        },
      });
      const hindered = { INSIDE: other, AFTER: old, BEFORE: null }[dies]?.engine.store.database;
      await hindered?.query(
        dies === 'INSIDE'
          ? `alter table transfers add constraint dies check (subject_kind <> 'CELL_END') not valid`
          : 'alter table cell_endings add constraint dies check (arrived_at is null) not valid',
      );
      expect(await approved(approvalId, dying)).toMatchObject({ type: 'DONE' });
      const table = dies === 'INSIDE' ? 'transfers' : 'cell_endings';
      await hindered?.query(`alter table ${table} drop constraint dies`);
      const arrived = () => balancesIn(old, 'BETWEEN_CELLS');
      expect(await arrived()).not.toEqual([]);
      await complete();
      await complete();
      expect(await transfersOf(other)).toBe(await transfersOf(old));
      expect(await sumBooks()).toEqual(books);
    }
  });

  test('is repeated under its identifier by a cell that was restored to a time before', async () => {
    const books = await sumBooks();
    const { database } = old.engine.store;
    const last = 'select ending_id from cell_endings order by posted_at desc limit 1';
    const lost = (await database.query(last)).rows[0].ending_id;
    await pastTriggers(
      old,
      `delete from transfers where subject_kind = 'CELL_END' and subject_id = '${lost}'`,
      `delete from cell_endings where ending_id = '${lost}'`,
    );
    expect(await approved(await requested())).toMatchObject({ type: 'DONE' });
    expect((await database.query(last)).rows[0].ending_id).toBe(lost);
    expect(await sumBooks()).toEqual(books);
  });

  test('has one target for ever: neither another database of its name, nor another cell after a restore', async () => {
    await moveFloat(old, '4000');
    const books = await sumBooks();
    const target = await createTestDatabase();
    const third = openDatabase({ url: target.url, connectionsMax: 1, applicationName: 'third' });
    try {
      await ensureIdentity(third, { databaseId: randomUUID(), cell: '0001' });
      const approvalId = await requested();
      // Its name is given to another database while the balances are on the way.
      const redirected: Engine = Object.create(old.engine, {
        databaseOf: {
          value: (cell: string) => {
            const isArrival = (new Error('asked').stack ?? '').includes('complete-endings');
            return cell === '0001' && isArrival ? third : old.engine.databaseOf(cell);
          },
        },
      });
      expect(await approved(approvalId, redirected)).toMatchObject({ type: 'DONE' });
      const errors: unknown[] = [];
      await completeEndings(redirected, { onError: (error) => errors.push(error) });
      expect(String(errors)).toContain('is not the database that the balances were approved for');
      expect((await third.query('select 1 from transfers')).rows).toEqual([]);
      expect(await requestCellEnd(old.engine, { actor: ANA, to: '0003' })).toMatchObject({
        type: 'ON_THE_WAY',
      });

      // The old cell is restored to the moment before: only the first cell can still say where its balances go.
      const { database } = old.engine.store;
      const last = 'select ending_id from cell_endings order by posted_at desc limit 1';
      const lost = (await database.query(last)).rows[0].ending_id;
      await pastTriggers(
        old,
        `delete from transfers where subject_kind = 'CELL_END' and subject_id = '${lost}'`,
        `delete from cell_endings where ending_id = '${lost}'`,
        `delete from approvals where kind = 'CELL_END' and request ->> 'endingId' = '${lost}'`,
      );
      const answer = await requestCellEnd(old.engine, { actor: ANA, to: '0001' });
      expect(answer).toMatchObject({ type: 'REQUESTED' });
      expect(await approved((answer as { readonly approvalId: string }).approvalId)).toMatchObject({
        type: 'DONE',
      });
      expect((await database.query(last)).rows[0].ending_id).toBe(lost);
      expect(await sumBooks()).toEqual(books);
    } finally {
      await third.end();
      await target.drop();
    }
  });

  test('is not requested into another cell after a restore, where its target has left the settings', async () => {
    const { database } = other.engine.store;
    await database.query(
      `insert into ending_claims (ending_id, from_cell, to_cell, to_database, balances, claimed_at)
       values ($1, '0002', '0005', gen_random_uuid(), '{}', now())`,
      [randomUUID()],
    );
    expect(await requestCellEnd(old.engine, { actor: ANA, to: '0001' })).toEqual({
      type: 'NOT_POSSIBLE',
      obstacles: [{ type: 'TARGET_GONE', cell: '0005' }],
    });
    await pastTriggers(other, `delete from ending_claims where to_cell = '0005'`);
  });

  test('7: after a cell has ended, its float references are not free again', async () => {
    const movement = { provider: PROVIDER, country: 'RWA', currency: 'RWF', amount: 50_000n } as const;
    const topUp = (engine: Engine, reference: string) =>
      orderFloat(engine, {
        actor: ANA,
        secondApprover: 'OPTIONAL',
        movement: { ...movement, type: 'FLOAT_TOP_UP', reference },
      });
    expect(await topUp(old.engine, 'MV-1')).toEqual({ type: 'DONE' });
    expect(await listStays(old.engine)).toContainEqual(
      expect.objectContaining({ type: 'REFERENCES', count: 1 }),
    );
    expect(await approved(await requested())).toMatchObject({ type: 'DONE' });
    expect(await listStays(old.engine)).not.toContainEqual(expect.objectContaining({ type: 'REFERENCES' }));
    const { database } = other.engine.store;
    await database.query('delete from claimed_references');
    expect(await topUp(unawareOfOthers(other), 'MV-1')).toMatchObject({ type: 'REFERENCE_POSTED' });
    // What a cell had claimed that was lost, and could carry nothing over.
    await database.query(
      `insert into claimed_references (used_for, source, reference, claim_id, cell, stands_for, claimed_at)
       values ('MOVEMENT', $1, 'MV-2', gen_random_uuid(), '0002', '{"type": "FLOAT_TOP_UP"}', now())`,
      [PROVIDER],
    );
    expect(await topUp(unawareOfOthers(other), 'MV-2')).toMatchObject({
      type: 'REFERENCE_TAKEN',
      cell: '0002',
    });
    expect(await topUp(unawareOfOthers(other), 'MV-3')).toEqual({ type: 'DONE' });
  });

  test('O7: is refused, and it must stay, while balances of another cell are on the way to it', async () => {
    const { database } = other.engine.store;
    await database.query(
      `insert into cell_endings (ending_id, from_cell, to_cell, to_database, balances, posted_at)
       select gen_random_uuid(), '0001', '0002', database_id, '{}', now() from cell_names where cell = '0002'`,
    );
    const coming = { type: 'COMING', from: '0001' };
    expect(await listObstacles(old.engine, '0001')).toEqual([coming]);
    expect(await requestCellEnd(old.engine, { actor: ANA, to: '0001' })).toEqual({
      type: 'NOT_POSSIBLE',
      obstacles: [coming],
    });
    expect(await listStays(old.engine)).toContainEqual({ ...coming, until: null });
    await completeEndings(other.engine, { onError: () => undefined });
    expect(await listObstacles(old.engine, '0001')).toEqual([]);
  });
});
