// The server as its own process, so that it can be killed and stopped for real. Real time, with short settings.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { LOOPBACK_RANGES } from '../src/callbacks/outgoing-guard.ts';
import type { ConnectorTiming } from '../src/connectors/port.ts';
import { BASE_ENVIRONMENT } from './base-environment.ts';
import { SIMULATOR_CLIENT, TEST_KEYS, type TestGateway, waitUntil } from './gateway.ts';
import { urlForProcess } from './lesser-roles.ts';
import { poolerEnvironment } from './pgbouncer.ts';

export type ServerProcess = {
  /** Where it listens. */
  readonly url: string;
  /** Everything it wrote, on standard output and standard error. */
  readonly output: () => string;
  readonly kill: () => Promise<void>;
  /** SIGTERM, and wait until it has ended. Answers its exit code. */
  readonly terminate: () => Promise<number | null>;
  /** SIGSTOP: the process stands still wherever it is. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** SIGUSR2: what it means, the module says that was loaded before the server. */
  readonly signal: () => void;
};

/** What takes seconds in production takes a fraction of one here; the order of the figures is the same. */
export const SHORT_TIMING: ConnectorTiming = {
  sendDeadlineMs: 1_500,
  timeoutMs: 1_500,
  notSeenAfterMs: 3_500,
  enquiryDelaysMs: [200, 400, 800],
  horizonMs: 60_000,
  reconciliationDelayMs: 1_000,
};

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** Starts `malipo-server api`, `worker` or `all` on the database and simulator of a test gateway. */
export async function startServerProcess(
  test: TestGateway,
  role: 'api' | 'worker' | 'all',
  environment: Record<string, string> = {},
  patience: { readonly timeout?: number } = {},
): Promise<ServerProcess> {
  const database = poolerEnvironment(urlForProcess(test.databaseUrl, role));
  const child = spawn(process.execPath, [MAIN, role], {
    env: { ...BASE_ENVIRONMENT, ...serverEnvironment(test), ...database, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const url = () => /"url":"([^"]+)"/.exec(output)?.[1];
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  // Longer than anything else is waited for: on a busy machine a process takes its time to start.
  await waitUntil(() => url() !== undefined || hasEnded(), { timeout: 90_000, ...patience }).catch(
    (error: unknown) => {
      // One that starts too late would work on unseen, permanently.
      child.kill('SIGKILL');
      throw error;
    },
  );
  if (hasEnded()) throw new Error(`the ${role} did not start: ${output}`);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (hasEnded()) return child.exitCode;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    return child.exitCode;
  };
  return {
    url: url()!,
    output: () => output,
    kill: async () => void (await end('SIGKILL')),
    terminate: () => end('SIGTERM'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    signal: () => void child.kill('SIGUSR2'),
  };
}

export function serverEnvironment(test: TestGateway): Record<string, string> {
  return {
    MALIPO_ENVIRONMENT: 'sandbox',
    MALIPO_LOG_LEVEL: 'info',
    ...poolerEnvironment(urlForProcess(test.databaseUrl, 'all')),
    MALIPO_PORT: '0',
    MALIPO_OPERATORS_URL: test.url,
    MALIPO_ENCRYPTION_KEYS: TEST_KEYS.encryptionKeys
      .map(({ id, key }) => `${id}:${key.toString('base64')}`)
      .join(','),
    MALIPO_SEARCH_KEY: TEST_KEYS.searchKey.toString('base64'),
    MALIPO_REFERENCE_KEY: TEST_KEYS.referenceKey.toString('base64'),
    MALIPO_LINK_KEYS: TEST_KEYS.linkKeys[0].toString('base64'),
    MALIPO_SIMULATOR_URL: test.simulator.url,
    MALIPO_SIMULATOR_CLIENT_ID: SIMULATOR_CLIENT.clientId,
    MALIPO_SIMULATOR_CLIENT_SECRET: SIMULATOR_CLIENT.clientSecret,
    MALIPO_SIMULATOR_NOTIFICATION_SECRET: SIMULATOR_CLIENT.notificationSecret,
    MALIPO_SIMULATOR_TIMING: JSON.stringify(SHORT_TIMING),
    MALIPO_POLL_MS: '50',
    MALIPO_STEP_LEASE_MS: '2000',
    MALIPO_SWEEP_INTERVAL_MS: '500',
    MALIPO_SWEEP_OVERDUE_MS: '1000',
    MALIPO_OUTGOING_ALLOW: LOOPBACK_RANGES.join(','),
    MALIPO_CALLBACK_TIMEOUT_MS: '1000',
    MALIPO_CALLBACK_LEASE_MS: '2000',
    MALIPO_REQUESTS_PER_SECOND: '1000000',
    MALIPO_REQUEST_BURST: '1000000',
    MALIPO_STOP_NOTICE_MS: '0',
  };
}
