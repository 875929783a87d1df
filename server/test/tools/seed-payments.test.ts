// Payments that `npm run dev:seed-payments` makes are as good as those that were played: the books agree, and people
// read them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomPayment, type Past } from '../../../tools/seed-payments/random-payment.ts';
import { seedPayments } from '../../../tools/seed-payments/seed.ts';
import { listTrialBalance, listUnbalancedWallets } from '../../src/store/ledger/ledger.ts';
import { openTestConsole, signedIn } from '../console/people.ts';
import { select, type TestGateway } from '../gateway.ts';

let gateway: TestGateway;
let past: Past;
beforeAll(async () => {
  gateway = await openTestConsole({ role: 'api' });
  const { engine, merchantId } = gateway;
  const order = { merchantId, count: 2_300, until: new Date(), days: 30, seed: 3, say: () => undefined };
  past = await seedPayments(engine, order);
});
afterAll(() => gateway.stop());

test('the books of what was seeded are in order', async () => {
  const { database } = gateway.engine.store;
  expect(await listUnbalancedWallets(database)).toEqual([]);
  const byCurrency = Map.groupBy(await listTrialBalance(database), ({ currency }) => currency);
  for (const rows of byCurrency.values()) {
    expect(rows.reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n);
  }
  const [counts] = await select(
    gateway,
    `select count(*)::int as all, count(distinct kind)::int as kinds, count(distinct state)::int as states
     from payments`,
  );
  // The newest two are in progress.
  expect(counts).toEqual({ all: past.count, kinds: 4, states: 4 });
});

test('a refund names a deposit that was completed, and is not more than it', async () => {
  const wrong = await select(
    gateway,
    `select r.payment_id from payments r left join payments d
       on d.merchant_id = r.merchant_id and d.kind = 'DEPOSIT' and d.payment_id = r.deposit_id
     where r.kind = 'REFUND' and (d.state is distinct from 'COMPLETED' or r.amount > d.amount)`,
  );
  expect(wrong).toEqual([]);
});

test('what was seeded is found and told like any other payment', async () => {
  const support = await signedIn(gateway, 'SUPPORT');
  const seeded = randomPayment(1_000, past);
  const list = `api/merchants/${gateway.merchantId}/payments`;
  const { body } = await support.call('GET', `${list}?search=${seeded.details.clientReferenceId}`);
  expect(body.payments).toMatchObject([{ paymentId: seeded.paymentId, amount: seeded.amountText }]);
  const revealed = await support.call('POST', `${list}/${seeded.kind}/${seeded.paymentId}/reveal`);
  expect(revealed.body).toMatchObject({ state: seeded.state, phoneNumber: seeded.details.phoneNumber });
  expect(revealed.body.events).toHaveLength(seeded.eventCount);
});
