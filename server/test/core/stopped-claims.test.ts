// What is not claimed although it is due: payments of a suspended merchant, refunds of a deposit that was taken back.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { askedByCommand } from '../../src/core/approvals/request.ts';
import { changeAvailability } from '../../src/core/merchants/administer-merchants.ts';
import { resumeMerchant, suspendMerchant } from '../../src/core/merchants/suspension.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import { readAuditLog } from '../../src/core/audit.ts';
import { cancelUnsent } from '../../src/core/payout-batches/cancel-unsent.ts';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import { permissionFor } from '../../src/core/operators/operator-calls.ts';
import { beginRecovery, endRecovery } from '../../src/core/recovery/recover.ts';
import { release } from '../../src/core/payments/process/release.ts';
import { claimSubmits } from '../../src/core/payments/process/submit.ts';
import type { PaymentKey, PaymentKind } from '../../src/domain/payments/payment.ts';
import { inTransaction } from '../../src/store/database.ts';
import { lockMerchantRows } from '../../src/store/cells/migration-locks.ts';
import { listPayments } from '../../src/store/payments/payments.ts';
import { call, openTestGateway, select, type TestGateway } from '../gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());

const MTN = { by: 'Ana', provider: 'MTN_MOMO_RWA' } as const;
const by = 'Ana';
const ana = { personId: null, by };

async function accepted(merchantId: string, kind: 'DEPOSIT' | 'PAYOUT'): Promise<PaymentKey> {
  const { engine } = gateway;
  const paymentId = randomUUID();
  const [answer] = await initiate(engine, [
    {
      paymentNo: randomUUID(),
      merchant: (await engine.directory.merchant(merchantId))!,
      apiVersion: 'v2',
      writtenId: paymentId,
      kind,
      amount: 1_000_000n,
      amountText: '100',
      currency: 'RWF',
      provider: MTN.provider,
      details: { phoneNumber: '250783456789' },
    },
  ]);
  expect(answer!.type).toBe('ACCEPTED');
  return { merchantId, kind, paymentId };
}

async function read(key: PaymentKey) {
  const { database, keyring } = gateway.engine.store;
  const [payment] = await listPayments(database, keyring, [key]);
  return payment!;
}

const stateOf = async (key: PaymentKey) => (await read(key)).state;
const releaseAll = () =>
  release(gateway.engine, { countMax: 100, onError: (error) => expect(error).toBe(null) });
const claimedNow = async () =>
  (await claimSubmits(gateway.engine, { countMax: 100 })).claimed.map(({ payment }) => payment.paymentId);
const setAvailability = (operation: PaymentKind, status: 'DELAYED' | 'OPERATIONAL') =>
  changeAvailability(gateway.engine, { ...MTN, operation, status });
const heldFunds = async (merchantId: string) =>
  (
    await select(gateway, 'select sum(held)::text as held from wallets where merchant_id = $1', [merchantId])
  )[0]!['held'];

describe('A11: a suspended merchant', () => {
  test('A11: a suspended merchant has nothing claimed: what leaves waits and is claimed when it is resumed, and others go on', async () => {
    const { merchantId } = await createDemoMerchant(gateway.engine, null);
    const payout = await accepted(merchantId, 'PAYOUT');
    await setAvailability('PAYOUT', 'DELAYED');
    const enqueued = await accepted(merchantId, 'PAYOUT');
    expect(await stateOf(enqueued)).toBe('ENQUEUED');
    const deposit = await accepted(merchantId, 'DEPOSIT');
    await suspendMerchant(gateway.engine, { actor: ana, merchantId });
    await setAvailability('PAYOUT', 'OPERATIONAL');
    const others = await accepted(gateway.merchantId, 'PAYOUT');
    expect(await releaseAll()).toBe(0);
    expect(await claimedNow()).toEqual([others.paymentId]);
    expect(await stateOf(payout)).toBe('ENQUEUED');
    expect(await stateOf(enqueued)).toBe('ENQUEUED');
    expect(await stateOf(deposit)).toBe('ACCEPTED');
    // Nor is there anything left to look at again and again.
    expect(await claimSubmits(gateway.engine, { countMax: 100 })).toEqual({ count: 0, claimed: [] });
    const [alone] = await advance(gateway.engine, [{ key: deposit, event: { type: 'SUBMIT_CLAIMED' } }]);
    expect(alone!.type).toBe('NOTHING');

    await resumeMerchant(gateway.engine, { ...askedByCommand(gateway.engine, by), merchantId });
    await releaseAll();
    const ids = [payout, enqueued, deposit].map(({ paymentId }) => paymentId);
    expect((await claimedNow()).toSorted()).toEqual(ids.toSorted());
  });

  test('A11: a suspended merchant may have sent until its deadline what was claimed before, but not a second time', async () => {
    const { merchantId } = await createDemoMerchant(gateway.engine, null);
    const key = await accepted(merchantId, 'PAYOUT');
    const [claim] = await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
    await suspendMerchant(gateway.engine, { actor: ana, merchantId });
    expect(claim).toMatchObject({ type: 'MOVE', attempt: { sendCount: 1 } });
    if (claim?.type === 'MOVE') expect(permissionFor(gateway.engine, claim.attempt!).isOpen()).toBe(true);
    const again = { key, event: { type: 'RESUBMIT_CLAIMED', sendCount: 1 } } as const;
    expect((await advance(gateway.engine, [again]))[0]!.type).toBe('NOTHING');
    await resumeMerchant(gateway.engine, { ...askedByCommand(gateway.engine, by), merchantId });
    expect((await advance(gateway.engine, [again]))[0]!.type).toBe('MOVE');
  });

  test('A11: a suspended merchant is suspended only when the claims before it have committed', async () => {
    const { merchantId } = await createDemoMerchant(gateway.engine, null);
    const { database } = gateway.engine.store;
    const { promise: isHeld, resolve: releaseNow } = Promise.withResolvers<void>();
    const { promise: isInside, resolve: enter } = Promise.withResolvers<void>();
    const claiming = inTransaction(database, async (tx) => {
      await lockMerchantRows(tx, [merchantId]);
      enter();
      await isHeld;
    });
    await isInside;
    let isSuspended = false;
    const suspending = suspendMerchant(gateway.engine, { actor: ana, merchantId }).then(
      () => (isSuspended = true),
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isSuspended).toBe(false);
    releaseNow();
    await Promise.all([claiming, suspending]);
    expect(isSuspended).toBe(true);
  });

  test('A11: a suspended merchant has only its unsent payments cancelled by the platform, with a reason and an audit entry', async () => {
    const { merchantId } = await createDemoMerchant(gateway.engine, null);
    const sent = await accepted(merchantId, 'PAYOUT');
    await advance(gateway.engine, [{ key: sent, event: { type: 'SUBMIT_CLAIMED' } }]);
    const heldBySent = await heldFunds(merchantId);
    await setAvailability('PAYOUT', 'DELAYED');
    const enqueued = await accepted(merchantId, 'PAYOUT');
    await setAvailability('PAYOUT', 'OPERATIONAL');
    const unsent = [enqueued, await accepted(merchantId, 'PAYOUT'), await accepted(merchantId, 'DEPOSIT')];
    await suspendMerchant(gateway.engine, { actor: ana, merchantId });
    const order = { by: 'Ben', merchantId, reason: 'Stolen account 4711' };
    expect(await cancelUnsent(gateway.engine, order)).toBe(3);
    for (const key of unsent)
      expect(await read(key)).toMatchObject({ state: 'FAILED', failureCode: 'MANUALLY_CANCELLED' });
    expect(await stateOf(sent)).toBe('PROCESSING');
    expect(await heldFunds(merchantId)).toBe(heldBySent);
    const entries = (await readAuditLog(gateway.engine, { merchantId, countMax: 50 })).filter(
      ({ act }) => act === 'PAYMENT_CANCELLED',
    );
    expect(entries.map(({ subject }) => subject).toSorted()).toEqual(
      unsent.map(({ paymentId }) => paymentId).toSorted(),
    );
    expect(entries.map(({ actor, reason }) => [actor, reason])).toEqual(
      unsent.map(() => ['Ben', 'Stolen account 4711']),
    );
    expect(await cancelUnsent(gateway.engine, order)).toBe(0);
  });

  test('A11: a suspended merchant has a payment cancelled that was claimed and given back unsent, and waits with it until then', async () => {
    const { merchantId } = await createDemoMerchant(gateway.engine, null);
    const key = await accepted(merchantId, 'PAYOUT');
    await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
    await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_UNSENT', sendCount: 1 } }]);
    await suspendMerchant(gateway.engine, { actor: ana, merchantId });
    const [claim] = await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
    expect(claim).toMatchObject({
      payment: { state: 'PROCESSING' },
      attempt: { sendCount: 1, unsentCount: 1 },
    });
    expect(await cancelUnsent(gateway.engine, { by, merchantId, reason: 'x' })).toBe(1);
    expect(await read(key)).toMatchObject({ state: 'FAILED', failureCode: 'MANUALLY_CANCELLED' });
  });

  test('A11: a suspended merchant keeps payments from before a recovery, which may have been sent in the time that was lost', async () => {
    const { merchantId } = await createDemoMerchant(gateway.engine, null);
    const key = await accepted(merchantId, 'PAYOUT');
    await beginRecovery(gateway.engine, { by, lostFrom: new Date(Date.now() - 60_000) });
    expect(await cancelUnsent(gateway.engine, { by, merchantId, reason: 'x' })).toBe(0);
    expect(await stateOf(key)).toBe('ACCEPTED');
    await endRecovery(gateway.engine, { by, provider: null, unasked: true });
    expect(await cancelUnsent(gateway.engine, { by, merchantId, reason: 'x' })).toBe(0);
    const later = await accepted(merchantId, 'PAYOUT');
    expect(await cancelUnsent(gateway.engine, { by, merchantId, reason: 'x' })).toBe(1);
    expect([await stateOf(key), await stateOf(later)]).toEqual(['ACCEPTED', 'FAILED']);
  });
});

async function completedDeposit(): Promise<PaymentKey> {
  const key = await accepted(gateway.merchantId, 'DEPOSIT');
  await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
  const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
  await advance(gateway.engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
  return key;
}

async function refundOf(deposit: PaymentKey): Promise<PaymentKey> {
  const refundId = randomUUID();
  const { body } = await call(gateway, 'POST', '/v2/refunds', { refundId, depositId: deposit.paymentId });
  expect(body['status']).toBe('ACCEPTED');
  return { merchantId: gateway.merchantId, kind: 'REFUND', paymentId: refundId };
}

const reverse = async (key: PaymentKey) => {
  const outcome = { type: 'FAILED', code: 'OTHER_ERROR' } as const;
  const [answer] = await advance(gateway.engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
  expect(answer!.type).toBe('CONTRADICTION');
};

describe('A9: a refund of a deposit that the operator took back', () => {
  test('A9: a refund of a deposit that the operator took back is cancelled when the reversal is recorded, and its funds are free again', async () => {
    const deposit = await completedDeposit();
    const held = await heldFunds(gateway.merchantId);
    await setAvailability('REFUND', 'DELAYED');
    const refund = await refundOf(deposit);
    expect(await stateOf(refund)).toBe('ENQUEUED');
    await reverse(deposit);
    expect(await read(refund)).toMatchObject({ state: 'FAILED', failureCode: 'OTHER_ERROR' });
    // The refund holds nothing any more. The case of the reversal holds what it could cost.
    expect(Number(await heldFunds(gateway.merchantId))).toBe(Number(held) + 100);
    await setAvailability('REFUND', 'OPERATIONAL');
    await releaseAll();
    expect(await claimedNow()).not.toContain(refund.paymentId);
  });

  test('A9: a refund of a deposit that the operator took back is checked again when it is claimed, should the cancelling have been missed', async () => {
    const deposit = await completedDeposit();
    const refund = await refundOf(deposit);
    // As a process leaves it that dies after the reversal was recorded.
    const { merchantId, paymentId } = deposit;
    await select(
      gateway,
      `insert into cases (case_id, merchant_id, kind, payment_id, evidence, opened_at)
       values ($1, $2, 'DEPOSIT', $3, 'LATE_FAILURE', $4)`,
      [randomUUID(), merchantId, paymentId, gateway.engine.clock.now()],
    );
    expect(await claimedNow()).not.toContain(refund.paymentId);
    expect(await read(refund)).toMatchObject({ state: 'FAILED', failureCode: 'OTHER_ERROR' });
  });

  test('A9: a refund of a deposit that the operator took back is left to its operator when it was sent before, and is not sent a second time', async () => {
    const deposit = await completedDeposit();
    const refund = await refundOf(deposit);
    expect(await claimedNow()).toContain(refund.paymentId);
    await reverse(deposit);
    expect(await stateOf(refund)).toBe('PROCESSING');
    const again = { key: refund, event: { type: 'RESUBMIT_CLAIMED', sendCount: 1 } } as const;
    expect((await advance(gateway.engine, [again]))[0]!.type).toBe('NOTHING');
  });
});
