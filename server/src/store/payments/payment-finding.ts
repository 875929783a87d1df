// Pages of payments, the newest first, each read from where the last one ended and never counted. What a list is
// narrowed by is in its index, so that a page of few among many is not looked for in all of them.
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { PaymentKey, PaymentKind, PaymentState } from '../../domain/payments/payment.ts';
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { distinct } from './distinct.ts';

/** What a list is narrowed by. */
export type PaymentFilter = {
  /** Null for all merchants of this cell; then nothing is narrowed by amounts. */
  readonly merchantId: string | null;
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

export const found = columns({
  merchantId: 'uuid',
  kind: 'payment_kind',
  paymentId: 'uuid',
  paymentNo: 'uuid',
  createdAt: 'timestamptz',
});

export const ENDED: readonly PaymentState[] = ['COMPLETED', 'FAILED'];
const STATE_ENDED = `state in ('COMPLETED', 'FAILED')`;
const STATE_OPEN = `state not in ('COMPLETED', 'FAILED')`;
const IS_ENDED = `p.${STATE_ENDED}`;
export const IS_OPEN = `p.${STATE_OPEN}`;

/** The parameters that every statement begins with: $2 to $9. The first one says whose payments are meant. */
export function filterValues({ filter, after, countMax }: PageRequest): unknown[] {
  const { kinds, providers, from, amountMin, amountMax } = filter;
  return [
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

export const IN_TIME = `(p.created_at, p.payment_no) < ($2::timestamptz, $3::uuid) and p.created_at >= $5::timestamptz`;
export const IN_AMOUNTS = `($8::numeric is null or p.amount >= $8) and ($9::numeric is null or p.amount <= $9)`;
export const OF_SORT = `p.kind = any ($6::payment_kind[]) and p.provider = any ($7::text[])`;
const NEWEST_FIRST = 'order by created_at desc, payment_no desc limit $4';

/** The newest payments that have all this in common: one walk along an index. */
function newestWhere(common: string, countMax = '$4'): string {
  return `select p.payment_no, p.created_at from payments p where ${common} and ${IN_TIME} and ${IN_AMOUNTS}
    order by p.created_at desc, p.payment_no desc limit ${countMax}`;
}

/** One walk along the index for each provider, kind and state: together they are in the order of time. */
const ENDED_IN_TIME = `
  select found.* from unnest($7::text[]) as of_provider
  cross join unnest($6::payment_kind[]) as of_kind cross join unnest($10::payment_state[]) as of_state
  cross join lateral (${newestWhere(
    `p.merchant_id = $1 and p.provider = of_provider and p.kind = of_kind and p.state = of_state and ${IS_ENDED}`,
  )}) found`;

const ENDED_BY_AMOUNT = `
  select p.payment_no, p.created_at from payments p
  where p.merchant_id = $1 and ${amountsBetween('$8', '$9')} and ${IS_ENDED}
    and p.state = any ($10::payment_state[]) and ${OF_SORT} and ${IN_TIME}`;

const OPEN = newestWhere(
  `$11 and p.merchant_id = $1 and ${IS_OPEN} and p.state = any ($12::payment_state[]) and ${OF_SORT}`,
);

/** The upper end is more than the column can hold. */
function amountsBetween(least: string, most: string): string {
  return `p.amount between coalesce(${least}::numeric, 0) and coalesce(${most}::numeric, 1e18)`;
}

/** A condition that every identifier meets: it says where the walk along the index begins. */
const FROM_FIRST = `merchant_id >= '00000000-0000-0000-0000-000000000000'`;

/** What merchants have payments of, one step in the index for each: few of them use more than some providers. */
const GROUPS_OF_ALL = `with recursive
  ${distinct('ended_groups', 'merchant_id, provider, kind, state', STATE_ENDED, FROM_FIRST)},
  ${distinct('open_merchants', 'merchant_id', STATE_OPEN, FROM_FIRST)}`;

/**
 * Of many groups: the newest one of each tells which groups a page can be made of, never more than it has rows. Only
 * those are walked along.
 */
function newestOf(groups: string, common: string, isMeant: string): string {
  return `select found.* from (
      select g.* from ${groups} g cross join lateral (${newestWhere(common, '1')}) newest
      where ${isMeant} order by newest.created_at desc, newest.payment_no desc limit $4) g
    cross join lateral (${newestWhere(common)}) found`;
}

const ENDED_OF_ALL = newestOf(
  'ended_groups',
  `p.merchant_id = g.merchant_id and p.provider = g.provider and p.kind = g.kind and p.state = g.state
   and ${IS_ENDED}`,
  `$1::uuid is null and g.provider = any ($7::text[]) and g.kind = any ($6::payment_kind[])
   and g.state = any ($10::payment_state[])`,
);

const OPEN_OF_ALL = newestOf(
  'open_merchants',
  `$11 and p.merchant_id = g.merchant_id and ${IS_OPEN} and p.state = any ($12::payment_state[]) and ${OF_SORT}`,
  'true',
);

export const totals = columns({
  kind: 'payment_kind',
  currency: 'text',
  count: 'int',
  amount: 'numeric',
  completedCount: 'int',
  completedAmount: 'numeric',
  /** Of completed payments: the others cost nothing. */
  completedFees: 'numeric',
});

export type PaymentTotal = Row<typeof totals>;

const IS_COMPLETED = `filter (where p.state = 'COMPLETED')`;

/** Adds up payments. `numbers` is a statement that answers their `payment_no`. */
export function totalText(numbers: string, before = ''): string {
  return `${before} select p.kind, p.currency, count(*)::int as count, sum(p.amount) as amount,
      (count(*) ${IS_COMPLETED})::int as "completedCount",
      coalesce(sum(p.amount) ${IS_COMPLETED}, 0) as "completedAmount",
      coalesce(sum(p.fee) ${IS_COMPLETED}, 0) as "completedFees"
    from (${numbers}) met join payments p using (payment_no) group by p.kind, p.currency`;
}

type ListTexts = { readonly page: string; readonly total: string };

/** The statements about ended and open payments together. */
function listTexts({
  before = '',
  ended,
  open,
}: Record<'ended' | 'open', string> & { before?: string }): ListTexts {
  const numbers = (order: string) =>
    `select payment_no from ((${ended} ${order}) union all (${open})) each ${order}`;
  return {
    page: `${before} select ${found.namesIn('p')} from (${numbers(NEWEST_FIRST)}) page
      join payments p using (payment_no) order by p.created_at desc, p.payment_no desc`,
    // Whichever are met first: nothing is put in order to be added up.
    total: totalText(numbers('limit $4'), before),
  };
}

const LIST_IN_TIME = listTexts({ ended: ENDED_IN_TIME, open: OPEN });
const LIST_BY_AMOUNT = listTexts({ ended: ENDED_BY_AMOUNT, open: OPEN });
const LIST_OF_ALL = listTexts({ before: GROUPS_OF_ALL, ended: ENDED_OF_ALL, open: OPEN_OF_ALL });

export async function listPage(tx: Tx, page: PageRequest): Promise<readonly FoundPayment[]> {
  return found.query(tx, (await listFor(tx, page.filter)).page, listValues(page));
}

/** Adds up as many payments of a list as `countMax` says. */
export async function sumList(tx: Tx, page: PageRequest): Promise<readonly PaymentTotal[]> {
  return totals.query(tx, (await listFor(tx, page.filter)).total, listValues(page));
}

function listValues(page: PageRequest): unknown[] {
  const { merchantId, states } = page.filter;
  const open = states.filter((state) => !ENDED.includes(state));
  const ended = states.filter((state) => ENDED.includes(state));
  return [merchantId, ...filterValues(page), ended, open.length > 0, open];
}

async function listFor(tx: Tx, filter: PaymentFilter): Promise<ListTexts> {
  if (filter.merchantId === null) return LIST_OF_ALL;
  return (await isRareAmount(tx, filter)) ? LIST_BY_AMOUNT : LIST_IN_TIME;
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
