// The outcome of a deposit: status checks and callbacks. Rows of api.md "Deposit (API v2)", "Endpoints"
// (deposit rows, rule 2) and "Events"; of completions.md 1.5, 3.4, section 9 and section 12.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGateway } from '../../src/commands/serve/compose.ts';
import { changeAvailability } from '../../src/core/merchants/administer-merchants.ts';
import {
  call,
  depositRequest,
  eventually,
  initiate,
  openTestGateway,
  payer,
  readDeposit,
  select,
  waitForStatus,
  type TestGateway,
} from '../gateway.ts';
import { waitForOperators } from '../payments.ts';
import { openAccount, openToken, type Account } from './accounts.ts';
import { told } from './answers.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(() => gateway.stop());

const callbacksOf = (depositId: string) =>
  gateway.receiver.received.map(({ body }) => body).filter((body) => body['depositId'] === depositId);

/** Callbacks are written in the transaction of the state they announce, so none can still be on its way. */
async function expectNoCallback(depositId: string): Promise<void> {
  expect(await select(gateway, 'select 1 from callbacks where payment_id = $1', [depositId])).toEqual([]);
}

/** Sandbox numbers that fail, or never end. */
const NOT_APPROVED = payer('MTN_MOMO_RWA', '250783456039');
const STUCK = payer('MTN_MOMO_RWA', '250783456129');

const request = {
  amount: '150',
  customerMessage: 'Order 123456',
  clientReferenceId: 'INV-123456',
  metadata: [{ orderId: 'ORD-1' }, { email: 'a@example.com', isPII: true }],
};

describe('the record, inside data of a status check and in callbacks', () => {
  test('COMPLETED: exactly the fields of the specification', async () => {
    const depositId = await initiate(gateway, request);
    const record = await waitForStatus(gateway, depositId, 'COMPLETED');
    expect(record).toEqual({
      depositId,
      status: 'COMPLETED',
      amount: '150',
      currency: 'RWF',
      country: 'RWA',
      payer: payer('MTN_MOMO_RWA', '250783456789'),
      customerMessage: 'Order 123456',
      clientReferenceId: 'INV-123456',
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      providerTransactionId: expect.stringMatching(/./),
      metadata: { orderId: 'ORD-1', email: 'a@example.com' },
    });
    await eventually(() => callbacksOf(depositId)).toEqual([record]);
  });

  test('FAILED: the same fields with failureReason; no funds were deposited', async () => {
    const depositId = await initiate(gateway, { ...request, payer: NOT_APPROVED });
    const record = await waitForStatus(gateway, depositId, 'FAILED');
    const { failureReason, ...others } = record;
    expect(failureReason).toEqual({
      failureCode: 'PAYMENT_NOT_APPROVED',
      failureMessage: 'The customer did not approve the payment.',
    });
    expect(others).toMatchObject({
      depositId,
      amount: '150',
      payer: NOT_APPROVED,
      metadata: { orderId: 'ORD-1' },
    });
    await eventually(() => callbacksOf(depositId)).toEqual([record]);
    expect(
      await select(
        gateway,
        'select 1 from transfers where subject_id in (select payment_no from payment_keys where payment_id = $1)',
        [depositId],
      ),
    ).toEqual([]);
  });

  test('absent fields are left out, never null', async () => {
    const depositId = await initiate(gateway);
    const record = await waitForStatus(gateway, depositId, 'COMPLETED');
    const { providerTransactionId: _, ...always } = record;
    expect(Object.keys(always).toSorted().join(' ')).toBe(
      'amount country created currency customerMessage depositId payer status',
    );
  });

  test('created is the time of the initiation, in every answer', async () => {
    const body = depositRequest();
    const { created } = (await call(gateway, 'POST', '/v2/deposits', body)).body;
    expect(await waitForStatus(gateway, body['depositId'], 'COMPLETED')).toMatchObject({ created });
  });
});

describe('status: ACCEPTED, PROCESSING, IN_RECONCILIATION, COMPLETED, FAILED', () => {
  test('PROCESSING: a number that never ends stays so, and no callback is sent', async () => {
    const depositId = await initiate(gateway, { payer: STUCK });
    const record = await waitForStatus(gateway, depositId, 'PROCESSING');
    expect(record).not.toHaveProperty('failureReason');
    await expectNoCallback(depositId);
  });

  test('IN_RECONCILIATION: a success with another amount completes nothing, and no callback is sent', async () => {
    gateway.simulator.addFault({ type: 'WRONG_AMOUNT', amount: '151', phoneNumber: '250783456000' });
    const depositId = await initiate(gateway, {
      amount: '150',
      payer: payer('MTN_MOMO_RWA', '250783456000'),
    });
    await waitForStatus(gateway, depositId, 'IN_RECONCILIATION');
    await expectNoCallback(depositId);
  });

  test('IN_RECONCILIATION: a deposit whose provider gave no final answer in its time', async () => {
    const depositId = await initiate(gateway, { payer: STUCK });
    await waitForOperators(gateway, [depositId]);
    await gateway.gateway.movableClock!.move(60 * 60_000);
    await waitForStatus(gateway, depositId, 'IN_RECONCILIATION');
  });

  test('ACCEPTED until it is sent; accepted deposits go on when the provider turns CLOSED', async () => {
    const api = await openTestGateway({ role: 'api' });
    try {
      const depositId = await initiate(api);
      expect(await readDeposit(api, depositId)).toMatchObject({ status: 'ACCEPTED' });
      await changeAvailability(api.engine, {
        by: 'test',
        provider: 'MTN_MOMO_RWA',
        operation: 'DEPOSIT',
        status: 'CLOSED',
      });
      const worker = await openGateway({ ...api.config, operatorsUrl: api.url }, { role: 'worker' });
      await worker.start();
      try {
        await waitForStatus(api, depositId, 'COMPLETED');
      } finally {
        await worker.stop();
      }
    } finally {
      await api.stop();
    }
  });
});

describe('callbacks', () => {
  test('without a configured callback URL none is sent and the payment still ends', async () => {
    const silent = await openAccount(gateway);
    const body = depositRequest();
    expect(told(await call(silent, 'POST', '/v2/deposits', body))).toBe('200 ACCEPTED');
    const path = `/v2/deposits/${body['depositId']}`;
    await eventually(async () => (await call(silent, 'GET', path)).body['data'].status).toBe('COMPLETED');
    await expectNoCallback(body['depositId']);
  });

  test('carry the identifier and the amount as the merchant wrote them', async () => {
    const depositId = randomUUID().toUpperCase();
    const payerInZambia = payer('MTN_MOMO_ZMB', '260763456789');
    await initiate(gateway, { depositId, amount: '15.50', currency: 'ZMW', payer: payerInZambia });
    await eventually(() => callbacksOf(depositId)).toEqual([
      expect.objectContaining({ depositId, amount: '15.50', status: 'COMPLETED' }),
    ]);
  });
});

describe('idempotency', () => {
  test.each([
    ['COMPLETED', payer('MTN_MOMO_RWA', '250783456789')],
    ['FAILED', NOT_APPROVED],
  ])('a %s identifier cannot be reused: DUPLICATE_IGNORED', async (status, wanted) => {
    const depositId = await initiate(gateway, { payer: wanted });
    const record = await waitForStatus(gateway, depositId, status);
    const again = await call(gateway, 'POST', '/v2/deposits', depositRequest({ depositId }));
    expect(again.body).toEqual({ depositId, status: 'DUPLICATE_IGNORED', created: record['created'] });
    expect(await readDeposit(gateway, depositId)).toEqual(record);
  });
});

describe('GET /v2/deposits/{depositId}', () => {
  let account: Account;
  beforeAll(async () => {
    account = await openAccount(gateway);
  });

  test('FOUND with the payment in data, and nothing else', async () => {
    const depositId = await initiate(gateway);
    const { status, body } = await call(gateway, 'GET', `/v2/deposits/${depositId}`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['status', 'data']);
    expect(body).toMatchObject({ status: 'FOUND', data: { depositId } });
  });

  test('200 NOT_FOUND without data when no payment has that identifier', async () => {
    const answer = await call(gateway, 'GET', `/v2/deposits/${randomUUID()}`);
    expect(answer).toEqual({ status: 200, body: { status: 'NOT_FOUND' } });
  });

  test("another merchant's deposit is NOT_FOUND", async () => {
    const depositId = await initiate(gateway);
    const answer = await call(account, 'GET', `/v2/deposits/${depositId}`);
    expect(answer).toEqual({ status: 200, body: { status: 'NOT_FOUND' } });
  });

  test('a rejected deposit is NOT_FOUND', async () => {
    const body = depositRequest({ amount: '0' });
    await call(gateway, 'POST', '/v2/deposits', body);
    expect(told(await call(gateway, 'GET', `/v2/deposits/${body['depositId']}`))).toBe('200 NOT_FOUND');
  });

  test('identifiers compare without case, and the record has the one of the initiation', async () => {
    const depositId = await initiate(gateway, { depositId: randomUUID().toUpperCase() });
    expect(await readDeposit(gateway, depositId.toLowerCase())).toMatchObject({ depositId });
  });

  test.each([
    ['one character', 'x'],
    ['no character', ''],
    ['35 characters', randomUUID().slice(1)],
    ['37 characters', `${randomUUID()}0`],
    ['36 characters that are no UUID', 'x'.repeat(36)],
    ['5,000 characters', 'x'.repeat(5_000)],
    ['a zero byte', '%00'],
    ['a way up', '..%2f'],
  ])('a malformed identifier is 400 INVALID_PARAMETER: %s', async (_, depositId) => {
    const answer = await call(gateway, 'GET', `/v2/deposits/${depositId}`);
    expect(told(answer)).toBe('400 REJECTED INVALID_PARAMETER depositId');
    expect(Object.keys(answer.body).toSorted()).toEqual(['failureReason', 'status']);
  });

  test('a GET that carries Content-Type application/json is answered as any other', async () => {
    const headers = { 'content-type': 'application/json' };
    expect(told(await call(gateway, 'GET', `/v2/deposits/${randomUUID()}`, undefined, headers))).toBe(
      '200 NOT_FOUND',
    );
  });

  test.each([
    [401, 'AUTHENTICATION_ERROR', async () => ({ ...account, apiToken: 'secret' })],
    [
      403,
      'AUTHORISATION_ERROR',
      () => openToken(gateway, account.merchantId, { scopes: ['deposits:write'] }),
    ],
  ])('the %i body is { status: REJECTED, failureReason }', async (status, failureCode, open) => {
    expect(await call(await open(), 'GET', `/v2/deposits/${randomUUID()}`)).toEqual({
      status,
      body: { status: 'REJECTED', failureReason: { failureCode, failureMessage: expect.any(String) } },
    });
  });

  test('token and scope are looked at before the identifier', async () => {
    expect(told(await call({ ...account, apiToken: 'secret' }, 'GET', '/v2/deposits/x'))).toBe(
      '401 REJECTED AUTHENTICATION_ERROR',
    );
  });
});
