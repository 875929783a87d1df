-- Monitoring: what workers measure for the host's alerts.

-- One row for each part of the measurement. Not worth a line of the write-ahead log, nor the wait for a standby: after
-- a crash it is empty, and the next measurement fills it again.
create unlogged table monitor_readings (
  part text primary key,
  -- Set by the worker that takes the part; the others leave it alone until the next time.
  claimed_at timestamptz not null,
  -- All null until the first measurement is complete.
  measured_at timestamptz,
  samples jsonb,
  -- Where the next measurement of the books continues.
  checkpoint jsonb,
  constraint monitor_readings_are_whole check (num_nulls(measured_at, samples) in (0, 2))
);
