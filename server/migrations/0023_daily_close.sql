-- The daily close: days of operator accounts beside the operator's and the bank's lines, signed by two people.
-- A signed day never changes.

-- The accounts whose days are closed, each in the cell where its reports are imported.
create table close_accounts (
  provider text not null,
  currency text not null,
  country text not null,
  -- Days are the operator's.
  time_zone text not null,
  first_day text not null constraint close_accounts_first_day check (first_day ~ '^\d{4}-\d\d-\d\d$'),
  -- A day that is not closed so many hours after its end is late.
  due_hours integer not null constraint close_accounts_due_hours check (due_hours between 1 and 240),
  started_by text not null,
  started_at timestamptz not null,
  primary key (provider, currency)
);

create table bank_files (
  file_id uuid primary key,
  provider text not null,
  currency text not null,
  -- Of the file's bytes, in hexadecimal digits: the same file again is the same.
  file_hash text not null,
  imported_by text not null,
  imported_at timestamptz not null,
  -- Lines that could not be read: what the bank says there is not in the day.
  fault_count integer not null default 0,
  -- As of operators' reports. All of its lines are taken back in the same transaction.
  voided_at timestamptz,
  voided_by uuid,
  void_reason text,
  constraint bank_files_voided_is_whole check (num_nulls(voided_at, voided_by, void_reason) in (0, 3))
);
create unique index bank_files_once on bank_files (provider, currency, file_hash) where voided_at is null;
create index bank_files_of_account on bank_files (provider, currency);
create trigger bank_files_begin_standing before insert on bank_files for each row
  when (new.voided_at is not null) execute function require_void_approval('file_id');
create trigger bank_files_are_voided_by_two before update on bank_files for each row
  when (row (new.voided_at, new.voided_by, new.void_reason)
    is distinct from row (old.voided_at, old.voided_by, old.void_reason))
  execute function require_void_approval('file_id');

create table bank_lines (
  provider text not null,
  currency text not null,
  -- Of what the line says, and of how many like it stand before it in its file.
  line_hash text not null,
  file_id uuid not null references bank_files,
  line_no integer not null,
  occurred_at timestamptz not null,
  -- What it brought to the operator account; below zero, what came from there.
  moved numeric(22,4) not null,
  reference text not null,
  -- In which other files it stands.
  copies uuid[] not null default '{}',
  -- As those of the operator's lines.
  times integer not null default 1,
  entry_no bigint generated always as identity,
  counts boolean not null default true,
  came_late boolean not null default false,
  voided boolean not null default false,
  of_hash text,
  cancelled_from bigint,
  cancelled_through bigint,
  primary key (provider, currency, line_hash),
  constraint bank_lines_cancelled_is_whole check (
    num_nulls(cancelled_from, cancelled_through) in (0, 2) and cancelled_from < cancelled_through),
  constraint bank_lines_taken_back_is_a_line check (times = 1 or times = -1 and of_hash is not null)
);
create index bank_lines_copies on bank_lines using gin (copies) where copies <> '{}';
create index bank_lines_by_time on bank_lines (provider, currency, occurred_at) where counts and moved <> 0;
create index bank_lines_late on bank_lines (provider, currency, entry_no) where came_late and counts and moved <> 0;
create index bank_lines_taking_back on bank_lines (provider, currency, entry_no)
  where times < 0 and counts and moved <> 0;
create index bank_lines_by_file on bank_lines (file_id, occurred_at);

-- How an operator's or a bank's file is read, for each account. Without a mapping it has the columns of our own format.
create table report_mappings (
  provider text not null,
  currency text not null,
  source text not null constraint report_mappings_source check (source in ('OPERATOR', 'BANK')),
  mapping jsonb not null,
  set_by text not null,
  set_at timestamptz not null,
  -- Who gave each of its fields the value that it has now, or took it away.
  authors jsonb not null default '{}',
  primary key (provider, currency, source)
);

-- Files that were uploaded in the console: how far the import is, and which lines could not be read.
create table report_uploads (
  upload_id uuid primary key,
  provider text not null,
  currency text not null,
  source text not null constraint report_uploads_source check (source in ('OPERATOR', 'BANK')),
  file_name text not null,
  file_hash text not null,
  status text not null default 'RUNNING' constraint report_uploads_status check (
    status in ('RUNNING', 'DONE', 'FAILED', 'REFUSED')),
  -- What it is kept as; null while that is not known.
  file_id uuid,
  lines_done integer not null default 0,
  -- By the size of the file; exact at the end.
  lines_expected integer not null default 0,
  fault_count integer not null default 0,
  -- The first ones: line and code, never a value of the file.
  faults jsonb not null default '[]',
  uploaded_by text not null,
  started_at timestamptz not null,
  updated_at timestamptz not null
);
create index report_uploads_of_file on report_uploads (file_id) where file_id is not null;
create index report_uploads_newest on report_uploads (provider, currency, started_at);

create table day_closes (
  close_id uuid primary key,
  provider text not null,
  currency text not null,
  day text not null constraint day_closes_day check (day ~ '^\d{4}-\d\d-\d\d$'),
  -- REOPENED: it was signed, and two people took that back. What was signed stays.
  status text not null default 'REQUESTED' constraint day_closes_status check (
    status in ('REQUESTED', 'CLOSED', 'REJECTED', 'REOPENED')),
  figures jsonb not null,
  -- Of the figures and every difference.
  content_hash text not null,
  -- The day by the operator's clock, and which lines it counted: those of its time up to a number, and those that came
  -- late, above the number of the signed day before it. No line is marked, so that signing writes one row however many
  -- lines there are.
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  -- Null for a day without a signed day before it.
  lines_after bigint,
  lines_through bigint not null,
  bank_lines_after bigint,
  bank_lines_through bigint not null,
  -- Of the lines that were compared, and of the postings in every cell. Whoever signs compares both with what is there
  -- then, up to these numbers: what came since belongs to the next day.
  lines_digest text not null,
  movements_digest text not null,
  -- The files that stood when it was requested. If one is voided, the day is not signed as requested.
  file_ids text[] not null,
  -- Why it is signed although something differs.
  note text,
  made_at timestamptz not null,
  closed_at timestamptz,
  -- By which approval, and why.
  reopened_at timestamptz,
  reopened_by uuid,
  reopen_reason text,
  constraint day_closes_closed_has_time check ((status in ('CLOSED', 'REOPENED')) = (closed_at is not null)),
  constraint day_closes_reopened_is_whole check (
    num_nulls(reopened_at, reopened_by, reopen_reason) = case status when 'REOPENED' then 0 else 3 end)
);
create unique index day_closes_once on day_closes (provider, currency, day) where status = 'CLOSED';
create unique index day_closes_one_request on day_closes (provider, currency, day) where status = 'REQUESTED';
-- A day whichever of the two it is: neither index above can tell. It grows by a row for each account and day.
create index day_closes_days on day_closes (provider, currency, day) where status in ('REQUESTED', 'CLOSED');
create index day_closes_reopened on day_closes (provider, currency, day) where status = 'REOPENED';

-- What operator or bank and our books do not agree on at the end of the day, and what came to agree in it.
create table day_close_items (
  close_id uuid not null references day_closes,
  item_no integer not null,
  kind text not null,
  -- By which it is found again on a later day.
  name text not null,
  merchant_id uuid,
  payment_kind payment_kind,
  payment_id uuid,
  reference text,
  provider_transaction_id text,
  -- Theirs less ours, at the end of the day; and how much of that came in it.
  amount numeric(22,4) not null,
  change numeric(22,4) not null,
  since_day text not null,
  -- Of a late one, the day on which the other side has it.
  other_day text,
  book_count integer not null,
  line_count integer not null,
  primary key (close_id, item_no)
);

-- What comparing both sides of a day came to, kept so that a look, a request and an approval compare it once. Of which
-- lines and postings, `basis` says, a digest that is counted again before anything of it is used. A day that is signed
-- has none.
create table day_comparisons (
  provider text not null,
  currency text not null,
  day text not null,
  basis text not null,
  -- Sums, and the payments for which the sides differ: at most 100,000.
  result jsonb not null,
  compared_at timestamptz not null,
  primary key (provider, currency, day)
);

-- Days are signed one after the other, each with the lines from where the one before it stopped.
create function require_close_approval() returns trigger language plpgsql as $$
declare
  before day_closes;
begin
  select * into before from day_closes
  where provider = new.provider and currency = new.currency and status = 'CLOSED' order by day desc limit 1;
  if new.lines_through < coalesce(new.lines_after, 0) or new.bank_lines_through < coalesce(new.bank_lines_after, 0)
    or (new.lines_after, new.bank_lines_after) is distinct from (before.lines_through, before.bank_lines_through)
    or new.begins_at <> before.ends_at then
    raise exception 'a day is signed after the day before it' using errcode = 'check_violation';
  end if;
  if exists (select 1 from approvals a where a.kind = 'DAY_CLOSE' and a.request ->> 'closeId' = new.close_id::text
      and a.request ->> 'contentHash' = new.content_hash
      and a.status = 'APPROVED' and a.xmin = pg_current_xact_id()::xid) then
    return new;
  end if;
  raise exception 'a day is closed by two people' using errcode = 'check_violation';
end $$;
-- Signatures are taken back from the last signed day on, one day after the other.
create function require_reopening() returns trigger language plpgsql as $$
begin
  if not exists (select from day_closes later where later.provider = new.provider and later.currency = new.currency
      and later.status = 'CLOSED' and later.day > new.day)
    and exists (select from approvals a where a.kind = 'DAY_REOPEN' and a.approval_id = new.reopened_by
      and a.request ->> 'closeId' = new.close_id::text and a.request ->> 'reason' = new.reopen_reason
      and a.status = 'APPROVED' and a.xmin = pg_current_xact_id()::xid) then
    return new;
  end if;
  raise exception 'the last signed day is reopened by two people' using errcode = 'check_violation';
end $$;
-- With which day an account begins, two people change as long as no day is signed.
create function require_first_day() returns trigger language plpgsql as $$
begin
  if not exists (select from day_closes c where c.provider = new.provider and c.currency = new.currency
      and c.status = 'CLOSED')
    and exists (select from approvals a where a.kind = 'FIRST_DAY'
      and a.subject = new.provider || '/' || new.currency and a.request ->> 'firstDay' = new.first_day
      and a.status = 'APPROVED' and a.xmin = pg_current_xact_id()::xid) then
    return new;
  end if;
  raise exception 'the first day of an account is changed by two people' using errcode = 'check_violation';
end $$;
create trigger close_accounts_keep_their_first_day before update on close_accounts for each row
  when (new.first_day <> old.first_day) execute function require_first_day();
create trigger day_closes_begin_as_requests before insert on day_closes for each row
  when (new.status <> 'REQUESTED') execute function refuse_to_change_the_past();
create trigger day_closes_are_signed before update on day_closes for each row
  when (old.status = 'REQUESTED' and new.status = 'CLOSED') execute function require_close_approval();
create trigger day_closes_are_reopened before update on day_closes for each row
  when (old.status = 'CLOSED' and new.status = 'REOPENED') execute function require_reopening();
create trigger day_closes_stay_as_signed before update on day_closes for each row
  when (old.status in ('REJECTED', 'REOPENED')
    or (old.status = 'CLOSED' and (new.status <> 'REOPENED' or new.closed_at <> old.closed_at))
    or (old.status = 'REQUESTED' and new.status = 'REOPENED')
    or row (new.close_id, new.provider, new.currency, new.day, new.figures, new.content_hash,
      new.begins_at, new.ends_at, new.lines_after, new.lines_through, new.bank_lines_after, new.bank_lines_through,
      new.lines_digest, new.movements_digest, new.file_ids, new.note, new.made_at)
    is distinct from row (old.close_id, old.provider, old.currency, old.day, old.figures, old.content_hash,
      old.begins_at, old.ends_at, old.lines_after, old.lines_through, old.bank_lines_after, old.bank_lines_through,
      old.lines_digest, old.movements_digest, old.file_ids, old.note, old.made_at))
  execute function refuse_to_change_the_past();
create trigger day_closes_are_never_deleted before delete on day_closes
  for each row execute function refuse_to_change_the_past();
create trigger day_close_items_are_never_edited before update or delete on day_close_items
  for each row execute function refuse_to_change_the_past();

-- Whether a signed day of the account counted the line: it ends after the line's time, and the line had come by then.
-- The last signed day says it for all days before it, because later days count up to higher numbers.
create function is_line_closed(source text, line_provider text, line_currency text, at timestamptz, number bigint)
returns boolean language sql stable as $$
  select coalesce((
    select at < ends_at and number <= case source when 'BANK' then bank_lines_through else lines_through end
    from day_closes
    where provider = line_provider and currency = line_currency and status = 'CLOSED' order by day desc limit 1), false)
$$;

-- Whether a day that is signed, or requested to be, ends after a line's time: a line that comes now belongs to a later
-- day then. If the request is rejected, the mark is without effect: a day counts all lines of its own time.
create function comes_late(line_provider text, line_currency text, at timestamptz)
returns boolean language sql stable as $$
  select coalesce((
    select at < ends_at from day_closes
    where provider = line_provider and currency = line_currency and status in ('REQUESTED', 'CLOSED')
    order by day desc limit 1), false)
$$;

-- Where lines change while the days of their account are not followed yet, and where that begins.
create function followed_lock(of_provider text, of_currency text) returns bigint language sql immutable as $$
  select hashtextextended('close_accounts/' || of_provider || '/' || of_currency, 0)
$$;

-- Lines come and change behind a share lock on their account, which whoever signs a day locks for update: no line gets
-- a number below one that a signed day counted up to, and what a signed day counted never changes.
create function keep_signed_days() returns trigger language plpgsql as $$
begin
  perform from close_accounts where provider = new.provider and currency = new.currency for share;
  if not found then
    perform pg_advisory_xact_lock_shared(followed_lock(new.provider, new.currency));
    perform from close_accounts where provider = new.provider and currency = new.currency for share;
  end if;
  if tg_op = 'INSERT' then
    new.came_late := comes_late(new.provider, new.currency, new.occurred_at);
  elsif is_line_closed(tg_argv[0], old.provider, old.currency, old.occurred_at, old.entry_no) then
    raise exception 'a signed day counted this line' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger operator_report_lines_come_in_order before insert on operator_report_lines
  for each row execute function keep_signed_days('OPERATOR');
create trigger operator_report_lines_stay_as_signed
  before update of provider, currency, occurred_at, moved, times, entry_no, counts, came_late on operator_report_lines
  for each row
  when (row (new.provider, new.currency, new.occurred_at, new.moved, new.times, new.entry_no, new.counts, new.came_late)
    is distinct from row (old.provider, old.currency, old.occurred_at, old.moved, old.times, old.entry_no, old.counts,
      old.came_late))
  execute function keep_signed_days('OPERATOR');
create trigger bank_lines_come_in_order before insert on bank_lines
  for each row execute function keep_signed_days('BANK');
create trigger bank_lines_stay_as_signed before update on bank_lines for each row
  when (row (new.provider, new.currency, new.line_hash, new.line_no, new.occurred_at, new.moved, new.reference,
      new.times, new.entry_no, new.counts, new.came_late)
    is distinct from row (old.provider, old.currency, old.line_hash, old.line_no, old.occurred_at, old.moved,
      old.reference, old.times, old.entry_no, old.counts, old.came_late))
  execute function keep_signed_days('BANK');

-- A line is voided with its file, for good. What cancels it is nothing that a signed day has counted.
create function keep_voided_lines() returns trigger language plpgsql as $$
declare
  of_line jsonb := to_jsonb(new);
  is_voided boolean;
begin
  if tg_argv[0] = 'BANK' then
    select voided_at is not null into is_voided from bank_files where file_id = (of_line ->> 'file_id')::uuid;
  else
    select voided_at is not null into is_voided from operator_reports
    where report_id = (of_line ->> 'report_id')::uuid;
  end if;
  if (tg_op = 'UPDATE' and (to_jsonb(old) -> 'voided' = 'true' and not new.voided
      or (to_jsonb(old) ->> 'cancelled_through') is not null))
    or not coalesce(is_voided, false)
    or is_line_closed(tg_argv[0], new.provider, new.currency, new.occurred_at, new.cancelled_through) then
    raise exception 'a line is voided with its file, and once' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger operator_report_lines_begin_standing before insert on operator_report_lines for each row
  when (new.voided or new.cancelled_through is not null) execute function keep_voided_lines('OPERATOR');
create trigger operator_report_lines_are_voided_once before update on operator_report_lines for each row
  when (row (new.voided, new.cancelled_from, new.cancelled_through)
    is distinct from row (old.voided, old.cancelled_from, old.cancelled_through))
  execute function keep_voided_lines('OPERATOR');
create trigger bank_lines_begin_standing before insert on bank_lines for each row
  when (new.voided or new.cancelled_through is not null) execute function keep_voided_lines('BANK');
create trigger bank_lines_are_voided_once before update on bank_lines for each row
  when (row (new.voided, new.cancelled_from, new.cancelled_through)
    is distinct from row (old.voided, old.cancelled_from, old.cancelled_through))
  execute function keep_voided_lines('BANK');
