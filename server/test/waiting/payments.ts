// Payments: how one comes to wait in each state, and how people end that.
import { randomUUID } from 'node:crypto';
import { release } from '../../src/core/payments/process/release.ts';
import { setCallbackUrl } from '../../src/core/merchants/administer-merchants.ts';
import { settleScreening, takeUnscreened } from '../../src/core/reviews/screen-payments.ts';
import type { PaymentEvent } from '../../src/domain/payments/lifecycle.ts';
import type { PaymentKey } from '../../src/domain/payments/payment.ts';
import { createReviewRound } from '../../src/jobs/screen.ts';
import { listFollowUpsOf } from '../../src/store/payments/missing-follow-ups.ts';
import { attempt, checkoutRequest } from '../checkouts.ts';
import { approvalIn } from '../console/asked.ts';
import { signedIn } from '../console/people.ts';
import { call, select, type TestGateway } from '../gateway.ts';
import { limitedMerchant, NUMBER } from '../limits/limited-merchants.ts';
import { claimedNow, reviewOf } from '../limits/reviewed-merchants.ts';
import { setAvailability } from '../payments.ts';
import { whileRefused, type RefusedWrites } from '../refused-writes.ts';
import { wallet } from '../requests.ts';
import { tellByReport } from './report-files.ts';
import type { Ways } from './ways.ts';
import {
  acceptPayment,
  act,
  completed,
  decideForPlatform,
  FAILED,
  happen,
  newMerchant,
  runCommand,
  startWorkerUntil,
  type AcceptedOptions,
  type World,
} from './world.ts';

const fail = (error: unknown): never => {
  throw error;
};

/** What a worker does with payments whose obstacle is gone. */
const releaseAll = ({ gateway }: World) => release(gateway.engine, { countMax: 100, onError: fail });

/** What a worker does with reviews where no screening service is configured. */
async function review({ gateway }: World): Promise<void> {
  const round = createReviewRound(gateway.engine, false);
  await round({ onError: fail, run: () => undefined, isStopping: () => false });
}

/** An administrator cancels a payment that was not sent. */
const cancelUnsent = (world: World, { merchantId, kind, paymentId }: PaymentKey) => {
  const of = ['--merchant', merchantId, '--kind', kind, '--payment', paymentId];
  return runCommand(world, 'payment', 'cancel-unsent', ...of, '--reason', 'nobody sends it', '--by', 'Ana');
};

/** The merchant cancels what waits. */
const cancel = ({ owner }: World, { merchantId, kind, paymentId }: PaymentKey) =>
  act(owner, 'POST', `api/merchants/${merchantId}/payments/${kind}/${paymentId}/cancel`);

async function unclear(world: World): Promise<PaymentKey> {
  const key = await acceptPayment(world);
  await happen(world, key, { type: 'SUBMIT_CLAIMED' }, { type: 'HORIZON_PASSED' });
  return key;
}

type Rule = {
  readonly rule: string;
  readonly subject: string;
  readonly withoutAnswer?: string;
  readonly amountAbove?: string;
  readonly hours?: number;
};

/** A payout that a rule of its merchant keeps from being sent. */
async function stopped(world: World, rule: Rule): Promise<PaymentKey> {
  const { gateway, ana } = world;
  const merchantId = await newMerchant(world);
  const values = { withoutAnswer: null, amountAbove: null, hours: null, ...rule };
  await act(ana, 'PUT', `api/host/merchants/${merchantId}/review-rules`, values);
  // A thief would receive callbacks in the place of the merchant.
  if (rule.rule === 'COOLING_OFF')
    await setCallbackUrl(gateway.engine, { by: 'Ana', merchantId, url: 'https://shop.example' });
  const key = await acceptPayment(world, { merchantId });
  await claimedNow(gateway.engine);
  return key;
}

const FIRST_RECIPIENT = { rule: 'FIRST_RECIPIENT', subject: 'RWF', amountAbove: '10' };
const COOLING_OFF = { rule: 'COOLING_OFF', subject: 'RWF', amountAbove: '10', hours: 24 };
const SCREENING = { rule: 'SCREENING', subject: 'PAYOUT', withoutAnswer: 'HOLD' };

/** One administrator requests the decision, another approves it. */
async function decideReview(world: World, key: PaymentKey, decision: 'RELEASE' | 'REJECT'): Promise<void> {
  const { merchantId, kind, paymentId } = key;
  const order = { merchantId, kind, paymentId, decision, reason: 'called the merchant' };
  const { approvalId } = await act(world.ana, 'POST', 'api/host/reviews', order);
  await decideForPlatform(world, world.ben, approvalId);
}

/** Stopped by the rule, and decided on by two people. */
const reviewed = (rule: Rule, decision: 'RELEASE' | 'REJECT', isScreened = false) => ({
  make: async (world: World) => {
    const key = await stopped(world, rule);
    if (isScreened) await review(world);
    return () => decideReview(world, key, decision);
  },
});

/** What follows from a change of the payment cannot be written: a trigger plays the reason. */
async function missFollowUp(
  world: World,
  writes: RefusedWrites,
  { key, event }: { readonly key: PaymentKey; readonly event: PaymentEvent },
): Promise<() => Promise<void>> {
  const { gateway } = world;
  await whileRefused(gateway, writes, () => happen(world, key, event));
  const isMade = async () => (await listFollowUpsOf(gateway.engine.store.database, key)).length === 0;
  return async () => {
    // The reason is gone, and a minute later it is tried again.
    await gateway.gateway.movableClock!.move(61_000);
    await startWorkerUntil(world, isMade);
  };
}

/** A payment at its operator. */
async function sent(world: World, options: AcceptedOptions = {}): Promise<PaymentKey> {
  const key = await acceptPayment(world, options);
  await happen(world, key, { type: 'SUBMIT_CLAIMED' });
  return key;
}

/** A split payment whose collection is at its operator. Answers the collection. */
async function collect(world: World): Promise<PaymentKey> {
  const { gateway } = world;
  const splitPaymentId = randomUUID();
  const payer = wallet('MTN_MOMO_RWA', NUMBER);
  const splits = [{ payoutId: randomUUID(), amount: '60', recipient: payer }];
  const split = { splitPaymentId, amount: '100', currency: 'RWF', payer, splits };
  await call(gateway, 'POST', '/v2/split-payments', split);
  const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: splitPaymentId } as const;
  await happen(world, key, { type: 'SUBMIT_CLAIMED' });
  return key;
}

async function openCheckout(gateway: TestGateway): Promise<string> {
  const amounts = [{ country: 'RWA', currency: 'RWF', amount: '100' }];
  const { body } = await call(gateway, 'POST', '/v2/checkouts', checkoutRequest({ amounts }));
  return body['checkoutId'];
}

/** A checkout whose payer has pressed Pay. Answers the attempt, which is at its operator. */
async function payCheckout(world: World): Promise<PaymentKey> {
  const { gateway } = world;
  const checkoutId = await openCheckout(gateway);
  await attempt(gateway, { checkoutId, attemptNo: 1 });
  const text = 'select payment_id from payments where checkout_id = $1';
  const [row] = await select(gateway, text, [checkoutId]);
  const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: row?.['payment_id'] } as const;
  await happen(world, key, { type: 'SUBMIT_CLAIMED' });
  return key;
}

export const PAYMENT_WAYS: Ways<World> = {
  'payments.state ACCEPTED': {
    make: async (world) => {
      const key = await acceptPayment(world, { kind: 'DEPOSIT' });
      return () => cancelUnsent(world, key);
    },
  },
  'payments.state ENQUEUED': {
    make: async (world) => {
      await setAvailability(world.gateway, 'payout', 'DELAYED');
      const key = await acceptPayment(world);
      return async () => {
        await cancel(world, key);
        await setAvailability(world.gateway, 'payout', 'OPERATIONAL');
      };
    },
  },
  'payments.state PROCESSING': {
    make: async (world) => {
      const key = await sent(world);
      return () => tellByReport(world, key);
    },
  },
  'payments.next_action SUBMIT': {
    make: async (world) => {
      const key = await sent(world);
      await happen(world, key, { type: 'SUBMIT_UNSENT', sendCount: 1 });
      return () => cancelUnsent(world, key);
    },
  },
  'payments.state IN_RECONCILIATION': {
    make: async (world) => {
      const { merchantId, kind, paymentId } = await unclear(world);
      return async () => {
        const path = `api/host/payments/${merchantId}/${kind}/${paymentId}/end`;
        const order = {
          outcome: 'FAILED',
          failureCode: 'UNSPECIFIED_FAILURE',
          reason: 'letter of the operator',
        };
        await act(world.ana, 'POST', path, order);
        const approvalId = await approvalIn(world.gateway, world.ana, 'PAYMENT_END');
        await decideForPlatform(world, world.ben, approvalId);
      };
    },
  },
  'payments.held FREEZE': {
    make: async (world) => {
      const { gateway, ana, ben } = world;
      const order = { scope: 'NUMBER', phoneNumber: NUMBER, reason: 'a stolen phone' };
      await act(ana, 'POST', 'api/host/freezes', order);
      await acceptPayment(world);
      await claimedNow(gateway.engine);
      return async () => {
        const { freezes } = await act(ana, 'GET', 'api/host/freezes');
        const { freezeId } = freezes.find(({ scope }: { readonly scope: string }) => scope === 'NUMBER');
        await act(ana, 'POST', `api/host/freezes/${freezeId}/lift`, { reason: 'found again' });
        await decideForPlatform(world, ben, await approvalIn(gateway, ana, 'FREEZE_LIFT'));
        await releaseAll(world);
      };
    },
  },
  'payments.held SCREENING': {
    make: async (world) => {
      const key = await stopped(world, SCREENING);
      const owner = await signedIn(world.gateway, 'OWNER', key.merchantId);
      return () => cancel({ ...world, owner }, key);
    },
  },
  'payments.held REVIEW': reviewed(FIRST_RECIPIENT, 'RELEASE'),
  'payment_reviews.status ASKING': {
    make: async (world) => {
      const key = await stopped(world, SCREENING);
      // Where no service is configured, what is configured for no answer is done.
      return () =>
        startWorkerUntil(world, async () => (await reviewOf(world.gateway.engine, key))?.status === 'HELD');
    },
  },
  'payment_reviews.status HELD': reviewed(FIRST_RECIPIENT, 'REJECT'),
  'payment_reviews.reasons SCREENED': {
    make: async (world) => {
      const key = await stopped(world, SCREENING);
      const [taken] = await takeUnscreened(world.gateway.engine, { countMax: 1, deadlineMs: 1_000 });
      await settleScreening(world.gateway.engine, taken!, { verdict: 'HOLD', reason: null });
      return () => decideReview(world, key, 'RELEASE');
    },
  },
  'payment_reviews.reasons NO_ANSWER': reviewed(SCREENING, 'REJECT', true),
  'payment_reviews.reasons FIRST_RECIPIENT': reviewed(FIRST_RECIPIENT, 'RELEASE'),
  'payment_reviews.reasons COOLING_OFF': reviewed(COOLING_OFF, 'RELEASE'),
  'payment_reviews.ends_at set': reviewed(COOLING_OFF, 'REJECT'),
  'missing_follow_ups.type HOLD': {
    make: async (world) => {
      const key = await sent(world, { kind: 'DEPOSIT' });
      await happen(world, key, completed());
      return missFollowUp(world, { table: 'wallet_holds', operation: 'insert' }, { key, event: FAILED });
    },
  },
  'missing_follow_ups.type CALLBACK': {
    make: async (world) => {
      const key = await sent(world);
      return missFollowUp(world, { table: 'callbacks', operation: 'insert' }, { key, event: completed() });
    },
  },
  'missing_follow_ups.type LIMITS': {
    make: async (world) => {
      const merchantId = await limitedMerchant(world.gateway.engine, [{ countMax: 5 }]);
      const key = await sent(world, { merchantId });
      return missFollowUp(world, { table: 'limit_counters', operation: 'update' }, { key, event: FAILED });
    },
  },
  'missing_follow_ups.type SPLIT_PAYMENT': {
    make: async (world) => {
      const key = await collect(world);
      const writes = { table: 'payments', operation: 'insert', when: `new.kind = 'PAYOUT'` } as const;
      return missFollowUp(world, writes, { key, event: completed() });
    },
  },
  'missing_follow_ups.type CHECKOUT': {
    make: async (world) => {
      const key = await payCheckout(world);
      const writes = { table: 'checkouts', operation: 'update', when: `new.status = 'COMPLETED'` } as const;
      return missFollowUp(world, writes, { key, event: completed() });
    },
  },
  'split_payments.announced_at null': {
    make: async (world) => {
      const collection = await collect(world);
      // Its parts end as every payment does.
      return async () => {
        await tellByReport(world, collection);
        const parts = `select payment_id from payments where split_payment_id = $1 and kind = 'PAYOUT'`;
        for (const row of await select(world.gateway, parts, [collection.paymentId]))
          await cancelUnsent(world, { ...collection, kind: 'PAYOUT', paymentId: row['payment_id'] });
      };
    },
  },
  'checkouts.status WAITING_PAYMENT': {
    make: async ({ gateway }) => {
      const checkoutId = await openCheckout(gateway);
      return () => call(gateway, 'POST', `/v2/checkouts/${checkoutId}/expire`);
    },
  },
  'checkouts.status PROCESSING': {
    make: async (world) => {
      const key = await payCheckout(world);
      return () => tellByReport(world, key);
    },
  },
};
