// `npm run bench -- --growth`: is the gateway as fast with millions of past payments as with none. Both are measured on
// one cluster, alternately.
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import type { Database } from '../../server/src/store/database.ts';
import { withHooks } from '../../drills/kit/database.ts';
import type { Say } from '../../drills/kit/program.ts';
import { depositTemplates, expectFound } from './closed-loads.ts';
import { requestText } from './connection.ts';
import { randomReadable, GROWING_TABLES, loadedId } from './growth-load.ts';
import { judge } from './goals.ts';
import { load, readKept, startGrowth, type GrowthSetup, type Side } from './growth-setup.ts';
import { countRead, listMissed, measurePages, renderPages, type PageFigures } from './growth-pages.ts';
import { readSizes, renderSizes, totalOf, type Size } from './growth-sizes.ts';
import { runLives, type LoadResult } from './lives.ts';
import { spreadOf, type Spread } from './statistics.ts';
import { runWrk, type WrkResult } from './wrk.ts';

export type GrowthOptions = {
  readonly payments: number;
  readonly rounds: number;
  readonly isSmoke: boolean;
  /** Where the cluster is kept, to be measured again; null for a temporary folder. */
  readonly folder: string | null;
  /** Load the folder and end. */
  readonly isLoadOnly: boolean;
  readonly say: Say;
};

/** Measured: see docs/operating/scaling.md. */
const BYTES_PER_PAYMENT = 4_100;
/** Sorting for indexes, the write-ahead log, and the measurement itself. */
const HEADROOM_BYTES = 4_000_000_000;
const HEADROOM_SHARE = 0.15;

const FULL = { warmMs: 1_000, livesMs: 120_000, checksMs: 5_000, pagesMs: 20_000, lifeClients: 256 };
const SMOKE = { warmMs: 300, livesMs: 1_000, checksMs: 1_000, pagesMs: 2_000, lifeClients: 32 };
/** Behind each checkpoint the first change of a page writes all of it to the log. */
const CHECKPOINTS = 2;
/** Few, so that the answer is measured and not the queue before it. */
const STATUS_CLIENTS = 8;

export async function runGrowth(options: GrowthOptions): Promise<void> {
  const folder =
    options.folder === null ? mkdtempSync(join(tmpdir(), 'malipo-growth-')) : resolve(options.folder);
  mkdirSync(folder, { recursive: true });
  try {
    const order = { folder, say: options.say };
    if (readKept(folder) === null) {
      requireRoom(options, folder);
      await load({ ...order, payments: options.payments });
    }
    if (!options.isLoadOnly) await withHooks((hooks) => compareSides(hooks, order, options));
  } finally {
    if (options.folder === null) rmSync(folder, { recursive: true, force: true });
  }
}

async function compareSides(
  hooks: ShutdownHooks,
  order: { readonly folder: string; readonly say: Say },
  options: GrowthOptions,
): Promise<void> {
  order.say('API and worker, twice');
  const setup = await startGrowth(hooks, order);
  const sizes = await readSizes(setup.sides.loaded.database, setup.kept.payments);
  for (const { database } of Object.values(setup.sides)) await settle(database);
  const before = await countFullScans(setup.sides.loaded.database);
  const { pagesMs: ms } = options.isSmoke ? SMOKE : FULL;
  const pages = await measurePages(setup, { ms, say: order.say });
  const rounds = await measure(setup, options);
  const fullScans = (await countFullScans(setup.sides.loaded.database)) - before;
  process.stdout.write(`${renderSizes(sizes)}\n${renderRounds(rounds)}\n${renderPages(pages)}\n`);
  process.stdout.write(
    `${JSON.stringify({ ...summarise(rounds, sizes, setup.kept), ...summarisePages(pages), fullScans })}\n`,
  );
  const missed = listMissed(pages, !options.isSmoke);
  for (const goal of missed) order.say(`not as it must be: ${goal}`);
  if (missed.length > 0) process.exitCode = 1;
}

function requireRoom({ payments, say }: GrowthOptions, folder: string): void {
  const needed = Math.round(payments * BYTES_PER_PAYMENT * (1 + HEADROOM_SHARE)) + HEADROOM_BYTES;
  const { bavail, bsize } = statfsSync(folder, { bigint: false });
  const free = bavail * bsize;
  say(`${payments} payments need about ${gigabytes(needed)} of disk; ${gigabytes(free)} are free`);
  if (free < needed) throw new Error(`not enough disk for ${payments} payments: take fewer with --payments`);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

type Figures = {
  readonly lives: LoadResult;
  readonly status: WrkResult;
  /** For each payment: bytes of the log, and whole pages in it. */
  readonly walBytes: number;
  readonly walPages: number;
};
type Round = Readonly<Record<Side['name'], Figures>>;

async function measure(setup: GrowthSetup, options: GrowthOptions): Promise<readonly Round[]> {
  const checks = { empty: () => checksOfEmpty(setup), loaded: async () => checksOfLoaded(setup) };
  const tempo = options.isSmoke ? SMOKE : FULL;
  const play = async (name: Side['name'], pace: typeof FULL): Promise<Figures> => {
    const { port, database } = setup.sides[name];
    const { warmMs, livesMs: windowMs, lifeClients: inFlight } = pace;
    const log = watchLog(database, windowMs);
    const requests = depositTemplates(setup.kept.shops);
    const lives = await runLives(
      { ...setup, gatewayPorts: [port] },
      { requests, inFlight, warmMs, windowMs, onWindow: log.onWindow },
    );
    const { bytes, pages } = log.written();
    const [walBytes, walPages] = [bytes / lives.count, pages / lives.count];
    const status = await measureStatus(setup, port, await checks[name](), pace);
    const p99Ms = status.step.p99Ms.toFixed(2);
    options.say(
      `${name}: ${perSecond(lives)}/s, log ${walBytes.toFixed(0)} bytes each, status p99 ${p99Ms} ms`,
    );
    return { lives, status, walBytes, walPages };
  };
  for (const name of ['empty', 'loaded'] as const) await play(name, SMOKE);
  const rounds: Round[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    // Alternates between the two, so that a drift of the machine affects both.
    const names = round % 2 === 0 ? (['empty', 'loaded'] as const) : (['loaded', 'empty'] as const);
    const figures: Partial<Record<Side['name'], Figures>> = {};
    for (const name of names) figures[name] = await play(name, tempo);
    rounds.push(figures as Round);
  }
  return rounds;
}

/** Rows that are read between two looks by workers with nothing to do. */
const QUIET_ROWS = 20_000;

/** A new worker reads the whole books once and counts every hour; hourly work must not fall into one round. */
async function settle(database: Database): Promise<void> {
  let readBefore = 0;
  for (let isQuiet = false; !isQuiet;) {
    await sleep(2_000);
    const { rows } = await database.query<{ pending: number }>(
      `select (count(*) filter (where measured_at is null or measured_at < claimed_at)
         + case when count(*) = 0 then 1 else 0 end)::int as pending from monitor_readings`,
    );
    const read = await countRead(database);
    isQuiet = rows[0]?.pending === 0 && read - readBefore < QUIET_ROWS;
    readBefore = read;
  }
}

/** How often a whole growing table was read. No step of a payment may do that. */
async function countFullScans(database: Database): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'select sum(seq_scan)::int as count from pg_stat_user_tables where relname = any($1)',
    [GROWING_TABLES],
  );
  return rows[0]?.count ?? 0;
}

type Log = { readonly bytes: number; readonly pages: number };

/** The log of a window that begins behind a checkpoint and has the others at equal distances. */
function watchLog(database: Database, windowMs: number) {
  const readings: Log[] = [];
  const later: NodeJS.Timeout[] = [];
  const checkpoint = () => database.query('checkpoint');
  const onWindow = async (edge: 'BEGINS' | 'ENDS') => {
    if (edge === 'BEGINS') {
      await checkpoint();
      const distance = windowMs / CHECKPOINTS;
      for (let nth = 1; nth < CHECKPOINTS; nth += 1)
        later.push(setTimeout(() => void checkpoint(), nth * distance));
    }
    readings.push(await readLog(database));
  };
  const written = (): Log => {
    for (const timer of later) clearTimeout(timer);
    const [before, after] = [readings[0] ?? { bytes: 0, pages: 0 }, readings[1] ?? { bytes: 0, pages: 0 }];
    return { bytes: after.bytes - before.bytes, pages: after.pages - before.pages };
  };
  return { onWindow, written };
}

/** Bytes and whole pages that the write-ahead log has had. */
async function readLog(database: Database): Promise<Log> {
  const { rows } = await database.query<{ bytes: string; pages: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes, wal_fpi as pages from pg_stat_wal`,
  );
  return { bytes: Number(rows[0]?.bytes), pages: Number(rows[0]?.pages) };
}

async function measureStatus(
  { wrk: program, folder }: GrowthSetup,
  port: number,
  requests: readonly string[],
  { warmMs, checksMs }: typeof FULL,
): Promise<WrkResult> {
  await expectFound(port, requests[0] ?? '');
  const client = { program, script: 'status', ports: [port], connections: STATUS_CLIENTS } as const;
  const options = { ...client, requests, folder };
  await runWrk(options, warmMs);
  return runWrk(options, checksMs);
}

/** More than are asked for in a window. */
const LOADED_CHECKS = 100_000;

/** Random loaded payments: most have not been read since. */
function checksOfLoaded({ kept: { payments, shops } }: GrowthSetup): readonly string[] {
  return Array.from({ length: LOADED_CHECKS }, () => {
    const number = randomReadable(payments);
    return checkText(loadedId(number), shops[number % shops.length]?.apiToken);
  });
}

async function checksOfEmpty({ sides, kept: { shops } }: GrowthSetup): Promise<readonly string[]> {
  const { rows } = await sides.empty.database.query<{ payment_id: string; merchant_id: string }>(
    `select payment_id, merchant_id from payment_keys where kind = 'DEPOSIT' limit 1000`,
  );
  const tokens = new Map(shops.map(({ merchantId, apiToken }) => [merchantId, apiToken]));
  return rows.map((row) => checkText(row.payment_id, tokens.get(row.merchant_id)));
}

function checkText(paymentId: string, apiToken = ''): string {
  return requestText('GET', `/v2/deposits/${paymentId}`, apiToken);
}

const p99 = ({ status }: Figures) => status.step.p99Ms;
const rate = ({ lives }: Figures) => lives.count / lives.seconds;

function perSecond(result: LoadResult): string {
  return (result.count / result.seconds).toFixed(0);
}

function renderRounds(rounds: readonly Round[]): string {
  const row = (title: string, read: (figures: Figures) => number, digits: number) => {
    const [empty, loaded] = (['empty', 'loaded'] as const).map((name) =>
      spreadOf(rounds.map((round) => read(round[name]))),
    );
    const ratio = spreadOf(rounds.map((round) => read(round.loaded) / read(round.empty)));
    const cells = [empty, loaded].map((spread) => renderSpread(spread, digits)).join('');
    return `  ${title.padEnd(24)}${cells}${renderSpread(ratio, 3)}`;
  };
  const heads = ['empty', 'loaded', 'loaded / empty'].map((head) => head.padStart(26)).join('');
  return [
    `\nMedian of ${rounds.length} rounds (least to most)`,
    `${''.padEnd(26)}${heads}`,
    row('payments/s', rate, 0),
    row('log bytes for each', ({ walBytes }) => walBytes, 0),
    row('whole pages in it', ({ walPages }) => walPages, 2),
    row('status check p50, ms', ({ status }) => status.step.p50Ms, 2),
    row('status check p99, ms', p99, 2),
    row('status checks/s', ({ status }) => status.count / status.seconds, 0),
  ].join('\n');
}

function renderSpread(spread: Spread | undefined, digits: number): string {
  const { median, min, max } = spread ?? { median: 0, min: 0, max: 0 };
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`.padStart(26);
}

function summarise(
  rounds: readonly Round[],
  sizes: readonly Size[],
  { payments, loadSeconds }: GrowthSetup['kept'],
) {
  const ratio = (read: (figures: Figures) => number) =>
    Number(spreadOf(rounds.map((round) => read(round.loaded) / read(round.empty))).median.toFixed(3));
  const values = {
    throughput_vs_empty: ratio(rate),
    status_p99_vs_empty: ratio(p99),
    log_vs_empty: ratio(({ walBytes }) => walBytes),
    bytes_per_payment: Math.round(totalOf(sizes)),
  };
  return { payments, rounds: rounds.length, ...values, goals: judge(GOALS, values), loadSeconds };
}

const GOALS = {
  throughput_vs_empty: { min: 0.95 },
  status_p99_vs_empty: { max: 1.3 },
  log_vs_empty: { max: 2 },
  bytes_per_payment: { max: 3_960 },
} as const;

function summarisePages(pages: readonly PageFigures[]) {
  return {
    page_p99_ms: Math.max(...pages.map(({ p99Ms }) => p99Ms)),
    page_rows_read: Number(Math.max(...pages.map(({ rowsRead }) => rowsRead)).toFixed(1)),
  };
}
