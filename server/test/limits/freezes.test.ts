// Freezes: once one has committed nothing of its scope is claimed, and after it is lifted everything is, the oldest
// first.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { freeze, readFreezes, requestLift, type FreezeTarget } from '../../src/core/limits/freeze.ts';
import { cancel } from '../../src/core/payments/act/cancel.ts';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import { release } from '../../src/core/payments/process/release.ts';
import { claimSubmits } from '../../src/core/payments/process/submit.ts';
import type { DirectOrder } from '../../src/core/payments/payment-request.ts';
import type { PaymentKey } from '../../src/domain/payments/payment.ts';
import { listHeldMoney } from '../../src/store/limits/held-money.ts';
import { listPayments } from '../../src/store/payments/payments.ts';
import { actorNamed, decideAs } from '../approvals.ts';
import { openTestGateway, select, type TestGateway } from '../gateway.ts';
import { orderOf, PROVIDER } from './limited-merchants.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());

const NUMBER = '250783000009';
const TOKEN = 'stolen';

async function accepted(merchantId: string, changes: Partial<DirectOrder> = {}): Promise<PaymentKey> {
  const order = await orderOf(gateway.engine, merchantId, changes);
  expect((await initiate(gateway.engine, [order]))[0]!.type).toBe('ACCEPTED');
  return { merchantId, kind: order.kind, paymentId: order.writtenId };
}

async function read(key: PaymentKey) {
  const { database, keyring } = gateway.engine.store;
  return (await listPayments(database, keyring, [key]))[0]!;
}

const freezeNow = (target: FreezeTarget, expiresAt: Date | null = null) =>
  freeze(gateway.engine, { by: 'Ana', target, reason: 'stolen token', expiresAt });
const liftNow = (target: FreezeTarget) =>
  requestLift(gateway.engine, {
    target,
    reason: 'over',
    actor: actorNamed('Ana'),
    secondApprover: 'OPTIONAL',
  });
const claimedNow = async () =>
  (await claimSubmits(gateway.engine, { countMax: 100 })).claimed.map(({ payment }) => payment.paymentId);
const releaseAll = () =>
  release(gateway.engine, { countMax: 100, onError: (error) => expect(error).toBe(null) });

/** What is frozen, by the merchant whose payment must wait. */
const TARGETS: readonly (readonly [string, (merchantId: string) => FreezeTarget])[] = [
  ['a merchant', (merchantId) => ({ scope: 'MERCHANT', subject: merchantId })],
  ['an API token', () => ({ scope: 'TOKEN', subject: TOKEN })],
  ['a recipient', () => ({ scope: 'NUMBER', phoneNumber: NUMBER })],
  ['a provider', () => ({ scope: 'PROVIDER', subject: PROVIDER })],
  ['all outgoing payments', () => ({ scope: 'ALL' })],
];

describe.each(TARGETS)('a freeze of %s', (_, targetOf) => {
  test('a freeze holds what leaves, lets deposits and others go on, and releases the oldest first when it is lifted', async () => {
    const { merchantId } = await createDemoMerchant(gateway.engine, null);
    const target = targetOf(merchantId);
    const changes = { tokenId: TOKEN, details: { phoneNumber: NUMBER } };
    const held = [await accepted(merchantId, changes), await accepted(merchantId, changes)];
    const deposit = await accepted(merchantId, { kind: 'DEPOSIT' });
    await freezeNow(target);
    const isWide = target.scope === 'PROVIDER' || target.scope === 'ALL';
    const other = isWide ? null : await accepted(gateway.merchantId);
    held.push(await accepted(merchantId, changes));
    const claimed = await claimedNow();
    expect(claimed.toSorted()).toEqual(
      [deposit, ...(other === null ? [] : [other])].map(({ paymentId }) => paymentId).toSorted(),
    );
    for (const key of held) expect(await read(key)).toMatchObject({ state: 'ENQUEUED', nextAction: null });
    expect(await releaseAll()).toBe(0);
    // One of them is cancelled by its merchant, as any other that waits.
    const cancelled = await accepted(merchantId, changes);
    await claimedNow();
    expect(await cancel(gateway.engine, { ...cancelled, writtenId: cancelled.paymentId })).toEqual({
      type: 'ACCEPTED',
    });
    await liftNow(target);
    expect(await releaseAll()).toBe(held.length);
    expect(await claimedNow()).toEqual(held.map(({ paymentId }) => paymentId));
    expect(await claimSubmits(gateway.engine, { countMax: 100 })).toEqual({ count: 0, claimed: [] });
  });
});

test('a freeze that expires ends by itself', async () => {
  const { merchantId } = await createDemoMerchant(gateway.engine, null);
  const until = new Date(gateway.engine.clock.now().getTime() + 60_000);
  await freezeNow({ scope: 'TOKEN', subject: 'brief' }, until);
  const key = await accepted(merchantId, { tokenId: 'brief' });
  expect([await claimedNow(), await releaseAll()]).toEqual([[], 0]);
  const held = await listHeldMoney(gateway.engine.store.database, { merchantId, countMax: 10 });
  expect(held).toMatchObject([{ ...key, what: 'FREEZE', why: 'TOKEN', until }]);
  await gateway.gateway.movableClock!.move(61_000);
  expect([await releaseAll(), await claimedNow()]).toEqual([1, [key.paymentId]]);
});

test('a freeze that is repeated never ends earlier than before, and a lift of the target names each', async () => {
  const target = { scope: 'TOKEN', subject: 'twice' } as const;
  const later = new Date(gateway.engine.clock.now().getTime() + 3_600_000);
  await freezeNow(target, later);
  await freezeNow(target, new Date(later.getTime() - 1_000_000));
  await freezeNow(target, null);
  const ends = async () =>
    (await readFreezes(gateway.engine))
      .flatMap((one) => (one.type === 'CONFIRMED' ? one.answer : []))
      .filter(({ subject }) => subject === 'twice')
      .map(({ expiresAt }) => expiresAt);
  expect(await ends()).toEqual([later, new Date(later.getTime() - 1_000_000), null]);
  expect((await liftNow(target)).freezes).toHaveLength(3);
  expect(await ends()).toEqual([]);
  expect(await liftNow(target)).toEqual({ outcome: 'NOT_FROZEN', freezes: [], cells: [] });
});

test('what was given back unsent is not sent again while it is frozen', async () => {
  const { merchantId } = await createDemoMerchant(gateway.engine, null);
  const key = await accepted(merchantId, { tokenId: 'returned' });
  await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
  await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_UNSENT', sendCount: 1 } }]);
  await freezeNow({ scope: 'TOKEN', subject: 'returned' });
  const [claim] = await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
  expect(claim).toMatchObject({ payment: { state: 'PROCESSING', nextAction: 'SUBMIT' } });
  expect(await read(key)).not.toHaveProperty('held');
  await liftNow({ scope: 'TOKEN', subject: 'returned' });
  await gateway.gateway.movableClock!.move(61_000);
  expect(await claimedNow()).toEqual([key.paymentId]);
});

test('two people lift a freeze where a second approver is required', async () => {
  const target = { scope: 'TOKEN', subject: 'two-people' } as const;
  await freezeNow(target);
  const { outcome } = await requestLift(gateway.engine, {
    reason: 'over',
    target,
    actor: actorNamed('Ana'),
    secondApprover: 'REQUIRED',
  });
  expect(outcome).toBe('REQUESTED');
  const [{ id }] = (await select(
    gateway,
    `select approval_id as id from approvals where kind = 'FREEZE_LIFT' and status = 'PENDING'`,
  )) as [{ id: string }];
  expect(await decideAs(gateway.engine, 'Ana', id)).toMatchObject({ type: 'SAME_PERSON' });
  expect(await decideAs(gateway.engine, 'Ben', id)).toMatchObject({ type: 'DONE' });
  const acts = await select(
    gateway,
    `select act from audit_log where subject = 'TOKEN two-people' order by entry_no`,
  );
  expect(acts.map(({ act }) => act)).toEqual(['FROZEN', 'FREEZE_LIFTED']);
});

test.each([
  ['has expired', 60_000],
  ['is in force', null],
])('an old request to lift a freeze that %s does not lift one of later', async (_, lastsMs) => {
  const { engine } = gateway;
  const target = { scope: 'TOKEN', subject: `again-${lastsMs}` } as const;
  await freezeNow(target, lastsMs === null ? null : new Date(engine.clock.now().getTime() + lastsMs));
  const request = async () => {
    const actor = actorNamed('Ana');
    const { freezes } = await requestLift(engine, {
      reason: 'over',
      target,
      actor,
      secondApprover: 'REQUIRED',
    });
    const pending = `select approval_id as id from approvals where subject = $1 and status = 'PENDING'`;
    return String((await select(gateway, pending, [freezes.at(-1)?.freezeId]))[0]!['id']);
  };
  const old = await request();
  await gateway.gateway.movableClock!.move(61_000);
  await freezeNow(target);
  expect(await decideAs(engine, 'Ben', old)).toMatchObject({ type: 'DONE' });
  const key = await accepted(gateway.merchantId, { tokenId: target.subject });
  expect(await claimedNow()).toEqual([]);
  expect(await decideAs(engine, 'Ben', await request())).toMatchObject({ type: 'DONE' });
  expect([await releaseAll(), await claimedNow()]).toEqual([1, [key.paymentId]]);
});

describe('a payment that is held for people', () => {
  test('a payment that is held for people is neither released nor claimed, and its merchant can cancel it', async () => {
    const { merchantId } = await createDemoMerchant(gateway.engine, null);
    const key = await accepted(merchantId);
    await advance(gateway.engine, [{ key, event: { type: 'PROVIDER_DELAYED' } }]);
    await select(gateway, `update payments set held = 'REVIEW' where payment_id = $1`, [key.paymentId]);
    expect([await releaseAll(), await claimedNow()]).toEqual([0, []]);
    const claimAndRelease = async () => {
      for (const type of ['RELEASED', 'SUBMIT_CLAIMED'] as const)
        expect((await advance(gateway.engine, [{ key, event: { type } }]))[0]!.type).toBe('NOTHING');
    };
    await claimAndRelease();
    // A claim that comes late must not turn the hold into the wait for a freeze, which ends by itself.
    await freezeNow({ scope: 'ALL' });
    await claimAndRelease();
    await liftNow({ scope: 'ALL' });
    expect(await read(key)).toMatchObject({ state: 'ENQUEUED', held: 'REVIEW' });
    const answer = await cancel(gateway.engine, { ...key, writtenId: key.paymentId });
    expect(answer).toEqual({ type: 'ACCEPTED' });
    expect(await read(key)).toMatchObject({ state: 'FAILED', failureCode: 'MANUALLY_CANCELLED' });
  });
});
