// Every column that holds encrypted values: whose key is theirs, and which row each value is bound to. A test finds
// every column of the database that could be encrypted, and compares.
import type { OperationKey } from '../../domain/payments/payment.ts';
import { bodyIdentity, type Announced } from '../callbacks/callbacks.ts';

/** Columns of a key by their names, in the order of an index. */
export type KeyColumns = Readonly<
  Record<string, 'uuid' | 'text' | 'int' | 'bigint' | 'bytea' | 'payment_kind' | 'timestamptz'>
>;

/** A column of encrypted values. */
export type EncryptedColumn = {
  readonly table: string;
  readonly column: string;
  /** What tells rows apart and puts them in an order that an index has; of a merchant's rows, behind the merchant. */
  readonly key: KeyColumns;
  /** Where the table has no index by merchant: the joined tables, with rows as `t`, and an order that they have. */
  readonly paged?: { readonly from: string; readonly merchant: string; readonly order: KeyColumns };
  /** Other columns that the name of the row is made of. */
  readonly named?: readonly string[];
  /** The name of the row; where it is left out, the table and its key. */
  readonly rowOf?: (row: RowName) => string;
};

/** What a row is called by: its key, and what else its name is made of. */
export type RowName = {
  readonly merchantId: string;
  readonly key: readonly string[];
  readonly named: readonly string[];
};

export function rowOf({ table, rowOf: own }: EncryptedColumn, name: RowName): string {
  return own === undefined ? `${table}/${name.key.join('/')}` : own(name);
}

/** Data keys of merchants, wrapped by encryption keys, with their numbers. */
export const WRAPPED_COLUMNS: readonly EncryptedColumn[] = [
  { table: 'merchants', column: 'data_key', key: { merchant_id: 'uuid' }, named: ['data_key_no'] },
  {
    table: 'merchants',
    column: 'other_data_key',
    key: { merchant_id: 'uuid' },
    named: ['other_data_key_no'],
  },
];

/** What belongs to no merchant, under keys that are made of encryption keys. */
export const PLATFORM_COLUMNS: readonly EncryptedColumn[] = [
  { table: 'service_signing_keys', column: 'encrypted_private_key', key: { key_no: 'int' } },
  {
    table: 'operator_credentials',
    column: 'encrypted_values',
    key: { connector: 'text', account: 'text', product: 'text' },
  },
  {
    table: 'replaced_credentials',
    column: 'encrypted_values',
    key: { connector: 'text', account_id: 'text' },
  },
  { table: 'operator_tokens', column: 'encrypted_token', key: { account: 'text' } },
  {
    table: 'operator_report_lines',
    column: 'encrypted_line',
    key: { provider: 'text', line_hash: 'bytea' },
  },
  ...(['number', 'reason'] as const).flatMap((what) => [
    {
      table: 'listed_numbers',
      column: `encrypted_${what}`,
      key: { entry_id: 'uuid' } as const,
      rowOf: ({ key }: RowName) => `listed_numbers/${key[0]}/${what}`,
    },
    {
      table: 'freezes',
      column: `encrypted_${what}`,
      key: { freeze_id: 'uuid' } as const,
      rowOf: ({ key }: RowName) => `freezes/${key[0]}/${what}`,
    },
  ]),
  {
    table: 'payment_reviews',
    column: 'encrypted_reason',
    key: { payment_no: 'uuid' },
    rowOf: ({ key }: RowName) => `payment_reviews/${key[0]}/reason`,
  },
  {
    table: 'freezes',
    column: 'encrypted_lift_reason',
    key: { freeze_id: 'uuid' } as const,
    rowOf: ({ key }: RowName) => `freezes/${key[0]}/lift_reason`,
  },
  { table: 'operator_notifications', column: 'encrypted_message', key: { notification_id: 'uuid' } },
  { table: 'operator_questions', column: 'encrypted_secret', key: { question_id: 'uuid' } },
  { table: 'operator_traffic', column: 'encrypted_exchange', key: { traffic_id: 'uuid' } },
];

/** Payments of a merchant are listed by their identifiers. */
const OF_MERCHANT = {
  from: 'payment_keys k',
  merchant: 'k.merchant_id',
  order: { 'k.kind': 'payment_kind', 'k.payment_id': 'uuid' },
} as const;
/** Callbacks by the time that they were made. */
const CALLBACKS = {
  from: 'callbacks t',
  merchant: 't.merchant_id',
  order: { 't.created_at': 'timestamptz', 't.callback_id': 'uuid' },
} as const;

const CASE = {
  table: 'cases',
  key: { kind: 'payment_kind', payment_id: 'uuid', evidence: 'text', case_no: 'int' },
  named: ['case_id'],
} as const;
const APPROVAL = { table: 'approvals', key: { approval_id: 'uuid' } } as const;

/** What is under a merchant's data key. Each table has a column `merchant_id`, or is paged by one that has. */
export const MERCHANT_COLUMNS: readonly EncryptedColumn[] = [
  {
    table: 'payments',
    column: 'encrypted_details',
    key: { payment_no: 'uuid' },
    paged: { ...OF_MERCHANT, from: `${OF_MERCHANT.from} join payments t using (payment_no)` },
    named: ['k.kind', 'k.payment_id'],
    rowOf: ({ named }) => `payments/${named.join('/')}`,
  },
  {
    table: 'payment_events',
    column: 'encrypted_evidence',
    key: { payment_no: 'uuid', event_no: 'int' },
    paged: {
      ...OF_MERCHANT,
      from: `${OF_MERCHANT.from} join payment_events t using (payment_no)`,
      order: { ...OF_MERCHANT.order, 't.event_no': 'int' },
    },
    named: ['k.kind', 'k.payment_id', 't.event_no'],
    rowOf: ({ named }) => `payment_events/${named.join('/')}`,
  },
  { ...CASE, column: 'encrypted_evidence', rowOf: ({ named }) => `cases/${named[0]}` },
  { table: 'split_payments', column: 'encrypted_parts', key: { split_payment_id: 'uuid' } },
  { table: 'payment_pages', column: 'encrypted_order', key: { deposit_id: 'uuid' } },
  { table: 'checkouts', column: 'encrypted_order', key: { checkout_id: 'uuid' } },
  {
    table: 'callbacks',
    column: 'encrypted_body',
    key: { callback_id: 'uuid' },
    paged: CALLBACKS,
    named: ['t.kind', 't.payment_id', 't.announced_state'],
    rowOf: bodyRow,
  },
  {
    table: 'callback_attempts',
    column: 'encrypted_answer',
    key: { callback_id: 'uuid', attempt_no: 'int' },
    paged: {
      from: 'callbacks c join callback_attempts t using (callback_id)',
      merchant: 'c.merchant_id',
      order: { 'c.created_at': 'timestamptz', 'c.callback_id': 'uuid', 't.attempt_no': 'int' },
    },
  },
  { table: 'payout_batches', column: 'encrypted_title', key: { batch_id: 'uuid' } },
  { table: 'payout_batch_rows', column: 'encrypted_order', key: { batch_id: 'uuid', row_no: 'int' } },
  {
    table: 'statement_chunks',
    column: 'encrypted_bytes',
    key: { statement_id: 'uuid', making_no: 'int', chunk_no: 'int' },
  },
  { table: 'bank_accounts', column: 'encrypted_account', key: { bank_account_id: 'uuid' } },
  { ...APPROVAL, column: 'encrypted_reason', rowOf: ({ key }) => `approvals/${key[0]}/reason` },
  { ...APPROVAL, column: 'encrypted_note', rowOf: ({ key }) => `approvals/${key[0]}/note` },
  {
    table: 'audit_log',
    column: 'encrypted_reason',
    key: { entry_no: 'bigint' },
    named: ['id'],
    rowOf: ({ named }) => `audit_log/${named[0]}`,
  },
  {
    table: 'merchants',
    column: 'encrypted_contact_email',
    key: { merchant_id: 'uuid' },
    rowOf: () => 'merchants/contact-email',
  },
];

function bodyRow({ merchantId, named }: RowName): string {
  const [kind, paymentId = '', announcedState] = named;
  const key: OperationKey = { merchantId, kind: kind as OperationKey['kind'], paymentId };
  return bodyIdentity({ ...key, announcedState: announcedState as Announced['announcedState'] }).row;
}
