-- Moving merchants between cells: where each lives, what keeps a moving one still, and what changed while it is copied.

-- The list of moves, which overrides home. The first cell's is the true one; the others keep copies, told by version.
create table merchant_moves (
  merchant_id uuid primary key,
  home text not null constraint merchant_moves_home_is_four_hex_digits check (home ~ '^[0-9a-f]{4}$'),
  -- Where the merchant lives now.
  cell text not null constraint merchant_moves_cell_is_four_hex_digits check (cell ~ '^[0-9a-f]{4}$'),
  version bigint not null constraint merchant_moves_version_unique unique,
  moved_at timestamptz not null
);

-- Merchants that do not simply live here. Whoever writes for a merchant asks `enter_merchants` first.
create table merchant_fences (
  merchant_id uuid primary key,
  -- COPYING: lives here, and every change is noted. LEAVING: nothing may change while the rest is copied. AWAY: lives
  -- in the other cell. ARRIVING: still lives in the other cell, and is being copied from there.
  state text not null constraint merchant_fences_state check (state in ('COPYING', 'LEAVING', 'AWAY', 'ARRIVING')),
  other_cell text not null,
  move_id uuid not null,
  -- A mover that died must not keep a merchant out for long: after this anybody may turn LEAVING into COPYING again.
  lapses_at timestamptz,
  -- Arriving: the last payment that was copied.
  copied_through jsonb,
  constraint merchant_fences_only_leaving_lapses check ((state = 'LEAVING') = (lapses_at is not null))
);

-- Payments that changed while their merchant is copied. Each change has a row of its own: one that was copied before
-- its change was committed is not forgotten.
create table moving_payments (
  note_no bigint generated always as identity primary key,
  merchant_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null
);

-- The number of locks a transaction takes is bounded, however many merchants it is about.
create function merchant_bucket(merchant_id uuid) returns integer language sql immutable as
  'select get_byte(uuid_send(merchant_id), 15) % 64';

-- Lets a transaction write for merchants until it ends, and answers those that do not simply live here. A fence is
-- raised under the same lock, held alone: then nobody is inside any more, and whoever comes later sees the fence. In
-- the order of buckets, and before any other lock, so that nobody waits in a ring. 7016 is any fixed number.
create function enter_merchants(ids uuid[]) returns table (merchant_id uuid, state text) language plpgsql as $$
declare
  bucket integer;
begin
  for bucket in select distinct merchant_bucket(id) from unnest(ids) as id order by 1 loop
    perform pg_advisory_xact_lock_shared(7016, bucket);
  end loop;
  -- Each statement sees what was committed before it, the fence that the lock was waited for too.
  return query select f.merchant_id, f.state from merchant_fences f where f.merchant_id = any (ids);
end $$;

-- The past is deleted only where its merchant has moved away, and audit entries never.
create or replace function refuse_to_change_the_past() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_name <> 'audit_log' then
    if exists (select 1 from merchant_fences f where f.merchant_id = old.merchant_id and f.state = 'AWAY') then
      return old;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
end $$;
