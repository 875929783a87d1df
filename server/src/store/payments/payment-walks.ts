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
export const WALK_LENGTH_MAX = 500;

export type Walked = {
  /** By time, the newest first. */
  readonly found: readonly FoundPayment[];
  /** The last payment that was looked at, where there may be more that fit beyond it. */
  readonly end: FoundPayment | null;
};

/** An index to walk along; $1 says where. */
type Along = { readonly table: string; readonly where: string };

/** The open payments of a merchant. */
const OPEN: Along = { table: 'payments', where: `p.merchant_id = $1 and ${IS_OPEN}` };

/** The payments that have one value: a hash is made with its merchant's identifier. */
const WITH_VALUE: Along = { table: 'payment_search', where: 'p.value_hash = $1 and p.created_at <= $2' };

export async function walkOpen(tx: Tx, page: PageRequest): Promise<Walked> {
  return walk(tx, page, { along: OPEN, start: page.filter.merchantId });
}

export async function walkValue(tx: Tx, page: PageRequest, valueHash: Buffer): Promise<Walked> {
  return walk(tx, page, { along: WITH_VALUE, start: valueHash });
}

async function walk(
  tx: Tx,
  page: PageRequest,
  { along, start }: { readonly along: Along; readonly start: string | Buffer | null },
): Promise<Walked> {
  const { filter, after, countMax } = page;
  const met = await found.query(tx, pageText(along), [
    start,
    ...filterValues(page),
    filter.states,
    filter.merchantId,
  ]);
  if (met.length >= countMax) return { found: met, end: null };
  const bounds = [start, after.createdAt, after.paymentNo, WALK_LENGTH_MAX - 1, filter.from ?? '-infinity'];
  const [end = null] = await found.query(tx, endText(along), bounds);
  return { found: met, end };
}

/**
 * By time alone, as the index has it: where PostgreSQL had to put equal times in order, it would first read all that
 * there is. Those of one time are taken together instead, so a page may have more of them than it was asked for.
 */
function walkText({ table, where }: Along): string {
  return `select p.created_at, p.payment_no from ${table} p where ${where} and ${IN_TIME} order by p.created_at desc`;
}

function pageText(along: Along): string {
  return `select ${found.namesIn('p')}
    from (${walkText(along)} fetch first ${WALK_LENGTH_MAX} rows with ties) walked join payments p using (payment_no)
    where p.merchant_id = $11 and p.state = any ($10::payment_state[]) and ${OF_SORT} and ${IN_AMOUNTS}
    order by walked.created_at desc fetch first ($4::int) rows with ties`;
}

/** The last one of the time at which the walk ends, if it does not end before. */
function endText(along: Along): string {
  return `select ${found.namesIn('p')} from payments p where p.payment_no = (
    select p.payment_no from ${along.table} p where ${along.where} and p.created_at = (
      select walked.created_at from (${walkText(along)} offset $4 limit 1) walked)
    order by p.payment_no limit 1)`;
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
