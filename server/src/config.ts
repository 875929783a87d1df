// The only reader of the environment. Everything below is given what it needs; docs/reference/configuration.md lists
// every name that stands here.
import { Buffer } from 'node:buffer';
import type { Connector, ConnectorTiming } from './connectors/port.ts';
import { parseTiming, TIMING_NAMES } from './connectors/timing.ts';
import type { Environment } from './core/engine.ts';
import type { RateRule } from './core/rate-limit.ts';
import { DEFAULT_HEALTH, isConsistent, type HealthSettings } from './domain/provider-health.ts';
import type { WorkerSettings } from './jobs/worker.ts';
import type { KeyringOptions } from './store/sealing.ts';
import {
  ConfigError,
  optional,
  readHosts,
  readNumber,
  readUrl,
  required,
  requireDistinct,
  type Range,
} from './config-values.ts';

/** One PostgreSQL cluster with its processes. Its id is the home of the merchants created in it. */
export type Cell = { readonly id: string; readonly databaseUrl: string };

export type SimulatorConfig = {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly notificationSecret: string;
  readonly timing: Partial<ConnectorTiming>;
  /** What the simulator was told to do with a reference that is sent again. */
  readonly repeatedSubmit?: Connector['repeatedSubmit'];
};

export type Config = {
  readonly environment: Environment;
  readonly cells: readonly Cell[];
  /** The cell this process works for. */
  readonly cell: Cell;
  readonly connectionsMax: number;
  readonly host: string;
  readonly port: number;
  /** Where operators reach this gateway. Null: at the address it listens on. */
  readonly operatorsUrl: string | null;
  /** Where merchants and payers reach this gateway. Null: wherever a request was sent to. */
  readonly publicUrl: string | null;
  /** Older names of this gateway, in lower case: there only the earlier generation of the API answers. */
  readonly earlierHosts: ReadonlySet<string>;
  readonly keys: KeyringOptions & { readonly referenceKey: Buffer };
  readonly queue: { readonly expireInSeconds: number; readonly monitorIntervalSeconds: number };
  readonly worker: WorkerSettings;
  /** When a provider counts as DELAYED, and when as OPERATIONAL again. */
  readonly health: HealthSettings;
  readonly directoryRememberMs: number;
  /** How many requests each API token may make of each process. */
  readonly rateLimit: RateRule;
  /** A clock that can be moved. Never in production. */
  readonly clockIsMovable: boolean;
  readonly simulator: SimulatorConfig | null;
  readonly logLevel: string;
};

export { ConfigError };

export const DEFAULT_SETTINGS = {
  connectionsMax: 20,
  earlierHosts: new Set<string>(),
  queue: {
    // Three times the 20 s a claim or an enquiry may take.
    expireInSeconds: 60,
    monitorIntervalSeconds: 5,
  },
  worker: {
    pollMs: 250,
    callbackTimeoutMs: 10_000,
    // Longer than a delivery can take, so that a lane is never worked by two.
    callbackLeaseMs: 30_000,
    // A provider that comes back must not be knocked over by those who waited.
    releasesPerSecond: 20,
    sweepIntervalMs: 15_000,
    sweepOverdueAfterMs: 30_000,
  },
  health: DEFAULT_HEALTH,
  // Half of the ten seconds within which a revocation must act.
  directoryRememberMs: 5_000,
  // More than a busy merchant sends, and less than it takes to crowd out the others.
  rateLimit: { perSecond: 100, burst: 200 },
} as const;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const environment = readEnvironment(env);
  const cells = readCells(env);
  const { connectionsMax, directoryRememberMs } = DEFAULT_SETTINGS;
  return {
    environment,
    cells,
    cell: readOwnCell(env, cells),
    connectionsMax: readNumber(env, 'MALIPO_DATABASE_CONNECTIONS', connectionsMax, [1, 1_000]),
    host: optional(env, 'MALIPO_HOST') ?? '127.0.0.1',
    port: readNumber(env, 'MALIPO_PORT', 8080, [0, 65_535]),
    operatorsUrl: readUrl(env, 'MALIPO_OPERATORS_URL'),
    publicUrl: readUrl(env, 'MALIPO_PUBLIC_URL'),
    earlierHosts: readHosts(env, 'MALIPO_EARLIER_HOSTS'),
    keys: readKeys(env),
    queue: readQueueSettings(env),
    worker: readWorkerSettings(env),
    health: readHealthSettings(env),
    // A revocation must act within ten seconds.
    directoryRememberMs: readNumber(env, 'MALIPO_DIRECTORY_REMEMBER_MS', directoryRememberMs, [0, 10_000]),
    rateLimit: readRateLimit(env),
    clockIsMovable: readMovableClock(env, environment),
    simulator: readSimulator(env, environment),
    logLevel: readLogLevel(env, 'info'),
  };
}

/** The sandbox needs no configuration; these two may steer it. */
export function readSandboxSettings(env: NodeJS.ProcessEnv = process.env): {
  readonly databaseUrl: string | null;
  readonly logLevel: string;
} {
  return { databaseUrl: optional(env, 'DATABASE_URL') ?? null, logLevel: readLogLevel(env, 'warn') };
}

function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  const value = required(env, 'MALIPO_ENVIRONMENT', '"sandbox" or "production"');
  if (value === 'sandbox' || value === 'production') return value;
  throw new ConfigError(`MALIPO_ENVIRONMENT must be "sandbox" or "production", not "${value}".`);
}

/** `MALIPO_CELLS` is "0001=postgres://… 0002=postgres://…"; with one cell, `DATABASE_URL` is enough. */
function readCells(env: NodeJS.ProcessEnv): readonly Cell[] {
  const text = optional(env, 'MALIPO_CELLS');
  if (text === undefined) return [{ id: '0001', databaseUrl: required(env, 'DATABASE_URL', 'postgres://…') }];
  const cells = text
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [, id, databaseUrl] = /^([0-9a-f]{4})=(.+)$/.exec(entry) ?? [];
      if (id !== undefined && databaseUrl !== undefined) return { id, databaseUrl };
      throw new ConfigError('MALIPO_CELLS must list cells as "0001=postgres://…", parted by blanks.');
    });
  requireDistinct('MALIPO_CELLS', 'the cell', cells);
  return cells;
}

function readOwnCell(env: NodeJS.ProcessEnv, cells: readonly Cell[]): Cell {
  const id = optional(env, 'MALIPO_CELL');
  const cell = id === undefined ? cells[0] : cells.find((candidate) => candidate.id === id);
  if (cell === undefined)
    throw new ConfigError(`MALIPO_CELL names the cell "${id}", which MALIPO_CELLS does not list.`);
  return cell;
}

function readKeys(env: NodeJS.ProcessEnv): Config['keys'] {
  const sealingKeys = required(env, 'MALIPO_SEALING_KEYS', '"1:<32 bytes in base64>", the current one first')
    .split(',')
    .map((entry) => {
      const [id = '', key = ''] = entry.split(':');
      if (!/^\d{1,3}$/.test(id) || Number(id) > 255) {
        throw new ConfigError('MALIPO_SEALING_KEYS: each key needs a number from 0 to 255 before the colon.');
      }
      return { id: Number(id), key: readKey('MALIPO_SEALING_KEYS', key) };
    });
  requireDistinct('MALIPO_SEALING_KEYS', 'the key number', sealingKeys);
  return {
    sealingKeys,
    searchKey: readKey('MALIPO_SEARCH_KEY', required(env, 'MALIPO_SEARCH_KEY', '32 bytes in base64')),
    referenceKey: readKey(
      'MALIPO_REFERENCE_KEY',
      required(env, 'MALIPO_REFERENCE_KEY', '32 bytes in base64'),
    ),
  };
}

function readKey(name: string, text: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length === 32) return key;
  throw new ConfigError(`${name} must hold 32 bytes in base64; make some with: openssl rand -base64 32`);
}

function readQueueSettings(env: NodeJS.ProcessEnv): Config['queue'] {
  const { expireInSeconds, monitorIntervalSeconds } = DEFAULT_SETTINGS.queue;
  return {
    expireInSeconds: readNumber(env, 'MALIPO_JOB_EXPIRE_SECONDS', expireInSeconds, [1, 60]),
    monitorIntervalSeconds: readNumber(env, 'MALIPO_QUEUE_MONITOR_SECONDS', monitorIntervalSeconds, [1, 60]),
  };
}

function readWorkerSettings(env: NodeJS.ProcessEnv): WorkerSettings {
  const { worker } = DEFAULT_SETTINGS;
  const readMs = (name: string, otherwise: number) =>
    // Zero would be a loop that never rests; beyond an hour nobody would notice that it works at all.
    readNumber(env, name, otherwise, [1, 3_600_000]);
  const settings = {
    pollMs: readMs('MALIPO_POLL_MS', worker.pollMs),
    callbackTimeoutMs: readMs('MALIPO_CALLBACK_TIMEOUT_MS', worker.callbackTimeoutMs),
    callbackLeaseMs: readMs('MALIPO_CALLBACK_LEASE_MS', worker.callbackLeaseMs),
    releasesPerSecond: readNumber(env, 'MALIPO_RELEASES_PER_SECOND', worker.releasesPerSecond, [1, 10_000]),
    sweepIntervalMs: readMs('MALIPO_SWEEP_INTERVAL_MS', worker.sweepIntervalMs),
    sweepOverdueAfterMs: readMs('MALIPO_SWEEP_OVERDUE_MS', worker.sweepOverdueAfterMs),
  };
  if (settings.callbackLeaseMs > settings.callbackTimeoutMs) return settings;
  throw new ConfigError('MALIPO_CALLBACK_LEASE_MS must be longer than MALIPO_CALLBACK_TIMEOUT_MS.');
}

function readHealthSettings(env: NodeJS.ProcessEnv): HealthSettings {
  const { health } = DEFAULT_SETTINGS;
  const read = (name: string, otherwise: number, range: Range) => readNumber(env, name, otherwise, range);
  const settings = {
    lookIntervalMs: read('MALIPO_HEALTH_LOOK_MS', health.lookIntervalMs, [10, 60_000]),
    // How often providers relapse is remembered for an hour, so no window may be longer.
    windowMs: read('MALIPO_HEALTH_WINDOW_MS', health.windowMs, [100, 3_600_000]),
    callsMin: read('MALIPO_HEALTH_CALLS_MIN', health.callsMin, [1, 1_000_000]),
    delayedPercent: read('MALIPO_HEALTH_DELAYED_PERCENT', health.delayedPercent, [1, 100]),
    operationalPercent: read('MALIPO_HEALTH_OPERATIONAL_PERCENT', health.operationalPercent, [0, 99]),
    silenceMs: read('MALIPO_HEALTH_SILENCE_MS', health.silenceMs, [10, 3_600_000]),
    recoverAfterMs: read('MALIPO_HEALTH_RECOVER_AFTER_MS', health.recoverAfterMs, [10, 3_600_000]),
    probeIntervalMs: read('MALIPO_HEALTH_PROBE_MS', health.probeIntervalMs, [10, 600_000]),
  };
  if (isConsistent(settings)) return settings;
  throw new ConfigError(
    'MALIPO_HEALTH_…: OPERATIONAL_PERCENT must be below DELAYED_PERCENT, SILENCE_MS shorter than WINDOW_MS, and ' +
      'RECOVER_AFTER_MS at least twice LOOK_MS.',
  );
}

function readRateLimit(env: NodeJS.ProcessEnv): RateRule {
  const { perSecond, burst } = DEFAULT_SETTINGS.rateLimit;
  return {
    perSecond: readNumber(env, 'MALIPO_REQUESTS_PER_SECOND', perSecond, [1, 1_000_000]),
    burst: readNumber(env, 'MALIPO_REQUEST_BURST', burst, [1, 1_000_000]),
  };
}

function readSimulator(env: NodeJS.ProcessEnv, environment: Environment): SimulatorConfig | null {
  const url = readUrl(env, 'MALIPO_SIMULATOR_URL');
  if (url === null) return null;
  if (environment === 'production')
    throw new ConfigError('Production has no simulator: unset MALIPO_SIMULATOR_URL.');
  return {
    url,
    clientId: required(env, 'MALIPO_SIMULATOR_CLIENT_ID', 'the name the simulator knows us by'),
    clientSecret: required(env, 'MALIPO_SIMULATOR_CLIENT_SECRET', 'the secret that goes with it'),
    notificationSecret: required(env, 'MALIPO_SIMULATOR_NOTIFICATION_SECRET', 'what it signs with'),
    timing: readTiming(env),
    repeatedSubmit: readRepeats(env),
  };
}

function readRepeats(env: NodeJS.ProcessEnv): Connector['repeatedSubmit'] {
  const value = optional(env, 'MALIPO_SIMULATOR_REPEATS') ?? 'recognised';
  if (value === 'recognised') return 'HARMLESS';
  if (value === 'charged') return 'CHARGES_AGAIN';
  throw new ConfigError(`MALIPO_SIMULATOR_REPEATS must be "recognised" or "charged", not "${value}".`);
}

function readTiming(env: NodeJS.ProcessEnv): Partial<ConnectorTiming> {
  const timing = parseTiming(optional(env, 'MALIPO_SIMULATOR_TIMING') ?? '{}');
  if (timing !== null) return timing;
  throw new ConfigError(
    `MALIPO_SIMULATOR_TIMING must be a JSON object of milliseconds, with names out of ${TIMING_NAMES.join(', ')}.`,
  );
}

function readMovableClock(env: NodeJS.ProcessEnv, environment: Environment): boolean {
  const value = optional(env, 'MALIPO_MOVABLE_CLOCK') ?? 'off';
  if (value !== 'on' && value !== 'off')
    throw new ConfigError(`MALIPO_MOVABLE_CLOCK must be "on" or "off", not "${value}".`);
  if (value === 'on' && environment === 'production')
    throw new ConfigError('Production has real time only: unset MALIPO_MOVABLE_CLOCK.');
  return value === 'on';
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

function readLogLevel(env: NodeJS.ProcessEnv, otherwise: string): string {
  const level = optional(env, 'MALIPO_LOG_LEVEL') ?? otherwise;
  if (LOG_LEVELS.includes(level)) return level;
  throw new ConfigError(`MALIPO_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${level}".`);
}
