// Settings that belong together, read together: how the worker runs, how the health of providers is assessed, what is
// watched, how we sign. What must fit together is checked here.
import { parseMailSettings, type MailSettings } from './callbacks/mail.ts';
import { parseRanges } from './callbacks/address-ranges.ts';
import type { OutgoingRules } from './callbacks/outgoing-guard.ts';
import { parseBindings, type Binding } from './connectors/bindings.ts';
import type { Connector, ConnectorTiming } from './connectors/port.ts';
import { CONNECTOR_NAMES } from './connectors/registry.ts';
import { parseTiming, parseTimings, TIMING_NAMES } from './connectors/timing.ts';
import type { Environment } from './core/engine.ts';
import { parseFloatMinimums } from './core/monitoring/float-minimum.ts';
import { DEFAULT_MONITOR, type MonitorSettings } from './core/monitoring/monitor.ts';
import { DEFAULT_RETENTION, type RetentionSettings } from './core/retention.ts';
import { DEFAULT_SIGNATURES, type SignatureSettings } from './core/access/signing-keys.ts';
import type { TraceSettings } from './core/tracer.ts';
import { parseApprovalLimits, type ApprovalLimits } from './domain/payments/payout-batch.ts';
import { DEFAULT_HEALTH, isConsistent, type HealthSettings } from './domain/operators/provider-health.ts';
import { DEFAULT_WORKER, type WorkerSettings } from './jobs/worker-settings.ts';
import {
  DEFAULT_BRAND,
  parseBrandColour,
  parseBrandName,
  readBrandMark,
  type Brand,
  type BrandProblem,
} from './edge/pages/look/brand.ts';
import {
  ConfigError,
  optional,
  readEither,
  readNumber,
  readUrl,
  required,
  type Range,
} from './config-values.ts';

const DAY_MS = 24 * 3_600_000;

export type OperatorSettings = {
  /** Which connector carries which payments. Empty: none but the simulator, where there is one. */
  readonly bindings: readonly Binding[];
  /** What differs from a connector's own timing, by its name. */
  readonly timing: Readonly<Record<string, Partial<ConnectorTiming>>>;
  /** From where a connector's messages are read, by its name. Left out: as its operator publishes, in production. */
  readonly sources?: Readonly<Record<string, readonly string[]>>;
};

export const NO_OPERATORS: OperatorSettings = { bindings: [], timing: {} };

export function readOperatorSettings(env: NodeJS.ProcessEnv): OperatorSettings {
  const bindings = parseBindings(optional(env, 'MALIPO_OPERATORS') ?? '');
  const names = CONNECTOR_NAMES.join(', ');
  if ('fault' in bindings)
    throw new ConfigError(
      'MALIPO_OPERATORS must bind known providers as "MTN_MOMO_RWA=mtn-momo", parted by spaces, ' +
        `not "${bindings.fault}".`,
    );
  const stranger = bindings.find(({ connector }) => !CONNECTOR_NAMES.includes(connector));
  if (stranger !== undefined)
    throw new ConfigError(
      `MALIPO_OPERATORS: there is no connector "${stranger.connector}". There are: ${names}.`,
    );
  const timing = parseTimings(optional(env, 'MALIPO_OPERATOR_TIMING') ?? '{}');
  if (timing !== null && Object.keys(timing).every((name) => CONNECTOR_NAMES.includes(name)))
    return { bindings, timing, ...readSources(env) };
  throw new ConfigError(
    `MALIPO_OPERATOR_TIMING must be a JSON object of timings by connector (${names}), each in milliseconds with ` +
      `names out of ${TIMING_NAMES.join(', ')}.`,
  );
}

/** "mpesa-daraja=196.201.214.0/24,196.201.213.114 wave=…": ranges of addresses by connector. */
function readSources(env: NodeJS.ProcessEnv): Pick<OperatorSettings, 'sources'> {
  const entries = (optional(env, 'MALIPO_OPERATOR_SOURCES') ?? '').split(/\s+/).filter((one) => one !== '');
  if (entries.length === 0) return {};
  const pairs = entries.map((entry) => {
    const [name = '', list = '', ...rest] = entry.split('=');
    const ranges = rest.length === 0 && list !== '' ? parseRanges(list) : null;
    if (ranges !== null && CONNECTOR_NAMES.includes(name)) return [name, ranges] as const;
    throw new ConfigError(
      'MALIPO_OPERATOR_SOURCES must list ranges of addresses by connector as "mpesa-daraja=192.0.2.0/24,…", ' +
        `not "${entry}".`,
    );
  });
  return { sources: Object.fromEntries(pairs) };
}

export type MetricsListener = { readonly host: string; readonly port: number };

export function readMetricsListener(env: NodeJS.ProcessEnv): MetricsListener | null {
  if (optional(env, 'MALIPO_METRICS_PORT') === undefined) return null;
  const port = readNumber(env, 'MALIPO_METRICS_PORT', 0, [0, 65_535]);
  return { host: optional(env, 'MALIPO_METRICS_HOST') ?? '127.0.0.1', port };
}

export function readWorkerSettings(env: NodeJS.ProcessEnv): WorkerSettings {
  const worker = DEFAULT_WORKER;
  const readMs = (name: string, otherwise: number) =>
    // Zero would be a loop that never rests; beyond an hour no one would notice that it works at all.
    readNumber(env, name, otherwise, [1, 3_600_000]);
  const settings = {
    pollMs: readMs('MALIPO_POLL_MS', worker.pollMs),
    callbackTimeoutMs: readMs('MALIPO_CALLBACK_TIMEOUT_MS', worker.callbackTimeoutMs),
    callbackLeaseMs: readMs('MALIPO_CALLBACK_LEASE_MS', worker.callbackLeaseMs),
    callbacksAtOnceMax: readNumber(env, 'MALIPO_CALLBACKS_AT_ONCE', worker.callbacksAtOnceMax, [1, 1_000]),
    callbackSwitchOffAfterMs: DAY_MS * readNumber(env, 'MALIPO_CALLBACK_SWITCH_OFF_DAYS', 3, [1, 365]),
    releasesPerSecond: readNumber(env, 'MALIPO_RELEASES_PER_SECOND', worker.releasesPerSecond, [1, 10_000]),
    stepLeaseMs: readMs('MALIPO_STEP_LEASE_MS', worker.stepLeaseMs),
    sweepIntervalMs: readMs('MALIPO_SWEEP_INTERVAL_MS', worker.sweepIntervalMs),
    sweepOverdueAfterMs: readMs('MALIPO_SWEEP_OVERDUE_MS', worker.sweepOverdueAfterMs),
  };
  if (settings.callbackLeaseMs > settings.callbackTimeoutMs) return settings;
  throw new ConfigError('MALIPO_CALLBACK_LEASE_MS must be longer than MALIPO_CALLBACK_TIMEOUT_MS.');
}

export function readHealthSettings(env: NodeJS.ProcessEnv): HealthSettings {
  const health = DEFAULT_HEALTH;
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

export function readMonitorSettings(env: NodeJS.ProcessEnv): MonitorSettings {
  const { intervalMs, floatIntervalMs, booksIntervalMs } = DEFAULT_MONITOR;
  const floatMinimums = parseFloatMinimums(optional(env, 'MALIPO_FLOAT_MIN') ?? '');
  if (floatMinimums === null)
    throw new ConfigError(
      'MALIPO_FLOAT_MIN must list floats as "MTN_MOMO_RWA/RWF=500000", parted by commas.',
    );
  return {
    intervalMs: readNumber(env, 'MALIPO_MONITOR_INTERVAL_MS', intervalMs, [100, 3_600_000]),
    floatIntervalMs: readNumber(env, 'MALIPO_MONITOR_FLOAT_MS', floatIntervalMs, [100, 86_400_000]),
    booksIntervalMs: readNumber(env, 'MALIPO_MONITOR_BOOKS_MS', booksIntervalMs, [100, 86_400_000]),
    floatMinimums,
  };
}

export function readRetentionSettings(env: NodeJS.ProcessEnv): RetentionSettings {
  const { notificationDays, callbackAttemptDays, statementDays, eventDays } = DEFAULT_RETENTION;
  // Not before a callback has been given up, and a message can no longer matter to a payment that is still open.
  const readDays = (name: string, otherwise: number) => readNumber(env, name, otherwise, [14, 36_500]);
  return {
    notificationDays: readDays('MALIPO_KEEP_NOTIFICATIONS_DAYS', notificationDays),
    callbackAttemptDays: readDays('MALIPO_KEEP_CALLBACK_ATTEMPTS_DAYS', callbackAttemptDays),
    // Links are good for a day, and a new one must lead somewhere.
    statementDays: readNumber(env, 'MALIPO_KEEP_STATEMENTS_DAYS', statementDays, [2, 36_500]),
    eventDays: readNumber(env, 'MALIPO_KEEP_EVENTS_DAYS', eventDays, [1, 36_500]),
  };
}

export function readSignatureSettings(env: NodeJS.ProcessEnv): SignatureSettings {
  const { encoding, keyDays, keyLeadSeconds } = DEFAULT_SIGNATURES;
  return {
    encoding: readEither(env, 'MALIPO_SIGNATURE_ENCODING', ['der', 'raw'], encoding),
    keyDays: readNumber(env, 'MALIPO_SIGNING_KEY_DAYS', keyDays, [1, 3_650]),
    // Every process must have read the next key before it signs.
    keyLeadSeconds: readNumber(env, 'MALIPO_SIGNING_KEY_LEAD_SECONDS', keyLeadSeconds, [15, 604_800]),
  };
}

export function readTraces(env: NodeJS.ProcessEnv): TraceSettings | null {
  const url = readUrl(env, 'MALIPO_TRACES_URL');
  const samplePercent = readNumber(env, 'MALIPO_TRACES_SAMPLE_PERCENT', 100, [1, 100]);
  return url === null ? null : { url, samplePercent };
}

export function readRanges(env: NodeJS.ProcessEnv, name: string): readonly string[] {
  const ranges = parseRanges(optional(env, name) ?? '');
  if (ranges !== null) return ranges;
  throw new ConfigError(`${name} must list ranges such as 10.1.0.0/16 or fd00::/8, parted by commas.`);
}

export function readOutgoingRules(env: NodeJS.ProcessEnv, environment: Environment): OutgoingRules {
  return { refused: readRanges(env, 'MALIPO_OUTGOING_REFUSE'), ports: readOutgoingPorts(env, environment) };
}

/** In production merchants name https addresses only; another port would let them look for services. */
function readOutgoingPorts(env: NodeJS.ProcessEnv, environment: Environment): readonly number[] | null {
  const text = optional(env, 'MALIPO_OUTGOING_PORTS');
  if (text === undefined) return environment === 'production' ? [443] : null;
  const ports = text.split(/[\s,]+/).map((port) => (/^\d{1,5}$/.test(port) ? Number(port) : 0));
  if (ports.every((port) => port >= 1 && port <= 65_535)) return ports;
  throw new ConfigError('MALIPO_OUTGOING_PORTS must list ports such as 443, separated by commas.');
}

export function readTrustedProxies(env: NodeJS.ProcessEnv): readonly string[] {
  const ranges = readRanges(env, 'MALIPO_TRUSTED_PROXIES');
  if (!ranges.some((range) => range.endsWith('/0'))) return ranges;
  throw new ConfigError('MALIPO_TRUSTED_PROXIES must name your own proxies, not all addresses.');
}

export function readPayoutApproval(env: NodeJS.ProcessEnv): ApprovalLimits {
  const limits = parseApprovalLimits(optional(env, 'MALIPO_PAYOUT_APPROVAL_ABOVE') ?? '');
  if (limits !== null) return limits;
  throw new ConfigError(
    'MALIPO_PAYOUT_APPROVAL_ABOVE must list amounts as "RWF=100000", parted by commas, each currency once.',
  );
}

export function readBrand(env: NodeJS.ProcessEnv): Brand {
  return {
    name: readPart(env, 'MALIPO_BRAND_NAME', parseBrandName) ?? DEFAULT_BRAND.name,
    colour: readPart(env, 'MALIPO_BRAND_COLOUR', parseBrandColour) ?? DEFAULT_BRAND.colour,
    mark: readPart(env, 'MALIPO_BRAND_MARK', readBrandMark),
  };
}

function readPart<Part>(
  env: NodeJS.ProcessEnv,
  name: string,
  read: (text: string) => Part | BrandProblem,
): Part | null {
  const text = optional(env, name);
  if (text === undefined) return null;
  const part = read(text);
  if (isProblem(part)) throw new ConfigError(`${name} ${part.problem}.`);
  return part;
}

function isProblem(part: unknown): part is BrandProblem {
  return typeof part === 'object' && part !== null && 'problem' in part;
}

export function readMail(env: NodeJS.ProcessEnv): MailSettings | null {
  const smtpUrl = optional(env, 'MALIPO_SMTP_URL');
  if (smtpUrl === undefined) return null;
  const from = required(env, 'MALIPO_MAIL_FROM', 'the address mails come from');
  const settings = parseMailSettings({ smtpUrl, from });
  if (settings !== null) return settings;
  throw new ConfigError(
    'MALIPO_SMTP_URL must be smtp://user:password@host:587 or smtps://…, and MALIPO_MAIL_FROM a mail address.',
  );
}

export type SimulatorConfig = {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly notificationSecret: string;
  readonly timing: Partial<ConnectorTiming>;
  /** What the simulator was told to do with a reference that is sent again. */
  readonly repeatedSubmit?: Connector['repeatedSubmit'];
};

export function readSimulator(env: NodeJS.ProcessEnv, environment: Environment): SimulatorConfig | null {
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
