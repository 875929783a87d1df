// Payments that operators made in lost time: their reports bring them into the books, once, and anyone who sends
// such an order again gets its payment completed, and nothing paid. No worker: every step is taken manually.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { advance, type Advance } from '../src/core/payments/process/advance.ts';
import { enquire, readEnquiries } from '../src/core/payments/process/enquire.ts';
import { FilesBusy } from '../src/core/reconciliation/file-lease.ts';
import { importReport } from '../src/core/reconciliation/import-report.ts';
import { beginRecovery, endRecovery } from '../src/core/recovery/recover.ts';
import { referenceFor } from '../src/core/operators/reference.ts';
import { readCases } from '../src/core/reconciliation/resolve-cases.ts';
import { parseAmount, renderAmount, type Amount } from '../src/domain/money.ts';
import type { PaymentKey, PaymentKind } from '../src/domain/payments/payment.ts';
import type { OperatorReportLine } from '../src/domain/reconciliation/operator-report.ts';
import { listTrialBalance, listUnbalancedWallets, listWallets } from '../src/store/ledger/ledger.ts';
import { createDemoMerchant } from '../src/commands/sandbox/demo-merchant.ts';
import { adjustWallet } from '../src/core/ledger/administer-wallets.ts';
import { requestLostPayment } from '../src/core/reconciliation/decide-lost-payment.ts';
import type { LostPaymentBearer } from '../src/domain/ledger/lost-payment.ts';
import { IS_LIVE, type UnmatchedName } from '../src/store/recovery/unmatched-payments.ts';
import { approve } from '../src/core/approvals/decide.ts';
import { findApproval } from '../src/store/approvals/approvals.ts';
import { addAdministrators, ANA, BEN } from './approval-requests.ts';
import { actorNamed, decideAs, resolveCase } from './approvals.ts';
import { importFile } from './report-files.ts';
import { nowOf } from './clocks.ts';
import { runCommandHere } from './command-process.ts';
import { depositRequest, openTestGateway, select, type TestGateway } from './gateway.ts';
import { readPayment, send, setAvailability, start, type Noun } from './payments.ts';
import { payoutRequest, type Body } from './requests.ts';
import { serverEnvironment } from './server-process.ts';

const PROVIDER = 'MTN_MOMO_RWA';
const LOST_FROM = new Date('2026-01-01T00:00:00Z');
const IN_LOST_TIME = new Date('2026-01-01T00:00:10Z');

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api', announces: false });
});
afterAll(() => gateway.stop());

const run = (...args: readonly string[]) => runCommandHere(serverEnvironment(gateway), args);

const begin = () => beginRecovery(gateway.engine, { by: 'Ana', lostFrom: LOST_FROM });

function keyOf(noun: Noun, paymentId: string): PaymentKey {
  return { merchantId: gateway.merchantId, kind: noun.toUpperCase() as PaymentKind, paymentId };
}

function referenceOf(noun: Noun, paymentId: string): string {
  const { referenceKey, home, connectors } = gateway.engine;
  const { shape } = connectors.get('simulator')!.reference;
  return referenceFor(referenceKey, { key: keyOf(noun, paymentId), attemptNo: 1, home, shape });
}

/** What the operator's report says of an order. */
function lineOf(noun: Noun, request: Body, changes: Partial<OperatorReportLine> = {}): OperatorReportLine {
  return {
    occurredAt: IN_LOST_TIME,
    direction: noun === 'deposit' ? 'IN' : 'OUT',
    status: 'COMPLETED',
    amount: parseAmount(request['amount'])!,
    currency: request['currency'],
    reference: referenceOf(noun, request[`${noun}Id`]),
    providerTransactionId: randomUUID(),
    ...changes,
  };
}

const newLine = () => lineOf('deposit', depositRequest());

/** A forgotten deposit as commands list it. */
function facts(id: string): string {
  return [IN_LOST_TIME.toISOString(), 'IN', PROVIDER, '100 RWF', referenceOf('deposit', id)].join('\t');
}

/** Imports a report. Answers the outcome of its lines, in their order. */
async function tell(...lines: readonly OperatorReportLine[]): Promise<readonly (string | null)[]> {
  return findingsOf(await importLines('OPTIONAL', lines));
}

/** One file at a time is imported: whoever is told so tries again. */
async function whenFree<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof FilesBusy)) throw error;
    }
}

async function findingsOf(reportId: string): Promise<readonly (string | null)[]> {
  const text = 'select finding from operator_report_lines where report_id = $1 order by line_no';
  return (await select(gateway, text, [reportId])).map(({ finding }) => finding);
}

async function importLines(
  secondApprover: 'OPTIONAL' | 'REQUIRED',
  lines: readonly OperatorReportLine[],
  { by = 'Ana', fileHash = randomBytes(32), isCutOff = false } = {},
): Promise<string> {
  const batch = lines.map((line, index) => ({ lineNo: index + 1, line }));
  async function* batches() {
    yield batch;
    if (isCutOff) throw new Error('cut off');
  }
  const { reportId } = await importReport(gateway.engine, {
    by,
    secondApprover,
    provider: PROVIDER,
    fileHash,
    period: null,
    batches,
    onError: (error) => {
      throw error;
    },
  });
  return reportId;
}

/** The request to approve a report. */
async function approvalOf(reportId: string): Promise<string> {
  return (await pendingOf(reportId))[0]!['approval_id'];
}

async function pendingOf(reportId: string) {
  const text = `select approval_id, requested_by_name from approvals
    where kind = 'OPERATOR_REPORT' and subject = $1 and status = 'PENDING'`;
  return select(gateway, text, [reportId]);
}

const go = (key: PaymentKey, event: Advance['event']) => advance(gateway.engine, [{ key, event }]);

/** The submit step of a payment. Answers the attempt it leaves. */
async function submit(key: PaymentKey) {
  const [answer] = await go(key, { type: 'SUBMIT_CLAIMED' });
  return answer !== undefined && 'attempt' in answer ? answer.attempt : null;
}

/** The enquiry step of a payment. */
async function ask(key: PaymentKey): Promise<void> {
  const { engine } = gateway;
  for (const one of await readEnquiries(engine, [{ key, lease: nowOf(engine) }]))
    await advance(engine, (await enquire(engine, one)).advances);
}

/** A merchant sends an order again. */
async function sendAgain(noun: Noun, request: Body): Promise<string> {
  const key = keyOf(noun, await start(gateway, noun, request));
  expect((await submit(key))?.sendCount).toBe(0);
  await ask(key);
  return (await readPayment(gateway, noun, key.paymentId))['status'];
}

/** What accounts hold, by type: credits less debits. */
async function standings(): Promise<ReadonlyMap<string, Amount>> {
  const rows = await listTrialBalance(gateway.engine.store.database);
  const francs = rows.filter(({ currency }) => currency === 'RWF');
  expect(francs.reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n);
  return new Map(francs.map(({ type, balance }) => [type, balance]));
}

let before: ReadonlyMap<string, Amount>;
beforeEach(async () => {
  before = await standings();
});
afterEach(async () => {
  expect(await listUnbalancedWallets(gateway.engine.store.database)).toEqual([]);
  // Nothing here was ever to be paid.
  expect(gateway.simulator.books().charges).toEqual([]);
});

/** How the accounts have changed in this test. */
async function moved(): Promise<Record<string, string>> {
  const after = [...(await standings())].map(([type, balance]) => [type, balance - (before.get(type) ?? 0n)]);
  return Object.fromEntries(
    after.flatMap(([type, change]) => (change === 0n ? [] : [[type, renderAmount(change as Amount)]])),
  );
}

test('in a database that was never restored nothing is forgotten: the line is UNKNOWN', async () => {
  expect(await tell(lineOf('deposit', depositRequest()))).toEqual(['UNKNOWN']);
  expect(await moved()).toEqual({});
});

describe('after a restore', () => {
  beforeAll(begin);

  test('what an operator made stands in SUSPENSE, however often and in whatever words it is told', async () => {
    const [deposit, payout] = [depositRequest(), payoutRequest({ amount: '30' })];
    const lines = [lineOf('deposit', deposit), lineOf('payout', payout)] as const;
    expect(await tell(...lines)).toEqual(['UNMATCHED', 'UNMATCHED']);
    expect(await moved()).toEqual({ FLOAT: '-70', SUSPENSE: '70' });
    await tell(...lines);
    expect(await tell({ ...lines[0], phoneNumber: '250783456789' })).toEqual(['UNMATCHED']);
    expect(await moved()).toEqual({ FLOAT: '-70', SUSPENSE: '70' });
    // A deposit that was taken back afterwards is in the report both ways, under one reference.
    expect(await tell({ ...lines[0], direction: 'OUT' })).toEqual(['UNMATCHED']);
    expect(await moved()).toEqual({ FLOAT: '30', SUSPENSE: '-30' });
  });

  test('what is not ours, did not happen or is too old is left for a person', async () => {
    const { reference: _ours, ...anonymous } = newLine();
    const strange = [
      anonymous,
      { ...newLine(), reference: 'SALARY-2027' },
      { ...newLine(), reference: `beef${newLine().reference!.slice(4)}` },
      { ...newLine(), status: 'FAILED' as const },
      { ...newLine(), occurredAt: new Date('2025-12-30T00:00:00Z') },
    ];
    expect(await tell(...strange)).toEqual(strange.map(() => 'UNKNOWN'));
    expect(await moved()).toEqual({});
  });

  test.each([
    ['deposit', depositRequest, { FLOAT: '-100', WALLET: '100' }],
    ['payout', payoutRequest, { FLOAT: '100', WALLET: '-100' }],
  ] as const)('a %s that is sent again completes, and SUSPENSE is as before', async (noun, make, booked) => {
    const request = make();
    expect(await tell(lineOf(noun, request))).toEqual(['UNMATCHED']);
    expect(await sendAgain(noun, request)).toBe('COMPLETED');
    expect(await moved()).toEqual(booked);
    expect((await send(gateway, noun, request)).body).toMatchObject({ status: 'DUPLICATE_IGNORED' });
    const [row] = await select(gateway, 'select * from unmatched_payments where payment_id = $1', [
      request[`${noun}Id`],
    ]);
    expect(row).toMatchObject({ provider: PROVIDER, merchant_id: gateway.merchantId });
    // Anyone who is erased from the payment is then erased from the line as well.
    const lines = 'select finding from operator_report_lines where payment_id = $1';
    expect(await select(gateway, lines, [request[`${noun}Id`]])).toEqual([{ finding: 'UNMATCHED' }]);
  });

  test('it completes although its operator is silent, or denies it, or its provider is closed', async () => {
    const deposit = depositRequest();
    await tell(lineOf('deposit', deposit));
    gateway.simulator.addFault({ type: 'ERROR', httpStatus: 503, step: 'query', times: 1 });
    expect(await sendAgain('deposit', deposit)).toBe('COMPLETED');
    gateway.simulator.clearFaults();
    const payout = payoutRequest();
    await start(gateway, 'payout', payout);
    await setAvailability(gateway, 'payout', 'DELAYED');
    await tell(lineOf('payout', payout));
    const key = keyOf('payout', payout['payoutId']);
    expect((await submit(key))?.sendCount).toBe(0);
    await setAvailability(gateway, 'payout', 'OPERATIONAL');
    // What is denied now was proved not to be seen, and somebody wants to send it.
    const [answer] = await go(key, { type: 'RESUBMIT_CLAIMED', sendCount: 0 });
    expect(answer).toMatchObject({ attempt: { sendCount: 0 } });
    await ask(key);
    expect((await readPayment(gateway, 'payout', key.paymentId))['status']).toBe('COMPLETED');
    expect(await moved()).toEqual({});
  });

  test('another amount than the order’s is a discrepancy, and its resolution takes SUSPENSE’s place', async () => {
    const request = depositRequest();
    await tell(lineOf('deposit', request, { amount: parseAmount('90')! }));
    expect(await sendAgain('deposit', request)).toBe('IN_RECONCILIATION');
    expect(await moved()).toEqual({ FLOAT: '-90', SUSPENSE: '90' });
    const outcome = { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' } as const;
    await go(keyOf('deposit', request['depositId']), { type: 'ENDED_MANUALLY', outcome });
    expect(await moved()).toEqual({ FLOAT: '-90', SUSPENSE: '90' });
    const [{ caseId } = { caseId: '' }] = await readCases(gateway.engine, { onlyOpen: true });
    const proposal = { caseId, resolution: 'CREDIT_MERCHANT', reason: 'theirs', amount: 900_000n } as const;
    expect(await resolveCase(gateway.engine, proposal)).toMatchObject({ type: 'DONE' });
    expect(await moved()).toEqual({ FLOAT: '-90', WALLET: '90' });
  });

  test('a payment that FAILED and was paid has a case, and its money is in SUSPENSE once', async () => {
    const request = depositRequest();
    const line = lineOf('deposit', request);
    await tell(line);
    const key = keyOf('deposit', await start(gateway, 'deposit', request));
    await submit(key);
    await go(key, { type: 'OPERATOR_ANSWERED', outcome: { type: 'FAILED', code: 'PAYMENT_NOT_APPROVED' } });
    expect(await moved()).toEqual({ FLOAT: '-100', SUSPENSE: '100' });
    expect(await tell({ ...line, phoneNumber: '250783456789' })).toEqual(['CASE']);
    expect(await moved()).toEqual({ FLOAT: '-100', SUSPENSE: '100' });
  });

  test('a report that one person uploads alone completes nothing, and keeps what it names from being sent', async () => {
    const requests = [depositRequest(), payoutRequest({ amount: '30' })] as const;
    const [deposit, payout] = requests;
    const reportId = await importLines('REQUIRED', [lineOf('deposit', deposit), lineOf('payout', payout)]);
    expect(await findingsOf(reportId)).toEqual(['TO_APPROVE', 'TO_APPROVE']);
    expect(await moved()).toEqual({});
    expect(await sendAgain('deposit', deposit)).toBe('PROCESSING');
    expect(await sendAgain('payout', payout)).toBe('PROCESSING');
    // What its operator denies is no reason to send it either.
    const keys = [keyOf('deposit', deposit['depositId']), keyOf('payout', payout['payoutId'])] as const;
    for (const key of keys) {
      expect(await go(key, { type: 'RESUBMIT_CLAIMED', sendCount: 0 })).toMatchObject([
        { attempt: { sendCount: 0 } },
      ]);
      await ask(key);
    }
    expect(await moved()).toEqual({});
    expect(await decideAs(gateway.engine, 'Ben', await approvalOf(reportId))).toMatchObject({ type: 'DONE' });
    expect(await moved()).toEqual({ FLOAT: '-70', WALLET: '70' });
  });

  test('a report that is not approved keeps nothing from being sent or moved any more', async () => {
    const request = payoutRequest({ amount: '30' });
    const isGuarded = async () =>
      (
        await select(
          gateway,
          'select 1 from unmatched_payments where released_at is null and withdrawn_at is null',
        )
      ).length;
    const guardedBefore = await isGuarded();
    const reportId = await importLines('REQUIRED', [lineOf('payout', request)]);
    expect(await isGuarded()).toBe(guardedBefore + 1);
    const key = keyOf('payout', await start(gateway, 'payout', request));
    expect((await submit(key))?.sendCount).toBe(0);
    const rejected = await decideAs(gateway.engine, 'Ben', await approvalOf(reportId), 'reject');
    expect(rejected).toMatchObject({ type: 'DONE' });
    expect([await isGuarded(), await findingsOf(reportId)]).toEqual([guardedBefore, ['REJECTED']]);
    expect(await moved()).toEqual({});
    // Its operator does not know it, and so it may be sent.
    expect(await go(key, { type: 'RESUBMIT_CLAIMED', sendCount: 0 })).toMatchObject([
      { attempt: { sendCount: 1 } },
    ]);
    await go(key, { type: 'OPERATOR_ANSWERED', outcome: { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' } });
  });

  test('the amount of the line that is approved counts, whichever line came first', async () => {
    const request = depositRequest();
    const right = lineOf('deposit', request);
    const wrong = { ...right, amount: parseAmount('1')! };
    const first = await importLines('REQUIRED', [wrong], { by: 'Eve' });
    const second = await importLines('REQUIRED', [right]);
    expect([await findingsOf(first), await findingsOf(second)]).toEqual([['TO_APPROVE'], ['TO_APPROVE']]);
    expect(await decideAs(gateway.engine, 'Ben', await approvalOf(second))).toMatchObject({ type: 'DONE' });
    expect(await moved()).toEqual({ FLOAT: '-100', SUSPENSE: '100' });
    expect(await decideAs(gateway.engine, 'Ben', await approvalOf(first))).toMatchObject({ type: 'DONE' });
    expect([await findingsOf(first), await findingsOf(second)]).toEqual([['MISMATCHED'], ['UNMATCHED']]);
    expect(await moved()).toEqual({ FLOAT: '-100', SUSPENSE: '100' });
    expect(await sendAgain('deposit', request)).toBe('COMPLETED');
    expect(await moved()).toEqual({ FLOAT: '-100', WALLET: '100' });
  });

  test('what waits for approval, and is approved before it is sent again, completes then', async () => {
    const request = depositRequest();
    const line = lineOf('deposit', request);
    const reportId = await importLines('REQUIRED', [line]);
    expect(await decideAs(gateway.engine, 'Ben', await approvalOf(reportId))).toMatchObject({ type: 'DONE' });
    expect(await findingsOf(reportId)).toEqual(['UNMATCHED']);
    // The same line in one more report needs no approval again.
    expect(
      await findingsOf(await importLines('REQUIRED', [{ ...line, phoneNumber: '250783456789' }])),
    ).toEqual(['UNMATCHED']);
    expect(await sendAgain('deposit', request)).toBe('COMPLETED');
    expect(await moved()).toEqual({ FLOAT: '-100', WALLET: '100' });
  });

  test('a file is requested by anyone who imports it, and never with somebody else’s', async () => {
    const [forged, deposit] = [depositRequest(), depositRequest()];
    const [madeUp, real] = [lineOf('deposit', forged), lineOf('deposit', deposit)];
    const file = { by: 'Mallory', fileHash: randomBytes(32) };
    await expect(importLines('REQUIRED', [madeUp, real], { ...file, isCutOff: true })).rejects.toThrow(
      'cut off',
    );
    // A line that is in both files, and not requested yet, is requested with the second one.
    const hers = await importLines('REQUIRED', [real], { by: 'Ana' });
    expect(
      await select(gateway, 'select subject from approvals where requested_by_name = $1', ['Mallory']),
    ).toEqual([]);
    expect(await decideAs(gateway.engine, 'Mallory', await approvalOf(hers))).toMatchObject({ type: 'DONE' });
    expect(await findingsOf(hers)).toEqual(['UNMATCHED']);
    expect(await sendAgain('deposit', deposit)).toBe('COMPLETED');
    expect(await sendAgain('deposit', forged)).toBe('PROCESSING');
    // Only now she says that the rest is true, and so she does not approve it.
    const theirs = await importLines('REQUIRED', [madeUp, real], file);
    expect(await pendingOf(theirs)).toMatchObject([{ requested_by_name: 'Mallory' }]);
    expect(await decideAs(gateway.engine, 'Mallory', await approvalOf(theirs))).toEqual({
      type: 'SAME_PERSON',
    });
  });

  test('a person requests no lines that another one read in the same file with other columns', async () => {
    const [forged, deposit] = [depositRequest(), depositRequest()];
    const [madeUp, real] = [lineOf('deposit', forged), lineOf('deposit', deposit)];
    const file = { fileHash: randomBytes(32) };
    await importLines('REQUIRED', [madeUp], { ...file, by: 'Mallory' });
    const reportId = await importLines('REQUIRED', [real], { ...file, by: 'Ana' });
    expect(await pendingOf(reportId)).toMatchObject([{ requested_by_name: 'Ana' }]);
    const decided = await decideAs(gateway.engine, 'Mallory', await approvalOf(reportId));
    expect(decided).toMatchObject({ type: 'DONE' });
    expect(new Set(await findingsOf(reportId))).toEqual(new Set([null, 'UNMATCHED']));
    expect(await sendAgain('deposit', deposit)).toBe('COMPLETED');
    expect(await sendAgain('deposit', forged)).toBe('PROCESSING');
    expect(await moved()).toEqual({ FLOAT: '-100', WALLET: '100' });
  });

  test('a request that no longer fits is replaced when its file is imported again', async () => {
    const [first, second] = [depositRequest(), depositRequest()];
    const file = { fileHash: randomBytes(32) };
    const lines = [lineOf('deposit', first), lineOf('deposit', second)];
    const reportId = await importLines('REQUIRED', lines, file);
    const approvalId = await approvalOf(reportId);
    await importLines('REQUIRED', lines, file);
    expect(await approvalOf(reportId)).toBe(approvalId);
    const key = keyOf('deposit', await start(gateway, 'deposit', first));
    await submit(key);
    const providerTransactionId = lines[0]!.providerTransactionId!;
    await go(key, { type: 'OPERATOR_ANSWERED', outcome: { type: 'COMPLETED', providerTransactionId } });
    await importLines('REQUIRED', lines, { ...file, by: 'Cleo' });
    expect(await pendingOf(reportId)).toMatchObject([{ requested_by_name: 'Cleo' }]);
    expect(await decideAs(gateway.engine, 'Ben', await approvalOf(reportId))).toMatchObject({ type: 'DONE' });
    expect(await findingsOf(reportId)).toEqual(['AGREES', 'UNMATCHED']);
  });

  test('a payment completes as its approved line says, not as another line about it', async () => {
    const request = depositRequest();
    const [madeUp, real] = [lineOf('deposit', request), lineOf('deposit', request)];
    await importLines('REQUIRED', [madeUp], { by: 'Mallory' });
    const reportId = await importLines('REQUIRED', [real]);
    expect(await decideAs(gateway.engine, 'Ben', await approvalOf(reportId))).toMatchObject({ type: 'DONE' });
    // An amount that is not in the books cannot be approved: somebody has to look at it.
    expect(await tell({ ...real, amount: parseAmount('90')! })).toEqual(['MISMATCHED']);
    expect(await sendAgain('deposit', request)).toBe('COMPLETED');
    await tell(real);
    expect(await findingsOf(reportId)).toEqual(['AGREES']);
  });

  test('reports and payments at the same time leave no money in the books twice', async () => {
    const orders = Array.from({ length: 12 }, () => {
      const request = depositRequest();
      return { line: lineOf('deposit', request), key: keyOf('deposit', request['depositId']), request };
    });
    await Promise.all(orders.map(({ request }) => start(gateway, 'deposit', request)));
    const complete = async ({ key, line }: (typeof orders)[number]) => {
      await submit(key);
      const { providerTransactionId } = line;
      const outcome = { type: 'COMPLETED', providerTransactionId: providerTransactionId! } as const;
      await Promise.all([1, 2].map(() => go(key, { type: 'OPERATOR_ANSWERED', outcome })));
    };
    const imports = orders.flatMap(({ line }) => [
      () => tell(line),
      () => tell({ ...line, phoneNumber: '250783456789' }),
    ]);
    await Promise.all([...orders.map((order) => complete(order)), ...imports.map(whenFree)]);
    expect(await moved()).toEqual({ FLOAT: '-1200', WALLET: '1200' });
  });

  test('what was found cannot be released twice, rewritten or deleted', async () => {
    const { database } = gateway.engine.store;
    const once = 'what an operator paid is posted once and released once';
    const released = 'update unmatched_payments set released_at = released_at where released_at is not null';
    await expect(database.query(released)).rejects.toThrow(once);
    await expect(database.query('update unmatched_payments set amount = 1')).rejects.toThrow(once);
    await expect(database.query('delete from unmatched_payments')).rejects.toThrow();
  });
});

describe('by command', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'malipo-unmatched-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('identifiers of a merchant are told from each other, and an order is not sent after the recovery', async () => {
    const [again, standing, other] = [depositRequest(), depositRequest(), depositRequest()];
    await tell(lineOf('deposit', again), lineOf('deposit', standing));
    await endRecovery(gateway.engine, { by: 'Ana', provider: null, unasked: true });
    expect(await sendAgain('deposit', again)).toBe('COMPLETED');
    const ids = [again, standing, other].map(({ depositId }) => depositId);
    const file = join(folder, 'ids.txt');
    await writeFile(
      file,
      [...ids.map((id, index) => (index === 1 ? id.toUpperCase() : id)), ''].join('\r\n'),
    );
    const order = [
      'unmatched-payment',
      'find',
      '--merchant',
      gateway.merchantId,
      '--kind',
      'DEPOSIT',
      '--file',
      file,
    ];
    const { output } = await run(...order);
    expect(output.split('\n')).toEqual([
      `${ids[0]}\tsent again\t${facts(ids[0])}`,
      `${ids[1].toUpperCase()}\tSEND AGAIN\t${facts(ids[1])}`,
      `${ids[2]}\tnot found`,
    ]);
    expect((await run('unmatched-payment', 'list')).output).toContain(facts(ids[1]));
    expect((await run('unmatched-payment', 'list')).output).not.toContain(facts(ids[0]));
    const [counted] = await select(
      gateway,
      `select count(distinct reference || direction)::int as found,
         count(*) filter (where posted_at is not null and released_at is null)::int as standing
       from unmatched_payments where withdrawn_at is null`,
    );
    const { output: shown } = await run('recovery', 'show');
    expect(shown).toContain(`${counted!['found']}\tunmatched operator payments found in reports; of these`);
    expect(shown).toContain(`${counted!['standing']}\tin SUSPENSE, waiting for their merchants`);
  });

  test('a line that is no identifier is told by its number', async () => {
    const file = join(folder, 'strange.txt');
    await writeFile(file, `${randomUUID()}\nORDER-7\n`);
    const order = [
      'unmatched-payment',
      'find',
      '--merchant',
      gateway.merchantId,
      '--kind',
      'PAYOUT',
      '--file',
      file,
    ];
    expect(await run(...order)).toMatchObject({
      code: 1,
      errors: 'Line 2 is not the identifier of a payment.',
    });
  });
});

const database = () => gateway.engine.store.database;

/** As an approved report names it. */
async function lose(noun: Noun, request: Body): Promise<UnmatchedName> {
  const line = lineOf(noun, request);
  expect(await tell(line)).toEqual(['UNMATCHED']);
  return { provider: PROVIDER, reference: line.reference!, direction: line.direction };
}

const requestDecision = (name: UnmatchedName, bearer: LostPaymentBearer, merchantId: string | null = null) =>
  requestLostPayment(gateway.engine, {
    ...name,
    bearer,
    merchantId,
    reason: 'nobody claims it',
    actor: actorNamed('Ana'),
  });

/** Ana asks for it, and Ben approves. */
async function decide(...order: Parameters<typeof requestDecision>): Promise<void> {
  const asked = await requestDecision(...order);
  expect(asked).toMatchObject({ type: 'REQUESTED' });
  const { approvalId } = asked as { readonly approvalId: string };
  expect(await decideAs(gateway.engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
}

const standsIn = async ({ reference }: UnmatchedName) =>
  (await select(gateway, `select 1 from unmatched_payments where reference = $1 and ${IS_LIVE}`, [reference]))
    .length;

describe('a lost payment that its merchant never sends again', () => {
  beforeAll(async () => {
    await begin();
    await endRecovery(gateway.engine, { by: 'Ana', provider: null, unasked: true });
  });

  test.each([
    ['deposit', depositRequest, 'MERCHANT', { FLOAT: '-100', WALLET: '100' }],
    ['payout', payoutRequest, 'MERCHANT', { FLOAT: '100', WALLET: '-100' }],
    ['deposit', depositRequest, 'PLATFORM', { FLOAT: '-100', WRITE_OFF: '100' }],
    ['payout', payoutRequest, 'PLATFORM', { FLOAT: '100', WRITE_OFF: '-100' }],
  ] as const)(
    'of a %s leaves SUSPENSE by the decision, and completes unsent and once where it is sent again (%#)',
    async (noun, make, bearer, decided) => {
      const body = make();
      const name = await lose(noun, body);
      await decide(name, bearer, bearer === 'MERCHANT' ? gateway.merchantId : null);
      expect(await moved()).toEqual(decided);
      expect(await standsIn(name)).toBe(0);
      expect(await sendAgain(noun, body)).toBe('COMPLETED');
      const sign = noun === 'deposit' ? '' : '-';
      expect(await moved()).toEqual({ FLOAT: sign === '' ? '-100' : '100', WALLET: `${sign}100` });
      const [row] = await select(gateway, 'select * from lost_payment_decisions where reference = $1', [
        name.reference,
      ]);
      expect(row).toMatchObject({ bearer, payment_id: body[`${noun}Id`], merchant_id: gateway.merchantId });
    },
  );

  test('is charged also to a merchant without money, which owes it, and nothing twice when it comes after all', async () => {
    const poor = await createDemoMerchant(gateway.engine, null);
    const wallets = await listWallets(database(), poor.merchantId);
    const wallet = wallets.find(({ currency }) => currency === 'RWF');
    const place = {
      by: 'Ana',
      country: 'RWA',
      currency: 'RWF',
      merchantId: poor.merchantId,
      reason: 'empty',
    };
    await adjustWallet(gateway.engine, { ...place, amount: -(wallet?.posted ?? 0n) });
    before = await standings();
    const owedBy = async () => {
      const rows = await select(
        gateway,
        `select posted, owed from wallets join accounts using (account_id)
         where wallets.merchant_id = $1 and currency = 'RWF'`,
        [poor.merchantId],
      );
      return rows.map(({ posted, owed }) => [Number(posted), Number(owed)])[0];
    };
    const body = depositRequest();
    const key = { merchantId: poor.merchantId, kind: 'DEPOSIT', paymentId: body['depositId'] } as const;
    const { referenceKey, home, connectors } = gateway.engine;
    const { shape } = connectors.get('simulator')!.reference;
    const reference = referenceFor(referenceKey, { key, attemptNo: 1, home, shape });
    await tell(lineOf('deposit', body, { reference }));
    const out = await lose('payout', payoutRequest({ amount: '30' }));
    await decide(out, 'MERCHANT', poor.merchantId);
    expect(await moved()).toMatchObject({ RECEIVABLE: '-30' });
    expect(await owedBy()).toEqual([0, 30]);
    await decide({ provider: PROVIDER, reference, direction: 'IN' }, 'MERCHANT', poor.merchantId);
    expect(await owedBy()).toEqual([70, 0]);
    // It spends what it was credited, and then sends the payment again.
    await adjustWallet(gateway.engine, { ...place, amount: -700_000n });
    before = await standings();
    const merchant = { ...gateway, ...poor };
    await start(merchant, 'deposit', body);
    expect((await submit(key))?.sendCount).toBe(0);
    await ask(key);
    expect((await readPayment(merchant, 'deposit', key.paymentId))['status']).toBe('COMPLETED');
    expect(await moved()).toEqual({});
    expect(await owedBy()).toEqual([0, 0]);
  });

  test('and was given to another merchant than its own: the platform bears it, and people are told', async () => {
    const other = await createDemoMerchant(gateway.engine, null);
    before = await standings();
    const body = depositRequest();
    const name = await lose('deposit', body);
    await decide(name, 'MERCHANT', other.merchantId);
    expect(await sendAgain('deposit', body)).toBe('COMPLETED');
    expect(await moved()).toEqual({ ADJUSTMENT: '-100', FLOAT: '-100', WALLET: '200' });
    expect((await run('unmatched-payment', 'decided')).output).toContain('WRONG MERCHANT');
  });

  test('and is in another report later, or was before the decision: nothing of it posts again', async () => {
    const body = depositRequest();
    const line = lineOf('deposit', body);
    const name = await lose('deposit', body);
    const waiting = { ...line, providerTransactionId: randomUUID(), phoneNumber: '250783456789' };
    const reportId = await importLines('REQUIRED', [
      waiting,
      lineOf('payout', payoutRequest({ amount: '30' })),
    ]);
    await decide(name, 'PLATFORM');
    expect(await decideAs(gateway.engine, 'Ben', await approvalOf(reportId))).toMatchObject({ type: 'DONE' });
    expect(await moved()).toEqual({ FLOAT: '-70', WRITE_OFF: '100', SUSPENSE: '-30' });
    const later = [{ ...line, occurredAt: new Date(IN_LOST_TIME.getTime() + 1) }];
    expect(await findingsOf(await importLines('REQUIRED', later))).toEqual(['UNMATCHED']);
    expect(await tell({ ...line, amount: parseAmount('7')! })).toEqual(['MISMATCHED']);
    expect(await moved()).toEqual({ FLOAT: '-70', WRITE_OFF: '100', SUSPENSE: '-30' });
    expect(await standsIn(name)).toBe(0);
  });

  test('and differs from what its merchant sends: people resolve that, and the decision is posted back then', async () => {
    const body = depositRequest();
    const line = lineOf('deposit', body, { amount: parseAmount('90')! });
    await tell(line);
    await decide({ provider: PROVIDER, reference: line.reference!, direction: 'IN' }, 'PLATFORM');
    expect(await sendAgain('deposit', body)).toBe('IN_RECONCILIATION');
    expect(await moved()).toEqual({ FLOAT: '-90', WRITE_OFF: '90' });
    const outcome = { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' } as const;
    await go(keyOf('deposit', body['depositId']), { type: 'ENDED_MANUALLY', outcome });
    const open = await readCases(gateway.engine, { onlyOpen: true });
    const { caseId } = open.find(({ paymentId }) => paymentId === body['depositId'])!;
    const proposal = { caseId, resolution: 'CREDIT_MERCHANT', reason: 'theirs', amount: 900_000n } as const;
    expect(await resolveCase(gateway.engine, proposal)).toMatchObject({ type: 'DONE' });
    expect(await moved()).toEqual({ FLOAT: '-90', WALLET: '90' });
  });

  test('is decided once, by two people, from what stands in SUSPENSE', async () => {
    const name = await lose('deposit', depositRequest());
    const asked = await requestDecision(name, 'PLATFORM');
    expect(await requestDecision(name, 'PLATFORM')).toEqual({ type: 'REQUESTED_BEFORE' });
    const { approvalId } = asked as { readonly approvalId: string };
    expect(await decideAs(gateway.engine, 'Ana', approvalId)).toMatchObject({ type: 'SAME_PERSON' });
    expect(await requestDecision({ ...name, reference: 'none' }, 'PLATFORM')).toEqual({ type: 'NOT_FOUND' });
    expect(await requestDecision(name, 'MERCHANT', randomUUID())).toEqual({ type: 'NO_SUCH_MERCHANT' });
    expect(await requestDecision(name, 'OTHER_CELL')).toEqual({ type: 'ELSEWHERE', known: null });
    await expect(
      database().query('update unmatched_payments set decided_at = now() where reference = $1', [
        name.reference,
      ]),
    ).rejects.toThrow('an unmatched payment is decided on by people');
    await expect(
      database().query(
        `insert into lost_payment_decisions (decision_id, provider, reference, direction, country, currency, amount,
           occurred_at, bearer, cell, decided_at)
         values ($1, $2, $3, 'IN', 'RWA', 'RWF', 100, now(), 'PLATFORM', '0001', now())`,
        [approvalId, PROVIDER, name.reference],
      ),
    ).rejects.toThrow('two people decide whose a lost payment is');
    expect(await decideAs(gateway.engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
    expect(await requestDecision(name, 'PLATFORM')).toEqual({ type: 'NOT_FOUND' });
    const entries = `select 1 from audit_log where act = 'LOST_PAYMENT_DECIDED' and subject = $1`;
    expect(await select(gateway, entries, [name.reference])).toHaveLength(1);
  });

  test('is not decided while it is sent again, nor while a recovery lets merchants send it', async () => {
    const body = depositRequest();
    const name = await lose('deposit', body);
    const asked = (await requestDecision(name, 'PLATFORM')) as { readonly approvalId: string };
    const key = keyOf('deposit', await start(gateway, 'deposit', body));
    await submit(key);
    expect(await decideAs(gateway.engine, 'Ben', asked.approvalId)).toMatchObject({ type: 'NOT_EXECUTED' });
    await ask(key);
    expect(await moved()).toEqual({ FLOAT: '-100', WALLET: '100' });
    await begin();
    const other = await lose('deposit', depositRequest());
    expect(await requestDecision(other, 'PLATFORM')).toEqual({ type: 'RECOVERY_OPEN' });
  });

  test('names no merchant in its report, so that whoever belongs to one approves it only where nobody else can', async () => {
    const { engine } = gateway;
    await addAdministrators(engine);
    const text = `insert into memberships (person_id, merchant_id, role, since) values ($1, $2, $3, now())`;
    await database().query(text, [BEN.personId, gateway.merchantId, 'OWNER']);
    await database().query(
      `insert into people (id, name, email, email_verified, created_at, updated_at)
       values ('cat', 'cat', 'cat@example.com', true, now(), now())`,
    );
    await database().query(text, ['cat', null, 'OPERATOR_ADMIN']);
    const body = depositRequest();
    const line = lineOf('deposit', body);
    const { reportId } = await importFile(gateway, [line], ANA);
    const approvalId = await approvalOf(reportId);
    const approveAsBen = async (id: string) => {
      const found = await findApproval(database(), id);
      return approve(engine, { decider: BEN, approvalId: id, whose: 'ALL', hash: found?.shownHash ?? '' });
    };
    const refused = { type: 'NOT_EXECUTED', because: { code: 'APPROVAL_MERCHANT_PERSON' } };
    expect(await approveAsBen(approvalId)).toMatchObject(refused);
    expect(await moved()).toEqual({});
    await database().query(`delete from memberships where person_id = 'cat'`);
    expect(await approveAsBen(approvalId)).toMatchObject({ type: 'DONE' });
    expect(await moved()).toEqual({ FLOAT: '-100', SUSPENSE: '100' });

    // A decision names the merchant: neither the one who asks nor an approver belongs to it.
    await endRecovery(engine, { by: 'Ana', provider: null, unasked: true });
    const name = { provider: PROVIDER, reference: line.reference!, direction: 'IN' } as const;
    const order = { ...name, bearer: 'MERCHANT', merchantId: gateway.merchantId, reason: 'theirs' } as const;
    expect(await requestLostPayment(engine, { ...order, actor: BEN })).toEqual({ type: 'NOT_INDEPENDENT' });
    const asked = await requestLostPayment(engine, { ...order, actor: ANA });
    expect(asked).toMatchObject({ type: 'REQUESTED' });
    const { approvalId: decisionId } = asked as { readonly approvalId: string };
    expect(await approveAsBen(decisionId)).toMatchObject({
      type: 'NOT_EXECUTED',
      because: { code: 'APPROVAL_NOT_INDEPENDENT' },
    });
    expect(await moved()).toEqual({ FLOAT: '-100', SUSPENSE: '100' });
  });
});
