-- Reconciliation: cases that two people resolve, and operators' reports with the meaning of each line.

-- Evidence against a final state, with the postings made when it arrived. A case is resolved by an approval, which
-- makes the postings.
create table cases (
  case_id uuid primary key,
  merchant_id uuid not null,
  kind payment_kind not null,
  payment_id uuid not null,
  evidence text not null,
  opened_at timestamptz not null,
  encrypted_evidence bytea,
  -- How it was resolved.
  resolution text constraint cases_resolution_is_of_the_list check (resolution in (
    'CREDIT_MERCHANT', 'RETURN_TO_PAYER', 'RECOVER_FROM_MERCHANT', 'WRITE_OFF', 'REVERSE_EVIDENCE')),
  resolved_at timestamptz,
  -- What it came to: the payment's amount, or of a discrepancy what people found. A refund gave back that much more.
  resolved_amount numeric(22,4) constraint cases_amount_not_negative check (resolved_amount >= 0),
  -- Which of the operator's transactions it is about: a second late success of one payment is another case.
  provider_transaction_id text,
  -- What the operator says it moved, where nothing but the amount differs from ours: the case then holds the
  -- difference. Of a second transaction all that it moved.
  reported_amount numeric(22,4) constraint cases_reported_amount_of_discrepancy check (
    reported_amount is null or evidence = 'DISCREPANCY'),
  -- The first case of an evidence is number 1; each further transaction has a case of its own.
  case_no integer not null default 1 constraint cases_are_numbered check (case_no > 0),
  -- The counters of limits in which a late success counts, one after the other: its operator has paid it after all.
  counted_in bytea,
  -- The line of a report that opened it, as long as nothing but reports says so. Null once the operator itself has said
  -- it, by an answer or a notification: then no voided file takes it back.
  line_hash bytea,
  -- A repeat of the same evidence is the same case.
  constraint cases_once_per_evidence unique (merchant_id, kind, payment_id, evidence, case_no),
  constraint cases_resolved_is_whole check (num_nulls(resolution, resolved_at, resolved_amount) in (0, 3))
);
create index cases_open on cases (opened_at) where resolved_at is null;
-- The transactions that cases are about, as they are compared.
create index cases_by_transaction on cases ((upper(replace(provider_transaction_id, ' ', '') collate "C")));
create index cases_resolved on cases (resolved_at, case_id) where resolved_at is not null;

-- A transaction that is named only later is added to the case, also after it was resolved; nothing else changes then.
create trigger cases_resolved_is_final before update on cases for each row
  when (old.resolved_at is not null and (old.provider_transaction_id is not null
    or to_jsonb(new) - 'provider_transaction_id' is distinct from to_jsonb(old) - 'provider_transaction_id'))
  execute function refuse_to_change_the_past();
create trigger cases_are_never_deleted before delete on cases
  for each row execute function refuse_to_change_the_past();
create trigger cases_forget_their_line_only before update on cases for each row
  when (new.line_hash is not null and new.line_hash is distinct from old.line_hash)
  execute function refuse_to_change_the_past();
-- Whether every file was voided that says what a case is about, and the operator itself has never said it.
create function is_of_voided_files(found cases) returns boolean language plpgsql stable as $$
begin
  return exists (
      select from payments p join operator_report_lines l on (l.provider, l.line_hash) = (p.provider, found.line_hash)
      where (p.merchant_id, p.kind, p.payment_id) = (found.merchant_id, found.kind, found.payment_id) and l.voided)
    and not exists (
      select from operator_report_lines l where l.case_id = found.case_id and not l.voided and l.of_hash is null);
end $$;
-- Two people resolve a case; or they have voided the files that opened it.
create trigger cases_are_resolved_after_approval before update on cases for each row
  when (old.resolved_at is null and new.resolved_at is not null
    and not (new.resolution = 'REVERSE_EVIDENCE' and old.line_hash is not null and is_of_voided_files(old)))
  execute function require_approval('CASE', 'case_id');

create table operator_reports (
  report_id uuid primary key,
  provider text not null,
  -- Of the file's bytes: the same file again is the same report.
  file_hash bytea not null,
  imported_at timestamptz not null,
  -- What it covers; null until the whole file was read.
  covers_from timestamptz,
  covers_to timestamptz,
  -- Of which of the operator's accounts: one report may be about one of them, or about all.
  currencies text[] not null default '{}',
  -- Lines that could not be read: what they say is not in the books' comparison.
  fault_count integer not null default 0,
  -- Who imported it last, signed in or by name only, and who set how its columns are read. What waits and is requested
  -- with nothing, because a process died, is requested for them.
  read_by text,
  read_by_name text,
  read_mapping_by text[],
  -- The last reading, where it contradicted most of what is known: how far, and examples without customers' numbers.
  refused_reading jsonb,
  -- Of the lines that two people have said are right all the same.
  accepted_reading text,
  -- Of a file without lines, the time that it is said to cover: the same bytes say something else of another day. Empty
  -- for files with lines.
  empty_period text not null default '',
  -- Two people voided it: what it says counts for nothing from then on. By which approval, and why.
  voided_at timestamptz,
  voided_by uuid,
  void_reason text,
  -- When everything that it had brought was taken back; null while that goes on.
  taken_back_at timestamptz,
  constraint operator_reports_voided_is_whole check (num_nulls(voided_at, voided_by, void_reason) in (0, 3)),
  constraint operator_reports_taken_back_once_voided check (taken_back_at is null or voided_at is not null)
);
-- The bytes of a voided file are a new file.
create unique index operator_reports_once on operator_reports (provider, file_hash, empty_period)
  where voided_at is null;
create index operator_reports_covering on operator_reports (provider, covers_to);
create index operator_reports_to_take_back on operator_reports (provider, voided_at)
  where voided_at is not null and taken_back_at is null;

-- A file is voided in the transaction of an approval that names it and the reason, and stays voided. The argument names
-- the key of the table.
create function require_void_approval() returns trigger language plpgsql as $$
declare
  was jsonb := case tg_op when 'UPDATE' then to_jsonb(old) else '{}' end;
begin
  if was ->> 'voided_at' is null and exists (
    select from approvals a where a.kind = 'FILE_VOID' and a.approval_id = new.voided_by
      and a.subject = to_jsonb(new) ->> tg_argv[0] and a.request ->> 'reason' = new.void_reason
      and a.status = 'APPROVED' and a.xmin = pg_current_xact_id()::xid) then
    return new;
  end if;
  raise exception 'a file is voided by two people, for good' using errcode = 'check_violation';
end $$;
create trigger operator_reports_begin_standing before insert on operator_reports for each row
  when (new.voided_at is not null) execute function require_void_approval('report_id');
create trigger operator_reports_are_voided_by_two before update on operator_reports for each row
  when (row (new.voided_at, new.voided_by, new.void_reason)
    is distinct from row (old.voided_at, old.voided_by, old.void_reason))
  execute function require_void_approval('report_id');
create function require_reading_approval() returns trigger language plpgsql as $$
begin
  if exists (select from approvals a where a.kind = 'REPORT_READING' and a.subject = new.report_id::text
      and a.request ->> 'linesHash' = new.accepted_reading
      and a.status = 'APPROVED' and a.xmin = pg_current_xact_id()::xid) then
    return new;
  end if;
  raise exception 'a report that contradicts the books is imported by two people' using errcode = 'check_violation';
end $$;
create trigger operator_reports_begin_unaccepted before insert on operator_reports for each row
  when (new.accepted_reading is not null) execute function require_reading_approval();
create trigger operator_reports_are_accepted_by_two before update on operator_reports for each row
  when (new.accepted_reading is not null and new.accepted_reading is distinct from old.accepted_reading)
  execute function require_reading_approval();

-- Who works with the files of a provider: one import or approval at a time. It lapses when the process dies.
create table file_leases (
  provider text primary key,
  owner uuid not null,
  by_name text not null,
  since timestamptz not null,
  until timestamptz not null,
  -- The approval that met this work and is next: while it is pending, no import begins for some minutes after `until`.
  -- Who was to approve or reject, and since when.
  next_approval uuid,
  next_by_name text,
  next_since timestamptz,
  constraint file_leases_next_is_whole check (num_nulls(next_approval, next_by_name, next_since) in (0, 3))
);

create table operator_report_lines (
  provider text not null,
  -- Keyed, of what the line says: the same line in another file is the same line.
  line_hash bytea not null,
  -- The report it came in, and is requested with.
  report_id uuid not null references operator_reports,
  line_no integer not null,
  -- Null until it was compared. TO_APPROVE: it would have an effect, and waits for the approval of its report.
  -- REQUESTED: it is not about a payment, and a person has requested its posting.
  finding text constraint operator_report_lines_finding check (finding in
    ('AGREES', 'APPLIED', 'CASE', 'UNMATCHED', 'UNKNOWN', 'MISMATCHED', 'NOT_SENT', 'UNCONFIRMED', 'OTHER_CELL',
     'TO_APPROVE', 'REJECTED', 'REQUESTED')),
  -- What a line that waits does when it is approved, and since when it waits.
  effect text constraint operator_report_lines_effect check (effect in
    ('END_COMPLETED', 'END_FAILED', 'CASE', 'REVERSAL', 'LOST_PAYMENT',
     'FLOAT_TOP_UP', 'FLOAT_WITHDRAWAL', 'OPERATOR_CHARGE')),
  waits_since timestamptz,
  -- What the case that a waiting line opens would hold of its merchant's wallet; null where it would hold nothing.
  at_risk numeric(22,4) constraint operator_report_lines_at_risk_positive check (at_risk > 0),
  -- The hold that keeps it in the wallet while the line waits; null where nothing is held for the line.
  hold_id uuid,
  constraint operator_report_lines_wait_with_an_effect check (
    (finding is not distinct from 'TO_APPROVE') = (effect is not null)
    and (effect is null) = (waits_since is null)),
  constraint operator_report_lines_risk_of_a_case check (at_risk is null or effect in ('CASE', 'REVERSAL')),
  constraint operator_report_lines_hold_of_a_risk check (hold_id is null or at_risk is not null),
  -- The payment it is about; null where it is about none of ours.
  merchant_id uuid,
  kind payment_kind,
  payment_id uuid,
  -- It may name the payer; null when that person was erased. What the line was found to mean stays.
  encrypted_line bytea,
  -- Keyed, of the number that it names; null without one, and when that person was erased.
  number_hash bytea,
  -- The case that the line opened, if any.
  case_id uuid,
  -- What the daily close adds up: when, and how much came to us; below zero, what left. Zero for what FAILED.
  occurred_at timestamptz not null,
  currency text not null,
  moved numeric(22,4) not null,
  -- Where else it stands: a report and the line's number in it.
  copies text[] not null default '{}',
  -- How often it stands in the report that has it most often: the operator may have moved money twice.
  times integer not null default 1,
  -- In the order in which lines came, for each account: a signed day says up to which number it counted.
  entry_no bigint generated always as identity,
  -- Whether the daily close adds it up.
  counts boolean not null default true,
  -- Whether a day that covers its time was signed already when it came. A trigger sets it.
  came_late boolean not null default false,
  -- Whether every file that it stood in was voided. The same line in a later file is a line of its own.
  voided boolean not null default false,
  -- Of a row that changes how often a line counts which a signed day has counted: that line. It counts more often, or,
  -- with `times` below zero, was taken back.
  of_hash bytea,
  -- Of a line and the rows about it that come to nothing together: the first and the last number. A day that counts all
  -- of them leaves them out.
  cancelled_from bigint,
  cancelled_through bigint,
  -- Of a voided line that had ended a payment: when the operator was asked about the payment again.
  asked_again_at timestamptz,
  primary key (provider, line_hash),
  constraint operator_report_lines_cancelled_is_whole check (
    num_nulls(cancelled_from, cancelled_through) in (0, 2) and cancelled_from < cancelled_through),
  constraint operator_report_lines_taken_back_is_a_line check (times > 0 or of_hash is not null)
);
-- The reports in which a line stands besides its own.
create function reports_of(copies text[]) returns uuid[] language sql immutable parallel safe as $$
  select array(select distinct split_part(one, '/', 1)::uuid from unnest(copies) one)
$$;
create index operator_report_lines_copies on operator_report_lines using gin (reports_of(copies)) where copies <> '{}';
-- What is still to be taken back of a report that is being voided.
create index operator_report_lines_standing on operator_report_lines (report_id) where not voided and of_hash is null;
create index operator_report_lines_of on operator_report_lines (provider, of_hash) where of_hash is not null;
-- What a day adds up: the lines of its time, and those of earlier days that came when their day was signed.
create index operator_report_lines_by_time on operator_report_lines (provider, currency, occurred_at)
  where counts and moved <> 0;
create index operator_report_lines_late on operator_report_lines (provider, currency, entry_no)
  where came_late and counts and moved <> 0;
-- Of the lines of a day, the few that are decrypted because no payment is known, and the few that take others back.
create index operator_report_lines_unknown on operator_report_lines (provider, currency, occurred_at)
  where payment_id is null and counts and moved <> 0;
create index operator_report_lines_taking_back on operator_report_lines (provider, currency, entry_no)
  where times < 0 and counts and moved <> 0;
create index operator_report_lines_by_report on operator_report_lines (report_id, finding, line_no);
create index operator_report_lines_by_number on operator_report_lines (number_hash) where number_hash is not null;
create index operator_report_lines_by_payment on operator_report_lines (payment_id) where payment_id is not null;
create index operator_report_lines_by_case on operator_report_lines (case_id) where case_id is not null;
create index operator_report_lines_to_approve on operator_report_lines (provider, report_id, line_no)
  where finding = 'TO_APPROVE';
-- Waiting lines that put a merchant's money at risk: few, because a file of them is refused as a whole.
create index operator_report_lines_of_hold on operator_report_lines (hold_id) where hold_id is not null;
create index operator_report_lines_at_risk on operator_report_lines (waits_since) where at_risk is not null;
