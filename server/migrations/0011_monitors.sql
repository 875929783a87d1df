-- Monitors: what workers measure for the host's alerts, and the indexes that make measuring cheap.

-- One row for each part of the measurement. Not worth a line of the write-ahead log, nor the wait for a standby: after
-- a crash it is empty, and the next look fills it again.
create unlogged table monitor_readings (
  part text primary key,
  -- Set by the worker that takes the part; the others leave it alone until the next time.
  claimed_at timestamptz not null,
  -- All null until the first measurement is complete.
  measured_at timestamptz,
  samples jsonb,
  -- Where the next measurement of the books goes on.
  checkpoint jsonb,
  constraint monitor_readings_are_whole check (num_nulls(measured_at, samples) in (0, 2))
);

-- Both hold only what they count, so they cost nothing while all is well: the second is always empty.
create index payments_in_reconciliation on payments (created_at) where state = 'IN_RECONCILIATION';
create index payments_without_step on payments (created_at)
  where next_action is null and state not in ('COMPLETED', 'FAILED', 'ENQUEUED');

-- Holds that ended since the last look, however old they are. Deposits have none.
create index transfers_by_settlement on transfers (settled_at) where settled_at is not null;
