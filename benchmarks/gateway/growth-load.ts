// Fills a database with past payments: copies of a few that the gateway itself processed, so that every row is as long
// as a real one and new columns need no change here. Indexes are built afterwards.
import { createHash } from 'node:crypto';
import { inTransaction, type Database } from '../../server/src/store/database.ts';
import { insertPaymentKeys } from '../../server/src/store/payments/payment-keys.ts';
import { insertPayments, listPayments } from '../../server/src/store/payments/payments.ts';
import type { Keyring } from '../../server/src/store/encryption/encryption.ts';
import { feedStatement, setFeedHeads, takeFeedTemplates } from './growth-events.ts';

/** Tables that grow with every payment, and how a row of each is found from its payment `p`. */
const OWN = 'x.merchant_id = p.merchant_id and x.kind = p.kind and x.payment_id = p.payment_id';
const NUMBERED = 'x.payment_no = p.payment_no';
const GROWING = {
  payment_keys: OWN,
  payments: OWN,
  payment_events: NUMBERED,
  payment_attempts: OWN,
  provider_transactions: OWN,
  payment_search: NUMBERED,
  transfers: 'x.subject_id = p.payment_no',
  callbacks: OWN,
  callback_attempts: 'x.callback_id in (select callback_id from callbacks where subject_id = p.payment_no)',
  operator_notifications:
    'x.reference in (select reference from payment_attempts where payment_id = p.payment_id)',
} as const;
export const GROWING_TABLES = Object.keys(GROWING) as (keyof typeof GROWING)[];

/**
 * One payment in this many has details that can be decrypted; status checks read those. Pages of lists and of the feed
 * read neighbours: the first so many of each block, which can be found by the phone number of their template.
 * Encrypting takes most of a load.
 */
const readableEvery = (count: number) => Math.max(10, Math.floor(count / READABLE_COUNT_MAX));
const READABLE_COUNT_MAX = 200_000;
const blockOf = (count: number) => Math.max(NEIGHBOURS, Math.min(100_000, Math.floor(count / 10)));
export const NEIGHBOURS = 3_200;
const CHUNK = 50_000;
/** The parallelism for a small machine. */
const WRITERS = 2;
const SPAN_DAYS = 365;

/** The identifier of the loaded payment with this number; the SQL below computes the same. */
export function loadedId(number: number): string {
  const hex = createHash('md5').update(`payment ${number}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

const uuid = (name: string) =>
  `overlay(overlay(md5('${name} ' || n) placing '4' from 13) placing '8' from 17)::uuid`;
/** In time order, as the gateway creates them. */
const uuidInTime = (name: string) =>
  `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5('${name} ' || n), 1, 3)
    || '8' || substr(md5('${name} ' || n), 4, 15))::uuid`;

/** Numbers of loaded payments that status checks can read. */
export function randomReadable(count: number): number {
  return (1 + Math.floor(Math.random() * Math.floor(count / readableEvery(count)))) * readableEvery(count);
}

/** The first numbers of blocks whose payments can all be read, of the last so many days. */
export function listReadableBlocks(count: number, days: number): readonly number[] {
  const block = blockOf(count);
  const first = Math.ceil((count * (1 - Math.min(days / SPAN_DAYS, 1))) / block);
  const last = Math.ceil((count - NEIGHBOURS) / block);
  return Array.from({ length: Math.max(0, last - first) }, (_, index) => (first + index) * block + 1);
}

export type LoadOptions = {
  readonly database: Database;
  /** A database of the same schema and merchants, where rows may be made to be copied. */
  readonly workshop: Database;
  readonly keyring: Keyring;
  readonly merchantIds: readonly string[];
  readonly count: number;
  readonly until: Date;
  readonly say: (text: string) => void;
};

export async function loadPayments(options: LoadOptions): Promise<void> {
  const { database, count, say } = options;
  await takeTemplates(options);
  await takeFeedTemplates(database, options.merchantIds.length);
  await encryptReadable(options);
  const rebuild = await dropIndexes(database);
  const chunks = Array.from({ length: Math.ceil(count / CHUNK) }, (_, index) => index * CHUNK);
  let done = 0;
  await inParallel(chunks, async (from) => {
    await insertChunk(options, from + 1, Math.min(from + CHUNK, count));
    done += 1;
    if (done % Math.ceil(chunks.length / 10) === 0) say(`${done * CHUNK} payments`);
  });
  say('indexes');
  for (const step of rebuild) await inParallel(step, (statement) => runPatiently(database, statement));
  await setFeedHeads(database);
  await database.query('drop schema growth cascade');
  await balanceWallets(database);
  say('vacuum');
  await inParallel([...GROWING_TABLES, 'merchant_events'], (table) =>
    runPatiently(database, `vacuum (freeze, analyze) ${table}`),
  );
}

/** For each merchant a deposit that the gateway completed and announced, with a notification of the operator. */
async function takeTemplates({ database, merchantIds }: LoadOptions): Promise<void> {
  await database.query('create schema growth');
  await database.query(
    `create table growth.chosen as
     select distinct on (p.merchant_id) p.merchant_id, p.kind, p.payment_id, p.payment_no, p.created_at from payments p
     join callbacks c on c.subject_id = p.payment_no
     join payment_attempts a using (payment_no)
     join operator_notifications n on n.reference = a.reference
     where p.kind = 'DEPOSIT' and p.state = 'COMPLETED' and c.status = 'DELIVERED' and n.applied_at is not null`,
  );
  const { rowCount } = await database.query('select 1 from growth.chosen where merchant_id = any($1)', [
    merchantIds,
  ]);
  if (rowCount !== merchantIds.length)
    throw new Error(`${rowCount} of ${merchantIds.length} merchants have a template`);
  for (const table of GROWING_TABLES) {
    await database.query(
      `create table growth.${table} as select x.*, p.merchant_id as shop, p.created_at as born
       from ${table} x join growth.chosen p on ${GROWING[table]}`,
    );
  }
}

/** Details are bound to their payment, so the readable ones are encrypted by the product itself. */
async function encryptReadable(options: LoadOptions): Promise<void> {
  const { database, workshop, keyring, merchantIds, count } = options;
  await database.query('create table growth.readable (n bigint primary key, encrypted bytea not null)');
  const { rows } = await database.query(
    'select merchant_id as "merchantId", kind, payment_id as "paymentId" from growth.chosen',
  );
  const templates = new Map(
    (await listPayments(database, keyring, rows)).map((one) => [one.merchantId, one]),
  );
  const every = readableEvery(count);
  const numbers = Array.from({ length: count }, (_, index) => index + 1).filter(
    (n) => n % every === 0 || (n - 1) % blockOf(count) < NEIGHBOURS,
  );
  for (let from = 0; from < numbers.length; from += 1_000) {
    const batch = numbers.slice(from, from + 1_000).flatMap((number) => {
      const template = templates.get(merchantIds[number % merchantIds.length] ?? '');
      if (template === undefined) return [];
      const paymentId = loadedId(number);
      const open = {
        state: 'ACCEPTED',
        nextAction: 'SUBMIT',
        nextActionAt: options.until,
        eventCount: 1,
      } as const;
      return [{ ...template, ...open, number, paymentId, paymentNo: paymentId, writtenId: paymentId }];
    });
    await inTransaction(workshop, async (tx) => {
      await insertPaymentKeys(
        tx,
        batch.map((one) => ({ ...one, fingerprint: Buffer.alloc(32) })),
      );
      await insertPayments(tx, keyring, batch);
    });
  }
  const { rows: encrypted } = await workshop.query<{ payment_id: string; encrypted_details: Buffer }>(
    `select payment_id, encrypted_details from payments where state = 'ACCEPTED'`,
  );
  const byId = new Map(encrypted.map((row) => [row.payment_id, row.encrypted_details]));
  await database.query('insert into growth.readable select * from unnest($1::bigint[], $2::bytea[])', [
    numbers,
    numbers.map((number) => byId.get(loadedId(number))),
  ]);
}

async function insertChunk(options: LoadOptions, from: number, to: number): Promise<void> {
  const { database, merchantIds, count, until } = options;
  const shops = merchantIds.map((id) => `'${id}'`).join(', ');
  const client = await database.connect();
  try {
    await client.query('set statement_timeout = 0; set synchronous_commit = off');
    await client.query(
      `create temporary table chunk on commit preserve rows as
       select n, at, (n - 1) % ${blockOf(count)} < ${NEIGHBOURS} as is_neighbour,
         (array[${shops}]::uuid[])[1 + n % ${merchantIds.length}] as shop, ${uuid('payment')} as payment_id,
         ${uuidInTime('number')} as payment_no, ${uuidInTime('callback')} as callback_id,
         ${uuidInTime('notification')} as notification_id
       from (select n, '${until.toISOString()}'::timestamptz - (${count} - n) * interval '1 second' *
         ${(SPAN_DAYS * 86_400) / count} as at from generate_series(${from}::bigint, ${to}) as n) numbered`,
    );
    for (const table of GROWING_TABLES) await client.query(await copyStatement(database, table));
    await client.query(feedStatement({ count, shops: merchantIds.length, spanDays: SPAN_DAYS }));
    await client.query('drop table chunk');
  } finally {
    client.release();
  }
}

async function copyStatement(database: Database, table: string): Promise<string> {
  const { rows: columns } = await database.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 order by ordinal_position`,
    [table],
  );
  const names = columns.map(({ name }) => name).join(', ');
  const values = columns.map(({ name, type }) => valueOf(name, type)).join(', ');
  const readable = table === 'payments' ? 'left join growth.readable r using (n)' : '';
  return `insert into ${table} (${names}) select ${values}
    from chunk c ${readable} join growth.${table} t using (shop)`;
}

/** What differs from the template, with the same length, so that a row takes the same space. */
function valueOf(column: string, type: string): string {
  const random = `substr(md5('${column} a ' || n) || md5('${column} b ' || n), 1, length(t.${column}))`;
  switch (column) {
    case 'payment_id':
      return 'c.payment_id';
    case 'payment_no':
    case 'subject_id':
      return 'c.payment_no';
    case 'callback_id':
    case 'notification_id':
      return `c.${column}`;
    case 'reference':
    case 'provider_transaction_id':
      return random;
    case 'value_hash':
      return `case when c.is_neighbour then t.value_hash
        else decode(md5(encode(t.value_hash, 'hex') || n), 'hex') end`;
    case 'encrypted_details':
      return 'coalesce(r.encrypted, t.encrypted_details)';
    default:
      return type === 'timestamp with time zone' ? `t.${column} + (c.at - t.born)` : `t.${column}`;
  }
}

type Rebuild = readonly (readonly string[])[];

/** Returns the statements that create them again: keys, then other indexes, then foreign keys. */
async function dropIndexes(database: Database): Promise<Rebuild> {
  const named = '(array(select to_regclass(name) from unnest($1::text[]) as name))';
  const tables = `(conrelid = any ${named} or confrelid = any ${named})`;
  const { rows: constraints } = await database.query<{
    table: string;
    name: string;
    type: string;
    definition: string;
  }>(
    `select conrelid::regclass::text as table, conname as name, contype as type, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype in ('p', 'u', 'f') and ${tables} order by contype`,
    [GROWING_TABLES],
  );
  for (const { table, name } of constraints)
    await database.query(`alter table ${table} drop constraint ${name}`);
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any (array(select to_regclass(name) from unnest($1::text[]) as name))`,
    [GROWING_TABLES],
  );
  for (const { name } of indexes) await database.query(`drop index ${name}`);
  const added = (isReference: boolean) =>
    constraints
      .filter(({ type }) => (type === 'f') === isReference)
      .map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`)
      // Copies of consistent rows are consistent; checking ten million of them takes minutes.
      .map((statement) => (isReference ? `${statement} not valid` : statement));
  return [added(false), indexes.map(({ definition }) => definition), added(true)];
}

/** The books stay correct: wallets get what the loaded transfers brought. */
async function balanceWallets(database: Database): Promise<void> {
  await runPatiently(
    database,
    `update wallets w set posted = t.posted from (
       select account_id, sum(change) as posted from (
         select credit_account_id as account_id, amount as change from transfers where state = 'POSTED'
         union all select debit_account_id, -amount from transfers where state = 'POSTED') changes
       group by 1) t where w.account_id = t.account_id`,
  );
}

async function runPatiently(database: Database, statement: string): Promise<void> {
  const client = await database.connect();
  try {
    await client.query(
      `set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 1; set enable_seqscan = on`,
    );
    await client.query(statement);
  } finally {
    client.release();
  }
}

async function inParallel<One>(all: readonly One[], work: (one: One) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const write = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}
