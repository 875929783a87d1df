// M1. Identifiers that somebody outside chooses or can predict are never keys of the ledger: nothing that a merchant's
// client requests keeps a fact of an operator, an end, a correction or a report from being recorded.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDemoMerchant } from '../src/commands/sandbox/demo-merchant.ts';
import { requestMoney } from '../src/core/ledger/request-money-movement.ts';
import { holdIdOfCase, holdIdOfDeposit } from '../src/core/limits/wallet-holds.ts';
import { referenceFor } from '../src/core/operators/reference.ts';
import { advance } from '../src/core/payments/process/advance.ts';
import { importReport } from '../src/core/reconciliation/import-report.ts';
import { readCases } from '../src/core/reconciliation/resolve-cases.ts';
import { beginRecovery } from '../src/core/recovery/recover.ts';
import { requestBankAccount } from '../src/core/settlements/bank-accounts.ts';
import { requestSettlementDecision } from '../src/core/settlements/decide-settlement.ts';
import { requestSettlement } from '../src/core/settlements/request-settlement.ts';
import type { PaymentEvent } from '../src/domain/payments/lifecycle.ts';
import type { PaymentKey } from '../src/domain/payments/payment.ts';
import { derivedUuid } from '../src/store/derived-uuid.ts';
import { listUnbalancedWallets } from '../src/store/ledger/ledger.ts';
import { actorNamed, decideAs } from './approvals.ts';
import { nowOf } from './clocks.ts';
import { at, decideOn } from './console/asked.ts';
import { confirmed, openTestConsole, signedIn } from './console/people.ts';
import { openAccount } from './edge/accounts.ts';
import { call, depositRequest, openTestGateway, select, type TestGateway } from './gateway.ts';
import { send, start, startCompleted, topUp, waitForPayment } from './payments.ts';
import { payoutRequest } from './requests.ts';
import { moveBetween, openTwoCells, type TwoCells } from './two-cells.ts';

const HOUR_MS = 3_600_000;
const ACCOUNT = { bank: 'Bank of Kigali', holder: 'Grace Uwase', number: '00040123456789' };
const FAILED = {
  type: 'OPERATOR_ANSWERED',
  outcome: { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' },
} as const;

let gateway: TestGateway;
/** Requests a settlement of 1 RWF under any identifier, as an ordinary merchant that has a bank account. */
let settle: (requestId: string) => Promise<string>;

beforeAll(async () => {
  gateway = await openTestGateway({ timing: { enquiryDelaysMs: [HOUR_MS] } });
  const { engine } = gateway;
  const { merchantId } = await openAccount(gateway, { operations: ['PAYOUT'] });
  await topUp(gateway, merchantId, '100000');
  const account = { merchantId, currency: 'RWF', account: ACCOUNT };
  await decideAs(
    engine,
    'Ben',
    (await requestBankAccount(engine, { actor: actorNamed('Ana'), ...account }))!,
  );
  await gateway.gateway.movableClock!.move(49 * HOUR_MS);
  settle = async (requestId) => {
    const wallet = { country: 'RWA', currency: 'RWF', provider: '' };
    const asked = await requestSettlement(engine, {
      by: 'Ana',
      merchantId,
      requestId,
      ...wallet,
      amount: 10_000n,
    });
    return asked.type === 'REQUESTED' ? asked.settlementId : expect.fail(asked.type);
  };
});
afterAll(() => gateway.stop());

/** An error is an answer too, so that what should have been recorded is named by the assertion. */
const answerOrError = <Answer>(answer: Promise<Answer>) => answer.catch((error: Error) => error.message);

const tell = (key: PaymentKey, event: PaymentEvent) =>
  answerOrError(advance(gateway.engine, [{ key, event }]).then(([answer]) => answer?.type));

const openCasesOf = async (paymentId: string) =>
  (await readCases(gateway.engine, { onlyOpen: true })).filter((one) => one.paymentId === paymentId);

const heldFor = async (paymentId: string) =>
  (await select(gateway, 'select amount::text from wallet_holds where payment_id = $1', [paymentId])).length;

describe('M1: a settlement under the identifier that something else will have', () => {
  test('a reversal of another merchant’s deposit is recorded, held and owed, also after the settlement was rejected', async () => {
    const { merchantId } = gateway;
    const [early, late] = [
      await startCompleted(gateway, 'deposit', depositRequest({ amount: '1000' })),
      await startCompleted(gateway, 'deposit', depositRequest({ amount: '1000' })),
    ];
    const keyOf = (paymentId: string) => ({ merchantId, kind: 'DEPOSIT', paymentId }) as const;
    const holdOf = (paymentId: string) =>
      holdIdOfCase({ ...keyOf(paymentId), evidence: 'LATE_FAILURE', caseNo: 1 });
    await settle(holdOf(early));
    expect(await tell(keyOf(early), FAILED)).toBe('CONTRADICTION');
    expect(await openCasesOf(early)).toHaveLength(1);
    expect(await heldFor(early)).toBe(1);
    const settlementId = await settle(holdOf(late));
    const order = {
      actor: actorNamed('Ana'),
      settlementId,
      decision: 'REJECTED',
      reason: 'mistyped',
    } as const;
    const asked = await requestSettlementDecision(gateway.engine, order);
    const approvalId = asked.type === 'REQUESTED' ? asked.approvalId : expect.fail(asked.type);
    expect(await decideAs(gateway.engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });
    expect(await tell(keyOf(late), FAILED)).toBe('CONTRADICTION');
    expect(await heldFor(late)).toBe(1);
  });

  test('a payout with a discrepancy ends as its operator says', async () => {
    gateway.simulator.addFault({ type: 'WRONG_AMOUNT', amount: '90' });
    await topUp(gateway, gateway.merchantId, '5000');
    const paymentId = await start(gateway, 'payout', payoutRequest());
    await waitForPayment(gateway, 'payout', paymentId, 'IN_RECONCILIATION');
    const key = { merchantId: gateway.merchantId, kind: 'PAYOUT', paymentId } as const;
    await settle(holdIdOfCase({ ...key, evidence: 'DISCREPANCY', caseNo: 1 }));
    expect(await tell(key, FAILED)).toBe('MOVE');
  });

  test('a deposit is completed by people, and its money is held', async () => {
    gateway.simulator.addFault({ type: 'OUTCOME', status: 'PENDING' });
    const request = depositRequest();
    await call(gateway, 'POST', '/v2/deposits', request);
    await waitForPayment(gateway, 'deposit', request['depositId'], 'PROCESSING');
    const key = {
      merchantId: gateway.merchantId,
      kind: 'DEPOSIT',
      paymentId: request['depositId'] as string,
    } as const;
    await tell(key, { type: 'HORIZON_PASSED' });
    await settle(holdIdOfDeposit(key));
    const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
    expect(await tell(key, { type: 'ENDED_MANUALLY', outcome })).toBe('MOVE');
    expect(await heldFor(key.paymentId)).toBe(1);
  });

  test('an approved correction is posted although a settlement has the identifier of its request', async () => {
    const { engine, merchantId } = gateway;
    const place = { country: 'RWA', currency: 'RWF', walletProvider: '' };
    const asked = await requestMoney(engine, {
      ...place,
      actor: actorNamed('Ana'),
      merchantId,
      type: 'ADJUSTMENT',
      amount: -10_000n,
      reference: null,
      reason: 'wrong top-up',
    });
    const approvalId = asked.type === 'REQUESTED' ? asked.approvalId : expect.fail(asked.type);
    await settle(approvalId);
    expect(await answerOrError(decideAs(engine, 'Ben', approvalId))).toMatchObject({ type: 'DONE' });
  });

  test('a report about a payment that a restore lost is imported', async () => {
    const { engine, merchantId } = gateway;
    const referenceOfLost = () => {
      const key = { merchantId, kind: 'PAYOUT', paymentId: randomUUID() } as const;
      return referenceFor(engine.referenceKey, { key, attemptNo: 1, home: engine.home, shape: 'TOKEN' });
    };
    const [first, second] = [referenceOfLost(), referenceOfLost()];
    // By every name that such a transfer ever had.
    for (const prefix of ['forgotten', 'unmatched'])
      await settle(derivedUuid(`${prefix}/MTN_MOMO_RWA/${first}/OUT`));
    await beginRecovery(engine, { by: 'Ana', lostFrom: new Date('2026-01-01T00:00:00Z') });
    const now = nowOf(engine);
    async function* batches() {
      yield [first, second].map((reference, index) => ({
        lineNo: index + 2,
        line: {
          occurredAt: new Date(now.getTime() - 60_000),
          direction: 'OUT',
          status: 'COMPLETED',
          amount: 1_000_000n,
          currency: 'RWF',
          reference,
          providerTransactionId: randomUUID(),
        } as const,
      }));
    }
    const imported = importReport(engine, {
      by: 'Ana',
      secondApprover: 'OPTIONAL',
      provider: 'MTN_MOMO_RWA',
      fileHash: Buffer.alloc(32, 1),
      period: { from: new Date(now.getTime() - HOUR_MS), to: now },
      batches,
      onError: (error) => {
        throw error;
      },
    });
    expect(await answerOrError(imported)).toMatchObject({ lineCount: 2 });
    const posted = await select(
      gateway,
      `select reference from unmatched_payments where posted_at is not null`,
    );
    expect(new Set(posted.map(({ reference }) => reference))).toEqual(new Set([first, second]));
    expect(await listUnbalancedWallets(engine.store.database)).toEqual([]);
  });
});

describe('M1: POST …/settlements in the console', () => {
  let shop: TestGateway;
  beforeAll(async () => {
    shop = await openTestConsole({ timing: { enquiryDelaysMs: [HOUR_MS] } });
  });
  afterAll(() => shop.stop());

  test('refuses an identifier that is not a UUID of version 4, and a reversal of 100,000 leaves nothing to pay out', async () => {
    const finance = await confirmed(await signedIn(shop, 'FINANCE'));
    const owner = await confirmed(await signedIn(shop, 'OWNER'));
    const { body } = await finance.call('PUT', at(shop, 'bank-accounts/RWF'), ACCOUNT);
    expect((await decideOn(shop, owner, body.approvalId, 'approve')).status).toBe(200);
    await shop.gateway.movableClock!.move(49 * HOUR_MS);
    const depositId = await startCompleted(shop, 'deposit', depositRequest({ amount: '100000' }));
    const key = { merchantId: shop.merchantId, kind: 'DEPOSIT', paymentId: depositId } as const;
    const requestId = holdIdOfCase({ ...key, evidence: 'LATE_FAILURE', caseNo: 1 });
    const wallet = { country: 'RWA', currency: 'RWF', amount: '1' };
    const asked = await finance.call('POST', at(shop, 'settlements'), { requestId, ...wallet });
    expect(asked.status).toBe(400);
    await finance.call('POST', at(shop, 'settlements'), { requestId: randomUUID(), ...wallet });
    const [answer] = await advance(shop.engine, [{ key, event: FAILED }]);
    expect(answer?.type).toBe('CONTRADICTION');
    const { body: refused } = await send(shop, 'payout', payoutRequest({ amount: '1000000' }));
    expect(refused).toMatchObject({ failureReason: { failureCode: 'WALLET_OUT_OF_FUNDS' } });
  });
});

describe('M1: two merchants in two cells that request settlements under one identifier', () => {
  let cells: TwoCells;
  beforeAll(async () => {
    cells = await openTwoCells({ role: 'api' });
    for (const cell of [cells.one, cells.two]) {
      // Both cells use the operator’s account, or no merchant could be moved.
      await select(
        cell,
        `insert into operator_accounts (connector, account_hash, noted_at) values ('simulator', 'same', $1)`,
        [new Date()],
      );
      await select(cell, 'create table if not exists clock_shift ()');
    }
  });
  afterAll(() => cells.stop());

  test('one of them can be moved to the cell of the other, and both wallets stay balanced', async () => {
    const { one, two } = cells;
    const requestId = randomUUID();
    const other = await createDemoMerchant(two.engine, null);
    for (const [{ engine }, { merchantId }] of [
      [one, cells.merchant],
      [two, other],
    ] as const) {
      const immediate: typeof engine = Object.create(engine, { bankCoolingOffMs: { value: 0 } });
      const account = { merchantId, currency: 'RWF', account: ACCOUNT };
      const approvalId = await requestBankAccount(immediate, { actor: actorNamed('Ana'), ...account });
      await decideAs(immediate, 'Ben', approvalId!);
      const wallet = { country: 'RWA', currency: 'RWF', provider: '', amount: 10_000n };
      const asked = await requestSettlement(engine, { by: 'Ana', merchantId, requestId, ...wallet });
      expect(asked).toMatchObject({ type: 'REQUESTED' });
    }
    expect(await answerOrError(moveBetween(cells, one, two))).toEqual({ type: 'MOVED' });
    expect(await select(two, 'select 1 from settlements')).toHaveLength(2);
    expect(await listUnbalancedWallets(two.engine.store.database)).toEqual([]);
  });
});
