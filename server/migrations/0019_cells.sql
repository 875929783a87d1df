-- Cells: where each merchant is, the lock while it migrates between cells, and what changed while it is copied.

-- The list of moves, which overrides home. The first cell's is authoritative; the others keep copies, compared by
-- version.
create table merchant_moves (
  merchant_id uuid primary key,
  home text not null constraint merchant_moves_home_is_four_hex_digits check (home ~ '^[0-9a-f]{4}$'),
  -- Where the merchant is now.
  cell text not null constraint merchant_moves_cell_is_four_hex_digits check (cell ~ '^[0-9a-f]{4}$'),
  version bigint not null constraint merchant_moves_version_unique unique,
  moved_at timestamptz not null
);

-- Migration locks of merchants that are not simply in this cell. A transaction that writes for a merchant calls
-- `lock_merchant_rows` first.
create table migration_locks (
  merchant_id uuid primary key,
  -- COPYING: is here, and every change is noted. LEAVING: nothing may change while the rest is copied. AWAY: is in the
  -- other cell. ARRIVING: is still in the other cell, and is being copied from there.
  state text not null constraint migration_locks_state check (state in ('COPYING', 'LEAVING', 'AWAY', 'ARRIVING')),
  other_cell text not null,
  move_id uuid not null,
  -- A mover that died must not keep a merchant out for long: after this any process turns LEAVING into COPYING again.
  lapses_at timestamptz,
  -- Arriving: the last payment that was copied.
  copied_through jsonb,
  -- The same of each table whose rows are copied in pieces.
  pieces_through jsonb not null default '{}',
  -- Which mover's lock it is: one that stood still must not decide under another mover's lock.
  lock_id uuid,
  -- Away: what is here is what a move copied that was aborted. It is deleted without a look at the other cell.
  is_copy boolean not null default false,
  constraint migration_locks_only_leaving_lapses check ((state = 'LEAVING') = (lapses_at is not null))
);

-- Payments that changed while their merchant is copied. Each change has a row of its own: one that was copied before
-- its change was committed is not missed.
create table moving_payments (
  note_no bigint generated always as identity,
  merchant_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  primary key (merchant_id, note_no)
);
create index moving_payments_of_payment on moving_payments (merchant_id, kind, payment_id);

-- The same for rows that are no payment's and too many to be read at once: sessions of the payment page, and rows of
-- payout batches by 500s, so that whoever cancels a large batch writes few notes.
create table moving_pieces (
  note_no bigint generated always as identity,
  merchant_id uuid not null,
  table_name text not null constraint moving_pieces_table check (table_name in ('payment_pages', 'payout_batch_rows')),
  -- The deposit of a session; the batch of a row.
  id uuid not null,
  piece integer not null,
  primary key (merchant_id, note_no)
);
create index moving_pieces_of_row on moving_pieces (merchant_id, table_name, id, piece);

-- Noted by the database, because they change in many places: sent, cancelled, expired, erased, encrypted again.
create function note_moving_checkouts() returns trigger language plpgsql as $$
begin
  insert into moving_payments (merchant_id, kind, payment_id)
  select c.merchant_id, 'CHECKOUT', c.checkout_id
  from changed c join migration_locks f on f.merchant_id = c.merchant_id and f.state = 'COPYING';
  return null;
end $$;
create trigger checkouts_are_noted_when_made after insert on checkouts
  referencing new table as changed for each statement execute function note_moving_checkouts();
create trigger checkouts_are_noted_when_changed after update on checkouts
  referencing new table as changed for each statement execute function note_moving_checkouts();
create function note_moving_pages() returns trigger language plpgsql as $$
begin
  insert into moving_pieces (merchant_id, table_name, id, piece)
  select c.merchant_id, 'payment_pages', c.deposit_id, 0
  from changed c join migration_locks f on f.merchant_id = c.merchant_id and f.state = 'COPYING';
  return null;
end $$;
create trigger payment_pages_are_noted_when_made after insert on payment_pages
  referencing new table as changed for each statement execute function note_moving_pages();
create trigger payment_pages_are_noted_when_changed after update on payment_pages
  referencing new table as changed for each statement execute function note_moving_pages();
create trigger payment_pages_are_noted_when_deleted after delete on payment_pages
  referencing old table as changed for each statement execute function note_moving_pages();
create function note_moving_batch_rows() returns trigger language plpgsql as $$
begin
  insert into moving_pieces (merchant_id, table_name, id, piece)
  select distinct c.merchant_id, 'payout_batch_rows', c.batch_id, c.row_no / 500
  from changed c join migration_locks f on f.merchant_id = c.merchant_id and f.state = 'COPYING';
  return null;
end $$;
create trigger payout_batch_rows_are_noted_when_made after insert on payout_batch_rows
  referencing new table as changed for each statement execute function note_moving_batch_rows();
create trigger payout_batch_rows_are_noted_when_changed after update on payout_batch_rows
  referencing new table as changed for each statement execute function note_moving_batch_rows();

-- The number of locks a transaction takes is bounded, however many merchants it is about.
create function merchant_bucket(merchant_id uuid) returns integer language sql immutable as
  'select get_byte(uuid_send(merchant_id), 15) % 64';

-- Lets a transaction write for merchants until it ends, and answers those that are not simply in this cell. A migration
-- lock is set under the same advisory lock, held exclusively: then no other transaction writes any more, and those that
-- come later see it. In the order of buckets, and before any other lock, so that there is no deadlock. 7016 is any
-- fixed number. The row without a merchant has the time of what the transaction writes, so that no statement has to ask
-- for it.
create function lock_merchant_rows(ids uuid[])
  returns table (merchant_id uuid, state text, written_at timestamptz) language plpgsql as $$
declare
  bucket integer;
begin
  for bucket in select distinct merchant_bucket(id) from unnest(ids) as id order by 1 loop
    perform pg_advisory_xact_lock_shared(7016, bucket);
  end loop;
  -- Each statement sees what was committed before it, the migration lock that the lock was waited for too.
  return query select f.merchant_id, f.state, null::timestamptz from migration_locks f where f.merchant_id = any (ids);
  merchant_id := null;
  state := null;
  written_at := time_of_writing();
  return next;
end $$;

-- Which cell may use a reference of the bank or of an operator. Cells share the bank and often an operator account, and
-- no transaction spans two of them: a cell claims a reference here before it posts anything under it. Only the first
-- cell's rows count, and an installation with one cell has none. They are not what keeps a reference from being posted
-- again: every cell is asked what it has posted. They keep two cells from posting at the same moment.
create table claimed_references (
  -- MOVEMENT: money is posted under it. PAYMENT: a person ends a payment with it, an operator's transaction.
  used_for text not null constraint claimed_references_used_for check (used_for in ('MOVEMENT', 'PAYMENT')),
  -- BANK, or the provider whose operator names it so.
  source text not null,
  reference text not null,
  -- The approval that it is claimed by. Where no approval is needed, which is only in sandboxes: any number.
  claim_id uuid not null,
  cell text not null constraint claimed_references_cell_is_four_hex_digits check (cell ~ '^[0-9a-f]{4}$'),
  -- What it stands for, in codes, identifiers and amounts: people who meet the claim are told.
  stands_for jsonb not null,
  claimed_at timestamptz not null,
  -- How many attempts of the approval have claimed it and not given it back: one that crashed never does. Several
  -- people may approve at the same moment, and only one of them does what was requested.
  attempts integer not null default 1 constraint claimed_references_attempts_are_counted check (attempts >= 0),
  primary key (used_for, source, reference, claim_id)
);
-- What an approval has claimed, when it comes to nothing.
create index claimed_references_by_claim on claimed_references (claim_id);

-- How far this cell has compared the transactions of its operators with those of another cell.
create table transaction_comparisons (
  cell text primary key constraint transaction_comparisons_cell_is_four_hex_digits check (cell ~ '^[0-9a-f]{4}$'),
  -- Every transaction that was claimed here before this was looked for there.
  compared_until timestamptz not null,
  -- A worker that compares has it until then.
  leased_until timestamptz not null
);

-- Payments with an operator's transaction that another payment had first, in this cell or another one. A case is opened
-- for each, which deletes the row: the table is usually empty.
create table transaction_conflicts (
  merchant_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  provider text not null,
  provider_transaction_id text not null,
  -- The payment that had it first, its cell, and since when.
  owner jsonb not null,
  found_at timestamptz not null,
  primary key (merchant_id, kind, payment_id, provider_transaction_id)
);

-- Which database this is, whatever its address, and whose: written when a process first opens it, so that a copy of an
-- empty one is another one, and a restored one is the same.
create table cell_identity (
  database_id uuid primary key,
  cell text not null constraint cell_identity_cell_is_four_hex_digits check (cell ~ '^[0-9a-f]{4}$'),
  -- Since when the first cell is known to have the name; null: it has not answered yet.
  registered_at timestamptz
);
create unique index cell_identity_is_one_row on cell_identity ((true));
create trigger cell_identity_stays before delete on cell_identity
  for each row execute function refuse_to_change_the_past();

-- In the first cell: the database that each name was given to. A name is never given again, also when its cell has
-- ended: references, moves, claims and identifiers of merchants name it for ever.
create table cell_names (
  cell text primary key constraint cell_names_cell_is_four_hex_digits check (cell ~ '^[0-9a-f]{4}$'),
  database_id uuid not null constraint cell_names_one_of_a_database unique,
  registered_at timestamptz not null
);
create trigger cell_names_stay before update or delete on cell_names
  for each row execute function refuse_to_change_the_past();

-- In the first cell: where the balances of a cell were approved to go, written before they leave it. A cell that is
-- restored to a time before finds here what other cells can no longer say.
create table ending_claims (
  ending_id uuid primary key,
  from_cell text not null constraint ending_claims_from_is_four_hex_digits check (from_cell ~ '^[0-9a-f]{4}$'),
  to_cell text not null constraint ending_claims_to_is_four_hex_digits check (to_cell ~ '^[0-9a-f]{4}$'),
  to_database uuid not null,
  balances text[] not null,
  claimed_at timestamptz not null
);
create index ending_claims_of_cell on ending_claims (from_cell);
create trigger ending_claims_stay before update or delete on ending_claims
  for each row execute function refuse_to_change_the_past();

-- The platform's balances that were posted from one cell, which ends, into another one. Both cells have the row, and
-- transfers under its identifier: the old cell with the approval of two people, the other one as soon as it answers.
create table cell_endings (
  ending_id uuid primary key,
  from_cell text not null constraint cell_endings_from_is_four_hex_digits check (from_cell ~ '^[0-9a-f]{4}$'),
  to_cell text not null constraint cell_endings_to_is_four_hex_digits check (to_cell ~ '^[0-9a-f]{4}$'),
  -- The database that had this name when the balances were approved: no other one posts them.
  to_database uuid not null,
  -- Each account with what it came to.
  balances text[] not null,
  -- In this cell.
  posted_at timestamptz not null,
  -- Only in the cell that ends: since when the other one is known to have them.
  arrived_at timestamptz,
  constraint cell_endings_between_two_cells check (from_cell <> to_cell)
);
create trigger cell_endings_are_never_deleted before delete on cell_endings
  for each row execute function refuse_to_change_the_past();
