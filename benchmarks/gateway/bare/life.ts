// The bare engine: what PostgreSQL alone must do for a payment, as pgbench scripts on the frozen tables of schema.sql.
// Left out is what only the product needs: search entries, the operator's notification, the stored body of a callback.
import { readFileSync } from 'node:fs';

/** Creates the tables and their merchants in the empty database `bare`. */
export const BARE_SCHEMA = readFileSync(new URL('schema.sql', import.meta.url), 'utf8');

const MERCHANTS = [1, 2, 3, 4, 5, 6, 7, 8];
export const BATCH_SIZE = 100;

/** The length of what the product encrypts: a payer's details, and the operator's answer as evidence. */
const DETAILS = `decode(repeat('5a', 190), 'hex')`;
const EVIDENCE = `decode(repeat('5a', 330), 'hex')`;

/** pgbench cannot pass a clock or create identifiers, so these scripts do what our own SQL never does. */
const NOW = 'now()';
/** Far enough below the largest number for a batch to be counted from it. */
const DRAW = ['number', 'other'].map((name) => `\\set ${name} random(1, 9223372036854770000)\n`).join('');

/** One payment for each transaction of a step, by a script for each merchant. */
export function lifeScripts(): readonly string[] {
  return MERCHANTS.map((merchant) => lifeScript(merchant, 1));
}

/** A hundred payments for each transaction of a step: the engine at its best. */
export function batchScripts(): readonly string[] {
  return MERCHANTS.map((merchant) => lifeScript(merchant, BATCH_SIZE));
}

/** Payments from their keys to their delivered callbacks, in four transactions. */
function lifeScript(merchant: number, size: number): string {
  const uuid = (text: string) => `md5('${text} ${merchant}')::uuid`;
  const merchantId = uuid('merchant');
  const drawn = (name: string) => (size === 1 ? `:${name}::text` : `(:${name}::bigint + n)::text`);
  const [paymentId, callbackId] = [`md5(${drawn('number')})::uuid`, `md5(${drawn('other')})::uuid`];
  const key = `${merchantId}, 'DEPOSIT', ${paymentId}`;
  const each = size === 1 ? '' : `from generate_series(1, ${size}) as n`;
  const isOneOf = (column: string, value: string) =>
    size === 1 ? `${column} = ${value}` : `${column} = any (array(select ${value} ${each}))`;
  const isIt = `merchant_id = ${merchantId} and kind = 'DEPOSIT' and ${isOneOf('payment_id', paymentId)}`;
  const event = (
    values: string,
  ) => `insert into payment_events (merchant_id, kind, payment_id, event_no, occurred_at,
  event, from_state, to_state, detail, encrypted_evidence) select ${key}, ${values} ${each};`;
  return `${DRAW}
begin;
insert into payment_keys (merchant_id, kind, payment_id, created_at, request_id, fingerprint)
  select ${key}, ${NOW}, ${callbackId}, decode(repeat('5a', 32), 'hex') ${each} on conflict do nothing;
${insertPayments('payments', key, each)};
${event(`1, ${NOW}, 'ACCEPTED', null, 'ACCEPTED', null, null`)}
commit;
begin;
select * from payments where ${isIt} for update;
update payments set state = 'PROCESSING', encrypted_details = ${DETAILS}, next_action = 'ENQUIRE', event_count = 2,
  next_action_at = ${NOW} + interval '1 minute' where ${isIt};
${event(`2, ${NOW}, 'SUBMIT_CLAIMED', 'ACCEPTED', 'PROCESSING', null, null`)}
insert into payment_attempts (merchant_id, kind, payment_id, attempt_no, reference, claimed_at, send_deadline_at)
  select ${key}, 1, md5(${drawn('other')}), ${NOW}, ${NOW} + interval '10 seconds' ${each};
commit;
begin;
select * from payments where ${isIt} for update;
update payments set state = 'COMPLETED', encrypted_details = ${DETAILS}, next_action = null, next_action_at = null,
  event_count = 3, provider_transaction_id = md5(payment_id::text), final_at = ${NOW} where ${isIt};
${event(`3, ${NOW}, 'OPERATOR_ANSWERED', 'PROCESSING', 'COMPLETED', 'COMPLETED', ${EVIDENCE}`)}
insert into transfers (merchant_id, subject_kind, subject_id, leg_no, template, debit_account_id, credit_account_id,
  amount, state, created_at)
  select ${key}, 0, 'SETTLE_DEPOSIT', md5('float')::uuid, ${uuid('wallet')}, 100, 'POSTED', ${NOW} ${each};
update wallets set posted = posted + ${size * 100} where account_id = ${uuid('wallet')};
insert into callbacks (merchant_id, kind, payment_id, callback_id, announced_state, created_at, due_at, endpoint_id,
  status) select ${key}, ${callbackId}, 'COMPLETED', ${NOW}, ${NOW}, ${uuid('endpoint')}, 'PENDING' ${each};
commit;
with attempts as (
  insert into callback_attempts (merchant_id, callback_id, attempt_no, started_at, duration_ms, http_status)
  select ${merchantId}, ${callbackId}, 1, ${NOW}, 1, 200 ${each} on conflict do nothing)
update callbacks set attempt_count = 1, status = 'DELIVERED'
  where merchant_id = ${merchantId} and ${isOneOf('callback_id', callbackId)} and status = 'PENDING';
`;
}

/** One row for each identifier of the parameter, in a table without references. */
export const LONE_INSERT = insertPayments(
  'lone_payments',
  `md5('merchant 1')::uuid, 'DEPOSIT', id`,
  'from unnest($1::uuid[]) as id',
);

export const LONE_SELECT = `select payment_id, state, amount_text, currency, country, created_at from lone_payments
  where merchant_id = md5('merchant 1')::uuid and kind = 'DEPOSIT' and payment_id = $1`;

function insertPayments(table: string, key: string, each: string): string {
  return `insert into ${table} (merchant_id, kind, payment_id, api_version, state, amount, amount_text, fee, currency,
  country, provider, connector, encrypted_details, created_at, next_action, next_action_at, event_count)
  select ${key}, 'v2', 'ACCEPTED', 100, '100', 0, 'RWF', 'RWA', 'MTN_MOMO_RWA', 'simulator', ${DETAILS}, ${NOW},
  'SUBMIT', ${NOW}, 1 ${each}`;
}
