// Payments that a restore of one cell lost, where there are several cells: their merchants may live in any of them.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createDemoMerchant, type DemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { approve, reject } from '../../src/core/approvals/decide.ts';
import { createDirectory } from '../../src/core/cells/directory.ts';
import { requestCellEnd } from '../../src/core/cells/ending/end-cell.ts';
import { listObstacles } from '../../src/core/cells/ending/remains.ts';
import { drainCell } from '../../src/core/cells/moving/drain-cell.ts';
import { moveMerchant } from '../../src/core/cells/moving/move-merchant.ts';
import { referenceFor } from '../../src/core/operators/reference.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import { enquire, readEnquiries } from '../../src/core/payments/process/enquire.ts';
import { importReport } from '../../src/core/reconciliation/import-report.ts';
import { requestLostPayment } from '../../src/core/reconciliation/decide-lost-payment.ts';
import { beginRecovery, endRecovery } from '../../src/core/recovery/recover.ts';
import type { LostPaymentBearer } from '../../src/domain/ledger/lost-payment.ts';
import { parseAmount, renderAmount } from '../../src/domain/money.ts';
import type { PaymentKey } from '../../src/domain/payments/payment.ts';
import type { OperatorReportLine } from '../../src/domain/reconciliation/operator-report.ts';
import { findApproval, findPlatformApproval } from '../../src/store/approvals/approvals.ts';
import { inTransaction } from '../../src/store/database.ts';
import { listTrialBalance, listUnbalancedWallets } from '../../src/store/ledger/ledger.ts';
import type { UnmatchedName } from '../../src/store/recovery/unmatched-payments.ts';
import { addAdministrators, ANA, BEN } from '../approval-requests.ts';
import { nowOf } from '../clocks.ts';
import { depositRequest } from '../gateway.ts';
import { readPayment, start } from '../payments.ts';
import type { Body } from '../requests.ts';
import { noteAccounts, openTwoCells, pairOf, type TestCell, type TwoCells } from '../two-cells.ts';

const PROVIDER = 'MTN_MOMO_RWA';
const LOST_FROM = new Date('2026-01-01T00:00:00Z');
const IN_LOST_TIME = new Date('2026-01-01T00:00:10Z');

let cells: TwoCells;
/** The cell that was restored, and the other one, which is the directory. */
let old: TestCell;
let other: TestCell;

function useCells(): void {
  beforeAll(async () => {
    cells = await openTwoCells({ role: 'api' });
    [other, old] = [cells.one, cells.two];
    for (const { engine } of [old, other]) await addAdministrators(engine);
    await noteAccounts(cells, 'same', 'same');
    await beginRecovery(old.engine, { by: 'Ana', lostFrom: LOST_FROM });
    await endRecovery(old.engine, { by: 'Ana', provider: null, unasked: true });
  });
  afterEach(async () => {
    for (const { engine } of [old, other])
      expect(await listUnbalancedWallets(engine.store.database)).toEqual([]);
  });
  afterAll(() => cells.stop());
}

const keyOf = ({ merchantId }: DemoMerchant, body: Body): PaymentKey => {
  return { merchantId, kind: 'DEPOSIT', paymentId: body['depositId'] };
};

function lineOf(
  merchant: DemoMerchant,
  body: Body,
  changes: Partial<OperatorReportLine> = {},
): OperatorReportLine {
  const { referenceKey, home, connectors } = old.engine;
  const { shape } = connectors.get('simulator')!.reference;
  return {
    occurredAt: IN_LOST_TIME,
    direction: 'IN',
    status: 'COMPLETED',
    amount: parseAmount(body['amount'])!,
    currency: body['currency'],
    reference: referenceFor(referenceKey, { key: keyOf(merchant, body), attemptNo: 1, home, shape }),
    providerTransactionId: randomUUID(),
    ...changes,
  };
}

const nameOf = ({ reference, direction }: OperatorReportLine): UnmatchedName => {
  return { provider: PROVIDER, reference: reference!, direction };
};

/** Imports a report with one line. Answers what was found, its file, and what went wrong. */
async function tell(
  { engine }: TestCell,
  line: OperatorReportLine,
  {
    secondApprover = 'OPTIONAL',
    fileHash = randomBytes(32),
  }: { readonly secondApprover?: 'OPTIONAL' | 'REQUIRED'; readonly fileHash?: Buffer } = {},
) {
  const errors: string[] = [];
  async function* batches() {
    yield [{ lineNo: 1, line }];
  }
  const { reportId } = await importReport(engine, {
    by: 'Eve',
    secondApprover,
    provider: PROVIDER,
    fileHash,
    period: null,
    batches,
    onError: (error) => errors.push(error instanceof Error ? error.message : String(error)),
  });
  const { rows } = await engine.store.database.query<{ finding: string | null }>(
    'select finding from operator_report_lines where report_id = $1',
    [reportId],
  );
  return { finding: rows[0]?.finding ?? null, reportId, fileHash, errors };
}

async function approved({ engine }: TestCell, approvalId: string) {
  const found = await findApproval(engine.store.database, approvalId);
  return approve(engine, { decider: BEN, approvalId, whose: 'ALL', hash: found?.shownHash ?? '' });
}

const request = (
  { engine }: TestCell,
  name: UnmatchedName,
  bearer: LostPaymentBearer,
  merchantId: string | null = null,
) => requestLostPayment(engine, { ...name, bearer, merchantId, reason: 'nobody claims it', actor: ANA });

async function decide(cell: TestCell, ...order: [UnmatchedName, LostPaymentBearer, (string | null)?]) {
  const asked = await request(cell, ...order);
  expect(asked).toMatchObject({ type: 'REQUESTED' });
  expect(await approved(cell, (asked as { readonly approvalId: string }).approvalId)).toMatchObject({
    type: 'DONE',
  });
}

/** A merchant sends a deposit in a cell, as far as it goes without a worker. Answers its status. */
async function send(cell: TestCell, merchant: DemoMerchant, body: Body): Promise<string> {
  const key = keyOf(merchant, body);
  await start({ ...cell, ...merchant }, 'deposit', body);
  const [claimed] = await advance(cell.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
  expect(claimed).toMatchObject({ attempt: { sendCount: 0 } });
  return ask(cell, merchant, body);
}

async function ask(cell: TestCell, merchant: DemoMerchant, body: Body): Promise<string> {
  const { engine } = cell;
  const key = keyOf(merchant, body);
  for (const due of await readEnquiries(engine, [{ key, lease: nowOf(engine) }]))
    await advance(engine, (await enquire(engine, due)).advances);
  return (await readPayment({ ...cell, ...merchant }, 'deposit', key.paymentId))['status'];
}

async function move(from: TestCell, to: TestCell, { merchantId }: DemoMerchant) {
  const order = { merchantId, home: '0002', by: 'test', onProgress: () => undefined };
  return moveMerchant(await pairOf(from, to), order);
}

/** What every account comes to over both cells, in RWF; each cell alone must be balanced. */
async function sumBooks(): Promise<ReadonlyMap<string, bigint>> {
  const sums = new Map<string, bigint>();
  for (const { engine } of [old, other]) {
    const rows = await listTrialBalance(engine.store.database);
    expect(rows.reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n);
    for (const { type, currency, balance } of rows)
      if (currency === 'RWF') sums.set(type, (sums.get(type) ?? 0n) + balance);
  }
  return sums;
}

async function since(before: ReadonlyMap<string, bigint>): Promise<Readonly<Record<string, string>>> {
  const after = await sumBooks();
  const moved = [...after].map(([type, sum]) => [type, sum - (before.get(type) ?? 0n)] as const);
  return Object.fromEntries(
    moved.filter(([, sum]) => sum !== 0n).map(([type, sum]) => [type, renderAmount(sum)]),
  );
}

describe('a cell with payments that it lost and their merchants never send again', () => {
  useCells();

  test('is drained and ends when two people have decided, and none is sent from the cell that goes on', async () => {
    const merchant = await createDemoMerchant(old.engine, null);
    const before = await sumBooks();
    const bodies = [depositRequest(), depositRequest()] as const;
    const [kept, credited] = bodies.map((body) => lineOf(merchant, body)) as [
      OperatorReportLine,
      OperatorReportLine,
    ];
    for (const line of [kept, credited]) expect((await tell(old, line)).finding).toBe('UNMATCHED');
    const pair = await pairOf(old, other);
    const drain = () => drainCell(pair, { by: 'test', onProgress: () => undefined });
    const why = { type: 'UNMATCHED_PAYMENTS', cell: '0002' };
    expect(await drain()).toMatchObject({ movedCount: 0, notMoved: [{ why }] });
    expect(await listObstacles(old.engine, '0001')).toContainEqual({ type: 'unmatchedPayments', count: 2 });

    await decide(old, nameOf(kept), 'PLATFORM');
    await decide(old, nameOf(credited), 'MERCHANT', merchant.merchantId);
    expect(await since(before)).toEqual({ FLOAT: '-200', WALLET: '100', WRITE_OFF: '100' });
    expect(await drain()).toMatchObject({ movedCount: 1, notMoved: [] });
    expect(await listObstacles(old.engine, '0001')).toEqual([]);
    const asked = await requestCellEnd(old.engine, { actor: ANA, to: '0001' });
    expect(asked).toMatchObject({ type: 'REQUESTED' });
    expect(await approved(old, (asked as { readonly approvalId: string }).approvalId)).toMatchObject({
      type: 'DONE',
    });
    expect(await since(before)).toEqual({ FLOAT: '-200', WALLET: '100', WRITE_OFF: '100' });

    // The old cell is gone, and what it had lost is sent again from the one that goes on.
    old.link.refuse();
    for (const body of bodies) expect(await send(other, merchant, body)).toBe('COMPLETED');
    expect(await since(before)).toEqual({ FLOAT: '-200', WALLET: '200' });
    expect(cells.simulator.books().charges).toEqual([]);
    // Also in processes that know no other cell any more.
    const options = { rememberMs: 0, blind: [], defaultLimits: [], defaultReviewRules: [] };
    const alone = createDirectory(other.engine.store.database, { ...options, hasOtherCells: false });
    expect(await alone.mayBeLost()).toBe(true);
    // The report comes once more.
    expect((await tell(other, { ...kept, providerTransactionId: randomUUID() })).finding).toBe('CASE');
  });
});

describe('payments of a merchant that moved away, in a report imported after a recovery', () => {
  useCells();

  test('are not taken for lost: the other cell has them', async () => {
    const merchant = await createDemoMerchant(old.engine, null);
    expect(await move(old, other, merchant)).toEqual({ type: 'MOVED' });
    const body = depositRequest();
    const key = keyOf(merchant, body);
    await start({ ...other, ...merchant }, 'deposit', body);
    await advance(other.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
    const line = lineOf(merchant, body, { occurredAt: nowOf(old.engine) });
    expect((await tell(old, line, { secondApprover: 'REQUIRED' })).finding).toBe('OTHER_CELL');
    expect(await request(old, nameOf(line), 'PLATFORM')).toEqual({ type: 'NOT_FOUND' });
  });

  test('keep waiting while the other cell is silent, and are found there when it answers', async () => {
    const merchant = await createDemoMerchant(old.engine, null);
    expect(await move(old, other, merchant)).toEqual({ type: 'MOVED' });
    const body = depositRequest();
    const key = keyOf(merchant, body);
    await start({ ...other, ...merchant }, 'deposit', body);
    await advance(other.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
    const line = lineOf(merchant, body, { occurredAt: nowOf(old.engine) });
    const before = await sumBooks();
    other.link.refuse();
    const silent = await tell(old, line);
    expect(silent).toMatchObject({
      finding: null,
      errors: [expect.stringContaining('Import the file again when it does.')],
    });
    other.link.restore();
    expect(await since(before)).toEqual({});
    expect((await tell(old, line, silent)).finding).toBe('OTHER_CELL');
    expect(await since(before)).toEqual({});
  });

  test('that somebody made up keep no merchant from moving once their report is rejected', async () => {
    const merchant = await createDemoMerchant(old.engine, null);
    const madeUp = lineOf(merchant, depositRequest());
    const before = await sumBooks();
    const { reportId } = await tell(old, madeUp, { secondApprover: 'REQUIRED' });
    expect(await since(before)).toEqual({});
    expect(await move(old, other, merchant)).toEqual({ type: 'UNMATCHED_PAYMENTS', cell: '0002' });
    const { database } = old.engine.store;
    const found = await findPlatformApproval(database, { kind: 'OPERATOR_REPORT', subject: reportId });
    const deciding = { decider: BEN, approvalId: found!.approvalId, whose: 'ALL' } as const;
    expect(await reject(old.engine, { ...deciding, reason: 'made up' })).toMatchObject({ type: 'DONE' });
    expect(await move(old, other, merchant)).toEqual({ type: 'MOVED' });
    expect(await since(before)).toEqual({});
  });

  test('that are lost are not sent from the other cell either, until the report is rejected', async () => {
    const merchant = await createDemoMerchant(old.engine, null);
    expect(await move(old, other, merchant)).toEqual({ type: 'MOVED' });
    const body = depositRequest();
    const line = lineOf(merchant, body);
    const { reportId, finding } = await tell(old, line, { secondApprover: 'REQUIRED' });
    expect(finding).toBe('TO_APPROVE');
    expect(await send(other, merchant, body)).toBe('PROCESSING');
    old.link.refuse();
    expect(await ask(other, merchant, body)).toBe('PROCESSING');
    old.link.restore();
    const { database } = old.engine.store;
    const found = await findPlatformApproval(database, { kind: 'OPERATOR_REPORT', subject: reportId });
    const deciding = { decider: BEN, approvalId: found!.approvalId, whose: 'ALL' } as const;
    expect(await reject(old.engine, { ...deciding, reason: 'made up' })).toMatchObject({ type: 'DONE' });
    const key = keyOf(merchant, body);
    await ask(other, merchant, body);
    const [sent] = await advance(other.engine, [{ key, event: { type: 'RESUBMIT_CLAIMED', sendCount: 0 } }]);
    expect(sent).toMatchObject({ attempt: { sendCount: 1 } });
  });

  test('that are lost, and ended in the other cell, are decided to be there, and count once', async () => {
    const merchant = await createDemoMerchant(old.engine, null);
    expect(await move(old, other, merchant)).toEqual({ type: 'MOVED' });
    const before = await sumBooks();
    const body = depositRequest();
    const line = lineOf(merchant, body);
    expect((await tell(old, line)).finding).toBe('UNMATCHED');
    expect(await request(old, nameOf(line), 'MERCHANT', merchant.merchantId)).toEqual({
      type: 'MERCHANT_AWAY',
    });
    expect(await send(other, merchant, body)).toBe('PROCESSING');
    expect(await request(old, nameOf(line), 'PLATFORM')).toMatchObject({
      type: 'ELSEWHERE',
      known: { cell: '0001', as: 'PAYMENT' },
    });
    // Its operator says there that it made it.
    const outcome = { type: 'COMPLETED', moved: { amount: line.amount, currency: 'RWF' } } as const;
    await advance(other.engine, [
      { key: keyOf(merchant, body), event: { type: 'OPERATOR_ANSWERED', outcome } },
    ]);
    expect(await since(before)).toEqual({ FLOAT: '-200', SUSPENSE: '100', WALLET: '100' });
    await decide(old, nameOf(line), 'OTHER_CELL');
    expect(await since(before)).toEqual({ FLOAT: '-100', WALLET: '100' });
    expect(cells.simulator.books().charges).toEqual([]);
  });

  test('that are lost complete in the other cell when two people have decided here, and count once', async () => {
    const merchant = await createDemoMerchant(old.engine, null);
    expect(await move(old, other, merchant)).toEqual({ type: 'MOVED' });
    const before = await sumBooks();
    const body = depositRequest();
    const line = lineOf(merchant, body);
    expect((await tell(old, line)).finding).toBe('UNMATCHED');
    // The other cell does not hear of the decision itself, and asks when it needs it.
    other.link.fallSilent();
    const asked = request(old, nameOf(line), 'PLATFORM');
    expect(await asked).toMatchObject({ type: 'CELL_SILENT', cell: '0001' });
    other.link.restore();
    await decide(old, nameOf(line), 'PLATFORM');
    await inTransaction(other.engine.store.database, async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query('delete from lost_payment_decisions');
    });
    expect(await send(other, merchant, body)).toBe('COMPLETED');
    expect(await since(before)).toEqual({ FLOAT: '-100', WALLET: '100' });
    expect(cells.simulator.books().charges).toEqual([]);
    // What was posted back there is known here when the merchant returns.
    expect(await move(other, old, merchant)).toEqual({ type: 'MOVED' });
    const { rows } = await old.engine.store.database.query<{ payment_id: string }>(
      'select payment_id from lost_payment_decisions where reference = $1',
      [line.reference],
    );
    expect(rows).toEqual([{ payment_id: body['depositId'] }]);
  });

  test('that both cells read as lost are posted in one of them', async () => {
    await beginRecovery(other.engine, { by: 'Ana', lostFrom: LOST_FROM });
    await endRecovery(other.engine, { by: 'Ana', provider: null, unasked: true });
    const merchant = await createDemoMerchant(old.engine, null);
    expect(await move(old, other, merchant)).toEqual({ type: 'MOVED' });
    const before = await sumBooks();
    const line = lineOf(merchant, depositRequest());
    expect([(await tell(old, line)).finding, (await tell(other, line)).finding]).toEqual([
      'UNMATCHED',
      'OTHER_CELL',
    ]);
    expect(await since(before)).toEqual({ FLOAT: '-100', SUSPENSE: '100' });
  });
});
