// The reference page of settings against the source, both ways.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { SECRET_SETTINGS } from '../../src/config-secrets.ts';
import { readTextTable } from '../domain/text-table.ts';
import { complaintAbout, MINIMAL_SETTINGS } from '../settings.ts';

/** Without these, settings that belong to them are not read. */
const KEY_SERVICE = {
  MALIPO_KEY_SERVICE_URL: 'https://vault.example:8200',
  MALIPO_KEY_SERVICE_LOGIN: 'token',
  MALIPO_KEY_SERVICE_CREDENTIAL: 'hvs.token',
};

const SCREENING = { MALIPO_SCREENING_URL: 'https://screening.example/check' };

describe('the reference page of settings', () => {
  const documented = readTextTable(readPage().slice(readPage().indexOf('| Name |'))).map(
    ([, name = '', meaning = '', otherwise = '']) => ({
      name: name.replaceAll('`', ''),
      meaning,
      otherwise: otherwise.replaceAll('`', ''),
    }),
  );

  test('the reference page of settings lists every name the source reads, once, and nothing else', () => {
    const names = [...readSource().matchAll(/'((?:MALIPO_|DATABASE_)\w+)'/g)].map(([, name = '']) => name);
    expect(documented.map(({ name }) => name).toSorted()).toEqual([...new Set(names)].toSorted());
  });

  test('every setting that is named or described as a secret can be given as a file, and nothing else', () => {
    const secret = documented.filter(
      ({ name, meaning }) =>
        /_(KEYS?|SECRET|CREDENTIAL|PASSWORD|TOKEN)$/.test(name) || /password|postgres:/.test(meaning),
    );
    expect(secret.map(({ name }) => name).toSorted()).toEqual(SECRET_SETTINGS.toSorted());
    const [, list = ''] = /## Secrets in files\n([^#]*)/.exec(readPage()) ?? [];
    const named = [...list.matchAll(/`((?:MALIPO_|DATABASE_)\w+)`/g)].map(([, name = '']) => name);
    expect([...new Set(named)].filter((name) => !name.endsWith('_FILE')).toSorted()).toEqual(
      SECRET_SETTINGS.toSorted(),
    );
  });

  test.each(documented)('$name has a meaning and a default', ({ meaning, otherwise }) => {
    expect(meaning).toMatch(/^[A-Z].+\.$/);
    expect(otherwise).not.toBe('');
  });

  test('the default of every whole number is the one that is used', () => {
    const defaults = Object.fromEntries(documented.map(({ name, otherwise }) => [name, otherwise]));
    const { connectionsMax, port, worker, health, monitor, signatures, ...rest } =
      readConfig(MINIMAL_SETTINGS);
    const serviced = readConfig({ ...MINIMAL_SETTINGS, ...KEY_SERVICE });
    const traced = readConfig({ ...MINIMAL_SETTINGS, MALIPO_TRACES_URL: 'http://127.0.0.1:4318/v1/traces' });
    expect(defaults).toMatchObject({
      MALIPO_DATABASE_CONNECTIONS: String(connectionsMax),
      MALIPO_PORT: String(port),
      MALIPO_STEP_LEASE_MS: String(worker.stepLeaseMs),
      MALIPO_POLL_MS: String(worker.pollMs),
      MALIPO_CALLBACK_TIMEOUT_MS: String(worker.callbackTimeoutMs),
      MALIPO_CALLBACK_LEASE_MS: String(worker.callbackLeaseMs),
      MALIPO_CALLBACKS_AT_ONCE: String(worker.callbacksAtOnceMax),
      MALIPO_CALLBACK_SWITCH_OFF_DAYS: String(worker.callbackSwitchOffAfterMs / 86_400_000),
      MALIPO_RELEASES_PER_SECOND: String(worker.releasesPerSecond),
      MALIPO_SWEEP_INTERVAL_MS: String(worker.sweepIntervalMs),
      MALIPO_SWEEP_OVERDUE_MS: String(worker.sweepOverdueAfterMs),
      MALIPO_HEALTH_LOOK_MS: String(health.lookIntervalMs),
      MALIPO_HEALTH_WINDOW_MS: String(health.windowMs),
      MALIPO_HEALTH_CALLS_MIN: String(health.callsMin),
      MALIPO_HEALTH_DELAYED_PERCENT: String(health.delayedPercent),
      MALIPO_HEALTH_OPERATIONAL_PERCENT: String(health.operationalPercent),
      MALIPO_HEALTH_SILENCE_MS: String(health.silenceMs),
      MALIPO_HEALTH_RECOVER_AFTER_MS: String(health.recoverAfterMs),
      MALIPO_HEALTH_PROBE_MS: String(health.probeIntervalMs),
      MALIPO_MONITOR_INTERVAL_MS: String(monitor.intervalMs),
      MALIPO_MONITOR_FLOAT_MS: String(monitor.floatIntervalMs),
      MALIPO_MONITOR_BOOKS_MS: String(monitor.booksIntervalMs),
      MALIPO_SIGNING_KEY_DAYS: String(signatures.keyDays),
      MALIPO_SIGNING_KEY_LEAD_SECONDS: String(signatures.keyLeadSeconds),
      MALIPO_DIRECTORY_REMEMBER_MS: String(rest.directoryRememberMs),
      MALIPO_REQUESTS_PER_SECOND: String(rest.rateLimit.perSecond),
      MALIPO_REQUEST_BURST: String(rest.rateLimit.burst),
      MALIPO_AUTH_FAILURES_PER_SECOND: String(rest.authFailureLimit.perSecond),
      MALIPO_AUTH_FAILURE_BURST: String(rest.authFailureLimit.burst),
      MALIPO_KEY_SERVICE_CHECK_MS: String(serviced.keys.keyService?.checkMs),
      MALIPO_TRACES_SAMPLE_PERCENT: String(traced.traces?.samplePercent),
    });
  });

  test.each(documented.filter(({ otherwise }) => /^\d+$/.test(otherwise)))(
    'a $name that is no number is refused, and the range is told',
    ({ name }) => {
      expect(complaintAbout({ ...KEY_SERVICE, ...SCREENING, [name]: 'x' })).toMatch(/from \d+ to \d+,/);
    },
  );
});

function readSource(): string {
  return [
    'config',
    'config-database',
    'config-groups',
    'config-keys',
    'config-limits',
    'config-screening',
    'config-oidc',
    'config-secrets',
    'config-values',
  ]
    .map((name) => readFileSync(new URL(`../../src/${name}.ts`, import.meta.url), 'utf8'))
    .join('');
}

function readPage(): string {
  return readFileSync(new URL('../../../docs/reference/configuration.md', import.meta.url), 'utf8');
}
