// The documented examples, run as a reader would run them.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestGateway, type TestGateway } from './gateway.ts';

const run = promisify(execFile);
const EVERY_KIND = fileURLToPath(new URL('../../examples/every-kind.mjs', import.meta.url));

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(() => gateway.stop());

test('examples/every-kind.mjs plays every kind of payment and ends with balances that add up', async () => {
  const { stdout } = await run(process.execPath, [EVERY_KIND, gateway.url, gateway.apiToken]);
  expect(stdout.match(/COMPLETED/g)).toHaveLength(5);
  expect(stdout).toContain('The balances add up.');
});
