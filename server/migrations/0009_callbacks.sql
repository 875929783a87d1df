-- Callbacks (webhooks): endpoints, a queue for each of them so that a slow one delays no other, and every attempt.

create table callback_endpoints (
  endpoint_id uuid primary key,
  merchant_id uuid not null references merchants,
  -- Null for endpoints that statements named: each request names its own, and there can be many.
  kind payment_kind,
  url text not null,
  disabled_at timestamptz,
  created_at timestamptz not null,
  -- GONE: it answered 410. FAILING: it acknowledged nothing for days.
  disabled_because text constraint callback_endpoints_disabled_because check (
    disabled_because in ('GONE', 'FAILING')),
  constraint callback_endpoints_one_per_kind unique (merchant_id, kind)
);

-- The state of each endpoint's queue, written only by deliverers.
create table endpoint_queues (
  endpoint_id uuid primary key references callback_endpoints,
  leased_until timestamptz not null,
  paused_until timestamptz not null,
  failure_count integer not null default 0,
  -- The first failure since the last acknowledgement.
  failing_since timestamptz
-- Few rows, changed all the time. Space in each page lets a change stay there without touching an index.
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create table callbacks (
  -- In the order of time.
  callback_id uuid primary key,
  merchant_id uuid not null,
  -- No foreign key: endpoints with callbacks are never deleted, and each check would lock a row that every callback of
  -- a merchant locks too.
  endpoint_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  -- Of a payment its number; of a split payment, a checkout or a statement its identifier.
  subject_id uuid not null,
  announced_state payment_state not null,
  status text not null constraint callbacks_status check (status in ('PENDING', 'DELIVERED', 'ABANDONED')),
  attempt_count integer not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null,
  -- One event has one body, whatever happens to the payment later. Encrypted, because it is the payment's record.
  encrypted_body bytea
-- Each callback leaves two dead rows: cleaned in small portions.
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index callbacks_pending on callbacks (endpoint_id, due_at) where status = 'PENDING';
create index callbacks_of_subject on callbacks (subject_id);
-- Callbacks of a period are looked for by people, and replayed.
create index callbacks_by_time on callbacks (merchant_id, created_at);

-- Every attempt is a row a merchant can see. No foreign key: attempts are deleted only with their callback.
create table callback_attempts (
  callback_id uuid not null,
  merchant_id uuid not null,
  attempt_no integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- One of the two: the HTTP status answered, or why there was no answer.
  http_status integer,
  error_code text,
  -- The first bytes of the answer. Encrypted: a merchant's server may say anything, about any person.
  encrypted_answer bytea,
  primary key (callback_id, attempt_no)
) with (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
