-- What all workers share about real operators: accounts, tokens, rate budgets, what was said, and balances told later.

-- Keys and passwords of an account with an operator, set by hand. What belongs together is sealed together.
create table operator_credentials (
  connector text not null,
  account text not null,
  product text not null,
  sealed_values bytea not null,
  set_at timestamptz not null,
  primary key (connector, account, product)
);

-- One token for each account, because some operators end the last one when they give out the next.
create table operator_tokens (
  account text primary key,
  issue_no bigint not null default 0,
  sealed_token bytea,
  renew_at timestamptz,
  expires_at timestamptz,
  -- Until then one worker alone may ask for the next.
  leased_until timestamptz
);

-- Up to when the slots of an account are given away. After a crash it is empty, and every budget is full.
create unlogged table operator_rates (
  account text primary key,
  taken_until timestamptz not null
);

-- What was said, with secrets and personal data taken out; sealed all the same, because no net is without a hole.
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
  sealed_exchange bytea not null
);
create index operator_traffic_by_reference on operator_traffic (reference) where reference is not null;

-- The last balance an operator told in its own time.
create table operator_balances (
  reference text primary key,
  amount numeric(22,4) not null,
  told_at timestamptz not null
);

alter table operator_notifications drop constraint operator_notifications_reading;
alter table operator_notifications add constraint operator_notifications_reading
  check (reading in ('AUTHENTIC', 'HINT', 'UNREADABLE', 'BALANCE'));
