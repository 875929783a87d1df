// One person who imports files again and again does not keep two others from signing a day: what comes after the
// request has higher numbers, and belongs to the next day. What changes of what the request counts refuses the
// approval.
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importBankFile } from '../../src/core/daily-close/import-bank.ts';
import { requestReopening } from '../../src/core/daily-close/reopen-day.ts';
import { requestClose } from '../../src/core/daily-close/sign-close.ts';
import { requestVoid } from '../../src/core/reconciliation/void-file.ts';
import type { OperatorReportLine } from '../../src/domain/reconciliation/operator-report.ts';
import { startOfDay } from '../../src/domain/time-zone.ts';
import type { AccountName } from '../../src/store/daily-close/report-lines.ts';
import { actorNamed, decideAs } from '../approvals.ts';
import { openTestGateway, select, type TestGateway } from '../gateway.ts';
import { francs, openCloseWorld } from './close-world.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());

const NOTE = 'the operator was asked';

/** An account that no other test has, on the morning after its first day, with one line of the operator. */
async function openStarvedWorld(account: AccountName) {
  const world = await openCloseWorld(gateway, account);
  const { engine } = gateway;
  const day = world.today();
  const at = (of: string) => new Date(startOfDay(of, world.timeZone).getTime() + 10 * 3_600_000);
  const line = (reference: string, of = day): OperatorReportLine => ({
    occurredAt: at(of),
    direction: 'IN',
    status: 'COMPLETED',
    amount: francs(100),
    currency: account.currency,
    reference,
  });
  await world.sleep();
  await world.report(day, [line('first')]);
  return {
    ...world,
    day,
    line,
    /** Imports a bank's file with one new line of the day, and one that cannot be read. */
    bank: async () => {
      const reference = randomUUID();
      const fileHash = createHash('sha256').update(reference).digest('hex');
      const lines = [{ lineNo: 2, line: { at: at(day), amount: francs(7), reference } }];
      return importBankFile(engine, { by: 'Mallory', ...account, fileHash, lines, faultCount: 1 });
    },
    requestId: async () => {
      const answer = await world.request(day, 'Ana', NOTE);
      return answer.type === 'REQUESTED' ? answer.approvalId : expect.unreachable(answer.type);
    },
    decide: (approvalId: string, decision?: 'reject') => decideAs(engine, 'Ben', approvalId, decision),
    void: async (fileId: string) => {
      const asked = await requestVoid(engine, { fileId, actor: actorNamed('Ana'), reason: 'the wrong file' });
      const approvalId = asked.type === 'REQUESTED' ? asked.approvalId : expect.unreachable(asked.type);
      expect(await decideAs(engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
    },
  };
}

const referencesOf = (items: readonly { readonly reference: string | null }[]) =>
  items.map(({ reference }) => reference ?? '').toSorted();

describe('a day whose signature is requested', () => {
  test('is signed as requested, whatever the bank or the operator says since, and the next day counts that', async () => {
    const world = await openStarvedWorld({ provider: 'MTN_MOMO_RWA', currency: 'RWF' });
    const { day } = world;
    const approvalId = await world.requestId();
    const requested = await world.read(day);
    expect(requested).toMatchObject({ status: 'REQUESTED', isChanged: false, cameSince: [] });
    await world.bank();
    await world.bank();
    // Of the next day also what explains a difference of this one.
    await world.report(day, [world.line('first'), world.line('late')]);
    const shown = await world.read(day);
    expect(shown).toMatchObject({
      status: 'REQUESTED',
      isChanged: false,
      figures: requested.figures,
      items: requested.items,
      contentHash: requested.contentHash,
      cameSince: [
        { source: 'OPERATOR', lineCount: 1, amount: francs(100) },
        { source: 'BANK', lineCount: 1, amount: francs(7), faultCount: 1 },
        { source: 'BANK', lineCount: 1, amount: francs(7), faultCount: 1 },
      ],
    });
    expect(await world.decide(approvalId)).toMatchObject({ type: 'DONE' });
    const signed = await world.read(day);
    expect(signed).toMatchObject({ status: 'CLOSED', contentHash: requested.contentHash });
    expect(signed.figures).toMatchObject({ lineCount: 1, bankLineCount: 0, unreadableLineCount: 0 });
    expect(signed.cameSince).toHaveLength(3);
    const next = world.today();
    await world.sleep();
    await world.report(next, []);
    const open = await world.read(next);
    expect(open.figures).toMatchObject({ lineCount: 1, bankLineCount: 2, bankReceived: francs(14) });
    expect(referencesOf(open.items.filter(({ name }) => !name.startsWith('BANK')))).toEqual([
      'first',
      'late',
    ]);
  });

  test('leaves lines to the next day that came while it was compared', async () => {
    const account = { provider: 'AIRTEL_RWA', currency: 'RWF' };
    const world = await openStarvedWorld(account);
    const { day } = world;
    const answer = await requestClose(gateway.engine, {
      ...account,
      day,
      actor: actorNamed('Ana'),
      note: NOTE,
      contentHash: null,
      wait: async (read) => {
        const compared = await read({});
        await world.bank();
        await world.report(day, [world.line('first'), world.line('meanwhile')]);
        return compared;
      },
    });
    const approvalId = answer.type === 'REQUESTED' ? answer.approvalId : expect.unreachable(answer.type);
    expect((await world.read(day)).cameSince).toHaveLength(2);
    expect(await world.decide(approvalId)).toMatchObject({ type: 'DONE' });
    const next = world.today();
    await world.sleep();
    await world.report(next, []);
    expect((await world.read(next)).figures).toMatchObject({ lineCount: 1, bankLineCount: 1 });
  });

  test('counts what came since where it is rejected and requested again, and no line twice', async () => {
    const world = await openStarvedWorld({ provider: 'MTN_MOMO_UGA', currency: 'UGX' });
    const { day } = world;
    const approvalId = await world.requestId();
    await world.bank();
    await world.report(day, [world.line('first'), world.line('late')]);
    await world.decide(approvalId, 'reject');
    const open = await world.read(day);
    expect(open).toMatchObject({ status: 'OPEN', cameSince: [] });
    expect(open.figures).toMatchObject({ lineCount: 2, bankLineCount: 1, unreadableLineCount: 1 });
    expect(await world.decide(await world.requestId())).toMatchObject({ type: 'DONE' });
    const next = world.today();
    await world.sleep();
    await world.report(next, []);
    expect((await world.read(next)).figures).toMatchObject({ lineCount: 0, bankLineCount: 0 });
  });

  test('is reopened for what came since, and counts it then', async () => {
    const world = await openStarvedWorld({ provider: 'AIRTEL_OAPI_UGA', currency: 'UGX' });
    const { engine } = gateway;
    const { day } = world;
    const approvalId = await world.requestId();
    await world.bank();
    expect(await world.decide(approvalId)).toMatchObject({ type: 'DONE' });
    const reopening = { provider: 'AIRTEL_OAPI_UGA', currency: 'UGX', day, reason: 'the bank came late' };
    const asked = await requestReopening(engine, { ...reopening, actor: actorNamed('Ana') });
    await world.decide(asked.type === 'REQUESTED' ? asked.approvalId : expect.unreachable(asked.type));
    expect((await world.read(day)).figures).toMatchObject({ bankLineCount: 1 });
  });

  test('is not signed where a file that it counts is voided, and says so', async () => {
    const world = await openStarvedWorld({ provider: 'MTN_MOMO_ZMB', currency: 'ZMW' });
    const { day } = world;
    const { fileId } = await world.bank();
    const approvalId = await world.requestId();
    await world.void(fileId);
    expect(await world.read(day)).toMatchObject({ status: 'REQUESTED', isChanged: true });
    expect(await world.decide(approvalId)).toMatchObject({ type: 'NOT_EXECUTED' });
    await world.decide(approvalId, 'reject');
    expect(await world.decide(await world.requestId())).toMatchObject({ type: 'DONE' });
  });

  test('is signed where a file is voided that came since', async () => {
    const world = await openStarvedWorld({ provider: 'AIRTEL_OAPI_ZMB', currency: 'ZMW' });
    const { day } = world;
    const approvalId = await world.requestId();
    const { fileId } = await world.bank();
    await world.void(fileId);
    expect(await world.read(day)).toMatchObject({ isChanged: false, cameSince: [] });
    expect(await world.decide(approvalId)).toMatchObject({ type: 'DONE' });
  });

  test('keeps what its request counts: no statement changes that', async () => {
    await expect(
      select(gateway, `update day_closes set file_ids = '{}', movements_digest = '' where status = 'CLOSED'`),
    ).rejects.toThrow();
  });
});
