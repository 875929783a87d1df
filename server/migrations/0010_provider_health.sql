-- How providers answer: counts that all workers share, who set an availability, and how availability changed.

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

-- What a person set stays until a person changes it. The default is for builds that know nothing of measuring.
alter table provider_availability add column set_by text not null default 'HAND'
  constraint provider_availability_set_by check (set_by in ('HAND', 'MEASURED'));
-- Since when every look found a provider well that was measured to be DELAYED.
alter table provider_availability add column good_since timestamptz;
-- When a worker last asked such a provider something harmless.
alter table provider_availability add column probed_at timestamptz;

-- Every change of an availability, for ever: a few a day, and the first thing anybody asks for afterwards.
create table availability_changes (
  change_no bigint generated always as identity primary key,
  provider text not null,
  operation text not null,
  from_status text not null,
  to_status text not null,
  set_by text not null,
  why text not null,
  changed_at timestamptz not null
);
create index availability_changes_by_time on availability_changes (changed_at);
create index availability_changes_by_provider on availability_changes (provider, change_no);
