// What happens to every table when a merchant moves. A test compares this list with the database, so that a new table
// cannot be forgotten: anyone who adds one decides here.

/**
 * WITH_ITS_PAYMENT: copied with each payment, while the merchant is served and again where it changed meanwhile;
 * deleted in the old cell once it is seen in the new one. IN_PIECES: copied while the merchant is served, some hundred
 * rows at a time, and again where it changed meanwhile. WITH_THE_MERCHANT: copied as a whole behind the migration lock.
 * TRACE: copied in one of these ways, and kept in the old cell to know by what has to be forwarded. DERIVED: made again
 * in the new cell. OF_THE_CELL: not the merchant's.
 */
export type TableFate =
  | 'WITH_ITS_PAYMENT'
  | 'IN_PIECES'
  | 'WITH_THE_MERCHANT'
  | 'TRACE'
  | 'DERIVED'
  | 'OF_THE_CELL';

export const TABLE_FATES: Readonly<Record<string, TableFate>> = {
  payment_keys: 'WITH_ITS_PAYMENT',
  payments: 'WITH_ITS_PAYMENT',
  payment_events: 'WITH_ITS_PAYMENT',
  // Transfers of no payment, top-ups for example, are copied with the merchant.
  transfers: 'WITH_ITS_PAYMENT',
  cases: 'WITH_ITS_PAYMENT',
  callbacks: 'WITH_ITS_PAYMENT',
  callback_attempts: 'WITH_ITS_PAYMENT',
  split_payments: 'WITH_ITS_PAYMENT',
  // Those that its payments name: every change of one is noted with a payment.
  limit_counters: 'WITH_ITS_PAYMENT',
  payment_reviews: 'WITH_ITS_PAYMENT',
  // What follows from a payment and is still to be made, in whichever cell that is possible.
  missing_follow_ups: 'WITH_THE_MERCHANT',

  // By its reference a notification finds the merchant it is about.
  payment_attempts: 'TRACE',
  // Another merchant's claim to the same transaction opens a case in either cell.
  provider_transactions: 'TRACE',
  // By its token a request finds its merchant.
  api_tokens: 'TRACE',
  // Entries of the old cell are encrypted under the data key, and name the merchant.
  merchants: 'TRACE',
  // By the last part of its address a page finds its merchant. Sessions of the payment page are copied in pieces,
  // checkouts with their identifiers.
  payment_pages: 'TRACE',
  checkouts: 'TRACE',
  payment_links: 'TRACE',
  // Never deleted anywhere.
  audit_log: 'TRACE',

  // The bank's reference of a top-up is posted once in either cell.
  posted_references: 'TRACE',

  merchant_providers: 'WITH_THE_MERCHANT',
  fees: 'WITH_THE_MERCHANT',
  merchant_public_keys: 'WITH_THE_MERCHANT',
  // Accounts of the platform that its transfers name are made where they are missing; their identifiers are the same.
  accounts: 'WITH_THE_MERCHANT',
  wallets: 'WITH_THE_MERCHANT',
  // Sums of its transfers, also those on accounts of the platform. What the cell sums up later goes on from them.
  ledger_days: 'WITH_THE_MERCHANT',
  ledger_totals: 'WITH_THE_MERCHANT',
  ledger_progress: 'WITH_THE_MERCHANT',
  // Those that need their requester, who stays behind, end with the move: see core/approvals/README.md.
  approvals: 'WITH_THE_MERCHANT',
  callback_endpoints: 'WITH_THE_MERCHANT',
  // Copied so that no one can lease them, and opened with the merchant.
  endpoint_queues: 'WITH_THE_MERCHANT',
  merchant_notices: 'WITH_THE_MERCHANT',
  // What is claimed and not marked goes on in the new cell, under the same identifiers.
  payout_batches: 'WITH_THE_MERCHANT',
  payout_batch_sums: 'WITH_THE_MERCHANT',
  payout_batch_rows: 'IN_PIECES',
  payout_limits: 'WITH_THE_MERCHANT',
  wallet_alerts: 'WITH_THE_MERCHANT',
  limits: 'WITH_THE_MERCHANT',
  wallet_holds: 'WITH_THE_MERCHANT',
  wallet_debts: 'WITH_THE_MERCHANT',
  // An account that is requested stays behind, as its approval ends with the move.
  bank_accounts: 'WITH_THE_MERCHANT',
  settlements: 'WITH_THE_MERCHANT',
  // Those of the platform are in every cell; before a move those that block are written to one that lacks them.
  listed_numbers: 'WITH_THE_MERCHANT',
  review_rules: 'WITH_THE_MERCHANT',
  sensitive_changes: 'WITH_THE_MERCHANT',
  statements: 'WITH_THE_MERCHANT',
  // Events are copied while it is served, and those since behind the migration lock. Numbers and epoch go on.
  merchant_events: 'WITH_THE_MERCHANT',
  event_heads: 'WITH_THE_MERCHANT',

  // Hashes of what the payments say: made from the copied payments.
  payment_search: 'DERIVED',
  // Files can be large, and a merchant waits behind the migration lock: they are made again from the copied books.
  statement_chunks: 'DERIVED',
  // Counts of payments: counted again from the copied ones, however many hours there are.
  payment_hours: 'DERIVED',
  payment_days: 'DERIVED',
  payment_hours_progress: 'DERIVED',

  // Written to every cell, also those of a merchant; before a move to one that lacks them.
  freezes: 'OF_THE_CELL',
  // What happened in this cell; all cells are read together.
  risk_events: 'OF_THE_CELL',
  // Which phones were asked lately, by whichever merchant of this cell.
  payer_prompts: 'OF_THE_CELL',
  // Raw messages that came here. Those of the merchant that are not yet applied are copied.
  operator_notifications: 'OF_THE_CELL',
  // An answer that comes after a move finds no question there, and the new cell asks its own.
  operator_questions: 'OF_THE_CELL',
  provider_availability: 'OF_THE_CELL',
  provider_calls: 'OF_THE_CELL',
  availability_changes: 'OF_THE_CELL',
  monitor_readings: 'OF_THE_CELL',
  operator_accounts: 'OF_THE_CELL',
  operator_account_ids: 'OF_THE_CELL',
  operator_credentials: 'OF_THE_CELL',
  replaced_credentials: 'OF_THE_CELL',
  operator_tokens: 'OF_THE_CELL',
  operator_rates: 'OF_THE_CELL',
  operator_balances: 'OF_THE_CELL',
  // Statements are of the host's account; those of a merchant that has moved are listed as being elsewhere.
  operator_reports: 'OF_THE_CELL',
  operator_report_lines: 'OF_THE_CELL',
  file_leases: 'OF_THE_CELL',
  close_accounts: 'OF_THE_CELL',
  bank_files: 'OF_THE_CELL',
  bank_lines: 'OF_THE_CELL',
  report_mappings: 'OF_THE_CELL',
  report_uploads: 'OF_THE_CELL',
  day_closes: 'OF_THE_CELL',
  day_close_items: 'OF_THE_CELL',
  // Of a move nothing stays valid: postings of the merchant count in another cell then.
  day_comparisons: 'OF_THE_CELL',
  // What was said from here; support asks where it was said.
  operator_traffic: 'OF_THE_CELL',
  // A copy of the first cell's in every other one.
  service_signing_keys: 'OF_THE_CELL',
  // Moves themselves.
  merchant_moves: 'OF_THE_CELL',
  migration_locks: 'OF_THE_CELL',
  moving_payments: 'OF_THE_CELL',
  moving_pieces: 'OF_THE_CELL',
  // Claims of all cells, in the first one. A merchant's approval repeats its claim in the new cell.
  claimed_references: 'OF_THE_CELL',
  transaction_comparisons: 'OF_THE_CELL',
  // Those of a merchant that has moved are handed on to its cell.
  transaction_conflicts: 'OF_THE_CELL',
  // Balances of the platform.
  cell_endings: 'OF_THE_CELL',
  cell_identity: 'OF_THE_CELL',
  cell_names: 'OF_THE_CELL',
  ending_claims: 'OF_THE_CELL',
  // People belong to the installation. What they may do for a merchant stays behind: they are invited again.
  people: 'OF_THE_CELL',
  people_sessions: 'OF_THE_CELL',
  people_passwords: 'OF_THE_CELL',
  people_proofs: 'OF_THE_CELL',
  people_two_factors: 'OF_THE_CELL',
  sign_in_rates: 'OF_THE_CELL',
  people_devices: 'OF_THE_CELL',
  people_identities: 'OF_THE_CELL',
  memberships: 'OF_THE_CELL',
  // Of people, who stay: those of the new cell are told there.
  person_notices: 'OF_THE_CELL',
  invitations: 'OF_THE_CELL',
  // That this cell's database was restored.
  recoveries: 'OF_THE_CELL',
  // What its operators paid meanwhile; whose it was no one knows.
  unmatched_payments: 'OF_THE_CELL',
  // In every cell: written to the new cell before a move.
  lost_payment_decisions: 'OF_THE_CELL',
  lost_payment_marks: 'OF_THE_CELL',
  // Every cell has a chain of its own; entries that come with a merchant are chained there again.
  audit_chain: 'OF_THE_CELL',
  audit_chain_head: 'OF_THE_CELL',
  audit_unchained: 'OF_THE_CELL',
  // Behind the migration lock what waits of the merchant is numbered before it is copied.
  event_queue: 'OF_THE_CELL',
  // Which schema the database has.
  migrations: 'OF_THE_CELL',
};
