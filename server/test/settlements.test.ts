// Settlement to a merchant's registered bank account: two people and a cooling-off for the account, money that leaves
// what is available with the request, and two people of the platform who record the outcome.
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readApproval } from '../src/core/approvals/read.ts';
import { askedByCommand } from '../src/core/approvals/request.ts';
import { freeze, requestLift } from '../src/core/limits/freeze.ts';
import { accountsOfHolds, holdFunds, releaseFunds } from '../src/core/limits/wallet-holds.ts';
import { resumeMerchant, suspendMerchant } from '../src/core/merchants/suspension.ts';
import { readTrialBalance } from '../src/core/ledger/read-ledger.ts';
import { requestMoney } from '../src/core/ledger/request-money-movement.ts';
import { beginRecovery, endRecovery } from '../src/core/recovery/recover.ts';
import { readBankAccounts, requestBankAccount } from '../src/core/settlements/bank-accounts.ts';
import {
  requestSettlementDecision,
  type SettlementDecisionAnswer,
} from '../src/core/settlements/decide-settlement.ts';
import { readSettlements } from '../src/core/settlements/read-settlements.ts';
import { requestSettlement } from '../src/core/settlements/request-settlement.ts';
import { lesser } from '../src/domain/ledger/postings.ts';
import { parseAmount, renderAmount, type Amount } from '../src/domain/money.ts';
import { inTransaction } from '../src/store/database.ts';
import { ensureAccounts, listUnbalancedWallets, listWallets } from '../src/store/ledger/ledger.ts';
import { actorNamed, decideAs } from './approvals.ts';
import { nowOf } from './clocks.ts';
import { openAccount, type Account } from './edge/accounts.ts';
import { call, openTestGateway, select, waitUntil, type TestGateway } from './gateway.ts';
import { topUp } from './payments.ts';
import { ask, fetchRows, statementRequest, waitForStatement } from './statement-files.ts';

const HOUR_MS = 3_600_000;
const UNIT = 10_000n;
const FRANCS = { country: 'RWA', currency: 'RWF', provider: '' } as const;
const ACCOUNT = { bank: 'Bank of Kigali', holder: 'Grace Uwase', number: '00040123456789' };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(async () => {
  const { database } = gateway.engine.store;
  expect(await listUnbalancedWallets(database)).toEqual([]);
  expect((await readTrialBalance(gateway.engine, { isAgain: true })).unbalancedCurrencies).toEqual([]);
  await gateway.stop();
});

const move = (hours: number) => gateway.gateway.movableClock!.move(hours * HOUR_MS);

const register = (merchantId: string, account = ACCOUNT) =>
  requestBankAccount(gateway.engine, { actor: actorNamed('Ana'), merchantId, currency: 'RWF', account });

function settle({ merchantId }: Account, amount: string, requestId = randomUUID()) {
  const order = { by: 'Ana', merchantId, requestId, ...FRANCS, amount: parseAmount(amount)! };
  return requestSettlement(gateway.engine, order);
}

const REQUESTED = { type: 'REQUESTED', settlementId: expect.any(String) };

function settlementIn(answer: Awaited<ReturnType<typeof settle>>): string {
  return answer.type === 'REQUESTED' ? answer.settlementId : expect.fail(answer.type);
}

/** A merchant with money and a bank account whose cooling-off is over. */
async function openShop(amount: string): Promise<Account> {
  const shop = await openAccount(gateway, { operations: ['PAYOUT'] });
  await topUp(gateway, shop.merchantId, amount);
  expect(await decideAs(gateway.engine, 'Ben', (await register(shop.merchantId))!)).toMatchObject({
    type: 'DONE',
  });
  await move(49);
  return shop;
}

async function fundsOf({ merchantId }: Account) {
  const [wallet] = await listWallets(gateway.engine.store.database, merchantId);
  return { posted: renderAmount(wallet!.posted), held: renderAmount(wallet!.held) };
}

const pay = (settlementId: string, reference: string) =>
  requestSettlementDecision(gateway.engine, {
    actor: actorNamed('Ana'),
    settlementId,
    decision: 'PAID',
    reference,
  });

function approvalIn(answer: SettlementDecisionAnswer): string {
  return answer.type === 'REQUESTED' ? answer.approvalId : expect.fail(answer.type);
}

test('a bank account takes two people and a cooling-off, which begins again with every change', async () => {
  const { engine } = gateway;
  const shop = await openAccount(gateway, { operations: ['PAYOUT'] });
  const { merchantId } = shop;
  await topUp(gateway, merchantId, '1000');
  expect(await settle(shop, '100')).toEqual({ type: 'NO_BANK_ACCOUNT' });
  const first = (await register(merchantId))!;
  expect(await register(merchantId)).toBeNull();
  expect(await decideAs(engine, ' ANA', first)).toMatchObject({ type: 'SAME_PERSON' });
  expect(await settle(shop, '100')).toEqual({ type: 'NO_BANK_ACCOUNT' });
  expect(await decideAs(engine, 'Ben', first)).toMatchObject({ type: 'DONE' });
  expect(await settle(shop, '100')).toEqual({ type: 'COOLING_OFF', usableFrom: expect.any(Date) });
  await move(47);
  expect(await settle(shop, '100')).toMatchObject({ type: 'COOLING_OFF' });
  await move(2);
  expect(await settle(shop, '100')).toEqual(REQUESTED);
  const second = (await register(merchantId, { ...ACCOUNT, number: 'RW0099887766' }))!;
  // Only approved, a change stops anything: one person alone does not stop settlement.
  expect(await settle(shop, '100')).toEqual(REQUESTED);
  expect(await decideAs(engine, 'Ben', second)).toMatchObject({ type: 'DONE' });
  expect(await settle(shop, '100')).toMatchObject({ type: 'COOLING_OFF' });
  const third = (await register(merchantId))!;
  expect(await decideAs(engine, 'Ben', third, 'reject')).toMatchObject({ type: 'DONE' });
  expect(await readBankAccounts(engine, merchantId)).toMatchObject([
    { status: 'CURRENT', account: { number: 'RW0099887766' } },
  ]);
  // What was requested before goes where it was requested to.
  const page = { of: { merchantId }, after: null, countMax: 9 };
  expect((await readSettlements(engine, page)).map(({ account }) => account)).toEqual([ACCOUNT, ACCOUNT]);
  const rows = await select(gateway, `select t::text as row from bank_accounts t where merchant_id = $1`, [
    merchantId,
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/Kigali|Grace|Z3JhY2/i);
});

const countAccounts = async () =>
  Number((await select(gateway, 'select count(*) as count from accounts'))[0]!['count']);

describe('M11: a settlement that is refused', () => {
  test.each([
    { country: 'XXX', currency: 'RWF', provider: '' },
    { country: 'RWA', currency: 'ZZZ', provider: '' },
    { country: 'RWA', currency: 'KES', provider: '' },
    { country: 'RWA', currency: 'RWF', provider: 'MTN_MOMO_RWA' },
  ])(
    'names no wallet of the merchant ($country $currency $provider), and leaves no account',
    async (wallet) => {
      const { merchantId } = await openShop('10');
      const before = await countAccounts();
      const order = { by: 'Ana', merchantId, requestId: randomUUID(), ...wallet, amount: 10_000n };
      const answer = await requestSettlement(gateway.engine, order);
      expect({ answer, made: (await countAccounts()) - before }).toEqual({
        answer: { type: 'NO_SUCH_WALLET' },
        made: 0,
      });
    },
  );
});

test('what is requested leaves what is available at once; paid by two people, it is in the books, the statement and the feed', async () => {
  const { engine } = gateway;
  const shop = await openShop('1000');
  const requestId = randomUUID();
  const settlementId = settlementIn(await settle(shop, '300', requestId));
  expect(await settle(shop, '300', requestId)).toEqual({ type: 'REQUESTED', settlementId });
  expect(await settle(shop, '301', requestId)).toEqual({ type: 'IDENTIFIER_TAKEN' });
  expect(await fundsOf(shop)).toEqual({ posted: '1000', held: '300' });
  expect(await settle(shop, '701')).toEqual({ type: 'SHORT', available: parseAmount('700') });
  expect(await pay(settlementId, '?')).toEqual({ type: 'REFERENCE_UNREADABLE' });
  const approvalId = approvalIn(await pay(settlementId, 'ft 26-0001'));
  expect(await pay(settlementId, 'FT26-0002')).toEqual({ type: 'REQUESTED_BEFORE' });
  expect(await decideAs(engine, 'ana', approvalId)).toMatchObject({ type: 'SAME_PERSON' });
  expect(await fundsOf(shop)).toEqual({ posted: '1000', held: '300' });
  const approved = await Promise.all(['Ben', 'Cleo', 'Dan'].map((by) => decideAs(engine, by, approvalId)));
  expect(approved.filter(({ type }) => type === 'DONE')).toHaveLength(1);
  expect(await fundsOf(shop)).toEqual({ posted: '700', held: '0' });
  expect(await pay(settlementId, 'FT26-0003')).toEqual({ type: 'DECIDED_BEFORE', status: 'PAID' });
  const { merchantId } = shop;
  const [settled] = await readSettlements(engine, { of: { merchantId }, after: null, countMax: 1 });
  expect(settled).toMatchObject({ status: 'PAID', approval: { request: { reference: 'FT26-0001' } } });
  // The bank's reference is used up, for another settlement and for a manual one.
  const other = settlementIn(await settle(shop, '1'));
  expect(await pay(other, 'FT26-0001')).toMatchObject({ type: 'REFERENCE_TAKEN' });
  const manual = { ...FRANCS, walletProvider: '', merchantId, reference: 'FT26-0001', reason: null };
  const order = { ...manual, type: 'SETTLEMENT', amount: 10_000n, actor: actorNamed('Ana') } as const;
  expect(await requestMoney(engine, order)).toMatchObject({ type: 'REFERENCE_TAKEN' });
  await waitUntil(async () => (await select(gateway, 'select 1 from event_queue')).length === 0);
  const events = (await call(shop, 'GET', '/v2/events')).body['data'];
  expect(events.at(-1)).toMatchObject({
    type: 'MOVEMENT',
    movement: { type: 'SETTLEMENT', amount: '-300' },
  });
  const now = nowOf(engine).getTime();
  const span = { startDate: new Date(now - HOUR_MS), endDate: new Date(now + HOUR_MS) };
  const request = statementRequest({
    startDate: span.startDate.toISOString(),
    endDate: span.endDate.toISOString(),
  });
  const statementId = await ask(shop, request);
  await move(1);
  const rows = await fetchRows(await waitForStatement(shop, statementId));
  expect(rows.filter((row) => JSON.stringify(row).includes('SETTLEMENT'))).toHaveLength(1);
});

test('a settlement that two people reject gives the money back, and says why', async () => {
  const { engine } = gateway;
  const shop = await openShop('500');
  const settlementId = settlementIn(await settle(shop, '500'));
  expect(await fundsOf(shop)).toEqual({ posted: '500', held: '500' });
  const decision = { decision: 'REJECTED', reason: 'the bank returned it' } as const;
  const order = { actor: actorNamed('Ana'), settlementId, ...decision };
  const approvalId = approvalIn(await requestSettlementDecision(engine, order));
  expect(await decideAs(engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
  expect(await fundsOf(shop)).toEqual({ posted: '500', held: '0' });
  const page = { of: { merchantId: shop.merchantId }, after: null, countMax: 1 };
  expect(await readSettlements(engine, page)).toMatchObject([
    { status: 'REJECTED', approval: { reason: 'the bank returned it' } },
  ]);
  expect(await requestSettlementDecision(engine, order)).toMatchObject({ type: 'DECIDED_BEFORE' });
});

test('requests at once never take more than is available', async () => {
  const shop = await openShop('1000');
  const answers = await Promise.all(Array.from({ length: 20 }, () => settle(shop, '300')));
  expect(answers.filter(({ type }) => type === 'REQUESTED')).toHaveLength(3);
  expect(answers.filter(({ type }) => type === 'SHORT')).toHaveLength(17);
  expect(await fundsOf(shop)).toEqual({ posted: '1000', held: '900' });
});

/** As for a deposit that a person ended as COMPLETED. */
async function hold({ merchantId }: Account, amount: Amount): Promise<string> {
  const { engine } = gateway;
  const now = nowOf(engine);
  const holdId = randomUUID();
  const wanted = {
    holdId,
    reason: 'MANUAL_DEPOSIT',
    evidence: null,
    caseNo: null,
    releaseAt: new Date(now.getTime() + 10_000 * HOUR_MS),
    key: { merchantId, kind: 'DEPOSIT', paymentId: randomUUID() },
    wallet: { type: 'WALLET', merchantId, ...FRANCS },
    provider: 'MTN_MOMO_RWA',
    amount,
  } as const;
  await inTransaction(engine.store.database, async (tx) => {
    await ensureAccounts(tx, accountsOfHolds([wanted]));
    await holdFunds(engine, tx, [wanted], now);
  });
  return holdId;
}

const release = (holdId: string) =>
  inTransaction(gateway.engine.store.database, (tx) =>
    releaseFunds(gateway.engine, tx, [holdId], nowOf(gateway.engine)),
  );

const anySteps = fc.array(
  fc.record({
    what: fc.constantFrom('HOLD', 'HOLD', 'RELEASE', 'SETTLE'),
    amount: fc.bigInt({ min: 1n, max: parseAmount('600')! }),
  }),
  { minLength: 3, maxLength: 8 },
);

test('held money cannot be settled: all that is available can, and not a unit more', async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      const shop = await openShop('1000');
      const held: { readonly holdId: string; readonly amount: Amount }[] = [];
      let available = parseAmount('1000')!;
      for (const step of steps) {
        const amount = lesser(step.amount, available);
        if (step.what === 'HOLD') {
          if (amount > 0n) held.push({ holdId: await hold(shop, amount), amount });
          available -= amount;
        } else if (step.what === 'RELEASE') {
          const first = held.shift() ?? { holdId: randomUUID(), amount: 0n };
          await release(first.holdId);
          available += first.amount;
        } else {
          // Whole francs, or everything.
          const settled = lesser(step.amount - (step.amount % UNIT) + UNIT, available);
          if (settled > 0n) expect(await settle(shop, renderAmount(settled))).toEqual(REQUESTED);
          available -= settled;
        }
        expect(await settle(shop, renderAmount(available + 1n))).toEqual({ type: 'SHORT', available });
      }
      if (available > 0n) expect(await settle(shop, renderAmount(available))).toEqual(REQUESTED);
      expect(await settle(shop, renderAmount(1n))).toEqual({ type: 'SHORT', available: 0n });
    }),
    { numRuns: 8 },
  );
});

test('a merchant that is frozen, suspended or owes is refused, and so is everyone after a restore', async () => {
  const { engine } = gateway;
  const shop = await openShop('1000');
  const { merchantId } = shop;
  for (const target of [{ scope: 'MERCHANT', subject: merchantId }, { scope: 'ALL' }] as const) {
    await freeze(engine, { by: 'Ana', target, reason: 'break-in', expiresAt: null });
    expect(await settle(shop, '1')).toEqual({ type: 'FROZEN' });
    const lifting = { target, reason: 'over', actor: actorNamed('Ana'), secondApprover: 'OPTIONAL' } as const;
    await requestLift(engine, lifting);
  }
  await suspendMerchant(engine, { actor: actorNamed('Ana'), merchantId });
  expect(await settle(shop, '1')).toEqual({ type: 'SUSPENDED' });
  await resumeMerchant(engine, { ...askedByCommand(engine, 'Ana'), merchantId });
  await select(gateway, 'update wallets set owed = 5 where merchant_id = $1', [merchantId]);
  expect(await settle(shop, '996')).toEqual({ type: 'WALLET_OWES' });
  expect(await settle(shop, '995')).toEqual(REQUESTED);
  await select(gateway, 'update wallets set owed = 0 where merchant_id = $1', [merchantId]);
  await beginRecovery(engine, { by: 'Ana', lostFrom: nowOf(engine) });
  expect(await settle(shop, '1')).toEqual({ type: 'RECOVERING' });
  await endRecovery(engine, { by: 'Ana', provider: null, unasked: true });
  expect(await settle(shop, '1')).toEqual(REQUESTED);
});

const payAs = (settlementId: string, reference: string, bankHasPaid: boolean) =>
  requestSettlementDecision(gateway.engine, {
    actor: actorNamed('Ana'),
    settlementId,
    decision: 'PAID',
    reference,
    bankHasPaid,
  });

const reject = async (settlementId: string) => {
  const order = { actor: actorNamed('Ana'), settlementId, decision: 'REJECTED', reason: 'frozen' } as const;
  return approvalIn(await requestSettlementDecision(gateway.engine, order));
};

const freezeMerchant = ({ merchantId: subject }: Account) =>
  freeze(gateway.engine, {
    by: 'Ana',
    target: { scope: 'MERCHANT', subject },
    reason: 'break-in',
    expiresAt: null,
  });

const lift = ({ merchantId: subject }: Account) =>
  requestLift(gateway.engine, {
    target: { scope: 'MERCHANT', subject },
    reason: 'over',
    actor: actorNamed('Ana'),
    secondApprover: 'OPTIONAL',
  });

describe('a settlement that must not be paid any more', () => {
  const page = { of: 'OPEN', after: null, countMax: 500 } as const;

  async function standingOf(settlementId: string) {
    const listed = await readSettlements(gateway.engine, page);
    return listed.find((one) => one.settlementId === settlementId)?.standing;
  }

  test('because of a freeze is listed with it, and recorded as paid only with the statement that the bank has paid', async () => {
    const { engine } = gateway;
    const shop = await openShop('1000');
    const settlementId = settlementIn(await settle(shop, '300'));
    expect(await standingOf(settlementId)).toMatchObject({ stops: [] });
    await freezeMerchant(shop);
    expect(await standingOf(settlementId)).toMatchObject({ stops: ['FROZEN'] });
    expect(await pay(settlementId, 'FT30-0001')).toMatchObject({
      type: 'SETTLEMENT_STOPPED',
      stops: ['FROZEN'],
    });
    const approvalId = approvalIn(await payAs(settlementId, 'FT30-0001', true));
    const whose = 'ALL';
    expect(await readApproval(engine, { approvalId, whose })).toMatchObject({
      shown: { bankHasPaid: 'BANK_HAS_PAID', despite: 'FROZEN' },
      effect: { available: parseAmount('700'), owed: 0n },
    });
    expect(await decideAs(engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
    expect(await fundsOf(shop)).toEqual({ posted: '700', held: '0' });
  });

  test('because of a freeze since it was recorded as paid is not approved, and is when the freeze has ended', async () => {
    const { engine } = gateway;
    const shop = await openShop('1000');
    const settlementId = settlementIn(await settle(shop, '300'));
    const approvalId = approvalIn(await pay(settlementId, 'FT30-0002'));
    await freezeMerchant(shop);
    expect(await decideAs(engine, 'Ben', approvalId)).toMatchObject({
      type: 'NOT_EXECUTED',
      because: { code: 'SETTLEMENT_STOPPED', parameters: { stops: 'FROZEN' } },
    });
    expect(await fundsOf(shop)).toEqual({ posted: '1000', held: '300' });
    await lift(shop);
    expect(await decideAs(engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
    expect(await fundsOf(shop)).toEqual({ posted: '700', held: '0' });
  });

  test('because of a suspension is rejected, and the money is available again', async () => {
    const { engine } = gateway;
    const shop = await openShop('1000');
    const { merchantId } = shop;
    const settlementId = settlementIn(await settle(shop, '300'));
    await suspendMerchant(engine, { actor: actorNamed('Ana'), merchantId });
    expect(await pay(settlementId, 'FT30-0003')).toMatchObject({ stops: ['SUSPENDED'] });
    expect(await decideAs(engine, 'Ben', await reject(settlementId))).toMatchObject({ type: 'DONE' });
    expect(await fundsOf(shop)).toEqual({ posted: '1000', held: '0' });
  });

  test('because a hold is short is not paid, and when it is rejected its reserve fills the hold', async () => {
    const { engine } = gateway;
    const shop = await openShop('1000');
    const settlementId = settlementIn(await settle(shop, '300'));
    const holdId = await hold(shop, parseAmount('900')!);
    expect(await standingOf(settlementId)).toMatchObject({
      stops: ['WALLET_OWES'],
      funds: { available: 0n, unheld: parseAmount('200') },
    });
    expect(await pay(settlementId, 'FT30-0004')).toMatchObject({ stops: ['WALLET_OWES'] });
    expect(await decideAs(engine, 'Ben', await reject(settlementId))).toMatchObject({ type: 'DONE' });
    expect(await fundsOf(shop)).toEqual({ posted: '1000', held: '900' });
    await release(holdId);
  });

  test('because the wallet owes is paid when the debt has ended', async () => {
    const { engine } = gateway;
    const shop = await openShop('1000');
    const { merchantId } = shop;
    const settlementId = settlementIn(await settle(shop, '300'));
    await select(gateway, 'update wallets set owed = 701 where merchant_id = $1', [merchantId]);
    expect(await pay(settlementId, 'FT30-0005')).toMatchObject({
      type: 'SETTLEMENT_STOPPED',
      stops: ['WALLET_OWES'],
      funds: { available: parseAmount('700'), owed: parseAmount('701') },
    });
    await select(gateway, 'update wallets set owed = 0 where merchant_id = $1', [merchantId]);
    const approvalId = approvalIn(await pay(settlementId, 'FT30-0005'));
    expect(await decideAs(engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
  });

  test('after a restore is compared with the bank first', async () => {
    const { engine } = gateway;
    const shop = await openShop('1000');
    const settlementId = settlementIn(await settle(shop, '300'));
    await beginRecovery(engine, { by: 'Ana', lostFrom: nowOf(engine) });
    expect(await pay(settlementId, 'FT30-0006')).toMatchObject({ stops: ['RECOVERING'] });
    const approvalId = approvalIn(await payAs(settlementId, 'FT30-0006', true));
    expect(await decideAs(engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
    await endRecovery(engine, { by: 'Ana', provider: null, unasked: true });
  });

  test('is refused of a person of the platform too, at the request and at the approval', async () => {
    const { engine } = gateway;
    const shop = await openShop('1000');
    const { merchantId } = shop;
    const manual = (reference: string, amount: string, bankHasPaid = false) =>
      requestMoney(engine, {
        ...FRANCS,
        walletProvider: '',
        merchantId,
        reference,
        reason: null,
        type: 'SETTLEMENT',
        amount: parseAmount(amount)!,
        actor: actorNamed('Ana'),
        bankHasPaid,
      });
    const approvalOf = (answer: Awaited<ReturnType<typeof manual>>) =>
      answer.type === 'REQUESTED' ? answer.approvalId : expect.fail(answer.type);
    const before = approvalOf(await manual('FT31-0001', '10'));
    await freezeMerchant(shop);
    expect(await decideAs(engine, 'Ben', before)).toMatchObject({
      type: 'NOT_EXECUTED',
      because: { code: 'SETTLEMENT_STOPPED' },
    });
    expect(await manual('FT31-0002', '10')).toMatchObject({ type: 'SETTLEMENT_STOPPED', stops: ['FROZEN'] });
    const stated = approvalOf(await manual('FT31-0002', '10', true));
    expect(await readApproval(engine, { approvalId: stated, whose: 'ALL' })).toMatchObject({
      shown: { bankHasPaid: 'BANK_HAS_PAID', despite: 'FROZEN' },
      effect: { available: parseAmount('990') },
    });
    expect(await decideAs(engine, 'Ben', stated)).toMatchObject({ type: 'DONE' });
    await lift(shop);
    expect(await decideAs(engine, 'Ben', before)).toMatchObject({ type: 'DONE' });
    await select(gateway, 'update wallets set owed = 5 where merchant_id = $1', [merchantId]);
    expect(await manual('FT31-0003', '976')).toMatchObject({ stops: ['WALLET_OWES'] });
    expect(await manual('FT31-0003', '975')).toMatchObject({ type: 'REQUESTED' });
    await select(gateway, 'update wallets set owed = 0 where merchant_id = $1', [merchantId]);
    expect(await fundsOf(shop)).toEqual({ posted: '980', held: '0' });
  });
});
