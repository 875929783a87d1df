// Which payments somebody looks at before they are sent: the platform's screening service, or people. Asked in the
// claiming transaction, where a review that allows the payment is seen. Merchants without rules cost nothing.
import {
  brakeOn,
  screeningOf,
  type ReviewReason,
  type ReviewRule,
  type ReviewRuleName,
} from '../../domain/limits/review.ts';
import type { PaymentEvent } from '../../domain/payments/lifecycle.ts';
import { paymentKeyText } from '../../domain/payments/payment.ts';
import { addMs } from '../../domain/time.ts';
import type { Tx } from '../../store/database.ts';
import {
  findReviewStatuses,
  insertReviews,
  type Review,
  type ReviewStatus,
} from '../../store/reviews/payment-reviews.ts';
import { listSensitiveChanges } from '../../store/reviews/review-rules.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import type { NewEvent } from '../../store/payments/payment-events.ts';
import { listKnownRecipients } from '../../store/payments/payment-search.ts';
import type { StoredPayment } from '../../store/payments/payments.ts';
import type { StorePart } from '../engine.ts';

/** `isBegun`: it has its row. */
export type NeededReview = Review & { readonly isBegun: boolean };

type Asked = {
  readonly payments: readonly StoredPayment[];
  readonly merchants: ReadonlyMap<string, Merchant>;
  readonly now: Date;
};

/** By the names of the payments. */
export async function findNeededReviews(
  engine: StorePart,
  tx: Tx,
  { payments, merchants, now }: Asked,
): Promise<ReadonlyMap<string, NeededReview>> {
  const rulesOf = ({ merchantId }: StoredPayment) => merchants.get(merchantId)?.reviewRules ?? [];
  const concerned = payments.filter((payment) => isConcerned(payment, rulesOf(payment)));
  if (concerned.length === 0) return new Map();
  const statuses = await findReviewStatuses(
    tx,
    concerned.map(({ paymentNo }) => paymentNo),
  );
  const open = concerned.filter(({ paymentNo }) => !mayGoOn(statuses.get(paymentNo)));
  const toNew = open.filter((one) => brakeOn(rulesOf(one), 'FIRST_RECIPIENT', one) !== null);
  const known = await knownRecipients(engine, tx, { payments: toNew, now });
  const cooling = await coolingOffs(tx, open, { rulesOf, now });
  const reviews = open.flatMap((payment) => {
    const name = paymentKeyText(payment);
    const isFirst = brakeOn(rulesOf(payment), 'FIRST_RECIPIENT', payment) !== null && !known.has(name);
    const endsAt = cooling.get(name) ?? null;
    const reasons: readonly ReviewReason[] = [
      ...(isFirst ? (['FIRST_RECIPIENT'] as const) : []),
      ...(endsAt === null ? [] : (['COOLING_OFF'] as const)),
    ];
    const isScreened = screeningOf(rulesOf(payment), payment.kind) !== null;
    const before = statuses.get(payment.paymentNo);
    const isBegun = before !== undefined;
    if (!isScreened && reasons.length === 0 && !isBegun) return [];
    const status: ReviewStatus = before ?? (isScreened ? 'ASKING' : 'HELD');
    const { paymentNo, merchantId, kind, paymentId } = payment;
    const review = { paymentNo, merchantId, kind, paymentId, status, reasons, begunAt: now };
    return [[name, { ...review, endsAt: isFirst ? null : endsAt, isBegun }] as const];
  });
  return new Map(reviews);
}

/** What a merchant sees in PROCESSING was claimed before, and nothing holds it any more. */
function isConcerned(payment: StoredPayment, rules: readonly ReviewRule[]): boolean {
  if (rules.length === 0 || (payment.state !== 'ACCEPTED' && payment.state !== 'ENQUEUED')) return false;
  const isBraked = (name: Exclude<ReviewRuleName, 'SCREENING'>) => brakeOn(rules, name, payment) !== null;
  return screeningOf(rules, payment.kind) !== null || isBraked('FIRST_RECIPIENT') || isBraked('COOLING_OFF');
}

function mayGoOn(status: ReviewStatus | undefined): boolean {
  return status === 'ALLOWED' || status === 'RELEASED';
}

const HOUR_MS = 3_600_000;

/** So long ago people would have noticed a payout that they did not mean. */
const KNOWN_AFTER_MS = 24 * HOUR_MS;

/**
 * The names of payments to a number that their merchant paid a day ago, or with a release by people, as
 * core/payments/search-terms.ts names it.
 */
async function knownRecipients(
  { store }: StorePart,
  tx: Tx,
  { payments, now }: { readonly payments: readonly StoredPayment[]; readonly now: Date },
): Promise<ReadonlySet<string>> {
  const asked = payments.map((payment) => ({
    payment,
    hashes: store.keyring.searchHashes(payment.merchantId, `phoneNumber:${payment.details.phoneNumber}`),
  }));
  const paid = await listKnownRecipients(tx, {
    valueHashes: asked.flatMap(({ hashes }) => hashes),
    by: addMs(now, -KNOWN_AFTER_MS),
  });
  const isPaid = (hashes: readonly Buffer[]) => hashes.some((hash) => paid.has(hash.toString('hex')));
  return new Set(asked.filter(({ hashes }) => isPaid(hashes)).map(({ payment }) => paymentKeyText(payment)));
}

/** When the cooling-off of each payment ends, by name. A new token slows down what it requested itself. */
async function coolingOffs(
  tx: Tx,
  payments: readonly StoredPayment[],
  {
    rulesOf,
    now,
  }: { readonly rulesOf: (payment: StoredPayment) => readonly ReviewRule[]; readonly now: Date },
): Promise<ReadonlyMap<string, Date>> {
  const braked = payments.flatMap((payment) => {
    const hours = brakeOn(rulesOf(payment), 'COOLING_OFF', payment)?.hours ?? null;
    return hours === null ? [] : [{ payment, ms: hours * HOUR_MS }];
  });
  if (braked.length === 0) return new Map();
  const changes = await listSensitiveChanges(tx, {
    merchantIds: braked.map(({ payment }) => payment.merchantId),
    tokenIds: braked.flatMap(({ payment }) => payment.tokenId ?? []),
    since: addMs(now, -Math.max(...braked.map(({ ms }) => ms))),
  });
  const ends = braked.flatMap(({ payment, ms }) => {
    const ofPayment = changes.filter(
      ({ merchantId, what, subject }) =>
        merchantId === payment.merchantId && (what !== 'TOKEN' || subject === payment.tokenId),
    );
    const last = Math.max(...ofPayment.map(({ changedAt }) => changedAt.getTime() + ms), 0);
    return last > now.getTime() ? [[paymentKeyText(payment), new Date(last)] as const] : [];
  });
  return new Map(ends);
}

/** What a claim becomes. The payer of a deposit waits, so that it stays as it is and is claimed again. */
export function reviewEvent({ kind }: StoredPayment, { status }: NeededReview): PaymentEvent {
  const event = { type: 'PROVIDER_DELAYED', because: 'REVIEW' } as const;
  if (kind === 'DEPOSIT') return { ...event, isDeposit: true };
  return { ...event, hold: status === 'ASKING' ? 'SCREENING' : 'REVIEW' };
}

type Held = { readonly payment: StoredPayment; readonly events: readonly NewEvent[] };

/** In the transaction that holds the payments. What waits for another reason is looked at when it is claimed again. */
export async function beginReviews(
  tx: Tx,
  reviews: ReadonlyMap<string, NeededReview>,
  changes: Iterable<Held>,
): Promise<void> {
  if (reviews.size === 0) return;
  const begun = [...changes].flatMap(({ payment, events }) => {
    const review = reviews.get(paymentKeyText(payment));
    const isHeld = events.some(({ detail }) => detail === 'REVIEW');
    return review !== undefined && isHeld && !review.isBegun ? [review] : [];
  });
  await insertReviews(tx, begun);
}
