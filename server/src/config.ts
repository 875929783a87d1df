// The only reader of the environment. Everything below is given what it needs; docs/reference/configuration.md lists
// every name that stands here.
import type { Buffer } from 'node:buffer';
import type { MailSettings } from './callbacks/mail.ts';
import { LOOPBACK_RANGES, type OutgoingRules } from './callbacks/outgoing-guard.ts';
import type { Environment } from './core/engine.ts';
import { DEFAULT_AUTH_FAILURES } from './core/access/auth-failure-limit.ts';
import { DEFAULT_PROMPTS, type PromptLimits } from './core/payments/accept/limit-prompts.ts';
import { DEFAULT_MONITOR, type MonitorSettings } from './core/monitoring/monitor.ts';
import { DEFAULT_PAGE_RATE, DEFAULT_RATE, type RateRule } from './core/access/rate-limit.ts';
import { DEFAULT_RETENTION, type RetentionSettings } from './core/retention.ts';
import { DEFAULT_SIGNATURES, type SignatureSettings } from './core/access/signing-keys.ts';
import type { TraceSettings } from './core/tracer.ts';
import type { TokenLimits } from './domain/limits/default-limits.ts';
import type { ReviewRule } from './domain/limits/review.ts';
import type { ScreeningSettings } from './domain/limits/screening.ts';
import type { ApprovalLimits } from './domain/payments/payout-batch.ts';
import { DEFAULT_HEALTH, type HealthSettings } from './domain/operators/provider-health.ts';
import type { IdentityProviderSettings } from './edge/console/sign-in/identity-provider.ts';
import { DEFAULT_BRAND, type Brand } from './edge/pages/look/brand.ts';
import { DEFAULT_WORKER, type WorkerSettings } from './jobs/worker-settings.ts';
import type { Cell } from './store/cells/cell.ts';
import { DEFAULT_CONNECTIONS, type ConnectionSettings } from './store/database.ts';
import {
  readBrand,
  readHealthSettings,
  readMail,
  NO_OPERATORS,
  readMonitorSettings,
  readMetricsListener,
  readOperatorSettings,
  readOutgoingRules,
  readPayoutApproval,
  readRanges,
  readRetentionSettings,
  readSignatureSettings,
  readSimulator,
  readTraces,
  readTrustedProxies,
  readWorkerSettings,
  type MetricsListener,
  type OperatorSettings,
  type SimulatorConfig,
} from './config-groups.ts';
import { readCells, readConnections, readDirectUrl, readOwnCell } from './config-database.ts';
import { readKeyList, readKeys, type KeySettings } from './config-keys.ts';
import { readIdentityProvider } from './config-oidc.ts';
import {
  DEFAULT_BANK_COOLING_OFF_MS,
  readAuthFailureLimit,
  readBankCoolingOff,
  readPageLimit,
  readPromptLimits,
  readRateLimit,
  readTokenLimits,
} from './config-limits.ts';
import { readReviewRules, readScreening } from './config-screening.ts';
import { readSecretFiles } from './config-secrets.ts';
import {
  ConfigError,
  optional,
  readEither,
  readHosts,
  readLogLevel,
  readNumber,
  readPublicUrl,
  readUrl,
  required,
} from './config-values.ts';

export type ConsoleSettings = {
  /** Signs cookies and encrypts two-factor authentication. */
  readonly key: Buffer;
  /** Those before it, which are still believed. */
  readonly olderKeys?: readonly Buffer[];
  readonly twoFactor: 'REQUIRED' | 'OPTIONAL';
  /** Whether what lets money out by the API takes two people. It does, except in a sandbox of one's own. */
  readonly secondApprover?: 'REQUIRED' | 'OPTIONAL';
  /** Up to so much in a day payouts need no second approver. Without: all need one. */
  readonly payoutApprovalAbove?: ApprovalLimits;
  /** Where people can sign in besides. Null: with passwords only. */
  readonly provider?: IdentityProviderSettings | null;
};

export type Config = {
  readonly environment: Environment;
  readonly cells: readonly Cell[];
  /** The cell this process works for. */
  readonly cell: Cell;
  readonly connectionsMax: number;
  readonly connections: ConnectionSettings;
  /** PostgreSQL itself, for what needs a session, where the cell's database is a pooler. Null: there is none. */
  readonly directUrl: string | null;
  readonly host: string;
  readonly port: number;
  /** Where metrics are answered, and nowhere else, and health as well. Null: where everything else is. */
  readonly metricsListener: MetricsListener | null;
  /** Where operators reach this gateway. Null: at the address it listens on. */
  readonly operatorsUrl: string | null;
  /** Where merchants and payers reach this gateway. Null, in a sandbox: wherever a request was sent to. */
  readonly publicUrl: string | null;
  /** Ranges of addresses of the host's own proxies: these alone are believed about whom they speak for. */
  readonly trustedProxies: readonly string[];
  /** What pages for payers show of the platform that hosts them. */
  readonly brand: Brand;
  /** Ranges of addresses that callbacks may go to although they are not public. */
  readonly outgoingAllow: readonly string[];
  readonly outgoingRules: OutgoingRules;
  /** How mails are sent. Null: none are. */
  readonly mail: MailSettings | null;
  /** Where people sign in. Null: there is no dashboard here. */
  readonly console: ConsoleSettings | null;
  /** Older names of this gateway, in lower case: there only API v1 answers. */
  readonly v1Hosts: ReadonlySet<string>;
  readonly keys: KeySettings;
  readonly worker: WorkerSettings;
  /** When a provider counts as DELAYED, and when as OPERATIONAL again. */
  readonly health: HealthSettings;
  readonly monitor: MonitorSettings;
  /** How the service signs, and when its keys are replaced. */
  readonly retention: RetentionSettings;
  readonly signatures: SignatureSettings;
  readonly directoryRememberMs: number;
  /** How many requests each API token may make of each process. */
  readonly rateLimit: RateRule;
  /** How many orders may wait in a process to be written. */
  readonly ordersWaitingMax: number;
  /** Where payments would wait this long to be sent, new ones begin to be rejected. */
  readonly backlogMs: number;
  /** How many requests without a valid token each client may make of each process. */
  readonly authFailureLimit: RateRule;
  /** How many requests to hosted pages each client may make of each process. */
  readonly pageLimit: RateRule;
  /** How often a payer's phone may be asked for a PIN. */
  readonly promptLimits: PromptLimits;
  /** How much one API token may send out in a day, where nothing else is set for the merchant. */
  readonly tokenLimits: TokenLimits;
  /** The platform's own service that is asked about payments. Null: there is none. */
  readonly screening: ScreeningSettings | null;
  /** What it is asked about, and what people look at, where nothing else is set for the merchant. */
  readonly reviewRules: readonly ReviewRule[];
  /** For so long after a bank account was registered or changed nothing is settled to it. */
  readonly bankCoolingOffMs: number;
  /** For so long a process that is told to stop still answers that it does. */
  readonly stopNoticeMs: number;
  /** A clock that can be moved. Never in production. */
  readonly clockIsMovable: boolean;
  readonly simulator: SimulatorConfig | null;
  readonly operators: OperatorSettings;
  readonly traces: TraceSettings | null;
  readonly logLevel: string;
};

export const DEFAULT_SETTINGS = {
  connectionsMax: 20,
  connections: DEFAULT_CONNECTIONS,
  directUrl: null,
  metricsListener: null,
  trustedProxies: [] as readonly string[],
  outgoingRules: {},
  v1Hosts: new Set<string>(),
  brand: DEFAULT_BRAND,
  worker: DEFAULT_WORKER,
  health: DEFAULT_HEALTH,
  monitor: DEFAULT_MONITOR,
  retention: DEFAULT_RETENTION,
  signatures: DEFAULT_SIGNATURES,
  // Half of the ten seconds within which a revocation must act.
  directoryRememberMs: 5_000,
  rateLimit: DEFAULT_RATE,
  // Four full batches: about as much as is written in a second, so that anyone who is let in is answered soon.
  ordersWaitingMax: 1_024,
  // A payer at a till still waits so long for the prompt.
  backlogMs: 3_000,
  // A proxy that looks every second has looked by then.
  stopNoticeMs: 1_500,
  authFailureLimit: DEFAULT_AUTH_FAILURES,
  pageLimit: DEFAULT_PAGE_RATE,
  promptLimits: DEFAULT_PROMPTS,
  tokenLimits: new Map() as TokenLimits,
  screening: null,
  reviewRules: [] as readonly ReviewRule[],
  bankCoolingOffMs: DEFAULT_BANK_COOLING_OFF_MS,
  operators: NO_OPERATORS,
} as const;

export function readConfig(given: NodeJS.ProcessEnv = process.env): Config {
  const env = readSecretFiles(given);
  const environment = readEnvironment(env);
  const cells = readCells(env);
  const { connectionsMax, directoryRememberMs, ordersWaitingMax, backlogMs, stopNoticeMs } = DEFAULT_SETTINGS;
  return {
    environment,
    cells,
    cell: readOwnCell(env, cells),
    connectionsMax: readNumber(env, 'MALIPO_DATABASE_CONNECTIONS', connectionsMax, [1, 1_000]),
    connections: readConnections(env),
    directUrl: readDirectUrl(env),
    host: optional(env, 'MALIPO_HOST') ?? '127.0.0.1',
    port: readNumber(env, 'MALIPO_PORT', 8080, [0, 65_535]),
    metricsListener: readMetricsListener(env),
    operatorsUrl: readUrl(env, 'MALIPO_OPERATORS_URL'),
    publicUrl: readPublicUrl(env, environment),
    brand: readBrand(env),
    trustedProxies: readTrustedProxies(env),
    outgoingAllow: readRanges(env, 'MALIPO_OUTGOING_ALLOW'),
    outgoingRules: readOutgoingRules(env, environment),
    mail: readMail(env),
    console: readConsole(env),
    v1Hosts: readHosts(env, 'MALIPO_V1_HOSTS'),
    keys: readKeys(env, environment, given),
    worker: readWorkerSettings(env),
    health: readHealthSettings(env),
    monitor: readMonitorSettings(env),
    retention: readRetentionSettings(env),
    signatures: readSignatureSettings(env),
    // A revocation must act within ten seconds.
    directoryRememberMs: readNumber(env, 'MALIPO_DIRECTORY_REMEMBER_MS', directoryRememberMs, [0, 10_000]),
    rateLimit: readRateLimit(env),
    ordersWaitingMax: readNumber(env, 'MALIPO_ORDERS_WAITING', ordersWaitingMax, [1, 1_000_000]),
    backlogMs: readNumber(env, 'MALIPO_BACKLOG_MS', backlogMs, [100, 3_600_000]),
    authFailureLimit: readAuthFailureLimit(env),
    pageLimit: readPageLimit(env),
    promptLimits: readPromptLimits(env),
    tokenLimits: readTokenLimits(env, environment),
    screening: readScreening(env, environment),
    reviewRules: readReviewRules(env, environment),
    bankCoolingOffMs: readBankCoolingOff(env),
    stopNoticeMs: readNumber(env, 'MALIPO_STOP_NOTICE_MS', stopNoticeMs, [0, 60_000]),
    clockIsMovable: readMovableClock(env, environment),
    simulator: readSimulator(env, environment),
    operators: readOperatorSettings(env),
    traces: readTraces(env),
    logLevel: readLogLevel(env, 'info'),
  };
}

type SandboxSettings = Pick<Config, 'logLevel' | 'traces' | 'outgoingAllow' | 'brand'> & {
  readonly databaseUrl: string | null;
};

/** The sandbox needs no configuration; these may steer it. A merchant's server on the same machine is its purpose. */
export function readSandboxSettings(given: NodeJS.ProcessEnv = process.env): SandboxSettings {
  const env = readSecretFiles(given);
  return {
    databaseUrl: optional(env, 'DATABASE_URL') ?? null,
    brand: readBrand(env),
    logLevel: readLogLevel(env, 'warn'),
    outgoingAllow: [...LOOPBACK_RANGES, ...readRanges(env, 'MALIPO_OUTGOING_ALLOW')],
    traces: readTraces(env),
  };
}

function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  required(env, 'MALIPO_ENVIRONMENT', '"sandbox" or "production"');
  return readEither(env, 'MALIPO_ENVIRONMENT', ['sandbox', 'production'], 'sandbox');
}

function readConsole(env: NodeJS.ProcessEnv): ConsoleSettings | null {
  const text = optional(env, 'MALIPO_CONSOLE_KEY');
  if (text === undefined) return null;
  const { key, older } = readKeyList('MALIPO_CONSOLE_KEY', text);
  return {
    key,
    ...(older.length > 0 && { olderKeys: older }),
    twoFactor: readEither(env, 'MALIPO_TWO_FACTOR', ['REQUIRED', 'OPTIONAL'], 'REQUIRED'),
    payoutApprovalAbove: readPayoutApproval(env),
    provider: readIdentityProvider(env),
  };
}

function readMovableClock(env: NodeJS.ProcessEnv, environment: Environment): boolean {
  const value = readEither(env, 'MALIPO_MOVABLE_CLOCK', ['on', 'off'], 'off');
  if (value === 'on' && environment === 'production')
    throw new ConfigError('Production has real time only: unset MALIPO_MOVABLE_CLOCK.');
  return value === 'on';
}
