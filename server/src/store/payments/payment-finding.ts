// Pages of a merchant's payments, the newest first, each read from where the last one ended and never counted. What a
// list is narrowed by is in its index, so that a page of few among many is not looked for in all of them.
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { PaymentKey, PaymentKind, PaymentState } from '../../domain/payments/payment.ts';
import { columns } from '../columns.ts';
import type { Tx } from '../database.ts';

/** What a list is narrowed by. */
export type PaymentFilter = {
  readonly merchantId: string;
  readonly kinds: readonly PaymentKind[];
  readonly states: readonly PaymentState[];
  /** Never empty: all that there are where it does not matter. */
  readonly providers: readonly string[];
  readonly from: Date | null;
  readonly amountMin: Amount | null;
  readonly amountMax: Amount | null;
};

/** A cursor in a list: only what comes after it is read. */
export type PaymentCursor = { readonly createdAt: Date; readonly paymentNo: string };

export type PageRequest = {
  readonly filter: PaymentFilter;
  readonly after: PaymentCursor;
  readonly countMax: number;
};

export type FoundPayment = PaymentKey & PaymentCursor;

const found = columns({
  kind: 'payment_kind',
  paymentId: 'uuid',
  paymentNo: 'uuid',
  createdAt: 'timestamptz',
});

const ENDED: readonly PaymentState[] = ['COMPLETED', 'FAILED'];
const IS_ENDED = `p.state in ('COMPLETED', 'FAILED')`;
const IS_OPEN = `p.state not in ('COMPLETED', 'FAILED')`;

/** The parameters that every statement begins with: $1 to $9. */
function filterValues({ filter, after, countMax }: PageRequest): unknown[] {
  const { merchantId, kinds, providers, from, amountMin, amountMax } = filter;
  return [
    merchantId,
    after.createdAt,
    after.paymentNo,
    countMax,
    from ?? '-infinity',
    kinds,
    providers,
    textOf(amountMin),
    textOf(amountMax),
  ];
}

function textOf(amount: Amount | null): string | null {
  return amount === null ? null : renderAmount(amount);
}

const IN_TIME = `(p.created_at, p.payment_no) < ($2::timestamptz, $3::uuid) and p.created_at >= $5::timestamptz`;
const IN_AMOUNTS = `($8::numeric is null or p.amount >= $8) and ($9::numeric is null or p.amount <= $9)`;
const OF_SORT = `p.kind = any ($6::payment_kind[]) and p.provider = any ($7::text[])`;
const NEWEST_FIRST = 'order by created_at desc, payment_no desc limit $4';

/** One walk along the index for each provider, kind and state: together they are in the order of time. */
const ENDED_IN_TIME = `
  select found.* from unnest($7::text[]) as of_provider
  cross join unnest($6::payment_kind[]) as of_kind cross join unnest($10::payment_state[]) as of_state
  cross join lateral (
    select p.payment_no, p.created_at from payments p
    where p.merchant_id = $1 and p.provider = of_provider and p.kind = of_kind and p.state = of_state and ${IS_ENDED}
      and ${IN_TIME} and ${IN_AMOUNTS}
    order by p.created_at desc, p.payment_no desc limit $4) found`;

const ENDED_BY_AMOUNT = `
  select p.payment_no, p.created_at from payments p
  where p.merchant_id = $1 and ${amountsBetween('$8', '$9')} and ${IS_ENDED}
    and p.state = any ($10::payment_state[]) and ${OF_SORT} and ${IN_TIME}`;

const OPEN = `
  select p.payment_no, p.created_at from payments p
  where $11 and p.merchant_id = $1 and ${IS_OPEN} and p.state = any ($12::payment_state[]) and ${OF_SORT}
    and ${IN_TIME} and ${IN_AMOUNTS}`;

/** The upper end is more than the column can hold. */
function amountsBetween(least: string, most: string): string {
  return `p.amount between coalesce(${least}::numeric, 0) and coalesce(${most}::numeric, 1e18)`;
}

const LIST_IN_TIME = pageOf(ENDED_IN_TIME);
const LIST_BY_AMOUNT = pageOf(ENDED_BY_AMOUNT);

function pageOf(ended: string): string {
  return `select ${found.namesIn('p')} from (
    select payment_no from (
      (${ended} ${NEWEST_FIRST}) union all (${OPEN} ${NEWEST_FIRST})) each ${NEWEST_FIRST}) page
    join payments p using (payment_no) order by p.created_at desc, p.payment_no desc`;
}

export async function listPage(tx: Tx, page: PageRequest): Promise<readonly FoundPayment[]> {
  const { states, merchantId } = page.filter;
  const open = states.filter((state) => !ENDED.includes(state));
  const ended = states.filter((state) => ENDED.includes(state));
  const text = (await isRareAmount(tx, page.filter)) ? LIST_BY_AMOUNT : LIST_IN_TIME;
  const values = [...filterValues(page), ended, open.length > 0, open];
  const rows = await found.query(tx, text, values);
  return rows.map((row) => ({ ...row, merchantId }));
}

/**
 * So many are put in the order of time in some 20 ms. Where there are more, a page of them is met soon on the way back
 * through all; where there are few, that way would lead through a million others, which took 400 ms.
 */
const RARE_COUNT_MAX = 50_000;

async function isRareAmount(tx: Tx, { merchantId, amountMin, amountMax }: PaymentFilter): Promise<boolean> {
  if (amountMin === null && amountMax === null) return false;
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::int as count from (
       select 1 from payments p where p.merchant_id = $1 and ${amountsBetween('$2', '$3')} and ${IS_ENDED}
       limit $4) met`,
    [merchantId, textOf(amountMin), textOf(amountMax), RARE_COUNT_MAX + 1],
  );
  return (rows[0]?.count ?? 0) <= RARE_COUNT_MAX;
}

/** What a person typed, in all the meanings it can have. */
export type SearchTerms = {
  /** Where it has the form of an identifier. */
  readonly paymentId: string | null;
  /** What an operator may call a payment. */
  readonly references: readonly string[];
  /** Keyed hashes of encrypted values. */
  readonly valueHashes: readonly Buffer[];
};

/** Payments that have this identifier, belong to what has it, or are called so by their operator. */
const NAMED = `
  select k.payment_no from payment_keys k
    where k.merchant_id = $1 and k.kind = any ($6::payment_kind[]) and k.payment_id = $11
  union select p.payment_no from payments p
    where p.merchant_id = $1 and p.deposit_id = $11 and p.kind = 'REFUND'
  union select p.payment_no from payments p
    where p.merchant_id = $1 and p.split_payment_id = $11 and p.split_payment_id is not null
  union select p.payment_no from payments p
    where p.merchant_id = $1 and p.checkout_id = $11 and p.checkout_id is not null
  union select k.payment_no from provider_transactions t join payment_keys k using (merchant_id, kind, payment_id)
    where t.provider = any ($7::text[]) and t.provider_transaction_id = any ($12::text[]) and t.merchant_id = $1
  union select p.payment_no from payments p
    where p.state = 'FAILED' and p.provider_transaction_id = any ($12::text[]) and p.merchant_id = $1
  union select a.payment_no from payment_attempts a
    where a.reference = any ($12::text[]) and a.merchant_id = $1
  union select a.payment_no from payment_attempts a
    where a.provider_reference = any ($12::text[]) and a.merchant_id = $1`;

const SUITS = `p.state = any ($10::payment_state[]) and ${OF_SORT} and ${IN_TIME} and ${IN_AMOUNTS}`;

/** A number that thousands of payments have is read as far as a page needs. */
const SEARCH = `
  select distinct ${found.names} from (
    select p.kind, p.payment_id, p.payment_no, p.created_at from (${NAMED}) named
    join payments p using (payment_no) where p.merchant_id = $1 and ${SUITS}
    union all
    select hashed.* from unnest($13::bytea[]) as hash cross join lateral (
      select p.kind, p.payment_id, p.payment_no, p.created_at from payment_search s
      join payments p using (payment_no)
      where s.value_hash = hash and s.created_at <= $2 and s.created_at >= $5 and p.merchant_id = $1 and ${SUITS}
      order by s.created_at desc, s.payment_no desc limit $4) hashed) found
  order by "createdAt" desc, "paymentNo" desc limit $4`;

export async function searchPage(
  tx: Tx,
  page: PageRequest,
  { paymentId, references, valueHashes }: SearchTerms,
): Promise<readonly FoundPayment[]> {
  const values = [...filterValues(page), page.filter.states, paymentId, references, valueHashes];
  const rows = await found.query(tx, SEARCH, values);
  return rows.map((row) => ({ ...row, merchantId: page.filter.merchantId }));
}
