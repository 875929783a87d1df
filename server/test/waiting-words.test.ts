// What a report says while it waits: refunds, manual ends and the erasure of a person ask for it.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { erasePerson } from '../src/core/encryption/erase-person.ts';
import { endPayment } from '../src/core/payments/act/end-payment.ts';
import { readCases } from '../src/core/reconciliation/resolve-cases.ts';
import type { ManualEnd } from '../src/domain/payments/outcome.ts';
import type { PaymentKey } from '../src/domain/payments/payment.ts';
import { listUnbalancedWallets } from '../src/store/ledger/ledger.ts';
import { actorNamed, decideAs } from './approvals.ts';
import { openTestGateway, select, type TestGateway } from './gateway.ts';
import { answered, HOUR_MS, OwingShop } from './owing-shop.ts';
import { approvalOfReport, findingsOf, importFile, lineAbout, pendingApprovals } from './report-files.ts';
import { payoutRequest, refundRequest } from './requests.ts';

const PHONE_NUMBER = '250783456789';
const FAILED = { type: 'FAILED', code: 'OTHER_ERROR' } as const;

let gateway: TestGateway;
let shop: OwingShop;
beforeEach(async () => {
  gateway = await openTestGateway({ role: 'api', announces: false, backlogMs: 1_000 * 24 * HOUR_MS });
  shop = await OwingShop.open(gateway);
});
afterEach(async () => {
  expect(await listUnbalancedWallets(gateway.engine.store.database)).toEqual([]);
  await gateway.stop();
});

const erase = ({ merchantId }: PaymentKey) =>
  erasePerson(gateway.engine, { by: 'Sup', merchantId, phoneNumber: PHONE_NUMBER, reason: 'asked' });
const openCases = () => readCases(gateway.engine, { onlyOpen: true });
const decide = async (reportId: string, what: 'approve' | 'reject' = 'approve') =>
  decideAs(gateway.engine, 'Ben', await approvalOfReport(gateway, reportId), what);
const texts = () =>
  select(gateway, 'select finding, encrypted_line is null as is_erased from operator_report_lines');

async function sentPayout(amount: number): Promise<PaymentKey> {
  const request = payoutRequest({ amount: String(amount) });
  expect((await shop.send('/v2/payouts', request)).body).toMatchObject({ status: 'ACCEPTED' });
  const key = {
    merchantId: shop.account.merchantId,
    kind: 'PAYOUT',
    paymentId: request['payoutId'],
  } as const;
  await shop.tell(key, { type: 'SUBMIT_CLAIMED' });
  return key;
}

async function refund({ merchantId, paymentId }: PaymentKey, amount: number) {
  const request = refundRequest(paymentId, { amount: String(amount), currency: 'RWF' });
  const { body } = await shop.send('/v2/refunds', request);
  const key = { merchantId, kind: 'REFUND', paymentId: request['refundId'] } as const;
  return { told: body['failureReason']?.failureCode ?? body['status'], key };
}

describe('A1: a person is erased while a report that names one of their payments waits', () => {
  test('that payment and the line keep what they say until the report is approved', async () => {
    const key = await shop.deposit(1000);
    await shop.deposit(5);
    const { reportId } = await importFile(gateway, [
      await lineAbout(gateway, key.paymentId, { status: 'FAILED' }),
    ]);
    expect(await erase(key)).toMatchObject({ erased: 1, open: 1 });
    expect(await texts()).toEqual([{ finding: 'TO_APPROVE', is_erased: false }]);
    expect(await decide(reportId)).toMatchObject({ type: 'DONE' });
    expect(await openCases()).toMatchObject([{ evidence: 'LATE_FAILURE', paymentId: key.paymentId }]);
    // Its case is open now; once it is resolved, the person is forgotten.
    expect(await erase(key)).toMatchObject({ erased: 0, open: 1 });
    await shop.resolve(key, 'RECOVER_FROM_MERCHANT');
    expect(await erase(key)).toMatchObject({ erased: 1, open: 0 });
    expect(await texts()).toEqual([{ finding: 'CASE', is_erased: true }]);
  });

  test('a rejected line that was erased can be read again when its file is imported again, without the number', async () => {
    const key = await shop.deposit(1000);
    const line = await lineAbout(gateway, key.paymentId, { status: 'FAILED', phoneNumber: PHONE_NUMBER });
    const fileHash = randomBytes(32);
    const { reportId } = await importFile(gateway, [line], { fileHash });
    await decide(reportId, 'reject');
    await shop.release();
    expect(await erase(key)).toMatchObject({ erased: 1, open: 0 });
    expect(await texts()).toEqual([{ finding: 'REJECTED', is_erased: true }]);
    await importFile(gateway, [line], { fileHash });
    expect(await texts()).toEqual([{ finding: 'TO_APPROVE', is_erased: false }]);
    expect(await select(gateway, 'select number_hash from operator_report_lines')).toEqual([
      { number_hash: null },
    ]);
    expect(await decide(reportId)).toMatchObject({ type: 'DONE' });
    expect(await openCases()).toMatchObject([{ evidence: 'LATE_FAILURE', paymentId: key.paymentId }]);
  });
});

describe('A8: a refund', () => {
  test('of a deposit that a waiting report says was taken back is refused until the report is decided on', async () => {
    const key = await shop.deposit(1000);
    await shop.deposit(1000);
    const { reportId } = await importFile(gateway, [
      await lineAbout(gateway, key.paymentId, { status: 'FAILED' }),
    ]);
    expect((await refund(key, 1000)).told).toBe('REFUND_IN_PROGRESS');
    expect(await decide(reportId, 'reject')).toMatchObject({ type: 'DONE' });
    expect((await refund(key, 1000)).told).toBe('ACCEPTED');
  });

  test('after one that FAILED and that a waiting report says was paid is refused until the report is decided on', async () => {
    const key = await shop.deposit(1000);
    await shop.deposit(5000);
    const first = await refund(key, 1000);
    await shop.tell(first.key, { type: 'SUBMIT_CLAIMED' });
    await shop.tell(first.key, answered(FAILED));
    const { reportId } = await importFile(gateway, [await lineAbout(gateway, first.key.paymentId)]);
    expect((await refund(key, 1000)).told).toBe('REFUND_IN_PROGRESS');
    expect(await decide(reportId)).toMatchObject({ type: 'DONE' });
    expect(await openCases()).toMatchObject([{ evidence: 'LATE_SUCCESS', kind: 'REFUND' }]);
    expect((await refund(key, 1000)).told).toBe('DEPOSIT_ALREADY_REFUNDED');
  });
});

const end = (key: PaymentKey, outcome: ManualEnd) =>
  endPayment(gateway.engine, {
    key,
    outcome,
    actor: actorNamed('Cleo'),
    secondApprover: 'REQUIRED',
    reason: 'phone call',
  });
const unclear = async () => {
  const key = await sentPayout(1000);
  await shop.tell(key, { type: 'HORIZON_PASSED' });
  return key;
};

describe('A8: a manual end of a payment about which a report waits', () => {
  test('is refused with the report, its line and who imported it; the approved report ends it', async () => {
    await shop.deposit(1000);
    const key = await unclear();
    const { reportId } = await importFile(gateway, [await lineAbout(gateway, key.paymentId)], { by: 'Ana' });
    expect(await end(key, FAILED)).toMatchObject({
      type: 'REPORT_TO_APPROVE',
      word: { reportId, lineNo: 2, effect: 'END_COMPLETED', importedBy: 'Ana' },
    });
    expect(await pendingApprovals(gateway, 'PAYMENT_END')).toEqual([]);
    expect(await decide(reportId)).toMatchObject({ type: 'DONE' });
    expect(await findingsOf(gateway, reportId)).toEqual(['APPLIED']);
    expect(await shop.payout(1000)).not.toBe('ACCEPTED');
  });

  test('that was requested before is not executed until the report is decided on, and then is', async () => {
    await shop.deposit(1000);
    const key = await unclear();
    expect(await end(key, FAILED)).toMatchObject({ type: 'REQUESTED' });
    const [approvalId = ''] = await pendingApprovals(gateway, 'PAYMENT_END');
    const { reportId } = await importFile(gateway, [await lineAbout(gateway, key.paymentId)]);
    expect(await decideAs(gateway.engine, 'Dan', approvalId)).toMatchObject({
      type: 'NOT_EXECUTED',
      because: { code: 'REPORT_TO_APPROVE', parameters: { reportId, lineNo: '2', by: 'Ana' } },
    });
    expect(await shop.funds()).toMatchObject({ posted: 1000, held: 1000 });
    await decide(reportId, 'reject');
    expect(await decideAs(gateway.engine, 'Dan', approvalId)).toMatchObject({ type: 'DONE' });
    expect(await shop.funds()).toMatchObject({ posted: 1000, held: 0 });
  });

  test('of a success is refused as well: the report may name another transaction', async () => {
    await shop.deposit(1000);
    const key = await unclear();
    await importFile(gateway, [await lineAbout(gateway, key.paymentId)]);
    const paid = { type: 'COMPLETED', providerTransactionId: 'T-1' } as const;
    expect(await end(key, paid)).toMatchObject({ type: 'REPORT_TO_APPROVE' });
  });
});
