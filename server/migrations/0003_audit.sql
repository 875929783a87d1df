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
  if tg_op = 'DELETE' and tg_table_name <> 'audit_log' then
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
  encrypted_reason bytea
);
create index audit_log_of_merchant on audit_log (merchant_id, entry_no);
create index audit_log_of_actor on audit_log (actor, entry_no);
create index audit_log_of_act on audit_log (act, entry_no);

create trigger audit_log_is_append_only before update or delete on audit_log
  for each row execute function refuse_to_change_the_past();
create trigger audit_log_is_never_emptied before truncate on audit_log
  execute function refuse_to_change_the_past();
