-- Of the attempts of a checkout only one can be under way or have succeeded: this index decides it.
-- outside a transaction: payments are many, and nobody may wait while an index of them is built.

create unique index concurrently if not exists payments_one_attempt_of_checkout on payments (merchant_id, checkout_id)
  where checkout_id is not null and state <> 'FAILED';
create index concurrently if not exists payments_of_checkout on payments (merchant_id, checkout_id)
  where checkout_id is not null;
