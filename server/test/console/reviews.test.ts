// The review queue through the console: one person requests, another approves; and the rules of it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import type { PaymentKey } from '../../src/domain/payments/payment.ts';
import { select, type TestGateway } from '../gateway.ts';
import { accepted, claimedNow, read } from '../limits/reviewed-merchants.ts';
import { decideAtHost } from './asked.ts';
import { confirmed, openTestConsole, signedIn, type TestPerson } from './people.ts';

let gateway: TestGateway;
let ana: TestPerson;
let ben: TestPerson;
let support: TestPerson;
let owner: TestPerson;
let merchantId: string;

beforeAll(async () => {
  gateway = await openTestConsole({ role: 'api' });
  ana = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  ben = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  support = await confirmed(await signedIn(gateway, 'OPERATOR_SUPPORT'));
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  ({ merchantId } = await createDemoMerchant(gateway.engine, null));
  owner = await confirmed(await signedIn(gateway, 'OWNER', merchantId));
});

const FIRST = {
  rule: 'FIRST_RECIPIENT',
  subject: 'RWF',
  withoutAnswer: null,
  amountAbove: '10',
  hours: null,
};
const rules = () => `api/host/merchants/${merchantId}/review-rules`;

async function held(): Promise<PaymentKey> {
  expect((await ana.call('PUT', rules(), FIRST)).body).toEqual({ outcome: 'DONE' });
  const key = await accepted(gateway.engine, merchantId);
  expect(await claimedNow(gateway.engine)).toEqual([]);
  return key;
}

const queue = async (person: TestPerson) => {
  const { body } = await person.call('GET', 'api/host/reviews');
  return body.rows.filter((one: { merchantId: string }) => one.merchantId === merchantId);
};

const holds = async (person: TestPerson) =>
  (await person.call('GET', `api/host/holds?merchantId=${merchantId}`)).body;

const request = (person: TestPerson, key: PaymentKey, decision: string) =>
  person.call('POST', 'api/host/reviews', { ...key, decision, reason: 'called the merchant' });

const reasonOf = (answer: { body: any }) => answer.body.failureReason.reason?.code;

describe('the review queue', () => {
  test('A payment is released when another person approves, and both are recorded.', async () => {
    const key = await held();
    const row = { paymentId: key.paymentId, amount: '100', reasons: ['FIRST_RECIPIENT'], approval: null };
    expect(await queue(support)).toMatchObject([{ ...row, phoneNumber: '••••••789', reason: null }]);
    const { paymentId } = key;
    const shown = { what: 'REVIEW', merchantId, paymentId, until: null, why: ['FIRST_RECIPIENT'] };
    expect(await holds(support)).toMatchObject({ holds: [shown], isMore: false, missingCells: [] });
    const { approvalId } = (await request(ana, key, 'RELEASE')).body;
    expect(reasonOf(await request(ben, key, 'REJECT'))).toBe('REVIEW_REQUESTED');
    expect(await queue(ana)).toMatchObject([{ approval: { requestedBy: ana.email } }]);
    expect((await decideAtHost(gateway, ana, approvalId, 'approve')).status).toBe(409);
    expect((await decideAtHost(gateway, ben, approvalId, 'approve')).status).toBe(200);
    expect(await queue(ana)).toEqual([]);
    expect(await holds(support)).toMatchObject({ holds: [] });
    expect(await claimedNow(gateway.engine)).toEqual([key.paymentId]);
    const acts = await select(gateway, 'select act, actor from audit_log where subject = $1', [
      key.paymentId,
    ]);
    expect(acts).toEqual([{ act: 'REVIEW_DECIDED', actor: ben.email }]);
    expect(reasonOf(await request(ana, key, 'RELEASE'))).toBe('REVIEW_NOT_HELD');
  });

  test('A payment fails when another person approves that it is rejected; rejecting the request leaves it.', async () => {
    const key = await held();
    const first = (await request(ana, key, 'RELEASE')).body;
    expect((await decideAtHost(gateway, ben, first.approvalId, 'reject')).status).toBe(200);
    expect(await read(gateway.engine, key)).toMatchObject({ held: 'REVIEW' });
    const second = (await request(ben, key, 'REJECT')).body;
    await decideAtHost(gateway, ana, second.approvalId, 'approve');
    expect(await read(gateway.engine, key)).toMatchObject({ state: 'FAILED', failureCode: 'OTHER_ERROR' });
  });

  test('Others neither decide nor set rules, and people of a merchant see nothing of it.', async () => {
    const key = await held();
    expect((await request(support, key, 'RELEASE')).status).toBe(403);
    expect((await support.call('PUT', rules(), FIRST)).status).toBe(403);
    expect((await owner.call('GET', 'api/host/reviews')).status).toBe(404);
    expect((await request(owner, key, 'RELEASE')).status).toBe(404);
    expect((await owner.call('GET', rules())).status).toBe(404);
    expect((await owner.call('GET', `api/host/holds?merchantId=${merchantId}`)).status).toBe(404);
  });
});

test('A looser rule is requested, a wrong one refused.', async () => {
  await held();
  const looser = await ana.call('PUT', rules(), { ...FIRST, amountAbove: '20' });
  expect(looser.body).toEqual({ outcome: 'REQUESTED' });
  const { rules: listed } = (await support.call('GET', rules())).body;
  expect(listed).toMatchObject([{ ...FIRST, approval: { requestedBy: ana.email } }]);
  await decideAtHost(gateway, ben, listed[0].approval.approvalId, 'approve');
  expect((await ana.call('GET', rules())).body.rules).toMatchObject([{ amountAbove: '20' }]);
  const bad = { ...FIRST, rule: 'SCREENING', subject: 'DEPOSIT', withoutAnswer: 'HOLD', amountAbove: null };
  expect(reasonOf(await ana.call('PUT', rules(), bad))).toBe('REVIEW_RULE_INVALID');
  const { rule, subject } = FIRST;
  expect((await ana.call('POST', `${rules()}/remove`, { rule, subject })).body).toEqual({
    outcome: 'REQUESTED',
  });
  expect((await ana.call('POST', `${rules()}/remove`, { rule, subject: 'KES' })).status).toBe(404);
});
