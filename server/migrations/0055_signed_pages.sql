-- So that an account can demand signatures for hosted pages too, where a token alone would otherwise start a payment.
alter table merchants add column signed_pages_only boolean not null default false;

-- To do without them takes two people, as with requests that start payments.
alter table approvals drop constraint approvals_kind;
alter table approvals add constraint approvals_kind check (kind in
  ('TOKEN', 'PUBLIC_KEY', 'UNSIGNED_REQUESTS', 'UNSIGNED_PAGES', 'INVITATION', 'ROLE', 'PAYMENT_END',
   'OPERATOR_REPORT', 'MONEY'));
