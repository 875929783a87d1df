// A report that was read with a wrong column: most of what it says differs from our books, and it takes no effect.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readRefused, requestReading } from '../src/core/reconciliation/accept-reading.ts';
import { readCases } from '../src/core/reconciliation/resolve-cases.ts';
import { renderAmount } from '../src/domain/money.ts';
import {
  contradicts,
  parseLineText,
  type OperatorReportLine,
} from '../src/domain/reconciliation/operator-report.ts';
import { listWallets } from '../src/store/ledger/ledger.ts';
import { listPayments } from '../src/store/payments/payments.ts';
import type { PaymentKey } from '../src/domain/payments/payment.ts';
import { actorNamed, decideAs } from './approvals.ts';
import { depositRequest, openTestGateway, select, type TestGateway } from './gateway.ts';
import { openAccount, type Account } from './edge/accounts.ts';
import { start, startCompleted, waitForPayment } from './payments.ts';
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
beforeEach(async () => {
  gateway = await openTestGateway({ timing: { enquiryDelaysMs: [3_600_000] } });
  shop = await openAccount(gateway, { operations: ['DEPOSIT'] });
});
afterEach(() => gateway.stop());

async function depositLines(count: number): Promise<readonly OperatorReportLine[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1)
    ids.push(await startCompleted(shop, 'deposit', depositRequest({ amount: '1000' })));
  return Promise.all(ids.map((id) => lineAbout(gateway, id)));
}

/** As a comma that separates thousands is read as a decimal comma. */
const divided = (lines: readonly OperatorReportLine[]) =>
  lines.map((line) => ({ ...line, amount: line.amount / 1_000n }));

async function funds(): Promise<string> {
  const [found] = await listWallets(gateway.engine.store.database, shop.merchantId);
  return `${renderAmount(found?.posted ?? 0n)} held ${renderAmount(found?.held ?? 0n)}`;
}

/** A payment as the lines above are about, but FAILED. */
async function failedPayment() {
  const keys = await select(
    gateway,
    `select merchant_id as "merchantId", kind, payment_id as "paymentId" from payments limit 1`,
  );
  const { database, keyring } = gateway.engine.store;
  const [payment] = await listPayments(database, keyring, keys as unknown as readonly PaymentKey[]);
  return { provider: PROVIDER, payment: { ...payment!, state: 'FAILED' as const } };
}

const traces = async () => ({
  funds: await funds(),
  cases: (await readCases(gateway.engine, { onlyOpen: true })).length,
  lines: (await select(gateway, 'select 1 from operator_report_lines')).length,
  covers: await select(gateway, 'select covers_from, covers_to, currencies from operator_reports'),
  approvals: await select(gateway, 'select kind from approvals order by kind'),
});
const UNTOUCHED = {
  funds: '20000 held 0',
  cases: 0,
  lines: 0,
  covers: [{ covers_from: null, covers_to: null, currencies: [] }],
  approvals: [],
};

const readAgain = (reportId: string, reason = 'The operator confirmed it.') =>
  requestReading(gateway.engine, { reportId, reason, actor: actorNamed('Ana') });

describe('M3: a report that was probably read wrongly', () => {
  test('takes no effect at all, and shows three lines beside our payments', async () => {
    const lines = await depositLines(20);
    const { reportId, refused, lineCount } = await importFile(gateway, divided(lines));
    expect([refused, lineCount]).toMatchObject([{ knownCount: 20, differingCount: 20 }, 0]);
    expect(await traces()).toEqual(UNTOUCHED);
    const reading = (await readRefused(gateway.engine, reportId))!;
    expect(reading).toMatchObject({ status: 'REFUSED', knownCount: 20, differingCount: 20 });
    const shown = reading.examples.map(({ lineNo, text, payment }) => [
      lineNo,
      renderAmount(parseLineText(text).amount),
      renderAmount(payment?.amount ?? 0n),
    ]);
    expect(shown).toEqual([
      [2, '1', '1000'],
      [3, '1', '1000'],
      [4, '1', '1000'],
    ]);
    const acts = await select(gateway, `select act, detail from audit_log where act like 'REPORT%'`);
    expect(acts).toMatchObject([{ act: 'REPORT_REFUSED', detail: { knownCount: 20, differingCount: 20 } }]);
  });

  test('counts only lines about payments of ours, and goes on where fewer than 20 or not most of them differ', async () => {
    const lines = await depositLines(20);
    const strange = lines.slice(0, 10).map((line) => {
      const { reference: _, ...rest } = line;
      return { ...rest, amount: 10_000n, providerTransactionId: randomBytes(8).toString('hex') };
    });
    const half = await importFile(gateway, [...divided(lines.slice(0, 10)), ...lines.slice(10), ...strange]);
    expect(half).toMatchObject({ refused: null, lineCount: 30 });
    expect(await importFile(gateway, divided(lines.slice(0, 19)))).toMatchObject({ refused: null });
    expect(
      await importFile(gateway, [...divided(lines.slice(0, 11)), ...lines.slice(11), ...strange]),
    ).toMatchObject({ refused: { knownCount: 20, differingCount: 11 } });
  });

  test('is imported with the right columns under the same bytes, and then agrees', async () => {
    const lines = await depositLines(20);
    const fileHash = randomBytes(32);
    const wrong = await importFile(gateway, divided(lines), { fileHash });
    expect(await readAgain(wrong.reportId)).toMatchObject({ type: 'REQUESTED' });
    const right = await importFile(gateway, lines, { fileHash });
    expect(right).toMatchObject({ reportId: wrong.reportId, isNew: true, refused: null, lineCount: 20 });
    expect(await findingsOf(gateway, right.reportId)).toEqual(lines.map(() => 'AGREES'));
    expect(await pendingApprovals(gateway, 'REPORT_READING')).toEqual([]);
    expect(await readRefused(gateway.engine, right.reportId)).toBe(null);
  });

  test('is imported all the same when two people accept exactly these lines; what they do waits as always', async () => {
    const lines = await depositLines(20);
    const fileHash = randomBytes(32);
    const { reportId } = await importFile(gateway, divided(lines), { fileHash, mappingBy: ['Cleo'] });
    const asked = await readAgain(reportId);
    expect(await readAgain(reportId)).toEqual({ type: 'REQUESTED_BEFORE' });
    const approvalId = asked.type === 'REQUESTED' ? asked.approvalId : '';
    expect(await decideAs(gateway.engine, 'Ana', approvalId)).toEqual({ type: 'SAME_PERSON' });
    expect(await decideAs(gateway.engine, 'Cleo', approvalId)).toMatchObject({
      type: 'NOT_EXECUTED',
      because: { code: 'APPROVAL_COLUMNS_OWN' },
    });
    const accept = 'update operator_reports set accepted_reading = $$made up$$';
    await expect(select(gateway, accept)).rejects.toThrow('imported by two people');
    expect(await decideAs(gateway.engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
    expect(await traces()).toEqual({ ...UNTOUCHED, approvals: [{ kind: 'REPORT_READING' }] });
    expect(await readAgain(reportId)).toEqual({ type: 'NOT_REFUSED' });

    // Other lines under the same bytes were accepted by nobody.
    const other = lines.map((line) => ({ ...line, amount: line.amount / 100n }));
    expect((await importFile(gateway, other, { fileHash })).refused).not.toBe(null);
    const imported = await importFile(gateway, divided(lines), { fileHash });
    expect(imported).toMatchObject({ refused: null, lineCount: 20 });
    expect(await findingsOf(gateway, reportId)).toEqual(lines.map(() => 'TO_APPROVE CASE'));
    expect(await funds()).toBe('20000 held 0');
    await decideAs(gateway.engine, 'Ben', await approvalOfReport(gateway, reportId));
    expect((await readCases(gateway.engine, { onlyOpen: true })).length).toBe(20);
  });

  test('has 5,001 lines, and the whole of it is judged before anything is held', async () => {
    const lines = await depositLines(25);
    const reversed = lines.map((line) => ({ ...line, status: 'FAILED' as const }));
    const strange = Array.from({ length: 4_976 }, () => {
      const { reference: _, ...rest } = lines[0]!;
      return { ...rest, providerTransactionId: randomBytes(8).toString('hex') };
    });
    const { refused } = await importFile(gateway, [...strange, ...reversed]);
    expect(refused).toMatchObject({ knownCount: 25, differingCount: 25 });
    expect(await traces()).toEqual({ ...UNTOUCHED, funds: '25000 held 0' });
  });

  test('A21: counts final payments once each, so that neither copies of a right line nor open payments make it seem right', async () => {
    const lines = await depositLines(20);
    const failed = lines.map((line) => ({ ...line, status: 'FAILED' as const }));
    const copies = Array.from({ length: 30 }, (_, n) => {
      return { ...lines[0]!, occurredAt: new Date(lines[0]!.occurredAt.getTime() + n + 1) };
    });
    expect((await importFile(gateway, [...failed, ...copies])).refused).toEqual(
      expect.objectContaining({ knownCount: 20, differingCount: 20 }),
    );
    for (let n = 0; n < 20; n += 1) gateway.simulator.addFault({ type: 'OUTCOME', status: 'PENDING' });
    const open: OperatorReportLine[] = [];
    for (let n = 0; n < 20; n += 1) {
      const id = await start(shop, 'deposit', depositRequest());
      await waitForPayment(shop, 'deposit', id, 'PROCESSING');
      open.push(await lineAbout(gateway, id, { status: 'FAILED' }));
    }
    expect((await importFile(gateway, [...failed, ...open])).refused).toEqual(
      expect.objectContaining({ knownCount: 20, differingCount: 20 }),
    );
    expect(await traces()).toEqual({ ...UNTOUCHED, covers: [UNTOUCHED.covers[0], UNTOUCHED.covers[0]] });
  });

  test('A22: counts a failure of another amount or currency as one that differs', async () => {
    const lines = await depositLines(1);
    expect(contradicts({ ...lines[0]!, status: 'FAILED', currency: 'USD' }, await failedPayment())).toBe(
      true,
    );
    expect(contradicts({ ...lines[0]!, status: 'FAILED', amount: 1n }, await failedPayment())).toBe(true);
    expect(contradicts({ ...lines[0]!, status: 'FAILED' }, await failedPayment())).toBe(false);
  });
});
