// The worker: every loop of this layer in one table, started and stopped together. Loops run until stopped; a crash at
// any point leaves steps and leases that another worker takes up.
import { Mailer, type MailSettings } from '../callbacks/mail.ts';
import { CallbackPoster } from '../callbacks/post.ts';
import { chainEntries } from '../core/audit-chain/chain-entries.ts';
import { numberEvents } from '../core/event-numbers/number-events.ts';
import { countHours } from '../core/payments/read/count-hours.ts';
import { endOverdueCheckouts } from '../core/checkouts/end-checkouts.ts';
import { COMPARISON_PAGE_MAX, compareTransactions } from '../core/payments/process/compare-transactions.ts';
import { endUnsentDeposits } from '../core/payments/process/end-unsent-deposits.ts';
import type { Engine } from '../core/engine.ts';
import { releaseDueFunds } from '../core/limits/wallet-holds.ts';
import { sumLedger } from '../core/monitoring/sum-ledger.ts';
import type { MonitorSettings } from '../core/monitoring/monitor.ts';
import { completeEndings } from '../core/cells/ending/complete-endings.ts';
import { createArrivals } from '../core/cells/moving/finish-arrivals.ts';
import { openConflictCases } from '../core/payments/process/open-conflicts.ts';
import { makeMissingFollowUps } from '../core/payments/process/make-missing-follow-ups.ts';
import { continueVoids } from '../core/reconciliation/void-file.ts';
import { release } from '../core/payments/process/release.ts';
import type { RetentionSettings } from '../core/retention.ts';
import { sendNextLot } from '../core/payout-batches/send-payouts.ts';
import { rotateWhenDue, type SignatureSettings } from '../core/access/signing-keys.ts';
import { makeNextStatement, type MakeFile } from '../core/statements/statement-queue.ts';
import { sweep } from '../core/payments/notifications/sweep.ts';
import { createScreening, type AskScreening } from '../core/reviews/ask-screening.ts';
import type { ScreeningSettings } from '../domain/limits/screening.ts';
import type { HealthSettings } from '../domain/operators/provider-health.ts';
import { createAdvancer, type Advancer } from './advancer.ts';
import { createDeliverRound } from './callbacks/deliver.ts';
import { createEnquireRound } from './enquire.ts';
import type { Round } from './loop.ts';
import { createMailRound } from './callbacks/mail-notices.ts';
import { createMonitorRound } from './monitor.ts';
import { createPruneRound, PRUNE_INTERVAL_MS } from './prune.ts';
import { createReviewRound, createScreenRound } from './screen.ts';
import { startLoop, type LoopRow, type ReportError } from './start-loop.ts';
import { createSubmitRound } from './submit.ts';
import { createWatchRound } from './watch.ts';
import type { WorkerSettings } from './worker-settings.ts';

export type Worker = {
  readonly wake: () => void;
  /** Takes up nothing new and ends what is in progress, however long an outcome takes to be stored. */
  readonly drain: () => Promise<void>;
  /** As `drain`, but an outcome that cannot be stored now is tried once more and given up. */
  readonly stop: () => Promise<void>;
};

/** What the worker runs by, of the configuration. */
export type WorkerCare = WorkerSettings & {
  readonly health: HealthSettings;
  readonly monitor: MonitorSettings;
  readonly retention: RetentionSettings;
  readonly signatures: SignatureSettings;
  readonly mail: MailSettings | null;
  readonly makeStatementFile: MakeFile;
  readonly screening: ScreeningSettings | null;
};

/** As many payments at operators at once. One provider alone gets half of them. */
const IN_FLIGHT_MAX = 1_000;
const BATCH_MAX = 100;
/** Payouts of one batch at a time: other batches, and requests of merchants, come in between. */
const LOT_MAX = 50;
const SWEEP_COUNT_MAX = 1_000;

export function startWorker(engine: Engine, settings: WorkerCare, report: ReportError): Worker {
  const { observer } = engine;
  const onError: ReportError = (loop, error) => {
    observer.loopFailed(loop, 1);
    report(loop, error);
  };
  const stopping = new AbortController();
  const poster = new CallbackPoster({ guard: engine.outgoingGuard, timeoutMs: settings.callbackTimeoutMs });
  const screening = settings.screening === null ? null : createScreening(engine, settings.screening);
  const mailer = settings.mail === null ? null : new Mailer(settings.mail);
  const start = (table: LoopTable) =>
    Object.entries(table).map(([name, row]) => startLoop(engine, name, row, report));
  const advancer = createAdvancer(engine, { stopping: stopping.signal });
  const woken = start({
    ...wokenLoops(engine, settings, { advancer, poster, onError }),
    ...(screening !== null && screenLoop(engine, settings, screening.ask)),
  });
  const others = start({ ...timedLoops(engine, settings), ...(mailer !== null && mailLoop(engine, mailer)) });
  let ended: Promise<void> | null = null;
  const end = async () => {
    await Promise.all([...woken, ...others].map((loop) => loop.stop()));
    await poster.close();
    await screening?.close();
    mailer?.close();
  };
  const drain = () => (ended ??= end());
  return {
    wake: () => woken.forEach((loop) => loop.wake()),
    drain,
    stop: () => {
      stopping.abort();
      return drain();
    },
  };
}

type LoopTable = Readonly<Record<string, LoopRow>>;
type Tools = { readonly advancer: Advancer; readonly poster: CallbackPoster; readonly onError: ReportError };

/** Those that begin as soon as there is work. */
function wokenLoops(engine: Engine, settings: WorkerCare, { advancer, poster, onError }: Tools): LoopTable {
  const { pollMs, stepLeaseMs: leaseMs } = settings;
  const slots = { batchMax: BATCH_MAX, inFlightMax: IN_FLIGHT_MAX, leaseMs };
  return {
    submit: { pollMs, round: createSubmitRound(engine, advancer, slots) },
    enquire: { pollMs, round: createEnquireRound(engine, advancer, slots) },
    deliver: {
      pollMs,
      round: createDeliverRound(engine, poster, {
        slotsPerEndpointQueueMax: settings.callbacksAtOnceMax,
        timeoutMs: settings.callbackTimeoutMs,
        leaseMs: settings.callbackLeaseMs,
        switchOffAfterMs: settings.callbackSwitchOffAfterMs,
        onError: (error) => onError('deliver', error),
      }),
    },
    batches: {
      pollMs,
      round: async ({ onError: onLotError }) => {
        if (!(await engine.clockCheck.agrees(engine.store.database))) return 'IDLE';
        const lot = { countMax: LOT_MAX, leaseMs, onError: onLotError };
        return (await sendNextLot(engine, lot)) ? 'MORE' : 'IDLE';
      },
    },
  };
}

/** Where no service is configured there is no such loop. */
function screenLoop(engine: Engine, { pollMs, screening }: WorkerCare, ask: AskScreening): LoopTable {
  return screening === null
    ? {}
    : { screen: { pollMs, round: createScreenRound(engine, { ...screening, ask }) } };
}

/** Those that look at their times. */
function timedLoops(engine: Engine, settings: WorkerCare): LoopTable {
  const { health, monitor, retention, signatures, makeStatementFile: make } = settings;
  return {
    release: {
      pollMs: 1_000,
      round: async ({ onError }) => {
        await release(engine, { countMax: settings.releasesPerSecond, onError });
      },
    },
    reviews: { pollMs: 1_000, round: createReviewRound(engine, settings.screening !== null) },
    // A payer who sees the countdown end does not wait long for the page to agree.
    checkouts: {
      pollMs: 1_000,
      round: async () => moreIfFull(await endOverdueCheckouts(engine, { countMax: BATCH_MAX })),
    },
    // Of two minutes a second more or less does not matter.
    unsent: {
      pollMs: 1_000,
      round: async ({ onError }) =>
        moreIfFull(await endUnsentDeposits(engine, { countMax: BATCH_MAX, onError })),
    },
    // Of a day a few seconds do not matter.
    holds: {
      pollMs: 5_000,
      round: async ({ onError }) =>
        moreIfFull(await releaseDueFunds(engine, { countMax: BATCH_MAX, onError })),
    },
    // What follows from a payment and could not be made with it. There is almost never any.
    followUps: {
      pollMs: 1_000,
      round: async ({ onError }) =>
        moreIfFull(await makeMissingFollowUps(engine, { countMax: BATCH_MAX, onError })),
    },
    // No one sees a statement sooner than seconds after it was asked for.
    statements: {
      pollMs: 1_000,
      round: async ({ isStopping }) =>
        (await makeNextStatement(engine, { make, isStopping })) ? 'MORE' : 'IDLE',
    },
    // A reader of the feed waits no longer than this; the fewer rounds, the more events share a row.
    // With another time they would be deleted too early or too late.
    events: {
      pollMs: 250,
      round: async () => (engine.clockCheck.isOff ? 'IDLE' : numberEvents(engine)),
    },
    // The time in which an entry could be removed without a trace.
    chain: {
      pollMs: 1_000,
      round: async () => {
        await chainEntries(engine);
      },
    },
    // Anyone who looks at an overview after a payment sees it counted within seconds.
    count: { pollMs: 2_000, round: () => countHours(engine) },
    // What is not summed up yet is read from the transfers: a minute of them, and the ten that may still change.
    sum: { pollMs: 60_000, round: ({ isStopping }) => sumLedger(engine, { isStopping }) },
    sweep: {
      pollMs: settings.sweepIntervalMs,
      round: ({ onError }) =>
        sweep(engine, { overdueAfterMs: settings.sweepOverdueAfterMs, countMax: SWEEP_COUNT_MAX, onError }),
    },
    watch: { pollMs: health.lookIntervalMs, round: createWatchRound(engine, health) },
    monitor: { pollMs: monitor.intervalMs, round: createMonitorRound(engine, monitor) },
    // Keys are months old when they are replaced, but one that was withdrawn must be known everywhere soon.
    rotate: { pollMs: 10_000, round: () => rotateWhenDue(engine, signatures) },
    prune: { pollMs: PRUNE_INTERVAL_MS, round: createPruneRound(engine, retention) },
    // What two cells have of one transaction is compared minutes later in any case.
    compare: {
      pollMs: 10_000,
      round: async ({ onError }) => {
        await openConflictCases(engine, { countMax: BATCH_MAX, onError });
        return compareTransactions(engine, { pageMax: COMPARISON_PAGE_MAX, onError });
      },
    },
    // Voided files whose process has died: a file that is imported meanwhile takes them back first.
    voids: { pollMs: 10_000, round: ({ onError }) => continueVoids(engine, { onError }) },
    // Balances of a cell that has ended, until the other one has them.
    endings: { pollMs: 10_000, round: ({ onError }) => completeEndings(engine, { onError }) },
    // A merchant waits for it, but only when a mover has died at the wrong moment.
    arrivals: { pollMs: 500, round: createArrivals(engine) },
  };
}

/** Notices are about days; seconds do not matter. */
function mailLoop(engine: Engine, mailer: Mailer): LoopTable {
  return { mail: { pollMs: 2_000, round: createMailRound(engine, mailer) } };
}

function moreIfFull(count: number): Round {
  return count === BATCH_MAX ? 'MORE' : 'IDLE';
}
