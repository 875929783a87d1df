// What merchants owe for deposits that their operator took back: what is collected for which, what comes back when a
// debt is forgiven, and that nothing is collected from money that must not leave yet.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setFee } from '../src/store/merchants/merchants.ts';
import { listTrialBalance, listUnbalancedWallets } from '../src/store/ledger/ledger.ts';
import { inTransaction } from '../src/store/database.ts';
import { openTestGateway, payer, select, type TestGateway } from './gateway.ts';
import { completed, francs, HOUR_MS, OwingShop } from './owing-shop.ts';

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
    expect(await shop.funds()).toEqual({ posted: 300, held: 200, owed: 300 });
    // What is owed and not held must stay.
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
