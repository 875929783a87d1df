// Batches of several merchants at once: no one waits in a ring, and one bad row costs only itself.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { advance, type Advance } from '../../src/core/payments/process/advance.ts';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import {
  applyUnmatchedNotifications,
  storeNotifications,
} from '../../src/core/payments/notifications/notify.ts';
import type { DirectOrder } from '../../src/core/payments/payment-request.ts';
import { claimSubmits, claimSubmitsAlone } from '../../src/core/payments/process/submit.ts';
import type { PaymentKey } from '../../src/domain/payments/payment.ts';
import { openTestGateway, select, type TestGateway } from '../gateway.ts';

let gateway: TestGateway;
let merchants: string[];
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
  const other = await createDemoMerchant(gateway.engine, null);
  merchants = [gateway.merchantId, other.merchantId];
});
afterAll(() => gateway.stop());

async function order(merchantId: string, changes: Partial<DirectOrder> = {}): Promise<DirectOrder> {
  return {
    paymentNo: randomUUID(),
    merchant: (await gateway.engine.directory.merchant(merchantId))!,
    apiVersion: 'v2',
    writtenId: randomUUID(),
    kind: 'DEPOSIT',
    amount: 1_000_000n,
    amountText: '100',
    currency: 'RWF',
    provider: 'MTN_MOMO_RWA',
    details: { phoneNumber: '250783456789' },
    ...changes,
  };
}

/** A payment that its operator has. */
async function sent(merchantId: string, kind: 'DEPOSIT' | 'PAYOUT'): Promise<PaymentKey> {
  const one = await order(merchantId, { kind });
  expect((await initiate(gateway.engine, [one]))[0]!.type).toBe('ACCEPTED');
  const key = { merchantId, kind, paymentId: one.writtenId };
  await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
  return key;
}

const completed = (key: PaymentKey): Advance => ({
  key,
  event: { type: 'OPERATOR_ANSWERED', outcome: { type: 'COMPLETED' } },
});

test('batches that touch the same wallets in opposite ways never deadlock', async () => {
  const [a, b] = merchants as [string, string];
  const outcomes = [];
  for (let round = 0; round < 30; round += 1) {
    const one = await Promise.all([sent(a, 'DEPOSIT'), sent(b, 'PAYOUT')]);
    const two = await Promise.all([sent(b, 'DEPOSIT'), sent(a, 'PAYOUT')]);
    const batches = [one, two].map((keys) => advance(gateway.engine, keys.map(completed)));
    outcomes.push(...(await Promise.allSettled(batches)));
  }
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
});

test('a repeat of an order that was rejected in the same batch is decided on its own', async () => {
  const tooMuch = { kind: 'PAYOUT', amount: 19_999_990_000n, amountText: '1999999' } as const;
  const first = await order(merchants[0]!, tooMuch);
  const second = await order(merchants[0]!, { kind: 'PAYOUT', writtenId: first.writtenId });
  const [rejected, accepted] = await initiate(gateway.engine, [first, second]);
  expect(rejected).toMatchObject({ type: 'REJECTED', reason: { failureCode: 'WALLET_OUT_OF_FUNDS' } });
  expect(accepted).toMatchObject({ type: 'ACCEPTED' });
});

test('a stored notification that cannot be opened does not keep back those behind it', async () => {
  const connector = gateway.engine.connectors.get('simulator')!;
  const stored = await storeNotifications(
    gateway.engine,
    ['first', 'second'].map((text) => ({ connector, body: Buffer.from(text), headers: {} })),
  );
  const broken = stored[0]!.notificationId;
  await select(
    gateway,
    `update operator_notifications set encrypted_message = '\\x00' where notification_id = $1`,
    [broken],
  );
  const errors: unknown[] = [];
  const before = gateway.engine.clock.now();
  await applyUnmatchedNotifications(gateway.engine, {
    before,
    countMax: 10,
    onError: (error) => errors.push(error),
  });
  expect(errors).toHaveLength(1);
  const waiting = await select(
    gateway,
    'select notification_id from operator_notifications where applied_at is null',
  );
  expect(waiting).toEqual([{ notification_id: broken }]);
});

test('a payment that cannot be claimed stands back, and those behind it are claimed', async () => {
  const [merchantId] = merchants as [string];
  // What other tests left.
  await claimSubmits(gateway.engine, { countMax: 100 });
  const orders = await Promise.all([1, 2, 3].map(() => order(merchantId)));
  for (const one of orders) await initiate(gateway.engine, [one]);
  const [broken] = orders as [DirectOrder];
  await select(
    gateway,
    `update payments set encrypted_details = '\\x00' where payment_id = '${broken.writtenId}' returning 1`,
  );
  await expect(claimSubmits(gateway.engine, { countMax: 10 })).rejects.toThrow();
  const errors: unknown[] = [];
  const { claimed } = await claimSubmitsAlone(gateway.engine, {
    countMax: 10,
    postponeMs: 60_000,
    onError: (error) => errors.push(error),
  });
  expect(errors).toHaveLength(1);
  const others = orders.slice(1).map(({ writtenId }) => writtenId);
  expect(claimed.map(({ payment }) => payment.paymentId).toSorted()).toEqual(others.toSorted());
  // Anyone who comes next is not kept by it.
  expect(await claimSubmits(gateway.engine, { countMax: 10 })).toEqual({ count: 0, claimed: [] });
});
