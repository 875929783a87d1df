// Puts a gateway together from its configuration. The only place where all layers meet.
import { setTimeout as sleep } from 'node:timers/promises';
import { pino, type Logger } from 'pino';
import { ConfigError } from '../../config-values.ts';
import type { Config } from '../../config.ts';
import type { Engine } from '../../core/engine.ts';
import { describe } from '../../edge/failure.ts';
import { createLook } from '../../edge/pages/look/look.ts';
import { RequestsInProgress } from '../../edge/requests-in-progress.ts';
import type { ConsoleParts } from '../../edge/console/route.ts';
import { createMetrics, type Metrics } from '../../edge/metrics.ts';
import type { MovableClock } from '../../sandbox/movable-clock.ts';
import type { LocalParts } from '../../sandbox/parts.ts';
import type { Loop } from '../../jobs/loop.ts';
import { startReportRequests } from '../../jobs/request-reports.ts';
import type { Worker } from '../../jobs/worker.ts';
import { WakeupNotifier } from '../../store/wake-ups.ts';
import type { Database } from '../../store/database.ts';
import { noteAccountIds, noteOperatorAccounts } from '../../store/operators/operator-accounts.ts';
import { createPaymentReader } from '../../store/payments/payment-reader.ts';
import { Keyring } from '../../store/encryption/encryption.ts';
import { createClockCheck, createEngineClock } from './clock.ts';
import { ShutdownHooks } from './shutdown-hooks.ts';
import type { Listeners } from './listeners.ts';
import { createOperatorConnectors } from './operator-connectors.ts';
import { gatherConnectors } from './gather-connectors.ts';
import { accountIdsOf, operatorAccountsOf } from './operator-accounts.ts';
import { openOtherCells } from './other-cells.ts';
import { createStatementMaker } from './statements/maker.ts';
import { composeEngine } from './engine.ts';
import { openFoundations } from './foundations.ts';
import { requireNamesOfOthers, requireOwnName } from './require-cell-name.ts';
import { chooseTracer, withLog } from './choose-tracer.ts';
import { createTraceIdentity } from './tracing/identity.ts';
import { AboutPayment, logSubjects } from '../../core/payment-log.ts';
import { inTimedTransaction } from '../../core/timed-transaction.ts';
import { openKeys } from './keys.ts';
import { writeRiskEvents } from './write-risk-events.ts';

/** What a process does. `admin` serves nothing: it runs one administrative command. */
export type Role = 'api' | 'worker' | 'all' | 'admin';

export type Gateway = {
  readonly engine: Engine;
  /** Present where the configuration allows a clock that can be moved. */
  readonly movableClock: MovableClock | null;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Where people sign in. Null where none is configured. */
  readonly console: ConsoleParts | null;
  /** Starts serving. Answers the address it listens on, and that of health and metrics where that is another. */
  readonly start: () => Promise<Pick<Listeners, 'url' | 'metricsUrl'>>;
  /**
   * Finishes what is in progress, then releases everything. For `noticeMs` it is still heard and only says that it
   * stops, so that a proxy looks for another: a connection that comes as the listener closes would be cut.
   */
  readonly stop: (noticeMs?: number) => Promise<void>;
};

export type GatewayOptions = {
  readonly role: Role;
  /** 1 is standard output, 2 standard error. */
  readonly logTo?: 1 | 2;
  /** What the sandbox command tells about itself. */
  readonly local?: LocalParts;
};

/** As long as a request may take to arrive; what takes longer is answered 503. */
const REQUESTS_END_MS = 30_000;

export async function openGateway(config: Config, options: GatewayOptions): Promise<Gateway> {
  const shutdownHooks = new ShutdownHooks();
  try {
    return await compose(config, options, shutdownHooks);
  } catch (error) {
    await shutdownHooks.run();
    throw error;
  }
}

async function compose(
  config: Config,
  options: GatewayOptions,
  shutdownHooks: ShutdownHooks,
): Promise<Gateway> {
  const { role, logTo = 1, local = null } = options;
  const logger = pino({ level: config.logLevel }, pino.destination({ dest: logTo, sync: false }));
  const metrics = createMetrics();
  const tracer = chooseTracer(config, { role, metrics, logger, shutdownHooks });
  const { database, sandbox, clock: ownClock } = await openFoundations(config, local, shutdownHooks);
  const clock = createEngineClock(ownClock);
  metrics.watchPool('main', database);
  const identity = createTraceIdentity(config.keys.referenceKey);
  const traceIdOf: Engine['traceIdOf'] = (key) => identity.of(key).traceId;
  const logError = (where: string, error: unknown) => {
    const about = error instanceof AboutPayment ? logSubjects({ traceIdOf }, [error.key]) : {};
    const cause = error instanceof AboutPayment ? error.cause : error;
    logger.error({ where, ...about, error: describe(cause) }, 'failed');
  };
  let worker: Worker | undefined;
  let reportRequests: Loop | undefined;
  const wakeHere = () => worker?.wake();
  const wakeupNotifier = new WakeupNotifier({
    url: config.directUrl ?? config.cell.databaseUrl,
    lifetimeMs: config.connections.lifetimeMs,
    onRing: wakeHere,
    onError: (error) => logError('wake-ups', error),
  });
  const { directoryRememberMs: rememberMs } = config;
  const keyring = new Keyring({ ...config.keys, rememberMs });
  const keys = await openKeys(config, { role, keyring, logger, observer: metrics.observer.keyService });
  shutdownHooks.add(keys.close);
  let operatorsUrl = config.operatorsUrl ?? '';
  const operators = createOperatorConnectors({
    ...config.operators,
    operatorsUrl: () => operatorsUrl,
    database,
    keyring,
    referenceKey: config.keys.referenceKey,
    clock,
    rememberMs,
    onError: (error) => logError('traffic', error),
  });
  shutdownHooks.add(() => operators.close());
  const store = { database, keyring, wakeupNotifier, reader: createPaymentReader(database, keyring) };
  const parts = composeEngine(config, {
    store,
    keyAccess: keys.access,
    clock,
    clockCheck: createClockCheck(metrics.observer, logger, config.clockIsMovable),
    connectors: gatherConnectors(config, sandbox?.connector ?? null, operators.connectors),
    ...openOtherCells(config, database, shutdownHooks),
    wake: () => {
      wakeHere();
      wakeupNotifier.notify();
    },
    observer: metrics.observer,
    tracer: withLog(tracer, { logger, traceIdOf }),
    traceIdOf,
  });
  /** The same engine on another pool of connections. */
  const engineOn = (pool: Database): Engine => ({
    ...parts,
    store: { ...store, database: pool },
    get operatorsUrl() {
      return operatorsUrl;
    },
  });
  const engine = engineOn(database);
  await requireOwnName(engine);
  const openConsolePool = (pool: Database): Engine => {
    metrics.watchPool('dashboard', pool);
    return engineOn(pool);
  };
  const console = await chooseConsole(config, openConsolePool, shutdownHooks);
  shutdownHooks.add(() => wakeupNotifier.close());
  await wakeupNotifier.open();

  let isStopping = false;
  const stop = async (noticeMs = 0): Promise<void> => {
    isStopping = true;
    if (noticeMs > 0) await sleep(noticeMs);
    await shutdownHooks.run();
  };
  const start = async () => {
    requireOperatorsUrl(config, role);
    await requireNamesOfOthers(engine);
    const routes = config.environment === 'sandbox' ? (sandbox?.routes ?? null) : null;
    const { openListeners } = await import('./listeners.ts');
    const requests = new RequestsInProgress();
    shutdownHooks.add(writeRiskEvents(engine, (error) => logError('risk', error)));
    const listeners = await openListeners(engine, config, {
      metrics,
      logger,
      isStopping: () => isStopping,
      ...(config.keys.keyService !== undefined && { requests }),
      sandbox: routes,
      look: createLook(config.brand),
      console,
      role,
      shutdownHooks,
    });
    const { url, metricsUrl } = listeners;
    operatorsUrl ||= url;
    // Requests that are in progress come first: they leave work behind.
    shutdownHooks.add(async () => {
      await listeners.close();
      await reportRequests?.stop();
      await worker?.stop();
    });
    if (role !== 'worker') await startMailToPeople(console, config, { shutdownHooks, logError });
    await keys.start({
      begin: async () => {
        if (role !== 'worker') reportRequests = startReportRequests(engine, logError);
        if (role === 'worker' || role === 'all')
          worker = await startConfiguredWorker(engine, config, logError);
        // It may have been told to stop meanwhile.
        if (!isStopping) return;
        await reportRequests?.stop();
        await worker?.stop();
      },
      rest: async () => {
        await reportRequests?.stop();
        await worker?.drain();
        reportRequests = undefined;
        worker = undefined;
      },
      finish: async () => {
        await requests.end(REQUESTS_END_MS);
        await operators.flush();
      },
      onError: (error) => logError('keys', error),
    });
    shutdownHooks.add(async () => keys.stop());
    return { url, metricsUrl };
  };
  return {
    engine,
    movableClock: sandbox?.clock ?? null,
    logger,
    metrics,
    console,
    start: async () => {
      try {
        return await start();
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
  };
}

/** Null where no key for it is configured: then a process does not load what people sign in with either. */
async function chooseConsole(
  config: Config,
  engineOn: (database: Database) => Engine,
  shutdownHooks: ShutdownHooks,
): Promise<ConsoleParts | null> {
  if (config.console === null) return null;
  const { openConsole } = await import('./console.ts');
  return openConsole({ ...config, console: config.console }, engineOn, shutdownHooks);
}

type MailTools = {
  readonly shutdownHooks: ShutdownHooks;
  readonly logError: (where: string, error: unknown) => void;
};

async function startMailToPeople(
  console: ConsoleParts | null,
  { mail, brand }: Config,
  { shutdownHooks, logError }: MailTools,
): Promise<void> {
  if (console === null || mail === null) return;
  const { startPeopleMail } = await import('./console.ts');
  shutdownHooks.add(startPeopleMail(console.engine, { mail, brand }, logError));
}

async function startConfiguredWorker(
  engine: Engine,
  config: Config,
  onError: (where: string, error: unknown) => void,
): Promise<Worker> {
  await inTimedTransaction(engine, async (tx, now) => {
    const accounts = operatorAccountsOf(config, now);
    await noteOperatorAccounts(tx, accounts);
    await noteAccountIds(tx, accountIdsOf(accounts));
  });
  const { health, monitor, retention, signatures, mail, screening } = config;
  const care = { health, monitor, retention, signatures, mail, screening };
  const settings = {
    ...config.worker,
    ...care,
    makeStatementFile: createStatementMaker(config, engine.store.keyring),
  };
  const { startWorker } = await import('../../jobs/worker.ts');
  return startWorker(engine, settings, onError);
}

/** A worker alone does not listen for operators, so it cannot guess where they should call. */
function requireOperatorsUrl(config: Config, role: Role): void {
  if (role === 'worker' && config.operatorsUrl === null) {
    throw new ConfigError(
      'MALIPO_OPERATORS_URL is not set. It must hold the address where operators reach the API.',
    );
  }
}
