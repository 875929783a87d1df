// The sandbox with the fakes of all operators, and the script that plays payments through them, as a developer runs
// both.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bindOperators } from '../src/commands/sandbox/operator-fakes.ts';
import { playedProvidersOf } from '../src/connectors/operator.ts';
import { OPERATORS } from '../src/connectors/registry.ts';
import { call } from './gateway.ts';
import { startSandbox, whenReady, type SandboxProcess } from './sandbox-process.ts';

const SCRIPT = fileURLToPath(new URL('../../tools/play-operators/main.ts', import.meta.url));

let child: SandboxProcess;
let ready: Record<string, any>;
beforeAll(async () => {
  child = startSandbox('--json', '--operators', 'fakes');
  ready = await whenReady(child);
});
afterAll(() => void child.process.kill('SIGTERM'));

async function play(...args: string[]): Promise<{ readonly code: number | string; readonly output: string }> {
  const given = ['--url', ready['baseUrl'], '--token', ready['apiToken'], ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, ...given], (error, output) => {
      resolve({ code: error?.code ?? 0, output });
    });
  });
}

test('a deposit, a payout and a refund complete through every operator that supports them', async () => {
  const { code, output } = await play();
  const rows = output.trimEnd().split('\n').slice(1);
  expect(new Set(rows.map((row) => row.split(' ')[0]))).toEqual(new Set(Object.keys(OPERATORS)));
  for (const row of rows) expect(row).toMatch(/^\S+ +(\d+) of \1 COMPLETED /);
  expect(code).toBe(0);
});

test('a payment that does not complete is named, and ends the script with another code', async () => {
  const { url, apiToken } = { url: ready['baseUrl'] as string, apiToken: ready['apiToken'] as string };
  const { body } = await call({ url, apiToken }, 'GET', '/sandbox/operators');
  const [name] = Object.keys(OPERATORS);
  const carrier = body['find'](({ connector }: { connector: string }) => connector === name);
  const fault = { type: 'OUTCOME', status: 'PENDING', operation: 'DEPOSIT' };
  await fetch(`${carrier.fakeUrl}/control/faults`, { method: 'POST', body: JSON.stringify(fault) });
  const { code, output } = await play('--operator', name!, '--patience-seconds', '4');
  expect(output).toMatch(/^\w+ DEPOSIT: still PROCESSING after 4 s$/m);
  expect(code).toBe(1);
});

test('every operator carries at least one provider, and no provider has two', () => {
  const bindings = bindOperators(Object.keys(OPERATORS));
  const providers = bindings.map(({ provider }) => provider);
  expect(new Set(providers).size).toBe(providers.length);
  expect(new Set(providers)).toEqual(new Set(Object.values(OPERATORS).flatMap(playedProvidersOf)));
  expect(new Set(bindings.map(({ connector }) => connector))).toEqual(new Set(Object.keys(OPERATORS)));
});
