// All cells share the bank, and those with one operator account its transactions: what one of them has posted under a
// reference no other one posts again.
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { startCloses } from '../../src/core/daily-close/accounts.ts';
import type { Engine } from '../../src/core/engine.ts';
import { orderFloat } from '../../src/core/ledger/move-float.ts';
import { claimForApproval } from '../../src/core/ledger/money-references.ts';
import { requestMoney } from '../../src/core/ledger/request-money-movement.ts';
import { importReport } from '../../src/core/reconciliation/import-report.ts';
import { requestBankAccount } from '../../src/core/settlements/bank-accounts.ts';
import { requestSettlementDecision } from '../../src/core/settlements/decide-settlement.ts';
import { requestSettlement } from '../../src/core/settlements/request-settlement.ts';
import { approve, reject, withdraw, type ApprovalAnswer } from '../../src/core/approvals/decide.ts';
import { findApproval } from '../../src/store/approvals/approvals.ts';
import { addAdministrators, ANA, BEN } from '../approval-requests.ts';
import { select } from '../gateway.ts';
import { noteAccounts, openTwoCells, unawareOfOthers, type TestCell, type TwoCells } from '../two-cells.ts';

const PROVIDER = 'MTN_MOMO_RWA';
const FRANCS = { country: 'RWA', currency: 'RWF' } as const;

let cells: TwoCells;
let merchantOfOne: string;
let merchantOfTwo: string;
beforeAll(async () => {
  cells = await openTwoCells({ role: 'api', bankCoolingOffMs: 0 });
  for (const { engine } of [cells.one, cells.two]) await addAdministrators(engine);
  merchantOfOne = cells.merchant.merchantId;
  merchantOfTwo = (await createDemoMerchant(cells.two.engine, null)).merchantId;
});
afterAll(() => cells.stop());
beforeEach(() => noteAccounts(cells, 'same', 'same'));

function topUp(engine: Engine, merchantId: string, reference: string, amount = 5_000_000n) {
  const order = { actor: ANA, merchantId, type: 'TOP_UP', ...FRANCS, walletProvider: '' } as const;
  return requestMoney(engine, { ...order, amount: amount * 10_000n, reference, reason: null });
}

async function requestedIn(asked: Promise<{ readonly type: string }>): Promise<string> {
  const answer = await asked;
  expect(answer).toMatchObject({ type: 'REQUESTED', approvalId: expect.any(String) });
  return (answer as { readonly type: string; readonly approvalId: string }).approvalId;
}

async function approveIn(engine: Engine, approvalId: string, decider = BEN): Promise<ApprovalAnswer> {
  const found = await findApproval(engine.store.database, approvalId);
  return approve(engine, { decider, approvalId, whose: 'ALL', hash: found?.shownHash ?? '' });
}

async function pendingIn(
  { engine }: TestCell,
  kind: 'FLOAT' | 'OPERATOR_REPORT' = 'FLOAT',
): Promise<readonly string[]> {
  const rows = await select(
    { engine },
    `select approval_id from approvals where kind = $1 and status = 'PENDING'`,
    [kind],
  );
  return rows.map((row) => String(row['approval_id']));
}

/** What the last line of a report was found to mean. */
const findings = (engine: Engine) =>
  select({ engine }, 'select finding from operator_report_lines order by occurred_at desc limit 1');

/** In how many cells money was posted under a reference, and how often. */
async function countPosted(reference: string): Promise<number> {
  let count = 0;
  for (const { engine } of [cells.one, cells.two]) {
    const transfers = `select 1 from posted_references r join transfers t on t.subject_id = r.transfer_id
      where r.reference = $1`;
    count += (await select({ engine }, transfers, [reference])).length;
  }
  return count;
}

describe('M6: one transfer of the bank, and merchants in two cells', () => {
  test('is refused in the second cell while it is requested, and when it is posted, in the first', async () => {
    const { one, two } = cells;
    const approvalId = await requestedIn(topUp(one.engine, merchantOfOne, 'FT26062-0102'));
    expect(await topUp(two.engine, merchantOfTwo, 'FT26062-0102')).toMatchObject({
      type: 'REFERENCE_TAKEN',
      cell: '0001',
      used: { status: 'REQUESTED', merchantId: merchantOfOne },
    });
    expect(await approveIn(one.engine, approvalId)).toMatchObject({ type: 'DONE' });
    expect(await topUp(two.engine, merchantOfTwo, 'ft26062-0102')).toMatchObject({
      type: 'REFERENCE_TAKEN',
      cell: '0001',
      used: { status: 'POSTED' },
    });
    expect(await countPosted('FT26062-0102')).toBe(1);
  });

  test('is posted once where both cells have a request, and the message names the cell', async () => {
    const { one, two } = cells;
    const first = await requestedIn(topUp(one.engine, merchantOfOne, 'FT26062-0103'));
    const second = await requestedIn(topUp(unawareOfOthers(two), merchantOfTwo, 'FT26062-0103'));
    expect(await approveIn(one.engine, first)).toMatchObject({ type: 'DONE' });
    expect(await approveIn(two.engine, second)).toMatchObject({
      type: 'NOT_EXECUTED',
      because: { code: 'REFERENCE_TAKEN', parameters: { cell: '0001', reference: 'FT26062-0103' } },
      message: expect.stringMatching(
        /FT26062-0103 belongs to another movement: TOP_UP of 5000000 RWF .*posted at .* in cell 0001\./,
      ),
    });
    expect(await countPosted('FT26062-0103')).toBe(1);
  });

  test('is posted once by approvals of both cells at the same moment, twenty times', async () => {
    const { one, two } = cells;
    for (let round = 1; round <= 20; round += 1) {
      const reference = `FT26063-${round}`;
      const first = await requestedIn(topUp(one.engine, merchantOfOne, reference));
      const second = await requestedIn(topUp(unawareOfOthers(two), merchantOfTwo, reference));
      const answers = await Promise.all([approveIn(one.engine, first), approveIn(two.engine, second)]);
      expect(answers.map(({ type }) => type).toSorted()).toEqual(['DONE', 'NOT_EXECUTED']);
      expect(await countPosted(reference)).toBe(1);
    }
  });

  test('pays one settlement, whichever cell records it first', async () => {
    const { one, two } = cells;
    const first = await settlementOf(one.engine, merchantOfOne);
    const second = await settlementOf(two.engine, merchantOfTwo);
    const paid = { actor: ANA, decision: 'PAID', reference: 'FT26064-1' } as const;
    const inOne = requestedIn(requestSettlementDecision(one.engine, { ...paid, settlementId: first }));
    const approvalId = await inOne;
    expect(await requestSettlementDecision(two.engine, { ...paid, settlementId: second })).toMatchObject({
      type: 'REFERENCE_TAKEN',
      cell: '0001',
    });
    const unaware = unawareOfOthers(two);
    const other = await requestedIn(requestSettlementDecision(unaware, { ...paid, settlementId: second }));
    expect(await approveIn(one.engine, approvalId)).toMatchObject({ type: 'DONE' });
    expect(await approveIn(two.engine, other)).toMatchObject({ type: 'NOT_EXECUTED' });
    const open = `select status from settlements where settlement_id = $1`;
    expect(await select(two, open, [second])).toEqual([{ status: 'REQUESTED' }]);
  });
});

async function settlementOf(engine: Engine, merchantId: string): Promise<string> {
  const account = { bank: 'Bank of Kigali', holder: 'Grace Uwase', number: '00040123456789' };
  // As a command requests it, so that two people of the platform approve.
  const actor = { personId: null, by: 'Grace' };
  const approvalId = await requestBankAccount(engine, { actor, merchantId, currency: 'RWF', account });
  expect(await approveIn(engine, approvalId!, ANA)).toMatchObject({ type: 'CONFIRMED' });
  expect(await approveIn(engine, approvalId!)).toMatchObject({ type: 'DONE' });
  const wanted = { by: 'Ana', merchantId, requestId: randomUUID(), ...FRANCS, provider: '' };
  const settled = await requestSettlement(engine, { ...wanted, amount: 10_000n });
  expect(settled).toMatchObject({ type: 'REQUESTED' });
  return (settled as { readonly settlementId: string }).settlementId;
}

function floatTopUp(engine: Engine, reference: string, amount = 1_000_000n) {
  const place = { provider: PROVIDER, ...FRANCS, amount: amount * 10_000n, reference };
  const movement = { type: 'FLOAT_TOP_UP', ...place } as const;
  return orderFloat(engine, { actor: ANA, secondApprover: 'REQUIRED', movement });
}

describe('M6: a float movement of an operator account that two cells share', () => {
  test('is posted once, when the report is imported in both cells and approved in both', async () => {
    const both = [cells.one, cells.two];
    for (const { engine } of both) await importMovement(engine, '10462517');
    for (const cell of both)
      for (const approvalId of await pendingIn(cell, 'OPERATOR_REPORT'))
        expect(await approveIn(cell.engine, approvalId)).toMatchObject({ type: 'DONE' });
    expect(await countPosted('10462517')).toBe(1);
    expect(await findings(cells.one.engine)).toEqual([{ finding: 'APPLIED' }]);
    expect(await findings(cells.two.engine)).toEqual([{ finding: 'AGREES' }]);
  });

  test('is refused in the second cell with another amount, and counts as posted with the same', async () => {
    expect(await floatTopUp(cells.one.engine, '10462518')).toMatchObject({ type: 'REQUESTED' });
    expect(await floatTopUp(cells.two.engine, '10462518')).toMatchObject({
      type: 'REFERENCE_REQUESTED',
      cell: '0001',
    });
    const [approvalId] = await pendingIn(cells.one);
    expect(await approveIn(cells.one.engine, approvalId!)).toMatchObject({ type: 'DONE' });
    expect(await floatTopUp(cells.two.engine, '10462518')).toMatchObject({
      type: 'REFERENCE_POSTED',
      cell: '0001',
    });
    expect(await floatTopUp(cells.two.engine, '10462518', 7n)).toMatchObject({
      type: 'REFERENCE_TAKEN',
      cell: '0001',
    });
  });

  test('is another one where the cells have accounts of their own', async () => {
    await noteAccounts(cells, 'of one', 'of two');
    for (const cell of [cells.one, cells.two]) {
      expect(await floatTopUp(cell.engine, '10462519')).toMatchObject({ type: 'REQUESTED' });
      const [approvalId] = await pendingIn(cell);
      expect(await approveIn(cell.engine, approvalId!)).toMatchObject({ type: 'DONE' });
    }
    expect(await countPosted('10462519')).toBe(2);
  });
});

async function importMovement(engine: Engine, providerTransactionId: string): Promise<void> {
  const now = Date.now();
  const line = {
    occurredAt: new Date(now),
    direction: 'IN',
    status: 'COMPLETED',
    amount: 1_000_000n * 10_000n,
    currency: 'RWF',
    providerTransactionId,
    movement: 'FLOAT_TOP_UP',
  } as const;
  async function* batches() {
    yield [{ lineNo: 2, line }];
  }
  await importReport(engine, {
    by: ANA.by,
    personId: ANA.personId,
    secondApprover: 'REQUIRED',
    provider: PROVIDER,
    fileHash: createHash('sha256').update(providerTransactionId).digest(),
    period: { from: new Date(now - 3_600_000), to: new Date(now) },
    batches,
    onError: (error) => {
      throw error;
    },
  });
}

describe('a cell that does not answer', () => {
  for (const how of ['refuse', 'fallSilent'] as const)
    test(`keeps requests and approvals of the other one from moving money (${how})`, async () => {
      const { one, two } = cells;
      const reference = `FT26065-${how.toUpperCase()}`;
      const approvalId = await requestedIn(topUp(one.engine, merchantOfOne, reference));
      two.link[how]();
      try {
        expect(await topUp(one.engine, merchantOfOne, `${reference}-2`)).toEqual({
          type: 'CELL_SILENT',
          cell: '0002',
        });
        expect(await approveIn(one.engine, approvalId)).toEqual({
          type: 'NOT_EXECUTED',
          because: { code: 'CELL_SILENT', parameters: { cell: '0002' } },
          message: 'The cell 0002 does not answer. Nothing was moved; try again when it does.',
        });
        expect(await countPosted(reference)).toBe(0);
      } finally {
        two.link.restore();
      }
      expect(await approveIn(one.engine, approvalId)).toMatchObject({ type: 'DONE' });
      expect(await countPosted(reference)).toBe(1);
    });

  test('keeps the second cell from moving money too, when it is the first', async () => {
    const { one, two } = cells;
    const approvalId = await requestedIn(topUp(two.engine, merchantOfTwo, 'FT26066-1'));
    one.link.refuse();
    try {
      expect(await approveIn(two.engine, approvalId)).toMatchObject({
        type: 'NOT_EXECUTED',
        because: { code: 'CELL_SILENT', parameters: { cell: '0001' } },
      });
    } finally {
      one.link.restore();
    }
    expect(await approveIn(two.engine, approvalId)).toMatchObject({ type: 'DONE' });
  });
});

/** A settlement of more than the wallet has. */
const settleTooMuch = (reference: string) =>
  requestedIn(
    requestMoney(cells.one.engine, {
      actor: ANA,
      merchantId: merchantOfOne,
      type: 'SETTLEMENT',
      ...FRANCS,
      walletProvider: '',
      amount: 10n ** 18n,
      reference,
      reason: null,
    }),
  );

const claimsOf = (approvalId: string) =>
  select(cells.one, 'select reference, attempts from claimed_references where claim_id = $1', [approvalId]);

/** What an approval does before its transaction, as a process that dies after it has left it. */
const claimFor = (approvalId: string, reference: string) =>
  claimForApproval(
    cells.one.engine,
    {
      source: 'BANK',
      reference,
      merchantId: merchantOfOne,
      type: 'SETTLEMENT',
      ...FRANCS,
      provider: '',
      amount: 10n ** 18n,
    },
    approvalId,
  );

const SHORT = { type: 'NOT_EXECUTED', because: { code: 'WALLET_BALANCE_LOW' } };

describe('a claim', () => {
  test('of an approval that could not be executed is given back at once, and made again by the next one', async () => {
    const { one, two } = cells;
    const short = await settleTooMuch('FT26067-1');
    const other = await requestedIn(topUp(unawareOfOthers(two), merchantOfTwo, 'FT26067-1'));
    expect(await approveIn(one.engine, short)).toMatchObject(SHORT);
    expect(await claimsOf(short)).toEqual([]);
    // Money that comes meanwhile does not let it post beside the other cell.
    expect(await approveIn(two.engine, other)).toMatchObject({ type: 'DONE' });
    const enough = await requestedIn(topUp(one.engine, merchantOfOne, 'FT26067-11', 10n ** 14n));
    expect(await approveIn(one.engine, enough)).toMatchObject({ type: 'DONE' });
    expect(await approveIn(one.engine, short)).toMatchObject({
      type: 'NOT_EXECUTED',
      because: { code: 'REFERENCE_TAKEN', parameters: { cell: '0002' } },
    });
    expect(await countPosted('FT26067-1')).toBe(1);
    expect(await claimsOf(short)).toEqual([]);
    const again = await settleTooMuch('FT26067-12');
    expect(await approveIn(one.engine, again)).toMatchObject({ type: 'DONE' });
    expect(await claimsOf(again)).toEqual([{ reference: 'FT26067-12', attempts: 1 }]);
  });

  test('stays while another person may be approving the same request, and keeps the other cell out', async () => {
    const { one, two } = cells;
    const short = await settleTooMuch('FT26067-3');
    const other = await requestedIn(topUp(unawareOfOthers(two), merchantOfTwo, 'FT26067-3'));
    await claimFor(short, 'FT26067-3');
    expect(await approveIn(one.engine, short)).toMatchObject(SHORT);
    expect(await claimsOf(short)).toEqual([{ reference: 'FT26067-3', attempts: 1 }]);
    expect(await approveIn(two.engine, other)).toMatchObject({
      type: 'NOT_EXECUTED',
      because: { code: 'REFERENCE_TAKEN', parameters: { cell: '0001' } },
    });
    // What was never approved can be rejected, also where a process died in between.
    const rejection = { decider: BEN, approvalId: short, whose: 'ALL', reason: 'no such slip' } as const;
    expect(await reject(one.engine, rejection)).toMatchObject({ type: 'DONE' });
    expect(await claimsOf(short)).toEqual([]);
    expect(await approveIn(two.engine, other)).toMatchObject({ type: 'DONE' });
    expect(await countPosted('FT26067-3')).toBe(1);
  });

  test('of several people who approve at the same moment stays for the one that has posted', async () => {
    const { one } = cells;
    const approvalId = await requestedIn(topUp(one.engine, merchantOfOne, 'FT26067-4'));
    const answers = await Promise.all([1, 2, 3, 4].map(() => approveIn(one.engine, approvalId)));
    expect(answers.filter(({ type }) => type === 'DONE')).toHaveLength(1);
    expect(await claimsOf(approvalId)).toEqual([{ reference: 'FT26067-4', attempts: 1 }]);
  });

  test('of a request that was withdrawn is given back', async () => {
    const { one } = cells;
    const approvalId = await settleTooMuch('FT26067-5');
    await claimFor(approvalId, 'FT26067-5');
    await claimFor(approvalId, 'FT26067-5');
    const withdrawal = { decider: ANA, approvalId, whose: 'ALL' } as const;
    expect(await withdraw(one.engine, withdrawal)).toMatchObject({ type: 'DONE' });
    expect(await claimsOf(approvalId)).toEqual([]);
  });

  test('that stays because the first cell did not answer is judged void by who meets it', async () => {
    const { one, two } = cells;
    const approvalId = await settleTooMuch('FT26067-6');
    const other = await requestedIn(topUp(unawareOfOthers(two), merchantOfTwo, 'FT26067-6'));
    await claimFor(approvalId, 'FT26067-6');
    const withdrawal = { decider: ANA, approvalId, whose: 'ALL' } as const;
    expect(await withdraw(unawareOfOthers(one), withdrawal)).toMatchObject({ type: 'DONE' });
    expect(await claimsOf(approvalId)).toHaveLength(1);
    expect(await approveIn(two.engine, other)).toMatchObject({ type: 'DONE' });
    expect(await claimsOf(approvalId)).toEqual([]);
  });

  test('is not what the first cell remembers only: restored to before it, nothing is posted again', async () => {
    const { one, two } = cells;
    const first = await requestedIn(topUp(two.engine, merchantOfTwo, 'FT26067-2'));
    const second = await requestedIn(topUp(unawareOfOthers(one), merchantOfOne, 'FT26067-2'));
    expect(await approveIn(two.engine, first)).toMatchObject({ type: 'DONE' });
    await one.engine.store.database.query('delete from claimed_references');
    expect(await approveIn(one.engine, second)).toMatchObject({
      type: 'NOT_EXECUTED',
      because: { code: 'REFERENCE_TAKEN', parameters: { cell: '0002' } },
    });
    expect(await countPosted('FT26067-2')).toBe(1);
  });
});

describe('M6: a float movement of a report', () => {
  test('waits for its approval only in the cell where the days of its account are closed', async () => {
    const { one, two } = cells;
    const start = { by: 'Ana', provider: PROVIDER, currency: 'RWF', timeZone: null, dueHours: 36 };
    expect(await startCloses(two.engine, { ...start, firstDay: '2026-01-01' })).toBe('DONE');
    await importMovement(one.engine, 'TOP-ELSEWHERE');
    expect(await findings(one.engine)).toEqual([{ finding: 'OTHER_CELL' }]);
    await importMovement(two.engine, 'TOP-ELSEWHERE');
    expect(await findings(two.engine)).toEqual([{ finding: 'TO_APPROVE' }]);
  });
});
