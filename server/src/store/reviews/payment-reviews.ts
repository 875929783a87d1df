// Reviews of payments as rows: what is asked about, held for people, allowed and rejected.
import type { ReviewReason } from '../../domain/limits/review.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import type { ProcessTime } from '../../domain/clock.ts';
import { column, columns, type Row } from '../columns.ts';
import { livesHere } from '../cells/migration-locks.ts';
import type { Tx } from '../database.ts';
import { PLATFORM, type Keyring } from '../encryption/encryption.ts';
import { isChanged, numberedKeys, unnested, valuesOf } from '../rows.ts';

export type ReviewStatus = 'ASKING' | 'HELD' | 'ALLOWED' | 'RELEASED' | 'REJECTED' | 'ENDED';

const reviews = columns({
  ...numberedKeys.defs,
  status: column<ReviewStatus>('text'),
  reasons: column<readonly ReviewReason[]>('text[]'),
  begunAt: 'timestamptz',
  endsAt: 'timestamptz null',
});

export type Review = Row<typeof reviews>;

const written = columns({ ...reviews.without('reasons').defs, reasonTexts: 'text' }).cells;

/** Of payments whose locks are held. One that has a review keeps it. */
export async function insertReviews(tx: Tx, begun: readonly Review[]): Promise<void> {
  if (begun.length === 0) return;
  const rows = begun.map(({ reasons, ...review }) => ({ ...review, reasonTexts: reasons.join(',') }));
  await tx.query(
    `insert into payment_reviews (payment_no, merchant_id, kind, payment_id, status, begun_at, ends_at, reasons)
     select payment_no, merchant_id, kind, payment_id, status, begun_at, ends_at, string_to_array(reason_texts, ',')
     from ${unnested(written, 'begun')} on conflict (payment_no) do nothing`,
    valuesOf(written, rows),
  );
}

/** The statuses of payments that have a review, by the numbers of the payments. */
export async function findReviewStatuses(
  tx: Tx,
  paymentNos: readonly string[],
): Promise<ReadonlyMap<string, ReviewStatus>> {
  const found = await reviews
    .only('paymentNo', 'status')
    .select(tx, 'from payment_reviews where payment_no = any ($1::uuid[])', [paymentNos]);
  return new Map(found.map(({ paymentNo, status }) => [paymentNo, status]));
}

const LIVES_HERE = livesHere('payment_reviews');

/** Takes what is to be asked about, the oldest first, until a time: from then on somebody else asks. */
export async function leaseAsking(
  tx: Tx,
  { now, until, countMax }: { readonly now: Date; readonly until: Date; readonly countMax: number },
): Promise<readonly Review[]> {
  return reviews.query(
    tx,
    `update payment_reviews set asked_until = $2 where payment_no in (
       select payment_no from payment_reviews
       where status = 'ASKING' and (asked_until is null or asked_until <= $1) and ${LIVES_HERE}
       order by begun_at limit $3 for update skip locked)
     returning ${reviews.names}`,
    [now, until, countMax],
  );
}

/** Held for a cooling-off alone, which is over. */
export async function listCooledOff(tx: Tx, now: ProcessTime, countMax: number): Promise<readonly Review[]> {
  return reviews.select(
    tx,
    `from payment_reviews where status = 'HELD' and ends_at <= $1 and ${LIVES_HERE} order by ends_at limit $2`,
    [now, countMax],
  );
}

/** It no longer ends by itself. Only people decide, also where the request for which it is done is withdrawn. */
export async function leaveToPeople(tx: Tx, paymentNo: string): Promise<void> {
  await tx.query(
    `update payment_reviews set ends_at = null
     where payment_no = $1 and status = 'HELD' and ends_at is not null`,
    [paymentNo],
  );
}

/** Answers whether it was so before: of two answers the first counts. What was left to people gets no end again. */
export async function settleReview(
  tx: Tx,
  keyring: Keyring,
  settled: Pick<Review, 'paymentNo' | 'reasons' | 'endsAt' | 'status'> & {
    readonly before: ReviewStatus;
    /** What the screening service said; null: nothing new. */
    readonly reason: string | null;
  },
): Promise<boolean> {
  const { paymentNo, before, status, reasons, endsAt, reason } = settled;
  const encrypted = reason === null ? null : keyring.encrypt(identityOf(paymentNo), reason);
  return isChanged(
    tx,
    `update payment_reviews set status = $3, reasons = $4, ends_at = $5, asked_until = null,
       encrypted_reason = coalesce($6, encrypted_reason)
     where payment_no = $1 and status = $2 and (status <> 'HELD' or ends_at is not null or $5::timestamptz is null)`,
    [paymentNo, before, status, reasons, endsAt, encrypted],
  );
}

const listed = columns({
  ...reviews.defs,
  encryptedReason: 'bytea null',
  createdAt: column<Date>('timestamptz'),
});

export type HeldReview = Review & { readonly reason: string | null; readonly createdAt: Date };

export type ReviewCursor = { readonly at: Date; readonly id: string };

/** In the words of `payments_held_by_age` alone: the other index of held payments is not by age. */
const IN_QUEUE = `p.held = 'REVIEW'`;
const LISTED = `r.payment_no as "paymentNo", r.merchant_id as "merchantId", r.kind, r.payment_id as "paymentId",
  r.status, r.reasons, r.begun_at as "begunAt", r.ends_at as "endsAt", r.encrypted_reason as "encryptedReason",
  p.created_at as "createdAt"`;

/** What people have to decide about, the oldest payment first. */
export async function listHeldReviews(
  tx: Tx,
  keyring: Keyring,
  { after, countMax }: { readonly after: ReviewCursor | null; readonly countMax: number },
): Promise<readonly HeldReview[]> {
  const rows = await listed.query(
    tx,
    `select ${LISTED} from payments p cross join lateral (
       select * from payment_reviews where payment_no = p.payment_no limit 1) r
     where ${IN_QUEUE} ${after === null ? '' : 'and (p.created_at, p.payment_no) > ($2, $3)'}
     order by p.created_at, p.payment_no limit $1`,
    [countMax, ...(after === null ? [] : [after.at, after.id])],
  );
  return rows.map((row) => openedReview(keyring, row));
}

/** Nothing is counted further: that it is this many says all, and every page of the queue counts. */
const COUNT_MAX = 10_000;

/** Of merchants that live here: one that has moved away may have left its payments behind. */
export async function countHeldReviews(tx: Tx, countMax = COUNT_MAX): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::int as count from (
       select from payments p where ${IN_QUEUE} and ${livesHere('p')} order by created_at limit $1) waiting`,
    [countMax],
  );
  return rows[0]?.count ?? 0;
}

/** Null where people have nothing to decide about it. */
export async function findHeldReview(
  tx: Tx,
  keyring: Keyring,
  { merchantId, kind, paymentId }: PaymentKey,
): Promise<HeldReview | null> {
  const [row] = await listed.query(
    tx,
    `select ${LISTED} from payment_keys k join payments p using (payment_no)
     join payment_reviews r using (payment_no)
     where (k.merchant_id, k.kind, k.payment_id) = ($1, $2, $3) and p.held = 'REVIEW'`,
    [merchantId, kind, paymentId],
  );
  return row === undefined ? null : openedReview(keyring, row);
}

function openedReview(keyring: Keyring, { encryptedReason, ...row }: Row<typeof listed>): HeldReview {
  const reason =
    encryptedReason === null ? null : keyring.openText(identityOf(row.paymentNo), encryptedReason);
  return { ...row, reason };
}

function identityOf(paymentNo: string) {
  return { merchantId: PLATFORM, row: `payment_reviews/${paymentNo}/reason` };
}
