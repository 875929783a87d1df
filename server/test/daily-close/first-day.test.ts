// Where an account begins to be followed with a later day, days, lines and differences that were waiting are dropped.
// The request names them, and is approved only as long as they are the same.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { showRequest } from '../../src/core/approvals/request.ts';
import { readAuditLog } from '../../src/core/audit.ts';
import { readDays } from '../../src/core/daily-close/read-days.ts';
import { importBankFile } from '../../src/core/daily-close/import-bank.ts';
import { requestFirstDay } from '../../src/core/daily-close/first-day.ts';
import type { OperatorReportLine } from '../../src/domain/reconciliation/operator-report.ts';
import { addDays, startOfDay } from '../../src/domain/time-zone.ts';
import { findApproval } from '../../src/store/approvals/approvals.ts';
import type { AccountName } from '../../src/store/daily-close/report-lines.ts';
import { actorNamed, decideAs } from '../approvals.ts';
import { openTestGateway, select, type TestGateway } from '../gateway.ts';
import { francs, openCloseWorld } from './close-world.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());

/** An account that no other test has, after two days that nobody signed. */
async function openUnsignedWorld(account: AccountName) {
  const world = await openCloseWorld(gateway, account);
  const { engine } = gateway;
  const first = world.today();
  const occurredAt = new Date(startOfDay(first, world.timeZone).getTime() + 10 * 3_600_000);
  const line = (reference: string, amount: number): OperatorReportLine => ({
    occurredAt,
    direction: amount > 0 ? 'IN' : 'OUT',
    status: 'COMPLETED',
    amount: francs(Math.abs(amount)),
    currency: account.currency,
    reference,
  });
  await world.sleep();
  await world.sleep();
  return {
    ...world,
    first,
    line,
    bank: (amount: number) =>
      importBankFile(engine, {
        by: 'Ana',
        ...account,
        fileHash: createHash('sha256').update(String(amount)).digest('hex'),
        lines: [{ lineNo: 2, line: { at: occurredAt, amount: francs(amount), reference: 'B1' } }],
        faultCount: 0,
      }),
    beginWith: async (firstDay: string) => {
      const answer = await requestFirstDay(engine, { ...account, firstDay, actor: actorNamed('Ana') });
      const approvalId = answer.type === 'REQUESTED' ? answer.approvalId : expect.unreachable(answer.type);
      const approval = await findApproval(engine.store.database, approvalId);
      return { approvalId, shown: showRequest(engine, approval!) };
    },
    decide: (approvalId: string, decision?: 'reject') => decideAs(engine, 'Ben', approvalId, decision),
    firstDay: async () => {
      const days = await readDays(engine, { ...account, before: null, countMax: 10 });
      return days?.at(-1)?.day;
    },
  };
}

describe('a later first day', () => {
  test('is requested with the days, lines and differences that are dropped', async () => {
    const account = { provider: 'MTN_MOMO_RWA', currency: 'RWF' };
    const world = await openUnsignedWorld(account);
    const { first } = world;
    await world.report(first, [world.line('in', 100), world.line('out', -30)]);
    await world.bank(7);
    const { approvalId, shown } = await world.beginWith(addDays(first, 2));
    const dropped = {
      before: first,
      firstDay: addDays(first, 2),
      droppedDays: '2',
      droppedMovementCount: '0',
      droppedLineCount: '2',
      droppedReceived: '100',
      droppedSent: '30',
      droppedDifferenceCount: '2',
      droppedDiffering: '70',
      droppedBankLineCount: '1',
      droppedBankReceived: '7',
      droppedBankSent: '0',
      droppedBankDifferenceCount: '1',
      droppedBankDiffering: '7',
    };
    expect(shown).toEqual({ ...account, ...dropped });
    expect(await world.decide(approvalId)).toMatchObject({ type: 'DONE' });
    expect(await world.firstDay()).toBe(addDays(first, 2));
    const [entry] = await readAuditLog(gateway.engine, {
      merchantId: null,
      act: 'DAILY_CLOSE_FIRST_DAY_SET',
      countMax: 1,
    });
    expect(entry?.detail).toEqual({ currency: 'RWF', ...dropped });
    expect(await select(gateway, `select day from day_comparisons where day like '%/%'`)).toEqual([]);
  });

  test.for([
    ['a line of the operator came', 'report'],
    ['a line of the bank came', 'bank'],
  ] as const)('is not approved where %s since, and is requested again', async ([, what]) => {
    const account =
      what === 'bank'
        ? { provider: 'AIRTEL_RWA', currency: 'RWF' }
        : { provider: 'MTN_MOMO_UGA', currency: 'UGX' };
    const world = await openUnsignedWorld(account);
    const { first } = world;
    const { approvalId } = await world.beginWith(addDays(first, 1));
    if (what === 'bank') await world.bank(7);
    else await world.report(first, [world.line('late', 50)]);
    expect(await world.decide(approvalId)).toMatchObject({ type: 'NOT_EXECUTED' });
    expect(await world.firstDay()).toBe(first);
    await world.decide(approvalId, 'reject');
    const { approvalId: again, shown } = await world.beginWith(addDays(first, 1));
    expect(shown).toMatchObject(
      what === 'bank' ? { droppedBankDiffering: '7' } : { droppedDays: '1', droppedDiffering: '50' },
    );
    expect(await world.decide(again)).toMatchObject({ type: 'DONE' });
  });

  test('ends the pending signature of the day that was the first', async () => {
    const world = await openUnsignedWorld({ provider: 'AIRTEL_OAPI_UGA', currency: 'UGX' });
    const { first } = world;
    await world.report(first, []);
    const signing = await world.request(first, 'Ana');
    const signatureId = signing.type === 'REQUESTED' ? signing.approvalId : expect.unreachable(signing.type);
    const { approvalId } = await world.beginWith(addDays(first, 1));
    expect(await world.decide(approvalId)).toMatchObject({ type: 'DONE' });
    const { database } = gateway.engine.store;
    expect((await findApproval(database, signatureId))?.status).toBe('REJECTED');
    expect(await world.read(first)).toMatchObject({ status: 'OPEN', obstacles: ['BEFORE_FIRST_DAY'] });
  });

  test('is named alone where it is an earlier one: nothing is dropped', async () => {
    const account = { provider: 'MTN_MOMO_ZMB', currency: 'ZMW' };
    const world = await openUnsignedWorld(account);
    const { first } = world;
    const { approvalId, shown } = await world.beginWith(addDays(first, -1));
    expect(shown).toEqual({ ...account, before: first, firstDay: addDays(first, -1) });
    expect(await world.decide(approvalId)).toMatchObject({ type: 'DONE' });
  });
});
