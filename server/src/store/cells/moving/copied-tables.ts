// Which rows of which tables are a payment's, and which are the merchant's, in an order that foreign keys allow.
import { COUNTERS_OF_ROW } from '../../limits/limit-counters.ts';
import type { TableCopy, TableShape } from './copy-rows.ts';
import { TABLE_FATES } from './table-fates.ts';

const OF_PAYMENT = 't.payment_no in (select payment_no from k)';
const OF_KEY = '(t.merchant_id, t.kind, t.payment_id) in (select merchant_id, kind, payment_id from k)';
export const OF_SUBJECT = `t.subject_id in (
  select payment_no from k union all
  select payment_id from k where kind in ('SPLIT_PAYMENT', 'CHECKOUT', 'STATEMENT')) and t.merchant_id = $1`;
const OF_MERCHANT = 't.merchant_id = $1';

const TRANSFERS_OF_PAYMENTS = 't.subject_id in (select payment_no from k)';

/** In the words of the index `transfers_of_no_payment`. */
const OTHER_TRANSFERS = `t.merchant_id = $1
  and t.subject_kind not in ('DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE')`;

function accountsOf(transfers: string): string {
  return `t.account_id in (
    select account_id from (select t.debit_account_id, t.credit_account_id from transfers t where ${transfers}) moved
    cross join lateral (values (moved.debit_account_id), (moved.credit_account_id)) as named (account_id))`;
}

export const DELIVERIES: TableCopy = {
  table: 'callback_attempts',
  where: `t.callback_id in (select t.callback_id from callbacks t where ${OF_SUBJECT})`,
  onRepeat: 'KEEP',
  // Old ones are deleted, in each cell when its workers get there.
  mayHaveMore: true,
};

/** Everything that belongs to a payment. Only what can still change is replaced. */
export const PAYMENT_TABLES: readonly TableCopy[] = [
  { table: 'accounts', where: accountsOf(TRANSFERS_OF_PAYMENTS), onRepeat: 'KEEP' },
  { table: 'callback_endpoints', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  // One that was free meanwhile has another number.
  { table: 'payment_keys', where: OF_KEY, onRepeat: 'REPLACE' },
  {
    table: 'split_payments',
    where: `t.merchant_id = $1 and t.split_payment_id in (select payment_id from k where kind = 'SPLIT_PAYMENT')`,
    onRepeat: 'REPLACE',
  },
  {
    table: 'checkouts',
    where: `t.merchant_id = $1 and t.checkout_id in (select payment_id from k where kind = 'CHECKOUT')`,
    onRepeat: 'REPLACE',
  },
  // FAILED first: a checkout has at most one attempt that is not, and a deposit one open refund, at any moment.
  { table: 'payments', where: `${OF_PAYMENT} and t.state = 'FAILED'`, onRepeat: 'REPLACE' },
  { table: 'payments', where: `${OF_PAYMENT} and t.state = 'COMPLETED'`, onRepeat: 'REPLACE' },
  {
    table: 'payments',
    where: `${OF_PAYMENT} and t.state not in ('COMPLETED', 'FAILED')`,
    onRepeat: 'REPLACE',
  },
  {
    table: 'limit_counters',
    where: `t.counter_id in (
      select counter_id from payments p cross join lateral (${COUNTERS_OF_ROW}) as named (counter_id)
      where p.payment_no in (select payment_no from k)
      union
      select counter_id from split_payments p cross join lateral (${COUNTERS_OF_ROW}) as named (counter_id)
      where p.merchant_id = $1 and p.split_payment_id in (select payment_id from k where kind = 'SPLIT_PAYMENT')
      union
      select counter_id from cases p cross join lateral (${COUNTERS_OF_ROW}) as named (counter_id)
      where (p.merchant_id, p.kind, p.payment_id) in (select merchant_id, kind, payment_id from k))`,
    onRepeat: 'REPLACE',
    // Old ones are deleted, in each cell when its workers get there.
    mayHaveMore: true,
  },
  { table: 'payment_events', where: OF_PAYMENT, onRepeat: 'KEEP' },
  { table: 'payment_attempts', where: OF_PAYMENT, onRepeat: 'REPLACE' },
  { table: 'payment_reviews', where: OF_PAYMENT, onRepeat: 'REPLACE' },
  { table: 'transfers', where: TRANSFERS_OF_PAYMENTS, onRepeat: 'REPLACE' },
  { table: 'cases', where: OF_KEY, onRepeat: 'REPLACE' },
  {
    // The transactions that payments and their cases name; there is no index by payment.
    table: 'provider_transactions',
    where: `(t.provider, t.provider_transaction_id) in (
      select p.provider, p.provider_transaction_id from k join payments p using (payment_no)
      union
      select p.provider, c.provider_transaction_id from k join payments p using (payment_no)
      join cases c on (c.merchant_id, c.kind, c.payment_id) = (k.merchant_id, k.kind, k.payment_id))
      and t.merchant_id = $1`,
    onRepeat: 'KEEP',
    mayHaveMore: true,
  },
  { table: 'callbacks', where: OF_SUBJECT, onRepeat: 'REPLACE' },
  DELIVERIES,
];

/** What is compared of payments. Endpoints are copied with each page, and compared with the merchant's own rows. */
export const COMPARED_TABLES = PAYMENT_TABLES.filter(({ table }) => table !== 'callback_endpoints');

/** What changes without a note: the lease of a step or a question that a worker takes, and how often a hint came. */
const UNNOTED: Readonly<Record<string, readonly string[]>> = {
  payments: ['next_action_at'],
  payment_attempts: ['hint_count', 'hinted_at'],
  payment_reviews: ['asked_until'],
};

/**
 * What is compared while the merchant is served. Callbacks are delivered meanwhile, and no one notes it; counters are
 * changed by payments that come later.
 */
export const NOTED_TABLES: readonly TableCopy[] = COMPARED_TABLES.filter(
  ({ table }) => !table.startsWith('callback') && table !== 'limit_counters',
).map((copy) => ({ ...copy, ignored: UNNOTED[copy.table] ?? [] }));

/** Rows of these can have been deleted, so those of the new cell are deleted before. */
export const REWRITTEN_TABLES = [
  'merchant_providers',
  'fees',
  'merchant_public_keys',
  'payout_limits',
  'wallet_alerts',
  'limits',
  'listed_numbers',
  'review_rules',
  'missing_follow_ups',
] as const;

/** Copied as a whole behind the migration lock. */
export const MERCHANT_TABLES: readonly TableCopy[] = [
  { table: 'merchants', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'merchant_providers', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'fees', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'merchant_public_keys', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'api_tokens', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'accounts', where: `${OF_MERCHANT} or ${accountsOf(OTHER_TRANSFERS)}`, onRepeat: 'KEEP' },
  { table: 'transfers', where: OTHER_TRANSFERS, onRepeat: 'REPLACE' },
  { table: 'wallets', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'wallet_debts', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'ledger_days', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'ledger_totals', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'approvals', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'posted_references', where: OF_MERCHANT, onRepeat: 'KEEP', mayHaveMore: true },
  { table: 'callback_endpoints', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'merchant_notices', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'payout_limits', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'wallet_alerts', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'limits', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'wallet_holds', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  // What is requested is withdrawn by the move.
  { table: 'bank_accounts', where: `${OF_MERCHANT} and t.status <> 'REQUESTED'`, onRepeat: 'REPLACE' },
  { table: 'settlements', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'listed_numbers', where: `${OF_MERCHANT} and not t.is_requested`, onRepeat: 'REPLACE' },
  { table: 'review_rules', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'sensitive_changes', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'payout_batches', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'payout_batch_sums', where: OF_MERCHANT, onRepeat: 'KEEP' },
  { table: 'statements', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'event_heads', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'payment_links', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  { table: 'missing_follow_ups', where: OF_MERCHANT, onRepeat: 'REPLACE' },
  // A trace of an earlier stay has reasons under a data key that was replaced since.
  { table: 'audit_log', where: OF_MERCHANT, onRepeat: 'REPLACE', mayHaveMore: true },
  {
    table: 'operator_notifications',
    where: `t.applied_at is null and exists (
      select 1 from payment_attempts a where a.reference = t.reference and a.merchant_id = $1)`,
    onRepeat: 'KEEP',
  },
];

/** Messages that wait are the cell's, and its workers may look at them. */
export function isCompared({ table }: TableCopy): boolean {
  return table !== 'operator_notifications';
}

/** Beside the merchants' row nothing is needed before payments can be copied. */
export const MERCHANT_ROW: TableCopy = { table: 'merchants', where: OF_MERCHANT, onRepeat: 'REPLACE' };

/** What is deleted with a payment in the cell that was left, in the order that foreign keys allow. */
export const CLEARED_TABLES: readonly TableCopy[] = PAYMENT_TABLES.filter(
  ({ table }) => TABLE_FATES[table] === 'WITH_ITS_PAYMENT',
).toReversed();

/** What never changes: by this a row is known again in the new cell, where the rest may have changed. */
export function lastingColumns(table: string, shapes: ReadonlyMap<string, TableShape>): readonly string[] {
  const key = shapes.get(table)?.key ?? [];
  return table === 'transfers' ? [...key, 'debit_account_id', 'credit_account_id', 'amount'] : key;
}

/** Rows of a batch that are copied, compared and noted together. The triggers of the notes have the same number. */
export const PIECE_ROWS = 500;

/**
 * What is no payment's and can be hundreds of thousands of rows, with what a row needs to be there before. `k` holds
 * pieces: an identifier, and a number that counts from zero.
 */
export const PIECE_TABLES = {
  payment_pages: [
    {
      table: 'payment_pages',
      where: 't.merchant_id = $1 and t.deposit_id in (select id from k)',
      onRepeat: 'REPLACE',
    },
  ],
  payout_batch_rows: [
    {
      table: 'payout_batches',
      where: 't.merchant_id = $1 and t.batch_id in (select id from k)',
      onRepeat: 'REPLACE',
    },
    {
      table: 'payout_batch_rows',
      // By where they are: PostgreSQL reads each piece from the key, whatever it knows of the table.
      where: `t.ctid in (
        select r.ctid from k join payout_batch_rows r on r.merchant_id = $1 and r.batch_id = k.id
          and r.row_no between k.piece * ${PIECE_ROWS} and k.piece * ${PIECE_ROWS} + ${PIECE_ROWS - 1})`,
      onRepeat: 'REPLACE',
    },
  ],
} as const satisfies Readonly<Record<string, readonly TableCopy[]>>;
export type PieceTable = keyof typeof PIECE_TABLES;

/** What is deleted after the last payment. Its wallets are gone since the merchant is. */
export const CLEARED_LAST: readonly Pick<TableCopy, 'table' | 'where'>[] = [
  { table: 'transfers', where: OTHER_TRANSFERS },
  { table: 'wallet_debts', where: OF_MERCHANT },
  { table: 'accounts', where: OF_MERCHANT },
  { table: 'approvals', where: OF_MERCHANT },
  { table: 'callback_endpoints', where: OF_MERCHANT },
  { table: 'merchant_providers', where: OF_MERCHANT },
  { table: 'fees', where: OF_MERCHANT },
  { table: 'merchant_public_keys', where: OF_MERCHANT },
  { table: 'merchant_notices', where: OF_MERCHANT },
  { table: 'payout_limits', where: OF_MERCHANT },
  { table: 'wallet_alerts', where: OF_MERCHANT },
  { table: 'limits', where: OF_MERCHANT },
  { table: 'wallet_holds', where: OF_MERCHANT },
  { table: 'settlements', where: OF_MERCHANT },
  { table: 'bank_accounts', where: OF_MERCHANT },
  { table: 'listed_numbers', where: OF_MERCHANT },
  { table: 'review_rules', where: OF_MERCHANT },
  { table: 'sensitive_changes', where: OF_MERCHANT },
  { table: 'payout_batch_sums', where: OF_MERCHANT },
  { table: 'payout_batches', where: OF_MERCHANT },
  // Their chunks go with them.
  { table: 'statements', where: OF_MERCHANT },
  { table: 'merchant_events', where: OF_MERCHANT },
  { table: 'event_heads', where: OF_MERCHANT },
  { table: 'missing_follow_ups', where: OF_MERCHANT },
  { table: 'payment_hours', where: OF_MERCHANT },
  { table: 'payment_days', where: OF_MERCHANT },
  { table: 'payment_hours_progress', where: OF_MERCHANT },
  { table: 'ledger_days', where: OF_MERCHANT },
  { table: 'ledger_totals', where: OF_MERCHANT },
  { table: 'ledger_progress', where: OF_MERCHANT },
];
