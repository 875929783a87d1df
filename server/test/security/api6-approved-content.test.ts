// OWASP API6:2023, Unrestricted Access to Sensitive Business Flows: what takes effect is what was approved, also where
// it changes while people decide.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve, reject } from '../../src/core/approvals/decide.ts';
import type { Engine } from '../../src/core/engine.ts';
import { startCloses } from '../../src/core/daily-close/accounts.ts';
import { readMappings, setMapping } from '../../src/core/daily-close/report-mappings.ts';
import { uploadReport } from '../../src/core/daily-close/upload-report.ts';
import { namesOf } from '../../src/domain/reconciliation/mapping-authors.ts';
import type { ReportMapping } from '../../src/domain/reconciliation/report-mapping.ts';
import { renderAmount } from '../../src/domain/money.ts';
import { addMs } from '../../src/domain/time.ts';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import { preparePayouts } from '../../src/core/payout-batches/prepare-payouts.ts';
import { reportExecutor } from '../../src/core/reconciliation/approve-report.ts';
import { FilesBusy } from '../../src/core/reconciliation/file-lease.ts';
import { importReport } from '../../src/core/reconciliation/import-report.ts';
import type { OperatorReportLine } from '../../src/domain/reconciliation/operator-report.ts';
import { findApproval } from '../../src/store/approvals/approvals.ts';
import { setMembership } from '../../src/store/merchants/people.ts';
import { addPeople, ANA, approveAs, BEN } from '../approval-requests.ts';
import { nowOf } from '../clocks.ts';
import { openTestGateway, select, type TestGateway } from '../gateway.ts';
import { NUMBER, orderOf, PROVIDER } from '../limits/limited-merchants.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
  await addPeople(gateway.engine);
  const of = { personId: ANA.personId, now: new Date(0) };
  await setMembership(gateway.engine.store.database, { ...of, merchantId: null, role: 'OPERATOR_ADMIN' });
});
afterAll(() => gateway.stop());

async function pending(kind: string): Promise<string> {
  const text = `select approval_id as id from approvals where kind = $1 and status = 'PENDING'`;
  const rows = await select(gateway, text, [kind]);
  expect(rows).toHaveLength(1);
  return rows[0]!['id'];
}

/** A deposit without an answer, and the line of a report by which it was paid. */
async function unanswered({ engine, merchantId }: TestGateway) {
  const order = await orderOf(engine, merchantId, { kind: 'DEPOSIT' });
  await initiate(engine, [order]);
  const key = { merchantId, kind: 'DEPOSIT', paymentId: order.writtenId } as const;
  await advance(engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
  const text = 'select reference from payment_attempts where payment_id = $1';
  const [attempt] = await select(gateway, text, [key.paymentId]);
  const line: OperatorReportLine = {
    occurredAt: nowOf(engine),
    direction: 'IN',
    status: 'COMPLETED',
    amount: order.amount,
    currency: order.currency,
    reference: attempt!['reference'],
    providerTransactionId: randomUUID(),
  };
  return { paymentId: key.paymentId, line };
}

/** Always the same file, read as far as these lines. */
async function importLines(
  engine: Engine,
  lines: readonly OperatorReportLine[],
  mappingBy?: readonly string[],
): Promise<void> {
  await importReport(engine, {
    ...ANA,
    mappingBy,
    secondApprover: 'REQUIRED',
    provider: PROVIDER,
    fileHash: Buffer.alloc(32, 1),
    period: null,
    async *batches() {
      yield lines.map((line, index) => ({ lineNo: index + 1, line }));
    },
    onError: (error) => {
      throw error;
    },
  });
}

const statesOf = async (paymentIds: readonly string[]) =>
  select(gateway, 'select distinct state from payments where payment_id = any($1::uuid[])', [paymentIds]);

test('A report gets no other line between its approval and its effect: its import is refused until that is over.', async () => {
  const { engine } = gateway;
  const payments = [await unanswered(gateway), await unanswered(gateway)];
  const ids = payments.map(({ paymentId }) => paymentId);
  const lines = payments.map(({ line }) => line);
  const open = await statesOf(ids);
  await importLines(engine, lines.slice(0, 1));
  const approvalId = await pending('OPERATOR_REPORT');
  const { shownHash: hash } = (await findApproval(engine.store.database, approvalId))!;
  const after: typeof reportExecutor.after = async (approving) => {
    await expect(importLines(engine, lines)).rejects.toThrow(FilesBusy);
    await reportExecutor.after?.(approving);
  };
  const late = {
    ...engine,
    approvals: { ...engine.approvals, OPERATOR_REPORT: { ...reportExecutor, after } },
  };
  expect(await approve(late, { decider: BEN, approvalId, whose: 'ALL', hash })).toMatchObject({
    type: 'DONE',
  });
  expect(await statesOf(ids.slice(0, 1))).toEqual([{ state: 'COMPLETED' }]);
  expect(await statesOf(ids.slice(1))).toEqual(open);
  await importLines(engine, lines);
  expect(await approveAs(engine, BEN, await pending('OPERATOR_REPORT'))).toBe('DONE');
  expect(await statesOf(ids)).toEqual([{ state: 'COMPLETED' }]);
});

test('A person who set how the columns of a report are read does not approve it.', async () => {
  const { engine } = gateway;
  const { paymentId, line } = await unanswered(gateway);
  const charge = {
    ...line,
    direction: 'OUT',
    movement: 'OPERATOR_CHARGE',
    providerTransactionId: 'CHARGE-9',
  } as const;
  await importLines(engine, [line, charge], [BEN.by.toUpperCase()]);
  const approvalId = await pending('OPERATOR_REPORT');
  expect(await approveAs(engine, BEN, approvalId)).toBe('NOT_EXECUTED');
  expect(await reject(engine, { decider: BEN, approvalId, whose: 'ALL' })).toMatchObject({ type: 'DONE' });
  // Where there are only two people, the one who set the columns imports.
  await importLines(engine, [line], [ANA.by]);
  expect(await approveAs(engine, BEN, await pending('OPERATOR_REPORT'))).toBe('DONE');
  expect(await statesOf([paymentId])).toEqual([{ state: 'COMPLETED' }]);
});

test('Everybody who gave one of the columns its present value, and not only the last, approves nothing of a file.', async () => {
  const { engine } = gateway;
  const account = { provider: PROVIDER, currency: 'RWF' } as const;
  await startCloses(engine, { by: 'Ana', ...account, firstDay: '2026-01-01', timeZone: 'UTC', dueHours: 36 });
  const set = (by: string, mapping: ReportMapping | null) =>
    setMapping(engine, { by, ...account, source: 'OPERATOR', mapping });
  const ours: ReportMapping = {
    columns: {
      time: 'When',
      amount: 'Sum',
      direction: 'Way',
      status: 'State',
      reference: 'Ours',
      transactionId: 'Theirs',
    },
    timeForm: 'ISO',
    decimalMark: 'POINT',
    words: [
      { column: 'direction', word: 'in', means: 'IN' },
      { column: 'status', word: 'ok', means: 'COMPLETED' },
    ],
  };
  const authors = async () => (await readMappings(engine, account)).map((one) => namesOf(one.authors));
  await set(BEN.by, { ...ours, timeForm: 'DAY_FIRST' });
  // Ana changes one thing, and Cleo saves the same again.
  await set(ANA.by, ours);
  await set('cleo@example.com', ours);
  expect(await authors()).toEqual([[ANA.by, BEN.by]]);
  const { paymentId, line } = await unanswered(gateway);
  const upload = async (name: string) => {
    const { occurredAt, amount, reference, providerTransactionId } = line;
    const cells = [
      occurredAt.toISOString(),
      renderAmount(amount),
      'in',
      'ok',
      reference,
      providerTransactionId,
    ];
    const text = `When,Sum,Way,State,Ours,Theirs\n${cells.join(',')}\n`;
    const period = { from: addMs(occurredAt, -3_600_000), to: addMs(occurredAt, 3_600_000) };
    const file = { source: 'OPERATOR', fileName: name, bytes: Buffer.from(text), period } as const;
    const uploaded = await uploadReport(engine, { ...ANA, ...account, ...file, onError: () => undefined });
    expect(uploaded).toMatchObject({ status: 'DONE', faultCount: 0 });
  };
  await upload('of both');
  const approvalId = await pending('OPERATOR_REPORT');
  expect(await approveAs(engine, BEN, approvalId)).toBe('NOT_EXECUTED');
  expect(await statesOf([paymentId])).not.toEqual([{ state: 'COMPLETED' }]);
  // Two people who both are authors: one goes back to our own columns, sets all of it anew and uploads the file again.
  await set(ANA.by, null);
  await set(ANA.by, ours);
  expect(await authors()).toEqual([[ANA.by]]);
  await upload('of one');
  expect(await approveAs(engine, BEN, await pending('OPERATOR_REPORT'))).toBe('DONE');
  expect(await statesOf([paymentId])).toEqual([{ state: 'COMPLETED' }]);
});

test('A batch with other rows than were shown is not sent.', async () => {
  const { engine, merchantId } = gateway;
  await preparePayouts(engine, {
    merchant: (await engine.directory.merchant(merchantId))!,
    actor: ANA,
    source: 'FORM',
    apiVersion: 'v2',
    title: 'Wages',
    payouts: [
      { rowNo: 1, payout: { phoneNumber: NUMBER, amountText: '100', currency: 'RWF', provider: null } },
    ],
    faults: [],
    repeatsAreMeant: false,
    hostLimits: new Map(),
  });
  const approvalId = await pending('PAYOUT_BATCH');
  const change = 'update payout_batch_rows set payout_id = gen_random_uuid()';
  await expect(select(gateway, change)).rejects.toThrow('what was prepared and approved is not changed');
  await select(gateway, 'alter table payout_batch_rows disable trigger user');
  await select(gateway, change);
  await select(gateway, 'alter table payout_batch_rows enable trigger user');
  expect(await approveAs(engine, BEN, approvalId)).toBe('NOT_EXECUTED');
  expect(await select(gateway, 'select status from payout_batches')).toEqual([{ status: 'WAITING' }]);
});
