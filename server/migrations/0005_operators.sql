-- Operators: whether providers are available, and the accounts, tokens, rates and traffic that all workers share.

-- Rows stand only for what is not OPERATIONAL.
create table provider_availability (
  provider text not null,
  operation text not null,
  status text not null constraint provider_availability_status check (status in ('DELAYED', 'CLOSED')),
  changed_at timestamptz not null,
  -- What a person set stays until a person changes it.
  set_by text not null default 'HAND'
    constraint provider_availability_set_by check (set_by in ('HAND', 'MEASURED')),
  -- Since when every check found a provider well that was measured to be DELAYED.
  good_since timestamptz,
  -- When a worker last asked such a provider something harmless.
  probed_at timestamptz,
  primary key (provider, operation)
);

-- Every change of an availability. Kept permanently: a few a day, and the first thing people ask for afterwards.
create table availability_changes (
  change_no bigint generated always as identity primary key,
  provider text not null,
  operation text not null,
  from_status text not null,
  to_status text not null,
  set_by text not null,
  -- A code and its figures.
  why jsonb not null,
  changed_at timestamptz not null
);
create index availability_changes_by_time on availability_changes (changed_at);
create index availability_changes_by_provider on availability_changes (provider, change_no);

-- Calls to operators in short spans of time, pruned after a few minutes. Not worth a line of the write-ahead log: after
-- a crash it is empty, and the next minute fills it again.
create unlogged table provider_calls (
  provider text not null,
  operation text not null,
  step text not null constraint provider_calls_step check (step in ('SUBMIT', 'QUERY', 'PROBE')),
  bucket_at timestamptz not null,
  answered integer not null,
  failing integer not null,
  silent integer not null,
  primary key (bucket_at, provider, operation, step)
);

-- The accounts that this cell's workers use: a merchant moves only between cells that share them.
create table operator_accounts (
  connector text primary key,
  -- A keyed hash of what names the account. Cells with the same key and account have the same one.
  account_hash bytea not null,
  noted_at timestamptz not null
);

-- Every account that this cell has had at an operator, for ever: also of one that was replaced, transactions come late.
-- Cells that have one in common share the operator's transactions.
create table operator_account_ids (
  connector text not null,
  -- The name that this cell's settings give it. Another cell may call the same account otherwise.
  account text not null,
  product text not null,
  -- A keyed hash of the fields that identify the account at its operator, and of nothing else: of no secret that is
  -- rotated.
  account_id text not null,
  noted_at timestamptz not null,
  primary key (connector, account, product, account_id)
);

-- Keys and passwords of an account with an operator, set manually. What belongs together is encrypted together.
create table operator_credentials (
  connector text not null,
  account text not null,
  product text not null,
  encrypted_values bytea not null,
  set_at timestamptz not null,
  -- Some passwords expire after a number of days; the host is warned before. Null: when the row was set.
  secret_changed_at timestamptz,
  primary key (connector, account, product)
);

-- Credentials of accounts that are no longer used for new payments. Kept until a person retires the account; the row
-- stays without them.
create table replaced_credentials (
  connector text not null,
  -- A keyed hash of the fields that identify the account; the same in every cell.
  account_id text not null,
  account text not null,
  product text not null,
  encrypted_values bytea,
  replaced_at timestamptz not null,
  retired_at timestamptz,
  primary key (connector, account_id),
  constraint replaced_credentials_are_kept_until_retired check ((encrypted_values is null) = (retired_at is not null))
);

-- One token for each account, because some operators end the last one when they give out the next.
create table operator_tokens (
  account text primary key,
  issue_no bigint not null default 0,
  encrypted_token bytea,
  renew_at timestamptz,
  expires_at timestamptz,
  -- Until then one worker alone may ask for the next.
  leased_until timestamptz
);

-- Up to when the slots of an account are taken. After a crash it is empty, and every budget is full.
create unlogged table operator_rates (
  account text primary key,
  taken_until timestamptz not null
);

-- Requests and answers, with secrets and personal data taken out. Encrypted as well, because a filter can miss some.
create table operator_traffic (
  -- Version 7: what is old is found by it.
  traffic_id uuid primary key,
  at timestamptz not null,
  connector text not null,
  account text not null,
  step text not null,
  reference text,
  http_status integer,
  error text,
  duration_ms integer not null,
  encrypted_exchange bytea not null
);
create index operator_traffic_by_reference on operator_traffic (reference) where reference is not null;

-- The last balance of an operator that answers a question about it later.
create table operator_balances (
  reference text primary key,
  amount numeric(22,4) not null,
  reported_at timestamptz not null
);
