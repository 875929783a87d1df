-- So that no payment is ended manually by one person: such requests wait in the approvals, with encrypted reasons.
-- A request from the command line names nobody who is signed in, so two people approve it.
alter table approvals drop constraint approvals_kind;
alter table approvals add constraint approvals_kind check (kind in
  ('TOKEN', 'PUBLIC_KEY', 'UNSIGNED_REQUESTS', 'INVITATION', 'ROLE', 'PAYMENT_END', 'OPERATOR_REPORT', 'MONEY'));
alter table approvals
  -- Encrypted, because it may name people: a line of a report, the words of a customer.
  add column sealed_reason bytea,
  -- Null for a request from the command line.
  alter column asked_by drop not null,
  -- The first of the two people who approve a request from the command line.
  add column confirmed_by text,
  add column confirmed_by_name text constraint approvals_confirmer_is_named check (btrim(confirmed_by_name) <> ''),
  add column confirmed_at timestamptz,
  add constraint approvals_confirmation_is_whole check (
    num_nulls(confirmed_by, confirmed_by_name, confirmed_at) in (0, 3)),
  add constraint approvals_asker_is_not_confirmed check (confirmed_by is null or asked_by is null);
alter table approvals drop constraint approvals_need_two_people;
alter table approvals add constraint approvals_need_two_people check (
  -- The person who asked can only withdraw it. Names are compared as people read them.
  (asked_by is null or (decision = 'WITHDRAWN') = (decided_by is not distinct from asked_by
    or lower(btrim(decided_by_name)) = lower(btrim(asked_by_name))))
  and (asked_by is not null or decision is distinct from 'APPROVED'
    or coalesce(decided_by <> confirmed_by
      and lower(btrim(decided_by_name)) <> lower(btrim(confirmed_by_name)), false)));

-- What was asked for is what is decided on; it is confirmed once, and a decision is the last word.
drop trigger approvals_are_sealed on approvals;
create trigger approvals_are_sealed before update on approvals for each row
  when (new is distinct from old and (old.decision is not null
    or (old.confirmed_by is not null and new.confirmed_by is distinct from old.confirmed_by)
    or row (new.approval_id, new.merchant_id, new.kind, new.wanted, new.sealed_reason, new.asked_by,
         new.asked_by_name, new.asked_at)
      is distinct from
       row (old.approval_id, old.merchant_id, old.kind, old.wanted, old.sealed_reason, old.asked_by,
         old.asked_by_name, old.asked_at)))
  execute function refuse_to_change_the_past();

-- A line that would end a payment and waits for the approval of its report.
alter table operator_statement_lines drop constraint operator_statement_lines_finding;
alter table operator_statement_lines add constraint operator_statement_lines_finding check (finding in
  ('AGREES', 'APPLIED', 'CASE', 'FORGOTTEN', 'UNKNOWN', 'MISMATCHED', 'NOT_SENT', 'UNCONFIRMED', 'ELSEWHERE',
   'TO_APPROVE'));
