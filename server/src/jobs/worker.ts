// The worker: every loop of this room, started and stopped together. Loops run until stopped; a crash at any point
// leaves steps and leases that another worker takes up.
import { Mailer, type MailSettings } from '../callbacks/mail.ts';
import { CallbackPoster } from '../callbacks/post.ts';
import { countHours } from '../core/payments/read/count-hours.ts';
import { endOverdueCheckouts } from '../core/checkouts/end-checkouts.ts';
import { endUnsentDeposits } from '../core/payments/process/end-unsent-deposits.ts';
import type { Engine } from '../core/engine.ts';
import type { MonitorSettings } from '../core/monitoring/monitor.ts';
import { createArrivals } from '../core/cells/moving/finish-arrivals.ts';
import { release } from '../core/payments/process/release.ts';
import type { RetentionSettings } from '../core/retention.ts';
import { sendNextLot } from '../core/payout-batches/send-payouts.ts';
import { rotateWhenDue, type SignatureSettings } from '../core/access/signing-keys.ts';
import { makeNextStatement, type MakeFile } from '../core/statements/statement-queue.ts';
import { sweep } from '../core/payments/notifications/sweep.ts';
import type { HealthSettings } from '../domain/operators/provider-health.ts';
import { createAdvancer } from './advancer.ts';
import { createDeliverRound } from './callbacks/deliver.ts';
import { createEnquireRound } from './enquire.ts';
import { Loop } from './loop.ts';
import { createMailRound } from './callbacks/mail-notices.ts';
import { createMonitorRound } from './monitor.ts';
import { createPruneRound, PRUNE_INTERVAL_MS } from './prune.ts';
import { createSubmitRound } from './submit.ts';
import { createWatchRound } from './watch.ts';

export type WorkerSettings = {
  /** The floor when a wake-up is lost. */
  readonly pollMs: number;
  /** A step whose worker does not come back is taken up by another after this. */
  readonly stepLeaseMs: number;
  readonly callbackTimeoutMs: number;
  readonly callbackLeaseMs: number;
  /** As many callbacks at once to one endpoint. */
  readonly callbacksAtOnceMax: number;
  /** An endpoint that has acknowledged nothing for so long is switched off. */
  readonly callbackSwitchOffAfterMs: number;
  /** How many waiting payments of one provider and kind are released in a second, once it is back. */
  readonly releasesPerSecond: number;
  readonly sweepIntervalMs: number;
  readonly sweepOverdueAfterMs: number;
};

export const DEFAULT_WORKER: WorkerSettings = {
  pollMs: 250,
  // Three times the 20 s an enquiry may take.
  stepLeaseMs: 60_000,
  callbackTimeoutMs: 10_000,
  // Longer than a delivery can take, so that an endpoint queue is never worked by two.
  callbackLeaseMs: 30_000,
  // At 300 ms an answer that is 66 callbacks a second, and no more than a small server has threads.
  callbacksAtOnceMax: 20,
  // Longer than a long weekend's first two days, and as long as single callbacks are tried.
  callbackSwitchOffAfterMs: 3 * 24 * 3_600_000,
  // A provider that comes back must not be knocked over by those who waited.
  releasesPerSecond: 20,
  sweepIntervalMs: 15_000,
  sweepOverdueAfterMs: 30_000,
};

export type Worker = { readonly wake: () => void; readonly stop: () => Promise<void> };

/** As many payments at operators at once. One provider alone gets half of them. */
const IN_FLIGHT_MAX = 1_000;
const BATCH_MAX = 100;
/** Payouts of one batch at a time: other batches, and requests of merchants, come in between. */
const LOT_MAX = 50;
const SWEEP_COUNT_MAX = 1_000;
const RELEASE_INTERVAL_MS = 1_000;
/** Keys are months old when they are replaced, but one that was withdrawn must be known everywhere soon. */
const ROTATE_INTERVAL_MS = 10_000;
/** A merchant waits for it, but only when a mover has died at the wrong moment. */
const ARRIVALS_INTERVAL_MS = 500;
/** A payer who sees the countdown end does not wait long for the page to agree. */
const CHECKOUT_INTERVAL_MS = 1_000;
/** Of two minutes a second more or less does not matter. */
const UNSENT_INTERVAL_MS = 1_000;
/** Anyone who looks at an overview after a payment sees it counted within seconds. */
const COUNT_INTERVAL_MS = 2_000;
/** No one sees a statement sooner than seconds after it was asked for. */
const STATEMENT_INTERVAL_MS = 1_000;
/** Notices are about days; seconds do not matter. */
const MAIL_INTERVAL_MS = 2_000;

export function startWorker(
  engine: Engine,
  settings: WorkerSettings & {
    readonly health: HealthSettings;
    readonly monitor: MonitorSettings;
    readonly retention: RetentionSettings;
    readonly signatures: SignatureSettings;
    readonly mail: MailSettings | null;
    readonly makeStatementFile: MakeFile;
  },
  onError: (loop: string, error: unknown) => void,
): Worker {
  const stopping = new AbortController();
  const advancer = createAdvancer(engine, { stopping: stopping.signal });
  const poster = new CallbackPoster({ guard: engine.outgoingGuard, timeoutMs: settings.callbackTimeoutMs });
  const places = (loop: string) => ({
    batchMax: BATCH_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    leaseMs: settings.stepLeaseMs,
    onError: (error: unknown) => onError(loop, error),
  });
  const rounds = {
    submit: createSubmitRound(engine, advancer, places('submit')),
    enquire: createEnquireRound(engine, advancer, places('enquire')),
    deliver: createDeliverRound(engine, poster, {
      slotsPerEndpointQueueMax: settings.callbacksAtOnceMax,
      timeoutMs: settings.callbackTimeoutMs,
      leaseMs: settings.callbackLeaseMs,
      switchOffAfterMs: settings.callbackSwitchOffAfterMs,
      onError: (error) => onError('deliver', error),
    }),
    batches: async () => {
      if (!(await engine.clockCheck.agrees(engine.store.database))) return 'IDLE' as const;
      const wasThereWork = await sendNextLot(engine, {
        countMax: LOT_MAX,
        leaseMs: settings.stepLeaseMs,
        onError: (error) => onError('batches', error),
      });
      return wasThereWork ? ('MORE' as const) : ('IDLE' as const);
    },
  };
  const loops = Object.entries(rounds).map(
    ([name, round]) => new Loop({ pollMs: settings.pollMs, round, onError: (error) => onError(name, error) }),
  );
  const releaser = new Loop({
    pollMs: RELEASE_INTERVAL_MS,
    round: async () => {
      await release(engine, {
        countMax: settings.releasesPerSecond,
        onError: (error) => onError('release', error),
      });
      return 'IDLE';
    },
    onError: (error) => onError('release', error),
  });
  const checkouts = new Loop({
    pollMs: CHECKOUT_INTERVAL_MS,
    round: async () => {
      const ended = await endOverdueCheckouts(engine, { countMax: BATCH_MAX });
      return ended === BATCH_MAX ? 'MORE' : 'IDLE';
    },
    onError: (error) => onError('checkouts', error),
  });
  const unsentDeposits = new Loop({
    pollMs: UNSENT_INTERVAL_MS,
    round: async () => {
      const ended = await endUnsentDeposits(engine, {
        countMax: BATCH_MAX,
        onError: (error) => onError('unsent', error),
      });
      return ended === BATCH_MAX ? 'MORE' : 'IDLE';
    },
    onError: (error) => onError('unsent', error),
  });
  const statements = new Loop({
    pollMs: STATEMENT_INTERVAL_MS,
    round: async ({ isStopping }) => {
      const make = settings.makeStatementFile;
      return (await makeNextStatement(engine, { make, isStopping })) ? 'MORE' : 'IDLE';
    },
    onError: (error) => onError('statements', error),
  });
  const counter = new Loop({
    pollMs: COUNT_INTERVAL_MS,
    round: () => countHours(engine),
    onError: (error) => onError('count', error),
  });
  const sweeper = new Loop({
    pollMs: settings.sweepIntervalMs,
    round: async () => {
      await sweep(engine, {
        overdueAfterMs: settings.sweepOverdueAfterMs,
        countMax: SWEEP_COUNT_MAX,
        onError: (error) => onError('sweep', error),
      });
      return 'IDLE';
    },
    onError: (error) => onError('sweep', error),
  });
  const watcher = new Loop({
    pollMs: settings.health.lookIntervalMs,
    round: createWatchRound(engine, settings.health),
    onError: (error) => onError('watch', error),
  });
  const monitor = new Loop({
    pollMs: settings.monitor.intervalMs,
    round: createMonitorRound(engine, { ...settings.monitor, isStopping: () => stopping.signal.aborted }),
    onError: (error) => onError('monitor', error),
  });
  const rotator = new Loop({
    pollMs: ROTATE_INTERVAL_MS,
    round: async () => {
      await rotateWhenDue(engine, settings.signatures);
      return 'IDLE';
    },
    onError: (error) => onError('rotate', error),
  });
  const pruner = new Loop({
    pollMs: PRUNE_INTERVAL_MS,
    round: createPruneRound(engine, settings.retention),
    onError: (error) => onError('prune', error),
  });
  const arrive = createArrivals(engine);
  const arrivals = new Loop({
    pollMs: ARRIVALS_INTERVAL_MS,
    round: async () => {
      await arrive();
      return 'IDLE';
    },
    onError: (error) => onError('arrivals', error),
  });
  const mailing = settings.mail === null ? null : startMailing(engine, settings.mail, onError);
  return {
    wake: () => loops.forEach((loop) => loop.wake()),
    stop: async () => {
      stopping.abort();
      const others = [
        releaser,
        checkouts,
        unsentDeposits,
        statements,
        counter,
        sweeper,
        watcher,
        monitor,
        rotator,
        pruner,
        arrivals,
      ];
      await Promise.all([...loops, ...others].map((loop) => loop.stop()));
      await poster.close();
      await mailing?.stop();
    },
  };
}

function startMailing(
  engine: Engine,
  settings: MailSettings,
  onError: (loop: string, error: unknown) => void,
): { readonly stop: () => Promise<void> } {
  const mailer = new Mailer(settings);
  const tell = (error: unknown) => onError('mail', error);
  const round = createMailRound(engine, mailer, tell);
  const loop = new Loop({ pollMs: MAIL_INTERVAL_MS, round, onError: tell });
  return {
    stop: async () => {
      await loop.stop();
      mailer.close();
    },
  };
}
