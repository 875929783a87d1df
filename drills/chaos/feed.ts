// Readers of the merchants' event feeds in a run: killed again and again, and what they saw compared with the database
// at the end.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { parseSigned } from '../../server/src/domain/money.ts';
import type { Database } from '../../server/src/store/database.ts';
import { Child, readLines } from '../kit/child.ts';
import type { Random } from '../kit/random.ts';
import { readStatusChanges } from '../kit/verdict/status-changes.ts';
import type { Finding } from '../kit/verdict/verdict.ts';
import type { FeedReaderOptions } from './feed-reader-process.ts';
import type { Setup } from './setup.ts';

const PROCESS = fileURLToPath(new URL('feed-reader-process.ts', import.meta.url));
const KILL_AFTER_MS = { least: 1_000, most: 5_000 };
/** Readers wait five seconds for an event. */
const CAUGHT_UP_WITHIN_MS = 60_000;

export type FeedCounts = { readonly events: number; readonly repeated: number; readonly readerKills: number };

type Read = {
  readonly eventId: string;
  readonly number: number;
  readonly kind?: string;
  readonly id?: string;
  readonly status?: string;
  readonly movement?: { readonly amount: string; readonly currency: string; readonly country: string };
};

type Reader = { readonly merchantId: string; readonly options: FeedReaderOptions; child: Child };

export class FeedReaders {
  readonly #setup: Setup;
  readonly #random: Random;
  readonly #readers: readonly Reader[];
  #kills = 0;
  #isOver = false;
  #killing: Promise<void> | undefined;

  constructor(hooks: ShutdownHooks, setup: Setup, random: Random) {
    this.#setup = setup;
    this.#random = random;
    const folder = setup.scratch.folder('feeds');
    this.#readers = setup.merchants.map(({ merchantId, apiToken }) => {
      const [logPath, cursorPath] = [join(folder, `${merchantId}.log`), join(folder, `${merchantId}.cursor`)];
      const options = { url: setup.apiUrl, apiToken, logPath, cursorPath };
      return { merchantId, options, child: this.#start(options) };
    });
    hooks.add(async () => this.#stop());
  }

  /** Kills one after the other until `end`. */
  begin(): void {
    this.#killing = this.#kill();
  }

  /** Once all is calm: waits until the readers have everything, and answers what is wrong with it. */
  async end(): Promise<{ readonly findings: readonly Finding[]; readonly counts: FeedCounts }> {
    this.#isOver = true;
    await this.#killing;
    const { database } = this.#setup.admin.engine.store;
    const until = Date.now() + CAUGHT_UP_WITHIN_MS;
    while (!(await this.#areCaughtUp(database)) && Date.now() < until) await sleep(500);
    await this.#stop();
    const findings: Finding[] = [];
    let [events, repeated] = [0, 0];
    for (const { merchantId, options } of this.#readers) {
      const read = readEvents(options.logPath);
      const distinct = new Map(read.map((event) => [event.number, event]));
      events += distinct.size;
      repeated += read.length - distinct.size;
      findings.push(
        ...(await check(database, merchantId, read)),
        ...findExpired(merchantId, options.logPath),
      );
    }
    return { findings, counts: { events, repeated, readerKills: this.#kills } };
  }

  #start(options: FeedReaderOptions): Child {
    const { scratch } = this.#setup;
    const logPath = join(scratch.folder('logs'), 'feed-readers.log');
    return new Child({ args: [PROCESS, scratch.path, JSON.stringify(options)], logPath });
  }

  async #kill(): Promise<void> {
    const { least, most } = KILL_AFTER_MS;
    while (!this.#isOver) {
      await sleep(this.#random.between(least, most));
      const reader = this.#random.pick(this.#readers);
      await reader.child.end('SIGKILL');
      this.#kills += 1;
      reader.child = this.#start(reader.options);
    }
  }

  async #areCaughtUp(database: Database): Promise<boolean> {
    const { rows } = await database.query<{ merchant_id: string; last_no: string }>(
      'select merchant_id, last_no from event_heads where not exists (select 1 from event_queue)',
    );
    const last = new Map(rows.map((row) => [row.merchant_id, Number(row.last_no)]));
    return this.#readers.every(
      ({ merchantId, options }) => readEvents(options.logPath).at(-1)?.number === last.get(merchantId),
    );
  }

  async #stop(): Promise<void> {
    await Promise.all(this.#readers.map(({ child }) => child.end('SIGKILL')));
  }
}

function readEvents(path: string): readonly Read[] {
  return readLog(path).flatMap((line) => ('number' in line ? line : []));
}

/** Nothing is restored in a run, and no event is old enough to be deleted: every cursor can be followed. */
function findExpired(merchantId: string, path: string): readonly Finding[] {
  const subject = `feed of ${merchantId}`;
  return readLog(path).flatMap((line) =>
    'expired' in line
      ? [{ type: 'LOST', subject, what: `the cursor ${line.expired} was said to have expired` }]
      : [],
  );
}

/** Lines that a kill cut off are left out. */
function readLog(path: string): readonly (Read | { readonly expired: string | null })[] {
  return readLines(path).flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

async function check(database: Database, merchantId: string, read: readonly Read[]): Promise<Finding[]> {
  const subject = `feed of ${merchantId}`;
  const byNumber = Map.groupBy(read, ({ number }) => number);
  const numbers = [...byNumber.keys()].toSorted((a, b) => a - b);
  const gaps = numbers.filter((number, index) => number !== index + 1).slice(0, 1);
  const changed = [...byNumber].filter(([, some]) => new Set(some.map(({ eventId }) => eventId)).size > 1);
  const events = [...byNumber.values()].flatMap(([event]) => event ?? []);
  const ids = new Set(events.map(({ eventId }) => eventId));
  const wrong = [
    ...gaps.map((number) => `a number before ${number} was never read`),
    ...changed.map(([number]) => `the number ${number} was another event when it was read again`),
    ...(ids.size === events.length ? [] : ['one event has two numbers']),
    ...(await compareStatuses(database, merchantId, events)),
  ];
  const unbalanced = await compareWallets(database, merchantId, events);
  return [
    ...wrong.map((what): Finding => ({ type: 'LOST', subject, what })),
    ...unbalanced.map((what): Finding => ({ type: 'UNBALANCED', subject, what })),
  ];
}

/** Every change of a status that the database has is one event, so is the end of a split, and there is no other. */
async function compareStatuses(
  database: Database,
  merchantId: string,
  events: readonly Read[],
): Promise<readonly string[]> {
  const stored = await readStatusChanges(database, merchantId);
  const payments = ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE', 'SPLIT_PAYMENT'];
  const read = events
    .filter(({ kind = '', status }) => status !== undefined && payments.includes(kind))
    .map(({ kind, id = '', status }) => `${kind} ${id.toLowerCase()} ${status}`)
    .toSorted();
  if (read.length === stored.length && read.every((change, index) => change === stored[index])) return [];
  const seen = new Set(read);
  const missing = stored.filter((change) => !seen.has(change)).slice(0, 3);
  return [`${read.length} statuses read, ${stored.length} stored; missing: ${missing.join(', ') || 'none'}`];
}

/** The movements of each currency and country come to what its wallets hold. */
async function compareWallets(
  database: Database,
  merchantId: string,
  events: readonly Read[],
): Promise<readonly string[]> {
  const { rows } = await database.query<{ wallet: string; posted: string }>(
    `select a.country || ' ' || a.currency as wallet, sum(w.posted)::text as posted
     from wallets w join accounts a using (account_id) where w.merchant_id = $1 group by 1`,
    [merchantId],
  );
  const sums = new Map<string, bigint>();
  for (const { movement } of events) {
    if (movement === undefined) continue;
    const wallet = `${movement.country} ${movement.currency}`;
    sums.set(wallet, (sums.get(wallet) ?? 0n) + parseSigned(movement.amount));
  }
  return rows
    .filter(({ wallet, posted }) => (sums.get(wallet) ?? 0n) !== parseSigned(posted))
    .map(({ wallet, posted }) => `${wallet}: the wallet holds ${posted}, its movements come to another sum`);
}
