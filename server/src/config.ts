// The only reader of the environment. Everything below is given what it needs; docs/reference/configuration.md lists
// every name that stands here.
import { Buffer } from 'node:buffer';
import type { ConnectorTiming } from './connectors/port.ts';
import type { Environment } from './core/engine.ts';
import type { WorkerSettings } from './jobs/worker.ts';
import type { KeyringOptions } from './store/sealing.ts';

/** One PostgreSQL cluster with its processes. Its id is the home of the merchants created in it. */
export type Cell = { readonly id: string; readonly databaseUrl: string };

export type SimulatorConfig = {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly notificationSecret: string;
  readonly timing: Partial<ConnectorTiming>;
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
  readonly keys: KeyringOptions & { readonly referenceKey: Buffer };
  readonly queue: { readonly expireInSeconds: number; readonly monitorIntervalSeconds: number };
  readonly worker: WorkerSettings;
  readonly directoryRememberMs: number;
  /** A clock that can be moved. Never in production. */
  readonly clockIsMovable: boolean;
  readonly simulator: SimulatorConfig | null;
  readonly logLevel: string;
};

/** A setting that is missing or wrong. Its message tells the host what to do. */
export class ConfigError extends Error {}

export const DEFAULT_SETTINGS = {
  connectionsMax: 20,
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
    sweepIntervalMs: 15_000,
    sweepOverdueAfterMs: 30_000,
  },
  // Half of the ten seconds within which a revocation must act.
  directoryRememberMs: 5_000,
} as const;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const environment = readEnvironment(env);
  const cells = readCells(env);
  return {
    environment,
    cells,
    cell: readOwnCell(env, cells),
    connectionsMax: readNumber(env, 'MALIPO_DATABASE_CONNECTIONS', DEFAULT_SETTINGS.connectionsMax),
    host: env['MALIPO_HOST'] ?? '127.0.0.1',
    port: readNumber(env, 'MALIPO_PORT', 8080),
    operatorsUrl: env['MALIPO_OPERATORS_URL'] ?? null,
    keys: readKeys(env),
    queue: {
      expireInSeconds: readNumber(env, 'MALIPO_JOB_EXPIRE_SECONDS', DEFAULT_SETTINGS.queue.expireInSeconds),
      monitorIntervalSeconds: readNumber(
        env,
        'MALIPO_QUEUE_MONITOR_SECONDS',
        DEFAULT_SETTINGS.queue.monitorIntervalSeconds,
      ),
    },
    worker: readWorkerSettings(env),
    directoryRememberMs: readNumber(
      env,
      'MALIPO_DIRECTORY_REMEMBER_MS',
      DEFAULT_SETTINGS.directoryRememberMs,
    ),
    clockIsMovable: readSwitch(env, 'MALIPO_MOVABLE_CLOCK', environment),
    simulator: readSimulator(env, environment),
    logLevel: env['MALIPO_LOG_LEVEL'] ?? 'info',
  };
}

/** The sandbox needs no configuration; these two may steer it. */
export function readSandboxSettings(env: NodeJS.ProcessEnv = process.env): {
  readonly databaseUrl: string | null;
  readonly logLevel: string;
} {
  return { databaseUrl: env['DATABASE_URL'] ?? null, logLevel: env['MALIPO_LOG_LEVEL'] ?? 'warn' };
}

function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  const value = required(env, 'MALIPO_ENVIRONMENT', '"sandbox" or "production"');
  if (value === 'sandbox' || value === 'production') return value;
  throw new ConfigError(`MALIPO_ENVIRONMENT must be "sandbox" or "production", not "${value}".`);
}

/** `MALIPO_CELLS` is "0001=postgres://… 0002=postgres://…"; with one cell, `DATABASE_URL` is enough. */
function readCells(env: NodeJS.ProcessEnv): readonly Cell[] {
  const text = env['MALIPO_CELLS'];
  if (text === undefined) return [{ id: '0001', databaseUrl: required(env, 'DATABASE_URL', 'postgres://…') }];
  return text
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [, id, databaseUrl] = /^([0-9a-f]{4})=(.+)$/.exec(entry) ?? [];
      if (id !== undefined && databaseUrl !== undefined) return { id, databaseUrl };
      throw new ConfigError('MALIPO_CELLS must list cells as "0001=postgres://…", parted by blanks.');
    });
}

function readOwnCell(env: NodeJS.ProcessEnv, cells: readonly Cell[]): Cell {
  const id = env['MALIPO_CELL'];
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

function readWorkerSettings(env: NodeJS.ProcessEnv): WorkerSettings {
  const { worker } = DEFAULT_SETTINGS;
  return {
    pollMs: readNumber(env, 'MALIPO_POLL_MS', worker.pollMs),
    callbackTimeoutMs: readNumber(env, 'MALIPO_CALLBACK_TIMEOUT_MS', worker.callbackTimeoutMs),
    callbackLeaseMs: readNumber(env, 'MALIPO_CALLBACK_LEASE_MS', worker.callbackLeaseMs),
    sweepIntervalMs: readNumber(env, 'MALIPO_SWEEP_INTERVAL_MS', worker.sweepIntervalMs),
    sweepOverdueAfterMs: readNumber(env, 'MALIPO_SWEEP_OVERDUE_MS', worker.sweepOverdueAfterMs),
  };
}

function readSimulator(env: NodeJS.ProcessEnv, environment: Environment): SimulatorConfig | null {
  const url = env['MALIPO_SIMULATOR_URL'];
  if (url === undefined) return null;
  if (environment === 'production')
    throw new ConfigError('Production has no simulator: unset MALIPO_SIMULATOR_URL.');
  return {
    url,
    clientId: required(env, 'MALIPO_SIMULATOR_CLIENT_ID', 'the name the simulator knows us by'),
    clientSecret: required(env, 'MALIPO_SIMULATOR_CLIENT_SECRET', 'the secret that goes with it'),
    notificationSecret: required(env, 'MALIPO_SIMULATOR_NOTIFICATION_SECRET', 'what it signs with'),
    timing: JSON.parse(env['MALIPO_SIMULATOR_TIMING'] ?? '{}') as Partial<ConnectorTiming>,
  };
}

function readSwitch(env: NodeJS.ProcessEnv, name: string, environment: Environment): boolean {
  const isOn = env[name] === 'on';
  if (isOn && environment === 'production')
    throw new ConfigError(`Production has real time only: unset ${name}.`);
  return isOn;
}

function readNumber(env: NodeJS.ProcessEnv, name: string, otherwise: number): number {
  const text = env[name];
  if (text === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw new ConfigError(`${name} must be a whole number, not "${text}".`);
  return Number(text);
}

function required(env: NodeJS.ProcessEnv, name: string, what: string): string {
  const value = env[name];
  if (value !== undefined && value !== '') return value;
  throw new ConfigError(`${name} is not set. It must hold ${what}.`);
}
