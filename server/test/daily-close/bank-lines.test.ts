// Money between the bank and an operator account: our movements, the operator's report and the bank's file agree, or
// the close names what differs.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importBankFile } from '../../src/core/daily-close/import-bank.ts';
import { orderFloat } from '../../src/core/ledger/move-float.ts';
import type { FloatMovementType } from '../../src/domain/ledger/float-movement.ts';
import { findProvider } from '../../src/domain/operators/catalogue.ts';
import type { OperatorReportLine } from '../../src/domain/reconciliation/operator-report.ts';
import type { AccountName } from '../../src/store/daily-close/report-lines.ts';
import { parseBankLine } from '../../src/wire/bank-line.ts';
import { actorNamed } from '../approvals.ts';
import { nowOf } from '../clocks.ts';
import { openTestGateway, type TestGateway } from '../gateway.ts';
import { francs, openCloseWorld } from './close-world.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());

type Moved = readonly [type: FloatMovementType, amount: number, reference: string];
/** As the bank writes it: time, direction, amount, reference. */
type Written = readonly [direction: 'IN' | 'OUT', amount: number, reference: string];

/** The first day of an account, which no other test has. */
async function openBankWorld(account: AccountName) {
  const { engine } = gateway;
  const world = await openCloseWorld(gateway, account);
  const lines: OperatorReportLine[] = [];
  return {
    ...world,
    /** Moves money a second later, which the operator reports. */
    move: async ([type, amount, reference]: Moved) => {
      await gateway.gateway.movableClock!.move(1_000);
      const { country } = findProvider(account.provider)!;
      const movement = { type, ...account, country, amount: francs(amount), reference };
      const order = { actor: actorNamed('Ana'), secondApprover: 'OPTIONAL', movement } as const;
      expect(await orderFloat(engine, order)).toEqual({ type: 'DONE' });
      lines.push({
        occurredAt: nowOf(engine),
        direction: type === 'FLOAT_TOP_UP' ? 'IN' : 'OUT',
        status: 'COMPLETED',
        amount: francs(amount),
        currency: account.currency,
        providerTransactionId: reference,
        movement: type,
      });
    },
    /** Imports the bank's file of a day. */
    bank: async (day: string, written: readonly Written[], faultCount = 0) => {
      const numbered = written.map(([direction, amount, reference], index) => {
        const cells = { time: day, direction, amount: String(amount), reference };
        const read = parseBankLine(cells, world);
        return 'line' in read ? { lineNo: index + 2, line: read.line } : expect.unreachable(read.fault);
      });
      const fileHash = createHash('sha256')
        .update(JSON.stringify([account, day, written]))
        .digest('hex');
      await importBankFile(engine, { by: 'Ana', ...account, fileHash, lines: numbered, faultCount });
    },
    /** The night passes, the operator's report comes, and the day is read. */
    closeOf: async (day: string) => {
      await world.sleep();
      await world.report(day, lines.splice(0));
      return world.read(day);
    },
  };
}

const ZERO = { unexplained: 0n, bankUnexplained: 0n };

test('a day is zero when the bank has every top-up and withdrawal, and is signed without a note', async () => {
  const world = await openBankWorld({ provider: 'MTN_MOMO_RWA', currency: 'RWF' });
  const day = world.today();
  await world.move(['FLOAT_TOP_UP', 5_000, 'TOP-1']);
  await world.move(['FLOAT_WITHDRAWAL', 300, 'OUT-1']);
  // One is named as the operator names it, and one is only known by its amount.
  await world.bank(day, [
    ['OUT', 5_000, ' top-1'],
    ['IN', 300, 'SETTLEMENT 4711'],
  ]);
  const close = await world.closeOf(day);
  expect(close).toMatchObject({ obstacles: [], items: [] });
  expect(close.figures).toMatchObject({
    ...ZERO,
    received: francs(5_000),
    sent: francs(300),
    bankReceived: francs(5_000),
    bankSent: francs(300),
    bankLineCount: 2,
  });
  expect(await world.sign(day)).toMatchObject({ type: 'DONE' });
});

test('a day is signed only with a note when lines of the bank’s file could not be read', async () => {
  const world = await openBankWorld({ provider: 'MTN_MOMO_ZMB', currency: 'ZMW' });
  const day = world.today();
  await world.move(['FLOAT_TOP_UP', 5_000, 'TOP-1']);
  await world.bank(day, [['OUT', 5_000, 'TOP-1']], 2);
  const close = await world.closeOf(day);
  expect(close).toMatchObject({ obstacles: [], items: [], figures: { ...ZERO, unreadableLineCount: 2 } });
  expect(await world.request(day, 'Ana')).toEqual({ type: 'NOTE_MISSING' });
  expect(await world.sign(day, 'headings of the bank')).toMatchObject({ type: 'DONE' });
});

test('a top-up and a withdrawal that the bank’s file lacks are named, until a later file has them', async () => {
  const world = await openBankWorld({ provider: 'AIRTEL_RWA', currency: 'RWF' });
  const day = world.today();
  // Two of one amount: the reference tells which of them the bank has.
  await world.move(['FLOAT_TOP_UP', 1_000, 'TOP-1']);
  await world.move(['FLOAT_TOP_UP', 1_000, 'TOP-2']);
  await world.move(['FLOAT_WITHDRAWAL', 300, 'OUT-1']);
  await world.bank(day, [['OUT', 1_000, 'TOP-2']]);
  const missing = await world.closeOf(day);
  const named = { kind: 'BANK_MISSING_LINE', sinceDay: day, bookCount: 1, lineCount: 0 };
  expect(missing.items).toMatchObject([
    { ...named, reference: 'TOP-1', amount: francs(-1_000), change: francs(-1_000) },
    { ...named, reference: 'OUT-1', amount: francs(300), change: francs(300) },
  ]);
  expect(missing.figures).toMatchObject({ unexplained: 0n, bankUnexplained: francs(-700) });
  expect(await world.request(day, 'Ana')).toEqual({ type: 'NOTE_MISSING' });
  expect(await world.sign(day, 'the bank was asked')).toMatchObject({ type: 'DONE' });

  // What is open comes with the next day, and is explained there by its line.
  const next = world.today();
  await world.bank(next, [['OUT', 1_000, 'TOP-1']]);
  const later = await world.closeOf(next);
  expect(later.items).toMatchObject([
    { kind: 'LATE', reference: 'TOP-1', amount: 0n, change: francs(1_000), otherDay: day },
    { ...named, reference: 'OUT-1', amount: francs(300), change: 0n },
  ]);
  expect(later.figures.bankUnexplained).toBe(francs(300));
  expect(await world.sign(next, 'the bank was asked again')).toMatchObject({ type: 'DONE' });

  const last = world.today();
  await world.bank(last, [['IN', 300, 'OUT-1']]);
  const settled = await world.closeOf(last);
  expect(settled.items).toMatchObject([{ kind: 'LATE', reference: 'OUT-1', amount: 0n, otherDay: day }]);
  expect(settled.figures).toMatchObject(ZERO);
  expect(await world.sign(last)).toMatchObject({ type: 'DONE' });
});

test('a line of the bank without a movement of ours is named, until the movement is posted', async () => {
  const world = await openBankWorld({ provider: 'MTN_MOMO_UGA', currency: 'UGX' });
  const day = world.today();
  await world.move(['FLOAT_TOP_UP', 1_000, 'TOP-1']);
  await world.bank(day, [
    ['OUT', 1_000, 'TOP-1'],
    ['OUT', 2_000, 'TOP-2'],
    ['IN', 50, ''],
  ]);
  const unknown = await world.closeOf(day);
  const named = { kind: 'BANK_NOT_IN_BOOKS', payment: null, sinceDay: day, bookCount: 0, lineCount: 1 };
  const unnamed = { ...named, reference: '', amount: francs(-50) };
  expect(unknown.items).toMatchObject([{ ...named, reference: 'TOP-2', amount: francs(2_000) }, unnamed]);
  expect(unknown.figures).toMatchObject({ unexplained: 0n, bankUnexplained: francs(1_950) });
  expect(await world.request(day, 'Ana')).toEqual({ type: 'NOTE_MISSING' });
  expect(await world.sign(day, 'not posted yet')).toMatchObject({ type: 'DONE' });

  const next = world.today();
  await world.move(['FLOAT_TOP_UP', 2_000, 'TOP-2']);
  const posted = await world.closeOf(next);
  expect(posted.items).toMatchObject([
    { kind: 'LATE', reference: 'TOP-2', amount: 0n, change: francs(-2_000), otherDay: day },
    { ...unnamed, change: 0n },
  ]);
  expect(posted.figures).toMatchObject({ unexplained: 0n, bankUnexplained: francs(-50) });
});

test('a line of the bank with another amount than ours is named with both amounts', async () => {
  const world = await openBankWorld({ provider: 'AIRTEL_OAPI_UGA', currency: 'UGX' });
  const day = world.today();
  await world.move(['FLOAT_TOP_UP', 1_000, 'TOP-1']);
  await world.move(['FLOAT_TOP_UP', 400, 'TOP-2']);
  await world.bank(day, [
    ['OUT', 900, 'TOP-1'],
    ['OUT', 400, 'TOP-2'],
  ]);
  const close = await world.closeOf(day);
  expect(close.items).toMatchObject([
    { kind: 'BANK_MISSING_LINE', reference: 'TOP-1', amount: francs(-1_000), bookCount: 1, lineCount: 0 },
    { kind: 'BANK_NOT_IN_BOOKS', reference: 'TOP-1', amount: francs(900), bookCount: 0, lineCount: 1 },
  ]);
  expect(close.figures).toMatchObject({ unexplained: 0n, bankUnexplained: francs(-100) });
  expect(await world.request(day, 'Ana')).toEqual({ type: 'NOTE_MISSING' });
  // Both stay open on the next day.
  expect(await world.sign(day, 'the bank was asked')).toMatchObject({ type: 'DONE' });
  const next = await world.closeOf(world.today());
  expect(next.items.map(({ kind, change }) => [kind, change])).toEqual([
    ['BANK_MISSING_LINE', 0n],
    ['BANK_NOT_IN_BOOKS', 0n],
  ]);
  expect(next.figures.bankUnexplained).toBe(francs(-100));
});
