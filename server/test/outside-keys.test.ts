// Every unique key of the schema is either made of values of ours, or stands in docs/internals/identifiers.md with what
// a clash does. A key with a value that somebody outside chooses can keep a row from being written.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestGateway, select, type TestGateway } from './gateway.ts';

/** Numbers, UUIDs and hashes that the gateway draws, codes of the catalogue, and times. */
const OURS = `
  accounts_pkey api_tokens_pkey approvals_pkey audit_chain_entries_once audit_chain_head_pkey audit_chain_pkey
  audit_log_entry_no_unique audit_unchained_pkey availability_changes_pkey bank_accounts_current
  bank_accounts_one_request bank_accounts_pkey bank_files_pkey callback_attempts_pkey callback_endpoints_pkey
  callbacks_pkey cases_pkey cell_endings_pkey cell_identity_is_one_row cell_identity_pkey cell_names_one_of_a_database
  cell_names_pkey checkouts_code_unique ending_claims_pkey
  clock_shift_pkey day_close_items_pkey day_closes_once
  day_closes_one_request day_closes_pkey day_comparisons_pkey endpoint_queues_pkey event_heads_pkey event_queue_pkey
  file_leases_pkey freezes_pkey
  invitations_pkey invitations_token_unique ledger_days_pkey ledger_progress_once ledger_totals_pkey
  listed_numbers_pkey lost_payment_decisions_pkey memberships_one_break_glass merchant_events_pkey merchant_moves_pkey
  merchant_moves_version_unique merchant_notices_pkey merchant_providers_pkey merchants_pkey migration_locks_pkey
  migrations_pkey missing_follow_ups_pkey monitor_readings_pkey moving_payments_pkey moving_pieces_pkey
  operator_notifications_pkey
  operator_questions_pkey operator_reports_pkey operator_traffic_pkey payer_prompts_pkey payment_attempts_pkey
  payment_attempts_reference_unique payment_days_pkey payment_events_pkey payment_hours_pkey
  payment_hours_progress_pkey payment_keys_number_unique payment_links_code_unique payment_links_pkey
  payment_pages_code_unique payment_reviews_pkey payments_pkey payout_batch_rows_pkey payout_batch_sums_pkey
  payout_batches_pkey posted_references_pkey
  people_devices_pkey people_passwords_pkey people_pkey people_proofs_pkey people_sessions_pkey
  people_sessions_token_unique people_two_factors_pkey person_notices_pkey provider_availability_pkey
  provider_calls_pkey recoveries_pkey report_uploads_pkey service_signing_keys_pkey settlements_pkey
  sign_in_rates_pkey transaction_comparisons_pkey transfers_pkey unmatched_payments_pkey wallet_debts_pkey
  wallets_pkey`
  .trim()
  .split(/\s+/);

const page = readFileSync(new URL('../../docs/internals/identifiers.md', import.meta.url), 'utf8');
const fromOutside = [...page.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());

describe('unique keys', () => {
  test('are of values of ours, or say what a clash with an identifier from outside does', async () => {
    const rows = await select(
      gateway,
      `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
       join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = t.relnamespace
       where i.indisunique and n.nspname = 'public'`,
    );
    const keys = rows.map(({ name }) => name as string).toSorted();
    expect(keys).toEqual([...OURS, ...fromOutside].toSorted());
  });

  test('of transfers name the kind of their subject, so that no two kinds can exclude each other', async () => {
    const [key] = await select(gateway, `select pg_get_indexdef('transfers_pkey'::regclass) as definition`);
    expect(key?.['definition']).toContain('(subject_id, subject_kind, leg_no)');
  });
});
