-- Administration: who did what by hand, and cases that two people resolve.

create table audit_log (
  id uuid primary key,
  -- The order of acts: several can happen at one time.
  entry_no bigint generated always as identity constraint audit_log_entry_no_unique unique,
  at timestamptz not null,
  actor text not null constraint audit_log_actor_is_named check (btrim(actor) <> ''),
  act text not null,
  -- Null for acts that concern no merchant alone, such as a provider's availability.
  merchant_id uuid references merchants,
  subject text not null,
  -- Codes, identifiers and amounts only: no personal data and no secrets.
  detail jsonb not null,
  -- Why, in the person's own words. Sealed, because they may name people.
  sealed_reason bytea
);
create index audit_log_of_merchant on audit_log (merchant_id, entry_no);
create trigger audit_log_is_append_only before update or delete on audit_log
  for each row execute function refuse_to_change_the_past();
create trigger audit_log_is_never_emptied before truncate on audit_log
  execute function refuse_to_change_the_past();

-- A case is resolved by what one person proposes and another approves; the approval makes the postings.
alter table cases
  add column proposed_resolution text constraint cases_resolution_is_of_the_list check (
    proposed_resolution in ('CREDIT_MERCHANT', 'RETURN_TO_PAYER', 'RECOVER_FROM_MERCHANT', 'WRITE_OFF')),
  -- What a discrepancy comes to by the operator's statement; 0 where the books turn out to be right. Other cases are
  -- about the payment's amount.
  add column proposed_amount numeric(22,4) constraint cases_amount_not_negative check (proposed_amount >= 0),
  add column proposed_by text constraint cases_proposer_is_named check (btrim(proposed_by) <> ''),
  add column proposed_at timestamptz,
  add column sealed_proposed_reason bytea,
  add column approved_by text constraint cases_approver_is_named check (btrim(approved_by) <> ''),
  add column resolved_at timestamptz;
alter table cases
  add constraint cases_proposal_is_whole check (
    num_nulls(proposed_resolution, proposed_by, proposed_at, sealed_proposed_reason) in (0, 4)),
  add constraint cases_only_a_discrepancy_has_an_amount check (
    (proposed_amount is not null) = (evidence = 'DISCREPANCY' and proposed_by is not null)),
  add constraint cases_approval_resolves check (num_nulls(approved_by, resolved_at) in (0, 2)),
  add constraint cases_approval_follows_a_proposal check (approved_by is null or proposed_by is not null),
  -- Names are compared as people read them, or "Ana" could approve what "ana" proposed.
  add constraint cases_need_two_people check (lower(btrim(approved_by)) <> lower(btrim(proposed_by)));
create index cases_open on cases (opened_at) where resolved_at is null;

create trigger cases_resolved_is_final before update on cases for each row
  when (old.resolved_at is not null) execute function refuse_to_change_the_past();
create trigger cases_are_never_deleted before delete on cases
  for each row execute function refuse_to_change_the_past();
