-- The event feed of merchants: what happened, numbered for each merchant without gaps after it was committed.

-- What waits for its number. A transaction adds a row or two, however many payments it is about: the three arrays are
-- of the same length. Rows of one payment are in the order of their commits, because each transaction locks the payment
-- before it writes here.
create table event_queue (
  queue_no bigint generated always as identity primary key,
  -- P: a status of a payment; the number is that of its event. M: a movement of a wallet; the number is that of the
  -- posting. S, C, T: the end of a split payment, a checkout or a statement; the number says with which status.
  type text not null constraint event_queue_type check (type in ('P', 'M', 'S', 'C', 'T')),
  merchant_ids uuid[] not null,
  -- A payment's number, or the identifier of what else it is about.
  subject_ids uuid[] not null,
  nos integer[] not null
-- Rows live for less than a second.
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- The last number of each merchant. Only the process that numbers changes it.
create table event_heads (
  merchant_id uuid primary key,
  -- Part of every cursor. Another one after a restore: what was numbered in the time that was lost has other numbers.
  epoch uuid not null,
  last_no bigint not null,
  -- Events up to here were deleted, because they are old.
  deleted_no bigint not null default 0,
  -- The epoch before the last restore. Up to this number its events are the same.
  previous_epoch uuid,
  previous_no bigint not null default 0,
  constraint event_heads_in_order check (deleted_no <= last_no and previous_no <= last_no)
-- Changed all the time. Space in each page lets a change stay there without touching the index.
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Numbered events, some of them in one row: what one round of the numbering found of a merchant. They name payments and
-- movements and copy nothing of them.
create table merchant_events (
  merchant_id uuid not null,
  -- Of the last event of the row.
  last_no bigint not null,
  numbered_at timestamptz not null,
  -- A letter for each event.
  types text not null,
  subject_ids uuid[] not null,
  nos integer[] not null,
  primary key (merchant_id, last_no),
  constraint merchant_events_alike check (
    cardinality(subject_ids) = length(types) and cardinality(nos) = length(types) and types <> '')
) with (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
-- What is old is found by this.
create index merchant_events_by_time on merchant_events (numbered_at);

-- Arriving: the last event that was copied.
alter table migration_locks add column events_through bigint not null default 0;
