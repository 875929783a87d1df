// The event feed, an addition to the specification: what is in it, cursors, and who may see personal data.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/core/merchants/administer-merchants.ts';
import { pruneEvents } from '../../src/store/events/merchant-events.ts';
import { beginRecovery, endRecovery } from '../../src/core/recovery/recover.ts';
import { maskPhoneNumber } from '../../src/domain/masking.ts';
import { parseSigned } from '../../src/domain/money.ts';
import { listWallets } from '../../src/store/ledger/ledger.ts';
import { checkoutRequest } from '../checkouts.ts';
import {
  call,
  depositRequest,
  openTestGateway,
  payer,
  select,
  waitUntil,
  type Answer,
  type TestGateway,
} from '../gateway.ts';
import { readPayment, start, startCompleted, topUp, waitForPayment } from '../payments.ts';
import { payoutRequest, refundRequest, remittanceRequest, type Body } from '../requests.ts';
import { ask, statementRequest, waitForStatement } from '../statement-files.ts';
import { openAccount, openToken, type Account } from './accounts.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(() => gateway.stop());

const KINDS = ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'] as const;

const openShop = () => openAccount(gateway, { operations: KINDS });

type Caller = Pick<Account, 'url' | 'apiToken'>;

const readPage = (caller: Caller, query: Record<string, string> = {}): Promise<Answer> =>
  call(caller, 'GET', `/v2/events?${new URLSearchParams(query).toString()}`);

/** Everything that is numbered now, in pages of so many. */
async function readAll(caller: Caller, limit = '100'): Promise<Body[]> {
  const events: Body[] = [];
  for (let after: string | undefined; ;) {
    const { status, body } = await readPage(caller, { limit, ...(after === undefined ? {} : { after }) });
    expect(status).toBe(200);
    events.push(...body['data']);
    if (!body['hasMore']) return events;
    after = body['next'];
  }
}

/** Once everything that waits has its number. */
async function settled(caller: Caller): Promise<Body[]> {
  await waitUntil(async () => (await select(gateway, 'select 1 from event_queue')).length === 0);
  return readAll(caller);
}

const PAYER = payer('MTN_MOMO_RWA', '250783456789');
const DECLINES = payer('MTN_MOMO_RWA', '250783456039');
const NO_WALLET = payer('MTN_MOMO_RWA', '250783456089');

const told = ({ type, kind, status, movement }: Body) =>
  [type, kind, status ?? movement.amount, movement?.type].filter((one) => one !== undefined).join(' ');

describe('what is in the feed', () => {
  test('every status and every movement is there once, numbered without gaps, and movements add up to the wallet', async () => {
    const shop = await openShop();
    await topUp(gateway, shop.merchantId, '10000');
    const depositId = await startCompleted(shop, 'deposit', depositRequest({ clientReferenceId: 'INV-1' }));
    await startCompleted(shop, 'payout', payoutRequest());
    await startCompleted(shop, 'refund', refundRequest(depositId));
    await startCompleted(shop, 'remittance', remittanceRequest());
    const declined = depositRequest({ payer: DECLINES });
    await waitForPayment(shop, 'deposit', await start(shop, 'deposit', declined), 'FAILED');
    const events = await settled(shop);
    expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length);
    expect(events.slice(0, 5).map(told)).toEqual([
      'MOVEMENT 10000 TOP_UP',
      'STATUS DEPOSIT ACCEPTED',
      'STATUS DEPOSIT PROCESSING',
      'STATUS DEPOSIT COMPLETED',
      'MOVEMENT DEPOSIT 100 DEPOSIT',
    ]);
    expect(events.slice(-3).map(told)).toEqual([
      'STATUS DEPOSIT ACCEPTED',
      'STATUS DEPOSIT PROCESSING',
      'STATUS DEPOSIT FAILED',
    ]);
    for (const kind of KINDS) {
      const own = events.filter((event) => event['kind'] === kind && event['type'] === 'STATUS');
      expect(own.map(({ status }) => status).slice(0, 3)).toEqual(['ACCEPTED', 'PROCESSING', 'COMPLETED']);
    }
    const moved = events.filter(({ type }) => type === 'MOVEMENT').map(({ movement }) => movement.amount);
    const [wallet] = await listWallets(gateway.engine.store.database, shop.merchantId);
    expect(moved.reduce((sum, amount) => sum + parseSigned(amount), 0n)).toBe(wallet?.posted);
    expect(moved).toHaveLength(5);
  });

  test('an event has the record as it was then, and the last one that of the status check', async () => {
    const shop = await openShop();
    const id = await startCompleted(shop, 'deposit', depositRequest({ clientReferenceId: 'INV-2' }));
    const events = (await settled(shop)).filter(({ type }) => type === 'STATUS');
    const record = await readPayment(shop, 'deposit', id);
    expect(events.map(({ deposit }) => deposit.status)).toEqual(['ACCEPTED', 'PROCESSING', 'COMPLETED']);
    expect(events.map(({ deposit }) => 'providerTransactionId' in deposit)).toEqual([false, false, true]);
    expect(events.at(-1)).toMatchObject({ kind: 'DEPOSIT', id, deposit: record });
  });

  test('checkouts and statements are there with their ends', async () => {
    const { checkoutId, ...rest } = checkoutRequest();
    await call(gateway, 'POST', '/v2/checkouts', { checkoutId, ...rest });
    await call(gateway, 'POST', `/v2/checkouts/${checkoutId}/expire`);
    await topUp(gateway, gateway.merchantId, '100');
    const over = statementRequest({ endDate: new Date(Date.now() - 60_000).toISOString() });
    const statementId = await ask(gateway, over);
    await waitForStatement(gateway, statementId);
    const events = await settled(gateway);
    const end = (id: string) => events.filter((event) => event['id'] === id).map(told);
    expect(end(statementId)).toEqual(['STATUS STATEMENT COMPLETED']);
    expect(end(checkoutId)).toEqual(['STATUS CHECKOUT EXPIRED']);
  });
});

describe.each([
  ['COMPLETED', PAYER, PAYER],
  ['PAYOUT_FAILED', PAYER, NO_WALLET],
  ['FAILED', DECLINES, PAYER],
])('a split payment that ends as %s', (status, from, to) => {
  test('a split payment has its end in the feed, as in its status check', async () => {
    const id = randomUUID();
    const splits = [{ payoutId: randomUUID(), amount: '600', recipient: to }];
    const request = { splitPaymentId: id, amount: '1000', currency: 'RWF', payer: from, splits };
    await call(gateway, 'POST', '/v2/split-payments', request);
    const read = () => call(gateway, 'GET', `/v2/split-payments/${id}`);
    await waitUntil(async () => (await read()).body['data'].status === status);
    const events = await settled(gateway);
    const own = events.filter(({ kind, id: about }) => kind === 'SPLIT_PAYMENT' && about === id);
    expect(own.map(told)).toEqual([`STATUS SPLIT_PAYMENT ${status}`]);
  });
});

describe('pages', () => {
  test('pages of one have the same events as one page of all, each time', async () => {
    const shop = await openShop();
    await startCompleted(shop, 'deposit', depositRequest());
    await startCompleted(shop, 'deposit', depositRequest());
    const events = await settled(shop);
    expect(events).toHaveLength(8);
    expect(await readAll(shop, '1')).toEqual(events);
    expect(await readAll(shop, '3')).toEqual(events);
  });

  test('a merchant has only its own events, and a cursor of a feed without events is good later', async () => {
    const shop = await openShop();
    const { body } = await readPage(shop);
    expect(body).toEqual({ data: [], next: expect.any(String), hasMore: false });
    await startCompleted(shop, 'deposit', depositRequest());
    const events = await settled(shop);
    expect((await readPage(shop, { after: body['next'] })).body['data']).toEqual(events);
    const { body: latest } = await readPage(shop, { after: 'latest' });
    expect(latest['data']).toEqual([]);
  });

  test.each([
    { after: 'nonsense' },
    { after: Buffer.from('["EVENTS","none","-1"]').toString('base64url') },
    { limit: '101' },
    { limit: '0' },
    { wait: '26' },
    { cursor: 'x' },
  ])('%j is refused', async (query) => {
    const { status, body } = await readPage(gateway, query);
    expect([status, body['status']]).toEqual([400, 'REJECTED']);
  });

  test('API v1 has no feed', async () => {
    for (const path of ['/events', '/v1/events'])
      expect((await call(gateway, 'GET', path)).status).not.toBe(200);
  });
});

async function phoneNumbersSeen(caller: Caller): Promise<string[]> {
  const statuses = (await readAll(caller)).filter(({ type }) => type === 'STATUS');
  return statuses.map(({ deposit }) => deposit.payer.accountDetails.phoneNumber);
}

describe('who may read', () => {
  test('the feed needs its scope, and shows personal data only with the scope for that', async () => {
    const shop = await openShop();
    await startCompleted(shop, 'deposit', depositRequest());
    await settled(shop);
    const without = await openToken(gateway, shop.merchantId, {
      scopes: SCOPES.filter((scope) => scope !== 'events:read'),
    });
    const { status, body } = await readPage(without);
    expect([status, body['failureReason'].failureCode]).toEqual([403, 'AUTHORISATION_ERROR']);
    const plain = await openToken(gateway, shop.merchantId, { scopes: ['events:read'] });
    expect(new Set(await phoneNumbersSeen(shop))).toEqual(new Set(['250783456789']));
    expect(new Set(await phoneNumbersSeen(plain))).toEqual(new Set([maskPhoneNumber('250783456789')]));
  });
});

describe('a cursor that cannot be followed', () => {
  test('after a restore the answer says where to go on, and no event that there is gets lost', async () => {
    const shop = await openShop();
    await startCompleted(shop, 'deposit', depositRequest());
    const before = await settled(shop);
    const { body: page } = await readPage(shop, { limit: '2' });
    const { body: end } = await readPage(shop, { after: 'latest' });
    const lostFrom = new Date(gateway.engine.clock.now().getTime() + 1);
    // What is lost is the past.
    await waitUntil(() => gateway.engine.clock.now() > lostFrom);
    await beginRecovery(gateway.engine, { by: 'test', lostFrom });
    await endRecovery(gateway.engine, { by: 'test', provider: null, unasked: true });
    for (const [after, restarted] of [
      [page['next'], before.slice(2)],
      [end['next'], []],
    ]) {
      const { status, body } = await readPage(shop, { after });
      expect([status, body['failureReason'].failureCode]).toEqual([410, 'CURSOR_EXPIRED']);
      expect((await readPage(shop, { after: body['restartAfter'] })).body['data']).toEqual(restarted);
    }
  });

  test('events that are too old are gone, and the answer says where to go on', async () => {
    const shop = await openShop();
    await startCompleted(shop, 'deposit', depositRequest());
    await settled(shop);
    const { body: page } = await readPage(shop, { limit: '1' });
    const before = new Date(gateway.engine.clock.now().getTime() + 1);
    await waitUntil(async () => {
      await pruneEvents(gateway.engine.store.database, { before, countMax: 1_000 });
      const sql = 'select 1 from merchant_events where merchant_id = $1';
      return (await select(gateway, sql, [shop.merchantId])).length === 0;
    });
    await topUp(gateway, shop.merchantId, '100');
    expect((await settled(shop)).map(told)).toEqual(['MOVEMENT 100 TOP_UP']);
    const { status, body } = await readPage(shop, { after: page['next'] });
    expect([status, body['failureReason'].failureCode]).toEqual([410, 'CURSOR_EXPIRED']);
    const { body: rest } = await readPage(shop, { after: body['restartAfter'] });
    expect(rest['data'].map(told)).toEqual(['MOVEMENT 100 TOP_UP']);
  });
});
