// Files of one provider: whoever comes while somebody else works with them is told so, and nothing is done by halves.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importBankFile } from '../src/core/daily-close/import-bank.ts';
import { FilesBusy, withFileLease } from '../src/core/reconciliation/file-lease.ts';
import { importReport } from '../src/core/reconciliation/import-report.ts';
import type { OperatorReportLine } from '../src/domain/reconciliation/operator-report.ts';
import { decideAs } from './approvals.ts';
import { nowOf } from './clocks.ts';
import { openAccount, type Account } from './edge/accounts.ts';
import { depositRequest, eventually, openTestGateway, select, type TestGateway } from './gateway.ts';
import { startCompleted } from './payments.ts';
import {
  approvalOfReport,
  findingsOf,
  importFile,
  lineAbout,
  pendingApprovals,
  PROVIDER,
} from './report-files.ts';

let gateway: TestGateway;
let shop: Account;
beforeAll(async () => {
  gateway = await openTestGateway({ timing: { enquiryDelaysMs: [3_600_000] } });
  shop = await openAccount(gateway, { operations: ['DEPOSIT'] });
});
afterAll(() => gateway.stop());

const deposit = () => startCompleted(shop, 'deposit', depositRequest());
const leases = () => select(gateway, 'select by_name from file_leases');

/** A line that waits for the approval of its file. */
const waiting = async () => lineAbout(gateway, await deposit(), { amount: 10_000n });

async function outcomes(work: readonly Promise<unknown>[]): Promise<readonly string[]> {
  const ended = await Promise.allSettled(work);
  return ended.map((one) => {
    if (one.status === 'fulfilled') return 'DONE';
    return one.reason instanceof FilesBusy ? 'BUSY' : String(one.reason);
  });
}

describe('F6: work with files of one provider at the same time', () => {
  test('two imports: each is done or told who is at work, 20 times', async () => {
    const lines = await Promise.all(Array.from({ length: 5 }, waiting));
    for (let round = 0; round < 20; round += 1) {
      const fileHash = randomBytes(32);
      const other = round % 2 === 0 ? lines : lines.toReversed();
      const all = await outcomes([
        importFile(gateway, lines, { fileHash, by: 'Ana' }),
        importFile(gateway, other, { fileHash: round % 3 === 0 ? fileHash : randomBytes(32), by: 'Ben' }),
      ]);
      expect(all).toContain('DONE');
      expect(all.every((one) => one === 'DONE' || one === 'BUSY')).toBe(true);
      expect(await leases()).toEqual([]);
    }
    const rows = await select(gateway, `select 1 from operator_report_lines where finding = 'TO_APPROVE'`);
    expect(rows).toHaveLength(5);
  });

  test('an approval and an import: the approval is done as shown, or refused and still pending, 20 times', async () => {
    for (const approvalId of await pendingApprovals(gateway, 'OPERATOR_REPORT'))
      await decideAs(gateway.engine, 'Ben', approvalId, 'reject');
    for (let round = 0; round < 20; round += 1) {
      const [line, other] = [await waiting(), await waiting()];
      const { reportId } = await importFile(gateway, [line]);
      const approvalId = await approvalOfReport(gateway, reportId);
      const [answer, [imported]] = await Promise.all([
        decideAs(gateway.engine, 'Ben', approvalId),
        outcomes([importFile(gateway, [other])]),
      ]);
      expect(['DONE', 'BUSY']).toContain(imported);
      if (answer.type === 'DONE') {
        expect(await findingsOf(gateway, reportId)).toEqual(['CASE']);
      } else {
        expect(answer).toMatchObject({ type: 'NOT_EXECUTED', because: { code: 'FILES_BUSY' } });
        expect(await findingsOf(gateway, reportId)).toEqual(['TO_APPROVE CASE']);
        expect(await decideAs(gateway.engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
      }
      expect(await leases()).toEqual([]);
    }
  });

  test('two approvals and a rejection of one report: one of them decides, 20 times', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { reportId } = await importFile(gateway, [await waiting()]);
      const approvalId = await approvalOfReport(gateway, reportId);
      const answers = await Promise.all([
        decideAs(gateway.engine, 'Ben', approvalId),
        decideAs(gateway.engine, 'Cleo', approvalId),
        decideAs(gateway.engine, 'Dan', approvalId, 'reject'),
      ]);
      expect(answers.filter(({ type }) => type === 'DONE')).toHaveLength(1);
      expect(await leases()).toEqual([]);
    }
  });

  test('who comes in the middle of an import is told who is at work, also with a bank’s file', async () => {
    const [line, other] = [await waiting(), await waiting()];
    const { reportId } = await importFile(gateway, [other]);
    const approvalId = await approvalOfReport(gateway, reportId);
    const seen: string[] = [];
    await importReport(gateway.engine, {
      by: 'Ana',
      secondApprover: 'REQUIRED',
      provider: PROVIDER,
      fileHash: randomBytes(32),
      period: null,
      onError: (error) => seen.push(String(error)),
      async *batches(pass) {
        yield [{ lineNo: 2, line }];
        if (pass === 'CHECK') return;
        const bank = {
          by: 'Eve',
          provider: PROVIDER,
          currency: 'RWF',
          fileHash: randomUUID(),
          lines: [],
          faultCount: 0,
        };
        const tried = [importFile(gateway, [line], { by: 'Eve' }), importBankFile(gateway.engine, bank)];
        for (const one of await Promise.allSettled(tried))
          seen.push(one.status === 'rejected' && one.reason instanceof FilesBusy ? one.reason.by : 'DONE');
        for (const what of ['approve', 'reject'] as const) {
          const answer = await decideAs(gateway.engine, 'Ben', approvalId, what);
          seen.push(answer.type === 'NOT_EXECUTED' ? answer.because.code : answer.type);
        }
      },
    });
    expect(seen).toEqual(['Ana', 'Ana', 'FILES_BUSY', 'FILES_BUSY']);
    expect(await decideAs(gateway.engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
  });

  test('a process that dies in an import keeps others out for two minutes; the next import goes on', async () => {
    const [first, second] = [await waiting(), await waiting()];
    const fileHash = randomBytes(32);
    const dying = importReport(gateway.engine, {
      by: 'Ana',
      secondApprover: 'REQUIRED',
      provider: PROVIDER,
      fileHash,
      period: null,
      onError: () => {},
      async *batches(pass) {
        yield [{ lineNo: 2, line: first }];
        if (pass === 'IMPORT') throw new Error('cut off');
        yield [{ lineNo: 3, line: second }];
      },
    });
    await expect(dying).rejects.toThrow('cut off');
    // A process that is killed does not give its lease back.
    const now = nowOf(gateway.engine);
    await gateway.engine.store.database.query(
      `insert into file_leases (provider, owner, by_name, since, until) values ($1, $2, 'Ana', $3, $4)`,
      [PROVIDER, randomUUID(), now, new Date(now.getTime() + 120_000)],
    );
    await expect(importFile(gateway, [first, second], { fileHash })).rejects.toThrow('Ana has been working');
    await gateway.gateway.movableClock!.move(121_000);
    const { reportId } = await importFile(gateway, [first, second], { fileHash });
    expect(await findingsOf(gateway, reportId)).toEqual(['TO_APPROVE CASE', 'TO_APPROVE CASE']);
    expect(await leases()).toEqual([]);
  });
});

/** Imports one file after the other until `isOver`, as one person who wants to keep others out. */
const uploadWithoutPause = async (line: OperatorReportLine, isOver: () => boolean) => {
  const told: string[] = [];
  while (!isOver()) {
    const [outcome = ''] = await outcomes([importFile(gateway, [line], { by: 'Mallory' })]);
    if (told.at(-1) !== outcome) told.push(outcome);
  }
  return told;
};

describe('an approval that meets one import after the other', () => {
  test('is next after the first of them, so that one person who uploads without pause keeps no one out', async () => {
    const [line, other] = [await waiting(), await waiting()];
    const { reportId } = await importFile(gateway, [other], { by: 'Ana' });
    const approvalId = await approvalOfReport(gateway, reportId);
    const { engine } = gateway;
    let isOver = false;
    let uploads: Promise<readonly string[]> = Promise.resolve([]);
    await withFileLease(engine, { provider: PROVIDER, by: 'Mallory' }, async () => {
      uploads = uploadWithoutPause(line, () => isOver);
      expect(await decideAs(engine, 'Ben', approvalId)).toMatchObject({
        type: 'NOT_EXECUTED',
        because: { code: 'FILES_BUSY', parameters: { by: 'Mallory' } },
      });
    });
    try {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await expect(importFile(gateway, [line])).rejects.toThrow('Ben has been waiting');
      expect(await decideAs(engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
      await eventually(async () => (await outcomes([importFile(gateway, [line])]))[0]).toBe('DONE');
    } finally {
      isOver = true;
    }
    expect((await uploads)[0]).toBe('BUSY');
    expect(await findingsOf(gateway, reportId)).not.toContain('TO_APPROVE CASE');
    expect(await leases()).toEqual([]);
  });

  test('keeps imports out for ten minutes after the work that it met, and no longer', async () => {
    const [line, other] = [await waiting(), await waiting()];
    const { reportId } = await importFile(gateway, [other], { by: 'Ana' });
    const approvalId = await approvalOfReport(gateway, reportId);
    const { engine } = gateway;
    const clock = gateway.gateway.movableClock!;
    await withFileLease(engine, { provider: PROVIDER, by: 'Mallory' }, async (renew) => {
      expect(await decideAs(engine, 'Ben', approvalId, 'reject')).toMatchObject({ type: 'NOT_EXECUTED' });
      // The ten minutes begin when this work has ended, however long it takes.
      for (let minute = 0; minute < 15; minute += 1) {
        await clock.move(60_000);
        await renew();
      }
    });
    await clock.move(9 * 60_000);
    expect(await outcomes([importFile(gateway, [line])])).toEqual(['BUSY']);
    await clock.move(61_000);
    expect(await outcomes([importFile(gateway, [line])])).toEqual(['DONE']);
    expect(await decideAs(engine, 'Ben', approvalId, 'reject')).toMatchObject({ type: 'DONE' });
    expect(await leases()).toEqual([]);
  });

  test('is not next where its requester withdraws it: one person could keep imports out with that', async () => {
    const [line, other] = [await waiting(), await waiting()];
    const { reportId } = await importFile(gateway, [other], { by: 'Ana' });
    const approvalId = await approvalOfReport(gateway, reportId);
    const { engine } = gateway;
    await withFileLease(engine, { provider: PROVIDER, by: 'Mallory' }, async () => {
      expect(await decideAs(engine, 'Ana', approvalId, 'withdraw')).toMatchObject({ type: 'NOT_EXECUTED' });
    });
    expect(await outcomes([importFile(gateway, [line])])).toEqual(['DONE']);
  });
});
