// Lists of phone numbers: who is refused, who is not limited, and how lists come in and go out.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { askedByCommand } from '../../src/core/approvals/request.ts';
import { addNumbers, findOnList, removeNumber } from '../../src/core/limits/request-numbers.ts';
import { exportNumbers, listNumbers, unlistNumbers } from '../../src/core/limits/listed-numbers.ts';
import { readAuditLog } from '../../src/core/audit.ts';
import { cancel } from '../../src/core/payments/act/cancel.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import { release } from '../../src/core/payments/process/release.ts';
import { claimSubmits } from '../../src/core/payments/process/submit.ts';
import type { DirectOrder } from '../../src/core/payments/payment-request.ts';
import type { NumberList } from '../../src/domain/limits/listed-number.ts';
import { listHeldMoney } from '../../src/store/limits/held-money.ts';
import { runCommandHere } from '../command-process.ts';
import { openTestGateway, select, type TestGateway } from '../gateway.ts';
import { serverEnvironment } from '../server-process.ts';
import { limitedMerchant, orderOf } from './limited-merchants.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());

const by = 'Ana';

const add = (
  list: NumberList,
  merchantId: string | null,
  phoneNumber: string,
  expiresAt: Date | null = null,
) =>
  listNumbers(gateway.engine, {
    by,
    merchantId,
    list,
    entries: [{ phoneNumber, reason: 'fraud', expiresAt }],
  });
const remove = (list: NumberList, merchantId: string | null, phoneNumber: string) =>
  unlistNumbers(gateway.engine, { by, merchantId, list, phoneNumbers: [phoneNumber] });

async function start(merchantId: string, phoneNumber: string, kind: DirectOrder['kind'] = 'PAYOUT') {
  const order = await orderOf(gateway.engine, merchantId, { kind, details: { phoneNumber } });
  return (await initiate(gateway.engine, [order]))[0]!;
}

/** Answers the identifier. */
async function accepted(merchantId: string, phoneNumber: string, kind: DirectOrder['kind'] = 'PAYOUT') {
  const order = await orderOf(gateway.engine, merchantId, { kind, details: { phoneNumber } });
  expect((await initiate(gateway.engine, [order]))[0]!.type).toBe('ACCEPTED');
  return order.writtenId;
}
const claimedNow = async () =>
  (await claimSubmits(gateway.engine, { countMax: 100 })).claimed
    .map(({ payment }) => payment.paymentId)
    .toSorted();
const releaseAll = () =>
  release(gateway.engine, { countMax: 100, onError: (error) => expect(error).toBe(null) });

const typeOf = async (...of: Parameters<typeof start>) => (await start(...of)).type;

test('a number that the platform blocks neither pays nor is paid at any merchant, until it is removed', async () => {
  const number = '250783000011';
  const { merchantId } = await createDemoMerchant(gateway.engine, null);
  await add('BLOCKED', null, number);
  for (const id of [merchantId, gateway.merchantId]) {
    for (const kind of ['DEPOSIT', 'PAYOUT'] as const)
      expect(await start(id, number, kind)).toMatchObject({
        type: 'NOT_ALLOWED',
        reason: { failureCode: `${kind}S_NOT_ALLOWED`, failureMessage: 'This phone number is blocked.' },
      });
  }
  expect(await typeOf(merchantId, '250783000012')).toBe('ACCEPTED');
  await remove('BLOCKED', null, number);
  expect(await typeOf(merchantId, number)).toBe('ACCEPTED');
});

test('a number that one merchant has blocked is paid by others, and an entry expires', async () => {
  const number = '250783000013';
  const { merchantId } = await createDemoMerchant(gateway.engine, null);
  const until = new Date(gateway.engine.clock.now().getTime() + 60_000);
  await add('BLOCKED', merchantId, number, until);
  expect([await typeOf(merchantId, number), await typeOf(gateway.merchantId, number)]).toEqual([
    'NOT_ALLOWED',
    'ACCEPTED',
  ]);
  await gateway.gateway.movableClock!.move(61_000);
  expect(await typeOf(merchantId, number)).toBe('ACCEPTED');
});

test.each([
  ['the platform', null],
  ['one merchant', 'own'],
])('a payout to a number that %s has blocked since waits until it is unblocked', async (_, whose) => {
  const number = '250783000016';
  const { merchantId } = await createDemoMerchant(gateway.engine, null);
  const listOf = whose === null ? null : merchantId;
  await claimedNow();
  const paid = await accepted(merchantId, number);
  const other = await accepted(gateway.merchantId, number);
  const deposit = await accepted(merchantId, number, 'DEPOSIT');
  const elsewhere = await accepted(merchantId, '250783000017');
  await add('BLOCKED', listOf, number);
  const goOn = whose === null ? [deposit, elsewhere] : [other, deposit, elsewhere];
  expect(await claimedNow()).toEqual(goOn.toSorted());
  const held = await listHeldMoney(gateway.engine.store.database, { merchantId, countMax: 9 });
  expect(held).toMatchObject([{ paymentId: paid, what: 'FREEZE', why: 'NUMBER_BLOCKED', until: null }]);
  expect(await releaseAll()).toBe(0);
  await add('BLOCKED', listOf, number);
  await releaseAll();
  expect(await claimedNow(), 'blocked again').toEqual([]);
  await remove('BLOCKED', listOf, number);
  const waited = whose === null ? [paid, other] : [paid];
  expect([await releaseAll(), await claimedNow()]).toEqual([waited.length, waited.toSorted()]);
});

test('the platform cancels one unsent payout in PROCESSING whose number was blocked', async () => {
  const number = '250783000018';
  const { engine, merchantId } = gateway;
  await claimedNow();
  const [returned, sent] = [await accepted(merchantId, number), await accepted(merchantId, number)];
  await claimedNow();
  const key = { merchantId, kind: 'PAYOUT', paymentId: returned } as const;
  await advance(engine, [{ key, event: { type: 'SUBMIT_UNSENT', sendCount: 1 } }]);
  await add('BLOCKED', merchantId, number);
  const [claim] = await advance(engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
  expect(claim).toMatchObject({ payment: { state: 'PROCESSING', nextAction: 'SUBMIT' } });
  expect(await cancel(engine, { ...key, writtenId: returned })).toMatchObject({ type: 'REJECTED' });

  const settings = { ...serverEnvironment(gateway), DATABASE_URL: gateway.databaseUrl };
  const cancelUnsent = (...payment: readonly string[]) => {
    const order = ['--merchant', merchantId, ...payment, '--reason', 'blocked', '--by', by];
    return runCommandHere(settings, ['payment', 'cancel-unsent', ...order]);
  };
  expect((await cancelUnsent('--payment', returned)).code).not.toBe(0);
  for (const [paymentId, code] of [
    [sent, 1],
    [returned, 0],
    [returned, 1],
  ] as const)
    expect(await cancelUnsent('--kind', 'PAYOUT', '--payment', paymentId)).toMatchObject({ code });
  const ended = await select(
    gateway,
    `select payment_id, state, failure_code from payments where payment_id = any ($1::uuid[]) order by state`,
    [[returned, sent]],
  );
  expect(ended).toEqual([
    { payment_id: sent, state: 'PROCESSING', failure_code: null },
    { payment_id: returned, state: 'FAILED', failure_code: 'MANUALLY_CANCELLED' },
  ]);
  const [entry] = (await readAuditLog(engine, { merchantId, countMax: 50 })).filter(
    ({ act }) => act === 'PAYMENT_CANCELLED',
  );
  expect(entry).toMatchObject({ actor: by, subject: returned, reason: 'blocked' });
});

test('an allowed number is not limited for itself, and blocked goes before allowed', async () => {
  const [number, other] = ['250783000014', '250783000015'];
  const merchantId = await limitedMerchant(gateway.engine, [{ scope: 'NUMBER', countMax: 1 }]);
  await add('ALLOWED', merchantId, number);
  const answers = [];
  for (const to of [number, number, other, other]) answers.push(await typeOf(merchantId, to));
  expect(answers).toEqual(['ACCEPTED', 'ACCEPTED', 'ACCEPTED', 'NOT_ALLOWED']);
  await add('BLOCKED', null, number);
  expect(await typeOf(merchantId, number)).toBe('NOT_ALLOWED');
});

test('a list is imported and exported by commands, and no number is in the database as it is', async () => {
  const settings = { ...serverEnvironment(gateway), DATABASE_URL: gateway.databaseUrl };
  const file = join(mkdtempSync(join(tmpdir(), 'numbers-')), 'numbers.csv');
  const rowsOfFile = ['+250 783 000 021,"Says ""hello"", twice",', '250783000022,fraud,2999-01-31', ''];
  writeFileSync(file, ['number,reason,expires', ...rowsOfFile].join('\n'));
  const list = ['--list', 'ALLOWED', '--by', 'Ana'];
  const imported = await runCommandHere(settings, ['number', 'import', ...list, '--file', file]);
  expect([imported.errors, imported.output.trim()]).toEqual(['', 'added 2 numbers']);
  const exported = await runCommandHere(settings, ['number', 'export', ...list]);
  expect(exported.output.trim().split('\n').toSorted()).toEqual([
    '250783000021,"Says ""hello"", twice",',
    '250783000022,"fraud",2999-01-31T00:00:00.000Z',
    'number,reason,expires',
  ]);
  const rows = await select(gateway, 'select l::text as row from listed_numbers l');
  expect(rows.length).toBeGreaterThan(0);
  for (const { row } of rows) expect(row).not.toMatch(/250783|fraud/);
  writeFileSync(file, 'number,reason,expires\n250783000023,ok,\n12,bad,\n');
  const refused = await runCommandHere(settings, ['number', 'import', ...list, '--file', file]);
  expect([refused.code, refused.errors]).toEqual([expect.any(Number), expect.stringContaining('Line 3')]);
  expect(refused.code).not.toBe(0);
  const numbers = [];
  for await (const page of exportNumbers(gateway.engine, { by, merchantId: null, list: 'ALLOWED' }))
    numbers.push(...page.map(({ phoneNumber }) => phoneNumber));
  expect(numbers).not.toContain('250783000023');
});

test('in production a command only requests what lets more through, and blocks at once', async () => {
  const { engine, merchantId } = gateway;
  const asked = askedByCommand({ environment: 'production' }, by);
  const phoneNumber = '250783000031';
  const order = { ...asked, merchantId, entries: [{ phoneNumber, reason: 'fraud', expiresAt: null }] };
  expect(await addNumbers(engine, { ...order, list: 'ALLOWED' })).toMatchObject({ outcome: 'REQUESTED' });
  expect(await findOnList(engine, { merchantId, list: 'ALLOWED', phoneNumber })).toBeNull();
  expect(await addNumbers(engine, { ...order, list: 'BLOCKED' })).toMatchObject({ outcome: 'DONE' });
  const entry = await findOnList(engine, { merchantId, list: 'BLOCKED', phoneNumber });
  const { entryId } = entry!;
  expect(await removeNumber(engine, { ...asked, entryId })).toMatchObject({ outcome: 'REQUESTED' });
  expect(await typeOf(merchantId, phoneNumber)).toBe('NOT_ALLOWED');
  const requests = await select(
    gateway,
    `select request ->> 'change' as change, request::text ~ '250783000031' as tells from approvals
     where kind = 'NUMBER_LIST' order by requested_at, change`,
  );
  expect(requests).toEqual([
    { change: 'ADD', tells: false },
    { change: 'REMOVE', tells: false },
  ]);
});
