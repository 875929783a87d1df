// What merchants owe for deposits that their operator took back: what is collected for which, what comes back when a
// debt is forgiven, and that nothing is collected from money that must not leave yet.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeMissingFollowUps } from '../src/core/payments/process/make-missing-follow-ups.ts';
import type { PaymentKey } from '../src/domain/payments/payment.ts';
import { countUnheldRisks } from '../src/store/reconciliation/reports-to-approve.ts';
import { setFee } from '../src/store/merchants/merchants.ts';
import { listTrialBalance, listUnbalancedWallets } from '../src/store/ledger/ledger.ts';
import { inTransaction } from '../src/store/database.ts';
import { decideAs } from './approvals.ts';
import { call, openTestGateway, payer, select, type TestGateway } from './gateway.ts';
import { answered, completed, francs, HOUR_MS, OwingShop } from './owing-shop.ts';
import { setAvailability } from './payments.ts';
import { whileRefused } from './refused-writes.ts';
import { approvalOfReport, importFile, lineAbout } from './report-files.ts';
import { payoutRequest, refundRequest } from './requests.ts';

let gateway: TestGateway;
let shop: OwingShop;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api', announces: false, backlogMs: 1_000 * 24 * HOUR_MS });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  shop = await OwingShop.open(gateway);
});
afterEach(async () => {
  const { database } = gateway.engine.store;
  const totals = (await listTrialBalance(database)).reduce((sum, { balance }) => sum + balance, 0n);
  expect(totals).toBe(0n);
  expect(await listUnbalancedWallets(database)).toEqual([]);
});

describe('M10: two debts of one wallet', () => {
  test('are paid oldest first, and the write-off of one gives back what was collected for it, which pays the other', async () => {
    const [first, second] = await shop.owe(1_000, 500);
    const credit = await shop.deposit(1_000);
    expect(await shop.debts()).toEqual([
      { amount: 1_000, paid: 1_000, forgiven: 0 },
      { amount: 500, paid: 0, forgiven: 0 },
    ]);
    expect(await shop.transfers(credit)).toEqual([
      'SETTLE FLOAT > WALLET 1000',
      'COLLECT WALLET > RECEIVABLE 1000',
    ]);
    await shop.resolve(first!, 'WRITE_OFF');
    expect((await shop.transfers(first!)).slice(-3)).toEqual([
      'WRITE_OFF WRITE_OFF > RECEIVABLE 1000',
      'WRITE_OFF RECEIVABLE > WALLET 1000',
      'COLLECT WALLET > RECEIVABLE 500',
    ]);
    expect(await shop.debts()).toEqual([
      { amount: 1_000, paid: 0, forgiven: 1_000 },
      { amount: 500, paid: 500, forgiven: 0 },
    ]);
    expect(await shop.funds()).toEqual({ posted: 500, held: 0, owed: 0 });
    await shop.resolve(second!, 'RECOVER_FROM_MERCHANT');
    expect(await shop.funds()).toEqual({ posted: 500, held: 0, owed: 0 });
  });

  test('cost the merchant the same in the other order', async () => {
    const [first, second] = await shop.owe(1_000, 500);
    await shop.deposit(1_000);
    await shop.resolve(second!, 'RECOVER_FROM_MERCHANT');
    expect((await shop.funds()).owed).toBe(500);
    await shop.resolve(first!, 'WRITE_OFF');
    expect(await shop.funds()).toEqual({ posted: 500, held: 0, owed: 0 });
  });

  test.each(['WRITE_OFF', 'REVERSE_EVIDENCE'] as const)(
    'leave the other one as it is when %s ends the one that nothing was collected for',
    async (resolution) => {
      const [, second] = await shop.owe(1_000, 500);
      await shop.deposit(700);
      await shop.resolve(second!, resolution);
      expect(await shop.debts()).toEqual([
        { amount: 1_000, paid: 700, forgiven: 0 },
        { amount: 500, paid: 0, forgiven: 500 },
      ]);
      expect((await shop.funds()).owed).toBe(300);
    },
  );

  test('are recovered each for itself, and what is left of each stays owed', async () => {
    const [first, second] = await shop.owe(1_000, 500);
    await shop.deposit(700);
    await shop.resolve(second!, 'RECOVER_FROM_MERCHANT');
    await shop.resolve(first!, 'RECOVER_FROM_MERCHANT');
    expect((await shop.funds()).owed).toBe(800);
    await shop.deposit(900);
    expect(await shop.debts()).toEqual([
      { amount: 1_000, paid: 1_000, forgiven: 0 },
      { amount: 500, paid: 500, forgiven: 0 },
    ]);
    expect(await shop.funds()).toEqual({ posted: 100, held: 0, owed: 0 });
  });

  test('are paid by as many credits as come at the same time, and never twice', async () => {
    await shop.owe(1_000, 500);
    await Promise.all(Array.from({ length: 8 }, () => shop.deposit(250)));
    expect(await shop.debts()).toEqual([
      { amount: 1_000, paid: 1_000, forgiven: 0 },
      { amount: 500, paid: 500, forgiven: 0 },
    ]);
    expect(await shop.funds()).toEqual({ posted: 500, held: 0, owed: 0 });
  });

  test('end the hold of the one that is paid, and not of the other', async () => {
    const first = await shop.deposit(100);
    await shop.reverse(first);
    const second = await shop.deposit(300);
    expect(await shop.funds()).toEqual({ posted: 300, held: 100, owed: 0 });
    await shop.reverse(second);
    expect(await shop.funds()).toEqual({ posted: 300, held: 300, owed: 300 });
    expect(await shop.release()).toBe(1);
    // What the hold of the first leaves pays what no hold covers of the second.
    expect(await shop.funds()).toEqual({ posted: 200, held: 200, owed: 200 });
    expect(await shop.payout(5)).toBe('WALLET_OUT_OF_FUNDS');
  });
});

describe('M5: a manually completed deposit while the merchant owes', () => {
  test('stays whole until its hold ends, and then pays the debt in the same transaction', async () => {
    const first = await shop.deposit(500);
    await shop.reverse(first);
    expect(await shop.funds()).toEqual({ posted: 500, held: 500, owed: 500 });
    const manual = await shop.manualDeposit(500);
    expect(await shop.funds()).toEqual({ posted: 1_000, held: 1_000, owed: 500 });
    expect(await shop.release()).toBe(0);
    expect(await shop.payout(500)).toBe('WALLET_OUT_OF_FUNDS');
    expect(await shop.pass(23)).toBe(0);
    // First the deposit's, and with the debt that it pays the reversal's.
    expect(await shop.pass(2)).toBe(2);
    expect(await shop.funds()).toEqual({ posted: 500, held: 0, owed: 0 });
    expect(await shop.transfers(manual)).toEqual([
      'SETTLE FLOAT > WALLET 500',
      'COLLECT WALLET > RECEIVABLE 500',
    ]);
    const [times] = await select(
      gateway,
      `select count(distinct at)::int as times from (
         select released_at as at from wallet_holds where payment_id = $1 union all
         select created_at from transfers where template = 'COLLECT' and merchant_id = $2) ends`,
      [manual.paymentId, shop.account.merchantId],
    );
    expect(times).toEqual({ times: 1 });
    expect(await shop.payout(500)).toBe('ACCEPTED');
  });

  test('holds all that it brought, less its fee', async () => {
    await shop.owe(500);
    const { merchantId } = shop.account;
    const fee = { basisPoints: 0, fixed: francs(20) };
    const price = {
      merchantId,
      provider: 'MTN_MOMO_RWA',
      operation: 'DEPOSIT',
      currency: 'RWF',
      fee,
    } as const;
    await setFee(gateway.engine.store.database, price);
    await shop.manualDeposit(300);
    expect(await shop.funds()).toEqual({ posted: 280, held: 280, owed: 500 });
    await shop.pass(25);
    expect(await shop.funds()).toEqual({ posted: 0, held: 0, owed: 220 });
  });

  test('pays nothing of what it turns out not to have brought', async () => {
    const first = await shop.deposit(500);
    await shop.reverse(first);
    const manual = await shop.manualDeposit(500);
    await shop.reverse(manual);
    expect(await shop.funds()).toEqual({ posted: 1_000, held: 1_000, owed: 1_000 });
    expect(await shop.payout(5)).toBe('WALLET_OUT_OF_FUNDS');
    await shop.resolve(manual, 'RECOVER_FROM_MERCHANT');
    expect(await shop.funds()).toEqual({ posted: 500, held: 500, owed: 500 });
    await shop.pass(25);
    expect(await shop.funds()).toEqual({ posted: 500, held: 500, owed: 500 });
    await shop.resolve(first, 'RECOVER_FROM_MERCHANT');
    expect(await shop.funds()).toEqual({ posted: 0, held: 0, owed: 0 });
  });

  test('beside another one pays with both, each when its own hold ends', async () => {
    await shop.owe(600);
    await shop.manualDeposit(500);
    await shop.pass(12);
    await shop.manualDeposit(300);
    expect(await shop.funds()).toEqual({ posted: 800, held: 800, owed: 600 });
    expect(await shop.pass(13)).toBe(1);
    expect(await shop.funds()).toEqual({ posted: 300, held: 300, owed: 100 });
    expect(await shop.pass(12)).toBe(1);
    expect(await shop.funds()).toEqual({ posted: 200, held: 0, owed: 0 });
  });

  test('pays a debt that began during its hold too, the oldest first', async () => {
    const [early, late] = await shop.spentDeposits(100, 700);
    await shop.reverse(early!);
    await shop.manualDeposit(500);
    await shop.reverse(late!);
    expect(await shop.funds()).toEqual({ posted: 500, held: 500, owed: 800 });
    // What comes in meanwhile by the operator's word pays at once.
    await shop.deposit(50);
    expect(await shop.funds()).toEqual({ posted: 500, held: 500, owed: 750 });
    await shop.pass(25);
    expect(await shop.debts()).toEqual([
      { amount: 100, paid: 100, forgiven: 0 },
      { amount: 700, paid: 450, forgiven: 0 },
    ]);
    expect(await shop.funds()).toEqual({ posted: 0, held: 0, owed: 250 });
    for (const key of [early, late]) await shop.resolve(key!, 'WRITE_OFF');
    expect(await shop.funds()).toEqual({ posted: 550, held: 0, owed: 0 });
  });

  test('lets payouts use other money meanwhile, and not a franc of its own', async () => {
    await shop.owe(100);
    await shop.manualDeposit(500);
    await shop.deposit(400);
    expect(await shop.funds()).toEqual({ posted: 800, held: 500, owed: 0 });
    expect(await shop.payout(301)).toBe('WALLET_OUT_OF_FUNDS');
    expect(await shop.payout(300)).toBe('ACCEPTED');
    await shop.pass(25);
    expect(await shop.funds()).toEqual({ posted: 800, held: 300, owed: 0 });
  });

  test('pays for its own discrepancy, and what that leaves stays held until its time is over', async () => {
    await shop.owe(200);
    const manual = await shop.manualDeposit(500);
    await shop.differ(manual, 450);
    expect(await shop.funds()).toEqual({ posted: 500, held: 500, owed: 200 });
    await shop.resolve(manual, 'RECOVER_FROM_MERCHANT', 50);
    expect(await shop.funds()).toEqual({ posted: 450, held: 450, owed: 200 });
    expect(await shop.payout(5)).toBe('WALLET_OUT_OF_FUNDS');
    expect(await shop.pass(23)).toBe(0);
    expect(await shop.pass(2)).toBe(1);
    expect(await shop.funds()).toEqual({ posted: 250, held: 0, owed: 0 });
  });

  test('stays held for a second discrepancy when the first one is recovered', async () => {
    const manual = await shop.manualDeposit(500);
    await shop.differ(manual, 450);
    await shop.differ(manual, 440);
    await shop.resolve(manual, 'RECOVER_FROM_MERCHANT', 60);
    await shop.pass(25);
    expect(await shop.funds()).toEqual({ posted: 440, held: 440, owed: 0 });
    await shop.resolve(manual, 'RECOVER_FROM_MERCHANT', 40);
    await shop.release();
    expect(await shop.funds()).toEqual({ posted: 400, held: 0, owed: 0 });
  });

  test('as the collection of a split payment pays with what its payouts leave, when its hold ends', async () => {
    await shop.owe(500);
    const splitPaymentId = randomUUID();
    const recipient = payer('MTN_MOMO_RWA', '250783456789');
    const splits = [{ payoutId: randomUUID(), amount: '600', recipient }];
    const split = { splitPaymentId, amount: '1000', currency: 'RWF', payer: recipient, splits };
    expect((await shop.send('/v2/split-payments', split)).body).toMatchObject({ status: 'ACCEPTED' });
    const key = { merchantId: shop.account.merchantId, kind: 'DEPOSIT', paymentId: splitPaymentId } as const;
    await shop.tell(key, { type: 'SUBMIT_CLAIMED' });
    await shop.tell(key, { type: 'HORIZON_PASSED' });
    await shop.endManually(key, completed());
    expect(await shop.funds()).toEqual({ posted: 1_000, held: 1_000, owed: 500 });
    await shop.pass(25);
    expect(await shop.funds()).toEqual({ posted: 600, held: 600, owed: 100 });
  });

  test('is not released when a discrepancy is opened while the release waits for it', async () => {
    const manual = await shop.manualDeposit(500);
    const { merchantId, kind, paymentId } = manual;
    await gateway.gateway.movableClock!.move(25 * HOUR_MS);
    let released: Promise<number> | undefined;
    await inTransaction(gateway.engine.store.database, async (tx) => {
      const of = [merchantId, kind, paymentId];
      await tx.query(
        'select 1 from payments where (merchant_id, kind, payment_id) = ($1, $2, $3) for update',
        of,
      );
      released = shop.release();
      // The release has found what is due, and waits for the payment.
      const waiting = `select 1 from pg_locks l where not granted and locktype in ('tuple', 'transactionid')`;
      await expect.poll(async () => (await tx.query(waiting)).rowCount).toBeGreaterThan(0);
      await tx.query(
        `insert into cases (case_id, merchant_id, kind, payment_id, evidence, opened_at)
         values (gen_random_uuid(), $1, $2, $3, 'DISCREPANCY', now())`,
        of,
      );
    });
    expect(await released).toBe(0);
    expect(await shop.funds()).toEqual({ posted: 500, held: 500, owed: 0 });
  });
});

/** A payout that its operator has. */
async function sentPayout(amount: number): Promise<PaymentKey> {
  const key = await acceptedPayout(amount);
  await shop.tell(key, { type: 'SUBMIT_CLAIMED' });
  return key;
}

async function acceptedPayout(amount: number): Promise<PaymentKey> {
  const request = payoutRequest({ amount: String(amount) });
  expect((await shop.send('/v2/payouts', request)).body['failureReason']).toBe(undefined);
  return { merchantId: shop.account.merchantId, kind: 'PAYOUT', paymentId: request['payoutId'] };
}

/** A payout that waits for its provider, and that its merchant can cancel. */
async function parkedPayout(amount: number): Promise<PaymentKey> {
  await setAvailability(gateway, 'payout', 'DELAYED');
  const key = await acceptedPayout(amount);
  await setAvailability(gateway, 'payout', 'OPERATIONAL');
  return key;
}

async function cancel({ paymentId }: PaymentKey): Promise<void> {
  const { status } = await call(shop.account, 'POST', `/v2/payouts/fail-enqueued/${paymentId}`);
  expect(status).toBe(200);
}

/** How a refund of a deposit is answered: the failure code, or how it was accepted. */
async function refund({ paymentId }: PaymentKey, amount: number): Promise<string> {
  const request = refundRequest(paymentId, { amount: String(amount), currency: 'RWF' });
  const { body } = await shop.send('/v2/refunds', request);
  return body['failureReason']?.failureCode ?? body['status'];
}

/** A payout of which the operator first says that it failed, and then that it made it. */
async function lateSuccess(amount: number): Promise<PaymentKey> {
  const key = await sentPayout(amount);
  await shop.tell(key, answered({ type: 'FAILED', code: 'OTHER_ERROR' }));
  return key;
}

const paid = (moved?: number) =>
  answered({
    ...completed(),
    ...(moved !== undefined && { moved: { amount: francs(moved), currency: 'RWF' } }),
  });

const wants = () =>
  select(
    gateway,
    `select reason, wanted::float8 as wanted, amount::float8 as held from wallet_holds
     where merchant_id = $1 and released_at is null order by held_at, hold_id`,
    [shop.account.merchantId],
  );

describe('Holds: what becomes available', () => {
  test('by cancelling a payout in which funds were parked pays what the reversal left owed, and no refund takes it', async () => {
    const [a, b] = [await shop.deposit(1_000), await shop.deposit(1_000)];
    const first = await sentPayout(1_000);
    await shop.tell(first, paid());
    const parked = await parkedPayout(1_000);
    await shop.reverse(b);
    expect(await shop.funds()).toEqual({ posted: 1_000, held: 1_000, owed: 1_000 });
    await cancel(parked);
    expect(await shop.funds()).toEqual({ posted: 0, held: 0, owed: 0 });
    expect(await refund(a, 1_000)).toBe('WALLET_OUT_OF_FUNDS');
    await shop.resolve(b, 'WRITE_OFF');
    expect(await shop.funds()).toEqual({ posted: 1_000, held: 0, owed: 0 });
  });

  test('by cancelling a payout in which funds were parked fills the hold of a late success', async () => {
    await shop.deposit(2_000);
    const key = await lateSuccess(1_000);
    const parked = await parkedPayout(2_000);
    await shop.tell(key, paid());
    expect(await wants()).toEqual([{ reason: 'CASE', wanted: 1_000, held: 0 }]);
    await cancel(parked);
    expect(await shop.funds()).toEqual({ posted: 2_000, held: 1_000, owed: 0 });
    expect(await shop.payout(1_001)).toBe('WALLET_OUT_OF_FUNDS');
    await shop.resolve(key, 'RECOVER_FROM_MERCHANT');
    expect(await shop.funds()).toEqual({ posted: 1_000, held: 0, owed: 0 });
  });

  test('fills a case that was opened with an empty wallet, from several later deposits, and no further', async () => {
    await shop.deposit(1_000);
    const key = await lateSuccess(1_000);
    const again = await sentPayout(1_000);
    await shop.tell(again, paid());
    await shop.tell(key, paid());
    expect(await shop.funds()).toEqual({ posted: 0, held: 0, owed: 0 });
    await shop.deposit(400);
    expect(await shop.payout(400)).toBe('WALLET_OUT_OF_FUNDS');
    await Promise.all([shop.deposit(300), shop.deposit(300), shop.deposit(300)]);
    expect(await shop.funds()).toEqual({ posted: 1_300, held: 1_000, owed: 0 });
    expect(await wants()).toEqual([{ reason: 'CASE', wanted: 1_000, held: 1_000 }]);
    await shop.resolve(key, 'WRITE_OFF');
    expect(await shop.funds()).toEqual({ posted: 1_300, held: 0, owed: 0 });
  });

  test('fills the hold of a reported reversal that was partial, which counts as unheld until then', async () => {
    const { database } = gateway.engine.store;
    const key = await shop.deposit(1_000);
    const leaving = await sentPayout(999);
    const before = await countUnheldRisks(database);
    const { reportId } = await importFile(gateway, [
      await lineAbout(gateway, key.paymentId, { status: 'FAILED' }),
    ]);
    expect(await wants()).toEqual([{ reason: 'REPORTED_REVERSAL', wanted: 1_000, held: 1 }]);
    expect((await countUnheldRisks(database)).count).toBe(before.count + 1);
    await shop.tell(leaving, paid());
    await shop.deposit(5_000);
    expect(await shop.funds()).toEqual({ posted: 5_001, held: 1_000, owed: 0 });
    expect((await countUnheldRisks(database)).count).toBe(before.count);
    expect(await shop.payout(4_002)).toBe('WALLET_OUT_OF_FUNDS');
    await decideAs(gateway.engine, 'Ben', await approvalOfReport(gateway, reportId), 'reject');
    await shop.release();
    expect(await shop.funds()).toEqual({ posted: 5_001, held: 0, owed: 0 });
  });

  test('by one hold that ends fills the others, the oldest first', async () => {
    await shop.deposit(900);
    const keys = [await lateSuccess(900), await lateSuccess(600), await lateSuccess(500)];
    for (const key of keys) await shop.tell(key, paid());
    expect((await wants()).map(({ held }) => held)).toEqual([900, 0, 0]);
    await shop.resolve(keys[0]!, 'WRITE_OFF');
    expect((await wants()).map(({ held }) => held)).toEqual([600, 300]);
    expect(await shop.payout(5)).toBe('WALLET_OUT_OF_FUNDS');
    await shop.resolve(keys[2]!, 'WRITE_OFF');
    expect(await shop.funds()).toEqual({ posted: 900, held: 600, owed: 0 });
  });

  test('pays debts before it fills holds', async () => {
    await shop.deposit(700);
    const late = await lateSuccess(700);
    const leaving = await sentPayout(700);
    await shop.tell(leaving, paid());
    await shop.owe(300);
    await shop.tell(late, paid());
    await shop.deposit(500);
    expect(await shop.funds()).toEqual({ posted: 200, held: 200, owed: 0 });
  });
});

describe('Holds: a refund', () => {
  test('uses no money that must stay for what is owed, at its acceptance and at its sending', async () => {
    const a = await shop.deposit(1_000);
    const [spent] = await shop.spentDeposits(800);
    const request = refundRequest(a.paymentId, { amount: '1000', currency: 'RWF' });
    expect((await shop.send('/v2/refunds', request)).body).toMatchObject({ status: 'ACCEPTED' });
    const key = { merchantId: a.merchantId, kind: 'REFUND', paymentId: request['refundId'] } as const;
    await shop.reverse(spent!);
    await shop.tell(key, { type: 'SUBMIT_CLAIMED' });
    const stateOf = async () =>
      (await select(gateway, 'select state from payments where payment_id = $1', [key.paymentId]))[0]![
        'state'
      ];
    expect(await stateOf()).toBe('ENQUEUED');
    expect((await call(shop.account, 'POST', `/v2/refunds/fail-enqueued/${key.paymentId}`)).status).toBe(200);
    expect(await stateOf()).toBe('FAILED');
    expect(await shop.funds()).toEqual({ posted: 200, held: 0, owed: 0 });
    expect(await refund(a, 1_000)).toBe('WALLET_OUT_OF_FUNDS');
  });
});

describe('Holds: a deposit that people ended as COMPLETED and that a report reverses', () => {
  test('stays held for as long as the report waits', async () => {
    const key = await shop.manualDeposit(500);
    const { reportId } = await importFile(gateway, [
      await lineAbout(gateway, key.paymentId, { status: 'FAILED' }),
    ]);
    expect(await shop.pass(25)).toBe(0);
    expect(await shop.payout(5)).toBe('WALLET_OUT_OF_FUNDS');
    // Of other money nothing is held for it.
    await shop.deposit(100);
    expect(await shop.funds()).toEqual({ posted: 600, held: 500, owed: 0 });
    expect(await decideAs(gateway.engine, 'Ben', await approvalOfReport(gateway, reportId))).toMatchObject({
      type: 'DONE',
    });
    expect(await shop.payout(600)).toBe('WALLET_OUT_OF_FUNDS');
    await shop.release();
    expect((await shop.funds()).owed).toBe(0);
  });

  test('is free when the report is rejected and its time is over', async () => {
    const key = await shop.manualDeposit(500);
    const { reportId } = await importFile(gateway, [
      await lineAbout(gateway, key.paymentId, { status: 'FAILED' }),
    ]);
    await shop.pass(25);
    await decideAs(gateway.engine, 'Ben', await approvalOfReport(gateway, reportId), 'reject');
    expect(await shop.release()).toBe(1);
    expect(await shop.funds()).toEqual({ posted: 500, held: 0, owed: 0 });
  });
});

describe('Holds: what an outgoing payment took', () => {
  test('beyond what is reserved is held while nobody knows how it ended, and all of it when it FAILED', async () => {
    await shop.deposit(10_000);
    const key = await sentPayout(1_000);
    await shop.tell(key, paid(5_000));
    expect(await shop.funds()).toEqual({ posted: 10_000, held: 5_000, owed: 0 });
    expect(await shop.payout(9_000)).toBe('WALLET_OUT_OF_FUNDS');
    await shop.endManually(key, { type: 'FAILED', code: 'OTHER_ERROR' });
    expect(await shop.funds()).toEqual({ posted: 10_000, held: 5_000, owed: 0 });
    expect(await wants()).toEqual([{ reason: 'CASE', wanted: 5_000, held: 5_000 }]);
  });

  test('by a second transaction is held as a whole, however much that moved', async () => {
    await shop.deposit(10_000);
    const key = await sentPayout(1_000);
    await shop.tell(key, paid());
    await shop.tell(key, paid(5_000));
    expect(await shop.funds()).toEqual({ posted: 9_000, held: 5_000, owed: 0 });
  });

  test('by a transaction that is not the one which ended it is held as a whole', async () => {
    await shop.deposit(10_000);
    const key = await sentPayout(1_000);
    await shop.tell(key, paid(900));
    expect((await shop.funds()).held).toBe(1_000);
    await shop.endManually(key, completed());
    expect(await shop.funds()).toEqual({ posted: 9_000, held: 900, owed: 0 });
  });
});

const refused = <Result>(act: () => Promise<Result>) =>
  whileRefused(gateway, { table: 'wallet_holds', operation: 'insert' }, act);

async function makeMissing(): Promise<void> {
  await gateway.gateway.movableClock!.move(61_000);
  await makeMissingFollowUps(gateway.engine, {
    countMax: 100,
    onError: (error) => {
      throw error;
    },
  });
}

describe('Holds: one that could not be made', () => {
  test('keeps its amount in the wallet, and is made whole', async () => {
    await shop.deposit(2_000);
    const key = await lateSuccess(1_000);
    await refused(() => shop.tell(key, paid()));
    expect(await wants()).toEqual([]);
    expect(await shop.payout(1_001)).toBe('WALLET_OUT_OF_FUNDS');
    expect(await shop.payout(1_000)).toBe('ACCEPTED');
    await makeMissing();
    expect(await wants()).toEqual([{ reason: 'CASE', wanted: 1_000, held: 1_000 }]);
  });

  test('keeps wanting what it does not find when it is made', async () => {
    await shop.deposit(1_000);
    const key = await lateSuccess(1_000);
    const leaving = await sentPayout(600);
    await refused(() => shop.tell(key, paid()));
    await shop.tell(leaving, paid());
    await makeMissing();
    expect(await wants()).toEqual([{ reason: 'CASE', wanted: 1_000, held: 400 }]);
    await shop.deposit(700);
    expect(await shop.funds()).toEqual({ posted: 1_100, held: 1_000, owed: 0 });
  });

  test('of a manual deposit keeps its money from debts and payouts', async () => {
    await shop.owe(500);
    await refused(() => shop.manualDeposit(500));
    expect(await shop.payout(5)).toBe('WALLET_OUT_OF_FUNDS');
    await shop.deposit(10);
    expect(await shop.funds()).toEqual({ posted: 500, held: 0, owed: 490 });
    await makeMissing();
    expect(await shop.funds()).toEqual({ posted: 500, held: 500, owed: 490 });
    await shop.pass(25);
    expect(await shop.funds()).toEqual({ posted: 10, held: 0, owed: 0 });
  });

  test.each(['WRITE_OFF', 'RECOVER_FROM_MERCHANT'] as const)(
    'is wanted no more when its case is resolved: %s',
    async (resolution) => {
      await shop.deposit(5_000);
      const key = await lateSuccess(1_000);
      await refused(() => shop.tell(key, paid()));
      await shop.resolve(key, resolution);
      await makeMissing();
      expect(await wants()).toEqual([]);
      const posted = resolution === 'WRITE_OFF' ? 5_000 : 4_000;
      expect(await shop.funds()).toEqual({ posted, held: 0, owed: 0 });
      expect(await shop.payout(posted)).toBe('ACCEPTED');
    },
  );
});
