// The bare engine: what PostgreSQL alone must do for one payment, as pgbench scripts. The tables are the migrated
// schema with its indexes, constraints and triggers; the statements are the product's, for one row. Left out is what
// only the product needs: the queue's jobs, search entries, the stored body of a callback.
import { accountId } from '../../server/src/store/ledger/wallet-funds.ts';
import { PLACE } from './requests.ts';

export type BareMerchant = { readonly merchantId: string; readonly endpointId: string };

/** The length of what the product encrypts: a payer's details, and the operator's answer as evidence. */
const DETAILS = `decode(repeat('5a', 190), 'hex')`;
const EVIDENCE = `decode(repeat('5a', 330), 'hex')`;

/** pgbench cannot pass a clock or create identifiers, so these scripts do what our own SQL never does. */
const NOW = 'now()';
const ID = 'md5(:number::text)::uuid';
const CALLBACK_ID = 'md5(:other::text)::uuid';
const DRAW = ['number', 'other'].map((name) => `\\set ${name} random(1, 9223372036854775807)\n`).join('');

/** One payment from its key to its delivered callback, in the product's four transactions. */
export function lifeScript({ merchantId, endpointId }: BareMerchant): string {
  const key = `'${merchantId}', 'DEPOSIT', ${ID}`;
  const isIt = `merchant_id = '${merchantId}' and kind = 'DEPOSIT' and payment_id = ${ID}`;
  const wallet = accountId({ type: 'WALLET', merchantId, ...PLACE, provider: '' });
  const float = accountId({ type: 'FLOAT', ...PLACE });
  return `${DRAW}
begin;
insert into payment_keys (merchant_id, kind, payment_id, created_at, request_id, fingerprint)
  values (${key}, ${NOW}, ${CALLBACK_ID}, decode(repeat('5a', 32), 'hex')) on conflict do nothing;
${insertPayment('payments', key)}
${insertEvent(key, `1, ${NOW}, 'ACCEPTED', null, 'ACCEPTED', null, null`)}
commit;
begin;
select * from payments where ${isIt} for update;
update payments set state = 'PROCESSING', encrypted_details = ${DETAILS}, next_action = 'ENQUIRE', event_count = 2,
  next_action_at = ${NOW} + interval '1 minute' where ${isIt};
${insertEvent(key, `2, ${NOW}, 'SUBMIT_CLAIMED', 'ACCEPTED', 'PROCESSING', null, null`)}
insert into payment_attempts (merchant_id, kind, payment_id, attempt_no, reference, claimed_at, send_deadline_at)
  values (${key}, 1, md5(:other::text), ${NOW}, ${NOW} + interval '10 seconds');
commit;
begin;
select * from payments where ${isIt} for update;
update payments set state = 'COMPLETED', encrypted_details = ${DETAILS}, next_action = null, next_action_at = null,
  event_count = 3, provider_transaction_id = md5(:number::text), final_at = ${NOW} where ${isIt};
${insertEvent(key, `3, ${NOW}, 'OPERATOR_ANSWERED', 'PROCESSING', 'COMPLETED', 'COMPLETED', ${EVIDENCE}`)}
insert into transfers (merchant_id, subject_kind, subject_id, leg_no, template, debit_account_id, credit_account_id,
  amount, state, created_at)
  values (${key}, 0, 'SETTLE_DEPOSIT', '${float}', '${wallet}', 100, 'POSTED', ${NOW});
update wallets set posted = posted + 100 where account_id = '${wallet}';
insert into callbacks (merchant_id, kind, payment_id, callback_id, announced_state, created_at, due_at, endpoint_id,
  status) values (${key}, ${CALLBACK_ID}, 'COMPLETED', ${NOW}, ${NOW}, '${endpointId}', 'PENDING');
commit;
with attempts as (
  insert into callback_attempts (merchant_id, callback_id, attempt_no, started_at, duration_ms, http_status)
  values ('${merchantId}', ${CALLBACK_ID}, 1, ${NOW}, 1, 200) on conflict do nothing)
update callbacks set attempt_count = 1, status = 'DELIVERED'
  where merchant_id = '${merchantId}' and callback_id = ${CALLBACK_ID} and status = 'PENDING';
`;
}

/** A payments table without references: one row of it is the minimum of an intake. */
export const LONE_PAYMENTS = 'create table lone_payments (like payments including all)';

export function insertScript({ merchantId }: BareMerchant): string {
  return `${DRAW}${insertPayment('lone_payments', `'${merchantId}', 'DEPOSIT', ${ID}`)}\n`;
}

/** The same row by a statement that takes the identifier as a parameter. */
export function loneInsert({ merchantId }: BareMerchant): string {
  return insertPayment('lone_payments', `'${merchantId}', 'DEPOSIT', $1`);
}

export const READ_COUNT = 10_000;

/** What status checks of a bare engine read. */
export function readablePayments({ merchantId }: BareMerchant): string {
  return insertPayment('lone_payments', `'${merchantId}', 'DEPOSIT', md5(number::text)::uuid`, {
    from: `generate_series(1, ${READ_COUNT}) as number`,
  });
}

export function selectScript({ merchantId }: BareMerchant): string {
  return `\\set number random(1, ${READ_COUNT})
select * from lone_payments where merchant_id = '${merchantId}' and kind = 'DEPOSIT' and payment_id = ${ID};
`;
}

function insertPayment(table: string, key: string, { from }: { readonly from?: string } = {}): string {
  const columns = `merchant_id, kind, payment_id, api_version, state, amount, amount_text, fee, currency, country,
  provider, connector, encrypted_details, created_at, next_action, next_action_at, event_count`;
  const values = `${key}, 'v2', 'ACCEPTED', 100, '100', 0, '${PLACE.currency}', '${PLACE.country}',
  '${PLACE.provider}', 'simulator', ${DETAILS}, ${NOW}, 'SUBMIT', ${NOW}, 1`;
  const source = from === undefined ? `values (${values})` : `select ${values} from ${from}`;
  return `insert into ${table} (${columns}) ${source};`;
}

function insertEvent(key: string, values: string): string {
  return `insert into payment_events (merchant_id, kind, payment_id, event_no, occurred_at, event, from_state,
  to_state, detail, encrypted_evidence) values (${key}, ${values});`;
}
