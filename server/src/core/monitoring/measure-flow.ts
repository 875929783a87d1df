// How payments, cases, callbacks and money in between are getting on. Only counts: nothing here changes anything.
import { addMs } from '../../domain/time.ts';
import { COMMITS_WITHIN_MS } from '../../store/database.ts';
import type { Amount } from '../../domain/money.ts';
import { renderAmount } from '../../domain/money.ts';
import { nextDay } from '../../domain/reconciliation/due-day.ts';
import { countUnchained } from '../../store/audit-chain/audit-chain.ts';
import { listCloseAccounts } from '../../store/daily-close/closes.ts';
import { readEventQueue } from '../../store/events/event-queue.ts';
import { listMovementEvents, listStatusEvents } from '../../store/events/event-subjects.ts';
import { followStandings, listPlatformAccounts } from '../../store/ledger/ledger-sums.ts';
import {
  countOverdrawnWallets,
  countOpenCases,
  countEnqueued,
  countHeld,
  countOverdue,
  countWithoutStep,
  countInReconciliation,
  readDatabaseFigures,
  readEndpointQueueFigures,
  type Waiting,
} from '../../store/monitoring/monitoring.ts';
import { countPayoutSpikes } from '../../store/monitoring/payout-spikes.ts';
import { listComparisons, readCreationTime } from '../../store/payments/transaction-conflicts.ts';
import { countUnheldRisks, countUnrequested } from '../../store/reconciliation/reports-to-approve.ts';
import { listEndings } from '../../store/cells/cell-endings.ts';
import { countMissingFollowUps } from '../../store/payments/missing-follow-ups.ts';
import { findRecovery } from '../../store/recovery/recoveries.ts';
import type { Engine, StorePart, TimedStore } from '../engine.ts';
import type { BooksCheckpoint } from './measure-books.ts';
import { measureSecrets } from './measure-secrets.ts';
import { ageSeconds, sample, type MonitorMetric, type Sample } from './monitor-metrics.ts';

/** Rounds without a single delivery, after which an address counts as failing: one lost answer is not yet an outage. */
const ENDPOINT_QUEUE_FAILURES_MIN = 3;

/** Far enough to be behind everything that is posted, also by a clock that runs ahead. */
const FOREVER = new Date('9999-01-01T00:00:00Z');

export async function measureFlow(
  engine: TimedStore & Pick<Engine, 'cells' | 'home'>,
  checkpoint: BooksCheckpoint | null,
): Promise<readonly Sample[]> {
  const now = await engine.clock.timeOf(engine.store.database);
  return [
    ...(await measurePayments(engine, now)),
    ...(await measureCallbacks(engine, now)),
    sample('malipo_payout_spikes', await countPayoutSpikes(engine.store.database, now)),
    await measureRecovery(engine, now),
    ...(await measureSecrets(engine, now)),
    ...(await measureEvents(engine, now)),
    ...(await measureAudit(engine, now)),
    ...(await measureDatabase(engine)),
    ...(await measureCloses(engine, now)),
    ...(await measureComparisons(engine, now)),
    ...(await measureEndings(engine, now)),
    sample('malipo_wallets_overdrawn', await countOverdrawnWallets(engine.store.database)),
    ...(checkpoint === null ? [] : await measureStandings(engine, checkpoint, now)),
  ];
}

async function measurePayments(engine: StorePart, now: Date): Promise<readonly Sample[]> {
  const { database } = engine.store;
  const overdue = await countOverdue(database, now);
  const withoutStep = await countWithoutStep(database);
  const missing = await countMissingFollowUps(database);
  const enqueued = await countEnqueued(database);
  const held = await countHeld(database);
  const inReconciliation = await countInReconciliation(database);
  const cases = await countOpenCases(database);
  const unheld = await countUnheldRisks(database);
  const unrequested = await countUnrequested(database);
  return [
    ...overdue.flatMap(({ kind, action, ...waiting }) =>
      waitingSamples('malipo_payments_overdue', { waiting, labels: { kind, action }, now }),
    ),
    sample(
      'malipo_payments_without_step',
      withoutStep.reduce((sum, { count }) => sum + count, 0),
    ),
    ...waitingSamples('malipo_follow_ups_missing', { waiting: missing, labels: {}, now }),
    ...enqueued.flatMap(({ kind, provider, ...waiting }) =>
      waitingSamples('malipo_payments_enqueued', { waiting, labels: { kind, provider }, now }),
    ),
    ...held.flatMap(({ held: why, ...waiting }) =>
      waitingSamples('malipo_payments_held', { waiting, labels: { held: why }, now }),
    ),
    ...inReconciliation.flatMap(({ kind, provider, ...waiting }) =>
      waitingSamples('malipo_payments_in_reconciliation', { waiting, labels: { kind, provider }, now }),
    ),
    ...cases.flatMap(({ evidence, ...waiting }) =>
      waitingSamples('malipo_cases_open', { waiting, labels: { evidence }, now }),
    ),
    ...waitingSamples('malipo_reversals_unheld', { waiting: unheld, labels: {}, now }),
    ...waitingSamples('malipo_reports_unrequested', { waiting: unrequested, labels: {}, now }),
  ];
}

async function measureCloses(engine: StorePart, now: Date): Promise<readonly Sample[]> {
  const accounts = await listCloseAccounts(engine.store.database);
  return accounts.map((account) => {
    const { provider, currency } = account;
    const late = ageSeconds(nextDay(account).dueAt, now);
    return sample('malipo_day_close_late_seconds', late, { provider, currency });
  });
}

/** How late each comparison with another cell is. What was claimed in the last minutes is compared a little later. */
async function measureComparisons(
  { cells, home, store: { database } }: StorePart & Pick<Engine, 'cells' | 'home'>,
  now: Date,
): Promise<readonly Sample[]> {
  const others = cells.filter((cell) => cell !== home);
  if (others.length === 0) return [];
  const until = new Map((await listComparisons(database)).map((one) => [one.cell, one.comparedUntil]));
  // A cell that never answered: nothing was ever compared with it.
  const beginning = others.every((cell) => until.has(cell)) ? null : await readCreationTime(database);
  return others.map((cell) => {
    const late = ageSeconds(until.get(cell) ?? beginning, addMs(now, -COMMITS_WITHIN_MS));
    return sample('malipo_transactions_uncompared_seconds', Math.max(0, late), { other_cell: cell });
  });
}

/** Balances of this cell that no other one is known to have. Nothing where the cell was never ended. */
async function measureEndings(
  { home, store: { database } }: StorePart & Pick<Engine, 'home'>,
  now: Date,
): Promise<readonly Sample[]> {
  const left = (await listEndings(database)).filter(({ fromCell }) => fromCell === home);
  return [...new Set(left.map(({ toCell }) => toCell))].map((cell) => {
    const first = left.find(({ toCell, arrivedAt }) => toCell === cell && arrivedAt === null);
    const seconds = ageSeconds(first?.postedAt ?? null, now);
    return sample('malipo_cell_balances_in_transit_seconds', seconds, { other_cell: cell });
  });
}

/** The metrics that come as a count and the age of the oldest. */
type WaitingMetric = {
  [Name in MonitorMetric]: `${Name}_seconds` extends MonitorMetric ? Name : never;
}[MonitorMetric];

function waitingSamples(
  metric: WaitingMetric,
  {
    waiting,
    labels,
    now,
  }: {
    readonly waiting: Pick<Waiting, 'count'> & { readonly oldestAt: Date | null };
    readonly labels: Sample['labels'];
    readonly now: Date;
  },
): readonly Sample[] {
  return [
    sample(metric, waiting.count, labels),
    sample(`${metric}_seconds`, ageSeconds(waiting.oldestAt, now), labels),
  ];
}

async function measureCallbacks(engine: StorePart, now: Date): Promise<readonly Sample[]> {
  const endpointQueues = await readEndpointQueueFigures(engine.store.database, ENDPOINT_QUEUE_FAILURES_MIN);
  return [
    sample('malipo_endpoint_queues_pending', endpointQueues.pending),
    sample('malipo_endpoint_queues_failing', endpointQueues.failing),
    sample('malipo_endpoint_queues_failing_seconds', ageSeconds(endpointQueues.failingSince, now)),
    sample('malipo_endpoint_queues_disabled', endpointQueues.disabled),
    sample('malipo_callbacks_overdue_seconds', ageSeconds(endpointQueues.firstDueAt, now)),
  ];
}

/** No one but a person can end one, and while it is open every payment waits for a question more. */
async function measureRecovery(engine: StorePart, now: Date): Promise<Sample> {
  const recovery = await findRecovery(engine.store.database);
  const openSince = recovery?.isOpen === true ? recovery.begunAt : null;
  return sample('malipo_recovery_open_seconds', ageSeconds(openSince, now));
}

async function measureEvents(engine: StorePart, now: Date): Promise<readonly Sample[]> {
  const { database } = engine.store;
  const { count, first } = await readEventQueue(database);
  const list = first?.type === 'M' ? listMovementEvents : listStatusEvents;
  const [oldest] = first === null ? [] : await list(database, [first]);
  return [
    sample('malipo_events_queued', count),
    sample('malipo_events_queued_seconds', ageSeconds(oldest?.occurredAt ?? null, now)),
  ];
}

async function measureAudit(engine: StorePart, now: Date): Promise<readonly Sample[]> {
  const { count, oldestAt } = await countUnchained(engine.store.database);
  return [
    sample('malipo_audit_unchained', count),
    sample('malipo_audit_unchained_seconds', ageSeconds(oldestAt, now)),
  ];
}

async function measureDatabase(engine: StorePart): Promise<readonly Sample[]> {
  const figures = await readDatabaseFigures(engine.store.database);
  return [
    sample('malipo_database_bytes', figures.bytes),
    sample('malipo_database_sessions', figures.sessions),
    sample('malipo_database_commits', figures.commits),
    sample('malipo_database_rollbacks', figures.rollbacks),
    sample('malipo_database_blocks', figures.blocksHit, { found: 'HIT' }),
    sample('malipo_database_blocks', figures.blocksRead, { found: 'READ' }),
    sample('malipo_database_rows_written', figures.rowsWritten),
  ];
}

/** Goes on from the last full look at the books; an account made since then stood at zero. */
async function measureStandings(
  engine: StorePart,
  checkpoint: BooksCheckpoint,
  now: Date,
): Promise<readonly Sample[]> {
  const { database } = engine.store;
  const accounts = (await listPlatformAccounts(database)).filter(({ type }) => type !== 'FLOAT');
  const stood = new Map(checkpoint.standings.map((standing) => [standing.accountId, standing]));
  const standings = accounts.map(
    ({ accountId }) => stood.get(accountId) ?? { accountId, balance: 0n, since: null },
  );
  const moved = await followStandings(database, { standings, from: checkpoint.through, until: FOREVER });
  const current = new Map([...standings, ...moved].map((standing) => [standing.accountId, standing]));
  return accounts.flatMap(({ accountId, type, country, currency, provider }) => {
    const { balance = 0n, since = null } = current.get(accountId) ?? {};
    const labels = type === 'SUSPENSE' ? { country, currency, provider } : { country, currency };
    const name = type === 'SUSPENSE' ? 'suspense' : 'clearing';
    return [
      sample(`malipo_${name}_amount`, floating(balance), labels),
      sample(`malipo_${name}_age_seconds`, ageSeconds(since, now), labels),
    ];
  });
}

/** For an alert, never for the books. */
export function floating(amount: Amount): number {
  return Number(renderAmount(amount));
}
