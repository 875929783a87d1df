-- Callbacks: their own queue, because fairness is per endpoint. Lanes are written only by deliverers.

create table callback_endpoints (
  endpoint_id uuid primary key,
  merchant_id uuid not null references merchants,
  kind payment_kind not null,
  url text not null,
  -- Set by an answer of 410; the merchant no longer wants callbacks there.
  disabled_at timestamptz,
  created_at timestamptz not null,
  constraint callback_endpoints_one_per_kind unique (merchant_id, kind)
);

create table callback_lanes (
  endpoint_id uuid primary key references callback_endpoints,
  leased_until timestamptz not null,
  paused_until timestamptz not null,
  failure_count integer not null default 0
);

create table callbacks (
  merchant_id uuid not null,
  callback_id uuid not null,
  endpoint_id uuid not null references callback_endpoints,
  kind payment_kind not null,
  payment_id uuid not null,
  -- The state announced; the body is the payment's record in this state.
  announced_state payment_state not null,
  status text not null constraint callbacks_status check (status in ('PENDING', 'DELIVERED', 'ABANDONED')),
  attempt_count integer not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null,
  primary key (merchant_id, callback_id)
);
create index callbacks_pending on callbacks (endpoint_id, due_at) where status = 'PENDING';
create index callbacks_by_payment on callbacks (merchant_id, kind, payment_id);

-- Every attempt is a row a merchant can see.
create table callback_attempts (
  merchant_id uuid not null,
  callback_id uuid not null,
  attempt_no integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- One of the two: the HTTP status answered, or why there was no answer.
  http_status integer,
  error_code text,
  primary key (merchant_id, callback_id, attempt_no),
  foreign key (merchant_id, callback_id) references callbacks
);
