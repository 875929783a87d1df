// The guides about signatures and callbacks: what they tell a reader to run is run, and does what it says.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../src/commands/sandbox/local-machine.ts';
import { rotateSigningKey } from '../../src/core/merchants/administer-keys.ts';
import { setCallbackUrl } from '../../src/core/merchants/administer-merchants.ts';
import { AGE_MAX_SECONDS, REQUIRED_COMPONENTS } from '../../src/wire/http-signature/check-signature.ts';
import { SIGNATURE_RULES } from '../../src/wire/http-signature/read-signature.ts';
import { openAccount } from '../edge/accounts.ts';
import { eventually, initiate, openTestGateway, select, waitUntil, type TestGateway } from '../gateway.ts';
import { readFences, type Fence } from './page-blocks.ts';
import {
  isAsPromised,
  LANGUAGES,
  openPageFolder,
  PROGRAM_ENVIRONMENT,
  runTabs,
  type PageFolder,
} from './run-page.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

function readGuide(name: string) {
  const page = readFileSync(join(ROOT, 'docs/guides', name), 'utf8');
  const fences = readFences(page);
  const shell = fences.filter(({ info }) => info === 'sh').map(({ text }) => text);
  return { page, fences, shell: shell.join('\n') };
}

let gateway: TestGateway;
let pageFolder: PageFolder;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  gateway = await openTestGateway();
  pageFolder = await openPageFolder();
  folder = pageFolder.path;
  env = { ...PROGRAM_ENVIRONMENT, BASE: gateway.url, TOKEN: gateway.apiToken };
});
afterAll(async () => {
  await gateway.stop();
  await pageFolder.remove();
});

describe('Sign requests', () => {
  const { page, shell } = readGuide('signatures.md');

  test('every line works when pasted: openssl signs what is accepted, and the workbench explains', async () => {
    // Each answer on a line of its own; and no one has to wait for a gateway that remembers nothing.
    const script = shell.replaceAll('curl -s', 'curl -s -w "\\n"').replace('sleep 6', 'sleep 0');
    const { stdout } = await run('/bin/sh', ['-e', '-c', script], { cwd: folder, env });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(answers).toMatchObject([
      { name: 'my-key', algorithm: 'ecdsa-p256-sha256' },
      { signedRequestsOnly: true },
      { status: 'ACCEPTED' },
      { status: 'REJECTED', failureReason: { failureCode: 'AUTHENTICATION_ERROR' } },
      { verdict: 'ACCEPTED', signedRequestsOnly: true },
      { line: 1, expected: '"@method": POST', received: '"@method": post' },
    ]);
  });

  test.each(LANGUAGES)('the tab for $name signs what is accepted', async (language) => {
    const where = { folder: pageFolder, environment: env };
    const { printed, promised } = await runTabs('docs/guides/signatures.md', language, where);
    expect([printed, isAsPromised(printed, promised)]).toEqual(['accepted', true]);
  });

  test('the script for Node signs what is accepted', async () => {
    const args = [join(ROOT, 'examples/sign-requests.mjs')];
    const options = { env: { ...env, KEY_FILE: join(folder, 'merchant.pem') } };
    const { stdout } = await run(process.execPath, args, options);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'ACCEPTED' });
  });

  test('Sign requests has a row for every rule, in the order in which they are held', () => {
    const rows = [...page.matchAll(/^\| ([A-Z_]+) \| (.*) \|$/gm)];
    expect(rows.map(([, rule]) => rule)).toEqual([...SIGNATURE_RULES]);
    for (const component of REQUIRED_COMPONENTS) expect(rows[3]![2]).toContain(`\`${component}\``);
    expect(rows[5]![2]).toContain(`${AGE_MAX_SECONDS / 60} minutes`);
  });
});

const callbacksGuide = readGuide('callbacks.md');

const RECEIVERS = [
  {
    label: 'Node.js',
    more: [],
    stores: "console.log('paid', callback.id);",
    fails: "throw new Error('no disk');",
  },
  {
    label: 'PHP',
    // Shown errors would be answered 200.
    more: ['-d', 'display_errors=1'],
    stores: 'error_log("paid $callback->id");',
    fails: "throw new Exception('no disk');",
  },
  {
    label: 'Python',
    more: [],
    stores: 'print("paid", callback.id)',
    fails: 'raise RuntimeError("no disk")',
  },
] as const;

type Language = (typeof RECEIVERS)[number];
type Receiver = {
  readonly language: Language;
  /** What the program does in place of what its tab does. */
  readonly change?: readonly [before: string, after: string];
  readonly account: { readonly merchantId: string; readonly apiToken: string };
};

const tabOf = (shape: RegExp, { label }: Language): Fence =>
  callbacksGuide.fences.find((fence) => shape.test(fence.info) && fence.label === label)!;

/** Runs the program of a tab, where callbacks of the account go. */
async function withReceiver(
  { language, change, account: { merchantId, apiToken } }: Receiver,
  use: (receiver: { readonly url: string; readonly printed: () => string }) => Promise<void>,
): Promise<void> {
  const { info, text } = tabOf(/ callbacks\./, language);
  const program = change === undefined ? text : text.replace(...change);
  expect(program === text).toBe(change === undefined);
  await writeFile(join(folder, info.split(' ')[1]!), program);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const start = tabOf(/^sh run terminal$/, language).text.trim();
  const [command = '', ...args] = start.replace('9000', String(port)).split(' ');
  const programs: Readonly<Record<string, string>> = { node: process.execPath, python3: '/usr/bin/python3' };
  const receiver = spawn(programs[command] ?? command, [...language.more, ...args], {
    cwd: folder,
    env: { ...env, TOKEN: apiToken, MERCHANT_ID: merchantId, SHOP_URL: url },
  });
  const ended = once(receiver, 'exit');
  let printed = '';
  for (const output of [receiver.stdout, receiver.stderr])
    output.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  try {
    await waitUntil(async () => (await fetch(url).catch(() => null)) !== null);
    const line = callbacksGuide.fences
      .find((fence) => fence.info === 'sh run')!
      .text.replace('http://127.0.0.1:9000', url);
    await run('/bin/sh', ['-e', '-c', line], { env: { ...env, TOKEN: apiToken } });
    await use({ url, printed: () => printed });
  } finally {
    receiver.kill();
    await ended;
  }
}

describe('Receive callbacks', () => {
  test('the lines for openssl verify a callback', async () => {
    await useAccountWithoutSignatures();
    const depositId = await initiate(gateway);
    const find = () => gateway.receiver.received.find(({ body }) => body['depositId'] === depositId);
    await waitUntil(() => find() !== undefined);
    const { headers, text, path } = find()!;
    await writeFile(join(folder, 'body.json'), text);
    const values = {
      HOST: headers.host!,
      TARGET: path,
      DATE: String(headers['signature-date']),
      DIGEST: String(headers['content-digest']),
      TYPE: headers['content-type']!,
      INPUT: String(headers['signature-input']),
      SIGNATURE: String(headers['signature']),
    };
    const { stdout } = await run('/bin/sh', ['-e', '-c', callbacksGuide.shell], {
      cwd: folder,
      env: { ...env, ...values },
    });
    expect(stdout.trim().split('\n')).toEqual(['Verified OK', values.DIGEST]);
  });

  test.each(RECEIVERS)('the tab for $label takes a callback, and no one else', async (language) => {
    await useAccountWithoutSignatures();
    await withReceiver({ language, account: gateway }, async ({ url, printed }) => {
      const forged = { method: 'POST', body: '{"status":"COMPLETED"}' };
      expect((await fetch(`${url}/callbacks`, forged)).status).toBe(401);
      const depositId = await initiate(gateway);
      await eventually(printed).toContain(`paid ${depositId}`);
    });
  });

  test.each(RECEIVERS)('the tab for $label does not acknowledge what it cannot store', async (language) => {
    const account = await openAccount(gateway);
    const change = [language.stores, language.fails] as const;
    await withReceiver({ language, change, account }, async () => {
      await initiate({ ...gateway, ...account });
      const statuses = 'select http_status from callback_attempts where merchant_id = $1 limit 1';
      const status = async () => (await select(gateway, statuses, [account.merchantId]))[0]?.['http_status'];
      await eventually(status).toBeGreaterThanOrEqual(500);
    });
  });

  test('the receiver takes callbacks, also after the key has changed, and no one else', async () => {
    // Of its own: callbacks of other tests may still be sent again.
    const account = await openAccount(gateway);
    const { merchantId, apiToken } = account;
    const port = await freePort();
    const receiver = spawn(process.execPath, [join(ROOT, 'examples/receive-callbacks.mjs')], {
      env: { ...env, TOKEN: apiToken, MERCHANT_ID: merchantId, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    receiver.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    try {
      await waitUntil(() => output.includes('listening'));
      const url = `http://127.0.0.1:${port}/callbacks`;
      await setCallbackUrl(gateway.engine, { by: 'test', merchantId, url });
      // Published before the receiver reads the keys for the first time, and signing later.
      await rotateSigningKey(gateway.engine, { by: 'test', leadMs: 3_600_000 });
      const before = await initiate({ ...gateway, ...account });
      await eventually(() => output).toContain(before);
      await gateway.gateway.movableClock!.move(3_600_000);
      const after = await initiate({ ...gateway, ...account });
      await eventually(() => output).toContain(after);
      const { status } = await fetch(url, { method: 'POST', body: '{"status":"COMPLETED"}' });
      expect(status).toBe(401);
      const other = await openAccount(gateway);
      await setCallbackUrl(gateway.engine, { by: 'test', merchantId: other.merchantId, url });
      await initiate({ ...gateway, ...other }, { depositId: after });
      const statuses = 'select http_status from callback_attempts where merchant_id = $1 limit 1';
      await eventually(() => select(gateway, statuses, [other.merchantId])).toEqual([{ http_status: 401 }]);
      // Each of the two perhaps more than once: an answer that takes long is asked for again.
      expect(new Set(output.match(/^verified .*$/gm)).size).toBe(2);
    } finally {
      receiver.kill();
    }
  });
});

/** The first guide has switched the demand for signatures on. */
async function useAccountWithoutSignatures(): Promise<void> {
  const answer = await fetch(`${gateway.url}/sandbox/signed-requests`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${gateway.apiToken}`, 'content-type': 'application/json' },
    body: '{"signedRequestsOnly":false}',
  });
  expect(answer.status).toBe(200);
}
