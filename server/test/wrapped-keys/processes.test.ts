// Processes of the gateway with wrapped keys, as a host runs them: one that waits for its keys and says why, and the
// command that wraps keys again after a rotation.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { FAKE_JWT, FAKE_ROLE, startKeyServiceFake, type KeyServiceFake } from './fake.ts';
import { runCommand } from '../command-process.ts';
import {
  eventually,
  initiate,
  openTestGateway,
  readDeposit,
  waitForStatus,
  type TestGateway,
} from '../gateway.ts';
import { serverEnvironment, startServerProcess, type ServerProcess } from '../server-process.ts';
import { readiness } from './kept-keys.ts';

let plain: TestGateway;
let fake: KeyServiceFake;
let folder: string;
const started: ServerProcess[] = [];

beforeAll(async () => {
  plain = await openTestGateway({ role: 'api' });
  fake = await startKeyServiceFake();
  folder = mkdtempSync(join(tmpdir(), 'malipo-wrapped-keys-'));
});
afterEach(async () => {
  for (const process of started.splice(0)) await process.kill();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await fake.stop();
  await plain.stop();
});

/** With the token of a service account in a file, as in Kubernetes. */
function settings(): Record<string, string> {
  const path = join(folder, 'token');
  writeFileSync(path, `${FAKE_JWT}\n`);
  return {
    ...serverEnvironment(plain),
    MALIPO_KEY_SERVICE_URL: fake.url,
    MALIPO_KEY_SERVICE_LOGIN: 'kubernetes',
    MALIPO_KEY_SERVICE_ROLE: FAKE_ROLE,
    MALIPO_KEY_SERVICE_CREDENTIAL_FILE: path,
    MALIPO_KEY_SERVICE_CHECK_MS: '200',
  };
}

/** What `keys wrap` makes of these keys, by default those in the clear. */
async function wrapKeys(changes: Record<string, string> = {}, ...args: readonly string[]): Promise<string> {
  const { code, output, errors } = await runCommand({ ...settings(), ...changes }, ['keys', 'wrap', ...args]);
  expect([code, errors]).toEqual([0, '']);
  return output;
}

async function serve(keys: string, role: 'api' | 'all' = 'all'): Promise<ServerProcess> {
  const environment = { ...settings(), MALIPO_ENCRYPTION_KEYS: keys };
  const process = await startServerProcess(plain, role, environment);
  started.push(process);
  return process;
}

describe('a new process', () => {
  test('a new process waits for its keys, says why in /ready and in its log, answers 503, and begins when it has them', async () => {
    const keys = await wrapKeys();
    expect(keys).toMatch(/^1:vault:v1:[\w+/=]+$/);
    await fake.goAway();
    const process = await serve(keys);
    expect(await readiness(process.url)).toBe('KEY_SERVICE_UNREACHABLE');
    const refused = await fetch(`${process.url}/v2/deposits/${crypto.randomUUID()}`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await fetch(`${process.url}/health`)).status).toBe(200);
    fake.seal();
    await fake.comeBack();
    await eventually(() => readiness(process.url)).toBe('KEY_SERVICE_SEALED');
    const depositId = await initiate(plain);
    fake.unseal();
    await eventually(() => readiness(process.url)).toBe('READY');
    await waitForStatus(plain, depositId, 'COMPLETED');
    for (const problem of ['KEY_SERVICE_UNREACHABLE', 'KEY_SERVICE_SEALED'])
      expect(process.output()).toContain(`"problem":"${problem}"`);
    expect(process.output()).not.toContain(FAKE_JWT);
  });

  test('a command does not wait: it ends with the reason', async () => {
    const keys = await wrapKeys();
    fake.deny();
    const environment = { ...settings(), MALIPO_ENCRYPTION_KEYS: keys };
    const { code, errors } = await runCommand(environment, ['signing-key', 'list']);
    fake.allow();
    expect(code).toBe(1);
    expect(errors).toBe(
      'malipo-server signing-key list: The key service does not give the encryption keys: ' +
        'KEY_SERVICE_DENIED (HTTP 403).',
    );
  });

  test('keys in the clear beside a key service are refused', async () => {
    const { code, errors } = await runCommand(settings(), ['signing-key', 'list']);
    expect([code, errors]).toEqual([1, expect.stringContaining('key 1 is not wrapped')]);
  });
});

describe('a rotation in the key service', () => {
  test('keys that are wrapped again by the new version are used, and the version before can be retired', async () => {
    const before = await wrapKeys();
    const first = await serve(before);
    const depositId = await initiate(plain);
    await waitForStatus(plain, depositId, 'COMPLETED');
    fake.rotate();
    const after = await wrapKeys({ MALIPO_ENCRYPTION_KEYS: before }, '--new', '2');
    expect(after).toMatch(/^1:vault:v2:[\w+/=]+,2:vault:v2:[\w+/=]+$/);
    fake.setMinDecryptionVersion(2);
    // Keys that a process has are not taken from it by that; a new process cannot get them any more.
    expect(await readiness(first.url)).toBe('READY');
    const late = await serve(before, 'api');
    expect(await readiness(late.url)).toBe('KEY_SERVICE_REFUSED');
    expect(late.output()).toContain('run keys wrap');
    const second = await serve(after, 'api');
    expect(await readiness(second.url)).toBe('READY');
    expect(await readDeposit({ ...plain, url: second.url }, depositId)).toMatchObject({
      payer: { accountDetails: { phoneNumber: '250783456789' } },
    });
  }, 240_000);
});
