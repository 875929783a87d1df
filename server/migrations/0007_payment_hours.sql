-- Counted hours and days of ended payments: overviews are read from these instead of from the payments.

-- What ended in each hour. Counted in the background: no payment ever waits for a row in here.
create table payment_hours (
  merchant_id uuid not null,
  -- The beginning of the hour, in UTC.
  hour_at timestamptz not null,
  kind payment_kind not null,
  provider text not null,
  currency text not null,
  state payment_state not null,
  -- Empty for COMPLETED ones.
  failure_code text not null,
  payment_count integer not null constraint payment_hours_count_something check (payment_count > 0),
  amount numeric(28,4) not null,
  -- What the merchant paid for COMPLETED ones.
  fee numeric(28,4) not null,
  -- From acceptance to the end: all of it, and how many took how long. domain/payments/time-to-final.ts has the same
  -- bounds.
  duration_ms bigint not null,
  under_1s integer not null,
  under_2s integer not null,
  under_5s integer not null,
  under_10s integer not null,
  under_20s integer not null,
  under_30s integer not null,
  under_60s integer not null,
  under_120s integer not null,
  under_300s integer not null,
  under_900s integer not null,
  under_3600s integer not null,
  under_21600s integer not null,
  under_86400s integer not null,
  longer integer not null,
  primary key (merchant_id, hour_at, kind, provider, currency, state, failure_code)
);

-- The hours of whole days added up, once all of them are settled: a quarter is read from a twentieth of the rows.
create table payment_days (
  merchant_id uuid not null,
  -- The beginning of the day, in UTC.
  day_at timestamptz not null,
  kind payment_kind not null,
  provider text not null,
  currency text not null,
  state payment_state not null,
  failure_code text not null,
  payment_count integer not null constraint payment_days_count_something check (payment_count > 0),
  amount numeric(28,4) not null,
  fee numeric(28,4) not null,
  duration_ms bigint not null,
  under_1s integer not null,
  under_2s integer not null,
  under_5s integer not null,
  under_10s integer not null,
  under_20s integer not null,
  under_30s integer not null,
  under_60s integer not null,
  under_120s integer not null,
  under_300s integer not null,
  under_900s integer not null,
  under_3600s integer not null,
  under_21600s integer not null,
  under_86400s integer not null,
  longer integer not null,
  primary key (merchant_id, day_at, kind, provider, currency, state, failure_code)
);

-- How far each merchant is counted. One without a row begins with its first payment that ended.
create table payment_hours_progress (
  merchant_id uuid primary key,
  -- What ended before this is counted, but for what was committed long after the time it carries.
  counted_until timestamptz not null,
  -- Hours before this were counted once more, after everything of them was committed.
  settled_until timestamptz not null,
  constraint payment_hours_progress_in_order check (counted_until >= settled_until)
);
