// A database as it is after a while: payments that have had their whole life, so that the planner has something to
// choose by. A table of a few rows is always read from end to end, and rightly so.
import { inTransaction, type Database } from '../src/store/database.ts';

export type ManyPayments = {
  /** A tenth of the payments are of this merchant, the others of merchants that are not there. */
  readonly merchantId: string;
  readonly count: number;
  readonly now: Date;
};

const LIFE = `merchant_id, kind, payment_id`;

/** One in twenty gives back the deposit before it. */
const REFUND = 'number % 20 = 3';

/** In the order of time, as ours are. */
function timed(name: string): string {
  const ms = `lpad(to_hex((extract(epoch from $2::timestamptz) * 1000)::bigint - number * 1000), 12, '0')`;
  const random = `md5('${name}' || number)`;
  return `(${ms} || '7' || substr(${random}, 1, 3) || '8' || substr(${random}, 4, 15))::uuid`;
}

/** Whose each of them is and when it began; the identifier is the same wherever the number is. */
const NUMBERED = `
  create temporary table numbered on commit drop as
  select number, (case when ${REFUND} then 'REFUND' else 'DEPOSIT' end)::payment_kind as kind,
    md5('payment' || number)::uuid as payment_id,
    ${timed('number')} as payment_no,
    ${timed('callback')} as callback_id,
    case when number % 10 = 0 then $1::uuid else md5('merchant' || number % 50)::uuid end as merchant_id,
    $2::timestamptz - (number || ' seconds')::interval as at
  from generate_series(1, $3::int) as number`;

/** One in a hundred is still in progress, its next step and its callback a day ahead. */
const OPEN = 'number % 100 = 1';

const TABLES: readonly string[] = [
  `insert into payment_keys (${LIFE}, created_at, payment_no, fingerprint)
   select ${LIFE}, at, payment_no, decode(repeat('5a', 32), 'hex') from numbered`,
  `insert into payments (${LIFE}, payment_no, api_version, state, amount, amount_text, fee, currency, country, provider,
     connector, encrypted_details, created_at, next_action, next_action_at, event_count, final_at, deposit_id)
   select ${LIFE}, payment_no, 'v2', (case when ${OPEN} then 'PROCESSING' else 'COMPLETED' end)::payment_state, 100,
     '100', 0, 'RWF', 'RWA', 'MTN_MOMO_RWA', 'simulator', decode(repeat('5a', 190), 'hex'), at,
     case when ${OPEN} then 'ENQUIRE'::next_action end, case when ${OPEN} then at + interval '9 days' end, 3,
     case when not ${OPEN} then at end, case when ${REFUND} then md5('payment' || number - 1)::uuid end
   from numbered`,
  `insert into payment_events (payment_no, event_no, occurred_at, event, to_state)
   select payment_no, event_no, at, 'SUBMIT_CLAIMED', 'PROCESSING' from numbered, generate_series(1, 3) as event_no`,
  `insert into payment_attempts (${LIFE}, payment_no, attempt_no, reference, claimed_at, send_deadline_at)
   select ${LIFE}, payment_no, 1, 'reference' || number, at, at from numbered`,
  `insert into provider_transactions (provider, provider_transaction_id, claimed_at, ${LIFE})
   select 'MTN_MOMO_RWA', 'theirs' || number, at, ${LIFE} from numbered`,
  `insert into payment_search (payment_no, value_hash, created_at)
   select payment_no, sha256(number::text::bytea), at from numbered`,
  `insert into transfers (merchant_id, subject_kind, subject_id, leg_no, template, debit_account_id, credit_account_id,
     amount, state, created_at, settled_at)
   select merchant_id, kind, payment_no, 0, 'SETTLE_DEPOSIT', md5('float')::uuid, merchant_id, 100, 'POSTED', at, at
   from numbered`,
  `insert into callbacks (${LIFE}, subject_id, callback_id, endpoint_id, announced_state, status, attempt_count, due_at,
     created_at)
   select ${LIFE}, payment_no, callback_id, merchant_id, 'COMPLETED',
     case when ${OPEN} then 'PENDING' else 'DELIVERED' end, 1, at + interval '9 days', at
   from numbered`,
  `insert into callback_attempts (merchant_id, callback_id, attempt_no, started_at, duration_ms, http_status)
   select merchant_id, callback_id, 1, at, 5, 200 from numbered`,
  `insert into operator_notifications (notification_id, connector, received_at, encrypted_message, reading, reference,
     applied_at)
   select callback_id, 'simulator', at, decode(repeat('5a', 200), 'hex'), 'AUTHENTIC', 'reference' || number, at
   from numbered`,
  `insert into split_payments (merchant_id, split_payment_id, written_id, api_version, created_at, encrypted_parts,
     announced_at)
   select merchant_id, payment_id, payment_id, 'v2', at, decode(repeat('5a', 200), 'hex'), at from numbered`,
  `insert into cases (case_id, ${LIFE}, evidence, opened_at, resolution, resolved_at, resolved_amount)
   select payment_id, ${LIFE}, 'LATE_SUCCESS', at, 'WRITE_OFF', at, 100
   from numbered where number % 10 = 5`,
  `insert into availability_changes (provider, operation, from_status, to_status, set_by, why, changed_at)
   select 'MTN_MOMO_RWA', 'DEPOSIT', 'OPERATIONAL', 'DELAYED', 'MEASURED',
     '{"code": "NO_CALLS", "seconds": 60}', at from numbered
   where number % 10 = 5`,
];

export async function insertManyPayments(database: Database, many: ManyPayments): Promise<void> {
  await inTransaction(database, async (tx) => {
    // Merchants and accounts that are not there would be refused, and every check takes its time.
    await tx.query('set local session_replication_role = replica');
    await tx.query(NUMBERED, [many.merchantId, many.now, many.count]);
    for (const insert of TABLES) await tx.query(insert);
    // Only what was filled: how small a table is here that is large elsewhere, PostgreSQL shall not learn.
    for (const insert of TABLES) await tx.query(`analyze ${/^insert into (\w+)/.exec(insert)?.[1]}`);
  });
}
