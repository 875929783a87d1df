// Who has an operator's transaction. It belongs to one owner: a payment that it completed, a payment whose case is
// about it, or a movement of the float that was posted under it. Everybody who is about to use one asks here.
import { comparableTransaction } from '../../domain/ledger/money-reference.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { columns, column, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { transactionName, type TransactionName } from './attempts.ts';

const uses = columns({
  /** The provider, and the transaction as it was asked for. */
  source: column<string>('text', 'w.source'),
  wanted: column<string>('text', 'w.wanted'),
  ownedBy: column<'PAYMENT' | 'CASE' | 'MOVEMENT'>('text', 'u.owned_by'),
  merchantId: column<string>('uuid', 'u.merchant_id'),
  /** The kind of the payment, or the type of the movement. */
  kind: column<string>('text', 'u.kind'),
  /** The payment's identifier, or the reference of the movement. */
  paymentId: column<string>('text', 'u.payment_id'),
  country: column<string>('text', 'u.country'),
  currency: column<string>('text', 'u.currency'),
  amount: column<bigint>('numeric', 'u.amount'),
  usedAt: column<Date>('timestamptz', 'u.used_at'),
});

export type TransactionUse = Row<typeof uses>;

/** As `transactionName` names the transaction that was asked for. */
export function nameOfUse({ source: provider, wanted: providerTransactionId }: TransactionUse): string {
  return transactionName({ provider, providerTransactionId });
}

/** Whether it is this payment's own use, by its end or by one of its cases. */
export function isUseOf(
  { merchantId, kind, paymentId }: Pick<TransactionUse, 'merchantId' | 'kind' | 'paymentId'>,
  payment: PaymentKey,
): boolean {
  return merchantId === payment.merchantId && kind === payment.kind && paymentId === payment.paymentId;
}

/** `comparableTransaction` as SQL. Indexes have it word for word. */
const comparable = (sql: string) => `upper(replace(${sql}, ' ', '') collate "C")`;

/** The payment as far as it is still here: what a merchant's move leaves behind has no more than its names. */
const OF_PAYMENT = (alias: string) => `${alias}.merchant_id, ${alias}.kind::text as kind,
  ${alias}.payment_id::text as payment_id`;
const FACTS = `coalesce(p.country, '') as country, coalesce(p.currency, '') as currency,
  coalesce(p.amount, 0) as amount`;
const JOINED = (alias: string, join: string) => `${join} join payment_keys k
      on (k.merchant_id, k.kind, k.payment_id) = (${alias}.merchant_id, ${alias}.kind, ${alias}.payment_id)
    ${join} join payments p on p.payment_no = k.payment_no`;

/**
 * All who have these transactions in this cell, however they are written. A case has its transaction while it is open,
 * and when its resolution has moved money for it; one about the transaction that completed its own payment adds no
 * owner. A charge has none: operators call it as what they charged for.
 */
export async function listTransactionUses(
  tx: Tx,
  wanted: readonly TransactionName[],
): Promise<readonly TransactionUse[]> {
  if (wanted.length === 0) return [];
  return uses.select(
    tx,
    `from unnest($1::text[], $2::text[], $3::text[]) as w (source, wanted, comparable)
     cross join lateral (
       select 'PAYMENT' as owned_by, ${OF_PAYMENT('t')}, ${FACTS}, t.claimed_at as used_at
       from (
         select * from provider_transactions
         where provider = w.source and provider_transaction_id in (w.wanted, w.comparable)
         union
         select * from provider_transactions
         where provider = w.source and ${comparable('provider_transaction_id')} = w.comparable
           and provider_transaction_id <> ${comparable('provider_transaction_id')}
       ) t ${JOINED('t', 'left')}
       union all
       select 'CASE', ${OF_PAYMENT('c')}, ${FACTS}, c.opened_at
       from cases c ${JOINED('c', '')}
       where ${comparable('c.provider_transaction_id')} = w.comparable and p.provider = w.source
         and not (p.state = 'COMPLETED'
           and coalesce(${comparable('p.provider_transaction_id')} = w.comparable, false))
         and (c.resolved_at is null or (c.resolution <> 'REVERSE_EVIDENCE' and c.resolved_amount > 0))
       union all
       select 'MOVEMENT', r.merchant_id, r.type, r.reference, r.country, r.currency, r.amount, r.posted_at
       from posted_references r
       where r.source = w.source and r.reference = w.comparable and r.posted_back_at is null
         and r.type in ('FLOAT_TOP_UP', 'FLOAT_WITHDRAWAL')
     ) u order by u.used_at`,
    [
      wanted.map(({ provider }) => provider),
      wanted.map(({ providerTransactionId }) => providerTransactionId),
      wanted.map(({ providerTransactionId }) => comparableTransaction(providerTransactionId)),
    ],
  );
}

/**
 * Until the transaction ends, nobody gets one of these transactions unseen. Who refuses one that has an owner locks it
 * alone; operators' answers, which always post, lock theirs together. Comes after payments and before accounts.
 */
export async function lockTransactions(
  tx: Tx,
  wanted: readonly TransactionName[],
  how: 'ALONE' | 'SHARED',
): Promise<void> {
  if (wanted.length === 0) return;
  const suffix = how === 'SHARED' ? '_shared' : '';
  await tx.query(
    `select pg_advisory_xact_lock${suffix}(7060, bucket) from (
       select distinct hashtext(name) & 255 as bucket from unnest($1::text[]) as name order by bucket) b`,
    [wanted.map(({ provider, providerTransactionId: id }) => `${provider}/${comparableTransaction(id)}`)],
  );
}
