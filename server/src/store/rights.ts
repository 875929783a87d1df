// What a role that only serves may do to each table, so that the processes need not be the owner of the tables, who
// could take the triggers away. A test compares the list with the database and with the statements of this room.
import { escapeIdentifier } from 'pg';
import type { Tx } from './database.ts';

/**
 * Beside reading, which is allowed everywhere. An update names its columns where the past is kept. What is pruned is
 * deleted by workers alone. Moving a merchant takes more than any of this: it is for the owner.
 */
type Right = 'insert' | 'update' | `update (${string})` | 'delete' | 'prune';

/** `api` serves requests only; `all` works as well, and runs the commands by hand. */
export type RightsHolder = 'api' | 'all';

export const TABLE_RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  // The books, and what is known of payments. Nothing here is ever deleted.
  accounts: ['insert'],
  transfers: ['insert', 'update (state, settled_at)'],
  wallets: ['insert', 'update (posted, held)'],
  payments: [
    'insert',
    `update (state, sealed_details, next_action, next_action_at, enquiry_count, event_count, provider_transaction_id,
       failure_code, final_at)`,
  ],
  // Evidence is taken out when a person is erased; a trigger lets nothing else be written there.
  payment_events: ['insert', 'update (sealed_evidence)'],
  payment_attempts: ['insert', 'update (send_deadline_at, send_count, provider_reference)'],
  provider_transactions: ['insert'],
  split_payments: ['insert', 'update (announced_at, sealed_parts)'],
  cases: [
    'insert',
    `update (proposed_resolution, proposed_amount, proposed_by, proposed_at, sealed_proposed_reason, approved_by,
       resolved_at, sealed_evidence)`,
  ],
  money_orders: ['insert', 'update (decision, decided_by, decided_at, sealed_decision_reason)'],
  audit_log: ['insert'],
  availability_changes: ['insert'],
  recoveries: ['insert', 'update (asked_at, ended_at, resumed_providers)'],
  payout_batches: ['insert', 'update'],
  payout_batch_sums: ['insert'],
  payout_batch_rows: ['insert', 'update'],
  payout_limits: ['insert', 'update'],
  operator_statements: ['insert', 'update'],
  operator_statement_lines: ['insert', 'update'],
  operator_balances: ['insert', 'update'],

  // A request that is rejected frees its identifier in the transaction that took it.
  payment_keys: ['insert', 'delete'],
  payment_search: ['insert', 'delete'],
  payment_pages: ['insert', 'update', 'delete'],
  checkouts: ['insert', 'update'],

  merchants: ['insert', 'update'],
  merchant_providers: ['insert', 'delete'],
  merchant_public_keys: ['insert', 'delete'],
  merchant_notices: ['insert', 'update'],
  fees: ['insert', 'update'],
  api_tokens: ['insert', 'update'],
  service_signing_keys: ['insert', 'update'],

  callbacks: ['insert', 'update'],
  callback_attempts: ['insert', 'update (sealed_answer)', 'prune'],
  callback_endpoints: ['insert', 'update', 'prune'],
  callback_lanes: ['insert', 'update', 'prune'],
  statements: ['insert', 'update', 'prune'],
  statement_chunks: ['insert', 'prune'],
  operator_notifications: ['insert', 'update (applied_at)', 'prune'],
  // Rows are locked before they are pruned, which takes the right to change something.
  operator_traffic: ['insert', 'update (duration_ms)', 'prune'],
  payment_hours: ['insert', 'update', 'prune'],
  payment_days: ['insert', 'prune'],
  payment_hours_progress: ['insert', 'update', 'prune'],
  provider_calls: ['insert', 'update', 'prune'],
  monitor_readings: ['insert', 'update'],

  provider_availability: ['insert', 'update', 'delete'],
  operator_accounts: ['insert', 'update'],
  operator_credentials: ['insert', 'update', 'delete'],
  operator_tokens: ['insert', 'update'],
  operator_rates: ['insert', 'update'],

  people: ['insert', 'update', 'delete'],
  people_sessions: ['insert', 'update', 'delete'],
  people_passwords: ['insert', 'update', 'delete'],
  people_proofs: ['insert', 'update', 'delete'],
  people_second_factors: ['insert', 'update', 'delete'],
  sign_in_rates: ['insert', 'update', 'delete'],
  memberships: ['insert', 'update', 'delete'],
  invitations: ['insert', 'update'],

  // What other cells decided is copied from the first one. A fence that lapsed is taken down by whoever notices.
  merchant_moves: ['insert', 'update'],
  merchant_fences: ['update (state, lapses_at)'],
  moving_payments: ['insert'],
  migrations: [],
};

export type RoleFault = 'UNKNOWN' | 'OWNS_THE_TABLES' | 'MAY_CREATE';

/** Why no list of rights could hold this role; null where it can. */
export async function findRoleFault(tx: Tx, role: string): Promise<RoleFault | null> {
  const { rows } = await tx.query<{ is_owner: boolean; may_create: boolean }>(
    `select pg_has_role(r.oid, c.relowner, 'MEMBER') as is_owner,
       has_schema_privilege(r.oid, c.relnamespace, 'CREATE') as may_create
     from pg_roles r, pg_class c where r.rolname = $1 and c.oid = to_regclass('transfers')`,
    [role],
  );
  const [found] = rows;
  if (found === undefined) return 'UNKNOWN';
  if (found.is_owner) return 'OWNS_THE_TABLES';
  return found.may_create ? 'MAY_CREATE' : null;
}

/** Gives a role exactly these rights, whatever it had before. */
export async function grantRights(tx: Tx, role: string, holder: RightsHolder): Promise<void> {
  const name = escapeIdentifier(role);
  await tx.query(`revoke all on all tables in schema public from ${name}`);
  await tx.query(`grant usage on schema public to ${name}`);
  for (const [table, rights] of Object.entries(TABLE_RIGHTS)) {
    const granted = ['select', ...rights.flatMap((right) => privilegeOf(right, holder))];
    await tx.query(`grant ${granted.join(', ')} on ${table} to ${name}`);
  }
}

function privilegeOf(right: Right, holder: RightsHolder): readonly string[] {
  if (right !== 'prune') return [right];
  return holder === 'all' ? ['delete'] : [];
}
