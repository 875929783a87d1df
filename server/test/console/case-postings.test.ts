// What the resolution of a case posts, as the person who approves it sees it before, and as the audit log has it after.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAuditLog } from '../../src/core/audit.ts';
import type { PaymentKey } from '../../src/domain/payments/payment.ts';
import { listUnbalancedWallets } from '../../src/store/ledger/ledger.ts';
import type { TestGateway } from '../gateway.ts';
import { OwingShop } from '../owing-shop.ts';
import { payoutRequest } from '../requests.ts';
import { decideAtHost } from './asked.ts';
import { confirmed, openTestConsole, signedIn, type TestPerson } from './people.ts';

let gateway: TestGateway;
let ana: TestPerson;
let ben: TestPerson;
let shop: OwingShop;
beforeAll(async () => {
  gateway = await openTestConsole({ role: 'api' });
  ana = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  ben = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
});
afterAll(async () => {
  expect(await listUnbalancedWallets(gateway.engine.store.database)).toEqual([]);
  await gateway.stop();
});
beforeEach(async () => {
  shop = await OwingShop.open(gateway);
});

/** Ana requests it in the console. Answers the identifier of the pending approval. */
async function request(key: PaymentKey, body: object): Promise<string> {
  const { caseId } = await shop.caseOf(key);
  const reason = 'as the statement says';
  const answer = await ana.call('POST', `api/host/cases/${caseId}/resolution`, { ...body, reason });
  expect(answer.status).toBe(200);
  return answer.body.approvalId;
}

/** What Ben sees of it: alone, in the list of requests, and with its case. */
async function shown(approvalId: string) {
  const { body } = await ben.call('GET', `api/host/approvals/${approvalId}`);
  const { body: listed } = await ben.call('GET', 'api/host/approvals?status=PENDING&kinds=CASE');
  const { body: cases } = await ben.call('GET', 'api/host/cases?status=OPEN&limit=100');
  const inList = listed.rows.find((row: { approvalId: string }) => row.approvalId === approvalId);
  const ofCase = cases.rows.find(
    ({ approval }: { approval: { approvalId: string } | null }) => approval?.approvalId === approvalId,
  );
  expect([inList.effect, ofCase.approval.effect]).toEqual([body.effect, body.effect]);
  return body.effect;
}

async function approve(approvalId: string): Promise<void> {
  expect((await decideAtHost(gateway, ben, approvalId)).status).toBe(200);
}

/** As the audit log has it. */
async function posted(): Promise<string> {
  const { merchantId } = shop.account;
  const entries = await readAuditLog(gateway.engine, { merchantId, countMax: 10 });
  const [entry] = entries.filter(({ act }) => act === 'CASE_RESOLVED');
  return String(entry?.detail['postings']);
}

describe('M10: the approval of a case', () => {
  test('shows every posting that it makes, and what the merchant has and owes afterwards', async () => {
    const [first] = await shop.owe(1_000, 500);
    await shop.deposit(1_000);
    const approvalId = await request(first!, { resolution: 'WRITE_OFF' });
    expect(await shown(approvalId)).toEqual({
      currency: 'RWF',
      postings: [
        { debit: 'WRITE_OFF', credit: 'RECEIVABLE', amount: '1000' },
        { debit: 'RECEIVABLE', credit: 'WALLET', amount: '1000' },
        { debit: 'WALLET', credit: 'RECEIVABLE', amount: '500' },
      ],
      available: '500',
      owed: '0',
    });
    expect(await shop.funds()).toEqual({ posted: 0, held: 0, owed: 500 });
    await approve(approvalId);
    expect(await shop.funds()).toEqual({ posted: 500, held: 0, owed: 0 });
    expect(await posted()).toBe(
      'WRITE_OFF > RECEIVABLE 1000, RECEIVABLE > WALLET 1000, WALLET > RECEIVABLE 500',
    );
    expect((await ben.call('GET', `api/host/approvals/${approvalId}`)).body.effect).toBeNull();
  });

  test('shows it of the moment, can be given although the wallet has changed, and records what was posted', async () => {
    await shop.deposit(200);
    const payout = payoutRequest({ amount: '200' });
    expect((await shop.send('/v2/payouts', payout)).body).toMatchObject({ status: 'ACCEPTED' });
    const [first] = await shop.owe(1_000);
    const approvalId = await request(first!, { resolution: 'RECOVER_FROM_MERCHANT' });
    expect(await shown(approvalId)).toEqual({
      currency: 'RWF',
      postings: [],
      available: '0',
      owed: '1000',
    });
    const { hash } = (await ben.call('GET', `api/host/approvals/${approvalId}`)).body;
    await shop.deposit(300);
    // What a payout frees that is never sent pays for the debt at once, as a credit does.
    const { merchantId } = shop.account;
    const key = { merchantId, kind: 'PAYOUT', paymentId: payout['payoutId'] } as const;
    await shop.tell(key, { type: 'CANCELLED', unsentAs: 'OTHER_ERROR' });
    expect(await shown(approvalId)).toEqual({
      currency: 'RWF',
      postings: [],
      available: '0',
      owed: '500',
    });
    const answer = await ben.call('POST', `api/host/approvals/${approvalId}/approve`, { hash });
    expect(answer.status).toBe(200);
    expect(await posted()).toBe('');
    expect(await shop.funds()).toEqual({ posted: 0, held: 0, owed: 500 });
  });

  test('counts what is held for the case as available, and what stays held of its deposit as not', async () => {
    await shop.owe(200);
    const manual = await shop.manualDeposit(500);
    await shop.differ(manual, 450);
    const approvalId = await request(manual, { resolution: 'RECOVER_FROM_MERCHANT', amount: '50' });
    expect(await shown(approvalId)).toEqual({
      currency: 'RWF',
      postings: [{ debit: 'WALLET', credit: 'FLOAT', amount: '50' }],
      available: '0',
      owed: '200',
    });
    await approve(approvalId);
    expect(await posted()).toBe('WALLET > FLOAT 50');
    expect(await shop.funds()).toEqual({ posted: 450, held: 450, owed: 200 });
  });

  test('says that nothing is posted where the books are right', async () => {
    const key = await shop.deposit(400);
    await shop.differ(key, 390);
    const approvalId = await request(key, { resolution: 'WRITE_OFF', amount: '0' });
    expect(await shown(approvalId)).toMatchObject({ postings: [], available: '400', owed: '0' });
    await approve(approvalId);
    expect(await posted()).toBe('');
    expect(await shop.funds()).toEqual({ posted: 400, held: 0, owed: 0 });
  });
});

describe('M11: a discrepancy in another currency', () => {
  test('ends with an amount of 0, which posts nothing and releases what was held for it', async () => {
    const key = await shop.deposit(4_000);
    await shop.tell(key, {
      type: 'OPERATOR_ANSWERED',
      outcome: {
        type: 'COMPLETED',
        providerTransactionId: 'TX-in-dollars',
        moved: { amount: 40_000_000n, currency: 'USD' },
      },
    });
    expect(await shop.funds()).toEqual({ posted: 4_000, held: 4_000, owed: 0 });
    const approvalId = await request(key, { resolution: 'WRITE_OFF', amount: '0' });
    expect(await shown(approvalId)).toMatchObject({ postings: [], available: '4000' });
    await approve(approvalId);
    expect(await shop.funds()).toEqual({ posted: 4_000, held: 0, owed: 0 });
  });
});
