-- A frozen copy of the tables that one payment touches, with their indexes, constraints and triggers as they were in
-- November 2026 (server/migrations at commit 7d5c8783). The product changes its schema, and a baseline must not move.
-- Merchants and endpoints are left out, and with them the foreign keys to them, which no step of a payment checks.

create type payment_kind as enum (
  'DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE', 'SPLIT_PAYMENT', 'CHECKOUT', 'STATEMENT');
create type payment_state as enum ('ACCEPTED', 'ENQUEUED', 'PROCESSING', 'IN_RECONCILIATION', 'COMPLETED', 'FAILED');
create type next_action as enum ('SUBMIT', 'ENQUIRE');
create type transfer_state as enum ('PENDING', 'POSTED', 'VOIDED');

create function refuse() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are not changed like this', tg_table_name using errcode = 'check_violation';
end $$;

create table payment_keys (
  merchant_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  created_at timestamptz not null,
  request_id uuid not null,
  fingerprint bytea not null,
  primary key (merchant_id, kind, payment_id)
) with (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);

create table payments (
  merchant_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  written_id text,
  api_version text not null,
  state payment_state not null,
  amount numeric(22,4) not null constraint payments_amount_positive check (amount > 0),
  amount_text text not null constraint payments_amount_text_equals_amount check (amount_text::numeric = amount),
  fee numeric(22,4) not null constraint payments_fee_not_negative check (fee >= 0),
  currency text not null,
  country text not null,
  provider text not null,
  connector text not null,
  encrypted_details bytea not null,
  created_at timestamptz not null,
  next_action next_action,
  next_action_at timestamptz,
  enquiry_count integer not null default 0,
  event_count integer not null default 0,
  provider_transaction_id text,
  failure_code text,
  deposit_id uuid,
  split_payment_id uuid,
  final_at timestamptz,
  checkout_id uuid,
  primary key (merchant_id, kind, payment_id),
  foreign key (merchant_id, kind, payment_id) references payment_keys,
  constraint payments_open_has_next_action check (
    state in ('COMPLETED', 'FAILED', 'ENQUEUED') or (next_action is not null and next_action_at is not null)
  ),
  constraint payments_final_has_no_next_action check (
    state not in ('COMPLETED', 'FAILED') or (next_action is null and next_action_at is null)
  ),
  constraint payments_failed_has_code check ((state = 'FAILED') = (failure_code is not null)),
  constraint payments_refund_names_its_deposit check ((kind = 'REFUND') = (deposit_id is not null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

create index payments_due_steps on payments (next_action, next_action_at) where next_action is not null;
create index payments_enqueued on payments (provider, kind, created_at)
  where state = 'ENQUEUED' and next_action is null;
create index payments_unsent_deposits on payments (created_at) where next_action = 'SUBMIT' and kind = 'DEPOSIT';
create unique index payments_one_open_refund on payments (merchant_id, deposit_id)
  where kind = 'REFUND' and state not in ('COMPLETED', 'FAILED');
create index payments_refunds_of_deposit on payments (merchant_id, deposit_id) where kind = 'REFUND';
create index payments_of_split on payments (merchant_id, split_payment_id) where split_payment_id is not null;
create unique index payments_one_attempt_of_checkout on payments (merchant_id, checkout_id)
  where checkout_id is not null and state <> 'FAILED';
create index payments_of_checkout on payments (merchant_id, checkout_id) where checkout_id is not null;
create index payments_in_reconciliation on payments (created_at) where state = 'IN_RECONCILIATION';
create index payments_without_step on payments (created_at)
  where next_action is null and state not in ('COMPLETED', 'FAILED', 'ENQUEUED');
create index payments_by_end on payments (merchant_id, final_at) where final_at is not null;
create index payments_ended_of_merchant on payments
  (merchant_id, provider, kind, state, created_at, payment_id) include (amount)
  where state in ('COMPLETED', 'FAILED');
create index payments_ended_by_amount on payments
  (merchant_id, amount, created_at, payment_id) include (kind, state, provider)
  where state in ('COMPLETED', 'FAILED');
create index payments_open_of_merchant on payments (merchant_id, created_at, payment_id)
  where state not in ('COMPLETED', 'FAILED');
create index payments_failed_transactions on payments (provider_transaction_id)
  where state = 'FAILED' and provider_transaction_id is not null;

create trigger payments_final_is_final before update on payments for each row
  when (old.state in ('COMPLETED', 'FAILED') and (
    new.state is distinct from old.state or new.amount is distinct from old.amount
    or new.fee is distinct from old.fee or new.currency is distinct from old.currency
    or new.failure_code is distinct from old.failure_code))
  execute function refuse();

create table payment_events (
  merchant_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  event_no integer not null,
  occurred_at timestamptz not null,
  event text not null,
  from_state payment_state,
  to_state payment_state not null,
  detail text,
  encrypted_evidence bytea,
  primary key (merchant_id, kind, payment_id, event_no)
) with (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
create trigger payment_events_are_append_only before update or delete on payment_events
  for each row execute function refuse();

create table payment_attempts (
  merchant_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  attempt_no integer not null,
  reference text not null constraint payment_attempts_reference_unique unique,
  claimed_at timestamptz not null,
  send_deadline_at timestamptz not null,
  send_count integer not null default 1,
  provider_reference text,
  operator_account text,
  refund_account text,
  unsent_count integer not null default 0,
  reported_receipt text,
  proved_receipt text,
  reported_failure text,
  reported_failure_at timestamptz,
  hint_count int not null default 0,
  hinted_at timestamptz,
  primary key (merchant_id, kind, payment_id, attempt_no),
  constraint payment_attempts_unsent_were_permitted check (unsent_count between 0 and send_count),
  constraint payment_attempts_reported_failure check (num_nulls(reported_failure, reported_failure_at) in (0, 2))
) with (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
create index payment_attempts_by_provider_reference on payment_attempts (provider_reference)
  where provider_reference is not null;
create trigger payment_attempts_keep_their_account before update on payment_attempts for each row
  when (old.operator_account is not null and new.operator_account is distinct from old.operator_account
    or old.refund_account is not null and new.refund_account is distinct from old.refund_account)
  execute function refuse();

create table accounts (
  account_id uuid primary key,
  type text not null,
  merchant_id uuid,
  country text not null,
  currency text not null,
  provider text not null
);
create index accounts_by_merchant on accounts (merchant_id);

create table wallets (
  account_id uuid primary key references accounts,
  merchant_id uuid not null,
  posted numeric(22,4) not null default 0,
  held numeric(22,4) not null default 0 constraint wallets_held_not_negative check (held >= 0),
  owed numeric(22,4) not null default 0 constraint wallets_owed_not_negative check (owed >= 0),
  constraint wallets_available_not_negative check (posted - held >= 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index wallets_by_merchant on wallets (merchant_id);

create table transfers (
  merchant_id uuid not null,
  subject_kind text not null,
  subject_id uuid not null,
  leg_no integer not null,
  template text not null,
  debit_account_id uuid not null references accounts,
  credit_account_id uuid not null references accounts,
  amount numeric(22,4) not null constraint transfers_amount_positive check (amount > 0),
  state transfer_state not null,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (merchant_id, subject_kind, subject_id, leg_no),
  constraint transfers_between_two_accounts check (debit_account_id <> credit_account_id)
) with (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
create index transfers_by_debit_account on transfers (debit_account_id, created_at);
create index transfers_by_credit_account on transfers (credit_account_id, created_at);
create index transfers_by_settlement on transfers (settled_at) where settled_at is not null;
create index transfers_by_wallet_settlement on transfers (debit_account_id, settled_at)
  where settled_at is not null and state = 'POSTED';
create index transfers_paid_at_once on transfers (debit_account_id, created_at)
  where state = 'POSTED' and settled_at is null
    and (leg_no >= 10 or subject_kind not in ('DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'));
create trigger transfers_are_never_edited before update on transfers for each row
  when (old.state <> 'PENDING' or new.state = 'PENDING'
    or (new.merchant_id, new.subject_kind, new.subject_id, new.leg_no, new.template, new.debit_account_id,
        new.credit_account_id, new.amount, new.created_at)
      is distinct from
       (old.merchant_id, old.subject_kind, old.subject_id, old.leg_no, old.template, old.debit_account_id,
        old.credit_account_id, old.amount, old.created_at))
  execute function refuse();
create trigger transfers_are_never_deleted before delete on transfers for each row execute function refuse();

create table callbacks (
  merchant_id uuid not null,
  callback_id uuid not null,
  endpoint_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  announced_state payment_state not null,
  status text not null constraint callbacks_status check (status in ('PENDING', 'DELIVERED', 'ABANDONED')),
  attempt_count integer not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null,
  encrypted_body bytea,
  primary key (merchant_id, callback_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index callbacks_pending on callbacks (endpoint_id, due_at) where status = 'PENDING';
create index callbacks_of_payment on callbacks (payment_id);
create index callbacks_by_time on callbacks (merchant_id, created_at);

create table callback_attempts (
  merchant_id uuid not null,
  callback_id uuid not null,
  attempt_no integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  http_status integer,
  error_code text,
  encrypted_answer bytea,
  primary key (merchant_id, callback_id, attempt_no)
) with (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);

-- A payments table without references: one row of it is the minimum of an intake.
create table lone_payments (like payments including all);

-- Eight merchants with a wallet each: with one, all clients would wait for its row. Sessions never read a whole table,
-- like the product's: statements are planned while tables are small.
insert into accounts values (md5('float')::uuid, 'FLOAT', null, 'RWA', 'RWF', 'MTN_MOMO_RWA');
insert into accounts select md5('wallet ' || n)::uuid, 'WALLET', md5('merchant ' || n)::uuid, 'RWA', 'RWF', ''
  from generate_series(1, 8) as n;
insert into wallets select account_id, merchant_id from accounts where type = 'WALLET';
alter database bare set enable_seqscan = off;
alter database bare set jit = off;
