// Takes payments that the screening service is to be asked about, and does what it answered, or what is configured for
// no answer. The row of the review decides: an answer that comes second, or late, does nothing.
import { screeningOf, type ReviewReason, type Verdict } from '../../domain/limits/review.ts';
import type { ScreeningAnswer } from '../../domain/limits/screening.ts';
import type { PaymentEvent } from '../../domain/payments/lifecycle.ts';
import { addMs } from '../../domain/time.ts';
import type { Tx } from '../../store/database.ts';
import {
  leaseAsking,
  listCooledOff,
  settleReview,
  type Review,
  type ReviewStatus,
} from '../../store/reviews/payment-reviews.ts';
import { listPaymentsByNumber, type StoredPayment } from '../../store/payments/payments.ts';
import type { Engine } from '../engine.ts';
import { advance, type Advanced } from '../payments/process/advance.ts';
import { inTimedTransaction } from '../timed-transaction.ts';
import type { AskScreening } from './ask-screening.ts';

/** Longer than it takes to store an answer. */
const LEASE_BEYOND_DEADLINE_MS = 15_000;

/** Payments that this process asks about now; another one asks about them should it die. */
export async function takeUnscreened(
  engine: Pick<Engine, 'store' | 'clock'>,
  { countMax, deadlineMs }: { readonly countMax: number; readonly deadlineMs: number },
): Promise<readonly Review[]> {
  return inTimedTransaction(engine, (tx, now) => {
    const until = addMs(now, deadlineMs + LEASE_BEYOND_DEADLINE_MS);
    return leaseAsking(tx, { now, until, countMax });
  });
}

/** Asks about one payment, and does what follows. */
export async function screenPayment(engine: Engine, review: Review, ask: AskScreening): Promise<void> {
  const { database, keyring } = engine.store;
  const [payment] = await listPaymentsByNumber(database, keyring, [review.paymentNo]);
  if (payment === undefined) return;
  const answer = isWaiting(payment) ? await ask(payment) : null;
  await settleScreening(engine, review, answer);
}

/** Null: there was no answer. */
export async function settleScreening(
  engine: Engine,
  review: Review,
  answer: ScreeningAnswer | null,
): Promise<void> {
  const { merchantId, kind } = review;
  const merchant = await engine.directory.merchant(merchantId);
  // Where the rule was removed meanwhile, by two people, no one is asked any more.
  const otherwise = screeningOf(merchant?.reviewRules ?? [], kind) ?? 'ALLOW';
  const found = foundBy(review, answer, otherwise);
  await settle(engine, review, { ...found, before: 'ASKING', reason: answer?.reason ?? null });
}

type Found = Pick<Review, 'status' | 'reasons' | 'endsAt'> & { readonly event: PaymentEvent };

const RELEASED: PaymentEvent = { type: 'RELEASED', hold: 'SCREENING' };
const REJECTED: PaymentEvent = { type: 'CANCELLED', unsentAs: 'OTHER_ERROR' };
const TO_PEOPLE: PaymentEvent = {
  type: 'PROVIDER_DELAYED',
  because: 'REVIEW',
  hold: 'REVIEW',
  isFromScreening: true,
};

/** What the brakes found is kept: the service may allow a payment that people look at all the same. */
function foundBy(
  { reasons: brakes, endsAt }: Review,
  answer: ScreeningAnswer | null,
  otherwise: Verdict,
): Found {
  const verdict = answer?.verdict ?? otherwise;
  const own: readonly ReviewReason[] =
    answer === null ? ['NO_ANSWER'] : verdict === 'ALLOW' ? [] : ['SCREENED'];
  const reasons = [...own, ...brakes];
  switch (verdict) {
    case 'ALLOW':
      return brakes.length === 0
        ? { status: 'ALLOWED', reasons, endsAt: null, event: RELEASED }
        : { status: 'HELD', reasons, endsAt, event: TO_PEOPLE };
    case 'HOLD':
      return { status: 'HELD', reasons, endsAt: null, event: TO_PEOPLE };
    case 'REJECT':
      return { status: 'REJECTED', reasons, endsAt: null, event: REJECTED };
  }
}

/** Takes the transaction back: somebody else settled it, or it is too early. */
class SettledBefore extends Error {}

type Settling = Found & {
  readonly before: ReviewStatus;
  readonly reason: string | null;
  /** Nothing is done before this time. */
  readonly notBefore?: Date | null;
};

/** Answers whether the payment goes on by it. */
async function settle(
  engine: Engine,
  review: Review,
  { event, notBefore = null, ...settling }: Settling,
): Promise<boolean> {
  const write = async (tx: Tx, advanced: Advanced | undefined) => {
    if (advanced === undefined || !('payment' in advanced)) return;
    // What was found by the clock of this process is judged again by the transaction's.
    if (notBefore !== null && notBefore > (await engine.clock.timeOf(tx))) throw new SettledBefore();
    const isDone = advanced.type === 'MOVE';
    // After a restore it is asked about first: then the review goes on later.
    if (!isDone && isWaiting(advanced.payment)) return;
    const status = isDone ? settling.status : 'ENDED';
    const { paymentNo } = review;
    const isFirst = await settleReview(tx, engine.store.keyring, { ...settling, paymentNo, status });
    if (!isFirst) throw new SettledBefore();
  };
  const settled = advance(engine, [{ key: review, event }], (tx, [advanced]) => write(tx, advanced));
  const [advanced] = await settled.catch((error: unknown) => {
    if (error instanceof SettledBefore) return [];
    throw error;
  });
  if (advanced?.type !== 'MOVE') return false;
  noteOutcome(engine, advanced.payment, settling);
  return true;
}

/** What the service allows at once was never held for people, and what it holds is noted when that commits. */
function noteOutcome(
  { riskLog }: Pick<Engine, 'riskLog'>,
  payment: StoredPayment,
  { before, status }: Pick<Settling, 'before' | 'status'>,
): void {
  if (status === 'REJECTED') riskLog.note({ ...payment, event: 'PAYMENT_REJECTED', subject: 'SCREENING' });
  else if (before === 'HELD') riskLog.note({ ...payment, event: 'PAYMENT_RELEASED', subject: 'REVIEW' });
}

/** Of a deposit nothing is held: its payer waits. */
function isWaiting({ kind, state, held }: StoredPayment): boolean {
  return kind === 'DEPOSIT' ? state === 'ACCEPTED' : held !== undefined && held !== 'FREEZE';
}

/** Releases what waited for a cooling-off alone. Answers how many were released. */
export async function endCoolingOffs(
  engine: Engine,
  { countMax, onError }: { readonly countMax: number; readonly onError: (error: unknown) => void },
): Promise<number> {
  const over = await listCooledOff(engine.store.database, engine.clock.now(), countMax);
  let count = 0;
  for (const review of over) {
    const event = { type: 'RELEASED', hold: 'REVIEW' } as const;
    const settling = { ...review, event, before: 'HELD', status: 'ALLOWED', reason: null } as const;
    const settled = settle(engine, review, { ...settling, notBefore: review.endsAt });
    const isReleased = await settled.catch((error: unknown) => {
      onError(error);
      return false;
    });
    if (isReleased) count += 1;
  }
  return count;
}
