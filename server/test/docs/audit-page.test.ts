// docs/operating/audit.md: the lines of its export, run in a shell. They continue a file whose last line a crash cut.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeAvailability } from '../../src/core/merchants/administer-merchants.ts';
import { BASE_ENVIRONMENT } from '../base-environment.ts';
import { eventually, openTestGateway, select, type TestGateway } from '../gateway.ts';
import { serverEnvironment } from '../server-process.ts';

const PROGRAMS = fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url));
const page = readFileSync(new URL('../../../docs/operating/audit.md', import.meta.url), 'utf8');
const [, block = ''] = /## Export\n\n```sh\n([\s\S]*?)```/.exec(page) ?? [];

let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  gateway = await openTestGateway();
  folder = await mkdtemp(join(tmpdir(), 'malipo-audit-'));
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true });
});

/** To the last entry that there is, instead of waiting for more. Answers the file. */
async function exportAudit(): Promise<string> {
  const PATH = `${PROGRAMS}:${BASE_ENVIRONMENT.PATH}`;
  await promisify(execFile)('/bin/sh', ['-c', block.replace(' --follow', '')], {
    cwd: folder,
    env: { ...BASE_ENVIRONMENT, ...serverEnvironment(gateway), PATH },
  });
  return readFile(join(folder, 'audit.jsonl'), 'utf8');
}

test('the export continues after the last whole line, and has each entry once', async () => {
  for (const operation of ['DEPOSIT', 'PAYOUT', 'REFUND'] as const) {
    const order = { by: 'Ana', provider: 'MTN_MOMO_RWA', operation, status: 'DELAYED' } as const;
    await changeAvailability(gateway.engine, order);
  }
  await eventually(() => select(gateway, 'select entry_no from audit_unchained')).toEqual([]);
  const whole = await exportAudit();
  expect(whole.split('\n').length).toBeGreaterThan(3);
  expect(await exportAudit()).toBe(whole);
  await writeFile(join(folder, 'audit.jsonl'), whole.slice(0, -20));
  expect(await exportAudit()).toBe(whole);
});
