-- Vacuum by the shape of each table: what changes is cleaned in small portions, what only grows is frozen once.

-- Each payment leaves two dead rows here and each callback two. With the usual fifth of the table, ten million payments
-- would carry two million dead rows before anybody cleans up, and then everything at once.
alter table payments set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table callbacks set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table operator_notifications set (autovacuum_vacuum_scale_factor = 0.02);

-- Few rows, changed all the time. Room in each page lets a change stay there without touching an index.
alter table wallets set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
alter table callback_lanes
  set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- A queue: rows come and go, and dead ones are in the way of whoever looks for the next.
alter table pgboss.job_common set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Never changed: frozen the first time, so that no old row is ever read again for the sake of transaction numbers.
alter table payment_keys set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table payment_events set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table payment_attempts set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table provider_transactions set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table payment_search set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table transfers set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table callback_attempts set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
