-- A case says which of the operator's transactions it is about: a second late success of one payment is another matter.

alter table cases add column provider_transaction_id text;
