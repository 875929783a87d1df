// An operator's report is a proposal: one person who imports it moves no money, opens no case, and holds little.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readApproval } from '../src/core/approvals/read.ts';
import { releaseDueFunds } from '../src/core/limits/wallet-holds.ts';
import { advance } from '../src/core/payments/process/advance.ts';
import { requestAllUnrequested } from '../src/core/reconciliation/approve-report.ts';
import { importReport } from '../src/core/reconciliation/import-report.ts';
import { orderFloat } from '../src/core/ledger/move-float.ts';
import { readProposals } from '../src/core/reconciliation/read-report.ts';
import { readCases } from '../src/core/reconciliation/resolve-cases.ts';
import { renderAmount, type Amount } from '../src/domain/money.ts';
import type { OperatorReportLine } from '../src/domain/reconciliation/operator-report.ts';
import { listTrialBalance, listUnbalancedWallets, listWallets } from '../src/store/ledger/ledger.ts';
import { countUnheldRisks, countUnrequested } from '../src/store/reconciliation/reports-to-approve.ts';
import { OWN_FORMAT, readReport } from '../src/wire/report-file.ts';
import { decideAs } from './approvals.ts';
import { nowOf } from './clocks.ts';
import { depositRequest, eventually, openTestGateway, select, type TestGateway } from './gateway.ts';
import { openAccount, type Account } from './edge/accounts.ts';
import { whileRefused } from './refused-writes.ts';
import { send, start, startCompleted, waitForPayment } from './payments.ts';
import {
  approvalOfReport,
  findingsOf,
  importFile,
  lineAbout,
  pendingApprovals,
  PROVIDER,
} from './report-files.ts';
import { payoutRequest, wallet } from './requests.ts';

const HOUR_MS = 3_600_000;

let gateway: TestGateway;
let shop: Account;
beforeEach(async () => {
  gateway = await openTestGateway({ timing: { enquiryDelaysMs: [HOUR_MS] } });
  shop = await openAccount(gateway, { operations: ['DEPOSIT', 'PAYOUT', 'REFUND'] });
});
afterEach(async () => {
  const { database } = gateway.engine.store;
  expect(await listUnbalancedWallets(database)).toEqual([]);
  const totals = new Map<string, Amount>();
  for (const { currency, balance } of await listTrialBalance(database))
    totals.set(currency, (totals.get(currency) ?? 0n) + balance);
  expect([...totals].filter(([, total]) => total !== 0n)).toEqual([]);
  await gateway.stop();
});

async function funds(): Promise<string> {
  const [found] = await listWallets(gateway.engine.store.database, shop.merchantId);
  return `${renderAmount(found?.posted ?? 0n)} held ${renderAmount(found?.held ?? 0n)}`;
}

/** What operators and nobody hold for us. */
async function books(): Promise<Readonly<Record<string, string>>> {
  const rows = (await listTrialBalance(gateway.engine.store.database)).filter(
    ({ currency, type }) => currency === 'RWF' && ['FLOAT', 'SUSPENSE'].includes(type),
  );
  return Object.fromEntries(rows.map(({ type, balance }) => [type, renderAmount(balance)]));
}

const approve = (approvalId: string) => decideAs(gateway.engine, 'Ben', approvalId);
const openCases = () => readCases(gateway.engine, { onlyOpen: true });
const release = () =>
  releaseDueFunds(gateway.engine, { countMax: 100, onError: (error) => expect(error).toBe(null) });

async function deposits(count: number, amount = '1000'): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let first = 0; first < count; first += 1)
    ids.push(await startCompleted(shop, 'deposit', depositRequest({ amount })));
  return ids;
}

const linesAbout = (ids: readonly string[], changes: Partial<OperatorReportLine> = {}) =>
  Promise.all(ids.map((id) => lineAbout(gateway, id, changes)));

const reversed = (ids: readonly string[]) => linesAbout(ids, { status: 'FAILED' });
const payOut = async () => (await send(shop, 'payout', payoutRequest({ amount: '100' }))).body;

describe('M3: a report that one person imports', () => {
  test('moves neither FLOAT nor SUSPENSE for a success that it invents, and holds nothing, before it is approved', async () => {
    await deposits(5);
    const refused = payoutRequest({ amount: '2000', recipient: wallet(PROVIDER, '250783456089') });
    const payoutId = await start(shop, 'payout', refused);
    await waitForPayment(shop, 'payout', payoutId, 'FAILED');
    const before = [await books(), await funds()];
    const line = await lineAbout(gateway, payoutId);
    const { reportId } = await importFile(gateway, [line]);
    expect(await findingsOf(gateway, reportId)).toEqual(['TO_APPROVE CASE']);
    expect([await books(), await funds()]).toEqual(before);
    expect(await openCases()).toEqual([]);

    expect(await approve(await approvalOfReport(gateway, reportId))).toMatchObject({ type: 'DONE' });
    expect(await findingsOf(gateway, reportId)).toEqual(['CASE']);
    expect(await openCases()).toMatchObject([{ evidence: 'LATE_SUCCESS', paymentId: payoutId }]);
    expect(await funds()).toBe('5000 held 2000');
    // What there is a case about needs no approval; another transaction is another case.
    const again = await importFile(gateway, [{ ...line, phoneNumber: '250783456089' }]);
    expect(await findingsOf(gateway, again.reportId)).toEqual(['CASE']);
    const other = await importFile(gateway, [{ ...line, providerTransactionId: randomUUID() }]);
    expect(await findingsOf(gateway, other.reportId)).toEqual(['TO_APPROVE CASE']);
    expect(await pendingApprovals(gateway, 'OPERATOR_REPORT')).toHaveLength(1);
  });

  test('opens no case and holds nothing for amounts that differ; approved, each holds its difference', async () => {
    const ids = await deposits(4);
    const lines = await linesAbout(ids);
    const wrong = lines.map((line) => ({ ...line, amount: line.amount - 10_000n * 100n }));
    const { reportId } = await importFile(gateway, wrong);
    expect(await findingsOf(gateway, reportId)).toEqual(wrong.map(() => 'TO_APPROVE CASE'));
    expect([await funds(), (await openCases()).length]).toEqual(['4000 held 0', 0]);
    const approvalId = await approvalOfReport(gateway, reportId);
    const { shown } = (await readApproval(gateway.engine, { approvalId, whose: 'ALL' }))!;
    expect(shown).toMatchObject({ provider: PROVIDER, opensCases: '4: 4000 RWF' });
    expect(await approve(approvalId)).toMatchObject({ type: 'DONE' });
    expect([await funds(), (await openCases()).length]).toEqual(['4000 held 400', 4]);
  });

  test('is rejected without a trace, and asks again when it is imported again', async () => {
    const [id = ''] = await deposits(1);
    const wrong = [await lineAbout(gateway, id, { amount: 10_000n })];
    const { reportId } = await importFile(gateway, wrong);
    expect(
      await decideAs(gateway.engine, 'Ben', await approvalOfReport(gateway, reportId), 'reject'),
    ).toMatchObject({
      type: 'DONE',
    });
    expect(await findingsOf(gateway, reportId)).toEqual(['REJECTED']);
    expect([await funds(), (await openCases()).length]).toEqual(['1000 held 0', 0]);
  });

  test('tells its approver what each sort of line does', async () => {
    const [done = ''] = await deposits(1);
    const failed = await start(shop, 'deposit', depositRequest({ payer: wallet(PROVIDER, '250783456039') }));
    await waitForPayment(shop, 'deposit', failed, 'FAILED');
    for (let n = 0; n < 2; n += 1) gateway.simulator.addFault({ type: 'OUTCOME', status: 'PENDING' });
    const open = [
      await start(shop, 'deposit', depositRequest({ amount: '300' })),
      await start(shop, 'deposit', depositRequest({ amount: '50' })),
    ];
    for (const id of open) await waitForPayment(shop, 'deposit', id, 'PROCESSING');
    const { reportId } = await importFile(gateway, [
      await lineAbout(gateway, done, { status: 'FAILED' }),
      await lineAbout(gateway, failed),
      await lineAbout(gateway, open[0]!),
      await lineAbout(gateway, open[1]!, { status: 'FAILED' }),
    ]);
    const approvalId = await approvalOfReport(gateway, reportId);
    const { shown } = (await readApproval(gateway.engine, { approvalId, whose: 'ALL' }))!;
    expect(shown).toMatchObject({
      endsCompleted: '1: 300 RWF',
      endsFailed: '1: 50 RWF',
      opensCases: '1: 100 RWF',
      reverses: '1: 1000 RWF',
    });
    expect(await approve(approvalId)).toMatchObject({ type: 'DONE' });
    expect(await findingsOf(gateway, reportId)).toEqual(['CASE', 'CASE', 'APPLIED', 'APPLIED']);
  });

  test('does only what was approved: a line that would do something else by now waits again', async () => {
    gateway.simulator.addFault({ type: 'OUTCOME', status: 'PENDING' });
    const id = await start(shop, 'deposit', depositRequest());
    await waitForPayment(shop, 'deposit', id, 'PROCESSING');
    const { reportId } = await importFile(gateway, [await lineAbout(gateway, id, { status: 'FAILED' })]);
    expect(await findingsOf(gateway, reportId)).toEqual(['TO_APPROVE END_FAILED']);
    const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
    const key = { merchantId: shop.merchantId, kind: 'DEPOSIT', paymentId: id } as const;
    await advance(gateway.engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
    const first = await approvalOfReport(gateway, reportId);
    expect(await approve(first)).toMatchObject({ type: 'DONE' });
    expect(await findingsOf(gateway, reportId)).toEqual(['TO_APPROVE REVERSAL']);
    expect([await funds(), (await openCases()).length]).toEqual(['100 held 100', 0]);
    const second = await approvalOfReport(gateway, reportId);
    expect(second).not.toBe(first);
    expect(await approve(second)).toMatchObject({ type: 'DONE' });
    expect(await openCases()).toMatchObject([{ evidence: 'LATE_FAILURE' }]);
  });
});

describe('M3: a deposit that only a report says was taken back', () => {
  test('is held at once, 20 of an operator account in a day over all files; what is beyond waits and alerts', async () => {
    const ids = await deposits(25);
    const lines = await reversed(ids);
    const first = await importFile(gateway, lines.slice(0, 13));
    expect(await funds()).toBe('25000 held 13000');
    const second = await importFile(gateway, lines.slice(13));
    expect(await findingsOf(gateway, second.reportId)).toEqual(
      lines.slice(13).map(() => 'TO_APPROVE REVERSAL'),
    );
    expect([await funds(), (await openCases()).length]).toEqual(['25000 held 20000', 0]);
    const unheld = await countUnheldRisks(gateway.engine.store.database);
    expect(unheld.count).toBe(5);

    // Its place is not free again within the day.
    const rejected = await approvalOfReport(gateway, first.reportId);
    expect(await decideAs(gateway.engine, 'Ben', rejected, 'reject')).toMatchObject({ type: 'DONE' });
    await eventually(async () => {
      await release();
      return funds();
    }).toBe('25000 held 7000');
    await importFile(gateway, lines.slice(13));
    expect(await funds()).toBe('25000 held 7000');

    await gateway.gateway.movableClock!.move(25 * HOUR_MS);
    await importFile(gateway, lines.slice(13));
    expect(await funds()).toBe('25000 held 12000');
    expect(await countUnheldRisks(gateway.engine.store.database)).toEqual({ count: 0, oldestAt: null });
  });

  test('takes the place of the smallest that still waits, in its own file and of an earlier one, if it is larger', async () => {
    const small = await deposits(20, '10');
    const large = await deposits(1, '5000');
    const [middle = '', least = ''] = [...(await deposits(1, '500')), ...(await deposits(1, '5'))];
    await importFile(gateway, await reversed(small.slice(0, 19)));
    await importFile(gateway, await reversed([small[19]!, ...large]));
    expect(await funds()).toBe('5705 held 5190');
    await importFile(gateway, await reversed([least, middle]));
    expect(await funds()).toBe('5705 held 5680');
    expect((await countUnheldRisks(gateway.engine.store.database)).count).toBe(3);
    // What has lost its place does not get it back by being read again.
    await importFile(gateway, await reversed([least, ...small.slice(2)]));
    expect(await funds()).toBe('5705 held 5680');
    const standing = 'select wanted::int from wallet_holds where released_at is null order by wanted desc';
    expect((await select(gateway, standing)).map(({ wanted }) => wanted)).toEqual([
      5000,
      500,
      ...Array.from({ length: 18 }, () => 10),
    ]);
    // What was decided on leaves its place to nobody within the day.
    for (const approvalId of await pendingApprovals(gateway, 'OPERATOR_REPORT'))
      await decideAs(gateway.engine, 'Ben', approvalId, 'reject');
    await eventually(async () => {
      await release();
      return funds();
    }).toBe('5705 held 0');
    await importFile(gateway, await reversed(large));
    expect(await funds()).toBe('5705 held 0');
  });

  test('is never free between the report’s hold and the case’s', async () => {
    const [id = ''] = await deposits(1);
    const { reportId } = await importFile(gateway, await reversed([id]));
    expect(await funds()).toBe('1000 held 1000');
    const approvalId = await approvalOfReport(gateway, reportId);
    const [approved, ...answers] = await Promise.all([
      approve(approvalId),
      ...Array.from({ length: 20 }, payOut),
    ]);
    expect(approved).toMatchObject({ type: 'DONE' });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['REJECTED']));
    expect(await openCases()).toMatchObject([{ evidence: 'LATE_FAILURE', paymentId: id }]);
    expect(await funds()).toBe('1000 held 1000');
    const held = 'select reason, released_at is null as is_held from wallet_holds order by held_at, reason';
    expect(await select(gateway, held)).toEqual([
      { reason: 'REPORTED_REVERSAL', is_held: false },
      { reason: 'CASE', is_held: true },
    ]);
    expect(await release()).toBe(0);
  });

  test('is held once for all reports that say so, until the last of them is decided on', async () => {
    const [id = ''] = await deposits(1);
    const [line] = await reversed([id]);
    const one = await importFile(gateway, [line!]);
    const other = await importFile(gateway, [{ ...line!, phoneNumber: '250783456789' }]);
    expect(await funds()).toBe('1000 held 1000');
    await decideAs(gateway.engine, 'Ben', await approvalOfReport(gateway, one.reportId), 'reject');
    expect(await release()).toBe(0);
    expect(await funds()).toBe('1000 held 1000');
    await decideAs(gateway.engine, 'Ben', await approvalOfReport(gateway, other.reportId), 'reject');
    await eventually(async () => {
      await release();
      return funds();
    }).toBe('1000 held 0');
  });

  test('opens its case at once where the operator itself confirms it', async () => {
    gateway.simulator.addFault({ type: 'OUTCOME', status: 'FAILED', delayMs: HOUR_MS });
    gateway.simulator.addFault({ type: 'NO_NOTIFICATION' });
    const id = await start(shop, 'deposit', depositRequest({ amount: '1000' }));
    await waitForPayment(shop, 'deposit', id, 'PROCESSING');
    const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
    const key = { merchantId: shop.merchantId, kind: 'DEPOSIT', paymentId: id } as const;
    await advance(gateway.engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
    await gateway.gateway.movableClock!.move(2 * HOUR_MS);
    const { reportId } = await importFile(gateway, await reversed([id]));
    expect(await findingsOf(gateway, reportId)).toEqual(['CASE']);
    expect(await openCases()).toMatchObject([{ evidence: 'LATE_FAILURE', paymentId: id }]);
    expect(await pendingApprovals(gateway, 'OPERATOR_REPORT')).toEqual([]);
    expect(await funds()).toBe('1000 held 1000');
  });
});

const atRisk = async () => (await countUnheldRisks(gateway.engine.store.database)).count;

describe('money at risk in a line that waits and holds nothing', () => {
  test('is counted since its line waits: a payout that FAILED and was paid, a deposit that brought less', async () => {
    const [id = ''] = await deposits(5);
    const refused = payoutRequest({ amount: '2000', recipient: wallet(PROVIDER, '250783456089') });
    const payoutId = await start(shop, 'payout', refused);
    await waitForPayment(shop, 'payout', payoutId, 'FAILED');
    const { reportId } = await importFile(gateway, [
      await lineAbout(gateway, payoutId),
      await lineAbout(gateway, id, { amount: 10_000n }),
    ]);
    expect([await funds(), await atRisk()]).toEqual(['5000 held 0', 2]);
    expect((await countUnheldRisks(gateway.engine.store.database)).oldestAt).toBeInstanceOf(Date);
    expect(await approve(await approvalOfReport(gateway, reportId))).toMatchObject({ type: 'DONE' });
    expect([await funds(), await atRisk()]).toEqual(['5000 held 2999', 0]);
  });

  test('is none where the merchant can only gain: a deposit that FAILED and was paid, one that brought more', async () => {
    const [id = ''] = await deposits(1);
    const failed = await start(shop, 'deposit', depositRequest({ payer: wallet(PROVIDER, '250783456039') }));
    await waitForPayment(shop, 'deposit', failed, 'FAILED');
    const { reportId } = await importFile(gateway, [
      await lineAbout(gateway, failed),
      await lineAbout(gateway, id, { amount: 90_000_000n }),
    ]);
    expect(await findingsOf(gateway, reportId)).toEqual(['TO_APPROVE CASE', 'TO_APPROVE CASE']);
    expect(await atRisk()).toBe(0);
  });
});

const charge = (transactionId: string, amount: bigint, changes: Partial<OperatorReportLine> = {}) => ({
  occurredAt: nowOf(gateway.engine),
  direction: 'OUT' as const,
  status: 'COMPLETED' as const,
  amount: amount * 10_000n,
  currency: 'RWF',
  providerTransactionId: transactionId,
  movement: 'OPERATOR_CHARGE' as const,
  ...changes,
});
const requests = () => select(gateway, 'select kind from approvals');

describe('float movements of a report', () => {
  test('wait for the one approval of their report, which shows how many there are and what they add up to', async () => {
    const charges = Array.from({ length: 60 }, (_, n) => charge(`CHARGE-${n}`, 5n));
    const topUp = { direction: 'IN', movement: 'FLOAT_TOP_UP' } as const;
    const before = await books();
    const { reportId } = await importFile(gateway, [...charges, charge('TOP-1', 900n, topUp)]);
    expect([await requests(), await books()]).toEqual([[{ kind: 'OPERATOR_REPORT' }], before]);
    const approvalId = await approvalOfReport(gateway, reportId);
    const { shown } = (await readApproval(gateway.engine, { approvalId, whose: 'ALL' }))!;
    expect(shown).toMatchObject({ charges: '60: 300 RWF', topsUp: '1: 900 RWF' });
    const examples = await readProposals(gateway.engine, { reportId, countMax: 3 });
    expect(examples.map(({ effect }) => effect)).toEqual([
      'FLOAT_TOP_UP',
      ...Array(3).fill('OPERATOR_CHARGE'),
    ]);
    expect(await approve(approvalId)).toMatchObject({ type: 'DONE' });
    expect(new Set(await findingsOf(gateway, reportId))).toEqual(new Set(['APPLIED']));
    expect(await select(gateway, 'select count(*)::int from posted_references')).toEqual([{ count: 61 }]);
    const [had, has] = [before, await books()].map(({ FLOAT = '0' }) => Number(FLOAT));
    // Balances of what we own are below zero.
    expect(has! - had!).toBe(-600);
  });

  test('post each under its own reference, and not what was posted under it meanwhile', async () => {
    const { reportId } = await importFile(gateway, [
      charge('ONE', 5n),
      charge('TWO', 7n),
      charge('THREE', 9n),
    ]);
    const place = { provider: PROVIDER, country: 'RWA', currency: 'RWF' } as const;
    const post = (reference: string, amount: bigint) =>
      orderFloat(gateway.engine, {
        actor: { personId: null, by: 'Cleo' },
        secondApprover: 'OPTIONAL',
        movement: { type: 'OPERATOR_CHARGE', ...place, amount: amount * 10_000n, reference },
      });
    expect(await post('ONE', 5n)).toEqual({ type: 'DONE' });
    expect(await post('TWO', 8n)).toEqual({ type: 'DONE' });
    expect(await approve(await approvalOfReport(gateway, reportId))).toMatchObject({ type: 'DONE' });
    expect(await findingsOf(gateway, reportId)).toEqual(['AGREES', 'MISMATCHED', 'APPLIED']);
    const posted = 'select reference, amount::int from posted_references order by amount';
    expect(await select(gateway, posted)).toEqual([
      { reference: 'ONE', amount: 5 },
      { reference: 'TWO', amount: 8 },
      { reference: 'THREE', amount: 9 },
    ]);
  });

  test('that cannot be posted keep none of the others, and are requested again for the person who imported them', async () => {
    const { reportId } = await importFile(gateway, [charge('ONE', 5n), charge('TWO', 7n)]);
    const refuse = `create function refuse_one() returns trigger language plpgsql as $$ begin
      if new.reference = 'ONE' then raise 'refused in a test'; end if; return new; end $$;
      create trigger refuse_one before insert on posted_references for each row execute function refuse_one()`;
    await select(gateway, refuse);
    await expect(approve(await approvalOfReport(gateway, reportId))).rejects.toThrow('refused in a test');
    await select(gateway, 'drop trigger refuse_one on posted_references; drop function refuse_one()');
    expect(await findingsOf(gateway, reportId)).toEqual(['TO_APPROVE OPERATOR_CHARGE', 'APPLIED']);
    expect(await approve(await approvalOfReport(gateway, reportId))).toMatchObject({ type: 'DONE' });
    expect(await findingsOf(gateway, reportId)).toEqual(['APPLIED', 'APPLIED']);
  });
});

describe('A2: a file that cannot be read to its end', () => {
  const HEADER = 'time,direction,status,amount,currency,reference,transactionId';

  test('has no effect at all: nothing waits, nothing is held, and it covers no time', async () => {
    const [id = ''] = await deposits(1);
    const [line] = await reversed([id]);
    const strange = Array.from(
      { length: 600 },
      () => `${line!.occurredAt.toISOString()},IN,COMPLETED,10,RWF,,${randomUUID()}`,
    );
    const known = `${line!.occurredAt.toISOString()},IN,FAILED,1000,RWF,${line!.reference},`;
    const bytes = Buffer.from([HEADER, known, ...strange, '"never closed'].join('\n'));
    async function* chunks() {
      yield bytes;
    }
    const watch = { onFault: () => {}, onLines: () => {} };
    const broken = importReport(gateway.engine, {
      by: 'Ana',
      secondApprover: 'REQUIRED',
      provider: PROVIDER,
      fileHash: randomBytes(32),
      period: null,
      batches: () => readReport({ chunks: chunks(), size: bytes.length }, OWN_FORMAT, watch),
      onError: (error) => expect(error).toBe(null),
    });
    await expect(broken).rejects.toThrow('Nothing of the file was imported.');
    expect(await funds()).toBe('1000 held 0');
    expect(await select(gateway, 'select 1 from operator_report_lines')).toEqual([]);
    expect(await select(gateway, 'select 1 from operator_reports')).toEqual([]);
  });
});

/** The file is right, but the process dies after its first lines. */
const cutOff = async (lines: readonly OperatorReportLine[], by: string, fileHash = randomBytes(32)) => {
  const numbered = lines.map((line, index) => ({ lineNo: index + 2, line }));
  const dying = importReport(gateway.engine, {
    by,
    secondApprover: 'REQUIRED',
    provider: PROVIDER,
    fileHash,
    period: null,
    onError: (error) => expect(error).toBe(null),
    async *batches(pass) {
      yield numbered;
      if (pass === 'IMPORT') throw new Error('cut off');
    },
  });
  await expect(dying).rejects.toThrow('cut off');
  const [row] = await select(gateway, 'select report_id as id from operator_reports where file_hash = $1', [
    fileHash,
  ]);
  return row!['id'] as string;
};
const look = () => requestAllUnrequested(gateway.engine, { onError: (error) => expect(error).toBe(null) });
const requesters = () =>
  select(gateway, `select requested_by_name as by, subject from approvals where kind = 'OPERATOR_REPORT'`);

describe('A2: lines that wait although the process that was to ask for their approval has died', () => {
  test('are a problem, are held all the same, and are requested by the next look for the person who imported them', async () => {
    const [id = ''] = await deposits(1);
    const reportId = await cutOff(await reversed([id]), 'Ana');
    expect(await funds()).toBe('1000 held 1000');
    expect(await approvalOfReport(gateway, reportId)).toBe('no request');
    expect(await countUnrequested(gateway.engine.store.database)).toMatchObject({ count: 1 });
    await look();
    await look();
    expect(await countUnrequested(gateway.engine.store.database)).toEqual({ count: 0, oldestAt: null });
    const approvalId = await approvalOfReport(gateway, reportId);
    expect(await decideAs(gateway.engine, 'Ana', approvalId)).toEqual({ type: 'SAME_PERSON' });
    expect(await approve(approvalId)).toMatchObject({ type: 'DONE' });
    expect(await openCases()).toMatchObject([{ evidence: 'LATE_FAILURE', paymentId: id }]);
  });

  test('are requested by the next import of any file of the provider, for those who imported them', async () => {
    const ids = await deposits(2);
    const reportId = await cutOff(await reversed(ids.slice(0, 1)), 'Ana');
    const other = await importFile(gateway, await reversed(ids.slice(1)), { by: 'Cleo' });
    expect(await requesters()).toEqual(
      expect.arrayContaining([
        { by: 'Ana', subject: reportId },
        { by: 'Cleo', subject: other.reportId },
      ]),
    );
    expect(await requesters()).toHaveLength(2);
  });

  test('also where one person reads on in a file that another person’s process had begun', async () => {
    const ids = await deposits(2);
    const lines = await reversed(ids);
    const fileHash = randomBytes(32);
    const reportId = await cutOff(lines.slice(0, 1), 'Ana', fileHash);
    await cutOff(lines, 'Cleo', fileHash);
    await look();
    expect(await requesters()).toEqual([{ by: 'Ana', subject: reportId }]);
    // What Ana read is not what waits by now. It is rejected or imported again, and nothing of it is lost.
    expect(await approve(await approvalOfReport(gateway, reportId))).toMatchObject({ type: 'NOT_EXECUTED' });
    await importFile(gateway, lines, { fileHash, by: 'Cleo' });
    expect(await decideAs(gateway.engine, 'Cleo', await approvalOfReport(gateway, reportId))).toEqual({
      type: 'SAME_PERSON',
    });
    expect(await approve(await approvalOfReport(gateway, reportId))).toMatchObject({ type: 'DONE' });
    expect(await openCases()).toHaveLength(2);
  });

  test('also where an approval could not apply them', async () => {
    const [id = ''] = await deposits(1);
    const { reportId } = await importFile(gateway, await reversed([id]));
    const first = await approvalOfReport(gateway, reportId);
    await whileRefused(gateway, { table: 'cases', operation: 'insert' }, async () => {
      await expect(approve(first)).rejects.toThrow('refused in a test');
    });
    const again = await approvalOfReport(gateway, reportId);
    expect(again).not.toBe(first);
    expect(await approve(again)).toMatchObject({ type: 'DONE' });
    expect(await openCases()).toHaveLength(1);
  });

  test('a hold that cannot be made keeps no line from being requested', async () => {
    const [id = ''] = await deposits(1);
    const [line] = await reversed([id]);
    const errors: unknown[] = [];
    const { reportId } = await whileRefused(gateway, { table: 'wallet_holds', operation: 'insert' }, () =>
      importFile(gateway, [line!], { onError: (error) => void errors.push(error) }),
    );
    expect(errors).toHaveLength(1);
    expect((await countUnheldRisks(gateway.engine.store.database)).count).toBe(1);
    expect(await approve(await approvalOfReport(gateway, reportId))).toMatchObject({ type: 'DONE' });
    expect(await funds()).toBe('1000 held 1000');
  });
});

describe('A22: a FAILED line of another amount or currency', () => {
  test.each([
    ['amount', { amount: 40_000n }],
    ['currency', { currency: 'USD' }],
  ])('is a discrepancy of the completed payment: %s', async (_, changes) => {
    const [id = ''] = await deposits(1);
    const { reportId } = await importFile(gateway, [
      await lineAbout(gateway, id, { status: 'FAILED', ...changes }),
    ]);
    expect(await findingsOf(gateway, reportId)).toEqual(['TO_APPROVE CASE']);
    expect(await approve(await approvalOfReport(gateway, reportId))).toMatchObject({ type: 'DONE' });
    expect(await openCases()).toMatchObject([{ evidence: 'DISCREPANCY', paymentId: id }]);
    expect(await funds()).toBe('1000 held 1000');
  });

  test.each([
    ['amount', { amount: 40_000n }],
    ['currency', { currency: 'USD' }],
  ])(
    'holds what its case would hold as soon as it is imported, and until it is rejected: %s',
    async (_, changes) => {
      const [id = ''] = await deposits(3);
      const { reportId } = await importFile(gateway, [
        await lineAbout(gateway, id, { status: 'FAILED', ...changes }),
      ]);
      expect([await funds(), (await openCases()).length]).toEqual(['3000 held 1000', 0]);
      expect(
        await decideAs(gateway.engine, 'Ben', await approvalOfReport(gateway, reportId), 'reject'),
      ).toMatchObject({
        type: 'DONE',
      });
      await eventually(async () => {
        await release();
        return funds();
      }).toBe('3000 held 0');
    },
  );

  test('is held by its case alone once it is approved, and is free at no moment', async () => {
    const [id = ''] = await deposits(3);
    const { reportId } = await importFile(gateway, [
      await lineAbout(gateway, id, { status: 'FAILED', amount: 40_000n }),
    ]);
    expect(await approve(await approvalOfReport(gateway, reportId))).toMatchObject({ type: 'DONE' });
    expect(await funds()).toBe('3000 held 1000');
    const standing = 'select reason from wallet_holds where released_at is null';
    expect(await select(gateway, standing)).toEqual([{ reason: 'CASE' }]);
  });

  test('leaves the hold to another line that says that all was taken back, until that is decided on', async () => {
    const [id = ''] = await deposits(3);
    const all = await importFile(gateway, await reversed([id]));
    const part = await importFile(gateway, [
      await lineAbout(gateway, id, { status: 'FAILED', amount: 40_000n }),
    ]);
    expect(await funds()).toBe('3000 held 1000');
    expect(await approve(await approvalOfReport(gateway, part.reportId))).toMatchObject({ type: 'DONE' });
    expect(await release()).toBe(0);
    expect(await funds()).toBe('3000 held 2000');
    await decideAs(gateway.engine, 'Ben', await approvalOfReport(gateway, all.reportId), 'reject');
    await eventually(async () => {
      await release();
      return funds();
    }).toBe('3000 held 1000');
  });

  test('is held within the same 20 payments of an operator account as reversals', async () => {
    const ids = await deposits(22);
    const some = await linesAbout(ids.slice(0, 11), { status: 'FAILED', amount: 40_000n });
    await importFile(gateway, some);
    expect(await funds()).toBe('22000 held 11000');
    await importFile(gateway, await reversed(ids.slice(11)));
    expect(await funds()).toBe('22000 held 20000');
    expect((await countUnheldRisks(gateway.engine.store.database)).count).toBe(2);
  });
});
