-- So that what a bank or an operator calls a movement of money is posted once, also when a command is repeated.

create table posted_references (
  -- BANK, or the provider whose operator moved the money.
  source text not null,
  -- As the bank or the operator writes it, without spaces and in capital letters.
  reference text not null,
  -- What was posted under it. The same reference with anything else is refused.
  merchant_id uuid not null,
  type text not null,
  country text not null,
  currency text not null,
  -- Empty where the merchant keeps one wallet for all providers.
  provider text not null,
  amount numeric(22,4) not null,
  transfer_id uuid not null,
  posted_at timestamptz not null,
  primary key (source, reference)
);
create trigger posted_references_are_never_edited before update or delete on posted_references
  for each row execute function refuse_to_change_the_past();

-- The bank's reference of a top-up or settlement; null for an adjustment.
alter table money_orders add column reference text;
drop trigger money_orders_are_sealed on money_orders;
create trigger money_orders_are_sealed before update on money_orders for each row
  when (new is distinct from old and (old.decision is not null
    or row (new.order_id, new.merchant_id, new.type, new.country, new.currency, new.wallet_provider, new.amount,
         new.reference, new.sealed_reason, new.requested_by, new.requested_at)
      is distinct from
       row (old.order_id, old.merchant_id, old.type, old.country, old.currency, old.wallet_provider, old.amount,
         old.reference, old.sealed_reason, old.requested_by, old.requested_at)))
  execute function refuse_to_change_the_past();
