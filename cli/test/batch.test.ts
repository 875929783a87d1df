// `malipo payout batch` against a whole gateway, killed for real.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestGateway, waitUntil, type TestGateway } from '../../server/test/gateway.ts';
import { openMachine, type Machine } from './machine.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let gateway: TestGateway;
let machine: Machine;
beforeAll(async () => {
  gateway = await openTestGateway({ announces: false });
  machine = await openMachine({ MALIPO_URL: gateway.url, MALIPO_TOKEN: gateway.apiToken });
});
afterAll(async () => {
  await machine.remove();
  await gateway.stop();
});

async function writeBatch(name: string, lines: readonly string[]): Promise<string> {
  const path = join(machine.home, name);
  await writeFile(path, `${lines.join('\n')}\n`);
  return path;
}

const HEADING = 'phoneNumber,amount,currency,provider';

/** The amount is another one in every row: by it the operator's books are read. */
const row = (index: number) => `25078${String(3_000_000 + index)},${100 + index},RWF,MTN_MOMO_RWA`;

const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index));

/** What the operator was asked to pay, by amount. */
const paidAmounts = () =>
  gateway.simulator
    .books()
    .charges.filter(({ operation }) => operation === 'PAYOUT')
    .map(({ amount }) => Number(amount))
    .toSorted((one, other) => one - other);

const countPaid = () => paidAmounts().length;

test('a batch of 1,000 that is killed in the middle and started again pays each recipient once', async () => {
  const path = await writeBatch('wages.csv', [HEADING, ...rows(1_000)]);
  const child = spawn(process.execPath, [MAIN, 'payout', 'batch', path], {
    env: { PATH: '', HOME: machine.home, MALIPO_URL: gateway.url, MALIPO_TOKEN: gateway.apiToken },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await waitUntil(() => countPaid() >= 200, { timeout: 120_000 });
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  const paidBefore = countPaid();
  expect(paidBefore).toBeLessThan(1_000);

  const again = await machine.malipo('payout', 'batch', path, '--json');
  expect(again.stderr).toMatch(/^Continuing: \d+ of 1000 payouts were accepted before\.$/m);
  expect(JSON.parse(again.stdout)).toMatchObject({ total: 1_000, accepted: 1_000, rejected: 0 });
  await waitUntil(() => countPaid() >= 1_000, { timeout: 200_000 });
  expect(paidAmounts()).toEqual(Array.from({ length: 1_000 }, (_, index) => 100 + index));

  const third = await machine.json('payout', 'batch', path);
  expect(third).toMatchObject({ accepted: 1_000 });
  expect(countPaid()).toBe(1_000);
  const results = (await readFile(`${path}.results.csv`, 'utf8')).trim().split('\n');
  expect(results).toHaveLength(1_001);
  expect(new Set(results.slice(1).map((line) => line.split(',')[6])).size).toBe(1_000);
}, 300_000);

test('every error of a file is reported with its line, and nothing is sent', async () => {
  const before = countPaid();
  const path = await writeBatch('faulty.csv', [
    HEADING,
    '250783456789,5000,RWF,MTN_MOMO_RWA',
    '',
    '250783456780,12.5,RWF,MTN_MOMO_RWA',
    '12,100,RWF,MTN_MOMO_RWA',
    '250783456781,100,XOF,MTN_MOMO_RWA',
    '250783456782,one,RWF,MTN_MOMO_RWA',
    '250783456789,5000,RWF,MTN_MOMO_RWA',
  ]);
  const { exitCode, stdout } = await machine.malipo('payout', 'batch', path);
  expect(exitCode).toBe(1);
  expect(stdout.split('\n').slice(0, -1)).toEqual([
    'Nothing sent. 5 errors:',
    'line 4: amount: MTN_MOMO_RWA supports 0 decimal places.',
    'line 5: phoneNumber: Not a valid phone number in RWA.',
    'line 6: currency: MTN_MOMO_RWA does not support payouts in XOF for this account.',
    expect.stringMatching(/^line 7: amount: /),
    'line 8: Rows 1, 6 look like duplicates. To send all of them: --allow-duplicates.',
  ]);
  expect(countPaid()).toBe(before);
});

test('a dry run shows what would be paid, keeps no journal and sends nothing', async () => {
  const before = countPaid();
  const path = await writeBatch('dry.csv', [HEADING, ...rows(3)]);
  const { sums } = await machine.json('payout', 'batch', path, '--dry-run');
  expect(sums).toEqual([
    { country: 'RWA', currency: 'RWF', count: 3, amount: '303', available: expect.any(String) },
  ]);
  await expect(readFile(`${path}.journal`)).rejects.toThrow('ENOENT');
  expect(countPaid()).toBe(before);
});

test('a file that was changed after it was sent is refused, and so is another gateway', async () => {
  const path = await writeBatch('changed.csv', [HEADING, '250783456701,2500,RWF,MTN_MOMO_RWA']);
  expect((await machine.malipo('payout', 'batch', path, '--wait')).exitCode).toBe(0);
  expect(await readFile(`${path}.results.csv`, 'utf8')).toContain(',accepted,COMPLETED,');
  const before = countPaid();
  await writeFile(path, `${HEADING}\n250783456701,2600,RWF,MTN_MOMO_RWA\n`);
  const refused = await machine.malipo('payout', 'batch', path);
  expect(refused.stderr).toContain('The file was changed after payouts were sent from it');
  await writeFile(path, `${HEADING}\n250783456701,2500,RWF,MTN_MOMO_RWA\n`);
  const elsewhere = await openMachine({
    MALIPO_URL: gateway.url.replace('127.0.0.1', 'localhost'),
    MALIPO_TOKEN: gateway.apiToken,
  });
  const stranger = await elsewhere.malipo('payout', 'batch', path);
  await elsewhere.remove();
  expect(stranger.stderr).toContain(`The file was started with the gateway ${gateway.url}`);
  expect(countPaid()).toBe(before);
});

test('a row that the gateway refuses is listed in the results and tried again with the next start', async () => {
  const path = await writeBatch('refused.csv', [
    HEADING,
    '250783456702,4001,RWF,MTN_MOMO_RWA',
    '221773456789,4002,XOF,WAVE_SEN',
  ]);
  await setPayouts('WAVE_SEN', 'CLOSED');
  const first = await machine.json('payout', 'batch', path);
  expect(first).toMatchObject({ total: 2, accepted: 1, rejected: 1, withoutResult: 0 });
  const waited = await machine.malipo('payout', 'batch', path, '--wait');
  expect(waited.stdout.split('\n')[0]).toBe(
    '2 rows: 1 completed, 0 failed, 0 still processing, 1 rejected, 0 without a result.',
  );
  expect(await readFile(`${path}.results.csv`, 'utf8')).toContain(
    'rejected,,PROVIDER_TEMPORARILY_UNAVAILABLE',
  );
  await setPayouts('WAVE_SEN', 'OPERATIONAL');
  expect(await machine.json('payout', 'batch', path)).toMatchObject({ accepted: 2, rejected: 0 });
});

async function setPayouts(provider: string, status: string): Promise<void> {
  await fetch(`${gateway.url}/sandbox/availability/${provider}/PAYOUT`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${gateway.apiToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  });
}
