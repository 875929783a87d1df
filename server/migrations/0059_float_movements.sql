-- So that money between bank and operators, and what operators charge, is posted when a second person approves it.
alter table approvals drop constraint approvals_kind;
alter table approvals add constraint approvals_kind check (kind in
  ('TOKEN', 'PUBLIC_KEY', 'UNSIGNED_REQUESTS', 'UNSIGNED_PAGES', 'INVITATION', 'ROLE', 'PAYMENT_END',
   'OPERATOR_REPORT', 'MONEY', 'FLOAT'));

-- A line of a report that is not about a payment: its posting is requested.
alter table operator_statement_lines drop constraint operator_statement_lines_finding;
alter table operator_statement_lines add constraint operator_statement_lines_finding check (finding in
  ('AGREES', 'APPLIED', 'CASE', 'FORGOTTEN', 'UNKNOWN', 'MISMATCHED', 'NOT_SENT', 'UNCONFIRMED', 'ELSEWHERE',
   'TO_APPROVE', 'REQUESTED')) not valid;
