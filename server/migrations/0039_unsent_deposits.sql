-- Deposits whose payer has gone are found by their age, however many payouts wait to be sent.
-- outside a transaction: payments are written meanwhile.
create index concurrently if not exists payments_unsent_deposits on payments (created_at)
  where next_action = 'SUBMIT' and kind = 'DEPOSIT';
