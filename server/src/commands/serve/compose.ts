// Puts a gateway together from its configuration. The only place where the rooms meet.
import { setTimeout as sleep } from 'node:timers/promises';
import { pino, type Logger } from 'pino';
import { ConfigError } from '../../config-values.ts';
import { createHostGuard } from '../../callbacks/outgoing-guard.ts';
import type { Config } from '../../config.ts';
import { createBacklog } from '../../core/payments/accept/backlog.ts';
import { createCallMeter } from '../../core/operators/call-meter.ts';
import { createClientAddresses } from '../../core/access/client-address.ts';
import { createDirectory } from '../../core/cells/directory.ts';
import type { Engine } from '../../core/engine.ts';
import { createAuthFailureLimiter } from '../../core/access/auth-failure-limit.ts';
import { listBlind } from '../../core/payments/process/hold-after-restore.ts';
import { deriveLinkKeys } from '../../core/access/link-keys.ts';
import { createOperatorSources } from '../../core/operators/operator-sources.ts';
import { createRateLimiter } from '../../core/access/rate-limit.ts';
import { DOUBTFUL_SAMPLE, DOUBTFUL_SENDERS } from '../../core/payments/notifications/limit-notifications.ts';
import { NO_TRACER, type Tracer } from '../../core/tracer.ts';
import { createSigningKeys } from '../../core/access/signing-keys.ts';
import type { Clock } from '../../domain/clock.ts';
import { describe } from '../../edge/failure.ts';
import { createLook } from '../../edge/pages/look/look.ts';
import type { ConsoleParts } from '../../edge/console/route.ts';
import { createMetrics, type Metrics } from '../../edge/metrics.ts';
import type { MovableClock } from '../../sandbox/movable-clock.ts';
import type { SandboxParts } from '../../sandbox/parts.ts';
import { startWorker, type Worker } from '../../jobs/worker.ts';
import { WakeupNotifier } from '../../store/wake-ups.ts';
import { openDatabase, type Database } from '../../store/database.ts';
import { countWaitingSubmits } from '../../store/payments/due-steps.ts';
import { checkSchema } from '../../store/schema/migrate.ts';
import { noteOperatorAccounts } from '../../store/operators/operator-accounts.ts';
import { createPaymentReader } from '../../store/payments/payment-reader.ts';
import { Keyring } from '../../store/encryption/encryption.ts';
import { APPROVAL_EXECUTORS } from './approval-executors.ts';
import { createClockCheck, requireRealTime, systemClock } from './clock.ts';
import { ShutdownHooks } from './shutdown-hooks.ts';
import { createConnectorOf } from './connector-of.ts';
import { openConsole } from './console.ts';
import { openListeners, type Listeners } from './listeners.ts';
import { createOperatorConnectors } from './operator-connectors.ts';
import { gatherConnectors } from './gather-connectors.ts';
import { operatorAccountsOf } from './operator-accounts.ts';
import { openOtherCells } from './other-cells.ts';
import { createStatementMaker } from './statements/maker.ts';
import { openTracer } from './tracing.ts';

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
  readonly start: () => Promise<Pick<Listeners, 'url' | 'operationsUrl'>>;
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
  /** Of a sandbox whose operators are fakes: where each is, by the name of its connector. */
  readonly fakeUrls?: ReadonlyMap<string, string>;
};

/** So many are counted within milliseconds. Where more wait, it is enough to know since when the first has. */
const SUBMITS_COUNTED_MAX = 10_000;

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
  const { role } = options;
  const logger = pino(
    { level: config.logLevel },
    pino.destination({ dest: options.logTo ?? 1, sync: false }),
  );
  const metrics = createMetrics();
  const tracer = chooseTracer(config, { role, metrics, logger, shutdownHooks });
  const database = openDatabase({
    url: config.cell.databaseUrl,
    connectionsMax: config.connectionsMax,
    applicationName: 'malipo',
  });
  shutdownHooks.add(() => database.end());
  await requireSchema(database);
  const sandbox = await loadSandbox(config, options, database);
  shutdownHooks.add(async () => sandbox?.close());
  const clock = sandbox?.clock ?? (await openRealClock(config, database));
  const logError = (where: string, error: unknown) =>
    logger.error({ where, error: describe(error) }, 'failed');
  let worker: Worker | undefined;
  const wakeHere = () => worker?.wake();
  const wakeupNotifier = new WakeupNotifier({ url: config.cell.databaseUrl, onRing: wakeHere });
  const { directoryRememberMs: rememberMs } = config;
  const keyring = new Keyring({ ...config.keys, rememberMs });
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
  const connectors = gatherConnectors(config, sandbox?.connector ?? null, operators.connectors);
  const store = { database, keyring, wakeupNotifier, reader: createPaymentReader(database, keyring) };
  const otherCells = openOtherCells(config, database, shutdownHooks);
  const directory = otherCells.databaseOf(otherCells.directoryCell);
  const connectorOf = createConnectorOf(connectors, config.operators.bindings);
  const lookups = createDirectory(database, { rememberMs, blind: listBlind(connectors, connectorOf) });
  const shared = {
    environment: config.environment,
    approvals: APPROVAL_EXECUTORS,
    home: config.cell.id,
    clock,
    wallClock: systemClock,
    clockCheck: createClockCheck(metrics.observer, logger),
    directory: lookups,
    ...otherCells,
    rateLimiter: createRateLimiter(clock, config.rateLimit),
    ordersWaitingMax: config.ordersWaitingMax,
    backlog: createBacklog({
      clock,
      fromMs: config.backlogMs,
      look: (now, before) => countWaitingSubmits(database, { now, before, countMax: SUBMITS_COUNTED_MAX }),
      recovery: lookups.recovery,
      isBudgeted: (provider, kind) =>
        connectors.get(connectorOf(provider, kind) ?? '')?.takeSlots !== undefined,
    }),
    authFailureLimiter: createAuthFailureLimiter(clock, config.authFailureLimit),
    pageLimiter: createRateLimiter(clock, config.pageLimit),
    promptLimits: config.promptLimits,
    clientAddresses: createClientAddresses(config.trustedProxies),
    operatorSources: createOperatorSources(config),
    doubtfulSample: createRateLimiter(clock, DOUBTFUL_SAMPLE),
    doubtfulSenders: createRateLimiter(clock, DOUBTFUL_SENDERS),
    signingKeys: createSigningKeys({ store, clock, directory }, { ...config.signatures, rememberMs }),
    connectors,
    connectorOf,
    bindings: config.operators.bindings,
    referenceKey: config.keys.referenceKey,
    linkKeys: deriveLinkKeys(config.keys.linkKeys),
    publicUrl: config.publicUrl,
    earlierHosts: config.earlierHosts,
    outgoingGuard: createHostGuard(config.outgoingAllow, config.outgoingRules),
    wake: () => {
      wakeHere();
      wakeupNotifier.notify();
    },
    callMeter: createCallMeter(),
    observer: metrics.observer,
    tracer,
  };
  /** The same engine on another pool of connections. */
  const engineOn = (pool: Database): Engine => ({
    ...shared,
    store: { ...store, database: pool },
    get operatorsUrl() {
      return operatorsUrl;
    },
  });
  const engine = engineOn(database);
  const console = openConsole(config, engineOn, shutdownHooks);
  shutdownHooks.add(() => wakeupNotifier.close());
  await wakeupNotifier.open();

  let isStopping = false;
  const stop = async (noticeMs = 0): Promise<void> => {
    isStopping = true;
    if (noticeMs > 0) await sleep(noticeMs);
    await shutdownHooks.run();
  };
  return {
    engine,
    movableClock: sandbox?.clock ?? null,
    logger,
    metrics,
    console,
    start: async () => {
      try {
        requireOperatorsUrl(config, role);
        const look = createLook(config.brand);
        const routes = config.environment === 'sandbox' ? (sandbox?.routes ?? null) : null;
        const serverOptions = {
          metrics,
          logger,
          isStopping: () => isStopping,
          sandbox: routes,
          look,
          console,
        };
        const listeners = await openListeners(engine, config, { ...serverOptions, role, shutdownHooks });
        const { url, operationsUrl } = listeners;
        operatorsUrl ||= url;
        if (role === 'worker' || role === 'all') {
          await noteOperatorAccounts(database, operatorAccountsOf(config, clock.now()));
          const { health, monitor, retention, signatures, mail } = config;
          const care = { health, monitor, retention, signatures, mail };
          const settings = { ...config.worker, ...care, makeStatementFile: createStatementMaker(config) };
          const started = startWorker(engine, settings, logError);
          worker = started;
          // Requests that are in progress come first: they leave work behind.
          shutdownHooks.add(async () => {
            await listeners.close();
            await started.stop();
          });
        }
        return { url, operationsUrl };
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
  };
}

/** A worker alone does not listen for operators, so it cannot guess where they should call. */
function requireOperatorsUrl(config: Config, role: Role): void {
  if (role === 'worker' && config.operatorsUrl === null) {
    throw new ConfigError(
      'MALIPO_OPERATORS_URL is not set. It must hold the address where operators reach the API.',
    );
  }
}

async function requireSchema(database: Database): Promise<void> {
  const fitness = await checkSchema(database);
  switch (fitness.type) {
    case 'FITS':
      return;
    case 'BEHIND':
      throw new ConfigError(`The database lacks ${fitness.missing.join(', ')}. Run: malipo-server migrate`);
    case 'TOO_NEW':
      throw new ConfigError(
        `The database is for a newer Malipo (${fitness.breaking.join(', ')}). Upgrade this one.`,
      );
  }
}

async function openRealClock(config: Config, database: Database): Promise<Clock> {
  if (config.environment === 'production') await requireRealTime(database);
  return systemClock;
}

/** Off by default. Closed last, because everything else is still traced while it stops. */
function chooseTracer(
  config: Config,
  facts: Pick<Gateway, 'metrics' | 'logger'> & { readonly role: Role; readonly shutdownHooks: ShutdownHooks },
): Tracer {
  if (config.traces === null) return NO_TRACER;
  const tracer = openTracer(config.traces, {
    referenceKey: config.keys.referenceKey,
    role: facts.role,
    environment: config.environment,
    cell: config.cell.id,
    onSpans: facts.metrics.observer.traced,
    onTrouble: (reason) => facts.logger.warn({ where: 'traces', reason }, 'the collector takes no spans'),
  });
  facts.shutdownHooks.add(tracer.close);
  return tracer;
}

/** Loaded only where it is needed: `readConfig` refuses a simulator and a movable clock in production. */
async function loadSandbox(
  { environment, simulator, clockIsMovable }: Config,
  { fakeUrls = new Map() }: GatewayOptions,
  database: Database,
): Promise<SandboxParts | null> {
  if (environment === 'production' && simulator === null && !clockIsMovable) return null;
  const { openSandboxParts } = await import('../../sandbox/parts.ts');
  return openSandboxParts({ simulator, clockIsMovable, fakeUrls }, database);
}
