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
  constraint bank_files_once unique (provider, currency, file_hash)
);

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
  closed_in uuid,
  primary key (provider, currency, line_hash)
);
create index bank_lines_open on bank_lines (provider, currency, occurred_at) where closed_in is null;
create index bank_lines_closed on bank_lines (closed_in) where closed_in is not null;

-- How an operator's or a bank's file is read, for each account. Without a mapping it has the columns of our own format.
create table report_mappings (
  provider text not null,
  currency text not null,
  source text not null constraint report_mappings_source check (source in ('OPERATOR', 'BANK')),
  mapping jsonb not null,
  set_by text not null,
  set_at timestamptz not null,
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
    status in ('RUNNING', 'DONE', 'FAILED')),
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
create index report_uploads_newest on report_uploads (provider, currency, started_at);

create table day_closes (
  close_id uuid primary key,
  provider text not null,
  currency text not null,
  day text not null constraint day_closes_day check (day ~ '^\d{4}-\d\d-\d\d$'),
  status text not null default 'REQUESTED' constraint day_closes_status check (
    status in ('REQUESTED', 'CLOSED', 'REJECTED')),
  figures jsonb not null,
  -- Of the figures and every difference.
  content_hash text not null,
  -- Why it is signed although something differs.
  note text,
  made_at timestamptz not null,
  closed_at timestamptz,
  constraint day_closes_closed_has_time check ((status = 'CLOSED') = (closed_at is not null))
);
create unique index day_closes_once on day_closes (provider, currency, day) where status = 'CLOSED';
create unique index day_closes_one_request on day_closes (provider, currency, day) where status = 'REQUESTED';
-- A day whichever of the two it is: neither index above can tell. It grows by a row for each account and day.
create index day_closes_days on day_closes (provider, currency, day) where status <> 'REJECTED';

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

create function require_close_approval() returns trigger language plpgsql as $$
begin
  if exists (select 1 from approvals a where a.kind = 'DAY_CLOSE' and a.request ->> 'closeId' = new.close_id::text
      and a.request ->> 'contentHash' = new.content_hash
      and a.status = 'APPROVED' and a.xmin = pg_current_xact_id()::xid) then
    return new;
  end if;
  raise exception 'a day is closed by two people' using errcode = 'check_violation';
end $$;
create trigger day_closes_begin_as_requests before insert on day_closes for each row
  when (new.status <> 'REQUESTED') execute function refuse_to_change_the_past();
create trigger day_closes_are_signed before update on day_closes for each row
  when (old.status = 'REQUESTED' and new.status = 'CLOSED') execute function require_close_approval();
create trigger day_closes_stay_as_signed before update on day_closes for each row
  when (old.status <> 'REQUESTED' or row (new.close_id, new.provider, new.currency, new.day, new.figures,
      new.content_hash, new.note, new.made_at)
    is distinct from row (old.close_id, old.provider, old.currency, old.day, old.figures, old.content_hash, old.note,
      old.made_at))
  execute function refuse_to_change_the_past();
create trigger day_closes_are_never_deleted before delete on day_closes
  for each row execute function refuse_to_change_the_past();
create trigger day_close_items_are_never_edited before update or delete on day_close_items
  for each row execute function refuse_to_change_the_past();
