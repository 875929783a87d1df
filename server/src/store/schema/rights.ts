// What a role that only serves may do to each table, so that the processes need not be the owner of the tables, who
// could take the triggers away. A test compares the list with the database and with the statements of this layer.
import { escapeIdentifier } from 'pg';
import type { Tx } from '../database.ts';
import { CLOSE_RIGHTS } from './close-rights.ts';
import { SETTLEMENT_RIGHTS } from './settlement-rights.ts';

/** Beside reading. An update names its columns where the past is kept; what only serves does not prune. */
type Right = 'insert' | `insert (${string})` | 'update' | `update (${string})` | 'delete' | 'prune';

/** `api` serves requests only, `worker` does the rest; `all` does both, and runs the commands manually. */
export const RIGHTS_HOLDERS = ['api', 'worker', 'all'] as const;
export type RightsHolder = (typeof RIGHTS_HOLDERS)[number];

/** Of those who do everything. Moving a merchant takes more than any of this: it is for the owner. */
export const TABLE_RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  // The books, and what is known of payments. Nothing here is ever deleted.
  accounts: ['insert'],
  transfers: ['insert', 'update (state, settled_at)'],
  wallets: ['insert', 'update (posted, held, owed, unheld)'],
  wallet_debts: ['insert', 'update (paid, forgiven)'],
  payments: [
    'insert',
    `update (state, encrypted_details, next_action, next_action_at, enquiry_count, event_count, provider_transaction_id,
       failure_code, final_at, held, held_by)`,
  ],
  // Evidence is taken out when a person is erased; a trigger lets nothing else be written there.
  payment_events: ['insert', 'update (encrypted_evidence)'],
  payment_attempts: [
    'insert',
    `update (claimed_at, send_deadline_at, send_count, unsent_count, provider_reference, operator_account,
       refund_account, reported_receipt, proved_receipt, reported_failure, reported_failure_at,
       hint_count, hinted_at)`,
  ],
  provider_transactions: ['insert'],
  split_payments: ['insert', 'update (announced_at, encrypted_parts)'],
  // A note is deleted by the transaction that makes what it is about.
  missing_follow_ups: ['insert', 'update (error, due_at)', 'delete'],
  cases: [
    'insert',
    'update (resolution, resolved_at, resolved_amount, encrypted_evidence, provider_transaction_id, line_hash)',
  ],
  posted_references: ['insert', 'update (posted_back_at)'],
  audit_log: ['insert'],
  // A trigger queues entries; only workers chain them.
  audit_chain: ['insert'],
  audit_chain_head: ['update'],
  audit_unchained: ['prune'],
  // Only workers number events.
  event_queue: ['insert', 'prune'],
  event_heads: ['insert', 'update'],
  merchant_events: ['insert', 'prune'],
  availability_changes: ['insert'],
  recoveries: ['insert', 'update (asked_at, ended_at, resumed_providers)'],
  unmatched_payments: [
    'insert',
    'update (approved_at, posted_at, released_at, withdrawn_at, decided_at, merchant_id, kind, payment_id)',
  ],
  lost_payment_marks: ['insert', 'delete'],
  lost_payment_decisions: ['insert', 'update (posted_back_at, merchant_id, kind, payment_id)'],
  // Requests only: functions of the database confirm and decide them.
  approvals: [
    `insert (approval_id, kind, merchant_id, subject, request, encrypted_reason, shown_hash, requested_by,
       requested_by_name, requested_at)`,
  ],
  payout_batches: ['insert', 'update'],
  payout_batch_sums: ['insert'],
  payout_batch_rows: ['insert', 'update'],
  payout_limits: ['insert', 'update'],
  wallet_alerts: ['insert', 'update', 'delete'],
  limits: ['insert', 'update', 'delete'],
  limit_counters: ['insert', 'update', 'prune'],
  listed_numbers: ['insert', 'update', 'delete'],
  freezes: ['insert', 'update'],
  risk_events: ['insert', 'update', 'prune'],
  wallet_holds: ['insert', 'update (wanted, amount, parts, released_at)'],
  review_rules: ['insert', 'update', 'delete'],
  sensitive_changes: ['insert', 'update'],
  payment_reviews: ['insert', 'update (status, reasons, encrypted_reason, asked_until, ends_at)'],
  operator_reports: ['insert', 'update'],
  operator_report_lines: ['insert', 'update'],
  file_leases: ['insert', 'update', 'delete'],
  ...CLOSE_RIGHTS,
  ...SETTLEMENT_RIGHTS,
  operator_balances: ['insert', 'update'],
  // A request that is rejected frees its identifier in the transaction that took it.
  payment_keys: ['insert', 'delete'],
  payment_search: ['insert', 'delete'],
  payer_prompts: ['insert', 'prune'],
  payment_pages: ['insert', 'update', 'delete'],
  checkouts: ['insert', 'update'],
  payment_links: ['insert', 'update (deactivated_at)'],

  merchants: ['insert', 'update'],
  merchant_providers: ['insert', 'delete'],
  merchant_public_keys: ['insert', 'delete'],
  merchant_notices: ['insert', 'update'],
  fees: ['insert', 'update'],
  api_tokens: ['insert', 'update'],
  service_signing_keys: ['insert', 'update'],

  callbacks: ['insert', 'update'],
  callback_attempts: ['insert', 'update (encrypted_answer)', 'prune'],
  callback_endpoints: ['insert', 'update', 'prune'],
  endpoint_queues: ['insert', 'update', 'prune'],
  statements: ['insert', 'update', 'prune'],
  statement_chunks: ['insert', 'prune'],
  operator_notifications: ['insert', 'update (applied_at, unmatched_at)', 'prune'],
  // The process that takes the answer deletes the question; a new key encrypts what is left.
  operator_questions: ['insert', 'delete', 'update (encrypted_secret)'],
  // Rows are locked before they are pruned, which takes the right to change something.
  operator_traffic: ['insert', 'update (duration_ms)', 'prune'],
  payment_hours: ['insert', 'update', 'prune'],
  payment_days: ['insert', 'prune'],
  payment_hours_progress: ['insert', 'update', 'prune'],
  provider_calls: ['insert', 'update', 'prune'],
  monitor_readings: ['insert', 'update'],
  // Sums of transfers. Anyone who adds the transfers up again corrects them.
  ledger_days: ['insert', 'update'],
  ledger_totals: ['insert', 'update'],
  ledger_progress: ['insert', 'update', 'prune'],

  provider_availability: ['insert', 'update', 'delete'],
  operator_accounts: ['insert', 'update'],
  operator_account_ids: ['insert'],
  operator_credentials: ['insert', 'update', 'delete'],
  replaced_credentials: ['insert', 'update', 'delete'],
  operator_tokens: ['insert', 'update'],
  operator_rates: ['insert', 'update'],

  people: ['insert', 'update', 'delete'],
  people_sessions: ['insert', 'update', 'delete'],
  people_passwords: ['insert', 'update', 'delete'],
  people_proofs: ['insert', 'update', 'delete'],
  people_two_factors: ['insert', 'update', 'delete'],
  sign_in_rates: ['insert', 'update', 'delete'],
  people_devices: ['insert', 'update'],
  people_identities: ['insert', 'update (seen_at)'],
  memberships: ['insert', 'update', 'delete'],
  person_notices: ['insert', 'update'],
  invitations: ['insert', 'update'],

  // What other cells decided is copied from the first one. A migration lock that lapsed is taken down by anyone who
  // notices, and workers finish a move whose mover died.
  merchant_moves: ['insert', 'update'],
  migration_locks: ['update (state, lapses_at)', 'prune'],
  moving_payments: ['insert'],
  moving_pieces: ['insert'],
  claimed_references: ['insert', 'update (cell, stands_for, claimed_at, attempts)', 'delete'],
  transaction_comparisons: ['insert', 'update'],
  transaction_conflicts: ['insert', 'delete'],
  cell_endings: ['insert', 'update (arrived_at)'],
  cell_identity: ['insert', 'update (registered_at)'],
  cell_names: ['insert'],
  ending_claims: ['insert'],
  migrations: [],
};

/** What a process has less than everybody, by table; null where it may not even read. */
const LESS: Readonly<Record<RightsHolder, Readonly<Record<string, readonly Right[] | null>>>> = {
  // Only commands set credentials, and begin and end a recovery. It reads both: a notification that contradicts what is
  // known is asked about at once.
  api: {
    operator_credentials: [],
    replaced_credentials: [],
    recoveries: [],
    audit_chain: [],
    audit_chain_head: [],
    event_heads: [],
    merchant_events: [],
  },
  // No one signs in at it, and it approves nothing.
  worker: {
    operator_credentials: [],
    replaced_credentials: [],
    people: null,
    people_sessions: null,
    people_passwords: null,
    people_proofs: null,
    people_two_factors: null,
    sign_in_rates: null,
    people_devices: null,
    people_identities: null,
    memberships: null,
    person_notices: null,
    invitations: null,
    api_tokens: null,
    // It goes on posting back what two people have voided: triggers ask for the voided line.
    posted_references: ['update (posted_back_at)'],
    claimed_references: ['delete'],
    bank_accounts: null,
    settlements: null,
    approvals: null,
    payout_limits: [],
    wallet_alerts: null,
    payment_links: null,
    limits: [],
    listed_numbers: [],
    freezes: [],
    review_rules: [],
    sensitive_changes: [],
    // It sends what was approved. A constraint refuses to send what needs an approval and has none.
    payout_batches: ['update (status, next_send_at, accepted_count, rejected_count, ended_at)'],
    payout_batch_sums: [],
    payout_batch_rows: ['update (status, failure_code)'],
    // It books them with the payment that was sent again, and goes on with what a voided file had posted; reports name
    // and approve them.
    unmatched_payments: ['update (posted_at, released_at, withdrawn_at, merchant_id, kind, payment_id)'],
    // It opens cases; people resolve them, or void the files that nothing but they say, and it goes on with that.
    cases: [
      'insert',
      `update (resolution, resolved_at, resolved_amount, encrypted_evidence, provider_transaction_id, line_hash)`,
    ],
    // Neither switches signatures off nor adds a key. One column, because rows are locked before they are read.
    merchants: ['update (encrypted_contact_email)'],
    merchant_public_keys: [],
  },
  all: {},
};

/** The only way to approve. Not the worker's: no one signs in at it. */
const APPROVAL_FUNCTIONS = ['confirm_approval', 'decide_approval'];

/** What exists in a sandbox alone: see clock-shift.ts. */
const SANDBOX_RIGHTS: typeof TABLE_RIGHTS = { clock_shift: ['update'] };

/** What this holder may do to a table beside reading it; null where it may not even read. */
export function rightsAt(table: string, holder: RightsHolder): readonly string[] | null {
  const less = LESS[holder][table];
  const rights = less === undefined ? ({ ...TABLE_RIGHTS, ...SANDBOX_RIGHTS }[table] ?? null) : less;
  return rights?.flatMap((right) => (right !== 'prune' ? right : holder === 'api' ? [] : 'delete')) ?? null;
}

/** PostgreSQL refuses to change the rights of one table in two transactions at once. */
const RIGHTS_LOCK = 7061;
/** Until the transaction ends, no one else grants rights. Waits longer than for rows: a grant takes a second or two. */
export async function lockRights(tx: Tx): Promise<void> {
  await tx.query(`set local lock_timeout to '60s'`);
  await tx.query('select pg_advisory_xact_lock($1)', [RIGHTS_LOCK]);
}

/** Gives a role exactly these rights, whatever it had before. */
export async function grantRights(tx: Tx, role: string, holder: RightsHolder): Promise<void> {
  const name = escapeIdentifier(role);
  await tx.query(`revoke all on all tables in schema public from public, ${name}`);
  await tx.query(`revoke all on all sequences in schema public from public, ${name}`);
  await tx.query(`revoke all on function ${APPROVAL_FUNCTIONS.join(', ')} from public, ${name}`);
  await addRights(tx, role, holder);
}

/**
 * Adds what this version needs for those that `grantRights` was done for. Nothing is taken away: processes of the
 * version before still run. Who they are is known by what they have, because no role can write that for itself.
 * Answers them.
 */
export async function renewRights(tx: Tx): Promise<readonly string[]> {
  await lockRights(tx);
  const { rows } = await tx.query<{ role: string; holder: RightsHolder }>(
    `select r.rolname as role, case when not has_table_privilege(r.oid, 'people_passwords', 'SELECT') then 'worker'
       when not has_table_privilege(r.oid, 'recoveries', 'INSERT') then 'api' else 'all' end as holder
     from pg_class c, aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
     where c.oid = to_regclass('transfers') and a.privilege_type = 'INSERT' and r.oid <> c.relowner order by 1`,
  );
  for (const { role, holder } of rows) await addRights(tx, role, holder);
  return rows.map(({ role }) => role);
}

async function addRights(tx: Tx, role: string, holder: RightsHolder): Promise<void> {
  const name = escapeIdentifier(role);
  await tx.query(`grant usage on schema public to ${name}`);
  for (const table of await listTables(tx)) {
    const rights = rightsAt(table, holder);
    if (rights !== null) await tx.query(`grant ${['select', ...rights].join(', ')} on ${table} to ${name}`);
  }
  if (holder !== 'worker')
    await tx.query(`grant execute on function ${APPROVAL_FUNCTIONS.join(', ')} to ${name}`);
}

/** Those that there are. One that no list names gets nothing: rightsAt answers null. */
async function listTables(tx: Tx): Promise<readonly string[]> {
  const { rows } = await tx.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
  );
  return rows.map(({ name }) => name);
}
