// Limits, lists and freezes with two cells: what moves with a merchant, and what is written to every cell.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freeze, readFreezes, requestLift } from '../../src/core/limits/freeze.ts';
import { listNumbers } from '../../src/core/limits/listed-numbers.ts';
import { addNumbers, findOnList, removeNumber } from '../../src/core/limits/request-numbers.ts';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import {
  accountsOfHolds,
  holdFunds,
  holdIdOfDeposit,
  releaseDueFunds,
} from '../../src/core/limits/wallet-holds.ts';
import { readBankAccounts, requestBankAccount } from '../../src/core/settlements/bank-accounts.ts';
import { requestSettlementDecision } from '../../src/core/settlements/decide-settlement.ts';
import { requestSettlement } from '../../src/core/settlements/request-settlement.ts';
import { inMerchant } from '../../src/core/cells/lock-merchant.ts';
import { ensureAccounts, listUnbalancedWallets } from '../../src/store/ledger/ledger.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import { countOtherQueues } from '../../src/core/reviews/decide-review.ts';
import { readCases } from '../../src/core/reconciliation/resolve-cases.ts';
import type { PaymentEvent } from '../../src/domain/payments/lifecycle.ts';
import type { PaymentKey } from '../../src/domain/payments/payment.ts';
import { actorNamed, decideAs, resolveCase } from '../approvals.ts';
import { clockAt } from '../clocks.ts';
import { select } from '../gateway.ts';
import { alone, moveBetween, openTwoCells, type TestCell, type TwoCells } from '../two-cells.ts';
import { completed } from '../owing-shop.ts';
import { countersOf, orderOf, setLimits } from './limited-merchants.ts';
import { accepted, claimedNow, reviewedMerchant } from './reviewed-merchants.ts';

let cells: TwoCells;
beforeAll(async () => {
  cells = await openTwoCells({ role: 'api' });
  // A worker would have noted it.
  for (const { engine } of [cells.one, cells.two])
    await engine.store.database.query(
      `insert into operator_accounts (connector, account_hash, noted_at) values ('simulator', 'same', $1)`,
      [new Date()],
    );
});
afterAll(() => cells.stop());

const BLOCKED = '250783000031';

/** In the middle of a day: no window ends in a test. */
const NOON = new Date(new Date().setUTCHours(12, 0, 0, 0));

async function start(cell: TestCell, phoneNumber = '250783000032') {
  const engine: typeof cell.engine = Object.create(cell.engine, { clock: { value: clockAt(() => NOON) } });
  const order = await orderOf(engine, cells.merchant.merchantId, { details: { phoneNumber } });
  const [answer] = await initiate(engine, [order]);
  return { order, type: answer!.type };
}

test('counts, limits and lists move with their merchant, and what fails there is given back there', async () => {
  const { one, two, merchant } = cells;
  const { merchantId } = merchant;
  await setLimits(one.engine, merchantId, [{ countMax: 3 }, { scope: 'NUMBER', countMax: 2 }]);
  await listNumbers(one.engine, {
    by: 'Ana',
    merchantId,
    list: 'BLOCKED',
    entries: [{ phoneNumber: BLOCKED, reason: 'fraud', expiresAt: null }],
  });
  const { order } = await start(one);
  await start(one);
  expect((await start(one)).type).toBe('NOT_ALLOWED');
  const before = await countersOf(one.engine, merchantId);
  expect(await moveBetween(cells, one, two)).toMatchObject({ type: 'MOVED' });
  expect(await countersOf(two.engine, merchantId)).toEqual(before);
  expect(await countersOf(one.engine, merchantId)).toEqual([]);
  expect((await start(two)).type).toBe('NOT_ALLOWED');
  expect((await start(two, BLOCKED)).type).toBe('NOT_ALLOWED');
  const key = { merchantId, kind: order.kind, paymentId: order.writtenId };
  await advance(two.engine, [{ key, event: { type: 'CANCELLED', unsentAs: 'OTHER_ERROR' } }]);
  expect((await start(two)).type).toBe('ACCEPTED');
  for (const table of ['limits', 'listed_numbers'])
    expect(await select(one, `select 1 from ${table}`)).toEqual([]);
});

test('a freeze is written to every cell, and a cell that does not answer is named', async () => {
  const { engine } = cells.one;
  const target = { scope: 'PROVIDER', subject: 'AIRTEL_RWA' } as const;
  const order = { by: 'Ana', target, reason: 'break-in', expiresAt: null };
  expect((await freeze(alone(cells.one), order)).map(({ cell, type }) => [cell, type])).toEqual([
    ['0001', 'CONFIRMED'],
    ['0002', 'NOT_CONFIRMED'],
  ]);
  const inForce = async () =>
    (await readFreezes(engine)).map((one) => (one.type === 'CONFIRMED' ? one.answer.length : null));
  expect(await inForce()).toEqual([1, 0]);
  await freeze(engine, order);
  expect(await inForce()).toEqual([2, 1]);
  await requestLift(engine, { target, reason: 'over', actor: actorNamed('Ana'), secondApprover: 'OPTIONAL' });
  expect(await inForce()).toEqual([0, 0]);
});

/** A cell whose clock differs, without a way to the other one. */
function aloneAt(cell: TestCell, differsByMs: number): TestCell['engine'] {
  const clock = clockAt(() => new Date(Date.now() + differsByMs));
  return Object.create(alone(cell), { clock: { value: clock } });
}

const inForceIn = async (cell: TestCell) =>
  (await select(cell, 'select frozen_by from freezes where lifted_at is null')).map(
    (row) => row['frozen_by'],
  );

const endAll = async () => {
  for (const cell of [cells.one, cells.two])
    await select(cell, 'update freezes set lifted_at = $1 where lifted_at is null', [new Date()]);
};

describe('a lift in two cells names the freeze that its approver was shown', () => {
  const target = { scope: 'PROVIDER', subject: 'MTN_MOMO_RWA' } as const;
  const order = { by: 'Ana', target, reason: 'break-in', expiresAt: null };

  const requestOne = async () => {
    const { one } = cells;
    // By this the database knows a sandbox, where commands approve.
    await select(one, 'create table if not exists clock_shift ()');
    await requestLift(one.engine, {
      target,
      reason: 'over',
      actor: actorNamed('Ana'),
      secondApprover: 'REQUIRED',
    });
    const pending = `select approval_id as id from approvals where kind = 'FREEZE_LIFT' and status = 'PENDING'`;
    return String((await select(one, pending))[0]!['id']);
  };

  test.each([
    ['ahead', 60_000],
    ['behind', -60_000],
  ])('and leaves one that a cell whose clock is %s adds after the request', async (_, differsByMs) => {
    const { one, two } = cells;
    await freeze(one.engine, order);
    const approvalId = await requestOne();
    await freeze(aloneAt(two, differsByMs), { ...order, by: 'Carl' });
    expect(await decideAs(one.engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
    expect([await inForceIn(one), await inForceIn(two)]).toEqual([[], ['Carl']]);
    await endAll();
  });

  test.each([
    ['ahead', 60_000],
    ['behind', -60_000],
  ])('and ends in every cell one of a cell whose clock is %s', async (_, differsByMs) => {
    const { one, two } = cells;
    const clock = clockAt(() => new Date(Date.now() + differsByMs));
    await freeze(Object.create(two.engine, { clock: { value: clock } }), { ...order, by: 'Carl' });
    const approvalId = await requestOne();
    expect(await decideAs(one.engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
    expect([await inForceIn(one), await inForceIn(two)]).toEqual([[], []]);
    await endAll();
  });
});

const listsOf = (cell: TestCell) => select(cell, 'select list, is_requested, entry_id from listed_numbers');

test('an approval changes the list of every cell; what is requested does not move', async () => {
  const { one, two } = cells;
  const ordered = { actor: actorNamed('Ana'), secondApprover: 'REQUIRED' } as const;
  const of = { merchantId: null, phoneNumber: '250783000041' };
  const entries = [{ phoneNumber: of.phoneNumber, reason: 'staff', expiresAt: null }];
  const approveLast = async () => {
    const pending = `select approval_id as id from approvals where kind = 'NUMBER_LIST' and status = 'PENDING'
      order by requested_at desc`;
    return decideAs(one.engine, 'Ben', (await select(one, pending))[0]!['id']);
  };
  await select(two, 'delete from listed_numbers');
  // By this the database knows a sandbox, where commands approve.
  await select(one, 'create table if not exists clock_shift ()');
  const added = await addNumbers(one.engine, { ...ordered, merchantId: null, list: 'ALLOWED', entries });
  expect(added).toEqual({ outcome: 'REQUESTED', cells: [] });
  expect([await listsOf(one), await listsOf(two)]).toEqual([
    [expect.objectContaining({ is_requested: true })],
    [],
  ]);
  expect(await approveLast()).toMatchObject({ type: 'DONE' });
  expect(await listsOf(one)).toEqual([expect.objectContaining({ list: 'ALLOWED', is_requested: false })]);
  expect(await listsOf(two)).toEqual(await listsOf(one));
  await addNumbers(one.engine, { ...ordered, merchantId: null, list: 'BLOCKED', entries });
  const blocked = await findOnList(one.engine, { ...of, list: 'BLOCKED' });
  await removeNumber(one.engine, { ...ordered, entryId: blocked!.entryId });
  expect(await listsOf(two)).toHaveLength(2);
  // Blocked again, for another reason than the one that Ben decides about.
  await addNumbers(one.engine, { ...ordered, merchantId: null, list: 'BLOCKED', entries });
  expect(await approveLast()).not.toMatchObject({ type: 'DONE' });
  expect([(await listsOf(one)).length, await listsOf(two)]).toEqual([2, await listsOf(one)]);
  const again = await findOnList(one.engine, { ...of, list: 'BLOCKED' });
  await removeNumber(one.engine, { ...ordered, entryId: again!.entryId });
  expect(await approveLast()).toMatchObject({ type: 'DONE' });
  expect(await listsOf(two)).toEqual(await listsOf(one));
  expect(await listsOf(two)).toEqual([expect.objectContaining({ list: 'ALLOWED' })]);
});

const heldIn = (cell: TestCell) => select(cell, 'select held::int from wallets where held > 0');
const onError = (error: unknown) => expect(error).toBe(null);

test('held money moves with its merchant, and is released where it lives', async () => {
  const { one, two, merchant } = cells;
  const { merchantId } = merchant;
  const key = { merchantId, kind: 'DEPOSIT', paymentId: randomUUID() } as const;
  const place = { merchantId, country: 'RWA', currency: 'RWF', provider: '' };
  const hold = {
    holdId: holdIdOfDeposit(key),
    key,
    wallet: { type: 'WALLET', ...place },
    provider: 'MTN_MOMO_RWA',
    reason: 'MANUAL_DEPOSIT',
    evidence: null,
    caseNo: null,
    amount: 500_000n,
    releaseAt: new Date(0),
  } as const;
  const [from, to] = (await select(one, 'select 1 from wallets')).length > 0 ? [one, two] : [two, one];
  const now = new Date();
  await inMerchant(from.engine.store.database, merchantId, async (tx) => {
    await ensureAccounts(tx, accountsOfHolds([hold]));
    await holdFunds(from.engine, tx, [hold], now);
  });
  const before = await heldIn(from);
  expect(await moveBetween(cells, from, to)).toMatchObject({ type: 'MOVED' });
  expect(await heldIn(to)).toEqual(before);
  expect(await releaseDueFunds(from.engine, { countMax: 10, onError })).toBe(0);
  expect(await releaseDueFunds(to.engine, { countMax: 10, onError })).toBe(1);
  expect(await select(from, 'select 1 from wallet_holds')).toEqual([]);
  expect(await listUnbalancedWallets(to.engine.store.database)).toEqual([]);
});

describe('M5: a manually completed deposit of a merchant that is moved during its hold', () => {
  test('stays whole, and pays what the merchant owes where it lives when the hold ends', async () => {
    const { one, two, merchant } = cells;
    const { merchantId } = merchant;
    const [from, to] = (await select(one, 'select 1 from wallets')).length > 0 ? [one, two] : [two, one];
    const deposit = async () => {
      const order = await orderOf(from.engine, merchantId, { kind: 'DEPOSIT' });
      await initiate(from.engine, [order]);
      return { merchantId, kind: 'DEPOSIT', paymentId: order.writtenId } as const;
    };
    const tell = (key: PaymentKey, event: PaymentEvent) => advance(from.engine, [{ key, event }]);
    const [reversed, manual] = [await deposit(), await deposit()];
    for (const key of [reversed, manual]) await tell(key, { type: 'SUBMIT_CLAIMED' });
    await tell(reversed, { type: 'OPERATOR_ANSWERED', outcome: completed() });
    await tell(reversed, { type: 'OPERATOR_ANSWERED', outcome: { type: 'FAILED', code: 'OTHER_ERROR' } });
    await tell(manual, { type: 'HORIZON_PASSED' });
    const actor = { by: 'Ana', reason: 'letter' };
    await advance(from.engine, [
      { key: manual, event: { type: 'ENDED_MANUALLY', outcome: completed() }, actor },
    ]);
    const debts = (cell: TestCell) =>
      select(cell, 'select amount::int, paid::int from wallet_debts where merchant_id = $1', [merchantId]);
    expect(await debts(from)).toEqual([{ amount: 100, paid: 0 }]);
    const held = await heldIn(from);
    expect(await moveBetween(cells, from, to)).toMatchObject({ type: 'MOVED' });
    expect([await debts(from), await debts(to), await heldIn(to)]).toEqual([
      [],
      [{ amount: 100, paid: 0 }],
      held,
    ]);
    const dayAfter: typeof to.engine = Object.create(to.engine, {
      clock: { value: clockAt(() => new Date(Date.now() + 25 * 3_600_000)) },
    });
    expect(await releaseDueFunds(dayAfter, { countMax: 10, onError })).toBe(1);
    expect(await debts(to)).toEqual([{ amount: 100, paid: 100 }]);
    expect(await releaseDueFunds(dayAfter, { countMax: 10, onError })).toBe(1);
    expect(await select(to, 'select 1 from wallet_holds where released_at is null')).toEqual([]);
    expect(await listUnbalancedWallets(to.engine.store.database)).toEqual([]);
  });
});

test('a settlement and its bank account move with their merchant, and are paid where it lives', async () => {
  const { one, two, merchant } = cells;
  const { merchantId } = merchant;
  const [from, to] = (await select(one, 'select 1 from wallets')).length > 0 ? [one, two] : [two, one];
  for (const cell of [from, to]) await select(cell, 'create table if not exists clock_shift ()');
  const account = { bank: 'Bank of Kigali', holder: 'Grace Uwase', number: '00040123456789' };
  const order = { actor: actorNamed('Ana'), merchantId, currency: 'RWF', account };
  const immediate: typeof from.engine = Object.create(from.engine, { bankCoolingOffMs: { value: 0 } });
  await decideAs(immediate, 'Ben', (await requestBankAccount(immediate, order))!);
  const before = await heldIn(from);
  const requestId = randomUUID();
  const wanted = { by: 'Ana', merchantId, requestId, country: 'RWA', currency: 'RWF', provider: '' };
  const requested = await requestSettlement(from.engine, { ...wanted, amount: 70_000n });
  const settlementId = 'settlementId' in requested ? requested.settlementId : expect.fail(requested.type);
  // Neither is kept by the move: it takes the requester's role.
  await requestBankAccount(from.engine, { ...order, account: { ...account, number: '99999' } });
  const paid = { actor: actorNamed('Ana'), settlementId, decision: 'PAID', reference: 'FT-MOVED' } as const;
  expect(await requestSettlementDecision(from.engine, paid)).toMatchObject({ type: 'REQUESTED' });
  expect(await moveBetween(cells, from, to)).toMatchObject({ type: 'MOVED' });
  for (const table of ['bank_accounts', 'settlements'])
    expect(await select(from, `select 1 from ${table}`)).toEqual([]);
  expect(await readBankAccounts(to.engine, merchantId)).toMatchObject([{ status: 'CURRENT', account }]);
  const asked = await requestSettlementDecision(to.engine, paid);
  expect(asked).toMatchObject({ type: 'REQUESTED' });
  expect(await decideAs(to.engine, 'Ben', 'approvalId' in asked ? asked.approvalId : '')).toMatchObject({
    type: 'DONE',
  });
  expect(await heldIn(to)).toEqual(before);
  expect(await listUnbalancedWallets(to.engine.store.database)).toEqual([]);
});

test('the review queue of a cell says how many payments wait in others, and which cells do not answer', async () => {
  const { one, two } = cells;
  const merchantId = await reviewedMerchant(two.engine, [
    { rule: 'FIRST_RECIPIENT', subject: 'RWF', amountAbove: 0n },
  ]);
  const { paymentId } = await accepted(two.engine, merchantId);
  expect(await claimedNow(two.engine)).not.toContain(paymentId);
  const waiting = [{ cell: '0002', count: 1 }];
  expect(await countOtherQueues(one.engine)).toEqual({ waiting, missingCells: [] });
  expect(await countOtherQueues(two.engine)).toEqual({ waiting: [], missingCells: [] });
  expect(await countOtherQueues(alone(one))).toEqual({ waiting: [], missingCells: ['0002'] });
});

describe('M11: a payment that failed and was paid all the same', () => {
  test('counts in the window of then, which moves with its merchant, until the evidence is reversed there', async () => {
    const { one, two, merchant } = cells;
    const { merchantId } = merchant;
    const [from, to] = (await select(one, 'select 1 from limits')).length > 0 ? [one, two] : [two, one];
    await setLimits(from.engine, merchantId, [{ countMax: 9 }, { scope: 'NUMBER', countMax: 9 }]);
    const { order } = await start(from);
    const before = await countersOf(from.engine, merchantId);
    const key = { merchantId, kind: order.kind, paymentId: order.writtenId };
    await advance(from.engine, [{ key, event: { type: 'CANCELLED', unsentAs: 'OTHER_ERROR' } }]);
    const dayAfter = Object.create(from.engine, {
      clock: { value: clockAt(() => new Date(NOON.getTime() + 24 * 3_600_000)) },
    });
    const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
    await advance(dayAfter, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
    const counted = await countersOf(from.engine, merchantId);
    expect(counted.slice(before.length)).toEqual([
      { count: 1, amount: '100' },
      { count: 1, amount: '100' },
    ]);
    expect(await moveBetween(cells, from, to)).toMatchObject({ type: 'MOVED' });
    expect(await countersOf(to.engine, merchantId)).toEqual(counted);
    // By this the database knows a sandbox, where commands approve.
    await select(to, 'create table if not exists clock_shift ()');
    const cases = await readCases(to.engine, { onlyOpen: true });
    const found = cases.find(({ paymentId }) => paymentId === key.paymentId);
    const reversed = await resolveCase(to.engine, { caseId: found!.caseId, resolution: 'REVERSE_EVIDENCE' });
    expect(reversed).toMatchObject({ type: 'DONE' });
    expect((await countersOf(to.engine, merchantId)).slice(before.length)).toEqual([
      { count: 0, amount: '0' },
      { count: 0, amount: '0' },
    ]);
  });
});
