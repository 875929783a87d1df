// The gateway as its own process, started as a host starts it and stopped by a signal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { SIMULATOR_CLIENT, TEST_KEYS, type TestGateway } from '../gateway.ts';

export type ServerProcess = {
  readonly url: string;
  /** Everything it has written to standard output so far, line by line. */
  readonly lines: readonly string[];
  readonly signal: (name: NodeJS.Signals) => void;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
};

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export function serverEnvironment(test: TestGateway): Record<string, string> {
  const { sealingKeys, searchKey, referenceKey } = TEST_KEYS;
  return {
    MALIPO_ENVIRONMENT: 'sandbox',
    DATABASE_URL: test.databaseUrl,
    MALIPO_PORT: '0',
    MALIPO_MOVABLE_CLOCK: 'on',
    MALIPO_SEALING_KEYS: sealingKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
    MALIPO_SEARCH_KEY: searchKey.toString('base64'),
    MALIPO_REFERENCE_KEY: referenceKey.toString('base64'),
    MALIPO_SIMULATOR_URL: test.simulator.url,
    MALIPO_SIMULATOR_CLIENT_ID: SIMULATOR_CLIENT.clientId,
    MALIPO_SIMULATOR_CLIENT_SECRET: SIMULATOR_CLIENT.clientSecret,
    MALIPO_SIMULATOR_NOTIFICATION_SECRET: SIMULATOR_CLIENT.notificationSecret,
  };
}

/** Starts `malipo-server <role>` and waits until it is ready. */
export async function startServerProcess(role: string, env: Record<string, string>): Promise<ServerProcess> {
  const child = spawnServer(role, env);
  const lines: string[] = [];
  const ready = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    const { msg, url } = parseLine(line);
    if (msg === 'ready') ready.resolve(String(url));
  });
  child.stderr.pipe(process.stderr);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  void ended.then(() => ready.reject(new Error('the server did not start')));
  return { url: await ready.promise, lines, signal: (name) => void child.kill(name), ended };
}

/** Runs `malipo-server <role>` to its end. */
export async function runServerProcess(role: string, env: Record<string, string>) {
  const child = spawnServer(role, env);
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, errors: Buffer.concat(errors).toString() };
}

function spawnServer(role: string, env: Record<string, string>) {
  // Only PATH is handed on: settings of whoever runs the tests must not leak in.
  return spawn(process.execPath, [MAIN, role], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function parseLine(line: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return {};
  }
}
