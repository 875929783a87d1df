// `malipo-server sandbox` as a developer and as a script use it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '../src/commands/sandbox/local-machine.ts';
import { call, depositRequest, eventually } from './gateway.ts';
import { startCallbackReceiver, type CallbackReceiver } from './receiver.ts';
import { startSandbox, whenPrinted, whenReady, type SandboxProcess } from './sandbox-process.ts';

let child: SandboxProcess | undefined;
let receiver: CallbackReceiver | undefined;
afterEach(async () => {
  child?.process.kill('SIGKILL');
  await receiver?.stop();
});

async function directoryOf(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  await client.end();
  return rows[0]!.data_directory;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

test('--json prints exactly one line, a deposit completes and is announced, SIGTERM ends it and removes its cluster', async () => {
  receiver = await startCallbackReceiver();
  const simulatorPort = String(await freePort());
  child = startSandbox('--json', '--callback-url', receiver.url, '--simulator-port', simulatorPort);
  const { output } = child;
  const ready = await whenReady(child);
  expect(ready).toEqual({
    ready: true,
    baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    apiToken: expect.stringMatching(/^mlp_sandbox_/),
    merchantId: expect.any(String),
    simulatorUrl: `http://127.0.0.1:${simulatorPort}`,
    databaseUrl: expect.stringMatching(/^postgres:/),
  });
  const directory = await directoryOf(ready['databaseUrl']);
  const request = depositRequest();
  const sandbox = { url: ready['baseUrl'], apiToken: ready['apiToken'] };
  const startedAt = performance.now();
  expect((await call(sandbox, 'POST', '/v2/deposits', request)).body).toMatchObject({ status: 'ACCEPTED' });
  const firstAnswerMs = performance.now() - startedAt;
  await eventually(() => receiver!.received.map(({ body }) => body['status'])).toEqual(['COMPLETED']);
  const status = await call(sandbox, 'GET', `/v2/deposits/${request['depositId']}`);
  expect(status.body).toEqual({ status: 'FOUND', data: receiver.received[0]!.body });
  // It is warm when it says that it is ready; the limit leaves room for a busy machine.
  expect(firstAnswerMs).toBeLessThan(5_000);

  const ended = once(child.process, 'exit');
  child.process.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(output.stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(await exists(directory)).toBe(false);
});

test('killed with -9 it leaves no cluster behind', async () => {
  child = startSandbox('--json');
  const directory = await directoryOf((await whenReady(child))['databaseUrl']);
  child.process.kill('SIGKILL');
  await eventually(() => exists(directory)).toBe(false);
});

/** What a shell prints when this is pasted into it. */
async function paste(line: string): Promise<unknown> {
  const shell = spawn('/bin/sh', ['-c', line], { stdio: ['ignore', 'pipe', 'inherit'] });
  let answer = '';
  shell.stdout.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  await once(shell, 'close');
  return JSON.parse(answer);
}

/** The texts of a page's lines to paste. */
function linesIn(page: string): readonly string[] {
  return [...page.matchAll(/<pre><code>([^<]*)<\/code><\/pre>/g)].map(([, text = '']) =>
    text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  );
}

test('the welcome and the landing page have requests that work when pasted, and lead to every place', async () => {
  child = startSandbox();
  const { output } = child;
  await whenPrinted(child, 'Ctrl-C');
  expect(output.stderr).toContain('Applied 0001_merchants.sql');
  expect(output.stdout).toMatch(
    /\n {2}export BASE=http:\S+ TOKEN=mlp_sandbox_\S+ MERCHANT_ID=[\w-]{36} SIMULATOR=http:\S+\n/,
  );
  const line = output.stdout.split('\n').find((candidate) => candidate.includes('-d '))!;
  expect(await paste(line)).toMatchObject({ status: 'ACCEPTED' });

  const baseUrl = /Open (\S+) in a browser/.exec(output.stdout)?.[1] ?? '';
  const answer = await fetch(`${baseUrl}/`, { headers: { 'accept-language': 'en' } });
  const page = await answer.text();
  expect(answer.status).toBe(200);
  expect(page).toContain('owner@demo.example');
  for (const path of ['/dashboard', '/docs/', '/sandbox/phone']) expect(page).toContain(`href="${path}"`);
  const [create = '', read = ''] = linesIn(page);
  expect(await paste(create)).toMatchObject({ status: 'ACCEPTED' });
  expect(await paste(read)).toMatchObject({ status: 'FOUND' });
  const french = await fetch(`${baseUrl}/`, { headers: { 'accept-language': 'fr-SN' } });
  expect(await french.text()).toContain('Téléphones de test');
});

test('a port that is taken is named with another one to try', async () => {
  receiver = await startCallbackReceiver();
  const port = Number(new URL(receiver.url).port);
  child = startSandbox('--port', String(port));
  const [code] = await once(child.process, 'exit');
  expect(code).not.toBe(0);
  expect(child.output.stderr).toContain(`Port ${port} is in use. Try --port ${port + 1}.`);
  // Known before anything was made.
  expect(child.output.stderr).not.toContain('PostgreSQL');
});
