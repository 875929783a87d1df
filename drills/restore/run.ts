// One drill: load, a backup under load, the loss of everything since a point in time, the restore, and the recovery.
import { setTimeout as sleep } from 'node:timers/promises';
import { changeAvailability } from '../../server/src/core/merchants/administer-merchants.ts';
import { cancel } from '../../server/src/core/payments/act/cancel.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import { withHooks } from '../kit/database.ts';
import { MARKETS } from '../kit/load/markets.ts';
import type { Say } from '../kit/program.ts';
import { readOperatorBooks } from '../kit/verdict/operator-books.ts';
import { BY } from '../kit/settings.ts';
import { comeToRest } from '../kit/settle.ts';
import { streamOf } from '../kit/random.ts';
import { checkFeeds, readFeeds } from './feed.ts';
import { findAgain } from './find-again.ts';
import { importReports } from './operator-report.ts';
import { Setup } from './setup.ts';
import { Trade, type Order } from './trade.ts';
import { checkDrill, type DrillVerdict } from './verdict.ts';

export type DrillOptions = {
  readonly seed: number;
  /** How long load runs before the backup, and again between it and the restore point. */
  readonly historyMs: number;
  readonly lostMs: number;
  /** If it must be shorter than in the page. */
  readonly archiveTimeout: string | null;
  /** The recovery is not begun: the drill must find duplicate payments. */
  readonly isForgetful: boolean;
  /** Operator reports are not imported: the drill must find differing floats. */
  readonly isBlind: boolean;
  readonly keep: boolean;
  readonly say: Say;
};

export type DrillOutcome = DrillVerdict & {
  /** From the loss until the database accepts writes again. */
  readonly restoreMs: number;
  /** From the start of the processes until the first submit was sent. */
  readonly heldMs: number;
  /** Payments whose operator was asked before anything was sent. */
  readonly askedFirst: number;
  readonly scratchPath: string;
};

const PAYMENTS_PER_SECOND = 15;
/** Payouts to this provider wait at the restore point, and are paid or cancelled in the lost time. */
const DELAYED = { provider: 'AIRTEL_RWA', operation: 'PAYOUT', by: BY } as const;
/** Requests in flight at the restore point were sent before it. */
const SENT_EARLIER_MS = 5_000;
/** A stuck payment goes into reconciliation twelve seconds after it was sent. */
const PATIENCE_MS = 60_000;
/** Every half second. */
const ARCHIVE_TRIES = 240;

export function runDrill(options: DrillOptions): Promise<DrillOutcome> {
  return withHooks(async (hooks) => {
    const setup = await Setup.start(hooks, options);
    const trade = new Trade({
      apiUrl: setup.apiUrl,
      merchants: setup.merchants,
      markets: MARKETS,
      random: streamOf(options.seed, 'trade'),
    });
    hooks.add(() => trade.load.stop());
    return drill(setup, trade, options);
  });
}

async function drill(setup: Setup, trade: Trade, options: DrillOptions): Promise<DrillOutcome> {
  const { say } = options;
  const { lostFrom, readers } = await tradeAndLose(setup, trade, options);
  const lostUntil = new Date();
  const announced = rememberAnnounced(trade);
  say(`everything since ${lostFrom.toISOString()} is lost; ${trade.orders.length} orders so far`);
  await setup.cluster.restore(lostFrom);
  const restoreMs = Date.now() - lostUntil.getTime();
  say(`restored in ${restoreMs} ms`);
  if (!options.isForgetful) say(await setup.command(setup.cluster.runbook.command('begin', lostFrom)));
  const startedAt = Date.now();
  await setup.startGateway();
  // The database has those as unmatched as well.
  await changeAvailability(setup.admin.engine, { ...DELAYED, status: 'OPERATIONAL' });
  const since = lostFrom.getTime() - SENT_EARLIER_MS;
  const unmatched = await catchUp(setup, trade, { since, say });
  const { database } = setup.admin.engine.store;
  const heldMs = options.isForgetful ? 0 : (await readAskedAt(setup)) - startedAt;
  const charges = () => readOperatorBooks(setup.scratch);
  const unknown = options.isBlind ? new Set<string>() : await importReports(setup, charges());
  say(`reports imported: ${unknown.size} lines about payments that are not known`);
  if (!options.isForgetful) {
    await endRecovery(setup, trade, options);
    // Very late: operators are no longer asked first.
    const count = await findAgain(setup, trade, unmatched);
    say(`merchants found ${count} more in their records, and sent them again`);
  }
  await rest(setup, say);
  const ofFeeds = options.isForgetful ? [] : await checkFeeds(setup, readers);
  const verdict = await checkDrill({
    database,
    trade,
    charges: charges(),
    unknown,
    unmatched,
    announced,
    lostFrom,
    lostUntil,
  });
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int from payment_events where event = 'SUBMIT_HELD'`,
  );
  const findings = [...verdict.findings, ...ofFeeds];
  const askedFirst = rows[0]?.count ?? 0;
  return { ...verdict, findings, restoreMs, heldMs, askedFirst, scratchPath: setup.scratch.path };
}

/** Returns the restore point, and what was read of the feeds: more than will be restored. */
async function tradeAndLose(
  setup: Setup,
  trade: Trade,
  { historyMs, lostMs, say }: DrillOptions,
): Promise<{ readonly lostFrom: Date; readonly readers: Awaited<ReturnType<typeof readFeeds>> }> {
  const { engine } = setup.admin;
  const trading = trade.load.run(PAYMENTS_PER_SECOND);
  say('load');
  await sleep(historyMs);
  await setup.cluster.takeBaseBackup();
  if (!(await setup.cluster.isDamageNoticed())) throw new Error('a damaged backup was not noticed');
  say('base backup taken and verified, under load; a damaged one is noticed');
  await changeAvailability(engine, { ...DELAYED, status: 'DELAYED' });
  await sleep(historyMs);
  const lostFrom = new Date();
  await cancelSome(engine);
  await changeAvailability(engine, { ...DELAYED, status: 'OPERATIONAL' });
  const segment = await readSegment(engine);
  await sleep(lostMs);
  await untilArchived(engine, segment);
  const readers = await readFeeds(setup);
  await setup.lose();
  trade.load.pause();
  await trading;
  return { lostFrom, readers };
}

/** The file of the write-ahead log that is written now. */
async function readSegment({ store: { database } }: Engine): Promise<string> {
  const { rows } = await database.query<{ name: string }>(
    'select pg_walfile_name(pg_current_wal_insert_lsn()) as name',
  );
  return rows[0]?.name ?? '';
}

/** An archive that ends before the restore point cannot be restored to it. On a slow machine it is late. */
async function untilArchived({ store: { database } }: Engine, segment: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const { rows } = await database.query<{ isArchived: boolean }>(
      'select left(last_archived_wal, 24) >= $1 as "isArchived" from pg_stat_archiver',
      [segment],
    );
    if (rows[0]?.isArchived === true) return;
    if (tries === ARCHIVE_TRIES) throw new Error(`${segment} was not archived`);
    await sleep(500);
  }
}

/** Every second waiting payment: its merchant is notified of a failure that the restored database does not know. */
async function cancelSome(engine: Engine): Promise<void> {
  const { rows } = await engine.store.database.query<{ merchantId: string; writtenId: string }>(
    `select merchant_id as "merchantId", payment_id as "writtenId" from payments
     where state = 'ENQUEUED' and kind = 'PAYOUT'`,
  );
  for (const [index, target] of rows.entries())
    if (index % 2 === 0) await cancel(engine, { ...target, kind: 'PAYOUT' });
}

function rememberAnnounced({ orders }: Trade): ReadonlyMap<string, string> {
  return new Map(
    orders.flatMap(({ merchant: { endpoint }, request: { kind, ids } }) =>
      ids.flatMap((id) => {
        const status = endpoint.acknowledgedStatus(kind, id);
        return status === undefined ? [] : [[`${kind} ${id}`, status] as const];
      }),
    ),
  );
}

/** Merchants repeat what they sent since the restore point, refunds last, and continue to trade meanwhile. */
async function catchUp(
  setup: Setup,
  trade: Trade,
  { since, say }: { readonly since: number; readonly say: Say },
): Promise<readonly Order[]> {
  await trade.load.untilAnswered();
  const others = await trade.sendAgain(since, 'OTHERS');
  say(`merchants have sent again what was lost, and forgot ${others.length}`);
  await rest(setup, say);
  const refunds = await refundAgain(setup, trade, { since, say });
  await trade.load.runFor(PAYMENTS_PER_SECOND, 2_000);
  await rest(setup, say);
  return [...others, ...refunds];
}

async function rest({ admin }: Setup, say: Say): Promise<void> {
  await comeToRest([admin.engine.store.database], { patienceMs: PATIENCE_MS, say });
}

/** A deposit has one refund at a time: refused refunds are repeated, until the same ones are refused twice. */
async function refundAgain(
  setup: Setup,
  trade: Trade,
  { since, say }: { readonly since: number; readonly say: Say },
): Promise<readonly Order[]> {
  for (let before = ''; ;) {
    const unmatched = await trade.sendAgain(since, 'REFUNDS');
    await rest(setup, say);
    const refused = listRefused(trade);
    if (refused === before) return unmatched;
    if (refused !== '') say(`refused when sent again: ${refused}`);
    before = refused;
  }
}

/** Refunds that were acknowledged before the loss and are refused now, each with the reason. */
function listRefused({ load }: Trade): string {
  const refused = [...load.rejections].filter(([name]) => load.acknowledged.has(name));
  return refused.map(([name, reason]) => `${name} ${reason}`).join(', ');
}

/** After that, payments are sent without a question to the operator. */
async function endRecovery(setup: Setup, trade: Trade, { say }: DrillOptions): Promise<void> {
  await setup.command(['recovery', 'end', '--by', BY]);
  await trade.load.runFor(PAYMENTS_PER_SECOND, 1_000);
  say((await setup.command(['recovery', 'show'])).replaceAll('\n', '; '));
}

async function readAskedAt({ admin }: Setup): Promise<number> {
  const { rows } = await admin.engine.store.database.query<{ at: Date }>(
    'select asked_at as at from recoveries where asked_at is not null',
  );
  return rows[0]?.at.getTime() ?? 0;
}
