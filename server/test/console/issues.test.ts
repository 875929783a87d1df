// Unresolved payments and cases, as the platform’s people see them in the console, and how they end.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAuditLog } from '../../src/core/audit.ts';
import { depositRequest, eventually, initiate, select, waitUntil, type TestGateway } from '../gateway.ts';
import { readPayment, start, topUp, waitForPayment } from '../payments.ts';
import { wallet } from '../requests.ts';
import { approvalAbout, approvalIn, decideAtHost } from './asked.ts';
import { confirmed, openTestConsole, signedIn, type ConsoleAnswer, type TestPerson } from './people.ts';

const PHONE = '250783456789';

let gateway: TestGateway;
let ana: TestPerson;
let ben: TestPerson;
let support: TestPerson;

beforeAll(async () => {
  gateway = await openTestConsole({
    simulator: { outcomeDelayMs: 100 },
    timing: { enquiryDelaysMs: [3_600_000] },
  });
  ana = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  ben = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  support = await confirmed(await signedIn(gateway, 'OPERATOR_SUPPORT'));
  await topUp(gateway, gateway.merchantId, '1000');
});
afterAll(() => gateway.stop());

const codeOf = ({ status, body }: ConsoleAnswer) => [status, body?.failureReason?.failureCode ?? null];

/** A deposit of which the operator says that it moved another amount. */
async function startUnclear(): Promise<string> {
  gateway.simulator.addFault({ type: 'WRONG_AMOUNT', amount: '90' });
  const depositId = await start(gateway, 'deposit', depositRequest());
  await waitForPayment(gateway, 'deposit', depositId, 'IN_RECONCILIATION');
  return depositId;
}

async function unclear(person: TestPerson) {
  const { body } = await person.call('GET', 'api/host/unclear-payments?limit=100');
  return body.rows as readonly { readonly paymentId: string }[];
}

const urlOf = (paymentId: string) => `api/host/payments/${gateway.merchantId}/DEPOSIT/${paymentId}`;

describe('a payment in reconciliation', () => {
  test('a payment in reconciliation is listed with what the operator said last, without what names the payer', async () => {
    const paymentId = await startUnclear();
    const row = (await unclear(support)).find((one) => one.paymentId === paymentId);
    expect(row).toMatchObject({
      merchant: 'Demo Shop',
      kind: 'DEPOSIT',
      amount: '100',
      currency: 'RWF',
      lastSaid: 'UNKNOWN AMOUNT_DIFFERS',
      openCases: ['DISCREPANCY'],
    });
    expect(JSON.stringify(row)).not.toContain(PHONE.slice(-9));
  });

  test('a payment in reconciliation shows what the operator said, word by word, to anyone who resolves; and it is recorded', async () => {
    const paymentId = await startUnclear();
    const { status, body } = await ana.call('POST', `${urlOf(paymentId)}/evidence`);
    expect(status).toBe(200);
    expect(body.events.map((event: { readonly event: string }) => event.event)).toContain(
      'OPERATOR_ANSWERED',
    );
    expect(JSON.stringify(body.events)).toContain('90');
    const [entry] = await readAuditLog(gateway.engine, { merchantId: gateway.merchantId, countMax: 1 });
    expect(entry).toMatchObject({ act: 'PAYMENT_READ', actor: ana.email, subject: paymentId });
    expect(codeOf(await support.call('POST', `${urlOf(paymentId)}/evidence`))).toEqual([
      403,
      'NOT_PERMITTED',
    ]);
  });

  test('a payment in reconciliation is ended when one person asks and another approves, with the money where it belongs', async () => {
    const paymentId = await startUnclear();
    const end = { outcome: 'COMPLETED', providerTransactionId: 'TX-4711', reason: 'line 7 of the statement' };
    expect(codeOf(await support.call('POST', `${urlOf(paymentId)}/end`, end))).toEqual([
      403,
      'NOT_PERMITTED',
    ]);
    const { status, body } = await ana.call('POST', `${urlOf(paymentId)}/end`, end);
    expect([status, body]).toEqual([200, { by: 'PERSON', state: 'IN_RECONCILIATION', outcome: 'REQUESTED' }]);
    const approvalId = await approvalIn(gateway, ana, 'PAYMENT_END');
    expect((await decideAtHost(gateway, ben, approvalId)).status).toBe(200);
    expect((await readPayment(gateway, 'deposit', paymentId))['status']).toBe('COMPLETED');
    expect(codeOf(await ana.call('POST', `${urlOf(paymentId)}/end`, end))).toEqual([409, 'CONFLICT']);
    expect((await unclear(ana)).map((one) => one.paymentId)).not.toContain(paymentId);
  });

  test('a payment in reconciliation is not ended without a number of the operator for a success, or with one for a failure', async () => {
    const paymentId = await startUnclear();
    const reason = 'they told me so';
    for (const end of [
      { outcome: 'COMPLETED', reason },
      { outcome: 'FAILED', providerTransactionId: 'TX-1', reason },
      { outcome: 'COMPLETED', providerTransactionId: 'TX-1', failureCode: 'PAYER_NOT_FOUND', reason },
      { outcome: 'FAILED', reason: ' ' },
    ]) {
      const answer = await ana.call('POST', `${urlOf(paymentId)}/end`, end);
      expect(codeOf(answer)).toEqual([400, 'INVALID_INPUT']);
    }
    expect((await readPayment(gateway, 'deposit', paymentId))['status']).toBe('IN_RECONCILIATION');
  });

  test('a payment in reconciliation is found on one page only, however small the pages are', async () => {
    await startUnclear();
    const listed: string[] = [];
    let cursor = '';
    do {
      const { body } = await ben.call('GET', `api/host/unclear-payments?limit=1${cursor}`);
      listed.push(...body.rows.map(({ paymentId }: { readonly paymentId: string }) => paymentId));
      cursor = body.next === null ? '' : `&cursor=${body.next}`;
    } while (cursor !== '');
    expect(listed).toEqual((await unclear(ben)).map(({ paymentId }) => paymentId));
    expect(new Set(listed).size).toBe(listed.length);
  });
});

const casesOf = (paymentId: string) =>
  select(gateway, 'select case_id from cases where payment_id = $1', [paymentId]);

describe('a case', () => {
  const CASES = 'api/host/cases';
  const REASON = 'their statement of 3 March names Grace Uwase';
  let caseId: string;

  beforeAll(async () => {
    gateway.simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' });
    const refused = depositRequest({ payer: wallet('MTN_MOMO_RWA', '250783456039') });
    const paymentId = await start(gateway, 'deposit', refused);
    await waitForPayment(gateway, 'deposit', paymentId, 'FAILED');
    await waitUntil(async () => (await casesOf(paymentId)).length === 1);
    caseId = (await casesOf(paymentId))[0]!['case_id'];
  });

  const at = (what: string) => `${CASES}/${caseId}/${what}`;

  async function seenBy(person: TestPerson, status = 'OPEN') {
    const { body } = await person.call('GET', `${CASES}?status=${status}&limit=100`);
    return body.rows.find((row: { readonly caseId: string }) => row.caseId === caseId);
  }

  test('a case is listed with what may be done about it', async () => {
    expect(await seenBy(support)).toMatchObject({
      evidence: 'LATE_SUCCESS',
      kind: 'DEPOSIT',
      payment: { state: 'FAILED', amount: '100', currency: 'RWF' },
      allowed: ['CREDIT_MERCHANT', 'RETURN_TO_PAYER', 'REVERSE_EVIDENCE'],
      needsAmount: false,
      approval: null,
    });
  });

  test('a case tells the words of the operator to anyone who resolves, and it is recorded', async () => {
    const { body } = await ana.call('POST', at('statement'));
    expect(body.statement).toContain('250783456039');
    const [entry] = await readAuditLog(gateway.engine, { merchantId: gateway.merchantId, countMax: 1 });
    expect(entry).toMatchObject({ act: 'CASE_READ', actor: ana.email });
    expect(codeOf(await support.call('POST', at('statement')))).toEqual([403, 'NOT_PERMITTED']);
  });

  test('a case takes no resolution that is not on its list, and none without a reason', async () => {
    const tried = await ana.call('POST', at('resolution'), { resolution: 'WRITE_OFF', reason: REASON });
    expect(codeOf(tried)).toEqual([409, 'CONFLICT']);
    expect(codeOf(await ana.call('POST', at('resolution'), { resolution: 'CREDIT_MERCHANT' }))).toEqual([
      400,
      'INVALID_INPUT',
    ]);
    expect((await seenBy(ana)).approval).toBeNull();
  });

  test('a case is resolved by what one person requests and another approves', async () => {
    const wanted = { resolution: 'CREDIT_MERCHANT', reason: REASON };
    const first = (await ana.call('POST', at('resolution'), wanted)).body.approvalId;
    const requested = { requestedBy: ana.email, details: { resolution: 'CREDIT_MERCHANT' } };
    expect((await seenBy(ben)).approval).toMatchObject({ ...requested, mayDecide: true, reason: REASON });
    expect((await seenBy(support)).approval).toMatchObject({ ...requested, mayDecide: false, reason: null });
    expect(codeOf(await decideAtHost(gateway, ana, first))).toEqual([409, 'CONFLICT']);
    expect((await decideAtHost(gateway, ben, first, 'reject')).status).toBe(200);
    expect(codeOf(await decideAtHost(gateway, ben, first))).toEqual([409, 'CONFLICT']);
    expect((await ana.call('POST', at('resolution'), wanted)).status).toBe(200);
    const second = await approvalAbout(gateway, 'CASE', caseId);
    expect(codeOf(await decideAtHost(gateway, support, second))).toEqual([403, 'NOT_PERMITTED']);
    expect((await decideAtHost(gateway, ben, second)).status).toBe(200);
    expect(await seenBy(ben)).toBeUndefined();
    const approval = { status: 'APPROVED', decision: { by: ben.email } };
    expect(await seenBy(ben, 'RESOLVED')).toMatchObject({ approval });
    expect((await readPayment(gateway, 'deposit', await paymentOf()))['status']).toBe('FAILED');
  });

  async function paymentOf(): Promise<string> {
    return (await select(gateway, 'select payment_id from cases where case_id = $1', [caseId]))[0]![
      'payment_id'
    ];
  }
});

const endpointQueues = async () => (await support.call('GET', 'api/host/endpoint-queues')).body.rows;

test('a callback address that fails is listed by its host, without the path that may be a secret', async () => {
  gateway.receiver.answerWith({ status: 500 });
  await initiate(gateway);
  await eventually(async () => (await endpointQueues()).length).toBe(1);
  const [endpointQueue] = await endpointQueues();
  expect(endpointQueue).toMatchObject({ merchant: 'Demo Shop', kind: 'DEPOSIT', disabledAt: null });
  expect(endpointQueue.failureCount).toBeGreaterThan(0);
  expect(endpointQueue.waitingSince).not.toBeNull();
  expect(endpointQueue.host).toBe(new URL(gateway.receiver.url).host);
  expect(JSON.stringify(endpointQueue)).not.toContain('/callbacks');
});

test('a payment that no worker has taken up for more than a minute is listed as late', async () => {
  const idle = await openTestConsole({ role: 'api' });
  try {
    const person = await signedIn(idle, 'OPERATOR_SUPPORT');
    const paymentId = await initiate(idle);
    const late = async () => (await person.call('GET', 'api/host/late-payments')).body.rows;
    expect(await late()).toEqual([]);
    await idle.gateway.movableClock!.move(61_000);
    await eventually(late).toMatchObject([{ paymentId, state: 'ACCEPTED', nextAction: 'SUBMIT' }]);
  } finally {
    await idle.stop();
  }
});
