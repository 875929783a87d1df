-- So that the same payment or report is not requested twice at once, and lines that wait are found.
-- outside a transaction: nobody may wait while an index of a table that is there already is built.

-- One open request for each payment.
create unique index concurrently if not exists approvals_one_end_of_a_payment
  on approvals (merchant_id, (wanted ->> 'paymentKind'), (wanted ->> 'paymentId'))
  where kind = 'PAYMENT_END' and decision is null;
-- And for each imported report.
create unique index concurrently if not exists approvals_one_of_a_report on approvals ((wanted ->> 'statementId'))
  where kind = 'OPERATOR_REPORT' and decision is null;

create index concurrently if not exists operator_statement_lines_to_approve
  on operator_statement_lines (provider, statement_id, line_no) where finding = 'TO_APPROVE';
