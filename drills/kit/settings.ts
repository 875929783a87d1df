// The settings of a gateway in a run. Time is shortened in drills: seconds of production become fractions of a second,
// in the same proportions.
import type { Binding } from '../../server/src/connectors/bindings.ts';
import type { ConnectorTiming } from '../../server/src/connectors/port.ts';

export type Environment = Readonly<Record<string, string>>;

/** LONG: minutes of chaos. SHORT: a smoke run, in which even a stuck payment must end. */
export type Tempo = 'LONG' | 'SHORT';

/** The name of the administrator in a run. */
export const BY = 'drill';

export const CLIENT = {
  clientId: 'malipo',
  clientSecret: 'drill',
  notificationSecret: 'drill-notifications',
};

export const TIMING: ConnectorTiming = {
  sendDeadlineMs: 2_000,
  timeoutMs: 1_500,
  // Two seconds more than a send can take: for the operator's delay, and for clocks that are wrong by less than one.
  notSeenAfterMs: 5_500,
  enquiryDelaysMs: [400, 800, 1_600, 3_000, 5_000],
  horizonMs: 30_000,
  reconciliationDelayMs: 4_000,
};

/** What every gateway of a run has: keys, and limits that no merchant of a run reaches. */
export function gatewaySettings(databaseUrl: string): Environment {
  return {
    MALIPO_ENVIRONMENT: 'sandbox',
    MALIPO_LOG_LEVEL: 'warn',
    DATABASE_URL: databaseUrl,
    MALIPO_PORT: '0',
    MALIPO_ENCRYPTION_KEYS: `1:${key(1)}`,
    MALIPO_SEARCH_KEY: key(2),
    MALIPO_REFERENCE_KEY: key(3),
    // The merchants' endpoints are on this machine.
    MALIPO_OUTGOING_ALLOW: '127.0.0.0/8',
    MALIPO_REQUESTS_PER_SECOND: '1000000',
    MALIPO_REQUEST_BURST: '1000000',
  };
}

export function simulatorSettings(simulatorUrl: string): Environment {
  return {
    MALIPO_SIMULATOR_URL: simulatorUrl,
    MALIPO_SIMULATOR_CLIENT_ID: CLIENT.clientId,
    MALIPO_SIMULATOR_CLIENT_SECRET: CLIENT.clientSecret,
    MALIPO_SIMULATOR_NOTIFICATION_SECRET: CLIENT.notificationSecret,
  };
}

/** With the console, to which people sign in without 2FA. */
export const CONSOLE_SETTINGS = { MALIPO_CONSOLE_KEY: key(4), MALIPO_TWO_FACTOR: 'OPTIONAL' };

export function bindingSettings(bindings: readonly Binding[]): Environment {
  return {
    MALIPO_OPERATORS: bindings.map(({ provider, connector }) => `${provider}=${connector}`).join(' '),
  };
}

/** The speed of the simulator and of all fakes. */
export function simulatorOptions(tempo: Tempo) {
  return { outcomeDelayMs: tempo === 'SHORT' ? 100 : 300, notificationRetryDelaysMs: [500, 2_000] };
}

/** The operators: the simulator, or the fakes that providers are bound to. */
type Carriers =
  | { readonly simulatorUrl: string; readonly repeats: 'RECOGNISED' | 'CHARGED' }
  | { readonly bindings: readonly Binding[] };

export function drillSettings(
  options: Carriers & { readonly databaseUrl: string; readonly apiUrl: string; readonly tempo: Tempo },
): Environment {
  return {
    ...gatewaySettings(options.databaseUrl),
    MALIPO_DATABASE_CONNECTIONS: '12',
    MALIPO_OPERATORS_URL: options.apiUrl,
    ...carrierSettings(options, options.tempo),
    MALIPO_STEP_LEASE_MS: '3000',
    MALIPO_SWEEP_INTERVAL_MS: '1000',
    MALIPO_SWEEP_OVERDUE_MS: '2000',
    MALIPO_CALLBACK_TIMEOUT_MS: '1000',
    MALIPO_CALLBACK_LEASE_MS: '3000',
    MALIPO_RELEASES_PER_SECOND: '100',
    // An operator as bad as this one would be DELAYED all the time, and what is not sent cannot go wrong.
    MALIPO_HEALTH_DELAYED_PERCENT: '90',
    MALIPO_HEALTH_WINDOW_MS: '12000',
    MALIPO_HEALTH_SILENCE_MS: '9000',
    MALIPO_HEALTH_RECOVER_AFTER_MS: '2000',
    MALIPO_HEALTH_PROBE_MS: '500',
  };
}

function carrierSettings(carriers: Carriers, tempo: Tempo): Environment {
  const timing = tempo === 'SHORT' ? { ...TIMING, horizonMs: 12_000, reconciliationDelayMs: 1_000 } : TIMING;
  if ('bindings' in carriers) {
    const names = new Set(carriers.bindings.map(({ connector }) => connector));
    const timings = Object.fromEntries([...names].map((name) => [name, timing]));
    return { ...bindingSettings(carriers.bindings), MALIPO_OPERATOR_TIMING: JSON.stringify(timings) };
  }
  return {
    ...simulatorSettings(carriers.simulatorUrl),
    MALIPO_SIMULATOR_TIMING: JSON.stringify(timing),
    MALIPO_SIMULATOR_REPEATS: carriers.repeats.toLowerCase(),
  };
}

function key(byte: number): string {
  return Buffer.alloc(32, byte).toString('base64');
}
