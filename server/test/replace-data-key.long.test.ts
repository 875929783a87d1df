// A merchant's data key to the end of its life: another encrypts, all is encrypted again, and the old one is destroyed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGateway, type Gateway } from '../src/commands/serve/compose.ts';
import { readAuditLog } from '../src/core/audit.ts';
import { destroyDataKey, replaceDataKey, REST_MS } from '../src/core/encryption/replace-data-key.ts';
import { LEAD_MIN_MS } from '../src/core/access/signing-keys.ts';
import { MERCHANT_COLUMNS } from '../src/store/encryption/encrypted-columns.ts';
import { runCommandHere, startCommand } from './command-process.ts';
import {
  depositRequest,
  openTestGateway,
  readDeposit,
  select,
  waitUntil,
  type TestGateway,
} from './gateway.ts';
import { startCompleted } from './payments.ts';
import { fillEncryptedData, openEncryptedData } from './encrypted-data.ts';
import { serverEnvironment } from './server-process.ts';

/** On a busy machine a process takes its time to start. */
const PROCESS_MS = 45_000;

let gateway: TestGateway;
let other: Gateway;
let depositId: string;
let before: ReadonlyMap<string, string>;
beforeAll(async () => {
  gateway = await openTestGateway({ simulator: { outcomeDelayMs: 100 } });
  depositId = await startCompleted(gateway, 'deposit', depositRequest());
  await fillEncryptedData(gateway);
  other = await openGateway(gateway.config, { role: 'api', logTo: 2 });
});
afterAll(async () => {
  await other?.stop();
  await gateway.stop();
});

const order = (onProgress = (_table: string, _count: number): void => undefined) => ({
  by: 'Ana',
  merchantId: gateway.merchantId,
  onProgress,
});

function cutOff(): never {
  throw new Error('cut off');
}

const letPass = (ms: number) => gateway.gateway.movableClock!.move(ms);

/** Time was moved past the permission to send of what was in progress: those are asked about, when that is due. */
async function passUntil(work: Promise<unknown>): Promise<void> {
  const state = { isOver: false };
  const ended = work.finally(() => (state.isOver = true));
  while (!state.isOver) {
    await letPass(1_000);
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
  await ended;
}

test('before, every column that data keys encrypt has a value of the first one', async () => {
  const { said, keyNos } = await openEncryptedData(gateway, gateway.merchantId);
  const columns = new Set([...said.keys()].map((name) => name.replace(/ .*/, '')));
  expect([...columns].toSorted()).toEqual(
    MERCHANT_COLUMNS.map(({ table, column }) => `${table}.${column}`).toSorted(),
  );
  expect([...keyNos]).toEqual([0]);
  before = said;
});

test('the new key encrypts when every process has read it, while payments are made', async () => {
  const { url } = await other.start();
  const paid: Promise<string>[] = [];
  const pay = () => paid.push(startCompleted({ ...gateway, url }, 'deposit', depositRequest()));
  const keys = async () =>
    (await select(gateway, 'select data_key_no as encrypts, other_data_key_no as opens from merchants'))[0];
  const run = expect(replaceDataKey(gateway.engine, order(cutOff))).rejects.toThrow('cut off');
  await waitUntil(async () => (await keys())?.['opens'] === 1);
  expect(await keys()).toEqual({ encrypts: 0, opens: 1 });
  pay();
  await letPass(LEAD_MIN_MS);
  await waitUntil(async () => (await keys())?.['encrypts'] === 1);
  pay();
  await letPass(LEAD_MIN_MS);
  await run;
  pay();
  await passUntil(Promise.all(paid));
  expect((await openEncryptedData(other, gateway.merchantId)).keyNos).toEqual(new Set([0, 1]));
});

test('a run that is killed is taken up by the next, until nothing is under the old key', async () => {
  const settings = {
    ...serverEnvironment(gateway),
    DATABASE_URL: gateway.databaseUrl,
    MALIPO_MOVABLE_CLOCK: 'on',
  };
  const args = ['data-key', 'replace', '--merchant', gateway.merchantId, '--by', 'Ana'];
  const again = `select from payment_events where get_byte(encrypted_evidence, 1) = 1
    and payment_no not in (select payment_no from payment_keys where payment_id = $1)`;
  const countNew = async () => (await select(gateway, again, [depositId])).length;
  const holder = await gateway.engine.store.database.connect();
  const known = await countNew();
  await holder.query('begin');
  await holder.query(
    `select from payment_events
      where payment_no in (select payment_no from payment_keys where payment_id = $1) for update`,
    [depositId],
  );
  const run = startCommand(settings, args);
  try {
    await waitUntil(async () => (await countNew()) > known, { timeout: PROCESS_MS });
  } finally {
    await run.kill();
    await holder.query('rollback');
    holder.release();
  }
  const paid = startCompleted(gateway, 'deposit', depositRequest());
  const done = await runCommandHere(settings, args);
  await paid;
  expect(done).toMatchObject({ code: 0, errors: '' });
  expect(done.output).toMatch(/^payment_events: \d+$[^]*^re-encrypted: \d+, under data key 1$/m);
  const { said, keyNos } = await openEncryptedData(other, gateway.merchantId);
  for (const [name, text] of before) expect([name, said.get(name)]).toEqual([name, text]);
  expect([...keyNos]).toEqual([1]);
});

test('the key before is not destroyed too early, and not twice; then everything opens without it', async () => {
  const { engine, merchantId } = gateway;
  expect(await destroyDataKey(engine, order())).toMatchObject({ type: 'TOO_EARLY' });
  await letPass(REST_MS);
  expect(await destroyDataKey(engine, order())).toEqual({ type: 'DESTROYED', no: 0 });
  expect(await destroyDataKey(engine, order())).toEqual({ type: 'NONE' });
  const acts = (await readAuditLog(engine, { merchantId, countMax: 2 })).map(({ act, detail }) => [
    act,
    detail,
  ]);
  expect(acts).toEqual([
    ['DATA_KEY_DESTROYED', { dataKeyNo: 0 }],
    ['DATA_KEY_REPLACED', { dataKeyNo: 1 }],
  ]);

  // One that has never seen the old key.
  const fresh = await openGateway(gateway.config, { role: 'all', logTo: 2 });
  try {
    const { url } = await fresh.start();
    const there = { ...gateway, url };
    const { said } = await openEncryptedData(fresh, merchantId);
    for (const [name, text] of before) expect([name, said.get(name)]).toEqual([name, text]);
    expect(await readDeposit(there, depositId)).toMatchObject({
      payer: { accountDetails: { phoneNumber: '250783456789' } },
    });
    await startCompleted(there, 'deposit', depositRequest());
  } finally {
    await fresh.stop();
  }
});

test('what is encrypted in the past is written over only by a transaction that says so, and nothing else is', async () => {
  const { database } = gateway.engine.store;
  const write = (column: string) =>
    database.query(`update payment_events set ${column} where encrypted_evidence is not null`);
  await expect(write(`encrypted_evidence = 'x'`)).rejects.toThrow('append-only');
  const client = await database.connect();
  try {
    await client.query(`begin; set local malipo.re_encrypting = 'on'`);
    await expect(client.query(`update payment_events set event = 'x'`)).rejects.toThrow('append-only');
  } finally {
    await client.query('rollback');
    client.release();
  }
});
