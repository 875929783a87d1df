-- Approvals: what one person requests and another approves, so that no single person can let money out.
-- One table of decisions for all kinds. The approval commits the effect, or the permission for longer work, in its
-- transaction.

create table approvals (
  approval_id uuid primary key,
  kind text not null constraint approvals_kind check (kind in
    ('TOKEN', 'PUBLIC_KEY', 'UNSIGNED_REQUESTS', 'UNSIGNED_PAGES', 'INVITATION', 'ROLE', 'PAYMENT_END',
     'OPERATOR_REPORT', 'REPORT_READING', 'MONEY', 'FLOAT', 'CASE', 'PAYOUT_BATCH', 'PAYOUT_LIMIT', 'LIMIT',
     'FREEZE_LIFT', 'MERCHANT_RESUME', 'NUMBER_LIST', 'REVIEW', 'REVIEW_RULE', 'DAY_CLOSE', 'DAY_REOPEN', 'FIRST_DAY',
     'FILE_VOID', 'BANK_ACCOUNT', 'SETTLEMENT', 'CELL_END', 'LOST_PAYMENT')),
  -- Null for what concerns the platform alone.
  merchant_id uuid references merchants,
  -- The row it is about: a batch, a case, a currency; or what it makes: a token, a key, an address.
  subject text not null,
  -- What exactly will be done. Of a token it holds the hash of the secret, never the secret.
  request jsonb not null,
  -- Encrypted, because it may name people: a line of a report, the words of a customer.
  encrypted_reason bytea,
  -- Of what an approver is shown. An approval names it, so that nothing is approved that was not seen.
  shown_hash text not null,
  -- People by identifier and by the name that the audit log has of them. No foreign keys: people stay in their cell
  -- when a merchant moves. Null for a request of the command line, where no person is signed in.
  requested_by text,
  requested_by_name text not null constraint approvals_requester_is_named check (btrim(requested_by_name) <> ''),
  requested_at timestamptz not null,
  -- The first of the two people who approve a request of the command line.
  confirmed_by text,
  confirmed_by_name text constraint approvals_confirmer_is_named check (btrim(confirmed_by_name) <> ''),
  confirmed_at timestamptz,
  status text not null default 'PENDING' constraint approvals_status check (
    status in ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN')),
  -- Null where a sandbox's command decided, or a move withdrew it.
  decided_by text,
  decided_by_name text constraint approvals_decider_is_named check (btrim(decided_by_name) <> ''),
  decided_at timestamptz,
  decided_hash text,
  encrypted_note bytea,
  constraint approvals_confirmation_is_whole check (
    num_nulls(confirmed_by, confirmed_by_name, confirmed_at) in (0, 3)),
  constraint approvals_confirmed_for_a_command check (confirmed_by is null or requested_by is null),
  constraint approvals_decision_is_whole check (
    num_nulls(decided_by_name, decided_at) = case status when 'PENDING' then 2 else 0 end
    and (status <> 'PENDING' or num_nulls(decided_by, decided_hash, encrypted_note) = 3)),
  constraint approvals_approved_as_shown check (
    status <> 'APPROVED' or coalesce(decided_hash = shown_hash, false)),
  -- The requester can only withdraw it. Names are compared as people read them. A command's name may be anybody's, so
  -- that two people who are signed in approve its request.
  constraint approvals_need_two_people check (status in ('PENDING', 'WITHDRAWN') or case
    when requested_by is null and decided_by is not null then status = 'REJECTED' or coalesce(
      decided_by <> confirmed_by and lower(btrim(decided_by_name)) <> lower(btrim(confirmed_by_name)), false)
    else coalesce(decided_by <> requested_by, true)
      and lower(btrim(decided_by_name)) <> lower(btrim(requested_by_name)) end)
);
create index approvals_pending on approvals (requested_at, approval_id) where status = 'PENDING';
create index approvals_decided on approvals (decided_at, approval_id) where status <> 'PENDING';
create index approvals_of_merchant on approvals (merchant_id, requested_at);
-- Money that people move: the next request is compared with the latest ones.
create index approvals_of_money on approvals (requested_at) where kind = 'MONEY';
create index approvals_of_subject on approvals (kind, subject);
-- What exists already is decided on once at a time.
create unique index approvals_one_pending_of_a_subject on approvals (kind, merchant_id, subject) nulls not distinct
  where status = 'PENDING'
    and kind in ('PAYMENT_END', 'OPERATOR_REPORT', 'REPORT_READING', 'CASE', 'PAYOUT_BATCH', 'PAYOUT_LIMIT', 'LIMIT',
      'FREEZE_LIFT', 'MERCHANT_RESUME', 'NUMBER_LIST', 'REVIEW', 'REVIEW_RULE', 'DAY_CLOSE', 'DAY_REOPEN', 'FIRST_DAY',
      'FILE_VOID', 'BANK_ACCOUNT', 'SETTLEMENT', 'CELL_END', 'LOST_PAYMENT');
-- Money under a reference is requested once at a time.
create index approvals_pending_of_reference on approvals ((request ->> 'reference')) where status = 'PENDING';

-- While a move copies a merchant into this cell. What it copies was requested and approved in the other cell.
create function is_arriving(moved uuid) returns boolean language plpgsql stable as $$
begin
  return exists (select 1 from migration_locks where merchant_id = moved and state = 'ARRIVING');
end $$;

-- What was requested is what is decided on; it is confirmed once, and a decision is final.
create trigger approvals_stay_as_requested before update on approvals for each row
  when (new is distinct from old and not is_arriving(old.merchant_id) and (old.status <> 'PENDING'
    or (old.confirmed_by is not null and new.confirmed_by is distinct from old.confirmed_by)
    or row (new.approval_id, new.kind, new.merchant_id, new.subject, new.request, new.encrypted_reason, new.shown_hash,
         new.requested_by, new.requested_by_name, new.requested_at)
      is distinct from
       row (old.approval_id, old.kind, old.merchant_id, old.subject, old.request, old.encrypted_reason, old.shown_hash,
         old.requested_by, old.requested_by_name, old.requested_at)))
  execute function refuse_to_change_the_past();
create trigger approvals_are_never_deleted before delete on approvals
  for each row execute function refuse_to_change_the_past();

-- By account, subject of the identity provider, or address of either. A person of another cell has only a name.
create function is_same_person(one text, other text, other_name text) returns boolean language sql stable as $$
  with addresses (person_id, email) as (
    select id, lower(btrim(email)) from people where id in (one, other)
    union select person_id, email from people_identities where person_id in (one, other)
    union select other, lower(btrim(other_name)))
  select one = other
    or exists (select 1 from people_identities a join people_identities b using (subject)
      where a.person_id = one and b.person_id = other)
    or exists (select 1 from addresses a join addresses b using (email)
      where a.person_id = one and b.person_id = other)
$$;

-- The break-glass account signs in when the identity provider is out of reach. It takes no part in two-person rules.
create function is_break_glass(person text) returns boolean language sql stable as $$
  select exists (select 1 from memberships where person_id = person and role = 'BREAK_GLASS')
$$;
create function refuse_break_glass() returns trigger language plpgsql as $$
begin
  if is_break_glass(new.requested_by) then
    raise exception 'the break-glass account requests nothing' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger approvals_are_not_requested_by_break_glass before insert on approvals for each row
  when (new.requested_by is not null) execute function refuse_break_glass();

-- A request begins as one. A person approves it who is signed in, has confirmed it, and is another person than those
-- before; a command only in a sandbox, which alone has a movable clock.
create function require_approver() returns trigger language plpgsql as $$
declare
  approver text := case new.status when 'PENDING' then new.confirmed_by else new.decided_by end;
begin
  if is_arriving(new.merchant_id) then
    return new;
  end if;
  if tg_op = 'UPDATE' then
    if approver is null and to_regclass('clock_shift') is not null then
      return new;
    end if;
    if exists (select 1 from people_sessions where person_id = approver and confirmed_at is not null)
      and not is_break_glass(approver)
      and not coalesce(is_same_person(approver, new.requested_by, new.requested_by_name), false)
      and (new.status = 'PENDING'
        or not coalesce(is_same_person(approver, new.confirmed_by, new.confirmed_by_name), false)) then
      return new;
    end if;
  end if;
  raise exception 'only another person approves a request' using errcode = 'check_violation';
end $$;
create trigger approvals_begin_as_requests before insert on approvals for each row
  when (new.status <> 'PENDING' or new.confirmed_by is not null) execute function require_approver();
create trigger approvals_are_given_by_people before update on approvals for each row
  when (new.status = 'APPROVED' and old.status <> 'APPROVED' or new.confirmed_by is distinct from old.confirmed_by)
  execute function require_approver();

-- The approval path: roles of processes may insert requests and cannot update them. Both answer whether it was pending.
create function confirm_approval(id uuid, hash text, person text, name text, at timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update approvals set confirmed_by = person, confirmed_by_name = name, confirmed_at = at
  where approval_id = id and status = 'PENDING' and confirmed_by is null and shown_hash = hash;
  return found;
end $$;
create function decide_approval(
  id uuid, decision text, hash text, person text, name text, at timestamptz, note bytea) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update approvals set status = decision, decided_hash = hash, decided_by = person, decided_by_name = name,
    decided_at = at, encrypted_note = note
  where approval_id = id and status = 'PENDING';
  return found;
end $$;
revoke execute on function confirm_approval, decide_approval from public;

-- Whether a request still waits, for processes that may not read requests.
create function is_pending(id uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from approvals where approval_id = id and status = 'PENDING')
$$;

-- Whether the approval of an operator's report is pending. With the rights of its owner: a worker counts reports that
-- wait for nobody, and may not read what people have requested.
create function is_report_requested(report uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from approvals
    where kind = 'OPERATOR_REPORT' and subject = report::text and status = 'PENDING')
$$;

-- For tables whose rows need an approval: of this kind, of this row, given by this very transaction, and where a third
-- argument names a column, to this value.
create function require_approval() returns trigger language plpgsql as $$
declare
  row_now jsonb := to_jsonb(new);
begin
  if is_arriving(new.merchant_id) or exists (
    select 1 from approvals a
    where a.kind = tg_argv[0] and a.merchant_id = new.merchant_id and a.subject = row_now ->> tg_argv[1]
      and a.status = 'APPROVED' and a.xmin = pg_current_xact_id()::xid
      and (tg_nargs < 3 or (a.request ->> tg_argv[2])::numeric = (row_now ->> tg_argv[2])::numeric)) then
    return new;
  end if;
  raise exception '% needs an approval', tg_table_name using errcode = 'check_violation';
end $$;

-- One person stops a merchant, and two let it go on: the request names the suspension that it ends. A sandbox, which
-- alone has a movable clock, may do it at once.
create function require_resumption() returns trigger language plpgsql as $$
begin
  if is_arriving(new.merchant_id) or to_regclass('clock_shift') is not null or exists (
    select from approvals a
    where a.kind = 'MERCHANT_RESUME' and a.merchant_id = new.merchant_id
      and (a.request ->> 'suspendedAt')::timestamptz = date_trunc('milliseconds', old.suspended_at)
      and a.status = 'APPROVED' and a.xmin = pg_current_xact_id()::xid) then
    return new;
  end if;
  raise exception 'a suspended merchant is resumed by two people' using errcode = 'check_violation';
end $$;
create trigger merchants_are_resumed_by_two_people before update on merchants for each row
  when (old.suspended_at is not null and new.suspended_at is null) execute function require_resumption();

create function begin_as_prepared() returns trigger language plpgsql as $$
begin
  if is_arriving(new.merchant_id) then
    return new;
  end if;
  raise exception 'a batch begins as prepared' using errcode = 'check_violation';
end $$;
create trigger payout_batches_begin_as_prepared before insert on payout_batches for each row
  when (new.status <> 'WAITING') execute function begin_as_prepared();
create trigger payout_batches_are_sent_after_approval before update on payout_batches for each row
  when (old.status = 'WAITING' and new.status = 'SENDING' and new.needs_approval)
  execute function require_approval('PAYOUT_BATCH', 'batch_id');
create trigger payout_limits_begin_without_amount before insert on payout_limits for each row
  when (new.amount > 0) execute function require_approval('PAYOUT_LIMIT', 'currency', 'amount');
create trigger payout_limits_are_raised_after_approval before update on payout_limits for each row
  when (coalesce(new.amount, 0) > coalesce(old.amount, 0))
  execute function require_approval('PAYOUT_LIMIT', 'currency', 'amount');
