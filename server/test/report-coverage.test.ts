// Which days of which accounts an operator's reports cover, and what their files say of a line.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startCloses } from '../src/core/daily-close/accounts.ts';
import { readClose } from '../src/core/daily-close/read-close.ts';
import { requestClose } from '../src/core/daily-close/sign-close.ts';
import type { Engine } from '../src/core/engine.ts';
import { importReport } from '../src/core/reconciliation/import-report.ts';
import type { OperatorReportLine } from '../src/domain/reconciliation/operator-report.ts';
import type { Period } from '../src/store/reconciliation/operator-reports.ts';
import { actorNamed, decideAs } from './approvals.ts';
import { clockAt } from './clocks.ts';
import { openTestGateway, type TestGateway } from './gateway.ts';
import { francs } from './daily-close/close-world.ts';

const provider = 'AIRTEL_COD';
const DAY = '2027-03-01';

let gateway: TestGateway;
let engine: Engine;
beforeEach(async () => {
  gateway = await openTestGateway();
  // The day is over.
  engine = Object.create(gateway.engine, {
    clock: { value: clockAt(() => new Date('2027-03-03T12:00:00Z')) },
  });
  for (const currency of ['CDF', 'USD'])
    expect(
      await startCloses(engine, {
        by: 'Ana',
        provider,
        currency,
        firstDay: DAY,
        timeZone: 'UTC',
        dueHours: 36,
      }),
    ).toBe('DONE');
});
afterEach(() => gateway.stop());

const lineIn = (currency: string, reference = 'of somebody else'): OperatorReportLine => ({
  occurredAt: new Date(`${DAY}T10:00:00Z`),
  direction: 'IN',
  status: 'COMPLETED',
  amount: francs(100),
  currency,
  reference,
});

type File = {
  readonly lines: readonly OperatorReportLine[];
  readonly name?: string;
  readonly currency?: string;
  readonly faultCount?: () => number;
  readonly period?: Period;
};

async function importFile({ lines, name = 'file', ...options }: File) {
  await importReport(engine, {
    by: 'Ana',
    secondApprover: 'REQUIRED',
    provider,
    fileHash: createHash('sha256').update(name).digest(),
    period: { from: new Date(`${DAY}T00:00:00Z`), to: new Date('2027-03-02T00:00:00Z') },
    ...options,
    // One batch for each line, as those of a large file come.
    batches: () => Readable.from(lines.map((line, index) => [{ lineNo: index + 2, line }])),
    onError: (error) => {
      throw error;
    },
  });
}

const read = async (currency: string) => (await readClose(engine, { provider, currency, day: DAY }))!;
const obstacles = async () => ({
  CDF: (await read('CDF')).obstacles,
  USD: (await read('USD')).obstacles,
});

test('A report with lines of one currency covers no day of the account in another one, whichever it was imported for.', async () => {
  await importFile({ lines: [lineIn('CDF')], currency: 'USD' });
  expect(await obstacles()).toEqual({ CDF: [], USD: ['REPORT_MISSING'] });
  expect((await read('USD')).files).toEqual([]);
});

test('A report with lines of two currencies covers the day of both accounts.', async () => {
  await importFile({ lines: [lineIn('CDF'), lineIn('USD')] });
  expect(await obstacles()).toEqual({ CDF: [], USD: [] });
});

test('An empty report covers the accounts that it was imported for, and none where none was named.', async () => {
  const empty = { lines: [] };
  await importFile(empty);
  expect(await obstacles()).toEqual({ CDF: ['REPORT_MISSING'], USD: ['REPORT_MISSING'] });
  await importFile({ ...empty, currency: 'USD' });
  expect(await obstacles()).toEqual({ CDF: ['REPORT_MISSING'], USD: [] });
  await importFile({ ...empty, currency: 'CDF' });
  expect(await obstacles()).toEqual({ CDF: [], USD: [] });
});

test('Empty reports of two days have the same bytes, and each covers its own day.', async () => {
  const next = { from: new Date('2027-03-02T00:00:00Z'), to: new Date('2027-03-03T00:00:00Z') };
  await importFile({ lines: [], currency: 'USD' });
  await importFile({ lines: [], currency: 'USD', period: next });
  expect((await obstacles()).USD).toEqual([]);
  // A file that ends where the day begins is listed with it too.
  const files = (await readClose(engine, { provider, currency: 'USD', day: '2027-03-02' }))!.files;
  expect(files.map(({ coversTo }) => coversTo)).toEqual([next.from, next.to]);
});

const countIn = async () => (await read('USD')).figures.lineCount;

test('A line counts as often as it stands in the file that has it most often, whichever file came first.', async () => {
  const [line, other] = [lineIn('USD'), lineIn('USD', 'of another')];
  await importFile({ lines: [line, other], name: 'at noon' });
  expect(await countIn()).toBe(2);
  const whole = { lines: [line, other, line, line], name: 'whole day' };
  await importFile(whole);
  expect(await countIn()).toBe(4);
  await importFile({ lines: [line, line], name: 'at night' });
  await importFile(whole);
  expect(await countIn()).toBe(4);
});

test('A copy of a line of a signed day that a later file has belongs to the next day, once.', async () => {
  const line = lineIn('USD');
  await importFile({ lines: [line], name: 'signed' });
  const account = { provider, currency: 'USD' };
  const signing = { ...account, day: DAY, actor: actorNamed('Ana'), note: 'not ours', contentHash: null };
  const requested = await requestClose(engine, signing);
  const approvalId = requested.type === 'REQUESTED' ? requested.approvalId : '';
  expect(await decideAs(engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
  for (const name of ['corrected', 'corrected', 'corrected again'])
    await importFile({ lines: [line, line], name });
  expect(await countIn()).toBe(1);
  const next = (await readClose(engine, { ...account, day: '2027-03-02' }))!;
  expect(next.figures).toMatchObject({ lineCount: 1, reportReceived: francs(100) });
  expect(next.items).toMatchObject([
    { kind: 'NOT_IN_BOOKS', reference: line.reference, amount: francs(200) },
  ]);
});

test('A day whose report has lines that could not be read needs a note, until a corrected report covers it.', async () => {
  const signing = { provider, currency: 'USD', day: DAY, actor: actorNamed('Ana'), contentHash: null };
  await importFile({ lines: [], currency: 'USD', name: 'faulty', faultCount: () => 1 });
  const faulty = await read('USD');
  expect(faulty).toMatchObject({ obstacles: [], items: [], figures: { unreadableLineCount: 1 } });
  expect(await requestClose(engine, { ...signing, note: null })).toEqual({ type: 'NOTE_MISSING' });
  await importFile({ lines: [], currency: 'USD', name: 'corrected' });
  const corrected = await read('USD');
  expect(corrected.figures.unreadableLineCount).toBe(0);
  expect(corrected.contentHash).not.toBe(faulty.contentHash);
  expect(await requestClose(engine, { ...signing, note: null })).toMatchObject({ type: 'REQUESTED' });
});
