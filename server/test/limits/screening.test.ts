// Screening: the platform's own service is asked before a payment is sent. It hangs, lies, breaks, answers twice, late
// or not at all: what is configured for no answer is done, nothing held is sent, and nothing held is lost.
import { createVerify } from 'node:crypto';
import { httpbis } from 'http-message-signatures';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cancel } from '../../src/core/payments/act/cancel.ts';
import { release } from '../../src/core/payments/process/release.ts';
import { createScreening } from '../../src/core/reviews/ask-screening.ts';
import { requestReview } from '../../src/core/reviews/decide-review.ts';
import { screenPayment, settleScreening, takeUnscreened } from '../../src/core/reviews/screen-payments.ts';
import { VERDICTS, type Verdict } from '../../src/domain/limits/review.ts';
import { DEFAULT_SCREENING_FIELDS, type ScreeningField } from '../../src/domain/limits/screening.ts';
import type { PaymentKey } from '../../src/domain/payments/payment.ts';
import { actorNamed, decideAs } from '../approvals.ts';
import { call, openTestGateway, waitUntil, type TestGateway } from '../gateway.ts';
import { UNIT } from './limited-merchants.ts';
import {
  accepted,
  claimedNow,
  read,
  reviewedMerchant,
  reviewOf,
  setRule,
  startScreeningService,
  type Behaviour,
  type ScreeningService,
} from './reviewed-merchants.ts';

let gateway: TestGateway;
let service: ScreeningService;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
  service = await startScreeningService();
});
afterAll(async () => {
  await service.stop();
  await gateway.stop();
});
beforeEach(() => {
  service.behave = () => 'ALLOW';
});

/** For a service that does not answer. */
const DEADLINE_MS = 400;
/** For one that does, also on a busy machine. */
const ANSWERS_WITHIN_MS = 60_000;
const LEASE_MS = DEADLINE_MS + 15_000;

const screened = (withoutAnswer: Verdict, kind = 'PAYOUT') =>
  reviewedMerchant(gateway.engine, [{ rule: 'SCREENING', subject: kind, withoutAnswer }]);
const claim = () => claimedNow(gateway.engine);
const take = () => takeUnscreened(gateway.engine, { countMax: 100, deadlineMs: DEADLINE_MS });

/** One round of a worker: asks about everything that is to be asked about. */
async function screen(
  options: {
    readonly url?: string;
    readonly fields?: readonly ScreeningField[];
    readonly deadlineMs?: number;
  } = {},
) {
  const { url = service.url, fields = DEFAULT_SCREENING_FIELDS, deadlineMs = ANSWERS_WITHIN_MS } = options;
  const settings = { url, fields, deadlineMs, atOnceMax: 100 };
  const screening = createScreening(gateway.engine, settings);
  const taken = await take();
  await Promise.all(taken.map((review) => screenPayment(gateway.engine, review, screening.ask)));
  await screening.close();
  return taken.length;
}

const NO_ANSWERS: readonly Behaviour[] = [
  'HANG',
  'LIE',
  'CROSSED',
  'GARBAGE',
  'FAIL',
  'BREAK',
  'CUT',
  'SLOW',
];

/** What a payout is after what is configured for no answer was done. */
const AFTER = {
  ALLOW: { state: 'PROCESSING' },
  HOLD: { state: 'ENQUEUED', held: 'REVIEW' },
  REJECT: { state: 'FAILED', failureCode: 'OTHER_ERROR' },
} as const;

describe.each([...NO_ANSWERS, 'DEAD'] as const)('a service that answers with %s', (behaviour) => {
  test('without an answer from the service, the configured default applies and nothing else', async () => {
    service.behave = () => (behaviour === 'DEAD' ? 'ALLOW' : behaviour);
    const keys: Record<string, PaymentKey> = {};
    for (const verdict of VERDICTS) keys[verdict] = await accepted(gateway.engine, await screened(verdict));
    expect(await claim()).toEqual([]);
    for (const key of Object.values(keys))
      expect(await read(gateway.engine, key)).toMatchObject({ state: 'ENQUEUED', held: 'SCREENING' });
    const url = behaviour === 'DEAD' ? 'http://127.0.0.1:1/' : service.url;
    expect(await screen({ url, deadlineMs: DEADLINE_MS })).toBe(3);
    expect(await claim()).toEqual([keys['ALLOW']?.paymentId]);
    for (const verdict of VERDICTS) {
      const key = keys[verdict]!;
      expect(await read(gateway.engine, key)).toMatchObject(AFTER[verdict]);
      expect(await reviewOf(gateway.engine, key)).toMatchObject({ reasons: ['NO_ANSWER'] });
    }
    expect(await screen()).toBe(0);
  });
});

test('An answer counts, whatever is configured; its reason is encrypted.', async () => {
  const merchantId = await screened('ALLOW');
  const keys = await Promise.all(VERDICTS.map(() => accepted(gateway.engine, merchantId)));
  service.behave = ({ paymentId }) =>
    VERDICTS[keys.findIndex((key) => key.paymentId === paymentId)] ?? 'HANG';
  await claim();
  await screen();
  expect(await claim()).toEqual([keys[0]!.paymentId]);
  for (const [at, verdict] of VERDICTS.entries())
    expect(await read(gateway.engine, keys[at]!)).toMatchObject(AFTER[verdict]);
  const { reasons, encrypted_reason: words } = (await reviewOf(gateway.engine, keys[1]!))!;
  expect(reasons).toEqual(['SCREENED']);
  expect(String(words)).not.toContain('Grace');
});

test('Only the chosen fields are sent, signed as callbacks are.', async () => {
  const merchantId = await screened('HOLD');
  const key = await accepted(gateway.engine, merchantId);
  await claim();
  await screen({ fields: ['amount', 'phoneNumber'] });
  const { body, headers } = service.asked.at(-1)!;
  expect(Object.keys(body).toSorted()).toEqual(['amount', 'phoneNumber', 'screeningId']);
  expect(JSON.stringify(body)).not.toContain(key.paymentId);
  const { body: keys } = await call(gateway, 'GET', '/v2/public-key/http');
  const published = keys as unknown as readonly { id: string; key: string }[];
  const message = { method: 'POST', url: service.url, headers: headers as Record<string, string> };
  const isVerified = await httpbis.verifyMessage(
    {
      keyLookup: async ({ keyid = '' }) => ({
        id: keyid,
        algs: ['ecdsa-p256-sha256'],
        verify: async (data: Buffer, bytes: Buffer) =>
          createVerify('sha256')
            .update(data)
            .verify(published.find(({ id }) => id === keyid)?.key ?? '', bytes),
      }),
      requiredFields: ['@method', '@path', 'content-digest'],
    },
    message,
  );
  expect(isVerified).toBe(true);
});

test('Of two answers the first counts, and a late one does nothing.', async () => {
  const key = await accepted(gateway.engine, await screened('HOLD'));
  await claim();
  const [review] = await take();
  await settleScreening(gateway.engine, review!, null);
  await settleScreening(gateway.engine, review!, { verdict: 'ALLOW', reason: null });
  await settleScreening(gateway.engine, review!, { verdict: 'REJECT', reason: null });
  expect(await read(gateway.engine, key)).toMatchObject(AFTER.HOLD);
  const allowed = await accepted(gateway.engine, await screened('REJECT'));
  await claim();
  const [other] = await take();
  await Promise.all(
    VERDICTS.map((verdict) => settleScreening(gateway.engine, other!, { verdict, reason: null })),
  );
  const { status } = (await reviewOf(gateway.engine, allowed))!;
  const { state } = await read(gateway.engine, allowed);
  expect([`ALLOWED ENQUEUED`, `HELD ENQUEUED`, `REJECTED FAILED`]).toContain(`${status} ${state}`);
  await settleScreening(gateway.engine, other!, { verdict: 'REJECT', reason: null });
  expect((await read(gateway.engine, allowed)).state).toBe(state);
  await claim();
});

test('What a worker took and never answered is asked again, and its merchant can cancel it meanwhile.', async () => {
  const merchantId = await screened('ALLOW');
  const [key, cancelled] = [
    await accepted(gateway.engine, merchantId),
    await accepted(gateway.engine, merchantId),
  ];
  await claim();
  const taken = await take();
  expect(taken).toHaveLength(2);
  expect(await take()).toEqual([]);
  await cancel(gateway.engine, { ...cancelled, writtenId: cancelled.paymentId });
  await gateway.gateway.movableClock!.move(LEASE_MS + 1_000);
  expect(await screen()).toBe(2);
  expect(await claim()).toEqual([key.paymentId]);
  expect(await reviewOf(gateway.engine, cancelled)).toMatchObject({ status: 'ENDED' });
  expect(await screen()).toBe(0);
});

test('What the service allows is held for people all the same where the recipient is new.', async () => {
  const merchantId = await reviewedMerchant(gateway.engine, [
    { rule: 'SCREENING', subject: 'PAYOUT', withoutAnswer: 'ALLOW' },
    { rule: 'FIRST_RECIPIENT', subject: 'RWF', amountAbove: 0n },
  ]);
  const key = await accepted(gateway.engine, merchantId, { details: { phoneNumber: '250783111222' } });
  await claim();
  await screen();
  expect(await claim()).toEqual([]);
  expect(await reviewOf(gateway.engine, key)).toMatchObject({ status: 'HELD', reasons: ['FIRST_RECIPIENT'] });
});

describe('a deposit', () => {
  test('a deposit stays ACCEPTED while it is asked about, and is sent or fails by the answer; it is never held', async () => {
    const merchantId = await screened('REJECT', 'DEPOSIT');
    const start = () => accepted(gateway.engine, merchantId, { kind: 'DEPOSIT' });
    const keys = [await start(), await start(), await start()];
    service.behave = ({ paymentId }) =>
      VERDICTS[keys.findIndex((key) => key.paymentId === paymentId)] ?? 'HANG';
    expect(await claim()).toEqual([]);
    for (const key of keys) expect(await read(gateway.engine, key)).toMatchObject({ state: 'ACCEPTED' });
    // HOLD is no answer for a deposit: one is waited for until the deadline.
    expect(await screen({ deadlineMs: 3_000 })).toBe(3);
    expect(await claim()).toEqual([keys[0]!.paymentId]);
    for (const key of keys.slice(1)) expect(await read(gateway.engine, key)).toMatchObject(AFTER.REJECT);
  });
});

test('With random answers, kills, cancellations and decisions nothing held is sent, and nothing is lost.', async () => {
  const engine = gateway.engine;
  let seed = 20_261_117;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const merchants = await Promise.all(VERDICTS.map((verdict) => screened(verdict)));
  const keys: PaymentKey[] = [];
  const sent = new Set<string>();
  const claimAll = async () => {
    for (const id of await claim()) {
      const { status } = (await reviewOf(
        engine,
        keys.find(({ paymentId }) => paymentId === id)!,
      ))!;
      expect(['ALLOWED', 'RELEASED']).toContain(status);
      expect(sent.has(id)).toBe(false);
      sent.add(id);
    }
  };
  const answers = [...VERDICTS, null];
  const answerSome = async () => {
    for (const review of await take()) {
      // Killed: nothing is stored.
      for (let times = random(3); times > 0; times -= 1) {
        const verdict = answers[random(4)] ?? null;
        await settleScreening(engine, review, verdict === null ? null : { verdict, reason: null });
      }
    }
  };
  const decideOne = async () => {
    const key = keys[random(keys.length)]!;
    const decision = random(2) === 0 ? 'RELEASE' : 'REJECT';
    const answer = await requestReview(engine, { actor: actorNamed('Ana'), key, decision, reason: 'seen' });
    if (answer.type === 'REQUESTED') await decideAs(engine, 'Ben', answer.approvalId);
  };
  for (let round = 0; round < 40; round += 1) {
    keys.push(await accepted(engine, merchants[random(3)]!));
    const step = random(5);
    if (step === 0) await answerSome();
    if (step === 1) await claimAll();
    if (step === 2) await decideOne();
    if (step === 3) await release(engine, { countMax: 100, onError: (error) => expect(error).toBe(null) });
    if (step === 4) {
      const key = keys[random(keys.length)]!;
      await cancel(engine, { ...key, writtenId: key.paymentId });
      await gateway.gateway.movableClock!.move(LEASE_MS + 1_000);
    }
  }
  await claimAll();
  await gateway.gateway.movableClock!.move(LEASE_MS + 1_000);
  await screen();
  await claimAll();
  for (const key of keys) {
    const { state, held } = await read(engine, key);
    const isInQueue = state === 'ENQUEUED' && held === 'REVIEW';
    expect([key.paymentId, sent.has(key.paymentId) || isInQueue || state === 'FAILED']).toEqual([
      key.paymentId,
      true,
    ]);
    if (state === 'FAILED' || isInQueue) expect(sent.has(key.paymentId)).toBe(false);
  }
});

test('A worker asks by itself: what is allowed is completed, what is rejected announced, what is held waits.', async () => {
  const verdicts = ['ALLOW', 'REJECT', 'HOLD'] as const;
  const settings = {
    url: service.url,
    fields: DEFAULT_SCREENING_FIELDS,
    deadlineMs: ANSWERS_WITHIN_MS,
    atOnceMax: 4,
  };
  const whole = await openTestGateway({ screening: settings });
  try {
    const { engine, merchantId } = whole;
    await setRule(engine, merchantId, { rule: 'SCREENING', subject: 'PAYOUT', withoutAnswer: 'HOLD' });
    service.behave = ({ amount }) => verdicts[Number(amount) - 100] ?? 'HANG';
    const keys: PaymentKey[] = [];
    for (const at of [0n, 1n, 2n, 0n, 1n, 2n, 0n, 1n, 2n])
      keys.push(await accepted(engine, merchantId, { amount: (100n + at) * UNIT }));
    const states = async () =>
      Promise.all(keys.map(async (key) => (await read(engine, key)).state)).then((all) => all.join(' '));
    const ends = 'COMPLETED FAILED ENQUEUED';
    await waitUntil(async () => (await states()) === [ends, ends, ends].join(' '));
    await waitUntil(() => whole.receiver.received.length >= 6);
    const told = whole.receiver.received.filter(({ body }) => body['status'] === 'FAILED');
    expect(told.map(({ body }) => (body['failureReason'] as any).failureCode)).toEqual(
      Array.from({ length: 3 }, () => 'OTHER_ERROR'),
    );
  } finally {
    await whole.stop();
  }
});
