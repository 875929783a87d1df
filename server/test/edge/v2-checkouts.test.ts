// Checkouts of the API: opening, reading, attempts, ending. What the payer sees of them is tested with the pages.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attempt, checkoutRequest, readCheckout, waitForCheckout } from '../checkouts.ts';
import { call, eventually, initiate, openTestGateway, waitForStatus, type TestGateway } from '../gateway.ts';
import { openAccount } from './accounts.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(() => gateway.stop());

type Body = Record<string, any>;

const open = (request: Body, to: Pick<TestGateway, 'url' | 'apiToken'> = gateway) =>
  call(to, 'POST', '/v2/checkouts', request);

const read = (checkoutId: string) => readCheckout(gateway, checkoutId);

const expire = (checkoutId: string) => call(gateway, 'POST', `/v2/checkouts/${checkoutId}/expire`);

const FULL = {
  returnMethod: 'COUNTDOWN',
  defaultLanguage: 'fr',
  countries: ['RWA', 'SEN'],
  expiresAfter: 60,
  amounts: [
    { country: 'RWA', currency: 'RWF', amount: '1000' },
    { country: 'SEN', currency: 'XOF', amount: '500' },
  ],
  payer: {
    type: 'MMO',
    accountDetails: {
      phoneNumber: '250783456789',
      provider: 'MTN_MOMO_RWA',
      allowCustomerToOverride: true,
    },
  },
  clientReferenceId: 'CART-1',
  reason: { en: 'Two tickets', fr: 'Deux billets' },
  metadata: [{ orderId: 'ORD-1' }, { email: 'a@example.com', isPII: true }],
};

const minutesBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 60_000;

test('a checkout is ACCEPTED with its address, code and end', async () => {
  const request = checkoutRequest();
  const { status, body } = await open(request);
  expect(status).toBe(200);
  expect(body).toEqual({
    checkoutId: request['checkoutId'],
    status: 'ACCEPTED',
    created: expect.any(String),
    redirectUrl: `${gateway.url}/checkout/${body['checkoutCode']}`,
    expiresAt: expect.any(String),
    checkoutCode: expect.stringMatching(/^0001[0-9A-Za-z]{14}$/),
  });
  expect(minutesBetween(body['created'], body['expiresAt'])).toBe(15);
});

test('a repeat is DUPLICATE_IGNORED and told of the first one, whatever its body says', async () => {
  const request = checkoutRequest();
  const { body: first } = await open(request);
  const { body: again } = await open({ ...request, expiresAfter: 3 });
  expect(again).toEqual({ ...first, status: 'DUPLICATE_IGNORED' });
});

test('of ten requests at once one is ACCEPTED', async () => {
  const request = checkoutRequest();
  const answers = await Promise.all(Array.from({ length: 10 }, () => open(request)));
  const statuses = answers.map(({ body }) => String(body['status'])).toSorted();
  expect(statuses).toEqual(['ACCEPTED', ...Array.from({ length: 9 }, () => 'DUPLICATE_IGNORED')]);
  expect(new Set(answers.map(({ body }) => body['checkoutCode'])).size).toBe(1);
});

test('the record repeats everything that was asked for', async () => {
  const request = checkoutRequest(FULL);
  const { body } = await open(request);
  const { checkoutId: _id, metadata: _metadata, ...echoed } = request;
  expect(await read(request['checkoutId'])).toEqual({
    ...echoed,
    checkoutId: request['checkoutId'],
    status: 'WAITING_PAYMENT',
    redirectUrl: body['redirectUrl'],
    checkoutCode: body['checkoutCode'],
    created: body['created'],
    expiresAt: body['expiresAt'],
    depositsHistory: [],
    metadata: { orderId: 'ORD-1', email: 'a@example.com' },
  });
  expect(minutesBetween(body['created'], body['expiresAt'])).toBe(60);
});

test('what was left out has its default or is not there', async () => {
  const request = checkoutRequest();
  await open(request);
  const record = await read(request['checkoutId']);
  expect(record).toMatchObject({ returnMethod: 'INSTANT', expiresAfter: 15, depositsHistory: [] });
  for (const field of ['defaultLanguage', 'countries', 'amounts', 'payer', 'reason', 'deposit'])
    expect(record).not.toHaveProperty(field);
});

test('another merchant finds nothing', async () => {
  const request = checkoutRequest();
  await open(request);
  const stranger = await openAccount(gateway);
  const { body } = await call(stranger, 'GET', `/v2/checkouts/${request['checkoutId']}`);
  expect(body).toEqual({ status: 'NOT_FOUND' });
});

const told = (id: string) =>
  gateway.receiver.received.map(({ body }) => body).filter((body) => Object.values(body).includes(id));

describe('expiry by the merchant', () => {
  test('expiry by the merchant ends a checkout that waits, once, and announces it', async () => {
    const request = checkoutRequest({ clientReferenceId: 'CART-9' });
    await open(request);
    const { status, body } = await expire(request['checkoutId']);
    expect(status).toBe(200);
    expect(body).toEqual({
      checkoutId: request['checkoutId'],
      status: 'EXPIRED',
      expiredAt: expect.any(String),
      reason: 'MANUAL_EXPIRY',
      expiredBy: 'API',
    });
    expect(await read(request['checkoutId'])).toMatchObject({ status: 'EXPIRED' });
    expect((await expire(request['checkoutId'])).body).toMatchObject({
      status: 'REJECTED',
      failureReason: { failureCode: 'INVALID_STATE' },
    });
    const record = await read(request['checkoutId']);
    await eventually(() => told(request['checkoutId'])).toEqual([record]);
  });

  test('of a checkout no one knows is answered 404', async () => {
    const checkoutId = randomUUID();
    const { status, body } = await expire(checkoutId);
    expect(status).toBe(404);
    expect(body).toMatchObject({
      checkoutId,
      status: 'REJECTED',
      failureReason: { failureCode: 'NOT_FOUND' },
    });
  });
});

async function opened(changes: Body = {}): Promise<string> {
  const request = checkoutRequest(changes);
  await open(request);
  return request['checkoutId'];
}

/** In minutes, for every process and the simulator. */
const letPass = (minutes: number) => gateway.gateway.movableClock!.move(minutes * 60_000);

describe('attempts', () => {
  test('the first fails, the second succeeds: both are in the history, and three callbacks tell of it', async () => {
    const checkoutId = await opened();
    await attempt(gateway, { checkoutId, attemptNo: 1, phoneNumber: '250783456039' });
    await eventually(async () => (await read(checkoutId))['depositStatus']).toBe('FAILED');
    expect(await read(checkoutId)).toMatchObject({ status: 'WAITING_PAYMENT' });
    await attempt(gateway, { checkoutId, attemptNo: 2 });
    const record = await waitForCheckout(gateway, checkoutId, 'COMPLETED');
    expect(record['depositsHistory']).toMatchObject([
      { status: 'FAILED', failureReason: { failureCode: 'PAYMENT_NOT_APPROVED' } },
      { status: 'COMPLETED' },
    ]);
    expect(record['deposit']).toEqual(record['depositsHistory'][1]);
    expect(record['providerTransactionId']).toBe(record['deposit'].providerTransactionId);
    const [first, second] = record['depositsHistory'];
    await eventually(() => told(checkoutId).length).toBe(1);
    await eventually(() => told(first.depositId).length).toBe(1);
    await eventually(() => told(second.depositId).length).toBe(1);
    expect(told(checkoutId)).toEqual([record]);
    const alone = await call(gateway, 'GET', `/v2/deposits/${second.depositId}`);
    expect(alone.body).toEqual({ status: 'FOUND', data: second });
  });

  test('of ten at once one runs, whether they have one number or ten', async () => {
    const same = await opened();
    const sames = await Promise.all(
      Array.from({ length: 10 }, () => attempt(gateway, { checkoutId: same, attemptNo: 1 })),
    );
    expect(sames.filter(({ type }) => type === 'ACCEPTED')).toHaveLength(1);
    expect(sames.filter(({ type }) => type === 'DUPLICATE_IGNORED')).toHaveLength(9);
    const other = await opened();
    const others = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        attempt(gateway, { checkoutId: other, attemptNo: 1 + index, phoneNumber: '250783456129' }),
      ),
    );
    expect(others.filter(({ type }) => type === 'ACCEPTED')).toHaveLength(1);
    expect(others.filter(({ type }) => type === 'REJECTED')).toHaveLength(9);
    expect((await read(other))['depositsHistory']).toHaveLength(1);
  });

  test('no one ends a checkout while an attempt runs, and no one tries after it was COMPLETED', async () => {
    const checkoutId = await opened();
    await attempt(gateway, { checkoutId, attemptNo: 1, phoneNumber: '250783456129' });
    expect(await read(checkoutId)).toMatchObject({ status: 'PROCESSING' });
    expect((await expire(checkoutId)).body).toMatchObject({
      status: 'REJECTED',
      failureReason: { failureCode: 'INVALID_STATE' },
    });
    const paid = await opened();
    await attempt(gateway, { checkoutId: paid, attemptNo: 1 });
    await waitForCheckout(gateway, paid, 'COMPLETED');
    expect(await attempt(gateway, { checkoutId: paid, attemptNo: 2 })).toMatchObject({ type: 'REJECTED' });
  });

  test('when time is over a checkout that waits is EXPIRED, and the callback says so', async () => {
    const checkoutId = await opened({ expiresAfter: 3 });
    await letPass(4);
    const record = await waitForCheckout(gateway, checkoutId, 'EXPIRED');
    await eventually(() => told(checkoutId)).toEqual([record]);
    expect(await attempt(gateway, { checkoutId, attemptNo: 1 })).toMatchObject({ type: 'REJECTED' });
  });

  test.each([
    ['succeeds', 'SUCCESS', 'COMPLETED'],
    ['fails', 'DECLINED', 'FAILED'],
  ])('an attempt that runs when time is over may finish: it %s', async (_, decision, status) => {
    const checkoutId = await opened({ expiresAfter: 3 });
    gateway.simulator.changeSettings({ prompts: 'MANUAL' });
    try {
      await attempt(gateway, { checkoutId, attemptNo: 1, phoneNumber: '250783456701' });
      const findPrompt = async () => {
        const { body: prompts } = await call(gateway, 'GET', '/sandbox/prompts');
        return (prompts as unknown as Body[]).find(({ phoneNumber }) => phoneNumber === '250783456701');
      };
      // The operator must have it before time moves: what it never got ends as FAILED.
      await eventually(findPrompt).toBeDefined();
      await letPass(4);
      // The loop that ends checkouts looks once a second.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(await read(checkoutId)).toMatchObject({ status: 'PROCESSING' });
      const answer = { decision: decision === 'SUCCESS' ? 'APPROVE' : 'DECLINE' };
      await call(gateway, 'POST', `/sandbox/prompts/${(await findPrompt())!['promptId']}`, answer);
    } finally {
      gateway.simulator.changeSettings({ prompts: 'AUTO' });
    }
    const record = await waitForCheckout(gateway, checkoutId, status);
    await eventually(() => told(checkoutId)).toEqual([record]);
  });

  test('an attempt that a build without checkouts ended is found, and ends the checkout', async () => {
    const checkoutId = await opened({ expiresAfter: 3 });
    await attempt(gateway, { checkoutId, attemptNo: 1, phoneNumber: '250783456039' });
    await eventually(async () => (await read(checkoutId))['depositStatus']).toBe('FAILED');
    await gateway.engine.store.database.query(
      `update checkouts set status = 'PROCESSING' where checkout_id = $1`,
      [checkoutId],
    );
    await letPass(4);
    await waitForCheckout(gateway, checkoutId, 'FAILED');
  });

  test('the database itself refuses a second attempt beside one that runs, and to reopen what has ended', async () => {
    const checkoutId = await opened();
    await attempt(gateway, { checkoutId, attemptNo: 1 });
    await waitForCheckout(gateway, checkoutId, 'COMPLETED');
    const { database } = gateway.engine.store;
    await expect(
      database.query(`update checkouts set status = 'WAITING_PAYMENT' where checkout_id = $1`, [checkoutId]),
    ).rejects.toThrow(/final/);
    const depositId = await initiate(gateway);
    await waitForStatus(gateway, depositId, 'COMPLETED');
    await expect(
      database.query('update payments set checkout_id = $1 where payment_id = $2', [checkoutId, depositId]),
    ).rejects.toThrow(/payments_one_attempt_of_checkout/);
  });
});

test.each<[string, Body]>([
  ['INVALID_PHONE_NUMBER', { payer: wallet({ phoneNumber: '250' }) }],
  ['INVALID_PHONE_NUMBER', { countries: ['ZMB'], payer: wallet({ phoneNumber: '250783456789' }) }],
  ['INVALID_COUNTRY', { countries: ['ZMB'], payer: wallet({ provider: 'MTN_MOMO_RWA' }) }],
  ['INVALID_CURRENCY', { amounts: [{ country: 'RWA', currency: 'USD', amount: '1' }] }],
  ['INVALID_AMOUNT', { amounts: [{ country: 'RWA', currency: 'RWF', amount: '1.5' }] }],
  ['AMOUNT_OUT_OF_BOUNDS', { amounts: [{ country: 'RWA', currency: 'RWF', amount: '0' }] }],
])('%s is REJECTED, and the identifier stays free', async (code, changes) => {
  const request = checkoutRequest(changes);
  const { status, body } = await open(request);
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'REJECTED', failureReason: { failureCode: code } });
  const again = await open(checkoutRequest({ checkoutId: request['checkoutId'] }));
  expect(again.body).toMatchObject({ status: 'ACCEPTED' });
});

test('a provider that is not active on the account is INVALID_PROVIDER', async () => {
  const account = await openAccount(gateway, { providers: ['MTN_MOMO_RWA'] });
  const { body } = await open(checkoutRequest({ payer: wallet({ provider: 'AIRTEL_RWA' }) }), account);
  expect(body).toMatchObject({ status: 'REJECTED', failureReason: { failureCode: 'INVALID_PROVIDER' } });
});

test.each<[string, Body]>([
  ['returnUrl', { returnUrl: 'ftp://shop.example' }],
  ['returnMethod', { returnMethod: 'LATER' }],
  ['defaultLanguage', { defaultLanguage: 'EN' }],
  ['countries[1]', { countries: ['RWA', 'XXX'] }],
  ['expiresAfter', { expiresAfter: 2 }],
  ['expiresAfter', { expiresAfter: 61 }],
  ['expiresAfter', { expiresAfter: '15' }],
  [
    'amounts[0].country',
    { countries: ['RWA'], amounts: [{ country: 'SEN', currency: 'XOF', amount: '500' }] },
  ],
  [
    'amounts[1].country',
    {
      amounts: [
        { country: 'RWA', currency: 'RWF', amount: '1' },
        { country: 'RWA', currency: 'RWF', amount: '2' },
      ],
    },
  ],
  ['payer.accountDetails.provider', { payer: wallet({ provider: 'NO_ONE' }) }],
  ['reason.en', { reason: { en: 'abc' } }],
])('%s that does not fit is 400 INVALID_PARAMETER', async (parameter, changes) => {
  const { status, body } = await open(checkoutRequest(changes));
  expect(status).toBe(400);
  expect(body['failureReason'].failureCode).toBe('INVALID_PARAMETER');
  expect(body['failureReason'].failureMessage).toContain(`'${parameter}'`);
});

function wallet(details: Body) {
  return { type: 'MMO', accountDetails: { ...details, allowCustomerToOverride: false } };
}
