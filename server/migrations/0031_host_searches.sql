-- So that the audit log can be searched, and resolved cases are found.
-- outside a transaction: nobody may wait while an index of a table that is there already is built.

-- Who did something, and what was done, in the order of acts.
create index concurrently if not exists audit_log_of_actor on audit_log (actor, entry_no);
create index concurrently if not exists audit_log_of_act on audit_log (act, entry_no);

-- Cases that were resolved, the newest first.
create index concurrently if not exists cases_resolved on cases (resolved_at, case_id) where resolved_at is not null;
