// Two people void a file of an operator or a bank: afterwards the days are as if it had never come.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { importBankFile } from '../src/core/daily-close/import-bank.ts';
import { exportClose, type ExportRow } from '../src/core/daily-close/export-close.ts';
import { requestReopening } from '../src/core/daily-close/reopen-day.ts';
import { releaseDueFunds } from '../src/core/limits/wallet-holds.ts';
import { referenceFor } from '../src/core/operators/reference.ts';
import { beginRecovery } from '../src/core/recovery/recover.ts';
import { continueVoids, requestVoid } from '../src/core/reconciliation/void-file.ts';
import { withFileLease } from '../src/core/reconciliation/file-lease.ts';
import { renderAmount } from '../src/domain/money.ts';
import type { OperatorReportLine } from '../src/domain/reconciliation/operator-report.ts';
import { addDays, startOfDay } from '../src/domain/time-zone.ts';
import { actorNamed, decideAs } from './approvals.ts';
import { ACCOUNT, francs, openCloseWorld } from './daily-close/close-world.ts';
import { openTestGateway, select, type TestGateway } from './gateway.ts';
import { findingsOf, importFile, pendingApprovals, PROVIDER } from './report-files.ts';

let gateway: TestGateway;
let world: Awaited<ReturnType<typeof openCloseWorld>>;
beforeEach(async () => {
  gateway = await openTestGateway();
  world = await openCloseWorld(gateway);
});
afterEach(() => gateway.stop());

const WHY = 'it was read with a wrong decimal mark';

const periodOf = (day: string) => ({
  from: startOfDay(day, world.timeZone),
  to: startOfDay(addDays(day, 1), world.timeZone),
});

/** A day of eight payments, and what the operator's report says of it. */
async function paidDay(
  count = 8,
): Promise<{ readonly day: string; readonly lines: readonly OperatorReportLine[] }> {
  const day = world.today();
  await world.pay(count);
  await world.sleep();
  return { day, lines: world.takeLines() };
}

const importDay = (day: string, lines: readonly OperatorReportLine[], fileHash = randomBytes(32)) =>
  importFile(gateway, lines, { period: periodOf(day), fileHash });

/** As a comma that separates thousands is read as a decimal comma, or the other way round. */
const misread = (lines: readonly OperatorReportLine[]) =>
  lines.map((line) => ({ ...line, amount: line.amount * 10n }));

async function request(fileId: string, by = 'Ana'): Promise<string> {
  const answer = await requestVoid(gateway.engine, { fileId, actor: actorNamed(by), reason: WHY });
  return answer.type === 'REQUESTED' ? answer.approvalId : expect.unreachable(answer.type);
}

async function voidFile(fileId: string): Promise<void> {
  expect(await decideAs(gateway.engine, 'Ben', await request(fileId))).toMatchObject({ type: 'DONE' });
}

/** Everything of a day that two people sign, and what its lines come to. */
async function dayOf(day: string) {
  const { figures, items, obstacles } = await world.read(day);
  const shown = Object.entries(figures).map(([name, value]) => [name, String(value)]);
  return { figures: Object.fromEntries(shown), items: items.map(({ kind }) => kind), obstacles };
}

const clean = async (day: string) => {
  const { figures, items, obstacles } = await world.read(day);
  return {
    items: items.length,
    obstacles,
    unexplained: renderAmount(figures.unexplained),
    carriedForward: renderAmount(figures.carriedForward),
    lineCount: figures.lineCount,
    isSame: figures.received === figures.reportReceived && figures.sent === figures.reportSent,
  };
};
const CLEAN = { items: 0, obstacles: [], unexplained: '0', carriedForward: '0', isSame: true };

function fail(error: unknown): never {
  throw error;
}

/** Numbers below a bound, the same for the same seed. */
function drawing(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** Lines about nothing that is known here. */
const strangeLines = (like: OperatorReportLine, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const { reference: _ours, ...rest } = like;
    return { ...rest, providerTransactionId: `OTHER-${index}` };
  });

describe('M2: a wrong file', () => {
  test('of another account is voided, and the day is as if it had never come', async () => {
    const { day, lines } = await paidDay();
    const other = await importDay(day, strangeLines(lines[0]!, 5_001));
    await importDay(day, lines);
    expect((await world.read(day)).obstacles).toEqual(['TOO_MANY_DIFFERENCES']);
    await voidFile(other.reportId);
    expect(await clean(day)).toEqual({ ...CLEAN, lineCount: 8 });
    expect(await world.sign(day)).toMatchObject({ type: 'DONE' });
  });

  test('is not signed with a day that was compared and requested before it was voided', async () => {
    const { day, lines } = await paidDay();
    const other = await importDay(day, strangeLines(lines[0]!, 3));
    await importDay(day, lines);
    const requested = await world.request(day, 'Ana', 'the operator was asked');
    const approvalId =
      requested.type === 'REQUESTED' ? requested.approvalId : expect.unreachable(requested.type);
    await voidFile(other.reportId);
    expect(await decideAs(gateway.engine, 'Ben', approvalId)).toMatchObject({ type: 'NOT_EXECUTED' });
    expect(await world.read(day)).toMatchObject({ status: 'REQUESTED', isChanged: true });
    await decideAs(gateway.engine, 'Ben', approvalId, 'reject');
    expect(await clean(day)).toEqual({ ...CLEAN, lineCount: 8 });
    expect(await world.sign(day)).toMatchObject({ type: 'DONE' });
  });

  test('that was read with a wrong decimal mark is voided, corrected and imported again: each line counts once', async () => {
    const { day, lines } = await paidDay();
    const wrong = await importDay(day, misread(lines));
    expect(await pendingApprovals(gateway, 'OPERATOR_REPORT')).toHaveLength(1);
    await voidFile(wrong.reportId);
    expect(await pendingApprovals(gateway, 'OPERATOR_REPORT')).toEqual([]);
    await importDay(day, lines);
    expect(await clean(day)).toEqual({ ...CLEAN, lineCount: 8 });
  });

  test('under the same bytes is a new reading once it is voided, with lines that are the same and others', async () => {
    const { day, lines } = await paidDay();
    const fileHash = randomBytes(32);
    const wrong = await importDay(day, [...misread(lines.slice(0, 4)), ...lines.slice(4)], fileHash);
    await voidFile(wrong.reportId);
    const right = await importDay(day, lines, fileHash);
    expect(right).toMatchObject({ isNew: true, lineCount: 8, comparedCount: 8 });
    expect(right.reportId).not.toBe(wrong.reportId);
    expect(await clean(day)).toEqual({ ...CLEAN, lineCount: 8 });
    // Again, and once more.
    await voidFile(right.reportId);
    expect(await clean(day)).toMatchObject({ lineCount: 0, obstacles: ['REPORT_MISSING'] });
    await importDay(day, lines, fileHash);
    await importDay(day, lines, fileHash);
    expect(await clean(day)).toEqual({ ...CLEAN, lineCount: 8 });
  });
});

describe('a voided file that a signed day has counted', () => {
  test('is taken back in the next day, where its differences end', async () => {
    const { day, lines } = await paidDay();
    const wrong = await importDay(day, [...misread(lines.slice(0, 4)), ...lines.slice(4)]);
    expect(await world.sign(day, 'we look at it tomorrow')).toMatchObject({ type: 'DONE' });
    const before = await dayOf(day);
    await voidFile(wrong.reportId);
    const signed = await world.read(day);
    expect(await dayOf(day)).toEqual(before);
    expect(signed.files).toMatchObject([{ fileId: wrong.reportId, voidedBy: 'Ben' }]);

    const right = await importDay(day, lines);
    expect(right.comparedCount).toBe(8);
    const second = await paidDay();
    await importDay(second.day, second.lines);
    const next = await world.read(second.day);
    expect(next.takenBack).toMatchObject([{ fileId: wrong.reportId, lineCount: 8, voidedBy: 'Ben' }]);
    expect(next.items.map(({ kind, amount }) => [kind, amount])).toEqual(
      lines.slice(0, 4).map(() => ['LATE', 0n]),
    );
    expect(next.figures).toMatchObject({ unexplained: 0n, carriedForward: 0n, lineCount: 8 });
    expect(await world.sign(second.day)).toMatchObject({ type: 'DONE' });
    const rows: ExportRow[] = [];
    const write = (some: readonly ExportRow[]) => void rows.push(...some);
    await exportClose(gateway.engine, { ...ACCOUNT, day: second.day, by: 'Ana', write });
    expect(rows.filter(({ record }) => record === 'TAKEN_BACK')).toHaveLength(1);
    expect(rows.filter(({ record }) => record === 'OPERATOR_LINE_TAKEN_BACK')).toHaveLength(8);
    rows.length = 0;
    await exportClose(gateway.engine, { ...ACCOUNT, day, by: 'Ana', write });
    expect(rows.filter(({ record }) => record === 'FILE_VOIDED_SINCE')).toHaveLength(1);
  });

  test('leaves nothing in that day when it is reopened', async () => {
    const { day, lines } = await paidDay();
    const wrong = await importDay(day, [...misread(lines.slice(0, 4)), ...strangeLines(lines[0]!, 50)]);
    expect(await world.sign(day, 'we look at it tomorrow')).toMatchObject({ type: 'DONE' });
    await voidFile(wrong.reportId);
    await importDay(day, lines);
    const reopening = await requestReopening(gateway.engine, {
      ...ACCOUNT,
      day,
      actor: actorNamed('Ana'),
      reason: WHY,
    });
    await decideAs(gateway.engine, 'Ben', reopening.type === 'REQUESTED' ? reopening.approvalId : '');
    expect(await clean(day)).toEqual({ ...CLEAN, lineCount: 8 });
    expect(await world.sign(day)).toMatchObject({ type: 'DONE' });
    const second = await paidDay();
    await importDay(second.day, second.lines);
    expect(await clean(second.day)).toEqual({ ...CLEAN, lineCount: 8 });
    expect((await world.read(second.day)).takenBack).toEqual([]);
  });

  test('counts nothing of lines that are the same in the corrected file, and stands in the day once', async () => {
    const { day, lines } = await paidDay();
    const wrong = await importDay(day, lines);
    expect(await world.sign(day)).toMatchObject({ type: 'DONE' });
    await voidFile(wrong.reportId);
    await importDay(day, lines);
    const second = await paidDay();
    await importDay(second.day, second.lines);
    expect(await clean(second.day)).toEqual({ ...CLEAN, lineCount: 8 });
    // Not corrected: what the signed day had is missing now.
    const other = await importDay(second.day, lines.slice(0, 2));
    expect(other.comparedCount).toBe(0);
  });
});

describe('lines that stand in another file too', () => {
  test('stay, as often as they stand there', async () => {
    const { day, lines } = await paidDay();
    const twice = await importDay(day, [...lines, ...lines.slice(0, 2)]);
    await importDay(day, lines);
    expect(await world.read(day)).toMatchObject({ figures: { lineCount: 10 } });
    await voidFile(twice.reportId);
    expect(await clean(day)).toEqual({ ...CLEAN, lineCount: 8 });
  });

  test('stay where the voided file came last, and go with the last file', async () => {
    const { day, lines } = await paidDay();
    const first = await importDay(day, lines.slice(0, 6));
    const second = await importDay(day, [...lines, lines[0]!]);
    expect(await world.read(day)).toMatchObject({ figures: { lineCount: 9 } });
    await voidFile(second.reportId);
    expect((await world.read(day)).figures.lineCount).toBe(6);
    await voidFile(first.reportId);
    expect((await world.read(day)).figures.lineCount).toBe(0);
    await importDay(day, lines);
    expect(await clean(day)).toEqual({ ...CLEAN, lineCount: 8 });
  });

  test('are taken back only as far as they stood there more often, where a signed day has counted them', async () => {
    const { day, lines } = await paidDay();
    const twice = await importDay(day, [...lines, lines[0]!]);
    await importDay(day, lines);
    expect(await world.sign(day, 'asked the operator')).toMatchObject({ type: 'DONE' });
    await voidFile(twice.reportId);
    const second = await paidDay();
    await importDay(second.day, second.lines);
    const next = await world.read(second.day);
    expect(next.items.map(({ kind, amount }) => [kind, amount])).toEqual([['LATE', 0n]]);
    expect(next.figures).toMatchObject({ lineCount: 7, unexplained: 0n });
  });
});

describe('proposals of a voided file', () => {
  test('end as rejected: holds of reversals are free, and movements are not posted', async () => {
    const { day, lines } = await paidDay(4);
    const deposit = lines.find(({ direction }) => direction === 'IN')!;
    const charge = {
      ...deposit,
      direction: 'OUT',
      amount: francs(5),
      providerTransactionId: 'CHARGE-1',
      movement: 'OPERATOR_CHARGE',
    } as const;
    const { reportId } = await importDay(day, [{ ...deposit, status: 'FAILED' }, charge, ...lines.slice(1)]);
    const held = () => select(gateway, 'select 1 from wallet_holds where released_at is null');
    expect([(await held()).length, (await pendingApprovals(gateway, 'OPERATOR_REPORT')).length]).toEqual([
      1, 1,
    ]);
    expect(await findingsOf(gateway, reportId)).toContain('TO_APPROVE OPERATOR_CHARGE');
    await voidFile(reportId);
    expect(await pendingApprovals(gateway, 'OPERATOR_REPORT')).toEqual([]);
    await releaseDueFunds(gateway.engine, { countMax: 10, onError: fail });
    expect(await held()).toEqual([]);
    await importDay(day, lines);
    expect(await clean(day)).toEqual({ ...CLEAN, lineCount: 4 });
  });

  test('end also for lost payments, which are sent again then', async () => {
    const { day, lines } = await paidDay(4);
    const { engine } = gateway;
    await beginRecovery(engine, { by: 'Ana', lostFrom: new Date('2026-01-01T00:00:00Z') });
    const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: randomUUID() } as const;
    const { shape } = engine.connectors.get('simulator')!.reference;
    const reference = referenceFor(engine.referenceKey, { key, attemptNo: 1, home: engine.home, shape });
    const { reportId } = await importDay(day, [
      ...lines,
      { ...lines[0]!, direction: 'IN', reference, providerTransactionId: 'LOST-1' },
    ]);
    const waiting = () => select(gateway, 'select 1 from unmatched_payments where withdrawn_at is null');
    expect(await waiting()).toHaveLength(1);
    await voidFile(reportId);
    expect(await waiting()).toEqual([]);
  });
});

describe('a day after a void and the right file', () => {
  test.each([1, 2, 3])(
    'is the day in which the wrong file never came, by drawn files (seed %i)',
    async (seed) => {
      const draw = drawing(seed);
      const { day, lines } = await paidDay(8);
      const right = await importDay(day, lines);
      const expected = await dayOf(day);
      expect(expected.items).toEqual([]);
      await voidFile(right.reportId);
      const files: string[] = [];
      for (let made = 0; made < 3; made += 1) {
        const wrong = lines.flatMap((line) => {
          const fate = draw(6);
          if (fate === 0) return [];
          if (fate === 1) return [line, line];
          if (fate === 2) return [{ ...line, amount: line.amount * 10n }];
          if (fate === 3) return [{ ...line, occurredAt: new Date(line.occurredAt.getTime() + 1_000) }];
          return [line];
        });
        files.push((await importDay(day, [...wrong, ...strangeLines(lines[0]!, draw(4))])).reportId);
        if (made === 1 && draw(2) === 0) await world.sign(day, 'we look at it tomorrow');
      }
      while (files.length > 0) await voidFile(files.splice(draw(files.length), 1)[0]!);
      await importDay(day, lines);
      const status = (await world.read(day)).status;
      if (status === 'CLOSED') {
        const order = { ...ACCOUNT, day, actor: actorNamed('Ana'), reason: WHY };
        const asked = await requestReopening(gateway.engine, order);
        await decideAs(gateway.engine, 'Ben', asked.type === 'REQUESTED' ? asked.approvalId : '');
      }
      expect(await dayOf(day)).toEqual(expected);
    },
  );
});

describe('the rules of voiding', () => {
  test('one person cannot, and nobody around the approval', async () => {
    const { day, lines } = await paidDay(4);
    const { reportId } = await importDay(day, lines);
    const approvalId = await request(reportId);
    expect(await decideAs(gateway.engine, 'Ana', approvalId)).toEqual({ type: 'SAME_PERSON' });
    const again = await requestVoid(gateway.engine, {
      fileId: reportId,
      actor: actorNamed('Cleo'),
      reason: WHY,
    });
    expect(again).toEqual({ type: 'REQUESTED_BEFORE' });
    const acts = [
      `update operator_reports set voided_at = now(), voided_by = gen_random_uuid(), void_reason = 'mine'`,
      `update operator_report_lines set voided = true`,
    ];
    for (const act of acts) await expect(select(gateway, act)).rejects.toThrow('voided');
    await decideAs(gateway.engine, 'Ben', approvalId);
    const undo = `update operator_reports set voided_at = null, voided_by = null, void_reason = null`;
    await expect(select(gateway, undo)).rejects.toThrow('voided');
    await expect(select(gateway, 'update operator_report_lines set voided = false')).rejects.toThrow(
      'voided',
    );
    const [entry] = await select(gateway, `select detail from audit_log where act = 'FILE_VOIDED'`);
    expect(entry).toMatchObject({ detail: { lineCount: 4 } });
    const once = await requestVoid(gateway.engine, {
      fileId: reportId,
      actor: actorNamed('Ana'),
      reason: WHY,
    });
    expect(once).toEqual({ type: 'VOIDED_BEFORE' });
  });

  test('the approver is shown what stands elsewhere and what is signed, and approves only that', async () => {
    const { day, lines } = await paidDay(4);
    const { reportId } = await importDay(day, lines);
    await importDay(day, lines.slice(0, 1));
    const before = await request(reportId);
    expect(await world.sign(day)).toMatchObject({ type: 'DONE' });
    expect(await decideAs(gateway.engine, 'Ben', before)).toMatchObject({ type: 'NOT_EXECUTED' });
    await decideAs(gateway.engine, 'Ben', before, 'reject');
    const approvalId = await request(reportId);
    const [row] = await select(gateway, 'select request from approvals where approval_id = $1', [approvalId]);
    expect(row!['request']).toMatchObject({
      lineCount: 4,
      elsewhereCount: 1,
      signedDays: [`${day} RWF: 4`],
    });
    expect(await decideAs(gateway.engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
  });

  test('it waits for an import that is running, and two at once are one', async () => {
    const { day, lines } = await paidDay(4);
    const { reportId } = await importDay(day, lines);
    const approvalId = await request(reportId);
    const { engine } = gateway;
    await withFileLease(engine, { provider: PROVIDER, by: 'Cleo' }, async () => {
      expect(await decideAs(engine, 'Ben', approvalId)).toMatchObject({
        type: 'NOT_EXECUTED',
        because: { code: 'FILES_BUSY' },
      });
    });
    const answers = await Promise.all([
      decideAs(engine, 'Ben', approvalId),
      decideAs(engine, 'Cleo', approvalId),
    ]);
    expect(answers.filter(({ type }) => type === 'DONE')).toHaveLength(1);
    expect((await world.read(day)).figures.lineCount).toBe(0);
  });

  test.each(['the next import', 'a worker'])('what a crash cuts off is ended by %s', async (by) => {
    const { day, lines } = await paidDay(4);
    const { reportId } = await importDay(day, lines);
    const approvalId = await request(reportId);
    // The process dies behind the commit of the approval.
    await select(
      gateway,
      `create function fall_over() returns trigger language plpgsql as $$ begin raise 'fell over'; end $$;
       create trigger fall_over before update of voided on operator_report_lines
         for each row when (new.voided) execute function fall_over()`,
    );
    await expect(decideAs(gateway.engine, 'Ben', approvalId)).rejects.toThrow('fell over');
    await select(gateway, 'drop trigger fall_over on operator_report_lines');
    const left = () =>
      select(gateway, 'select 1 from operator_reports where voided_at is not null and taken_back_at is null');
    expect(await left()).toHaveLength(1);
    if (by === 'a worker')
      await continueVoids(gateway.engine, {
        onError: (error) => {
          throw error;
        },
      });
    else await importDay(day, lines);
    expect(await left()).toEqual([]);
    expect((await world.read(day)).figures.lineCount).toBe(by === 'a worker' ? 0 : 4);
  });
});

const importBank = (
  lines: readonly { readonly day: string; readonly amount: number; readonly reference: string }[],
) =>
  importBankFile(gateway.engine, {
    by: 'Ana',
    ...ACCOUNT,
    fileHash: randomBytes(32).toString('hex'),
    faultCount: 0,
    lines: lines.map(({ day, amount, reference }, index) => ({
      lineNo: index + 2,
      line: { at: startOfDay(day, world.timeZone), amount: francs(amount), reference },
    })),
  });

describe('a bank file', () => {
  test('counts nothing any more, but for lines of another file', async () => {
    const { day, lines } = await paidDay(4);
    await importDay(day, lines);
    const [one, two] = [
      { day, amount: 500, reference: 'FT1' },
      { day, amount: 700, reference: 'FT2' },
    ];
    const wrong = await importBank([one, two]);
    await importBank([two]);
    await voidFile(wrong.fileId);
    const { figures, items } = await world.read(day);
    expect([figures.bankLineCount, figures.bankReceived, items.length]).toEqual([1, francs(700), 1]);
    expect(await importBank([one])).toMatchObject({ newCount: 1 });
    expect((await world.read(day)).figures.bankLineCount).toBe(2);
  });

  test('that a signed day has counted is taken back in the next day', async () => {
    const { day, lines } = await paidDay(4);
    await importDay(day, lines);
    const wrong = await importBank([{ day, amount: 5_000, reference: 'FT1' }]);
    expect(await world.sign(day, 'asked the bank')).toMatchObject({ type: 'DONE' });
    await voidFile(wrong.fileId);
    const second = await paidDay(4);
    await importDay(second.day, second.lines);
    const next = await world.read(second.day);
    expect(next.takenBack).toMatchObject([{ fileId: wrong.fileId, source: 'BANK', lineCount: 1 }]);
    expect(next.items.map(({ kind, amount }) => [kind, amount])).toEqual([['LATE', 0n]]);
    expect(next.figures).toMatchObject({ bankLineCount: -1, bankUnexplained: 0n });
    expect(await world.sign(second.day)).toMatchObject({ type: 'DONE' });
  });
});
