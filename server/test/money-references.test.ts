// What a bank or an operator calls a movement of money is posted once, whatever is repeated after a lost answer.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMerchant } from '../src/core/merchants/administer-merchants.ts';
import {
  settleWallet,
  topUpWallets,
  type WalletAnswer,
  type WalletOrder,
} from '../src/core/ledger/administer-wallets.ts';
import { parseAmount } from '../src/domain/money.ts';
import { OPERATIONS } from '../src/domain/payments/payment.ts';
import { isLockTimeout } from '../src/store/database.ts';
import { timedUuid } from '../src/store/timed-uuid.ts';
import { runCommandHere, type CommandResult } from './command-process.ts';
import { decideAtHost, type Deciding } from './console/asked.ts';
import { confirmed, openTestConsole, signedIn, type TestPerson } from './console/people.ts';
import { select, type TestGateway } from './gateway.ts';
import { serverEnvironment } from './server-process.ts';

let gateway: TestGateway;
let ana: TestPerson;
let ben: TestPerson;
beforeAll(async () => {
  gateway = await openTestConsole({ role: 'api' });
  ana = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  ben = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
});
afterAll(() => gateway.stop());

const PLACE = ['--country', 'RWA', '--currency', 'RWF', '--by', 'Ana'];

function run(command: string, ...args: readonly string[]): Promise<CommandResult> {
  const at = [...command.split(' '), '--merchant', gateway.merchantId, ...PLACE, ...args];
  return runCommandHere(serverEnvironment(gateway), at);
}

async function countOf(amount: string): Promise<number> {
  return (await select(gateway, 'select 1 from transfers where amount = $1', [amount])).length;
}

const ORDERS = 'api/host/money-requests';

const ask = (person: TestPerson, reference: string, changes: Readonly<Record<string, unknown>> = {}) =>
  person.call('POST', ORDERS, {
    merchantId: gateway.merchantId,
    type: 'TOP_UP',
    country: 'RWA',
    currency: 'RWF',
    amount: '7000',
    reason: 'a slip',
    reference,
    ...changes,
  });

const decide = (person: TestPerson, approvalId: string, what: Deciding) =>
  decideAtHost(gateway, person, approvalId, what);

const messageOf = async (answered: ReturnType<typeof ask>) => {
  const { status, body } = await answered;
  return [status, body.failureReason?.failureMessage];
};

async function otherMerchant(): Promise<string> {
  const order = { by: 'test', companyName: 'Soko', operations: OPERATIONS, walletPerProvider: false };
  return createMerchant(gateway.engine, order);
}

/** Null where it waited too long for those before it, on a slow machine, and was refused. */
async function topUpAtOnce(order: WalletOrder): Promise<WalletAnswer | null> {
  return topUpWallets(gateway.engine, [order]).catch((error: unknown) => {
    if (isLockTimeout(error)) return null;
    throw error;
  });
}

describe('A10: a top-up or settlement is keyed by the bank reference', () => {
  test('A command that is repeated after a lost answer moves the money once, and says so.', async () => {
    expect((await run('wallet top-up', '--amount', '1001', '--reference', 'FT-1001')).output).toBe('done');
    const again = await run('wallet top-up', '--amount', '1001', '--reference', ' ft-10 01 ');
    expect([again.code, again.output]).toEqual([0, expect.stringContaining('nothing was moved again')]);
    expect(await countOf('1001')).toBe(1);
    expect((await run('wallet settle', '--amount', '1002', '--reference', 'FT-1002')).output).toBe('done');
    await run('wallet settle', '--amount', '1002', '--reference', 'FT-1002');
    expect(await countOf('1002')).toBe(1);
  });

  test('A reference with another amount, kind, wallet or merchant is refused, and the message says why.', async () => {
    await run('wallet top-up', '--amount', '1003', '--reference', 'FT-1003');
    const otherAmount = await run('wallet top-up', '--amount', '1004', '--reference', 'FT-1003');
    expect([otherAmount.code, otherAmount.errors]).toEqual([
      1,
      expect.stringMatching(/FT-1003 belongs to another movement: TOP_UP of 1003 RWF .*Nothing was moved/),
    ]);
    expect((await run('wallet settle', '--amount', '1003', '--reference', 'FT-1003')).code).toBe(1);
    const merchantId = await otherMerchant();
    const place = { by: 'test', country: 'RWA', currency: 'RWF', amount: parseAmount('1003')! };
    const answer = await topUpWallets(gateway.engine, [{ ...place, merchantId, reference: 'FT-1003' }]);
    expect(answer).toMatchObject({ type: 'REFERENCE_TAKEN' });
    expect([await countOf('1003'), await countOf('1004')]).toEqual([1, 0]);
  });

  test('Twenty top-ups at once under one reference, of two merchants, move money once.', async () => {
    const merchantIds = [gateway.merchantId, await otherMerchant()];
    const place = { by: 'test', country: 'RWA', currency: 'RWF', amount: parseAmount('1005')! };
    const orders = Array.from({ length: 20 }, (_, index) => ({
      ...place,
      merchantId: merchantIds[index % 2]!,
      reference: 'FT-1005',
    }));
    const answers = await Promise.all(orders.map((order) => topUpAtOnce(order)));
    const first = answers.findIndex((answer) => answer?.type === 'DONE');
    expect([first >= 0, await countOf('1005')]).toEqual([true, 1]);
    const laterType = (index: number) => (index % 2 === first % 2 ? 'REFERENCE_POSTED' : 'REFERENCE_TAKEN');
    for (const [index, answer] of answers.entries())
      if (answer !== null && index !== first) expect(answer.type).toBe(laterType(index));
    for (const [index, order] of orders.entries())
      expect(await topUpWallets(gateway.engine, [order])).toMatchObject({ type: laterType(index) });
    expect(await countOf('1005')).toBe(1);
  });

  test('A settlement that the wallet cannot pay does not use up its reference.', async () => {
    const order = { by: 'test', merchantId: gateway.merchantId, country: 'RWA', currency: 'RWF' };
    const much = { ...order, amount: parseAmount('99999999')!, reference: 'FT-1006' };
    expect(await settleWallet(gateway.engine, much)).toMatchObject({ type: 'SHORT' });
    const little = { ...order, amount: parseAmount('1006')!, reference: 'FT-1006' };
    expect(await settleWallet(gateway.engine, little)).toEqual({ type: 'DONE' });
  });

  test('A repeated request in the dashboard is the same request, and another movement is refused.', async () => {
    const first = await ask(ana, 'FT-2001');
    expect(first.status).toBe(200);
    expect((await ask(ana, 'ft-2001')).body).toEqual(first.body);
    expect(await messageOf(ask(ben, 'FT-2001', { amount: '7001' }))).toEqual([
      409,
      expect.stringContaining('FT-2001 belongs to another movement: TOP_UP of 7000 RWF'),
    ]);
    expect((await decide(ben, first.body.approvalId, 'approve')).status).toBe(200);
    expect(await messageOf(ask(ana, 'FT-2001'))).toEqual([409, expect.stringContaining('was posted')]);
    expect(await countOf('7000')).toBe(1);
  });

  test('A request that was rejected or withdrawn does not use up its reference.', async () => {
    const first = await ask(ana, 'FT-2002', { amount: '7002' });
    expect((await decide(ben, first.body.approvalId, 'reject')).status).toBe(200);
    const second = await ask(ana, 'FT-2002', { amount: '7003' });
    expect((await decide(ana, second.body.approvalId, 'withdraw')).status).toBe(200);
    const third = await ask(ben, 'FT-2002', { amount: '7004' });
    expect((await decide(ana, third.body.approvalId, 'approve')).status).toBe(200);
    expect(await countOf('7004')).toBe(1);
  });

  test('An approval is refused when its reference was posted another way meanwhile.', async () => {
    const { body } = await ask(ana, 'FT-2003', { amount: '7005' });
    expect((await run('wallet top-up', '--amount', '7005', '--reference', 'FT-2003')).output).toBe('done');
    expect(await messageOf(decide(ben, body.approvalId, 'approve'))).toEqual([
      409,
      expect.stringContaining('FT-2003 was posted'),
    ]);
    expect(await countOf('7005')).toBe(1);
  });

  test('A correction has no bank reference, and a reference is a code.', async () => {
    expect((await ask(ana, 'FT-2004', { type: 'ADJUSTMENT' })).status).toBe(400);
    expect((await ask(ana, 'to the shop!')).status).toBe(400);
    expect((await run('wallet top-up', '--amount', '1', '--reference', '!')).errors).toContain(
      '--reference must',
    );
  });

  test('The database keeps a reference once, and permanently.', async () => {
    await run('wallet top-up', '--amount', '1007', '--reference', 'FT-1007');
    const copied = `insert into posted_references select source, reference, merchant_id, type, country, currency,
      provider, amount + 1, gen_random_uuid(), posted_at from posted_references where reference = 'FT-1007'`;
    await expect(select(gateway, copied)).rejects.toThrow(/posted_references_once/);
    await expect(select(gateway, 'update posted_references set amount = 1')).rejects.toThrow(/append-only/);
    await expect(select(gateway, 'delete from posted_references')).rejects.toThrow(/append-only/);
  });
});

const correction = (changes: Readonly<Record<string, unknown>>) =>
  ask(ana, '', { ...changes, reference: undefined });

const shown = async (approvalId: string) =>
  (await ben.call('GET', `api/host/approvals/${approvalId}`)).body.details;

describe('An impatient correction', () => {
  test('that is requested twice under one identifier is one request, also when it was approved', async () => {
    const requestId = randomUUID();
    const first = await correction({ type: 'ADJUSTMENT', amount: '7101', requestId });
    expect(first.status).toBe(200);
    const again = () =>
      correction({ type: 'ADJUSTMENT', amount: '7101', requestId: requestId.toUpperCase() });
    expect((await again()).body).toEqual(first.body);
    expect((await decide(ben, first.body.approvalId, 'approve')).status).toBe(200);
    expect((await again()).body).toEqual(first.body);
    expect(await countOf('7101')).toBe(1);
    const other = await correction({ type: 'ADJUSTMENT', amount: '7102', requestId });
    expect([other.status, other.body.failureReason?.reason?.code]).toEqual([409, 'REQUEST_ID_TAKEN']);
    const ours = await correction({ type: 'ADJUSTMENT', amount: '7102', requestId: timedUuid(new Date()) });
    expect(ours.status).toBe(400);
  });

  test('that is requested twice at the same moment is one request', async () => {
    const requestId = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => correction({ type: 'ADJUSTMENT', amount: '7103', requestId })),
    );
    expect(new Set(answers.map(({ body }) => body.approvalId)).size).toBe(1);
  });

  test('under another identifier, or under a reference that looks alike, is shown to who approves', async () => {
    for (const amount of ['7104', '7105']) await correction({ type: 'ADJUSTMENT', amount });
    const second = await correction({ type: 'ADJUSTMENT', amount: '7104', requestId: randomUUID() });
    expect((await shown(second.body.approvalId)).alike).toMatch(/^ADJUSTMENT 7104 RWF, PENDING, [^;]*$/);
    const slips = ['FT26062-0102', 'FT26O62-0102', 'FT260620102'];
    const requests = [];
    for (const slip of slips) requests.push((await ask(ana, slip, { amount: '7106' })).body.approvalId);
    expect(await shown(requests[0])).not.toHaveProperty('alike');
    for (const approvalId of requests.slice(1))
      expect((await shown(approvalId)).alike).toContain('TOP_UP 7106 RWF FT26062-0102, PENDING');
    expect(await shown(requests[2])).not.toHaveProperty('requestId');
  });

  test('of half a franc is refused', async () => {
    for (const answer of [
      await ask(ana, 'FT-HALF', { amount: '0.5' }),
      await correction({ type: 'ADJUSTMENT', amount: '-0.5' }),
    ])
      expect([answer.status, answer.body.failureReason?.reason?.code]).toEqual([400, 'AMOUNT_DECIMALS']);
    const command = await run('wallet top-up', '--amount', '0.5', '--reference', 'FT-HALF-2');
    expect(command.errors).toContain('too many decimals');
    expect(await countOf('0.5')).toBe(0);
  });
});
