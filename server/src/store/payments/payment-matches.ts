// Payments that something a person typed names: an identifier or its beginning, a reference, a value that is kept
// encrypted. Of one merchant or of several: every index begins with the merchant, or with what is looked for.
import type { IdentifierRange } from '../../domain/identifier.ts';
import type { Tx } from '../database.ts';
import {
  filterValues,
  found,
  IN_AMOUNTS,
  IN_TIME,
  OF_SORT,
  totals,
  totalText,
  type FoundPayment,
  type PageRequest,
  type PaymentTotal,
} from './payment-finding.ts';

/** What a person typed, in all the meanings it can have. */
export type SearchTerms = {
  /** From the first to the last: one identifier, or all that begin alike. Null where it cannot be one. */
  readonly identifiers: IdentifierRange | null;
  /** What an operator may call a payment. */
  readonly references: readonly string[];
  /** Keyed hashes of encrypted values. */
  readonly valueHashes: readonly Buffer[];
};

/**
 * Of one merchant. Merchants choose identifiers: those of one that counts instead of drawing them at random all begin
 * alike, and would be read as a whole.
 */
const ALIKE_MAX = 200;

const BETWEEN = `between $11::uuid and $12::uuid`;

/** Payments that have this identifier, or belong to what has it. */
const IDENTIFIED = `
  select of_one.payment_no from unnest($1::uuid[]) as of_merchant cross join lateral (
    (select k.payment_no from payment_keys k
       where k.merchant_id = of_merchant and k.kind = any ($6::payment_kind[]) and k.payment_id ${BETWEEN} limit $15)
    union (select p.payment_no from payments p
       where p.merchant_id = of_merchant and p.deposit_id ${BETWEEN} and p.kind = 'REFUND' limit $15)
    union (select p.payment_no from payments p
       where p.merchant_id = of_merchant and p.split_payment_id ${BETWEEN} and p.split_payment_id is not null
       limit $15)
    union (select p.payment_no from payments p
       where p.merchant_id = of_merchant and p.checkout_id ${BETWEEN} and p.checkout_id is not null limit $15)
  ) of_one`;

/** Payments that their operator calls so. */
const REFERENCED = `
  select k.payment_no from provider_transactions t join payment_keys k using (merchant_id, kind, payment_id)
    where t.provider = any ($7::text[]) and t.provider_transaction_id = any ($13::text[])
      and t.merchant_id = any ($1::uuid[])
  union select p.payment_no from payments p
    where p.state = 'FAILED' and p.provider_transaction_id = any ($13::text[]) and p.merchant_id = any ($1::uuid[])
  union select a.payment_no from payment_attempts a
    where a.reference = any ($13::text[]) and a.merchant_id = any ($1::uuid[])
  union select a.payment_no from payment_attempts a
    where a.provider_reference = any ($13::text[]) and a.merchant_id = any ($1::uuid[])`;

const SUITS = `p.merchant_id = any ($1::uuid[]) and p.state = any ($10::payment_state[]) and ${OF_SORT} and ${IN_TIME}
  and ${IN_AMOUNTS}`;

/**
 * A number that thousands of payments have is read as far as a page needs: by time alone, as the index has it, because
 * PostgreSQL would read all of them to put equal times in order.
 */
const SEARCH = `
  select distinct ${found.names} from (
    select p.merchant_id, p.kind, p.payment_id, p.payment_no, p.created_at
    from (${IDENTIFIED} union ${REFERENCED}) named
    join payments p using (payment_no) where ${SUITS}
    union all
    select hashed.* from unnest($14::bytea[]) as hash cross join lateral (
      select p.merchant_id, p.kind, p.payment_id, p.payment_no, p.created_at from payment_search s
      join payments p using (payment_no)
      where s.value_hash = hash and s.created_at <= $2 and s.created_at >= $5 and ${SUITS}
      order by s.created_at desc fetch first ($4::int) rows with ties) hashed) found
  order by "createdAt" desc, "paymentNo" desc limit $4`;

const SEARCH_TOTALS = totalText(`select "paymentNo" as payment_no from (${SEARCH}) matches`);

export type Matching = SearchTerms & { readonly merchantIds: readonly string[] };

/** The newest first. */
export async function listMatches(
  tx: Tx,
  page: PageRequest,
  matching: Matching,
): Promise<readonly FoundPayment[]> {
  return found.query(tx, SEARCH, valuesOf(page, matching));
}

/** Adds up as many of them as `countMax` says. */
export async function sumMatches(
  tx: Tx,
  page: PageRequest,
  matching: Matching,
): Promise<readonly PaymentTotal[]> {
  return totals.query(tx, SEARCH_TOTALS, valuesOf(page, matching));
}

function valuesOf(
  page: PageRequest,
  { merchantIds, identifiers, references, valueHashes }: Matching,
): unknown[] {
  const { first = null, last = null } = identifiers ?? {};
  return [
    merchantIds,
    ...filterValues(page),
    page.filter.states,
    first,
    last,
    references,
    valueHashes,
    ALIKE_MAX,
  ];
}
