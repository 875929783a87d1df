// The one way to PostgreSQL: a pool, transactions, and what a lost COMMIT means. `pg` is used only in this layer.
import { Client, DatabaseError, Pool, type PoolClient, type QueryResult, type QueryResultRow } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { PreparingClient } from './preparing-client.ts';

export type Database = Pool;

/** Something statements run on: the pool itself or the connection of one transaction. */
export type Tx = {
  readonly query: <Row extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ) => Promise<QueryResult<Row>>;
};

export type DatabaseOptions = {
  readonly url: string;
  readonly connectionsMax: number;
  readonly applicationName: string;
  /** For migrations: they wait for each other, and one statement may rewrite a table. */
  readonly isPatient?: boolean;
  readonly connections?: ConnectionSettings;
};

/** How connections are made: the same for every pool of a process. */
export type ConnectionSettings = {
  /** A connection is replaced after this time: proxies and names lead to another server than they did. */
  readonly lifetimeMs: number;
  /** Of prepared statements. `hash`: from the text. `none`: for poolers that know none; each is planned every time. */
  readonly statementNames: 'hash' | 'none';
  /** Whether connections are shared between transactions: then a session's settings are those of the role. */
  readonly isPooled: boolean;
};

export const DEFAULT_CONNECTIONS: ConnectionSettings = {
  lifetimeMs: 1_800_000,
  statementNames: 'hash',
  isPooled: false,
};

/** A server that is gone without a word: a little longer than it may take by its own rules. */
const SILENCE_TIMEOUT_MS = 35_000;
export const CONNECT_TIMEOUT_MS = 5_000;

/** What every session is set to, by PostgreSQL's names, as PostgreSQL shows it. */
export const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  // Statements are planned once for each connection, and that may be while tables are still small: a plan that reads a
  // whole table would be kept while the table grows. The price set on reading one must not have anything compiled.
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
  idle_in_transaction_session_timeout: '1min',
  // A statement of ours takes milliseconds. One that hangs must not hold a lock permanently.
  statement_timeout: '30s',
  // Anyone who waits for a lock keeps a whole batch waiting; a failed batch runs again row by row.
  lock_timeout: '3s',
};

/** A role may have other timeouts of its own, for poolers. */
const PATIENT_SETTINGS = { ...SESSION_SETTINGS, statement_timeout: '0', lock_timeout: '0' };

export function openDatabase(options: DatabaseOptions): Database {
  const { lifetimeMs, statementNames, isPooled } = options.connections ?? DEFAULT_CONNECTIONS;
  const { isPatient = false } = options;
  const database = new Pool({
    Client: statementNames === 'hash' ? PreparingClient : Client,
    connectionString: options.url,
    max: options.connectionsMax,
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    maxLifetimeSeconds: lifetimeMs / 1_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Statements that do not wait for each other's answers travel together.
    pipeline: true,
    // A pooler refuses them: its connections are not this session's.
    ...(!isPooled && { options: renderSettings(isPatient ? PATIENT_SETTINGS : SESSION_SETTINGS) }),
    ...(!isPatient && { query_timeout: SILENCE_TIMEOUT_MS }),
  });
  // A connection that dies is replaced by the pool, and the statement it was busy with fails. Without a listener the
  // process would end instead: on the pool for idle connections, on each connection while it is in a transaction.
  database.on('error', () => undefined);
  database.on('connect', (client) => client.on('error', () => undefined));
  return database;
}

function renderSettings(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** What a session of this role lacks where the role has to bring the settings, as statements that add it. */
export async function listMissingSettings(database: Database): Promise<readonly string[]> {
  const { rows } = await database.query<{ name: string; value: string; role: string }>(
    `select name, current_setting(name) as value, quote_ident(current_user) as role from unnest($1::text[]) as name`,
    [Object.keys(SESSION_SETTINGS)],
  );
  return rows
    .filter(({ name, value }) => SESSION_SETTINGS[name] !== value)
    .map(({ name, role }) => `alter role ${role} set ${name} = '${SESSION_SETTINGS[name]}';`);
}

/**
 * What a transaction writes is visible within this time of the time that it carries, or never: what is older can be
 * summed up, and nothing is committed behind it. Its statements may take half of that, which `inTransaction` measures.
 * The other half is more than the server lets a COMMIT take, or a process that stands still, by the time-outs above.
 */
export const COMMITS_WITHIN_MS = 10 * 60_000;

/**
 * The answer to COMMIT did not arrive, or came with a warning (a cancelled wait for the synchronous standby).
 * Whether the transaction happened is unknown: the caller reads its own rows back.
 */
export class CommitLost extends Error {
  constructor(cause: unknown) {
    super('the answer to COMMIT was lost', { cause });
    this.name = 'CommitLost';
  }
}

/** Without the first line, a server that is merely set to read only would write it. */
const MARK = `do $$ begin
  if current_setting('transaction_read_only')::boolean then raise read_only_sql_transaction; end if;
  perform pg_logical_emit_message(true, 'malipo', '');
end $$`;

/**
 * Writes a word to the log, so that the commit of a transaction that only reads waits for the standby as well. Fails
 * where a server takes no writes.
 */
export async function leaveMark(tx: Tx): Promise<void> {
  await tx.query(MARK);
}

/** About how many rows a query finds, as the planner expects: in the same short time for tables of any size. */
export async function estimateRows(tx: Tx, query: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await tx.query<{
    readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }];
  }>(`explain (format json) ${query}`, [...values]);
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}

/** Runs `work` in one transaction. Throws CommitLost when no one can say whether it was committed. */
export async function inTransaction<Result>(
  database: Database,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const client = await database.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin isolation level read committed');
    const transaction = new OpenTransaction(client);
    const result = await work(transaction);
    transaction.refuseLateCommit();
    await commit(client);
    return result;
  } catch (error) {
    broken = await rollBack(client, error);
    if (isReadOnlyServer(error)) closeIdle(database);
    throw error;
  } finally {
    client.release(broken);
  }
}

/** What statements of one transaction run on, and the time of everything that it writes. */
class OpenTransaction implements Tx {
  readonly #client: PoolClient;
  #time: Promise<Date> | null = null;
  #timedAtMs = Infinity;
  /** Null: as long as any statement is waited for. */
  #answersWithinMs: number | null = null;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>> {
    if (this.#answersWithinMs === null) return this.#client.query<Row>(text, values as unknown[] | undefined);
    const config = { text, values: [...(values ?? [])], query_timeout: this.#answersWithinMs };
    return this.#client.query<Row>(config);
  }

  waitForAnswers(withinMs: number): void {
    this.#answersWithinMs = withinMs;
  }

  time(): Promise<Date> {
    return this.#time ?? this.keepTime(this.#readTime());
  }

  /** What failed behind a savepoint is read again. */
  async #readTime(): Promise<Date> {
    try {
      return await readTimeOfWriting(this);
    } catch (error) {
      this.#time = null;
      throw error;
    }
  }

  keepTime(time: Promise<Date>): Promise<Date> {
    if (this.#time === null) this.#timedAtMs = performance.now();
    return (this.#time ??= time);
  }

  /** Throws where what was written would be committed long after its time. */
  refuseLateCommit(): void {
    if (performance.now() - this.#timedAtMs > COMMITS_WITHIN_MS / 2)
      throw new Error('the transaction took so long that it would be committed long after its time');
  }
}

/**
 * From here on the process waits this long for each answer in the transaction, before it gives the server up for gone.
 * The server's own time-outs must allow as much.
 */
export function waitForAnswers(tx: Tx, withinMs: number): void {
  if (tx instanceof OpenTransaction) tx.waitForAnswers(withinMs);
}

/**
 * The time of what is written, by the database's clock: whatever the clock of this process shows. It is read once in a
 * transaction, which answers the same to whoever asks again. On the pool it is read each time, for a statement that is
 * its own transaction.
 */
export function timeOfWriting(tx: Tx): Promise<Date> {
  return tx instanceof OpenTransaction ? tx.time() : readTimeOfWriting(tx);
}

/** For a statement that brings the time along. A time that was read before stays. */
export function keepTimeOfWriting(tx: Tx, time: Date): void {
  if (tx instanceof OpenTransaction) void tx.keepTime(Promise.resolve(time));
}

async function readTimeOfWriting(tx: Tx): Promise<Date> {
  const { rows } = await tx.query<{ time: Date }>('select time_of_writing() as time');
  const [row] = rows;
  if (row === undefined) throw new Error('the database did not say its time');
  return row.time;
}

async function commit(client: PoolClient): Promise<void> {
  const warnings: unknown[] = [];
  // Recognised by its code: the word WARNING is translated where the server's messages are. A mere notice has 00000.
  const onNotice = (notice: { code?: string | undefined }) => {
    if (notice.code !== '00000') warnings.push(notice);
  };
  client.on('notice', onNotice);
  try {
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error(`commit was answered ${command}`);
  } catch (error) {
    throw isRefusal(error) ? error : new CommitLost(error);
  } finally {
    client.off('notice', onNotice);
  }
  if (warnings.length > 0) throw new CommitLost(warnings[0]);
}

/** PostgreSQL itself said no (a deferred constraint, say): then nothing was committed, and that is certain. */
function isRefusal(error: unknown): boolean {
  // A pooler says by the first two digits that it lost its own connection, whatever it calls that.
  if (error instanceof DatabaseError)
    return error.severity === 'ERROR' && error.code?.startsWith('08') !== true;
  return error instanceof Error && error.message.startsWith('commit was answered');
}

/** The server takes no writes: it was demoted, or is a standby. Nothing was done, and here nothing will be. */
export function isReadOnlyServer(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '25006';
}

/** Somebody else kept a lock for longer than it was waited for. Nothing was done. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '55P03';
}

/**
 * Too many connections, no memory, a full disk, a lock or a statement that took too long, transactions in each other's
 * way, a server that is starting, stopping or read-only, a connection that broke: by the beginning of PostgreSQL's own
 * code.
 */
const OUT_OF_REACH_CODES = ['53', '57', '55P03', '40', '08', '58030', '25006'];
/** The operating system's words for the same. */
const OUT_OF_REACH_NETWORK = [
  'ECONN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
];
/** And the library's own, which has no codes for them. */
const OUT_OF_REACH_WORDS = /^(timeout e|Connection terminated|Query read timeout|Client (has|was) )/;

/**
 * The database is overloaded or cannot be reached. A statement that failed so did nothing, and neither did
 * its transaction. The outcome of a COMMIT is another question, and has its own error.
 */
export function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof CommitLost) return false;
  const { code = '' } = error as { readonly code?: string };
  const codes = error instanceof DatabaseError ? OUT_OF_REACH_CODES : OUT_OF_REACH_NETWORK;
  return codes.some((one) => code.startsWith(one)) || OUT_OF_REACH_WORDS.test(error.message);
}

/**
 * Runs a part of a transaction so that its failure takes back only what the part wrote. Throws the part's error, after
 * which the transaction can go on.
 */
export async function withSavepoint<Result>(tx: Tx, part: () => Promise<Result>): Promise<Result> {
  await tx.query('savepoint part');
  try {
    const result = await part();
    await tx.query('release savepoint part');
    return result;
  } catch (error) {
    await tx.query('rollback to savepoint part');
    throw error;
  }
}

/** What went wrong, without any value: PostgreSQL's code and the constraint, or the name of the error. */
export function errorName(error: unknown): string {
  if (error instanceof DatabaseError) return [error.code, error.constraint].filter(Boolean).join(' ');
  return error instanceof Error ? error.name : typeof error;
}

/** Answers the error that makes the connection unusable, if there is one. */
async function rollBack(client: PoolClient, error: unknown): Promise<Error | undefined> {
  if (error instanceof CommitLost) return error;
  if (error instanceof Error && isReadOnlyServer(error)) {
    await endReadOnlySession(client);
    return error;
  }
  try {
    await client.query('rollback');
    return undefined;
  } catch (failure) {
    return failure instanceof Error ? failure : new Error('rollback failed');
  }
}

const END_READ_ONLY = `select pg_terminate_backend(pg_backend_pid())
  where current_setting('transaction_read_only')::boolean`;

/**
 * The next connection may lead to another server. Behind a pooler the session is not this connection's: it would be
 * given to the next transaction, until the pooler is done with it.
 */
async function endReadOnlySession(client: PoolClient): Promise<void> {
  const ended = client
    .query('rollback')
    .then(() => client.query(END_READ_ONLY))
    .catch(() => undefined);
  // A server that has fallen silent must not keep the caller waiting: the connection is closed anyway.
  await Promise.race([ended, sleep(1_000, undefined, { ref: false })]);
}

/** They lead to the server that just took no write: each would cost one more request. */
function closeIdle(database: Database): void {
  for (let count = database.idleCount; count > 0; count -= 1) {
    database.connect().then(
      (client) => client.release(true),
      () => undefined,
    );
  }
}
