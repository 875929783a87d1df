-- A merchant can be given a new data key: both open until all is sealed under the new one, then the old one goes.
alter table merchants
  -- By which sealed values name the key that seals, `data_key`.
  add column data_key_no smallint not null default 0
    constraint merchants_data_key_no_is_a_byte check (data_key_no between 0 and 255),
  -- One that only opens. With a higher number: the next, which seals when every process has read it. With a lower one:
  -- the last, which is destroyed when nothing is sealed under it any more.
  add column other_data_key bytea,
  add column other_data_key_no smallint
    constraint merchants_other_data_key_no_is_a_byte check (other_data_key_no between 0 and 255),
  -- When the other one was made, or ceased to seal.
  add column data_keys_changed_at timestamptz,
  add constraint merchants_other_data_key_is_whole check (
    num_nulls(other_data_key, other_data_key_no, data_keys_changed_at) in (0, 3)),
  add constraint merchants_data_keys_differ check (data_key_no <> other_data_key_no);

-- Whether a row says the same as before, in values that were only sealed or hashed under another key. PostgreSQL cannot
-- open them, so this is for the owner of the table alone, who could take the trigger away, and for a transaction that
-- says what it does, so that no other mistake of the program passes for it.
create function is_only_sealed_anew(changed oid, was jsonb, becomes jsonb) returns boolean language sql stable as $$
  select coalesce(current_setting('malipo.sealing_anew', true), '') = 'on'
    and pg_has_role(current_user, (select relowner from pg_class where oid = changed), 'MEMBER')
    and not exists (
      select from jsonb_each(was) o join jsonb_each(becomes) n using (key)
      where o.value <> n.value and (
        (key not like 'sealed\_%' and key not in ('number_hash', 'content_hash'))
        or 'null' in (jsonb_typeof(o.value), jsonb_typeof(n.value))))
$$;

-- As before, and: what is sealed may be sealed anew.
create or replace function refuse_to_change_the_past() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_name <> 'audit_log' then
    if exists (select 1 from merchant_fences f where f.merchant_id = old.merchant_id and f.state = 'AWAY') then
      return old;
    end if;
  end if;
  if tg_op = 'UPDATE' and tg_table_name in ('payment_events', 'cases') then
    if new.sealed_evidence is null
      and to_jsonb(new) - 'sealed_evidence' = to_jsonb(old) - 'sealed_evidence' then
      return new;
    end if;
  end if;
  if tg_op = 'UPDATE' and is_only_sealed_anew(tg_relid, to_jsonb(old), to_jsonb(new)) then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
end $$;

create or replace function refuse_to_change_payout_batch() returns trigger language plpgsql as $$
begin
  if is_only_sealed_anew(tg_relid, to_jsonb(old), to_jsonb(new)) then
    return new;
  end if;
  raise exception 'what was prepared and approved is not changed' using errcode = 'check_violation';
end $$;
