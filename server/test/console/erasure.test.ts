// A person asks to be forgotten: what names them goes, wherever it was written, and the books stay.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAuditLog } from '../../src/core/audit.ts';
import { readPaymentFile } from '../../src/core/payments/read/read-payment.ts';
import { listTrialBalance } from '../../src/store/ledger/ledger.ts';
import { attempt, checkoutRequest, waitForCheckout } from '../checkouts.ts';
import {
  call,
  depositRequest,
  eventually,
  payer,
  readDeposit,
  select,
  waitUntil,
  type TestGateway,
} from '../gateway.ts';
import { send, start, startCompleted, waitForPayment } from '../payments.ts';
import { payoutRequest, refundRequest, wallet } from '../requests.ts';
import { confirmed, openTestConsole, signedIn, type TestPerson } from './people.ts';

const PHONE = '250783456781';
const OTHER_PHONE = '250783456789';
const PROVIDER = 'MTN_MOMO_RWA';
const REASON = 'letter of 3 March, identity checked';

let gateway: TestGateway;
let admin: TestPerson;
let depositId: string;
let payoutId: string;
let othersId: string;
let openId: string;
let contestedId: string;
let splitPaymentId: string;
let checkoutId: string;
let booksBefore: unknown;
let answer: Readonly<Record<string, any>>;

beforeAll(async () => {
  gateway = await openTestConsole({
    simulator: { outcomeDelayMs: 50 },
    timing: { enquiryDelaysMs: [3_600_000] },
  });
  admin = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  const metadata = [{ cartId: 'C-77' }, { email: 'grace@example.com', isPII: true }];
  const request = depositRequest({
    payer: payer(PROVIDER, PHONE),
    metadata,
    customerMessage: 'Dress for Grace',
  });
  depositId = await startCompleted(gateway, 'deposit', request);
  payoutId = await startCompleted(gateway, 'payout', payoutRequest({ recipient: wallet(PROVIDER, PHONE) }));
  othersId = await startCompleted(gateway, 'deposit', depositRequest());
  gateway.simulator.addFault({ type: 'WRONG_AMOUNT', amount: '90' });
  openId = await start(gateway, 'deposit', depositRequest({ payer: payer(PROVIDER, PHONE) }));
  await waitForPayment(gateway, 'deposit', openId, 'IN_RECONCILIATION');
  await startSplit();
  await startCheckout();
  // Last: the wallet may owe from then on, and what leaves it waits.
  await startContested();
  await waitUntil(
    async () => (await select(gateway, `select 1 from callbacks where status = 'PENDING'`)).length === 0,
  );
  booksBefore = await listTrialBalance(gateway.engine.store.database);
  const order = { merchantId: gateway.merchantId, phoneNumber: PHONE, reason: REASON };
  answer = (await admin.call('POST', 'api/host/erasures', order)).body;
});
afterAll(() => gateway.stop());

/** A COMPLETED deposit that the operator took back: two people have yet to judge. */
async function startContested(): Promise<void> {
  gateway.simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' });
  contestedId = await start(gateway, 'deposit', depositRequest({ payer: payer(PROVIDER, PHONE) }));
  const cases = () => select(gateway, 'select 1 from cases where payment_id = $1', [contestedId]);
  await waitUntil(async () => (await cases()).length === 1);
}

const share = (phoneNumber: string) => ({
  payoutId: randomUUID(),
  amount: '40',
  recipient: wallet(PROVIDER, phoneNumber),
});

async function startSplit(): Promise<void> {
  splitPaymentId = randomUUID();
  const { depositId: _id, ...collected } = depositRequest({ amount: '100' });
  const split = { splitPaymentId, ...collected, splits: [share(PHONE), share(OTHER_PHONE)] };
  const { body } = await call(gateway, 'POST', '/v2/split-payments', split);
  expect(body['status']).toBe('ACCEPTED');
  await waitUntil(async () => (await readSplit())['status'] === 'COMPLETED');
}

const readSplit = async () =>
  (await call(gateway, 'GET', `/v2/split-payments/${splitPaymentId}`)).body['data'];

async function startCheckout(): Promise<void> {
  const request = checkoutRequest({
    countries: ['RWA'],
    payer: {
      type: 'MMO',
      accountDetails: { phoneNumber: PHONE, provider: PROVIDER, allowCustomerToOverride: true },
    },
  });
  checkoutId = request['checkoutId'];
  const { body } = await call(gateway, 'POST', '/v2/checkouts', request);
  expect(body).toMatchObject({ status: 'ACCEPTED' });
  expect((await attempt(gateway, { checkoutId, attemptNo: 1, phoneNumber: PHONE })).type).toBe('ACCEPTED');
  await waitUntil(async () => (await readCheckout())['status'] === 'COMPLETED');
}

const readCheckout = async () => (await call(gateway, 'GET', `/v2/checkouts/${checkoutId}`)).body['data'];

test('final payments of the number are emptied; open and contested ones are counted and left', async () => {
  expect(answer).toEqual({ erasureId: expect.any(String), erased: 4, open: 2, missingCells: [] });
  const deposit = await readDeposit(gateway, depositId);
  expect(deposit).toMatchObject({ status: 'COMPLETED', amount: '100', currency: 'RWF' });
  expect(JSON.stringify(deposit)).not.toMatch(/grace|250783456781/i);
  for (const left of [openId, contestedId]) {
    expect(JSON.stringify(await readDeposit(gateway, left))).toContain(PHONE);
  }
});

test('payments of other numbers say what they said', async () => {
  expect(JSON.stringify(await readDeposit(gateway, othersId))).toContain(OTHER_PHONE);
});

test('nothing that was written about the emptied payments names the person any more', async () => {
  const { engine, merchantId } = gateway;
  for (const key of [
    { kind: 'DEPOSIT', paymentId: depositId },
    { kind: 'PAYOUT', paymentId: payoutId },
  ] as const) {
    const file = await readPaymentFile(engine, { by: 'test', merchantId, ...key });
    expect(file?.events.length).toBeGreaterThan(2);
    expect(
      JSON.stringify(file, (_name, value) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toMatch(/grace|250783456781/i);
  }
  const bodies = await select(
    gateway,
    // The collection of the split was paid by somebody else.
    `select kind, encrypted_body is null as is_empty from callbacks
     where payment_id = any($1) and (kind, payment_id) <> ('DEPOSIT', $2) order by kind`,
    [[depositId, payoutId, splitPaymentId, checkoutId], splitPaymentId],
  );
  expect(bodies.map(({ kind, is_empty: isEmpty }) => [kind, isEmpty])).toEqual([
    ['DEPOSIT', true],
    ['PAYOUT', true],
    ['SPLIT_PAYMENT', true],
    ['CHECKOUT', true],
  ]);
  expect(JSON.stringify([await readSplit(), await readCheckout()])).not.toContain(PHONE);
  expect(JSON.stringify(await readSplit())).toContain(OTHER_PHONE);
});

test('the person is found no more by the number, nor by what else the payments said', async () => {
  const [count] = await select(
    gateway,
    'select count(*)::int as count from payment_search join payments using (payment_no) where payment_id = any($1)',
    [[depositId, payoutId]],
  );
  expect(count).toEqual({ count: 0 });
});

test('a callback that is sent again tells of the payment without the person', async () => {
  const before = gateway.receiver.received.length;
  await call(gateway, 'POST', `/v2/deposits/resend-callback/${depositId}`);
  await eventually(() => gateway.receiver.received.length).toBe(before + 1);
  const { body, text } = gateway.receiver.received.at(-1)!;
  expect(body).toMatchObject({ depositId, status: 'COMPLETED', amount: '100' });
  expect(text).not.toMatch(/grace|250783456781/i);
});

test('an emptied deposit cannot be refunded: no one is left to pay', async () => {
  const { body } = await send(gateway, 'refund', refundRequest(depositId));
  expect(body).toMatchObject({ status: 'REJECTED', failureReason: { failureCode: 'INVALID_STATE' } });
});

test('a repeated identifier is still known', async () => {
  const { body } = await send(gateway, 'deposit', depositRequest({ depositId }));
  expect(body).toMatchObject({ depositId, status: 'DUPLICATE_IGNORED' });
});

test('the books are what they were', async () => {
  expect(await listTrialBalance(gateway.engine.store.database)).toEqual(booksBefore);
});

test('who erased, and why, is in the audit log; the number is not', async () => {
  const entries = await readAuditLog(gateway.engine, { merchantId: gateway.merchantId, countMax: 100 });
  const erased = entries.filter(({ act }) => act === 'PERSONAL_DATA_ERASED');
  expect(erased).toMatchObject([
    { actor: admin.email, subject: answer['erasureId'], reason: REASON, detail: { payments: 4, open: 2 } },
  ]);
  expect(JSON.stringify(entries)).not.toContain(PHONE);
});

test('a request that finds no one is recorded as well', async () => {
  const order = { merchantId: gateway.merchantId, phoneNumber: '250783000000', reason: REASON };
  const { body } = await admin.call('POST', 'api/host/erasures', order);
  expect(body).toMatchObject({ erased: 0, open: 0 });
  const [entry] = await readAuditLog(gateway.engine, { merchantId: gateway.merchantId, countMax: 1 });
  expect(entry).toMatchObject({
    act: 'PERSONAL_DATA_ERASED',
    subject: body.erasureId,
    detail: { payments: 0 },
  });
});

const change = (what: string) =>
  select(
    gateway,
    `update payment_events set ${what} where payment_no in (select payment_no from payment_keys where payment_id = $1)`,
    [othersId],
  );

test('events can lose what names people and nothing else', async () => {
  await expect(change(`detail = 'COMPLETED'`)).rejects.toThrow(/append-only/);
  await expect(change(`encrypted_evidence = null, detail = 'x'`)).rejects.toThrow(/append-only/);
});

test('support, and people of merchants, erase no one', async () => {
  const order = { merchantId: gateway.merchantId, phoneNumber: OTHER_PHONE, reason: REASON };
  const support = await confirmed(await signedIn(gateway, 'OPERATOR_SUPPORT'));
  const owner = await confirmed(await signedIn(gateway, 'OWNER'));
  expect((await support.call('POST', 'api/host/erasures', order)).status).toBe(403);
  expect((await owner.call('POST', 'api/host/erasures', order)).status).toBe(404);
  expect(JSON.stringify(await readDeposit(gateway, othersId))).toContain(OTHER_PHONE);
});

test('A FAILED attempt of a checkout that goes on is kept and counted as open, and is erased once the checkout ended.', async () => {
  const failing = '250783456039';
  const request = checkoutRequest({
    countries: ['RWA'],
    payer: {
      type: 'MMO',
      accountDetails: { phoneNumber: failing, provider: PROVIDER, allowCustomerToOverride: true },
    },
  });
  const goingOn: string = request['checkoutId'];
  const read = async () => (await call(gateway, 'GET', `/v2/checkouts/${goingOn}`)).body['data'];
  const erase = async () => {
    const order = { merchantId: gateway.merchantId, phoneNumber: failing, reason: REASON };
    return (await admin.call('POST', 'api/host/erasures', order)).body;
  };
  await call(gateway, 'POST', '/v2/checkouts', request);
  await attempt(gateway, { checkoutId: goingOn, attemptNo: 1, phoneNumber: failing });
  const states = () => select(gateway, 'select state from payments where checkout_id = $1', [goingOn]);
  await eventually(states).toEqual([{ state: 'FAILED' }]);
  expect(await erase()).toMatchObject({ erased: 0, open: 1 });
  expect(JSON.stringify(await read())).toContain(failing);
  await attempt(gateway, { checkoutId: goingOn, attemptNo: 2, phoneNumber: OTHER_PHONE });
  await waitForCheckout(gateway, goingOn, 'COMPLETED');
  expect(await erase()).toMatchObject({ erased: 1, open: 0 });
  expect(JSON.stringify(await read())).not.toContain(failing);
});
