// Split payments: one collection shared out to several recipients.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listTrialBalance, listUnbalancedWallets } from '../../src/store/ledger/ledger.ts';
import { setFee } from '../../src/store/merchants/merchants.ts';
import { call, eventually, openTestGateway, payer, select, waitUntil, type TestGateway } from '../gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ timing: { enquiryDelaysMs: [200] } });
});
afterAll(() => gateway.stop());

const PAYER = payer('MTN_MOMO_RWA', '250783456789');
const DECLINES = payer('MTN_MOMO_RWA', '250783456039');
const NO_WALLET = payer('MTN_MOMO_RWA', '250783456089');

function split(changes: Record<string, unknown> = {}): Record<string, any> {
  return {
    splitPaymentId: randomUUID(),
    amount: '1000',
    currency: 'RWF',
    payer: PAYER,
    splits: [
      { payoutId: randomUUID(), amount: '600', recipient: payer('MTN_MOMO_RWA', '250783000001') },
      { payoutId: randomUUID(), amount: '300', recipient: payer('AIRTEL_RWA', '250733000002') },
    ],
    ...changes,
  };
}

async function send(request: Record<string, any>) {
  return call(gateway, 'POST', '/v2/split-payments', request);
}

async function read(id: string): Promise<Record<string, any>> {
  return (await call(gateway, 'GET', `/v2/split-payments/${id}`)).body;
}

async function waitFor(id: string, status: string): Promise<Record<string, any>> {
  await waitUntil(async () => (await read(id))['data'].status === status);
  return (await read(id))['data'];
}

function callbacksAbout(id: string): Record<string, unknown>[] {
  return gateway.receiver.received
    .map(({ body }) => body)
    .filter((body) => Object.values(body).includes(id) && !('depositId' in body && id !== body['depositId']));
}

async function expectBooksInOrder(): Promise<void> {
  const totals = new Map<string, bigint>();
  for (const { currency, balance } of await listTrialBalance(gateway.engine.store.database)) {
    totals.set(currency, (totals.get(currency) ?? 0n) + balance);
  }
  expect([...totals.values()].filter((total) => total !== 0n)).toEqual([]);
  expect(await listUnbalancedWallets(gateway.engine.store.database)).toEqual([]);
}

describe('a split payment', () => {
  test('a split payment collects, pays every share, keeps the rest, and is announced once, as are its deposit and payouts', async () => {
    const request = split();
    const answer = await send(request);
    expect(answer.body).toMatchObject({
      splitPaymentId: request['splitPaymentId'],
      status: 'ACCEPTED',
      nextStep: 'FINAL_STATUS',
    });
    const record = await waitFor(request['splitPaymentId'], 'COMPLETED');
    expect(record).toMatchObject({ amount: '1000', currency: 'RWF', country: 'RWA', payer: PAYER });
    expect(record['splits'].map((part: any) => [part.payoutId, part.status, part.amount])).toEqual(
      request['splits'].map((part: any) => [part.payoutId, 'COMPLETED', part.amount]),
    );
    const deposit = await call(gateway, 'GET', `/v2/deposits/${request['splitPaymentId']}`);
    expect(deposit.body['data']).toMatchObject({ status: 'COMPLETED', amount: '1000' });
    const announced = () =>
      gateway.receiver.received.filter(({ text }) => text.includes(request['splitPaymentId']));
    await eventually(() => announced().length).toBe(2);
    const own = announced().find(({ body }) => 'splitPaymentId' in body);
    expect(own!.body).toEqual(record);
    for (const { payoutId } of request['splits']) {
      await eventually(
        () => gateway.receiver.received.filter(({ body }) => body['payoutId'] === payoutId).length,
      ).toBe(1);
    }
    await expectBooksInOrder();
  });

  test('a split payment whose collection fails is FAILED with its reason, and no payout begins', async () => {
    const request = split({ payer: DECLINES });
    await send(request);
    const record = await waitFor(request['splitPaymentId'], 'FAILED');
    expect(record['failureReason'].failureCode).toBe('PAYMENT_NOT_APPROVED');
    expect(record['splits'].map((part: any) => part.status)).toEqual(['FAILED', 'FAILED']);
    const payouts = await select(
      gateway,
      `select 1 from payments where kind = 'PAYOUT' and split_payment_id = $1`,
      [request['splitPaymentId']],
    );
    expect(payouts).toEqual([]);
    await eventually(() =>
      callbacksAbout(request['splitPaymentId']).some((body) => 'splitPaymentId' in body),
    ).toBe(true);
  });

  test('with a payout that fails is PAYOUT_FAILED; the others are unaffected and the share is back in the wallet', async () => {
    const [first, second] = split()['splits'];
    const request = split({ splits: [first, { ...second, recipient: NO_WALLET }] });
    await send(request);
    const record = await waitFor(request['splitPaymentId'], 'PAYOUT_FAILED');
    expect(record['splits'].map((part: any) => part.status)).toEqual(['COMPLETED', 'FAILED']);
    const held = await select(gateway, 'select sum(held)::text as held from wallets');
    expect(held).toEqual([{ held: '0.0000' }]);
    await expectBooksInOrder();
  });

  test('a split payment holds every share in the transaction that completes the collection', async () => {
    gateway.simulator.addFault({ type: 'HANG', step: 'submit', operation: 'PAYOUT', times: 2 });
    const request = split();
    await send(request);
    await waitUntil(
      async () =>
        (await call(gateway, 'GET', `/v2/deposits/${request['splitPaymentId']}`)).body['data'].status ===
        'COMPLETED',
    );
    const held = await select(
      gateway,
      `select sum(amount)::text as held from transfers where state = 'PENDING'`,
    );
    expect(held).toEqual([{ held: '900.0000' }]);
    await waitUntil(() => gateway.simulator.hanging().length === 2);
    gateway.simulator.release();
    await waitFor(request['splitPaymentId'], 'COMPLETED');
  });
});

describe('rejections', () => {
  test('PAYOUT_EXCEEDS_DEPOSIT: splits come to more than the amount', async () => {
    expect((await send(split({ amount: '899' }))).body).toMatchObject({
      status: 'REJECTED',
      failureReason: { failureCode: 'PAYOUT_EXCEEDS_DEPOSIT' },
    });
    expect((await send(split({ amount: '900' }))).body['status']).toBe('ACCEPTED');
  });

  test('PAYOUT_EXCEEDS_DEPOSIT: fees count', async () => {
    const { merchantId } = gateway;
    const fee = { basisPoints: 0, fixed: 10_000n };
    await setFee(gateway.engine.store.database, {
      merchantId,
      provider: 'AIRTEL_RWA',
      operation: 'PAYOUT',
      currency: 'RWF',
      fee,
    });
    expect((await send(split({ amount: '900' }))).body['failureReason'].failureCode).toBe(
      'PAYOUT_EXCEEDS_DEPOSIT',
    );
    expect((await send(split({ amount: '901' }))).body['status']).toBe('ACCEPTED');
  });

  test('INVALID_CURRENCY: a recipient whose provider does not take the currency', async () => {
    const recipient = payer('MTN_MOMO_ZMB', '260763456789');
    const answer = await send(split({ splits: [{ payoutId: randomUUID(), amount: '1', recipient }] }));
    expect(answer.body['failureReason'].failureCode).toBe('INVALID_CURRENCY');
  });

  test('DUPLICATE_IDENTIFIER: a payoutId that was used before leaves every identifier of the request free', async () => {
    const used = randomUUID();
    const first = split({ splits: [{ payoutId: used, amount: '100', recipient: PAYER }] });
    expect((await send(first)).body['status']).toBe('ACCEPTED');
    const second = split();
    const clash = {
      ...second,
      splits: [...second['splits'], { payoutId: used, amount: '50', recipient: PAYER }],
    };
    expect((await send(clash)).body['failureReason'].failureCode).toBe('DUPLICATE_IDENTIFIER');
    expect((await send(second)).body['status']).toBe('ACCEPTED');
  });

  test('DUPLICATE_IDENTIFIER: one payoutId twice in a request', async () => {
    const { splits } = split();
    const repeated = [splits[0], { ...splits[1], payoutId: splits[0].payoutId.toUpperCase() }];
    expect((await send(split({ splits: repeated }))).body['failureReason'].failureCode).toBe(
      'DUPLICATE_IDENTIFIER',
    );
  });

  test.each([
    ['splits missing', { splits: undefined }, 'MISSING_PARAMETER', "'splits'"],
    ['no split', { splits: [] }, 'INVALID_PARAMETER', "'splits'"],
    [
      'an unknown field in a split',
      { splits: [{ payoutId: randomUUID(), amount: '1', recipient: PAYER, x: 1 }] },
      'UNSUPPORTED_PARAMETER',
      "'splits[0].x'",
    ],
    [
      'a provider no one has',
      { splits: [{ payoutId: randomUUID(), amount: '1', recipient: payer('NO_ONE', '1') }] },
      'INVALID_PARAMETER',
      "'splits[0].recipient.accountDetails.provider'",
    ],
    [
      'an amount that is a number',
      { splits: [{ payoutId: randomUUID(), amount: 1, recipient: PAYER }] },
      'INVALID_PARAMETER',
      "'splits[0].amount'",
    ],
  ])('%s is 400', async (_name, changes, code, quoted) => {
    const answer = await send(split(changes));
    expect(answer.status).toBe(400);
    expect(answer.body['failureReason'].failureCode).toBe(code);
    expect(answer.body['failureReason'].failureMessage).toContain(quoted);
  });
});

test('20 simultaneous requests with one splitPaymentId: one ACCEPTED, the others DUPLICATE_IGNORED, one collection', async () => {
  const request = split();
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(request)));
  const statuses = answers.map(({ body }) => body['status']);
  expect(statuses.filter((status) => status === 'ACCEPTED')).toHaveLength(1);
  expect(statuses.filter((status) => status === 'DUPLICATE_IGNORED')).toHaveLength(19);
  await waitFor(request['splitPaymentId'], 'COMPLETED');
});

test('an unknown splitPaymentId is NOT_FOUND', async () => {
  expect(await read(randomUUID())).toEqual({ status: 'NOT_FOUND' });
});

test('a refused split waits for a twin that is being committed, and is then DUPLICATE_IGNORED', async () => {
  const request = split();
  const twin = new Client({ connectionString: gateway.databaseUrl });
  await twin.connect();
  await twin.query('begin');
  await twin.query(
    `insert into payment_keys (merchant_id, kind, payment_id, created_at, payment_no, fingerprint)
     values ($1, 'SPLIT_PAYMENT', $2, now(), gen_random_uuid(), '')`,
    [gateway.merchantId, request['splitPaymentId']],
  );
  const refused = send({ ...request, amount: '1' });
  const waiting = `select 1 from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database()`;
  await eventually(async () => (await select(gateway, waiting)).length).toBe(1);
  await twin.query('commit');
  await twin.end();
  expect((await refused).body['status']).toBe('DUPLICATE_IGNORED');
});
