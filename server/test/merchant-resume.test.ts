// One person stops a merchant; to let it go on takes two, in the programs and in the database.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askedByCommand } from '../src/core/approvals/request.ts';
import { resumeMerchant, suspendMerchant } from '../src/core/merchants/suspension.ts';
import { findApproval } from '../src/store/approvals/approvals.ts';
import { inTransaction } from '../src/store/database.ts';
import { createDemoMerchant } from '../src/commands/sandbox/demo-merchant.ts';
import { addAdministrators, ANA, approveAs, BEN } from './approval-requests.ts';
import { openTestGateway, select, type TestGateway } from './gateway.ts';
import { moveBetween, openTwoCells } from './two-cells.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
  await addAdministrators(gateway.engine);
});
afterAll(() => gateway.stop());

const suspend = (merchantId: string, actor = ANA) => suspendMerchant(gateway.engine, { actor, merchantId });

const newMerchant = async () => (await createDemoMerchant(gateway.engine, null)).merchantId;

async function isSuspended(merchantId: string): Promise<boolean> {
  const [row] = await select(
    gateway,
    'select suspended_at is not null as stopped from merchants where merchant_id = $1',
    [merchantId],
  );
  return row?.['stopped'] === true;
}

/** Ana asks for it. Answers the request. */
async function requestResume(merchantId: string): Promise<string> {
  const order = { actor: ANA, secondApprover: 'REQUIRED', merchantId } as const;
  expect(await resumeMerchant(gateway.engine, order)).toBe('REQUESTED');
  const [row] = await select(
    gateway,
    `select approval_id as id from approvals
     where kind = 'MERCHANT_RESUME' and merchant_id = $1 and status = 'PENDING'`,
    [merchantId],
  );
  return String(row?.['id']);
}

const statusOf = async (approvalId: string) =>
  (await findApproval(gateway.engine.store.database, approvalId))?.status;

test('one person cannot resume a suspended merchant: another one approves it', async () => {
  const merchantId = await newMerchant();
  expect(await suspend(merchantId)).toBe(true);
  const requested = await requestResume(merchantId);
  expect(await isSuspended(merchantId)).toBe(true);
  expect(await approveAs(gateway.engine, ANA, requested)).toBe('SAME_PERSON');
  expect(await isSuspended(merchantId)).toBe(true);
  expect(await approveAs(gateway.engine, BEN, requested)).toBe('DONE');
  expect(await isSuspended(merchantId)).toBe(false);
});

test('the command decides at once in a sandbox only, and a merchant that is not suspended needs nothing', async () => {
  const merchantId = await newMerchant();
  const { engine } = gateway;
  const asked = { merchantId, ...askedByCommand(engine, 'Ana') };
  expect(await resumeMerchant(engine, asked)).toBeNull();
  await suspend(merchantId);
  const inProduction = askedByCommand({ environment: 'production' }, 'Ana');
  expect(await resumeMerchant(engine, { merchantId, ...inProduction })).toBe('REQUESTED');
  expect(await isSuspended(merchantId)).toBe(true);
  expect(await resumeMerchant(engine, asked)).toBe('DONE');
  expect(await isSuspended(merchantId)).toBe(false);
  // What was asked for is done, and would otherwise end the next suspension.
  const statuses = await select(gateway, 'select status from approvals where merchant_id = $1', [merchantId]);
  expect(statuses).toEqual([{ status: 'WITHDRAWN' }]);
});

test('whoever suspends a merchant again while its resumption is requested ends the request', async () => {
  const merchantId = await newMerchant();
  await suspend(merchantId);
  const requested = await requestResume(merchantId);
  expect(await suspend(merchantId, BEN)).toBe(false);
  expect(await statusOf(requested)).toBe('REJECTED');
  expect(await approveAs(gateway.engine, BEN, requested)).toBe('DECIDED_BEFORE');
  expect(await isSuspended(merchantId)).toBe(true);
  expect(await approveAs(gateway.engine, BEN, await requestResume(merchantId))).toBe('DONE');
});

test('an old request to resume does not end a newer suspension', async () => {
  const merchantId = await newMerchant();
  await suspend(merchantId);
  const requested = await requestResume(merchantId);
  // However it came about: a restore, or a move there and back.
  await select(
    gateway,
    `update merchants set suspended_at = suspended_at + interval '1 s' where merchant_id = $1`,
    [merchantId],
  );
  expect(await approveAs(gateway.engine, BEN, requested)).toBe('NOT_EXECUTED');
  expect([await isSuspended(merchantId), await statusOf(requested)]).toEqual([true, 'PENDING']);
});

test('PostgreSQL refuses to resume a merchant without an approval of that very suspension', async () => {
  const merchantId = await newMerchant();
  await suspend(merchantId);
  const requested = await requestResume(merchantId);
  await select(gateway, 'alter table clock_shift rename to hidden');
  try {
    const { database } = gateway.engine.store;
    const hash = (await findApproval(database, requested))?.shownHash;
    const approved = `select decide_approval($1, 'APPROVED', $2, 'ben', 'ben@example.com', now(), null)`;
    const resumed = 'update merchants set suspended_at = null where merchant_id = $1';
    const suspendedAnew = `update merchants set suspended_at = suspended_at + interval '1 s' where merchant_id = $1`;
    const refused = 'a suspended merchant is resumed by two people';
    const tried = (...statements: readonly string[]) =>
      inTransaction(database, async (tx) => {
        for (const statement of statements)
          await tx.query(statement, statement === approved ? [requested, hash] : [merchantId]);
      });
    await expect(tried(resumed)).rejects.toThrow(refused);
    await expect(tried(approved, suspendedAnew, resumed)).rejects.toThrow(refused);
    await tried(approved, resumed);
    expect(await isSuspended(merchantId)).toBe(false);
  } finally {
    await select(gateway, 'alter table hidden rename to clock_shift');
  }
});

test('a suspended merchant moves to another cell as it is, and its request ends there', async () => {
  const cells = await openTwoCells({ role: 'api' });
  try {
    const { merchantId } = cells.merchant;
    const { engine } = cells.one;
    await suspendMerchant(engine, { actor: ANA, merchantId });
    await resumeMerchant(engine, { actor: ANA, secondApprover: 'REQUIRED', merchantId });
    expect(await moveBetween(cells, cells.one, cells.two)).toMatchObject({ type: 'MOVED' });
    const { database } = cells.two.engine.store;
    const { rows } = await database.query(
      `select m.suspended_at is not null as stopped, a.status from merchants m
       join approvals a using (merchant_id) where a.kind = 'MERCHANT_RESUME' and merchant_id = $1`,
      [merchantId],
    );
    expect(rows).toEqual([{ stopped: true, status: 'WITHDRAWN' }]);
  } finally {
    await cells.stop();
  }
});
