-- So that what a merchant owes is collected, and evidence that an operator takes back can be reversed.

-- What stands in the RECEIVABLE account beside the wallet. It changes under the wallet's lock, with its transfers.
alter table wallets add column owed numeric(22,4) not null default 0
  constraint wallets_owed_not_negative check (owed >= 0);

insert into wallets (account_id, merchant_id)
  select w.account_id, w.merchant_id from accounts w join accounts r
    on r.type = 'RECEIVABLE' and w.type = 'WALLET' and (r.merchant_id, r.country, r.currency, r.provider)
      = (w.merchant_id, w.country, w.currency, w.provider)
  on conflict do nothing;
update wallets set owed = greatest(0, claim.amount) from (
  select w.account_id, sum(moved.amount) as amount
  from accounts r join accounts w on w.type = 'WALLET' and (r.merchant_id, r.country, r.currency, r.provider)
    = (w.merchant_id, w.country, w.currency, w.provider)
  cross join lateral (
    select amount from transfers where debit_account_id = r.account_id and state = 'POSTED'
    union all
    select -amount from transfers where credit_account_id = r.account_id and state = 'POSTED') moved
  where r.type = 'RECEIVABLE' group by 1) claim
where wallets.account_id = claim.account_id;

alter table cases
  drop constraint cases_resolution_is_of_the_list,
  add constraint cases_resolution_is_of_the_list check (proposed_resolution in (
    'CREDIT_MERCHANT', 'RETURN_TO_PAYER', 'RECOVER_FROM_MERCHANT', 'WRITE_OFF', 'REVERSE_EVIDENCE'));
