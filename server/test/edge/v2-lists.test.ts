// Lists of payments, an addition to the specification: pages, filters, and who may see and look for personal data.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAuditLog } from '../../src/core/audit.ts';
import { SCOPES } from '../../src/core/merchants/administer-merchants.ts';
import { MASKED, maskPhoneNumber } from '../../src/domain/masking.ts';
import { WALK_LENGTH_MAX } from '../../src/store/payments/payment-walks.ts';
import { call, depositRequest, openTestGateway, payer, select, type TestGateway } from '../gateway.ts';
import { insertOpenPayouts } from '../open-payouts.ts';
import { readPayment, start, startCompleted, topUp, waitForPayment, type Noun } from '../payments.ts';
import { payoutRequest, refundRequest, remittanceRequest, type Body } from '../requests.ts';
import { openAccount, openToken, type Account } from './accounts.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(() => gateway.stop());

const KINDS = ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'] as const;
const STUCK = payer('MTN_MOMO_RWA', '250783456129');
const UNSEEING = SCOPES.filter((scope) => scope !== 'personal-data:read');

async function openShop(): Promise<Account> {
  const account = await openAccount(gateway, { operations: KINDS });
  await topUp(gateway, account.merchantId, '100000');
  return account;
}

const list = (account: Pick<Account, 'url' | 'apiToken'>, noun: Noun, query: Record<string, string> = {}) =>
  call(account, 'GET', `/v2/${noun}s?${new URLSearchParams(query).toString()}`);

/** The identifiers of every page, one array for each. */
async function pagesOf(account: Account, noun: Noun, query: Record<string, string> = {}) {
  const pages: string[][] = [];
  let next: string | undefined;
  do {
    const { status, body } = await list(
      account,
      noun,
      next === undefined ? query : { ...query, cursor: next },
    );
    expect(status).toBe(200);
    pages.push(body['data'].map((record: Body) => record[`${noun}Id`]));
    next = body['next'];
  } while (next !== undefined);
  return pages;
}

const startDeposits = async (account: Account, requests: readonly Body[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const request of requests) ids.push(await start(account, 'deposit', depositRequest(request)));
  return ids;
};

/** Changes when payments were accepted, as if they had all come then. */
async function acceptAt(ids: readonly string[], at: Date): Promise<void> {
  const numbers = 'select payment_no from payment_keys where payment_id = any ($1::uuid[])';
  for (const table of ['payments', 'payment_search'])
    await select(gateway, `update ${table} set created_at = $2 where payment_no in (${numbers})`, [ids, at]);
}

describe('a list has the records of status checks', () => {
  test('of each kind, and of this merchant alone', async () => {
    const [shop, other] = [await openShop(), await openShop()];
    const depositId = await startCompleted(shop, 'deposit', depositRequest());
    const started: readonly (readonly [Noun, string])[] = [
      ['deposit', depositId],
      ['payout', await startCompleted(shop, 'payout', payoutRequest())],
      ['refund', await startCompleted(shop, 'refund', refundRequest(depositId))],
      ['remittance', await startCompleted(shop, 'remittance', remittanceRequest())],
    ];
    for (const [noun, id] of started) {
      expect((await list(shop, noun)).body).toEqual({ data: [await readPayment(shop, noun, id)] });
      expect((await list(other, noun)).body).toEqual({ data: [] });
    }
  });

  test('a list needs the scope that a status check needs', async () => {
    const shop = await openShop();
    const token = await openToken(gateway, shop.merchantId, {
      scopes: ['payouts:read', 'personal-data:read'],
    });
    expect((await list(token, 'payout')).status).toBe(200);
    const { status, body } = await list(token, 'deposit');
    expect([status, body['failureReason'].failureCode]).toEqual([403, 'AUTHORISATION_ERROR']);
    expect(body['failureReason'].failureMessage).toContain("'deposits:read'");
  });

  test.each(['deposit', 'payout', 'refund', 'remittance'])('API v1 has no list of %ss', async (noun) => {
    expect((await call(gateway, 'GET', `/${noun}s`)).status).not.toBe(200);
    expect((await call(gateway, 'GET', `/v1/${noun}s`)).status).not.toBe(200);
  });
});

describe('pages', () => {
  test('pages have each payment once, the newest first, also where all have the same time', async () => {
    const shop = await openShop();
    const ids = await startDeposits(
      shop,
      [{}, {}, {}, {}, {}, {}, {}].map(() => ({ payer: STUCK })),
    );
    const older = ids.slice(0, 2);
    await acceptAt(ids, new Date('2026-03-01T10:00:00Z'));
    await acceptAt(older, new Date('2026-03-01T09:00:00Z'));
    for (const query of [{ limit: '2' }, { limit: '2', phoneNumber: '250783456129' }]) {
      const pages = await pagesOf(shop, 'deposit', query);
      expect(pages.map((page) => page.length)).toEqual([2, 2, 2, 1]);
      expect(pages.flat().toSorted()).toEqual(ids.toSorted());
      expect(pages.flat().slice(-2).toSorted()).toEqual(older.toSorted());
    }
  });

  test('open and ended payments are in one order', async () => {
    const shop = await openShop();
    const ids: string[] = [];
    for (const stuck of [true, false, true, false]) {
      const [id = ''] = await startDeposits(shop, [stuck ? { payer: STUCK } : {}]);
      if (!stuck) await waitForPayment(shop, 'deposit', id, 'COMPLETED');
      ids.push(id);
    }
    expect((await pagesOf(shop, 'deposit', { limit: '1' })).flat()).toEqual(ids.toReversed());
  });

  test('what is new while somebody reads comes into no later page', async () => {
    const shop = await openShop();
    const ids = await startDeposits(shop, [{}, {}]);
    const first = await list(shop, 'deposit', { limit: '1' });
    await startDeposits(shop, [{}]);
    const second = await list(shop, 'deposit', { limit: '1', cursor: first.body['next'] });
    expect([first, second].map(({ body }) => body['data'][0].depositId)).toEqual(ids.toReversed());
    expect(second.body['next']).toBeUndefined();
  });

  test('from is inclusive, to is exclusive, and a date alone is a whole day', async () => {
    const shop = await openShop();
    const times = ['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z'];
    const ids = await startDeposits(
      shop,
      times.map(() => ({ clientReferenceId: 'INV-1' })),
    );
    for (const [at, id] of ids.entries()) await acceptAt([id], new Date(times[at]!));
    const found = async (query: Record<string, string>) => {
      const all = (await pagesOf(shop, 'deposit', query)).flat();
      expect((await pagesOf(shop, 'deposit', { ...query, clientReferenceId: 'INV-1' })).flat()).toEqual(all);
      return ids.map((id, at) => (all.includes(id) ? at : null)).filter((at) => at !== null);
    };
    expect(await found({ from: times[1]! })).toEqual([1, 2]);
    expect(await found({ to: times[1]! })).toEqual([0]);
    expect(await found({ from: times[0]!, to: times[2]! })).toEqual([0, 1]);
    expect(await found({ from: '2026-02-01', to: '2026-02-01' })).toEqual([1]);
    expect(await found({ from: '2026-02-01T02:00:00+02:00' })).toEqual([1, 2]);
  });
});

describe('filters', () => {
  test('status and provider narrow a list', async () => {
    const shop = await openShop();
    const [completed = ''] = await startDeposits(shop, [{}]);
    const [failed = ''] = await startDeposits(shop, [{ payer: payer('MTN_MOMO_RWA', '250783456039') }]);
    const [airtel = ''] = await startDeposits(shop, [{ payer: payer('AIRTEL_RWA', '250733456789') }]);
    await waitForPayment(shop, 'deposit', completed, 'COMPLETED');
    await waitForPayment(shop, 'deposit', failed, 'FAILED');
    await waitForPayment(shop, 'deposit', airtel, 'COMPLETED');
    const found = async (query: Record<string, string>) => (await pagesOf(shop, 'deposit', query)).flat();
    expect(await found({ status: 'FAILED' })).toEqual([failed]);
    expect(await found({ status: 'COMPLETED' })).toEqual([airtel, completed]);
    expect(await found({ status: 'PROCESSING' })).toEqual([]);
    expect(await found({ provider: 'AIRTEL_RWA' })).toEqual([airtel]);
    expect(await found({ provider: 'AIRTEL_RWA', status: 'FAILED' })).toEqual([]);
  });

  test('a payment is found by its whole client reference, metadata value or phone number', async () => {
    const shop = await openShop();
    const given = {
      clientReferenceId: 'INV-7',
      metadata: [{ order: 'ORD-7' }, { mail: 'a@example.com', isPII: true }],
    };
    const [id = ''] = await startDeposits(shop, [{ ...given, payer: payer('MTN_MOMO_RWA', '250783456788') }]);
    await startDeposits(shop, [{ clientReferenceId: 'INV-8', metadata: [{ order: 'INV-7' }] }]);
    const found = async (query: Record<string, string>) => (await pagesOf(shop, 'deposit', query)).flat();
    expect(await found({ clientReferenceId: 'INV-7' })).toEqual([id]);
    expect(await found({ clientReferenceId: 'INV' })).toEqual([]);
    expect(await found({ metadata: 'ORD-7' })).toEqual([id]);
    expect(await found({ metadata: 'a@example.com' })).toEqual([id]);
    expect(await found({ phoneNumber: '250783456788' })).toEqual([id]);
    expect(await found({ phoneNumber: '250783456787' })).toEqual([]);
  });

  test('a page ends after a bounded way, and the next one goes on there', async () => {
    const shop = await openShop();
    const [id = ''] = await startDeposits(shop, [{ clientReferenceId: 'MANY', payer: STUCK }]);
    const { database, keyring } = gateway.engine.store;
    await insertOpenPayouts(database, {
      merchantId: shop.merchantId,
      count: WALK_LENGTH_MAX + 20,
      from: new Date(Date.now() + 60_000),
      valueHash: keyring.searchHash(shop.merchantId, 'clientReferenceId:MANY'),
    });
    for (const query of [{}, { clientReferenceId: 'MANY' }]) {
      expect(await pagesOf(shop, 'deposit', query)).toEqual([[], [id]]);
    }
    // Older than the way that is walked, so not before it.
    const ended = await startCompleted(shop, 'deposit', depositRequest());
    await acceptAt([ended], new Date(Date.now() - 600_000));
    expect(await pagesOf(shop, 'deposit')).toEqual([[], [id, ended]]);
  });
});

describe('personal data', () => {
  const METADATA = [{ order: 'ORD-9' }, { mail: 'b@example.com', isPII: true }];

  test('it is masked without the scope for it', async () => {
    const shop = await openShop();
    const token = await openToken(gateway, shop.merchantId, { scopes: UNSEEING });
    const depositId = await startCompleted(shop, 'deposit', depositRequest({ metadata: METADATA }));
    const remittanceId = await startCompleted(shop, 'remittance', remittanceRequest());
    const [deposit] = (await list(token, 'deposit')).body['data'];
    expect(deposit).toEqual({
      ...(await readPayment(shop, 'deposit', depositId)),
      payer: payer('MTN_MOMO_RWA', maskPhoneNumber('250783456789')),
      metadata: { order: 'ORD-9', mail: MASKED },
    });
    const [remittance] = (await list(token, 'remittance')).body['data'];
    const { sender: _sender, ...record } = await readPayment(shop, 'remittance', remittanceId);
    expect(remittance).toEqual({
      ...record,
      recipient: {
        ...payer('MTN_MOMO_RWA', maskPhoneNumber('250783456789')),
        recipientDetails: { firstName: MASKED, lastName: MASKED },
      },
    });
  });

  test('it finds nothing without the scope for it', async () => {
    const shop = await openShop();
    const token = await openToken(gateway, shop.merchantId, { scopes: UNSEEING });
    const [id = ''] = await startDeposits(shop, [{ metadata: METADATA }]);
    const { status, body } = await list(token, 'deposit', { phoneNumber: '250783456789' });
    expect([status, body['failureReason'].failureCode]).toEqual([403, 'AUTHORISATION_ERROR']);
    expect(body['failureReason'].failureMessage).toContain("'personal-data:read'");
    expect((await list(token, 'deposit', { phoneNumber: 'x', surplus: '1' })).status).toBe(403);
    expect(await pagesOf(token, 'deposit', { metadata: 'b@example.com' })).toEqual([[]]);
    expect(await pagesOf(token, 'deposit', { metadata: 'ORD-9' })).toEqual([[id]]);
    // No field is looked for under the name of another.
    expect(await pagesOf(token, 'deposit', { metadata: '250783456789' })).toEqual([[]]);
    expect(await pagesOf(token, 'deposit', { clientReferenceId: 'b@example.com' })).toEqual([[]]);
  });

  test('who searches by a phone number is recorded, once for each API token, number and hour', async () => {
    const shop = await openShop();
    const other = await openToken(gateway, shop.merchantId);
    const search = (account: Account, noun: Noun, phoneNumber: string) =>
      list(account, noun, { phoneNumber });
    await list(shop, 'deposit', { metadata: '250783456789' });
    for (const noun of ['deposit', 'payout', 'deposit'] as const) await search(shop, noun, '250783456789');
    await Promise.all([search(other, 'deposit', '250783456789'), search(other, 'refund', '250783456789')]);
    await search(other, 'deposit', '250783456780');
    const query = { merchantId: shop.merchantId, act: 'PHONE_NUMBER_SEARCHED', countMax: 100 };
    const entries = await readAuditLog(gateway.engine, query);
    const told = entries.map(({ actor, detail, at }) => [
      actor,
      detail['phoneNumber'],
      at.toISOString().slice(0, 13),
    ]);
    // The test may run past the end of an hour, but no hour has one twice.
    expect(new Set(told.map((one) => one.join())).size).toBe(told.length);
    expect(new Set(told.map(([actor, masked]) => [actor, masked].join(' ')))).toEqual(
      new Set([
        `API token ${shop.tokenId} ••••••789`,
        `API token ${other.tokenId} ••••••789`,
        `API token ${other.tokenId} ••••••780`,
      ]),
    );
  });
});

describe('requests that do not fit', () => {
  test.each([
    [{ statuss: 'FAILED' }, 'UNSUPPORTED_PARAMETER', 'statuss'],
    [{ status: 'ENQUEUED' }, 'INVALID_PARAMETER', 'status'],
    [{ status: '' }, 'INVALID_PARAMETER', 'status'],
    [{ provider: 'MTN' }, 'INVALID_PARAMETER', 'provider'],
    [{ from: 'yesterday' }, 'INVALID_PARAMETER', 'from'],
    [{ to: '2026-02-30' }, 'INVALID_PARAMETER', 'to'],
    [{ from: '2026-02-02', to: '2026-02-01' }, 'INVALID_PARAMETER', 'to'],
    [{ limit: '0' }, 'INVALID_PARAMETER', 'limit'],
    [{ limit: '101' }, 'INVALID_PARAMETER', 'limit'],
    [{ phoneNumber: '+250783456789' }, 'INVALID_PARAMETER', 'phoneNumber'],
    [{ clientReferenceId: 'a', metadata: 'b' }, 'INVALID_PARAMETER', 'metadata'],
    [{ metadata: 'b', phoneNumber: '250783456789' }, 'INVALID_PARAMETER', 'phoneNumber'],
    [{ cursor: 'x' }, 'INVALID_PARAMETER', 'cursor'],
    [
      { cursor: Buffer.from('["DEPOSIT","DEPOSIT","x"]').toString('base64url') },
      'INVALID_PARAMETER',
      'cursor',
    ],
  ])('%j is refused', async (query, code, parameter) => {
    const { status, body } = await list(gateway, 'deposit', query);
    expect([status, body['status'], body['failureReason'].failureCode]).toEqual([400, 'REJECTED', code]);
    expect(body['failureReason'].failureMessage).toContain(`'${parameter}'`);
  });

  test('a parameter that is given twice is refused', async () => {
    expect((await call(gateway, 'GET', '/v2/deposits?status=FAILED&status=COMPLETED')).status).toBe(400);
  });

  test('a cursor of another merchant, of another list or of no payment is refused', async () => {
    const [shop, other] = [await openShop(), await openShop()];
    await startDeposits(shop, [{}, {}]);
    const cursor = String((await list(shop, 'deposit', { limit: '1' })).body['next']);
    const unknown = Buffer.from(JSON.stringify(['DEPOSIT', 'DEPOSIT', randomUUID()])).toString('base64url');
    const answers = [
      await list(other, 'deposit', { cursor }),
      await list(shop, 'payout', { cursor }),
      await list(shop, 'deposit', { cursor: unknown }),
    ];
    for (const { status, body } of answers) {
      expect([status, body['failureReason'].failureCode]).toEqual([400, 'INVALID_PARAMETER']);
      expect(body['failureReason'].failureMessage).toContain("'cursor'");
    }
    expect((await list(shop, 'deposit', { cursor })).status).toBe(200);
  });

  test('a cursor from after the time range leads into it, and not past it', async () => {
    const shop = await openShop();
    const ids = await startDeposits(shop, [{}, {}, {}]);
    for (const [at, id] of ids.entries()) await acceptAt([id], new Date(Date.UTC(2026, 0, at + 1)));
    const cursor = String((await list(shop, 'deposit', { limit: '1' })).body['next']);
    const { body } = await list(shop, 'deposit', { cursor, to: '2026-01-01' });
    expect(body['data'].map(({ depositId }: Body) => depositId)).toEqual([ids[0]]);
  });
});
