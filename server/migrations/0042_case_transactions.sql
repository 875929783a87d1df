-- So that each of an operator's transactions has a case of its own, and a report's line names the case about it.

-- The first case of an evidence is number 1, and older processes write no other.
alter table cases add column case_no integer not null default 1
  constraint cases_are_numbered check (case_no > 0);
alter table cases
  drop constraint cases_once_per_evidence,
  add constraint cases_once_per_evidence unique (merchant_id, kind, payment_id, evidence, case_no);

-- A transaction that is named only later is added to the case, also after it was resolved; nothing else changes then.
drop trigger cases_resolved_is_final on cases;
create trigger cases_resolved_is_final before update on cases for each row
  when (old.resolved_at is not null and (old.provider_transaction_id is not null
    or to_jsonb(new) - 'provider_transaction_id' is distinct from to_jsonb(old) - 'provider_transaction_id'))
  execute function refuse_to_change_the_past();

-- Null where the line opened no case, or was compared before this column was there.
alter table operator_statement_lines add column case_id uuid;
