-- So that nobody alone opens a way round the second person, by a token, a key, a role or an account of their own.

create table approvals (
  approval_id uuid primary key,
  -- Null for what concerns the host alone.
  merchant_id uuid references merchants,
  kind text not null constraint approvals_kind check (
    kind in ('TOKEN', 'PUBLIC_KEY', 'UNSIGNED_REQUESTS', 'INVITATION', 'ROLE')),
  -- What exactly will be done. Of a token it holds the hash of the secret, never the secret.
  wanted jsonb not null,
  -- People by identifier and by the name that the audit log has of them.
  asked_by text not null,
  asked_by_name text not null constraint approvals_asker_is_named check (btrim(asked_by_name) <> ''),
  asked_at timestamptz not null,
  decision text constraint approvals_decision check (decision in ('APPROVED', 'REFUSED', 'WITHDRAWN')),
  -- Null where it was decided by a command: nobody signs in there.
  decided_by text,
  decided_by_name text constraint approvals_decider_is_named check (btrim(decided_by_name) <> ''),
  decided_at timestamptz,
  constraint approvals_decision_is_whole check (num_nulls(decision, decided_by_name, decided_at) in (0, 3)),
  -- Whoever asked can only take it back. Names are compared as people read them.
  constraint approvals_need_two_people check (
    (decision = 'WITHDRAWN') = (decided_by is not distinct from asked_by
      or lower(btrim(decided_by_name)) = lower(btrim(asked_by_name))))
);
create index approvals_open on approvals (asked_at, approval_id) where decision is null;
create index approvals_of_merchant on approvals (merchant_id, asked_at);

-- What was asked for is what is decided on, and a decision is the last word.
create trigger approvals_are_sealed before update on approvals for each row
  when (new is distinct from old and (old.decision is not null
    or row (new.approval_id, new.merchant_id, new.kind, new.wanted, new.asked_by, new.asked_by_name, new.asked_at)
      is distinct from
       row (old.approval_id, old.merchant_id, old.kind, old.wanted, old.asked_by, old.asked_by_name, old.asked_at)))
  execute function refuse_to_change_the_past();
create trigger approvals_are_never_deleted before delete on approvals
  for each row execute function refuse_to_change_the_past();
