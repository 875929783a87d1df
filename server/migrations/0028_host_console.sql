-- So that two people move money by hand, and what names a person can be forgotten.

-- Money that one person asks to have moved and another one moves. The approval makes the transfers, under the order's
-- own identifier, so that no order is ever carried out twice.
create table money_orders (
  order_id uuid primary key,
  merchant_id uuid not null references merchants,
  type text not null constraint money_orders_type check (type in ('TOP_UP', 'SETTLEMENT', 'ADJUSTMENT')),
  country text not null,
  currency text not null,
  -- Empty where the merchant keeps one wallet for all providers.
  wallet_provider text not null,
  amount numeric(22,4) not null constraint money_orders_amount_fits check (
    amount > 0 or (type = 'ADJUSTMENT' and amount < 0)),
  -- Sealed, because it may name people: who brought the money, the bank's own words.
  sealed_reason bytea not null,
  requested_by text not null constraint money_orders_requester_is_named check (btrim(requested_by) <> ''),
  requested_at timestamptz not null,
  decision text constraint money_orders_decision check (decision in ('APPROVED', 'REJECTED', 'WITHDRAWN')),
  decided_by text constraint money_orders_decider_is_named check (btrim(decided_by) <> ''),
  decided_at timestamptz,
  sealed_decision_reason bytea,
  constraint money_orders_decision_is_whole check (num_nulls(decision, decided_by, decided_at) in (0, 3)),
  constraint money_orders_refusal_says_why check (
    decision is distinct from 'REJECTED' or sealed_decision_reason is not null),
  -- Whoever asked can only take it back. Names are compared as people read them.
  constraint money_orders_need_two_people check (
    (decision = 'WITHDRAWN') = (lower(btrim(decided_by)) = lower(btrim(requested_by))))
);
create index money_orders_open on money_orders (requested_at, order_id) where decision is null;
create index money_orders_decided on money_orders (decided_at, order_id) where decision is not null;
create index money_orders_of_merchant on money_orders (merchant_id);

-- What was asked for is what is decided on, and a decision is the last word.
create trigger money_orders_are_sealed before update on money_orders for each row
  when (new is distinct from old and (old.decision is not null
    or (new.order_id, new.merchant_id, new.type, new.country, new.currency, new.wallet_provider, new.amount,
        new.sealed_reason, new.requested_by, new.requested_at)
      is distinct from
       (old.order_id, old.merchant_id, old.type, old.country, old.currency, old.wallet_provider, old.amount,
        old.sealed_reason, old.requested_by, old.requested_at)))
  execute function refuse_to_change_the_past();
create trigger money_orders_are_never_deleted before delete on money_orders
  for each row execute function refuse_to_change_the_past();

-- A line of a statement can be forgotten as well; what it was found to mean stays.
alter table operator_statement_lines alter column sealed_line drop not null;

-- As before, and: what names a person may be taken out of the past, and nothing else with it.
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
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
end $$;
