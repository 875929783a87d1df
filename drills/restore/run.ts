// One drill: load, a backup under load, the loss of everything since a moment, the restore, and the way back.
import { setTimeout as sleep } from 'node:timers/promises';
import { changeAvailability } from '../../server/src/core/merchants/administer-merchants.ts';
import { cancel } from '../../server/src/core/payments/act/cancel.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import { MARKETS } from '../kit/load/markets.ts';
import { readOperatorBooks } from '../kit/verdict/operator-books.ts';
import { comeToRest } from '../kit/settle.ts';
import { streamOf } from '../kit/random.ts';
import { findAgain } from './find-again.ts';
import { importStatements } from './operator-statement.ts';
import { DrillStage } from './setup.ts';
import { Trade, type Order } from './trade.ts';
import { judgeDrill, type DrillVerdict } from './verdict.ts';

export type DrillOptions = {
  readonly seed: number;
  /** How long load runs before the backup, and again between it and the moment that is restored to. */
  readonly historyMs: number;
  readonly lostMs: number;
  /** Where it has to be sooner than the page says. */
  readonly archiveTimeout: string | null;
  /** The recovery is not begun: payments must be found to be made twice. */
  readonly isForgetful: boolean;
  /** No one imports statements: floats must be found to differ. */
  readonly isBlind: boolean;
  readonly keep: boolean;
  readonly onProgress: (text: string) => void;
};

export type DrillOutcome = DrillVerdict & {
  /** From the loss until the database takes writes again. */
  readonly restoreMs: number;
  /** From the start of the processes until the first submit was released. */
  readonly heldMs: number;
  /** Payments whose operator was asked before anything was sent. */
  readonly askedFirst: number;
  readonly scratchPath: string;
};

const PAYMENTS_PER_SECOND = 15;
/** Payouts to this provider wait when the moment comes, and are paid or cancelled in the time that is lost. */
const DELAYED = { provider: 'AIRTEL_RWA', operation: 'PAYOUT', by: 'drill' } as const;
/** What was on its way at the moment was sent before it. */
const SENT_EARLIER_MS = 5_000;
/** A stuck payment goes into reconciliation twelve seconds after it was sent. */
const PATIENCE_MS = 60_000;

export async function runDrill(options: DrillOptions): Promise<DrillOutcome> {
  let trade: Trade | undefined;
  const stage = await DrillStage.open({
    keep: options.keep,
    archiveTimeout: options.archiveTimeout,
    onFinal: (merchantId, kind, id, status) => {
      if (kind === 'DEPOSIT' && status === 'COMPLETED') trade?.noteCompletedDeposit(merchantId, id);
    },
  });
  try {
    const { apiUrl, merchants } = stage;
    trade = new Trade({ apiUrl, merchants, markets: MARKETS, random: streamOf(options.seed, 'trade') });
    return await drill(stage, trade, options);
  } finally {
    await trade?.stop();
    await stage.close();
  }
}

async function drill(stage: DrillStage, trade: Trade, options: DrillOptions): Promise<DrillOutcome> {
  const { onProgress } = options;
  const lostFrom = await tradeAndLose(stage, trade, options);
  const lostUntil = new Date();
  const told = rememberTold(trade);
  onProgress(`everything since ${lostFrom.toISOString()} is lost; ${trade.orders.length} orders so far`);
  await stage.cluster.restore(lostFrom);
  const restoreMs = Date.now() - lostUntil.getTime();
  onProgress(`restored in ${restoreMs} ms`);
  if (!options.isForgetful) onProgress(await stage.command(stage.cluster.runbook.command('begin', lostFrom)));
  const startedAt = Date.now();
  await stage.startGateway();
  // The database has forgotten that as well.
  await changeAvailability(stage.console.engine, { ...DELAYED, status: 'OPERATIONAL' });
  const since = lostFrom.getTime() - SENT_EARLIER_MS;
  const unmatched = await catchUp(stage, trade, { since, onProgress });
  const { database } = stage.console.engine.store;
  const heldMs = options.isForgetful ? 0 : (await readAskedAt(stage)) - startedAt;
  const charges = () => readOperatorBooks(stage.scratch);
  const unknown = options.isBlind ? new Set<string>() : await importStatements(stage, charges());
  onProgress(`statements imported: ${unknown.size} lines about payments that are not known`);
  if (!options.isForgetful) {
    await endRecovery(stage, trade, options);
    // Later than anybody should: operators are not asked first any more.
    const count = await findAgain(stage, trade, unmatched);
    onProgress(`merchants found ${count} more in their records, and sent them again`);
  }
  await comeToRest(stage.console.engine.store.database, { patienceMs: PATIENCE_MS, onProgress });
  const verdict = await judgeDrill({
    database,
    trade,
    charges: charges(),
    unknown,
    unmatched,
    told,
    lostFrom,
    lostUntil,
  });
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int from payment_events where event = 'SUBMIT_HELD'`,
  );
  return { ...verdict, restoreMs, heldMs, askedFirst: rows[0]?.count ?? 0, scratchPath: stage.scratch.path };
}

/** Answers the moment that will be restored to. */
async function tradeAndLose(
  stage: DrillStage,
  trade: Trade,
  { historyMs, lostMs, onProgress }: DrillOptions,
): Promise<Date> {
  const { engine } = stage.console;
  const trading = trade.run(PAYMENTS_PER_SECOND);
  onProgress('load');
  await sleep(historyMs);
  await stage.cluster.takeBaseBackup();
  onProgress('base backup taken and verified, under load');
  await changeAvailability(engine, { ...DELAYED, status: 'DELAYED' });
  await sleep(historyMs);
  const lostFrom = new Date();
  await cancelSome(engine);
  await changeAvailability(engine, { ...DELAYED, status: 'OPERATIONAL' });
  await sleep(lostMs);
  await stage.lose();
  trade.pause();
  await trading;
  return lostFrom;
}

/** Every other payment that waits. Its merchant is told that it has failed, and the restored database is not. */
async function cancelSome(engine: Engine): Promise<void> {
  const { rows } = await engine.store.database.query<{ merchantId: string; writtenId: string }>(
    `select merchant_id as "merchantId", payment_id as "writtenId" from payments
     where state = 'ENQUEUED' and kind = 'PAYOUT'`,
  );
  for (const [index, target] of rows.entries())
    if (index % 2 === 0) await cancel(engine, { ...target, kind: 'PAYOUT' });
}

function rememberTold({ orders }: Trade): ReadonlyMap<string, string> {
  return new Map(
    orders.flatMap(({ merchant: { endpoint }, request: { kind, ids } }) =>
      ids.flatMap((id) => {
        const status = endpoint.acknowledgedStatus(kind, id);
        return status === undefined ? [] : [[`${kind} ${id}`, status] as const];
      }),
    ),
  );
}

/** Merchants send again what they sent since the moment, refunds last, and trade on meanwhile. */
async function catchUp(
  stage: DrillStage,
  trade: Trade,
  { since, onProgress }: { readonly since: number; readonly onProgress: (text: string) => void },
): Promise<readonly Order[]> {
  await trade.untilAnswered();
  const others = await trade.sendAgain(since, 'OTHERS');
  onProgress(`merchants have sent again what was lost, and forgot ${others.length}`);
  await comeToRest(stage.console.engine.store.database, { patienceMs: PATIENCE_MS, onProgress });
  const refunds = await refundAgain(stage, trade, { since, onProgress });
  const trading = trade.run(PAYMENTS_PER_SECOND);
  await sleep(2_000);
  trade.pause();
  await trading;
  await trade.untilAnswered();
  await comeToRest(stage.console.engine.store.database, { patienceMs: PATIENCE_MS, onProgress });
  return [...others, ...refunds];
}

/** A deposit has one refund at a time: what is refused is sent again, until the same is refused twice. */
async function refundAgain(
  stage: DrillStage,
  trade: Trade,
  { since, onProgress }: { readonly since: number; readonly onProgress: (text: string) => void },
): Promise<readonly Order[]> {
  const { counts } = trade.load;
  for (let refused = -1; ;) {
    const before = counts.rejected;
    const unmatched = await trade.sendAgain(since, 'REFUNDS');
    await comeToRest(stage.console.engine.store.database, { patienceMs: PATIENCE_MS, onProgress });
    if (counts.rejected - before === refused) return unmatched;
    refused = counts.rejected - before;
  }
}

/** Afterwards a payment goes its way without a question. */
async function endRecovery(stage: DrillStage, trade: Trade, { onProgress }: DrillOptions): Promise<void> {
  await stage.command(['end-recovery', '--by', 'drill']);
  const trading = trade.run(PAYMENTS_PER_SECOND);
  await sleep(1_000);
  trade.pause();
  await trading;
  await trade.untilAnswered();
  onProgress((await stage.command(['recovery'])).replaceAll('\n', '; '));
}

async function readAskedAt({ console }: DrillStage): Promise<number> {
  const { rows } = await console.engine.store.database.query<{ at: Date }>(
    'select asked_at as at from recoveries where asked_at is not null',
  );
  return rows[0]?.at.getTime() ?? 0;
}
