-- Approvals: what one person requests and another approves, so that no single person can let money out.

create table approvals (
  approval_id uuid primary key,
  -- Null for what concerns the host alone.
  merchant_id uuid references merchants,
  kind text not null constraint approvals_kind check (kind in
    ('TOKEN', 'PUBLIC_KEY', 'UNSIGNED_REQUESTS', 'UNSIGNED_PAGES', 'INVITATION', 'ROLE', 'PAYMENT_END',
     'OPERATOR_REPORT', 'MONEY', 'FLOAT')),
  -- What exactly will be done. Of a token it holds the hash of the secret, never the secret.
  wanted jsonb not null,
  -- People by identifier and by the name that the audit log has of them. The identifier is null where a command
  -- asked or decided: no person signs in there.
  asked_by text constraint approvals_asked_by_a_person references people,
  asked_by_name text not null constraint approvals_asker_is_named check (btrim(asked_by_name) <> ''),
  asked_at timestamptz not null,
  decision text constraint approvals_decision check (decision in ('APPROVED', 'REFUSED', 'WITHDRAWN')),
  decided_by text constraint approvals_decided_by_a_person references people,
  decided_by_name text constraint approvals_decider_is_named check (btrim(decided_by_name) <> ''),
  decided_at timestamptz,
  -- Encrypted, because it may name people: a line of a report, the words of a customer.
  sealed_reason bytea,
  -- The first of the two people who approve a request from the command line.
  confirmed_by text constraint approvals_confirmed_by_a_person references people,
  confirmed_by_name text constraint approvals_confirmer_is_named check (btrim(confirmed_by_name) <> ''),
  confirmed_at timestamptz,
  constraint approvals_decision_is_whole check (num_nulls(decision, decided_by_name, decided_at) in (0, 3)),
  constraint approvals_confirmation_is_whole check (
    num_nulls(confirmed_by, confirmed_by_name, confirmed_at) in (0, 3)),
  constraint approvals_asker_is_not_confirmed check (confirmed_by is null or asked_by is null),
  -- The person who asked can only withdraw it; what the command line asked for is approved by two people. Names are
  -- compared as people read them.
  constraint approvals_need_two_people check (
    (asked_by is null or (decision = 'WITHDRAWN') = (decided_by is not distinct from asked_by
      or lower(btrim(decided_by_name)) = lower(btrim(asked_by_name))))
    and (asked_by is not null or decision is distinct from 'APPROVED'
      or coalesce(decided_by <> confirmed_by
        and lower(btrim(decided_by_name)) <> lower(btrim(confirmed_by_name)), false)))
);
create index approvals_open on approvals (asked_at, approval_id) where decision is null;
create index approvals_of_merchant on approvals (merchant_id, asked_at);
-- One open request for each payment, and for each imported report.
create unique index approvals_one_end_of_a_payment
  on approvals (merchant_id, (wanted ->> 'paymentKind'), (wanted ->> 'paymentId'))
  where kind = 'PAYMENT_END' and decision is null;
create unique index approvals_one_of_a_report on approvals ((wanted ->> 'statementId'))
  where kind = 'OPERATOR_REPORT' and decision is null;

-- What was asked for is what is decided on; it is confirmed once, and a decision is final.
create trigger approvals_are_sealed before update on approvals for each row
  when (new is distinct from old and (old.decision is not null
    or (old.confirmed_by is not null and new.confirmed_by is distinct from old.confirmed_by)
    or row (new.approval_id, new.merchant_id, new.kind, new.wanted, new.sealed_reason, new.asked_by,
         new.asked_by_name, new.asked_at)
      is distinct from
       row (old.approval_id, old.merchant_id, old.kind, old.wanted, old.sealed_reason, old.asked_by,
         old.asked_by_name, old.asked_at)))
  execute function refuse_to_change_the_past();
create trigger approvals_are_never_deleted before delete on approvals
  for each row execute function refuse_to_change_the_past();
