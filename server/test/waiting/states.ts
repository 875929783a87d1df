// The states in which something can wait, read from a migrated database and from the closed lists of the code, so that
// a state that somebody adds cannot be forgotten on the page about waiting.
import { APPROVAL_KINDS } from '../../src/domain/approval.ts';
import { REVIEW_REASONS } from '../../src/domain/limits/review.ts';
import { CLOSE_OBSTACLES } from '../../src/domain/reconciliation/close-obstacles.ts';
import { DIFFERENCE_KINDS } from '../../src/domain/reconciliation/daily-close.ts';
import type { Evidence } from '../../src/domain/payments/lifecycle.ts';
import { PAYMENT_STATES } from '../../src/domain/payments/payment.ts';
import type { Tx } from '../../src/store/database.ts';

/** The compiler says where one is missing. */
const EVIDENCE = Object.keys({
  LATE_SUCCESS: true,
  LATE_FAILURE: true,
  DISCREPANCY: true,
} satisfies Record<Evidence, true>);

/** States that only the code lists. Where the database lists them too, both must say the same. */
const OF_THE_CODE: Readonly<Record<string, readonly string[]>> = {
  'payments.state': PAYMENT_STATES,
  'approvals.kind': APPROVAL_KINDS,
  'payment_reviews.reasons': REVIEW_REASONS,
  'cases.evidence': EVIDENCE,
  // Of days, which are computed: what keeps one open, and what differs in it.
  'daily close': [...CLOSE_OBSTACLES, ...DIFFERENCE_KINDS],
};

/**
 * Every state in which something can wait, by its name. `settlements.status REQUESTED` is a value of an enum column, of
 * a text column whose check constraint lists its values, or of a list of the code. `freezes.lifted_at` is a time that
 * can be null, where null or a time may mean that something has not ended. `audit_unchained row` is a row of a table
 * that has neither, and `daily close REPORT_MISSING` is what the code finds about a day of an operator account.
 */
export async function deriveStates(database: Tx): Promise<readonly string[]> {
  const values = new Set([
    ...(await listEnumValues(database)),
    ...(await listCheckedValues(database)),
    ...Object.entries(OF_THE_CODE).flatMap(([name, listed]) => listed.map((value) => `${name} ${value}`)),
  ]);
  const named = [...values, ...(await listOptionalTimes(database))];
  const covered = new Set(named.map((name) => name.split('.')[0]));
  const others = (await listTables(database)).filter((table) => !covered.has(table));
  return [...named, ...others.map((table) => `${table} row`)].toSorted();
}

/** Lists of the code that say something else than the database does. */
export async function findDisagreements(database: Tx): Promise<readonly string[]> {
  const stored = [...(await listEnumValues(database)), ...(await listCheckedValues(database))];
  return Object.entries(OF_THE_CODE).flatMap(([name, listed]) => {
    const there = stored.flatMap((state) =>
      state.startsWith(`${name} `) ? state.slice(name.length + 1) : [],
    );
    const isSame = there.toSorted().join() === listed.toSorted().join();
    return there.length === 0 || isSame ? [] : [`${name}: ${there.join()} and ${listed.join()}`];
  });
}

/** What a row is about is not what it waits for, so the kinds of payments are no states. */
const NO_STATE_TYPE = 'payment_kind';

async function listEnumValues(database: Tx): Promise<readonly string[]> {
  const { rows } = await database.query<{ state: string }>(
    `select t.relname || '.' || a.attname || ' ' || e.enumlabel as state
     from pg_attribute a join pg_class t on t.oid = a.attrelid join pg_type ty on ty.oid = a.atttypid
       join pg_enum e on e.enumtypid = ty.oid
     where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not a.attisdropped
       and ty.typname <> $1`,
    [NO_STATE_TYPE],
  );
  return rows.map(({ state }) => state);
}

/** Of constraints about one column alone: others name only some of its values. */
async function listCheckedValues(database: Tx): Promise<readonly string[]> {
  const { rows } = await database.query<{ column: string; definition: string }>(
    `select t.relname || '.' || a.attname as column, pg_get_constraintdef(c.oid) as definition
     from pg_constraint c join pg_class t on t.oid = c.conrelid
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'c' and t.relnamespace = 'public'::regnamespace and cardinality(c.conkey) = 1`,
  );
  return rows.flatMap(({ column, definition }) => {
    const listed = /^CHECK \(\(\w+ (?:= ANY \(ARRAY\[(.*)\]\)|<@ ARRAY\[(.*)\]|= ('.*'::text))\)\)$/.exec(
      definition,
    );
    const texts = listed?.[1] ?? listed?.[2] ?? listed?.[3] ?? '';
    return Array.from(texts.matchAll(/'([^']*)'::text/g), ([, value = '']) => `${column} ${value}`);
  });
}

async function listOptionalTimes(database: Tx): Promise<readonly string[]> {
  const { rows } = await database.query<{ column: string }>(
    `select t.relname || '.' || a.attname as column from pg_attribute a join pg_class t on t.oid = a.attrelid
     where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and a.attnum > 0
       and not a.attisdropped and not a.attnotnull and a.atttypid = 'timestamptz'::regtype`,
  );
  return rows.map(({ column }) => column);
}

async function listTables(database: Tx): Promise<readonly string[]> {
  const { rows } = await database.query<{ table: string }>(
    `select relname as table from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  return rows.map(({ table }) => table);
}

/** What else must be so for a row to wait: where a column says why something waits, another one says that it does. */
const WAITS_WHILE: Readonly<Record<string, string>> = {
  'approvals.kind': `status = 'PENDING'`,
  'approvals.confirmed_at': `status = 'PENDING' and requested_by is null`,
  'cases.evidence': 'resolved_at is null',
  'payment_reviews.reasons': `status = 'HELD'`,
  'wallet_holds.reason': 'released_at is null',
  'freezes.scope': 'lifted_at is null',
  'operator_reports.covers_from': 'voided_at is null',
  'operator_reports.taken_back_at': 'voided_at is not null',
  'unmatched_payments.approved_at': 'withdrawn_at is null and released_at is null and decided_at is null',
  'unmatched_payments.posted_at':
    'approved_at is not null and withdrawn_at is null and released_at is null and decided_at is null',
  'unmatched_payments.released_at': 'posted_at is not null and withdrawn_at is null and decided_at is null',
  wallet_debts: 'paid + forgiven < amount',
  'operator_notifications.unmatched_at': 'applied_at is null',
  'invitations.ended_at': 'expires_at > now()',
  'bank_accounts.usable_from': `status = 'CURRENT' and usable_from > time_of_writing()`,
  'payments.next_action': `state = 'PROCESSING'`,
};

/** Whether it can be counted in the database. */
export function isOfDatabase(state: string): boolean {
  return !state.startsWith('daily close ');
}

/**
 * How many rows wait in a state, by the names that the derivation gives; of a time, ` null` or ` set` behind the name
 * says which of the two means that it waits.
 */
export async function countWaiting(database: Tx, state: string): Promise<number> {
  const [name = '', value = ''] = state.split(' ');
  const [table = '', column = ''] = name.split('.');
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from ${table}
     where ${isIn(column, value)} and ${WAITS_WHILE[name] ?? 'true'}`,
  );
  return rows[0]?.count ?? 0;
}

function isIn(column: string, value: string): string {
  if (value === 'row') return 'true';
  if (value === 'null') return `${column} is null`;
  if (value === 'set') return `${column} is not null`;
  return column === 'reasons' ? `'${value}' = any (${column})` : `${column}::text = '${value}'`;
}

/** The name that the derivation gives to what a row of the page names. */
export function derivedName(state: string): string {
  return state.replace(/ (null|set)$/, '');
}
