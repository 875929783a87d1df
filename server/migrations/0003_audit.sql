-- The audit log, and the functions by which the database refuses to change what is recorded.

-- Whether a row says the same as before, in values that were only encrypted or hashed under another key. PostgreSQL
-- cannot decrypt them, so this is for the owner of the table alone, who could drop the trigger, and for a transaction
-- that says what it does, so that no other mistake of the program passes for it.
create function is_only_re_encrypted(changed oid, was jsonb, becomes jsonb) returns boolean language sql stable as $$
  select coalesce(current_setting('malipo.re_encrypting', true), '') = 'on'
    and pg_has_role(current_user, (select relowner from pg_class where oid = changed), 'MEMBER')
    and not exists (
      select from jsonb_each(was) o join jsonb_each(becomes) n using (key)
      where o.value <> n.value and (
        (key not like 'encrypted\_%' and key not in ('number_hash', 'content_hash'))
        or 'null' in (jsonb_typeof(o.value), jsonb_typeof(n.value))))
$$;

-- The past is deleted only where its merchant has moved to another cell, and audit entries never. What names a person
-- may be erased, and nothing else with it. What is encrypted may be encrypted again.
create function refuse_to_change_the_past() returns trigger language plpgsql as $$
declare
  owner uuid;
begin
  if tg_op = 'DELETE' and tg_table_name not in ('audit_log', 'audit_chain') then
    if tg_table_name = 'payment_events' then
      owner := (select p.merchant_id from payments p where p.payment_no = old.payment_no);
    else
      owner := old.merchant_id;
    end if;
    if exists (select 1 from migration_locks f where f.merchant_id = owner and f.state = 'AWAY') then
      return old;
    end if;
  end if;
  if tg_op = 'UPDATE' and tg_table_name in ('payment_events', 'cases') then
    if new.encrypted_evidence is null
      and to_jsonb(new) - 'encrypted_evidence' = to_jsonb(old) - 'encrypted_evidence' then
      return new;
    end if;
  end if;
  if tg_op = 'UPDATE' and is_only_re_encrypted(tg_relid, to_jsonb(old), to_jsonb(new)) then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
end $$;

-- Every manual action.
create table audit_log (
  id uuid primary key,
  -- The order of actions: several can happen at one time.
  entry_no bigint generated always as identity constraint audit_log_entry_no_unique unique,
  at timestamptz not null,
  actor text not null constraint audit_log_actor_is_named check (btrim(actor) <> ''),
  act text not null,
  -- Null for actions that concern no merchant alone, such as a provider's availability.
  merchant_id uuid references merchants,
  subject text not null,
  -- Codes, identifiers and amounts only: no personal data and no secrets.
  detail jsonb not null,
  -- Why, in the person's own words. Encrypted, because they may name people.
  encrypted_reason bytea,
  -- SHA-256 of a random prefix and the reason; the prefix is encrypted with it. The chain has this hash, so that a
  -- reason can be encrypted again and not be changed.
  reason_hash bytea constraint audit_log_reason_hash_is_sha256 check (octet_length(reason_hash) = 32),
  constraint audit_log_reasons_have_hashes check ((encrypted_reason is null) = (reason_hash is null))
);
create index audit_log_of_merchant on audit_log (merchant_id, entry_no);
create index audit_log_of_actor on audit_log (actor, entry_no);
create index audit_log_of_act on audit_log (act, entry_no);

create trigger audit_log_is_append_only before update or delete on audit_log
  for each row execute function refuse_to_change_the_past();
create trigger audit_log_is_never_emptied before truncate on audit_log
  execute function refuse_to_change_the_past();

-- The hash chain of the audit log: docs/operating/audit.md. Entries are numbered after their commit, so numbers have no
-- gaps. No foreign keys: an entry that was removed must stay named here.
create table audit_chain (
  chain_no bigint primary key,
  entry_id uuid not null constraint audit_chain_entries_once unique,
  chained_at timestamptz not null,
  -- When no entry waited the last time before.
  looked_at timestamptz,
  hash bytea not null constraint audit_chain_hash_is_sha256 check (octet_length(hash) = 32)
);
create trigger audit_chain_is_append_only before update or delete on audit_chain
  for each row execute function refuse_to_change_the_past();
create trigger audit_chain_is_never_emptied before truncate on audit_chain
  execute function refuse_to_change_the_past();

-- Where the chain ends. The worker that has locked this row builds on it.
create table audit_chain_head (
  is_only boolean primary key default true check (is_only),
  head_no bigint not null,
  head_hash bytea not null,
  looked_at timestamptz
);
insert into audit_chain_head (head_no, head_hash) values (0, decode(repeat('00', 32), 'hex'));

-- Committed entries that are not in the chain. Each entry is put here by its own transaction, so one that commits late
-- is not passed over.
create table audit_unchained (entry_no bigint primary key, entry_id uuid not null);

-- With the rights of its owner: no role of a process can write here.
create function queue_for_chain() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into audit_unchained (entry_no, entry_id) values (new.entry_no, new.id);
  return null;
end $$;
create trigger audit_log_is_chained after insert on audit_log for each row execute function queue_for_chain();
