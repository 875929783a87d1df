// The review queue, and what brings payments there: first-time recipients and cooling-off. What is held is not sent,
// two people release or reject it, and its merchant can cancel it.
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPublicKey, requireSignatures } from '../../src/core/merchants/administer-keys.ts';
import { setCallbackUrl } from '../../src/core/merchants/administer-merchants.ts';
import { changeReviewRule, readReviewRules } from '../../src/core/limits/set-review-rules.ts';
import { cancel } from '../../src/core/payments/act/cancel.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import { release } from '../../src/core/payments/process/release.ts';
import { readReviewQueue, requestReview } from '../../src/core/reviews/decide-review.ts';
import { endCoolingOffs } from '../../src/core/reviews/screen-payments.ts';
import type { ReviewDecision } from '../../src/domain/limits/review.ts';
import type { PaymentKey } from '../../src/domain/payments/payment.ts';
import { listHeldMoney } from '../../src/store/limits/held-money.ts';
import { settleReview } from '../../src/store/reviews/payment-reviews.ts';
import { actorNamed, decideAs } from '../approvals.ts';
import { openToken } from '../edge/accounts.ts';
import { openTestGateway, select, type TestGateway } from '../gateway.ts';
import { UNIT } from './limited-merchants.ts';
import { accepted, claimedNow, read, reviewedMerchant, reviewOf, ruleOf } from './reviewed-merchants.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());

const FIRST = { rule: 'FIRST_RECIPIENT', subject: 'RWF', amountAbove: 1_000n * UNIT } as const;
const COOLING = { rule: 'COOLING_OFF', subject: 'RWF', amountAbove: 1_000n * UNIT, hours: 24 } as const;
const LARGE = { amount: 2_000n * UNIT };

const payout = (merchantId: string, changes = {}) => accepted(gateway.engine, merchantId, changes);
const claim = () => claimedNow(gateway.engine);
const releaseAll = () =>
  release(gateway.engine, { countMax: 100, onError: (error) => expect(error).toBe(null) });
const ids = (...keys: readonly PaymentKey[]) => keys.map(({ paymentId }) => paymentId);

async function complete(key: PaymentKey): Promise<void> {
  const outcome = { type: 'COMPLETED', providerTransactionId: key.paymentId } as const;
  await advance(gateway.engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
}

async function requested(key: PaymentKey, decision: ReviewDecision): Promise<string> {
  const order = { actor: actorNamed('Ana'), key, decision, reason: 'looked at it' };
  const answer = await requestReview(gateway.engine, order);
  if (answer.type !== 'REQUESTED') throw new Error(answer.type);
  return answer.approvalId;
}

const decide = (by: string, approvalId: string) => decideAs(gateway.engine, by, approvalId);

async function queue(merchantId: string) {
  const all = await readReviewQueue(gateway.engine, { after: null, countMax: 1_000 });
  return all.filter((one) => one.merchantId === merchantId);
}

async function available(merchantId: string): Promise<string> {
  const [row] = await select(
    gateway,
    `select (posted - held)::text as available from wallets w join accounts a using (account_id)
     where a.merchant_id = $1 and a.currency = 'RWF'`,
    [merchantId],
  );
  return row?.['available'];
}

describe('a large payout to a number that was not paid before', () => {
  test('a large payout to a number that was not paid before waits for two people, is then sent, and the next one to this number is not held', async () => {
    const merchantId = await reviewedMerchant(gateway.engine, [FIRST]);
    const small = await payout(merchantId);
    const large = await payout(merchantId, LARGE);
    const refunds = await reviewedMerchant(gateway.engine, []);
    const other = await payout(refunds, LARGE);
    expect((await claim()).toSorted()).toEqual(ids(small, other).toSorted());
    expect(await read(gateway.engine, large)).toMatchObject({ state: 'ENQUEUED', held: 'REVIEW' });
    expect([await releaseAll(), await claim()]).toEqual([0, []]);
    expect(await queue(merchantId)).toMatchObject([{ reasons: ['FIRST_RECIPIENT'], approval: null }]);
    const held = await listHeldMoney(gateway.engine.store.database, { merchantId, countMax: 10 });
    const { amount } = LARGE;
    expect(held).toMatchObject([{ what: 'REVIEW', why: 'FIRST_RECIPIENT', amount, until: null }]);
    const approvalId = await requested(large, 'RELEASE');
    const order = { actor: actorNamed('Eve'), key: large, decision: 'REJECT', reason: 'no' } as const;
    expect(await requestReview(gateway.engine, order)).toEqual({ type: 'REQUESTED_BEFORE' });
    expect(await decide('Ana', approvalId)).toMatchObject({ type: 'SAME_PERSON' });
    expect(await claim()).toEqual([]);
    expect(await decide('Ben', approvalId)).toMatchObject({ type: 'DONE' });
    expect(await claim()).toEqual(ids(large));
    expect(await reviewOf(gateway.engine, large)).toMatchObject({ status: 'RELEASED' });
    await complete(large);
    const next = await payout(merchantId, LARGE);
    expect(await claim()).toEqual(ids(next));
  });

  test('a large payout waits also where its number was paid a little just before, and is sent where that was a day ago', async () => {
    const merchantId = await reviewedMerchant(gateway.engine, [FIRST]);
    const small = await payout(merchantId);
    await claim();
    await complete(small);
    const large = await payout(merchantId, LARGE);
    expect(await claim()).toEqual([]);
    expect(await queue(merchantId)).toMatchObject([
      { paymentId: large.paymentId, reasons: ['FIRST_RECIPIENT'] },
    ]);
    await gateway.gateway.movableClock!.move(24 * 3_600_000 + 60_000);
    const later = await payout(merchantId, LARGE);
    expect(await claim()).toEqual(ids(later));
  });

  test('a large payout to a number that was not paid before fails with OTHER_ERROR when two people reject it, and its money is available again', async () => {
    const merchantId = await reviewedMerchant(gateway.engine, [FIRST]);
    await setCallbackUrl(gateway.engine, { by: 'Ana', merchantId, url: gateway.receiver.url });
    const before = await available(merchantId);
    const key = await payout(merchantId, LARGE);
    await claim();
    expect(await available(merchantId)).not.toBe(before);
    expect(await decide('Ben', await requested(key, 'REJECT'))).toMatchObject({ type: 'DONE' });
    expect(await read(gateway.engine, key)).toMatchObject({ state: 'FAILED', failureCode: 'OTHER_ERROR' });
    expect(await available(merchantId)).toBe(before);
    const told = await select(gateway, 'select announced_state from callbacks where payment_id = $1', [
      key.paymentId,
    ]);
    expect(told).toEqual([{ announced_state: 'FAILED' }]);
    expect(await queue(merchantId)).toEqual([]);
  });

  test('a large payout to a number that was not paid before can be cancelled by its merchant: a decision about it does nothing any more', async () => {
    const merchantId = await reviewedMerchant(gateway.engine, [FIRST]);
    const key = await payout(merchantId, LARGE);
    await claim();
    const approvalId = await requested(key, 'RELEASE');
    const answer = await cancel(gateway.engine, { ...key, writtenId: key.paymentId });
    expect(answer).toEqual({ type: 'ACCEPTED' });
    expect(await queue(merchantId)).toEqual([]);
    expect(await decide('Ben', approvalId)).toMatchObject({ type: 'NOT_EXECUTED' });
    const order = { actor: actorNamed('Ana'), key, decision: 'RELEASE', reason: 'again' } as const;
    expect(await requestReview(gateway.engine, order)).toEqual({ type: 'NOT_HELD' });
    expect([await releaseAll(), await claim()]).toEqual([0, []]);
  });

  test('a large payout to a number that was not paid before is not released by a change of its row alone', async () => {
    const merchantId = await reviewedMerchant(gateway.engine, [FIRST]);
    const key = await payout(merchantId, LARGE);
    await claim();
    for (const status of ['RELEASED', 'ALLOWED'])
      await expect(
        select(gateway, 'update payment_reviews set status = $2 where payment_id = $1', [
          key.paymentId,
          status,
        ]),
      ).rejects.toThrow('needs an approval');
    for (const event of [{ type: 'RELEASED' }, { type: 'SUBMIT_CLAIMED' }] as const)
      expect(await advance(gateway.engine, [{ key, event }])).toMatchObject([{ type: 'NOTHING' }]);
  });
});

describe('a cooling-off', () => {
  test('a cooling-off holds large payouts of a new token, and of all after a new callback address, until it is over', async () => {
    const merchantId = await reviewedMerchant(gateway.engine, [COOLING]);
    const before = gateway.engine.clock.now();
    const { tokenId } = await openToken(gateway, merchantId);
    const after = gateway.engine.clock.now();
    const small = await payout(merchantId, { tokenId });
    const older = await payout(merchantId, { ...LARGE, tokenId: 'old' });
    const held = await payout(merchantId, { ...LARGE, tokenId });
    expect((await claim()).toSorted()).toEqual(ids(small, older).toSorted());
    const [waiting] = await queue(merchantId);
    expect(waiting).toMatchObject({ reasons: ['COOLING_OFF'], paymentId: held.paymentId });
    const changedAt = waiting!.endsAt!.getTime() - 24 * 3_600_000;
    expect(before.getTime() <= changedAt && changedAt <= after.getTime()).toBe(true);
    await setCallbackUrl(gateway.engine, { by: 'Ana', merchantId, url: 'https://shop.example' });
    const later = await payout(merchantId, { ...LARGE, tokenId: 'old' });
    const released = await payout(merchantId, { ...LARGE, tokenId: 'old' });
    expect(await claim()).toEqual([]);
    expect(await decide('Ben', await requested(released, 'RELEASE'))).toMatchObject({ type: 'DONE' });
    expect(await claim()).toEqual(ids(released));
    const end = () =>
      endCoolingOffs(gateway.engine, { countMax: 10, onError: (error) => expect(error).toBe(null) });
    expect(await end()).toBe(0);
    await gateway.gateway.movableClock!.move(24 * 3_600_000 + 60_000);
    expect(await end()).toBe(2);
    expect((await claim()).toSorted()).toEqual(ids(held, later).toSorted());
    expect(await end()).toBe(0);
  });

  test.each([
    ['is pending', null],
    ['was rejected', 'reject'],
    ['was withdrawn', 'withdraw'],
  ] as const)(
    'a cooling-off does not end by itself once a request to reject the payment %s',
    async (_, ending) => {
      const { engine } = gateway;
      const merchantId = await reviewedMerchant(engine, [COOLING]);
      const { tokenId } = await openToken(gateway, merchantId);
      const held = await payout(merchantId, { ...LARGE, tokenId });
      expect(await claim()).toEqual([]);
      const [before] = await queue(merchantId);
      const approvalId = await requested(held, 'REJECT');
      if (ending !== null) await decideAs(engine, ending === 'reject' ? 'Ben' : 'Ana', approvalId, ending);
      await gateway.gateway.movableClock!.move(24 * 3_600_000 + 60_000);
      const failed: unknown[] = [];
      const onError = (error: unknown) => failed.push(error);
      expect([await endCoolingOffs(engine, { countMax: 10, onError }), await claim()]).toEqual([0, []]);
      expect(await queue(merchantId)).toMatchObject([{ paymentId: held.paymentId, endsAt: null }]);
      // As a worker has it that read the review before the request.
      const late = { paymentNo: before!.paymentNo, before: 'HELD', status: 'ALLOWED', reason: null } as const;
      const { reasons, endsAt } = before!;
      const settled = { ...late, reasons, endsAt };
      expect(await settleReview(engine.store.database, engine.store.keyring, settled)).toBe(false);
      const decision = ending === null ? approvalId : await requested(held, 'RELEASE');
      expect(await decide('Ben', decision)).toMatchObject({ type: 'DONE' });
      const isSent = ending !== null;
      expect([await claim(), failed]).toEqual([isSent ? ids(held) : [], []]);
      expect((await read(engine, held)).state).toBe(isSent ? 'PROCESSING' : 'FAILED');
    },
  );

  test.each([
    ['a public key', (order: Changed) => addPublicKey(gateway.engine, { ...order, ...newKey() })],
    [
      'a signature rule',
      (order: Changed) =>
        requireSignatures(gateway.engine, { ...order, covers: 'PAYMENTS', isRequired: true }),
    ],
  ])('a cooling-off begins with %s too, for all payments', async (_, change) => {
    const merchantId = await reviewedMerchant(gateway.engine, [COOLING]);
    await change({ by: 'Ana', merchantId });
    const held = await payout(merchantId, { ...LARGE, tokenId: 'old' });
    expect(await claim()).toEqual([]);
    expect(await queue(merchantId)).toMatchObject([{ reasons: ['COOLING_OFF'], paymentId: held.paymentId }]);
  });
});

type Changed = { readonly by: string; readonly merchantId: string };

function newKey() {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { name: 'till', algorithm: 'ecdsa-p256-sha256', pem } as const;
}

describe('a rule', () => {
  test('a rule is made stricter by one person, and loosened by two', async () => {
    const merchantId = await reviewedMerchant(gateway.engine, []);
    const order = { actor: actorNamed('Ana'), secondApprover: 'REQUIRED', merchantId } as const;
    const key = { rule: 'FIRST_RECIPIENT', subject: 'RWF' } as const;
    const set = (amountAbove: bigint | null) => {
      const { withoutAnswer, hours } = ruleOf({});
      const values = amountAbove === null ? null : { withoutAnswer, hours, amountAbove };
      return changeReviewRule(gateway.engine, { ...order, key, values });
    };
    expect(await set(null)).toBe('NOT_FOUND');
    expect([await set(20n), await set(10n), await set(30n)]).toEqual(['DONE', 'DONE', 'REQUESTED']);
    const [rule] = await readReviewRules(gateway.engine, merchantId);
    expect(rule).toMatchObject({ amountAbove: 10n, isDefault: false });
    expect(await decide('Ben', rule?.approval?.approvalId ?? '')).toMatchObject({ type: 'DONE' });
    expect(await readReviewRules(gateway.engine, merchantId)).toMatchObject([{ amountAbove: 30n }]);
    expect(await set(null)).toBe('REQUESTED');
  });
});
