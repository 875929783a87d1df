// Payments met along an index that does not hold everything a list is narrowed by: open ones, and those with a value
// that is kept encrypted. What is rare among them could be a million entries away, so each page walks a bounded way and
// says where it ended.
import type { PaymentKey } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import {
  filterValues,
  found,
  IN_AMOUNTS,
  IN_TIME,
  IS_OPEN,
  OF_SORT,
  type FoundPayment,
  type PageRequest,
} from './payment-finding.ts';

/** So many entries are looked at for one page, however few of them fit: ten pages of the usual size, some 5 ms. */
export const WALKED_MAX = 500;

export type Walked = {
  /** The newest first. */
  readonly found: readonly FoundPayment[];
  /** The last payment that was looked at, where there may be more that fit beyond it. */
  readonly end: FoundPayment | null;
};

/** The open payments of a merchant. */
const OPEN = `select p.created_at, p.payment_no from payments p
  where p.merchant_id = $1 and ${IS_OPEN} and ${IN_TIME} order by p.created_at desc, p.payment_no desc`;

/** The payments that have one value: a hash is made with its merchant's identifier. */
const WITH_VALUE = `select p.created_at, p.payment_no from payment_search p
  where p.value_hash = $1 and p.created_at <= $2 and ${IN_TIME} order by p.created_at desc, p.payment_no desc`;

export async function walkOpen(tx: Tx, page: PageRequest): Promise<Walked> {
  return walk(tx, page, { along: OPEN, start: page.filter.merchantId });
}

export async function walkValue(tx: Tx, page: PageRequest, valueHash: Buffer): Promise<Walked> {
  return walk(tx, page, { along: WITH_VALUE, start: valueHash });
}

async function walk(
  tx: Tx,
  page: PageRequest,
  { along, start }: { readonly along: string; readonly start: string | Buffer | null },
): Promise<Walked> {
  const { filter, after, countMax } = page;
  const met = await found.query(
    tx,
    `select ${found.namesIn('p')} from (${along} limit ${WALKED_MAX}) walked join payments p using (payment_no)
     where p.merchant_id = $11 and p.state = any ($10::payment_state[]) and ${OF_SORT} and ${IN_AMOUNTS}
     order by walked.created_at desc, walked.payment_no desc limit $4`,
    [start, ...filterValues(page), filter.states, filter.merchantId],
  );
  if (met.length >= countMax) return { found: met, end: null };
  const bounds = [start, after.createdAt, after.paymentNo, WALKED_MAX - 1, filter.from ?? '-infinity'];
  const [end = null] = await found.query(
    tx,
    `select ${found.namesIn('p')} from (${along} offset $4 limit 1) walked join payments p using (payment_no)`,
    bounds,
  );
  return { found: met, end };
}

/** Where a payment stands in lists; null where the merchant has no such payment. */
export async function findPlace(
  tx: Tx,
  { merchantId, kind, paymentId }: PaymentKey,
): Promise<FoundPayment | null> {
  return found.find(
    tx,
    `from payments where payment_no = (
       select k.payment_no from payment_keys k where k.merchant_id = $1 and k.kind = $2 and k.payment_id = $3)`,
    [merchantId, kind, paymentId],
  );
}
