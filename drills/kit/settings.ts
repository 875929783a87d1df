// How fast time goes in a chaos run: what takes seconds in production takes a fraction of one; the order is the same.
import type { Binding } from '../../server/src/connectors/bindings.ts';
import type { ConnectorTiming } from '../../server/src/connectors/port.ts';

/** LONG: minutes of chaos. SHORT: a smoke run, in which even a stuck payment must come to its end. */
export type Tempo = 'LONG' | 'SHORT';

export const CLIENT = {
  clientId: 'malipo',
  clientSecret: 'chaos',
  notificationSecret: 'chaos-notifications',
};

export const TIMING: ConnectorTiming = {
  sendDeadlineMs: 2_000,
  timeoutMs: 1_500,
  // Two seconds more than a send can take: for the operator's lag, and for clocks that are wrong by less than one.
  notSeenAfterMs: 5_500,
  enquiryDelaysMs: [400, 800, 1_600, 3_000, 5_000],
  horizonMs: 30_000,
  reconciliationDelayMs: 4_000,
};

/** Of the simulator, and of every operator's fake. */
export function simulatorOptions(tempo: Tempo) {
  return { outcomeDelayMs: tempo === 'SHORT' ? 100 : 300, notificationRetryDelaysMs: [500, 2_000] };
}

/** Who carries the payments: the simulator, or the fakes that providers are bound to. */
type Carriers =
  | { readonly simulatorUrl: string; readonly repeats: 'RECOGNISED' | 'CHARGED' }
  | { readonly bindings: readonly Binding[] };

export function serverEnvironment(
  options: Carriers & { readonly databaseUrl: string; readonly apiUrl: string; readonly tempo: Tempo },
): Record<string, string> {
  return {
    MALIPO_ENVIRONMENT: 'sandbox',
    MALIPO_LOG_LEVEL: 'warn',
    DATABASE_URL: options.databaseUrl,
    MALIPO_DATABASE_CONNECTIONS: '12',
    MALIPO_OPERATORS_URL: options.apiUrl,
    MALIPO_ENCRYPTION_KEYS: `1:${key(1)}`,
    MALIPO_SEARCH_KEY: key(2),
    MALIPO_REFERENCE_KEY: key(3),
    ...carrierEnvironment(options, options.tempo),
    MALIPO_STEP_LEASE_MS: '3000',
    MALIPO_SWEEP_INTERVAL_MS: '1000',
    MALIPO_SWEEP_OVERDUE_MS: '2000',
    MALIPO_CALLBACK_TIMEOUT_MS: '1000',
    MALIPO_CALLBACK_LEASE_MS: '3000',
    // The merchants' endpoints are on this machine.
    MALIPO_OUTGOING_ALLOW: '127.0.0.0/8',
    MALIPO_RELEASES_PER_SECOND: '100',
    // An operator as bad as this one would be DELAYED all the time, and nothing could go wrong with what is not sent.
    MALIPO_HEALTH_DELAYED_PERCENT: '90',
    MALIPO_HEALTH_WINDOW_MS: '12000',
    MALIPO_HEALTH_SILENCE_MS: '9000',
    MALIPO_HEALTH_RECOVER_AFTER_MS: '2000',
    MALIPO_HEALTH_PROBE_MS: '500',
    MALIPO_REQUESTS_PER_SECOND: '1000000',
    MALIPO_REQUEST_BURST: '1000000',
  };
}

function carrierEnvironment(carriers: Carriers, tempo: Tempo): Record<string, string> {
  const timing = tempo === 'SHORT' ? { ...TIMING, horizonMs: 12_000, reconciliationDelayMs: 1_000 } : TIMING;
  if ('bindings' in carriers) {
    const { bindings } = carriers;
    const names = new Set(bindings.map(({ connector }) => connector));
    return {
      MALIPO_OPERATORS: bindings.map(({ provider, connector }) => `${provider}=${connector}`).join(' '),
      MALIPO_OPERATOR_TIMING: JSON.stringify(Object.fromEntries([...names].map((name) => [name, timing]))),
    };
  }
  return {
    MALIPO_SIMULATOR_URL: carriers.simulatorUrl,
    MALIPO_SIMULATOR_CLIENT_ID: CLIENT.clientId,
    MALIPO_SIMULATOR_CLIENT_SECRET: CLIENT.clientSecret,
    MALIPO_SIMULATOR_NOTIFICATION_SECRET: CLIENT.notificationSecret,
    MALIPO_SIMULATOR_TIMING: JSON.stringify(timing),
    MALIPO_SIMULATOR_REPEATS: carriers.repeats.toLowerCase(),
  };
}

function key(byte: number): string {
  return Buffer.alloc(32, byte).toString('base64');
}
