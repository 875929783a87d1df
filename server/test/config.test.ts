// Every setting a host can make: what it does, what it is without one, and what is said when it is wrong.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readConfig, readSandboxSettings, type Config } from '../src/config.ts';
import { ConfigError } from '../src/config-values.ts';
import { listProviders } from '../src/domain/operators/catalogue.ts';
import { complaintAbout, keyOf, MINIMAL_SETTINGS } from './settings.ts';

const SIMULATOR = {
  MALIPO_SIMULATOR_URL: 'http://127.0.0.1:9000',
  MALIPO_SIMULATOR_CLIENT_ID: 'malipo',
  MALIPO_SIMULATOR_CLIENT_SECRET: 'secret',
  MALIPO_SIMULATOR_NOTIFICATION_SECRET: 'signing',
};

/** What production needs beyond the least. */
const PRODUCTION = {
  MALIPO_ENVIRONMENT: 'production',
  MALIPO_PUBLIC_URL: 'https://pay.example',
  MALIPO_LINK_KEYS: keyOf(4),
};

const read = (settings: NodeJS.ProcessEnv): Config => readConfig({ ...MINIMAL_SETTINGS, ...settings });

test('the least settings a gateway needs, and what everything else is without them', () => {
  expect(readConfig(MINIMAL_SETTINGS)).toEqual({
    environment: 'sandbox',
    cells: [{ id: '0001', databaseUrl: 'postgres://127.0.0.1/malipo', urls: [] }],
    cell: { id: '0001', databaseUrl: 'postgres://127.0.0.1/malipo', urls: [] },
    connections: { lifetimeMs: 1_800_000, statementNames: 'hash', isPooled: false },
    directUrl: null,
    connectionsMax: 20,
    host: '127.0.0.1',
    port: 8080,
    metricsListener: null,
    operators: { bindings: [], timing: {} },
    operatorsUrl: null,
    publicUrl: null,
    brand: { name: 'Malipo', colour: '#00594f', mark: null },
    trustedProxies: [],
    outgoingAllow: [],
    outgoingRules: { refused: [], ports: null },
    mail: null,
    console: null,
    v1Hosts: new Set(),
    keys: {
      encryptionKeys: [{ id: 1, key: Buffer.alloc(32, 1) }],
      searchKey: Buffer.alloc(32, 2),
      referenceKey: Buffer.alloc(32, 3),
      linkKeys: [Buffer.alloc(32, 2)],
    },
    worker: {
      pollMs: 250,
      callbackTimeoutMs: 10_000,
      callbackLeaseMs: 30_000,
      callbacksAtOnceMax: 20,
      callbackSwitchOffAfterMs: 3 * 86_400_000,
      releasesPerSecond: 20,
      stepLeaseMs: 60_000,
      sweepIntervalMs: 15_000,
      sweepOverdueAfterMs: 30_000,
    },
    health: {
      lookIntervalMs: 1_000,
      windowMs: 60_000,
      callsMin: 20,
      delayedPercent: 50,
      operationalPercent: 20,
      silenceMs: 30_000,
      recoverAfterMs: 15_000,
      probeIntervalMs: 5_000,
    },
    monitor: {
      intervalMs: 15_000,
      floatIntervalMs: 300_000,
      booksIntervalMs: 3_600_000,
      floatMinimums: [],
    },
    directoryRememberMs: 5_000,
    retention: { notificationDays: 90, callbackAttemptDays: 90, statementDays: 31, eventDays: 90 },
    signatures: { encoding: 'der', keyDays: 90, keyLeadSeconds: 86_400 },
    rateLimit: { perSecond: 100, burst: 200 },
    ordersWaitingMax: 1_024,
    backlogMs: 3_000,
    stopNoticeMs: 1_500,
    authFailureLimit: { perSecond: 10, burst: 100 },
    pageLimit: { perSecond: 5, burst: 300 },
    promptLimits: { perMerchant: 10, perNumber: 20, perPayer: null },
    tokenLimits: new Map(),
    screening: null,
    reviewRules: [],
    bankCoolingOffMs: 48 * 3_600_000,
    clockIsMovable: false,
    simulator: null,
    traces: null,
    logLevel: 'info',
  });
});

test('a name that is set to nothing is not set', () => {
  const names = [...readSource().matchAll(/'(MALIPO_\w+)'/g)].map(([, name = '']) => name);
  const empty = Object.fromEntries(
    names.filter((name) => !(name in MINIMAL_SETTINGS)).map((name) => [name, '']),
  );
  expect(readConfig({ ...empty, ...MINIMAL_SETTINGS })).toEqual(readConfig(MINIMAL_SETTINGS));
});

describe('a setting that is missing', () => {
  test.each([
    ['MALIPO_ENVIRONMENT', 'MALIPO_ENVIRONMENT is not set. It must hold "sandbox" or "production".'],
    ['DATABASE_URL', 'DATABASE_URL is not set. It must hold postgres://….'],
    [
      'MALIPO_ENCRYPTION_KEYS',
      'MALIPO_ENCRYPTION_KEYS is not set. It must hold "1:<32 bytes in base64>", the current one first.',
    ],
    ['MALIPO_SEARCH_KEY', 'MALIPO_SEARCH_KEY is not set. It must hold 32 bytes in base64.'],
    ['MALIPO_REFERENCE_KEY', 'MALIPO_REFERENCE_KEY is not set. It must hold 32 bytes in base64.'],
  ])('%s', (name, message) => {
    expect(complaintAbout({ [name]: undefined })).toBe(message);
    expect(complaintAbout({ [name]: '' })).toBe(message);
  });

  test.each([
    [
      'MALIPO_SIMULATOR_CLIENT_ID',
      'MALIPO_SIMULATOR_CLIENT_ID is not set. It must hold the name the simulator knows us by.',
    ],
    [
      'MALIPO_SIMULATOR_CLIENT_SECRET',
      'MALIPO_SIMULATOR_CLIENT_SECRET is not set. It must hold the secret that goes with it.',
    ],
    [
      'MALIPO_SIMULATOR_NOTIFICATION_SECRET',
      'MALIPO_SIMULATOR_NOTIFICATION_SECRET is not set. It must hold what it signs with.',
    ],
  ])('%s, once there is a simulator', (name, message) => {
    expect(complaintAbout({ ...SIMULATOR, [name]: undefined })).toBe(message);
    expect(complaintAbout({ [name]: undefined })).toBe('accepted');
  });
});

describe('MALIPO_ENVIRONMENT', () => {
  test.each(['sandbox', 'production'] as const)('%s', (environment) => {
    expect(read({ ...PRODUCTION, MALIPO_ENVIRONMENT: environment }).environment).toBe(environment);
  });

  test.each(['Sandbox', 'test', 'prod'])('"%s" is refused', (value) => {
    expect(complaintAbout({ MALIPO_ENVIRONMENT: value })).toBe(
      `MALIPO_ENVIRONMENT must be "sandbox" or "production", not "${value}".`,
    );
  });
});

describe('MALIPO_CELLS and MALIPO_CELL', () => {
  const MALIPO_CELLS = '0001=postgres://one/malipo  00af=postgres://two/malipo?a=b';
  const MALIPO_CELL_URLS = '0001=http://one:8080/ 00af=https://two/b  00af=http://three';
  const cells = [
    { id: '0001', databaseUrl: 'postgres://one/malipo', urls: ['http://one:8080'] },
    { id: '00af', databaseUrl: 'postgres://two/malipo?a=b', urls: ['https://two/b', 'http://three'] },
  ];

  test('MALIPO_CELLS and MALIPO_CELL list the cells; the first is ours unless another is named; DATABASE_URL is not needed then', () => {
    const settings = { MALIPO_CELLS, MALIPO_CELL_URLS };
    expect(read({ ...settings, DATABASE_URL: undefined })).toMatchObject({ cells, cell: cells[0] });
    expect(read({ ...settings, MALIPO_CELL: '00af' })).toMatchObject({ cells, cell: cells[1] });
  });

  test('each of several cells must have an address; one alone needs none', () => {
    expect(read({ MALIPO_CELLS: '0007=postgres://one' }).cells).toEqual([
      { id: '0007', databaseUrl: 'postgres://one', urls: [] },
    ]);
    expect(complaintAbout({ MALIPO_CELLS })).toContain('MALIPO_CELL_URLS is not set.');
    expect(complaintAbout({ MALIPO_CELLS, MALIPO_CELL_URLS: '0001=http://one' })).toBe(
      'MALIPO_CELL_URLS has no address of the cell 00af.',
    );
    for (const wrong of ['http://one', '0001=one', '0001=http://one?a=b', '0001=ftp://one']) {
      expect(complaintAbout({ MALIPO_CELLS, MALIPO_CELL_URLS: wrong })).toBe(
        'MALIPO_CELL_URLS must list addresses as "0001=http://…", parted by spaces.',
      );
    }
  });

  test.each(['postgres://one/malipo', '1=postgres://one/malipo', '000G=postgres://one/malipo', '0001=', ' '])(
    '"%s" is refused',
    (value) => {
      expect(complaintAbout({ MALIPO_CELLS: value })).toBe(
        'MALIPO_CELLS must list cells as "0001=postgres://…", parted by spaces.',
      );
    },
  );

  test('a cell that is listed twice, or not at all, is refused', () => {
    expect(complaintAbout({ MALIPO_CELLS: '0001=postgres://one 0001=postgres://two' })).toBe(
      'MALIPO_CELLS lists the cell 0001 twice.',
    );
    expect(complaintAbout({ MALIPO_CELLS, MALIPO_CELL_URLS, MALIPO_CELL: '0002' })).toBe(
      'MALIPO_CELL names the cell "0002", which MALIPO_CELLS does not list.',
    );
  });
});

function callbackTimes(lease: string, timeout: string): NodeJS.ProcessEnv {
  return { MALIPO_CALLBACK_LEASE_MS: lease, MALIPO_CALLBACK_TIMEOUT_MS: timeout };
}

describe('whole numbers', () => {
  const numbers: readonly [string, number, number, (config: Config) => number][] = [
    ['MALIPO_DATABASE_CONNECTIONS', 1, 1_000, (config) => config.connectionsMax],
    ['MALIPO_PORT', 0, 65_535, (config) => config.port],
    ['MALIPO_STEP_LEASE_MS', 1, 3_600_000, (config) => config.worker.stepLeaseMs],
    ['MALIPO_POLL_MS', 1, 3_600_000, (config) => config.worker.pollMs],
    ['MALIPO_RELEASES_PER_SECOND', 1, 10_000, (config) => config.worker.releasesPerSecond],
    ['MALIPO_SWEEP_INTERVAL_MS', 1, 3_600_000, (config) => config.worker.sweepIntervalMs],
    ['MALIPO_SWEEP_OVERDUE_MS', 1, 3_600_000, (config) => config.worker.sweepOverdueAfterMs],
    ['MALIPO_DIRECTORY_REMEMBER_MS', 0, 10_000, (config) => config.directoryRememberMs],
    ['MALIPO_REQUESTS_PER_SECOND', 1, 1_000_000, (config) => config.rateLimit.perSecond],
    ['MALIPO_REQUEST_BURST', 1, 1_000_000, (config) => config.rateLimit.burst],
    ['MALIPO_AUTH_FAILURES_PER_SECOND', 1, 1_000_000, (config) => config.authFailureLimit.perSecond],
    ['MALIPO_AUTH_FAILURE_BURST', 1, 1_000_000, (config) => config.authFailureLimit.burst],
    ['MALIPO_PAGE_REQUESTS_PER_MINUTE', 1, 1_000_000, (config) => config.pageLimit.burst],
    ['MALIPO_PAGE_PROMPTS_PER_HOUR', 1, 1_000_000, (config) => config.promptLimits.perMerchant],
    ['MALIPO_NUMBER_PROMPTS_PER_HOUR', 1, 1_000_000, (config) => config.promptLimits.perNumber],
    ['MALIPO_PAYER_PROMPTS_PER_HOUR', 0, 1_000_000, (config) => config.promptLimits.perPayer ?? 0],
  ];

  test.each(numbers)('%s is taken from %i to %i', (name, min, max, valueOf) => {
    expect(valueOf(read({ [name]: String(min) }))).toBe(min);
    expect(valueOf(read({ [name]: String(max) }))).toBe(max);
  });

  test.each(numbers)('%s is refused outside of that, and when it is no number', (name, min, max) => {
    for (const value of [
      String(min - 1),
      String(max + 1),
      '1.5',
      '1e3',
      '0x10',
      'many',
      ' 5',
      '-1',
      '9'.repeat(20),
    ]) {
      expect(complaintAbout({ [name]: value })).toBe(
        `${name} must be a whole number from ${min} to ${max}, not "${value}".`,
      );
    }
  });

  test('MALIPO_CALLBACK_LEASE_MS must be longer than MALIPO_CALLBACK_TIMEOUT_MS', () => {
    expect(read(callbackTimes('2', '1')).worker).toMatchObject({ callbackLeaseMs: 2, callbackTimeoutMs: 1 });
    expect(read(callbackTimes('3600000', '1')).worker).toMatchObject({ callbackLeaseMs: 3_600_000 });
    const message = 'MALIPO_CALLBACK_LEASE_MS must be longer than MALIPO_CALLBACK_TIMEOUT_MS.';
    expect(complaintAbout(callbackTimes('5000', '5000'))).toBe(message);
    expect(complaintAbout({ MALIPO_CALLBACK_TIMEOUT_MS: '30000' })).toBe(message);
    expect(complaintAbout(callbackTimes('5000', '0'))).toBe(
      'MALIPO_CALLBACK_TIMEOUT_MS must be a whole number from 1 to 3600000, not "0".',
    );
    expect(complaintAbout(callbackTimes('3600001', '1'))).toBe(
      'MALIPO_CALLBACK_LEASE_MS must be a whole number from 1 to 3600000, not "3600001".',
    );
  });
});

describe('the health of providers', () => {
  const figures: readonly [string, keyof Config['health']][] = [
    ['MALIPO_HEALTH_LOOK_MS', 'lookIntervalMs'],
    ['MALIPO_HEALTH_WINDOW_MS', 'windowMs'],
    ['MALIPO_HEALTH_CALLS_MIN', 'callsMin'],
    ['MALIPO_HEALTH_DELAYED_PERCENT', 'delayedPercent'],
    ['MALIPO_HEALTH_OPERATIONAL_PERCENT', 'operationalPercent'],
    ['MALIPO_HEALTH_SILENCE_MS', 'silenceMs'],
    ['MALIPO_HEALTH_RECOVER_AFTER_MS', 'recoverAfterMs'],
    ['MALIPO_HEALTH_PROBE_MS', 'probeIntervalMs'],
  ];

  test.each(figures)('%s sets %s and nothing else', (name, figure) => {
    const { health } = read({});
    const value = health[figure] + 1;
    expect(read({ [name]: String(value) }).health).toEqual({ ...health, [figure]: value });
  });

  test.each([
    [{ MALIPO_HEALTH_OPERATIONAL_PERCENT: '50' }],
    [{ MALIPO_HEALTH_DELAYED_PERCENT: '20' }],
    [{ MALIPO_HEALTH_SILENCE_MS: '60000' }],
    [{ MALIPO_HEALTH_WINDOW_MS: '30000' }],
    [{ MALIPO_HEALTH_RECOVER_AFTER_MS: '1999' }],
    [{ MALIPO_HEALTH_LOOK_MS: '7501' }],
  ])('%j leaves no room for hysteresis and is refused', (settings) => {
    expect(complaintAbout(settings)).toBe(
      'MALIPO_HEALTH_…: OPERATIONAL_PERCENT must be below DELAYED_PERCENT, SILENCE_MS shorter than WINDOW_MS, and ' +
        'RECOVER_AFTER_MS at least twice LOOK_MS.',
    );
  });
});

function wrongKey(name: string): string {
  return `${name} must hold 32 bytes in base64; make some with: openssl rand -base64 32`;
}

describe('keys', () => {
  test('MALIPO_ENCRYPTION_KEYS lists numbered keys, the current one first', () => {
    const { encryptionKeys } = read({ MALIPO_ENCRYPTION_KEYS: `255:${keyOf(9)},0:${keyOf(8)}` }).keys;
    expect(encryptionKeys).toEqual([
      { id: 255, key: Buffer.alloc(32, 9) },
      { id: 0, key: Buffer.alloc(32, 8) },
    ]);
  });

  test.each([
    keyOf(1),
    `256:${keyOf(1)}`,
    `-1:${keyOf(1)}`,
    `a:${keyOf(1)}`,
    `:${keyOf(1)}`,
    `1:${keyOf(1)},`,
  ])('MALIPO_ENCRYPTION_KEYS "%s" is refused', (value) => {
    expect(complaintAbout({ MALIPO_ENCRYPTION_KEYS: value })).toBe(
      'MALIPO_ENCRYPTION_KEYS: each key needs a number from 0 to 255 before the colon.',
    );
  });

  test('two encryption keys with one number are refused', () => {
    expect(complaintAbout({ MALIPO_ENCRYPTION_KEYS: `1:${keyOf(1)},1:${keyOf(2)}` })).toBe(
      'MALIPO_ENCRYPTION_KEYS lists the key number 1 twice.',
    );
  });

  test('MALIPO_CONSOLE_KEY is one key, or several with the current one first', () => {
    const [key, older] = [Buffer.alloc(32, 9), Buffer.alloc(32, 8)];
    expect(read({ MALIPO_CONSOLE_KEY: keyOf(9) }).console).not.toHaveProperty('olderKeys');
    const several = { MALIPO_CONSOLE_KEY: `${keyOf(9)},${keyOf(8)}` };
    expect(read(several).console).toMatchObject({ key, olderKeys: [older] });
    const empty = { MALIPO_CONSOLE_KEY: `${keyOf(9)},` };
    expect(complaintAbout(empty)).toBe(wrongKey('MALIPO_CONSOLE_KEY'));
  });

  test('MALIPO_SEARCH_KEY is one key, or several with the current one first', () => {
    const [searchKey, older] = [Buffer.alloc(32, 9), Buffer.alloc(32, 8)];
    expect(read({ MALIPO_SEARCH_KEY: keyOf(9) }).keys).not.toHaveProperty('olderSearchKeys');
    const several = { MALIPO_SEARCH_KEY: `${keyOf(9)},${keyOf(8)}` };
    expect(read(several).keys).toMatchObject({ searchKey, olderSearchKeys: [older] });
    const empty = { MALIPO_SEARCH_KEY: `${keyOf(9)},` };
    expect(complaintAbout(empty)).toBe(wrongKey('MALIPO_SEARCH_KEY'));
  });

  test('B11: MALIPO_LINK_KEYS is a list, the current one first; only a sandbox may do without', () => {
    const several = { MALIPO_LINK_KEYS: `${keyOf(9)},${keyOf(8)}` };
    expect(read(several).keys.linkKeys).toEqual([Buffer.alloc(32, 9), Buffer.alloc(32, 8)]);
    expect(complaintAbout({ MALIPO_LINK_KEYS: `${keyOf(9)},` })).toBe(wrongKey('MALIPO_LINK_KEYS'));
    expect(complaintAbout({ ...PRODUCTION, MALIPO_LINK_KEYS: undefined })).toBe(
      'MALIPO_LINK_KEYS is not set. It must hold 32 bytes in base64.',
    );
  });

  test.each(['MALIPO_SEARCH_KEY', 'MALIPO_REFERENCE_KEY', 'MALIPO_ENCRYPTION_KEYS', 'MALIPO_LINK_KEYS'])(
    '%s is refused when it is not 32 bytes, and the message does not show it',
    (name) => {
      const prefix = name === 'MALIPO_ENCRYPTION_KEYS' ? '1:' : '';
      for (const bytes of [0, 31, 33]) {
        const value = `${prefix}${Buffer.alloc(bytes, 1).toString('base64')}`;
        if (value !== '') expect(complaintAbout({ [name]: value })).toBe(wrongKey(name));
      }
      expect(complaintAbout({ [name]: `${prefix}${Buffer.alloc(32, 1).toString('hex')}` })).toBe(
        wrongKey(name),
      );
    },
  );
});

describe('MALIPO_V1_HOSTS', () => {
  test('MALIPO_V1_HOSTS are names parted by spaces, in lower case', () => {
    const { v1Hosts } = read({ MALIPO_V1_HOSTS: ' api.Old.example  older.example ' });
    expect([...v1Hosts]).toEqual(['api.old.example', 'older.example']);
  });

  test.each(['api.old.example:8080', 'https://api.old.example', 'api.old.example,older.example'])(
    '%s is refused',
    (value) => {
      expect(complaintAbout({ MALIPO_V1_HOSTS: value })).toBe(
        `MALIPO_V1_HOSTS must list names of hosts without a port, parted by spaces, not "${value}".`,
      );
    },
  );
});

describe.each<[string, (config: Config) => string | null | undefined]>([
  ['MALIPO_OPERATORS_URL', (config) => config.operatorsUrl],
  ['MALIPO_PUBLIC_URL', (config) => config.publicUrl],
  ['MALIPO_SIMULATOR_URL', (config) => config.simulator?.url],
])('%s', (name, urlOf) => {
  const valueOf = (value: string) => urlOf(read({ ...SIMULATOR, [name]: value }));

  test('an address that paths are put behind ends without a slash', () => {
    expect(valueOf('https://pay.example.com')).toBe('https://pay.example.com');
    expect(valueOf('https://pay.example.com/')).toBe('https://pay.example.com');
    expect(valueOf('http://10.0.0.1:8080/gateway/')).toBe('http://10.0.0.1:8080/gateway');
  });

  test.each([
    'pay.example.com',
    'ftp://pay.example.com',
    'https://',
    'https://a.example/?b',
    'https://a.example/#b',
  ])('"%s" is refused', (value) => {
    expect(complaintAbout({ ...SIMULATOR, [name]: value })).toBe(
      `${name} must be an http or https address without a query.`,
    );
  });
});

describe('the simulator', () => {
  test('the simulator is there once it has an address', () => {
    expect(read(SIMULATOR).simulator).toEqual({
      url: 'http://127.0.0.1:9000',
      clientId: 'malipo',
      clientSecret: 'secret',
      notificationSecret: 'signing',
      timing: {},
      repeatedSubmit: 'HARMLESS',
    });
  });

  test.each([
    ['recognised', 'HARMLESS'],
    ['charged', 'CHARGES_AGAIN'],
  ])('MALIPO_SIMULATOR_REPEATS %s means that a repeat is %s', (value, repeatedSubmit) => {
    const { simulator } = read({ ...SIMULATOR, MALIPO_SIMULATOR_REPEATS: value });
    expect(simulator?.repeatedSubmit).toBe(repeatedSubmit);
  });

  test('MALIPO_SIMULATOR_REPEATS takes nothing else', () => {
    expect(complaintAbout({ ...SIMULATOR, MALIPO_SIMULATOR_REPEATS: 'twice' })).toBe(
      'MALIPO_SIMULATOR_REPEATS must be "recognised" or "charged", not "twice".',
    );
  });

  test('the simulator never in production', () => {
    expect(complaintAbout({ ...SIMULATOR, ...PRODUCTION })).toBe(
      'Production has no simulator: unset MALIPO_SIMULATOR_URL.',
    );
  });

  test('MALIPO_SIMULATOR_TIMING replaces some of its figures', () => {
    const timing = { timeoutMs: 100, enquiryDelaysMs: [1, 2] };
    expect(read({ ...SIMULATOR, MALIPO_SIMULATOR_TIMING: JSON.stringify(timing) }).simulator?.timing).toEqual(
      timing,
    );
  });

  test.each([
    '{',
    '[]1',
    'null',
    '"x"',
    '{"timeout":1}',
    '{"timeoutMs":"1"}',
    '{"timeoutMs":-1}',
    '{"timeoutMs":1.5}',
  ])('MALIPO_SIMULATOR_TIMING %s is refused', (value) => {
    expect(complaintAbout({ ...SIMULATOR, MALIPO_SIMULATOR_TIMING: value })).toBe(
      'MALIPO_SIMULATOR_TIMING must be a JSON object of milliseconds, with names out of sendDeadlineMs, ' +
        'timeoutMs, notSeenAfterMs, enquiryDelaysMs, horizonMs, reconciliationDelayMs, ' +
        'lateReconciliationDelayMs.',
    );
  });

  test.each(['{"enquiryDelaysMs":1}', '{"enquiryDelaysMs":[]}', '{"enquiryDelaysMs":["1"]}', '[1]'])(
    'MALIPO_SIMULATOR_TIMING %s is refused',
    (value) => {
      expect(complaintAbout({ ...SIMULATOR, MALIPO_SIMULATOR_TIMING: value })).toMatch(
        /^MALIPO_SIMULATOR_TIMING must/,
      );
    },
  );
});

describe('MALIPO_SIGNATURE_ENCODING', () => {
  test.each(['der', 'raw'] as const)('%s', (encoding) => {
    expect(read({ MALIPO_SIGNATURE_ENCODING: encoding }).signatures.encoding).toBe(encoding);
  });

  test.each(['DER', 'p1363'])('"%s" is refused', (value) => {
    expect(complaintAbout({ MALIPO_SIGNATURE_ENCODING: value })).toBe(
      `MALIPO_SIGNATURE_ENCODING must be "der" or "raw", not "${value}".`,
    );
  });
});

describe('MALIPO_MOVABLE_CLOCK', () => {
  test.each([
    ['on', true],
    ['off', false],
  ])('%s', (value, isMovable) => {
    expect(read({ MALIPO_MOVABLE_CLOCK: value }).clockIsMovable).toBe(isMovable);
  });

  test.each(['ON', 'true', '1'])('"%s" is refused', (value) => {
    expect(complaintAbout({ MALIPO_MOVABLE_CLOCK: value })).toBe(
      `MALIPO_MOVABLE_CLOCK must be "on" or "off", not "${value}".`,
    );
  });

  test('MALIPO_MOVABLE_CLOCK never in production', () => {
    expect(complaintAbout({ ...PRODUCTION, MALIPO_MOVABLE_CLOCK: 'on' })).toBe(
      'Production has real time only: unset MALIPO_MOVABLE_CLOCK.',
    );
    expect(complaintAbout({ ...PRODUCTION, MALIPO_MOVABLE_CLOCK: 'off' })).toBe('accepted');
  });
});

describe('monitors', () => {
  test('each interval is a setting of its own', () => {
    const env = {
      MALIPO_MONITOR_INTERVAL_MS: '1000',
      MALIPO_MONITOR_FLOAT_MS: '2000',
      MALIPO_MONITOR_BOOKS_MS: '3000',
    };
    const intervals = { intervalMs: 1_000, floatIntervalMs: 2_000, booksIntervalMs: 3_000 };
    expect(read(env).monitor).toEqual({ ...intervals, floatMinimums: [] });
  });

  test('MALIPO_FLOAT_MIN lists what is to be at operators at least', () => {
    const { monitor } = read({ MALIPO_FLOAT_MIN: 'MTN_MOMO_RWA/RWF=500000, AIRTEL_RWA/RWF=0.5' });
    expect(monitor.floatMinimums).toEqual([
      { provider: 'MTN_MOMO_RWA', currency: 'RWF', amount: 5_000_000_000n },
      { provider: 'AIRTEL_RWA', currency: 'RWF', amount: 5_000n },
    ]);
  });

  test.each([
    'MTN_MOMO_RWA=1',
    'MTN_MOMO_RWA/RWF=-1',
    'MTN_MOMO_RWA/RWF=1,',
    'MTN_MOMO_RWA/ZMW=1',
    'NO_ONE_RWA/RWF=1',
    'MTN_MOMO_RWA/RWF=1,MTN_MOMO_RWA/RWF=2',
  ])('MALIPO_FLOAT_MIN "%s" is refused', (text) => {
    expect(complaintAbout({ MALIPO_FLOAT_MIN: text })).toBe(
      'MALIPO_FLOAT_MIN must list floats as "MTN_MOMO_RWA/RWF=500000", parted by commas.',
    );
  });
});

describe('MALIPO_SCREENING_…', () => {
  const URL_SET = { MALIPO_SCREENING_URL: 'https://screening.example/check' };

  test('name the service, what it is told and what happens without an answer', () => {
    const { screening, reviewRules } = read({
      ...URL_SET,
      MALIPO_SCREENING_FIELDS: 'kind, amount',
      MALIPO_SCREENING_WITHOUT_ANSWER: 'PAYOUT=HOLD,DEPOSIT=ALLOW',
    });
    expect(screening).toEqual({
      url: URL_SET.MALIPO_SCREENING_URL,
      fields: ['kind', 'amount'],
      deadlineMs: 5_000,
      atOnceMax: 32,
    });
    expect(reviewRules.map(({ subject, withoutAnswer }) => `${subject} ${withoutAnswer}`)).toEqual([
      'PAYOUT HOLD',
      'DEPOSIT ALLOW',
    ]);
    expect(read(URL_SET).screening?.fields).not.toContain('phoneNumber');
  });

  test.each([
    [{ MALIPO_SCREENING_URL: 'ftp://screening.example' }, 'MALIPO_SCREENING_URL must be'],
    [{ ...URL_SET, MALIPO_SCREENING_FIELDS: 'pin' }, 'MALIPO_SCREENING_FIELDS must list'],
    [{ MALIPO_SCREENING_WITHOUT_ANSWER: 'DEPOSIT=HOLD' }, 'a DEPOSIT cannot be held'],
    [{ MALIPO_SCREENING_WITHOUT_ANSWER: 'PAYOUT=MAYBE' }, 'must list kinds as'],
    [{ MALIPO_SCREENING_WITHOUT_ANSWER: 'PAYOUT=HOLD,PAYOUT=ALLOW' }, 'each kind once'],
  ])('say what is wrong with %j', (settings, complaint) => {
    expect(complaintAbout(settings)).toContain(complaint);
  });
});

describe('MALIPO_TOKEN_LIMITS', () => {
  test('limits every currency in production, and what is listed replaces the default', () => {
    const usual = read(PRODUCTION).tokenLimits;
    for (const { currencies } of listProviders())
      for (const { currency, operations } of currencies)
        expect(usual.get(currency)).toBeGreaterThanOrEqual(20n * (operations.PAYOUT?.maxAmount ?? 0n));
    const changed = read({ ...PRODUCTION, MALIPO_TOKEN_LIMITS: 'RWF=500' }).tokenLimits;
    expect(changed).toEqual(new Map([...usual, ['RWF', 5_000_000n]]));
    expect(read({ ...PRODUCTION, MALIPO_TOKEN_LIMITS: 'none' }).tokenLimits.size).toBe(0);
    expect(read({ MALIPO_TOKEN_LIMITS: 'RWF=500' }).tokenLimits).toEqual(new Map([['RWF', 5_000_000n]]));
  });

  test.each(['RWF', 'RWF=1,RWF=2', 'RWF=-1', 'XXX=1'])('"%s" is refused', (text) => {
    expect(complaintAbout({ MALIPO_TOKEN_LIMITS: text })).toContain('MALIPO_TOKEN_LIMITS must be "none", or');
  });
});

function rulesOf(settings: NodeJS.ProcessEnv) {
  const { reviewRules } = read(settings);
  return (wanted: string) => reviewRules.filter(({ rule, subject }) => `${rule} ${subject}` === wanted);
}

describe('MALIPO_FIRST_RECIPIENT and MALIPO_COOLING_OFF', () => {
  test('large payments of every currency are held in production, and none in a sandbox', () => {
    const usual = rulesOf(PRODUCTION);
    for (const { currencies } of listProviders())
      for (const { currency, operations } of currencies) {
        const [first, cooling] = [usual(`FIRST_RECIPIENT ${currency}`), usual(`COOLING_OFF ${currency}`)];
        expect([first[0]?.hours, cooling[0]?.hours]).toEqual([null, 24]);
        for (const [rule] of [first, cooling])
          expect(2n * rule!.amountAbove!).toBeGreaterThanOrEqual(operations.PAYOUT?.maxAmount ?? 0n);
      }
    expect(read({}).reviewRules).toEqual([]);
  });

  test('amounts replace the default of their currency, and hours and none are taken', () => {
    const changed = rulesOf({
      ...PRODUCTION,
      MALIPO_FIRST_RECIPIENT: 'none',
      MALIPO_COOLING_OFF: 'RWF=500',
      MALIPO_COOLING_OFF_HOURS: '48',
    });
    expect(changed('FIRST_RECIPIENT RWF')).toEqual([]);
    expect(changed('COOLING_OFF RWF')).toMatchObject([{ amountAbove: 5_000_000n, hours: 48 }]);
    expect(changed('COOLING_OFF KES')).toMatchObject([{ hours: 48 }]);
    const sandbox = read({ MALIPO_FIRST_RECIPIENT: 'RWF=500' }).reviewRules;
    expect(sandbox).toMatchObject([{ rule: 'FIRST_RECIPIENT', subject: 'RWF', amountAbove: 5_000_000n }]);
  });

  test.each(['MALIPO_FIRST_RECIPIENT', 'MALIPO_COOLING_OFF'])('%s refuses what is no amount', (name) => {
    expect(complaintAbout({ [name]: 'RWF' })).toContain(`${name} must be "none", or`);
    expect(complaintAbout({ MALIPO_COOLING_OFF_HOURS: '721' })).toContain('MALIPO_COOLING_OFF_HOURS');
  });
});

test('MALIPO_BANK_COOLING_OFF_HOURS is how long a new bank account waits', () => {
  expect(read({ MALIPO_BANK_COOLING_OFF_HOURS: '0' }).bankCoolingOffMs).toBe(0);
  expect(complaintAbout({ MALIPO_BANK_COOLING_OFF_HOURS: '721' })).toContain('MALIPO_BANK_COOLING_OFF_HOURS');
});

describe('MALIPO_HOST and MALIPO_LOG_LEVEL', () => {
  test('MALIPO_HOST is the address to listen on', () => {
    expect(read({ MALIPO_HOST: '0.0.0.0' }).host).toBe('0.0.0.0');
  });

  test.each(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])(
    'MALIPO_LOG_LEVEL %s',
    (level) => {
      expect(read({ MALIPO_LOG_LEVEL: level }).logLevel).toBe(level);
    },
  );

  test.each(['INFO', 'verbose', '30'])('MALIPO_LOG_LEVEL "%s" is refused', (level) => {
    expect(complaintAbout({ MALIPO_LOG_LEVEL: level })).toBe(
      `MALIPO_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "${level}".`,
    );
  });
});

describe('MALIPO_TRACES_URL and MALIPO_TRACES_SAMPLE_PERCENT', () => {
  test('with an address traces are on, of every payment unless a share is given', () => {
    const MALIPO_TRACES_URL = 'http://127.0.0.1:4318/v1/traces';
    expect(read({ MALIPO_TRACES_URL }).traces).toEqual({ url: MALIPO_TRACES_URL, samplePercent: 100 });
    expect(read({ MALIPO_TRACES_URL, MALIPO_TRACES_SAMPLE_PERCENT: '5' }).traces).toEqual({
      url: MALIPO_TRACES_URL,
      samplePercent: 5,
    });
  });

  test('a share without an address switches nothing on', () => {
    expect(read({ MALIPO_TRACES_SAMPLE_PERCENT: '5' }).traces).toBeNull();
  });

  test('a wrong address is refused', () => {
    expect(complaintAbout({ MALIPO_TRACES_URL: 'collector:4318' })).toBe(
      'MALIPO_TRACES_URL must be an http or https address without a query.',
    );
  });
});

describe('a listener for metrics', () => {
  test('a listener for metrics is there where it has a port, inside unless told otherwise', () => {
    expect(read({ MALIPO_METRICS_PORT: '18080' }).metricsListener).toEqual({
      host: '127.0.0.1',
      port: 18_080,
    });
    const everywhere = read({ MALIPO_METRICS_PORT: '18080', MALIPO_METRICS_HOST: '0.0.0.0' });
    expect(everywhere.metricsListener).toEqual({ host: '0.0.0.0', port: 18_080 });
    expect(read({ MALIPO_METRICS_HOST: '0.0.0.0' }).metricsListener).toBeNull();
  });
});

describe('MALIPO_TRUSTED_PROXIES', () => {
  test('MALIPO_TRUSTED_PROXIES are ranges or single addresses', () => {
    const { trustedProxies } = read({ MALIPO_TRUSTED_PROXIES: '127.0.0.1, 10.1.0.0/16' });
    expect(trustedProxies).toEqual(['127.0.0.1', '10.1.0.0/16']);
  });

  test('MALIPO_TRUSTED_PROXIES are not everybody, nor names', () => {
    for (const text of ['0.0.0.0/0', '10.1.0.0/16 ::/0'])
      expect(complaintAbout({ MALIPO_TRUSTED_PROXIES: text })).toContain('must name your own proxies');
    expect(complaintAbout({ MALIPO_TRUSTED_PROXIES: 'proxy.example' })).toContain('must list ranges');
  });
});

describe('addresses that callbacks may go to', () => {
  test('addresses that callbacks may go to are ranges or single addresses, parted by commas or spaces', () => {
    const { outgoingAllow } = read({ MALIPO_OUTGOING_ALLOW: '10.1.0.0/16, fd00::/8 192.168.1.7' });
    expect(outgoingAllow).toEqual(['10.1.0.0/16', 'fd00::/8', '192.168.1.7']);
  });

  test.each([
    '10.1.0.0/33',
    'fd00::/129',
    'shop.example',
    '10.1.0.0/16/8',
    '10.1/16',
    '10.0.0.0/x',
    'fe80::1%lo',
  ])('%s is not one', (text) => {
    expect(complaintAbout({ MALIPO_OUTGOING_ALLOW: text })).toBe(
      'MALIPO_OUTGOING_ALLOW must list ranges such as 10.1.0.0/16 or fd00::/8, parted by commas.',
    );
  });
});

describe('B12: ports that callbacks may go to', () => {
  const production = {
    MALIPO_ENVIRONMENT: 'production',
    MALIPO_PUBLIC_URL: 'https://pay.example',
    MALIPO_LINK_KEYS: Buffer.alloc(32, 9).toString('base64'),
  };

  test('B12: ports that callbacks may go to are 443 in production, any in a sandbox, and otherwise those that are set', () => {
    expect(read(production).outgoingRules.ports).toEqual([443]);
    expect(read({}).outgoingRules.ports).toBeNull();
    expect(read({ ...production, MALIPO_OUTGOING_PORTS: '443, 8443' }).outgoingRules.ports).toEqual([
      443, 8_443,
    ]);
  });

  test.each(['0', '65536', '443-445', 'https', ','])('%s is not a list of ports', (text) => {
    expect(complaintAbout({ MALIPO_OUTGOING_PORTS: text })).toBe(
      'MALIPO_OUTGOING_PORTS must list ports such as 443, separated by commas.',
    );
  });

  test('further addresses can be refused', () => {
    expect(read({ MALIPO_OUTGOING_REFUSE: '9.9.9.9' }).outgoingRules.refused).toEqual(['9.9.9.9']);
  });
});

describe('mail', () => {
  const SMTP = { MALIPO_SMTP_URL: 'smtps://ana:s%40crt@mail.example', MALIPO_MAIL_FROM: 'pay@mail.example' };

  test('mail needs a server and an address it comes from', () => {
    expect(read(SMTP).mail).toEqual({ smtpUrl: SMTP.MALIPO_SMTP_URL, from: SMTP.MALIPO_MAIL_FROM });
    expect(complaintAbout({ ...SMTP, MALIPO_MAIL_FROM: '' })).toBe(
      'MALIPO_MAIL_FROM is not set. It must hold the address mails come from.',
    );
  });

  test.each([
    { MALIPO_SMTP_URL: 'https://mail.example' },
    { MALIPO_SMTP_URL: 'mail.example:587' },
    { MALIPO_MAIL_FROM: 'Ana <pay@mail.example>' },
    { MALIPO_MAIL_FROM: 'pay@mail.example\nBcc: all@mail.example' },
  ])('%o is refused, and no secret is told', (wrong) => {
    const complaint = complaintAbout({ ...SMTP, ...wrong });
    expect(complaint).toMatch(/^MALIPO_SMTP_URL must be smtp:/);
    expect(complaint).not.toContain('crt');
  });
});

describe('the sandbox', () => {
  test('the sandbox needs no settings, and is quieter than a server', () => {
    const bare = {
      databaseUrl: null,
      brand: { name: 'Malipo', colour: '#00594f', mark: null },
      logLevel: 'warn',
      outgoingAllow: ['127.0.0.0/8', '::1/128'],
      traces: null,
    };
    expect(readSandboxSettings({})).toEqual(bare);
    expect(readSandboxSettings({ DATABASE_URL: '' })).toEqual(bare);
  });

  test('the sandbox takes a database, a log level, addresses that callbacks may go to, a collector of traces, and a brand', () => {
    const env = {
      DATABASE_URL: 'postgres://127.0.0.1/kept',
      MALIPO_LOG_LEVEL: 'debug',
      MALIPO_OUTGOING_ALLOW: '172.17.0.0/16',
      MALIPO_TRACES_URL: 'http://127.0.0.1:4318/v1/traces',
      MALIPO_BRAND_NAME: 'Pesa Yangu',
    };
    expect(readSandboxSettings(env)).toEqual({
      databaseUrl: 'postgres://127.0.0.1/kept',
      brand: { name: 'Pesa Yangu', colour: '#00594f', mark: null },
      logLevel: 'debug',
      traces: { url: 'http://127.0.0.1:4318/v1/traces', samplePercent: 100 },
      outgoingAllow: ['127.0.0.0/8', '::1/128', '172.17.0.0/16'],
    });
    expect(() => readSandboxSettings({ MALIPO_LOG_LEVEL: 'loud' })).toThrow(ConfigError);
  });
});

function readSource(): string {
  return [
    'config.ts',
    'config-groups.ts',
    'config-keys.ts',
    'config-limits.ts',
    'config-screening.ts',
    'config-values.ts',
  ]
    .map((name) => readFileSync(new URL(`../src/${name}`, import.meta.url), 'utf8'))
    .join('');
}
