-- So that a database that was restored remembers what it cannot know: what happened in the time it has lost.

create table recoveries (
  recovery_id uuid primary key,
  -- The point in time the database was restored to.
  lost_from timestamptz not null,
  -- Until here anything may have been done that the database does not know of. What is older is never sent again.
  begun_at timestamptz not null,
  -- When every payment that was open then had been asked about. Until then nothing is sent.
  asked_at timestamptz,
  -- Providers at which nothing lost is awaited any more.
  resumed_providers text[] not null default '{}',
  -- Until then every operator is asked before anything is sent to it.
  ended_at timestamptz,
  constraint recoveries_lose_the_past check (lost_from <= begun_at),
  constraint recoveries_end_after_asking check (ended_at is null or asked_at is not null)
);

create function refuse_to_forget_a_recovery() returns trigger language plpgsql as $$
begin
  raise exception 'a recovery is never forgotten' using errcode = 'check_violation';
end $$;
create trigger recoveries_are_never_forgotten before delete or truncate on recoveries
  execute function refuse_to_forget_a_recovery();
