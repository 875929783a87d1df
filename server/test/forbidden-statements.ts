// What somebody might try who has taken over a process, as SQL. Each must be refused for want of a right; the owner of
// the tables would have it done, or be stopped by no more than a trigger or a reference.
import type { RightsHolder } from '../src/store/schema/rights.ts';

/** Anyone who of the holders tries it. */
export const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  'rewriting the books': [
    'update transfers set amount = amount + 1',
    'update transfers set debit_account_id = credit_account_id, credit_account_id = debit_account_id',
    'update transfers set created_at = created_at',
    'delete from transfers',
    'truncate transfers',
    'delete from wallets',
    'update accounts set type = type',
    'delete from accounts',
  ],
  'rewriting what is known of payments': [
    'update payments set amount = amount + 1',
    'update payments set merchant_id = merchant_id',
    'delete from payments',
    'update payment_events set event = event',
    'delete from payment_events',
    'truncate payment_events',
    'delete from payment_attempts',
    'delete from provider_transactions',
    'delete from callbacks',
    'update payout_batch_sums set amount = amount',
    'delete from merchants',
  ],
  'hiding what people did': [
    `update audit_log set actor = 'no_one'`,
    'delete from audit_log',
    'truncate audit_log',
    'update audit_chain set hash = hash',
    'delete from audit_chain',
    'truncate audit_chain',
    'insert into audit_unchained select entry_no + 1000, id from audit_log',
    'delete from audit_chain_head',
    'update cases set evidence = evidence',
    'delete from cases',
    'truncate cases',
    'delete from approvals',
    'truncate approvals',
    'delete from recoveries',
    'delete from migrations',
    // The trigger lets a merchant's past go once it has moved away: only the owner can begin to say so.
    `insert into migration_locks (merchant_id, state, other_cell, move_id)
     select merchant_id, 'AWAY', '0002', merchant_id from merchants`,
  ],
  // An approval is given by functions of the database; the tests of what those refuse are in api8-approvals.test.ts.
  'approving what another process requested': [
    `update approvals set status = 'APPROVED', decided_by = 'eve', decided_by_name = 'Eve', decided_at = requested_at,
       decided_hash = shown_hash`,
    `update approvals set confirmed_by = 'eve', confirmed_by_name = 'Eve', confirmed_at = requested_at`,
    `update approvals set request = '{}'`,
    `insert into approvals (approval_id, kind, merchant_id, subject, request, shown_hash, requested_by,
       requested_by_name, requested_at, status, decided_by, decided_by_name, decided_at, decided_hash)
     select gen_random_uuid(), 'UNSIGNED_REQUESTS', merchant_id, 'x', '{}', 'h', 'ana', 'Ana', now(), 'APPROVED', 'eve',
       'Eve', now(), 'h' from merchants`,
  ],
  'taking the triggers away': [
    'alter table transfers disable trigger all',
    'alter table transfers disable trigger user',
    'drop trigger transfers_are_never_deleted on transfers',
    'drop function refuse_to_change_the_past() cascade',
    'set session_replication_role = replica',
    'alter role current_user set session_replication_role = replica',
    'alter table approvals drop constraint approvals_need_two_people',
    'alter table cases disable trigger cases_are_resolved_after_approval',
    'alter table transfers add column note text',
    'alter table transfers rename to transfers_of_yesterday',
    'create rule never as on insert to audit_log do instead nothing',
    `create trigger skipped before insert on audit_log execute function refuse_to_change_the_past()`,
    'drop table transfers cascade',
  ],
  'putting something else in the place of ours': [
    `create or replace function refuse_to_change_the_past() returns trigger language plpgsql as
     'begin return old; end'`,
    'alter function refuse_to_change_the_past() set search_path = pg_temp',
    `create function merchant_bucket(text) returns integer language sql as 'select 1'`,
    'create table notes (note text)',
    'create view notes as select 1',
    'create schema ours',
    // A temporary table comes before all others, so a trigger would look there whether a merchant has moved away.
    'create temporary table migration_locks as select * from public.migration_locks',
    `create function pg_temp.now() returns timestamptz language sql as 'select null::timestamptz'`,
  ],
  'becoming somebody else': [
    'set role malipo',
    'set session authorization malipo',
    'create role another',
    'alter role current_user superuser',
    'grant pg_read_all_data to current_user',
    'alter table transfers owner to current_user',
    `copy migrations from program 'true'`,
  ],
};

/** What one of them has no business with. */
export const CLOSED: Readonly<Record<Exclude<RightsHolder, 'all'>, readonly string[]>> = {
  api: [
    'update operator_credentials set encrypted_values = encrypted_values',
    'delete from operator_credentials',
    'update recoveries set ended_at = ended_at',
    'delete from operator_notifications',
    'delete from callback_attempts',
    'delete from migration_locks',
    'insert into audit_chain select * from audit_chain where false',
    'update audit_chain_head set head_no = head_no where false',
    'delete from audit_unchained where false',
  ],
  worker: [
    'select email from people',
    'select token from people_sessions',
    'select password from people_passwords',
    'select secret from people_two_factors',
    `update people_passwords set password = 'mine'`,
    'update memberships set role = role',
    'select secret_hash from api_tokens',
    'delete from operator_credentials',
    'update payout_limits set amount = amount',
    'delete from limits',
    'delete from listed_numbers',
    'delete from review_rules',
    'update sensitive_changes set changed_at = changed_at',
    'update freezes set lifted_at = frozen_at',
    'update merchants set signed_requests_only = false',
    'update merchants set signed_pages_only = false',
    `insert into merchant_public_keys (merchant_id, key_name, algorithm, public_key, created_at)
     select merchant_id, 'mine', 'ecdsa-p256-sha256', 'pem', created_at from merchants`,
    'delete from merchant_public_keys',
    'select status from approvals',
    `select decide_approval(null, 'APPROVED', '', 'eve', 'Eve', now(), null)`,
    `select confirm_approval(null, '', 'eve', 'Eve', now())`,
    'update payout_batches set needs_approval = false where false',
    'insert into payout_batches select * from payout_batches where false',
    'insert into payout_batch_sums select * from payout_batch_sums where false',
    'insert into payout_batch_rows select * from payout_batch_rows where false',
    'update payout_batch_rows set encrypted_order = encrypted_order where false',
    'insert into unmatched_payments select * from unmatched_payments where false',
    'update unmatched_payments set approved_at = found_at where false',
  ],
};

/** These they may try, because of a column that does change; a trigger knows when. */
export const REFUSED_BY_TRIGGERS = [
  `update transfers set state = 'VOIDED' where state = 'POSTED'`,
  `update payments set state = 'PROCESSING', final_at = null where state = 'COMPLETED'`,
  `update payment_events set encrypted_evidence = '\\x00'`,
  `update cases set resolution = 'WRITE_OFF' where resolved_at is not null`,
  `update cases set resolved_at = null, resolution = null where resolved_at is not null`,
] as const;
