// What a voided report has done is posted back: float movements, lost payments, cases that nothing but its lines say.
// Operators are asked again about payments that it ended. What the operator itself has said stays.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readApproval } from '../src/core/approvals/read.ts';
import { referenceFor } from '../src/core/operators/reference.ts';
import { advance } from '../src/core/payments/process/advance.ts';
import { beginRecovery } from '../src/core/recovery/recover.ts';
import { continueVoids, requestVoid } from '../src/core/reconciliation/void-file.ts';
import { renderAmount, type Amount } from '../src/domain/money.ts';
import type { OperatorReportLine } from '../src/domain/reconciliation/operator-report.ts';
import { listTrialBalance, listUnbalancedWallets, listWallets } from '../src/store/ledger/ledger.ts';
import { actorNamed, decideAs } from './approvals.ts';
import { nowOf } from './clocks.ts';
import { openAccount, type Account } from './edge/accounts.ts';
import { depositRequest, openTestGateway, select, waitUntil, type TestGateway } from './gateway.ts';
import { send, start, startCompleted, waitForPayment } from './payments.ts';
import {
  approvalOfReport,
  findingsOf,
  importFile,
  lineAbout,
  pendingApprovals,
  PROVIDER,
} from './report-files.ts';
import { wallet } from './requests.ts';

const HOUR_MS = 3_600_000;

let gateway: TestGateway;
let shop: Account;
beforeEach(async () => {
  // What a crash leaves is done by a worker, which may approve nothing.
  gateway = await openTestGateway({ timing: { enquiryDelaysMs: [HOUR_MS] }, roles: 'apart' });
  shop = await openAccount(gateway, { operations: ['DEPOSIT', 'PAYOUT', 'REFUND'] });
});
afterEach(async () => {
  const { database } = gateway.engine.store;
  expect(await listUnbalancedWallets(database)).toEqual([]);
  const totals = new Map<string, Amount>();
  for (const account of await listTrialBalance(database))
    totals.set(account.currency, (totals.get(account.currency) ?? 0n) + account.balance);
  expect([...totals].filter(([, total]) => total !== 0n)).toEqual([]);
  await gateway.stop();
});

const approve = async (approvalId: string) =>
  expect(await decideAs(gateway.engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });

async function requested(fileId: string): Promise<string> {
  const order = { fileId, actor: actorNamed('Ana'), reason: 'it was read wrongly' };
  const answer = await requestVoid(gateway.engine, order);
  return answer.type === 'REQUESTED' ? answer.approvalId : expect.unreachable(answer.type);
}
const voidFile = async (fileId: string) => approve(await requested(fileId));

async function importApproved(lines: readonly OperatorReportLine[]): Promise<string> {
  const { reportId } = await importFile(gateway, lines);
  await approve(await approvalOfReport(gateway, reportId));
  return reportId;
}

async function funds(): Promise<string> {
  const [found] = await listWallets(gateway.engine.store.database, shop.merchantId);
  return `${renderAmount(found?.posted ?? 0n)} held ${renderAmount(found?.held ?? 0n)}`;
}

async function balance(type: string): Promise<string> {
  const rows = (await listTrialBalance(gateway.engine.store.database)).filter(
    (one) => one.currency === 'RWF' && one.type === type,
  );
  return renderAmount(rows.reduce((sum, one) => sum + one.balance, 0n));
}

async function cases(onlyOpen = true): Promise<readonly string[]> {
  const rows = await select(
    gateway,
    `select concat_ws(' ', evidence, resolution) as text from cases where not $1 or resolved_at is null order by 1`,
    [onlyOpen],
  );
  return rows.map(({ text }) => text as string);
}

const topUp = (amount: bigint): OperatorReportLine => ({
  occurredAt: new Date(nowOf(gateway.engine).getTime() - HOUR_MS),
  direction: 'IN',
  status: 'COMPLETED',
  amount: amount * 10_000n,
  currency: 'RWF',
  providerTransactionId: 'TOPUP-1',
  movement: 'FLOAT_TOP_UP',
});

async function importFloat(amount: bigint): Promise<string> {
  const { reportId } = await importFile(gateway, [topUp(amount)]);
  for (const approvalId of await pendingApprovals(gateway, 'OPERATOR_REPORT')) await approve(approvalId);
  return reportId;
}

/** The process dies behind the commit of the approval, when the effect is to be undone. */
async function dieAt(table: string, approvalId: string): Promise<void> {
  await select(
    gateway,
    `create function fall_over() returns trigger language plpgsql as $$ begin raise 'fell over'; end $$;
     create trigger fall_over before update on ${table} for each row execute function fall_over()`,
  );
  await expect(decideAs(gateway.engine, 'Ben', approvalId)).rejects.toThrow('fell over');
  await select(gateway, `drop trigger fall_over on ${table}; drop function fall_over()`);
}
const left = () =>
  select(gateway, 'select 1 from operator_reports where voided_at is not null and taken_back_at is null');
const isLeft = async () => (await left()).length > 0;
async function goOn(): Promise<void> {
  await waitUntil(async () => !(await isLeft()), { timeout: 90_000 });
  await continueVoids(gateway.engine, { onError: (error) => expect(error).toBe(null) });
}

const failedDeposit = async () => {
  const id = await start(shop, 'deposit', depositRequest({ payer: wallet(PROVIDER, '250783456039') }));
  await waitForPayment(shop, 'deposit', id, 'FAILED');
  return id;
};

const openDeposit = async (amount: string) => {
  gateway.simulator.addFault({ type: 'OUTCOME', status: 'PENDING' });
  const id = await start(shop, 'deposit', depositRequest({ amount }));
  await waitForPayment(shop, 'deposit', id, 'PROCESSING');
  return id;
};

describe('a float movement of a voided report', () => {
  test('is posted back, and the right one is posted once under the same reference', async () => {
    const before = await balance('FLOAT');
    const wrong = await importFloat(5000n);
    expect(await balance('FLOAT')).not.toBe(before);
    const approvalId = await requested(wrong);
    const { shown } = (await readApproval(gateway.engine, { approvalId, whose: 'ALL' }))!;
    expect(shown).toMatchObject({ postedBack: 'FLOAT_TOP_UP 1: 5000 RWF' });
    await dieAt('posted_references', approvalId);
    await goOn();
    expect(await balance('FLOAT')).toBe(before);
    await importFloat(500n);
    await importFloat(500n);
    const posted = await select(
      gateway,
      'select amount::text from posted_references where posted_back_at is null',
    );
    expect(posted.map(({ amount }) => Number(amount))).toEqual([500]);
    await expect(select(gateway, 'update posted_references set posted_back_at = now()')).rejects.toThrow(
      'append-only',
    );
  });

  test('stays where another file has the same line', async () => {
    const line = topUp(700n);
    const { reportId } = await importFile(gateway, [line]);
    for (const approvalId of await pendingApprovals(gateway, 'OPERATOR_REPORT')) await approve(approvalId);
    const during = await balance('FLOAT');
    await importFile(gateway, [line]);
    await voidFile(reportId);
    expect(await balance('FLOAT')).toBe(during);
  });
});

describe('a lost payment of a voided report', () => {
  test('leaves SUSPENSE, and does not complete its payment any more', async () => {
    const { engine } = gateway;
    await beginRecovery(engine, { by: 'Ana', lostFrom: new Date('2026-01-01T00:00:00Z') });
    const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: randomUUID() } as const;
    const { shape } = engine.connectors.get('simulator')!.reference;
    const reference = referenceFor(engine.referenceKey, { key, attemptNo: 1, home: engine.home, shape });
    const { movement: _none, ...line } = { ...topUp(900n), reference, providerTransactionId: 'LOST-1' };
    const before = await balance('SUSPENSE');
    const reportId = await importApproved([line]);
    expect(await balance('SUSPENSE')).not.toBe(before);
    const approvalId = await requested(reportId);
    const { shown } = (await readApproval(engine, { approvalId, whose: 'ALL' }))!;
    expect(shown).toMatchObject({ lostCount: '1', postedBack: 'LOST_PAYMENT 1: 900 RWF' });
    await dieAt('unmatched_payments', approvalId);
    await goOn();
    expect(await balance('SUSPENSE')).toBe(before);
    const live = await select(gateway, 'select 1 from unmatched_payments where withdrawn_at is null');
    expect(live).toEqual([]);
    // The same line in the right file is posted again.
    await importApproved([line]);
    expect(await balance('SUSPENSE')).not.toBe(before);
    const forget = `update unmatched_payments set withdrawn_at = now() where withdrawn_at is null`;
    await expect(select(gateway, forget)).rejects.toThrow('withdrawn with its file');
  });
});

describe('cases of a voided report', () => {
  test('end with what was posted for them, each once', async () => {
    const [first, second] = [
      await startCompleted(shop, 'deposit', depositRequest({ amount: '1000' })),
      await startCompleted(shop, 'deposit', depositRequest({ amount: '1000' })),
    ];
    const before = [await balance('FLOAT'), await balance('SUSPENSE'), await funds()];
    const reportId = await importApproved([
      await lineAbout(gateway, first, { status: 'FAILED' }),
      await lineAbout(gateway, second, { amount: 9_000_000n }),
      await lineAbout(gateway, await failedDeposit()),
    ]);
    expect(await cases()).toEqual(['DISCREPANCY', 'LATE_FAILURE', 'LATE_SUCCESS']);
    const approvalId = await requested(reportId);
    const { shown } = (await readApproval(gateway.engine, { approvalId, whose: 'ALL' }))!;
    expect(shown['openCaseCount']).toBe('3');
    expect(shown['keptCaseCount']).toBeUndefined();
    expect(shown['postedBack']).toContain('LATE_FAILURE 1: 1000 RWF');
    await dieAt('cases', approvalId);
    await goOn();
    expect(await cases()).toEqual([]);
    expect((await cases(false)).every((one) => one.endsWith('REVERSE_EVIDENCE'))).toBe(true);
    expect([await balance('FLOAT'), await balance('SUSPENSE'), await funds()]).toEqual(before);
  });

  test('stay where the operator itself has said it, and nobody ends them otherwise', async () => {
    const id = await failedDeposit();
    const reportId = await importApproved([await lineAbout(gateway, id)]);
    const key = { merchantId: shop.merchantId, kind: 'DEPOSIT', paymentId: id } as const;
    const end = `update cases set resolution = 'REVERSE_EVIDENCE', resolved_at = now(), resolved_amount = 100`;
    await expect(select(gateway, end)).rejects.toThrow('needs an approval');
    const event = { type: 'OPERATOR_ANSWERED', outcome: { type: 'COMPLETED' } } as const;
    await advance(gateway.engine, [{ key, event, fromConnector: 'simulator' }]);
    const during = await balance('SUSPENSE');
    const approvalId = await requested(reportId);
    const { shown } = (await readApproval(gateway.engine, { approvalId, whose: 'ALL' }))!;
    expect(shown).toMatchObject({ openCaseCount: '1', keptCaseCount: '1' });
    await approve(approvalId);
    expect([await cases(), await balance('SUSPENSE')]).toEqual([['LATE_SUCCESS'], during]);
    await expect(select(gateway, end)).rejects.toThrow('needs an approval');
  });

  test('stay where another file says the same, until that is voided too', async () => {
    const id = await failedDeposit();
    const line = await lineAbout(gateway, id);
    const first = await importApproved([line]);
    const second = await importFile(gateway, [{ ...line, phoneNumber: '250783456039' }]);
    expect(await findingsOf(gateway, second.reportId)).toEqual(['CASE']);
    await voidFile(first);
    expect(await cases()).toEqual(['LATE_SUCCESS']);
    await voidFile(second.reportId);
    expect(await cases(false)).toEqual(['LATE_SUCCESS REVERSE_EVIDENCE']);
  });
});

describe('payments that a voided report ended', () => {
  test('stay final: what only the file said was COMPLETED is posted back by a case, once', async () => {
    const [done, failed] = [await openDeposit('300'), await openDeposit('50')];
    const line = await lineAbout(gateway, done);
    const reportId = await importApproved([line, await lineAbout(gateway, failed, { status: 'FAILED' })]);
    expect(await findingsOf(gateway, reportId)).toEqual(['APPLIED', 'APPLIED']);
    const float = await balance('FLOAT');
    const approvalId = await requested(reportId);
    const { shown } = (await readApproval(gateway.engine, { approvalId, whose: 'ALL' }))!;
    expect(shown).toMatchObject({ postedBack: 'ENDED_COMPLETED 1: 300 RWF, ENDED_FAILED 1: 50 RWF' });
    await approve(approvalId);
    await goOn();
    expect(await cases()).toEqual(['LATE_FAILURE']);
    expect(await balance('FLOAT')).not.toBe(float);
    expect((await send(shop, 'deposit', depositRequest())).status).toBe(200);
    const after = await balance('FLOAT');
    // The right file says COMPLETED again: it agrees, posts nothing, and people reverse the case.
    await importFile(gateway, [line]);
    expect([await cases(), await pendingApprovals(gateway, 'OPERATOR_REPORT')]).toEqual([
      ['LATE_FAILURE'],
      [],
    ]);
    expect(after).toBeDefined();
  });
});
