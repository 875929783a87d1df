// Batches of payouts take turns, whatever is wrong with one of them.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { preparePayouts } from '../../src/core/payout-batches/prepare-payouts.ts';
import { sendNextLot } from '../../src/core/payout-batches/send-payouts.ts';
import { openTestGateway, select, type TestGateway } from '../gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());

const LEASE_MS = 60_000;

/** Prepared, below the limit that needs an approval, and due. */
async function dueBatch(merchantId: string, amounts: readonly string[]): Promise<string> {
  const { engine } = gateway;
  const { batchId, faults } = await preparePayouts(engine, {
    merchant: (await engine.directory.merchant(merchantId))!,
    actor: { personId: randomUUID(), by: 'Ana' },
    source: 'FILE',
    apiVersion: 'v2',
    title: randomUUID(),
    faults: [],
    repeatsAreMeant: true,
    hostLimits: new Map([['RWF', 10n ** 12n]]),
    payouts: amounts.map((amountText, index) => ({
      rowNo: index + 1,
      payout: { amountText, currency: 'RWF', provider: null, phoneNumber: '250783456789' },
    })),
  } as never);
  expect(faults).toEqual([]);
  await select(
    gateway,
    `update payout_batches set status = 'SENDING', next_send_at = $2::timestamptz, sent_at = $2
     where batch_id = $1`,
    [batchId, engine.clock.now()],
  );
  return batchId!;
}

async function breakRow(batchId: string, rowNo: number): Promise<void> {
  await select(gateway, 'alter table payout_batch_rows disable trigger user');
  await select(
    gateway,
    `update payout_batch_rows set encrypted_order = 'x' where batch_id = $1 and row_no = $2`,
    [batchId, rowNo],
  );
  await select(gateway, 'alter table payout_batch_rows enable trigger user');
}

async function progressOf(batchId: string) {
  const [row] = await select(
    gateway,
    'select status, accepted_count as accepted, next_send_at from payout_batches where batch_id = $1',
    [batchId],
  );
  return {
    status: row!['status'],
    accepted: row!['accepted'],
    nextSendAt: row!['next_send_at'] as Date | null,
  };
}

describe('A12: a batch with a row that cannot be read', () => {
  test('A12: a batch with a row that cannot be read stands back for its lease, and the batches of all merchants behind it are sent', async () => {
    const other = await createDemoMerchant(gateway.engine, null);
    const bad = await dueBatch(gateway.merchantId, ['101', '102']);
    const good = await dueBatch(gateway.merchantId, ['103']);
    const foreign = await dueBatch(other.merchantId, ['104']);
    await breakRow(bad, 2);
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const { now } = gateway.engine.clock;
    const startedAt = now().getTime();
    const send = () => sendNextLot(gateway.engine, { countMax: 50, leaseMs: LEASE_MS, onError });
    for (let round = 0; round < 10; round += 1) await send().catch(onError);
    expect(await progressOf(good)).toMatchObject({ status: 'DONE', accepted: 1 });
    expect(await progressOf(foreign)).toMatchObject({ status: 'DONE', accepted: 1 });
    // It harms only itself: one error, nothing of it sent, and it is due again when its lease is over.
    expect(errors.length).toBe(1);
    const { status, accepted, nextSendAt } = await progressOf(bad);
    expect({ status, accepted }).toEqual({ status: 'SENDING', accepted: 0 });
    expect(nextSendAt!.getTime()).toBeGreaterThanOrEqual(startedAt + LEASE_MS);
  });

  test('A12: a batch with a row that cannot be read is sent after its row was repaired, when its lease is over, and pays each recipient once', async () => {
    const batchId = await dueBatch(gateway.merchantId, ['105', '106']);
    const [kept] = await select(
      gateway,
      'select encrypted_order from payout_batch_rows where batch_id = $1 and row_no = 1',
      [batchId],
    );
    await breakRow(batchId, 1);
    const options = { countMax: 50, leaseMs: LEASE_MS, onError: () => undefined };
    await sendNextLot(gateway.engine, options);
    expect(await progressOf(batchId)).toMatchObject({ accepted: 0 });
    await select(gateway, 'alter table payout_batch_rows disable trigger user');
    await select(
      gateway,
      'update payout_batch_rows set encrypted_order = $2 where batch_id = $1 and row_no = 1',
      [batchId, kept!['encrypted_order']],
    );
    await select(gateway, 'alter table payout_batch_rows enable trigger user');
    await gateway.gateway.movableClock!.move(LEASE_MS + 1_000);
    for (let round = 0; round < 5; round += 1) await sendNextLot(gateway.engine, options);
    expect(await progressOf(batchId)).toMatchObject({ status: 'DONE', accepted: 2 });
    const payouts = await select(
      gateway,
      `select 1 from payments join payout_batch_rows on payment_id = payout_id where batch_id = $1`,
      [batchId],
    );
    expect(payouts.length).toBe(2);
  });
});
