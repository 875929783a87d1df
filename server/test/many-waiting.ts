// A database on a bad day: many payments wait for one provider, another provider is saturated, an endpoint answers
// nothing, and a transaction that stays open keeps the index entries of steps that were taken long ago.
import type { PoolClient } from 'pg';
import type { Database } from '../src/store/database.ts';

export type ManyWaiting = {
  readonly now: Date;
  /** Whose transfers they are. */
  readonly merchantId: string;
  /** Payments that wait for one provider, of 50 merchants. */
  readonly enqueued: number;
  /** Callbacks of one endpoint. */
  readonly callbacks: number;
  /** Payments that people look at before they are sent, and as many that the screening service is asked about. */
  readonly reviews: number;
  readonly transfers: number;
  /** Steps of each action that were taken while a transaction was open, and as many due at a saturated provider. */
  readonly steps: number;
  /** Payments with unknown outcome, and as many open cases. */
  readonly unresolved: number;
};

/** A share of what a bad day at ten million payments leaves. */
export function sizesOf(share: number) {
  const part = (count: number) => Math.round(count * share);
  return {
    enqueued: part(4_000_000),
    callbacks: part(1_000_000),
    reviews: part(100_000),
    transfers: part(20_000_000),
    steps: part(100_000),
    unresolved: part(100_000),
  };
}

export const SATURATED = { provider: 'AIRTEL_RWA', operation: 'DEPOSIT' } as const;

/** Steps that are due for work at a provider that has nothing against it, of each action. */
export const STEPS_DUE = 50;

const COLUMNS = `payment_no, merchant_id, kind, payment_id, api_version, state, amount, amount_text, fee, currency,
  country, provider, connector, encrypted_details, created_at, next_action, next_action_at, event_count, held, held_by,
  wallet_id`;

/** In the order of time, as ours are: loading millions of random ones takes hours. */
function timed(name: string): string {
  const random = `md5('${name}' || n)`;
  return `(lpad(to_hex(n), 12, '0') || '7' || substr(${random}, 1, 3) || '8' || substr(${random}, 4, 15))::uuid`;
}

type Rows = {
  readonly name: string;
  readonly state: string;
  readonly provider: string;
  /** What holds them, and by whom: expressions. From the beginning, because a change leaves entries in the indexes. */
  readonly held?: string;
  readonly heldBy?: string;
};

/** $1 is the time now, $2 how many. One a second, the newest just before. */
function payments(rows: Rows, action: string, dueAt: string): string {
  const { name, state, provider, held = 'null', heldBy = 'null::uuid' } = rows;
  return `insert into payments (${COLUMNS})
    select ${timed(name)}, md5('merchant' || n % 50)::uuid, 'DEPOSIT', md5('${name}' || n)::uuid, 'v2',
      '${state}', 100, '100', 0, 'RWF', 'RWA', '${provider}', 'simulator', decode(repeat('5a', 190), 'hex'),
      $1::timestamptz - n * interval '1 second', ${action}, ${dueAt}, 3, ${held}, ${heldBy},
      md5('merchant' || n % 50)::uuid
    from generate_series(1, $2::int) as n`;
}

/** Due a day and more ago, or within the last five seconds. */
const LONG_DUE = `$1::timestamptz - interval '1 day' - n * interval '1 millisecond'`;
const JUST_DUE = `$1::timestamptz - n * interval '100 milliseconds'`;

const ACTIONS = [
  ['SUBMIT', 'ACCEPTED'],
  ['ENQUIRE', 'PROCESSING'],
] as const;

const ENDPOINT = `md5('endpoint')::uuid`;

export async function insertManyWaiting(database: Database, many: ManyWaiting): Promise<void> {
  const client = await database.connect();
  try {
    // Merchants, keys and accounts that are not there would be refused.
    await client.query('set session_replication_role = replica');
    await insertPayments(client, many);
    await insertHeld(client, many);
    await insertReviews(client, many);
    await insertTransfers(client, many);
    await insertCallbacks(client, many);
    await insertUnresolved(client, many);
  } finally {
    // Not to be used by anybody else.
    client.release(true);
  }
}

/** Of three months, the newest now: from a float into a wallet. */
async function insertTransfers(
  client: PoolClient,
  { merchantId, now, transfers }: ManyWaiting,
): Promise<void> {
  await client.query(
    `insert into accounts (account_id, type, merchant_id, country, currency, provider) values
       (md5('float')::uuid, 'FLOAT', null, 'RWA', 'RWF', 'AIRTEL_RWA'), ($1, 'WALLET', $1, 'RWA', 'RWF', '')`,
    [merchantId],
  );
  // Not the sum of its transfers: a look finds it.
  await client.query('insert into wallets (account_id, merchant_id) values ($1, $1)', [merchantId]);
  await client.query(
    `insert into transfers (merchant_id, subject_kind, subject_id, leg_no, template, debit_account_id,
       credit_account_id, amount, state, created_at)
     select $1::uuid, 'DEPOSIT', ${timed('transfer')}, 0, 'SETTLE_DEPOSIT', md5('float')::uuid, $1::uuid, 100,
       'POSTED', $2::timestamptz - n * interval '90 days' / $3::int from generate_series(1, $3::int) as n`,
    [merchantId, now, transfers],
  );
}

async function insertPayments(client: PoolClient, { now, enqueued, steps }: ManyWaiting): Promise<void> {
  const waiting = { name: 'enqueued', state: 'ENQUEUED', provider: 'MTN_MOMO_RWA' };
  await client.query(payments(waiting, 'null', 'null'), [now, enqueued]);
  for (const [action, state] of ACTIONS) {
    const insert = (provider: string, dueAt: string, count: number) => {
      const rows = { name: `${provider} ${action} ${count}`, state, provider };
      return client.query(payments(rows, `'${action}'::next_action`, dueAt), [now, count]);
    };
    await insert(SATURATED.provider, LONG_DUE, steps);
    await insert('MTN_MOMO_RWA', JUST_DUE, STEPS_DUE);
    await insert('MTN_MOMO_RWA', LONG_DUE, steps + 1);
  }
}

/** Half of them by a freeze that is in force, the others by one that has ended. */
async function insertHeld(client: PoolClient, { now, steps }: ManyWaiting): Promise<void> {
  const held = { name: 'held', state: 'ENQUEUED', provider: 'MTN_MOMO_UGA', held: `'FREEZE'` };
  const heldBy = `md5('freeze' || n / 50 % 2)::uuid`;
  await client.query(payments({ ...held, heldBy }, 'null', 'null'), [now, 2 * steps]);
  await client.query(
    `insert into freezes (freeze_id, scope, subject, encrypted_reason, frozen_by, frozen_at)
     values (md5('freeze0')::uuid, 'TOKEN', 'frozen', '', 'test', $1)`,
    [now],
  );
}

/** Half of them for people, the others for the screening service. */
async function insertReviews(client: PoolClient, { now, reviews }: ManyWaiting): Promise<void> {
  const waiting = { name: 'review', state: 'ENQUEUED', provider: 'TNM_MWI' };
  const held = `case n / 50 % 2 when 0 then 'REVIEW' else 'SCREENING' end`;
  await client.query(payments({ ...waiting, held }, 'null', 'null'), [now, 2 * reviews]);
  await client.query(
    `insert into payment_reviews (payment_no, merchant_id, kind, payment_id, status, reasons, begun_at)
     select payment_no, merchant_id, kind, payment_id, case held when 'REVIEW' then 'HELD' else 'ASKING' end,
       '{FIRST_RECIPIENT}', created_at from payments where provider = $1`,
    [waiting.provider],
  );
}

async function insertCallbacks(
  client: PoolClient,
  { now, merchantId, callbacks }: ManyWaiting,
): Promise<void> {
  await client.query(
    `insert into callback_endpoints (endpoint_id, merchant_id, kind, url, created_at)
     values (${ENDPOINT}, $1, 'REMITTANCE', 'https://dead.example', $2)`,
    [merchantId, now],
  );
  await client.query(
    `insert into endpoint_queues (endpoint_id, leased_until, paused_until, failure_count, failing_since)
     values (${ENDPOINT}, $1, $1, 9, $1)`,
    [now],
  );
  await client.query(
    `insert into callbacks (callback_id, merchant_id, endpoint_id, kind, payment_id, subject_id, announced_state,
       status, attempt_count, due_at, created_at)
     select ${timed('callback')}, $1::uuid, ${ENDPOINT}, 'REMITTANCE', ${timed('callback')},
       ${timed('callback')}, 'COMPLETED', 'PENDING', 9, $2::timestamptz - n * interval '1 second', $2
     from generate_series(1, $3::int) as n`,
    [merchantId, now, callbacks],
  );
}

async function insertUnresolved(client: PoolClient, { now, unresolved }: ManyWaiting): Promise<void> {
  const rows = { name: 'unresolved', state: 'IN_RECONCILIATION', provider: 'MTN_MOMO_RWA' };
  const tomorrow = `$1::timestamptz + interval '1 day'`;
  await client.query(payments(rows, `'ENQUIRE'::next_action`, tomorrow), [now, unresolved]);
  await client.query(
    `insert into cases (case_id, merchant_id, kind, payment_id, evidence, opened_at)
     select ${timed('case')}, md5('merchant' || n % 50)::uuid, 'DEPOSIT', md5('unresolved' || n)::uuid,
       'LATE_SUCCESS', $1::timestamptz - n * interval '1 second' from generate_series(1, $2::int) as n`,
    [now, unresolved],
  );
}

/** Ends the steps that are long due at the provider that is not saturated, behind a snapshot that stays open. */
export async function leaveDeadSteps(database: Database, now: Date): Promise<{ readonly end: () => void }> {
  const holder = await database.connect();
  await holder.query('begin isolation level repeatable read');
  await holder.query('select count(*) from merchants');
  await database.query(
    `update payments set state = 'COMPLETED', next_action = null, next_action_at = null
     where provider = 'MTN_MOMO_RWA' and next_action is not null
       and next_action_at <= $1::timestamptz - interval '1 day'`,
    [now],
  );
  return { end: () => holder.release(true) };
}
