// A merchant's people and its payments: finding them by anything that names one, and seeing what happened.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAuditLog } from '../../src/core/audit.ts';
import { encryptBody } from '../../src/store/callbacks/callbacks.ts';
import { openCallbacksOf } from '../../src/store/payments/payment-timeline.ts';
import { depositRequest, eventually, payer, select, type TestGateway } from '../gateway.ts';
import { setAvailability, start, startCompleted, waitForPayment } from '../payments.ts';
import { payoutRequest, refundRequest } from '../requests.ts';
import { confirmed, openTestConsole, signedIn, type TestPerson } from './people.ts';

const PHONE = '250783456789';
const METADATA = [{ orderId: 'ORD-123456789' }, { email: 'jane@example.com', isPII: true }];

let gateway: TestGateway;
let owner: TestPerson;
let reader: TestPerson;
let depositId: string;
let failedId: string;

beforeAll(async () => {
  gateway = await openTestConsole();
  owner = await confirmed(await signedIn(gateway, 'OWNER'));
  reader = await signedIn(gateway, 'READ_ONLY');
  const request = { clientReferenceId: 'INV-1', metadata: METADATA, amount: '1234' };
  depositId = await startCompleted(gateway, 'deposit', depositRequest(request));
  // By its number the simulator refuses this one.
  failedId = await start(
    gateway,
    'deposit',
    depositRequest({ payer: payer('MTN_MOMO_RWA', '250783456019') }),
  );
  await waitForPayment(gateway, 'deposit', failedId, 'FAILED');
});
afterAll(() => gateway.stop());

const at = (path: string) => `api/merchants/${gateway.merchantId}/${path}`;

async function find(query: Record<string, string>, person: TestPerson = reader): Promise<readonly string[]> {
  const { status, body } = await person.call('GET', at(`payments?${new URLSearchParams(query).toString()}`));
  expect([status, body]).toMatchObject([200, {}]);
  return body.payments.map(({ paymentId }: { paymentId: string }) => paymentId);
}

const story = async (person: TestPerson, id: string, kind = 'DEPOSIT') =>
  (await person.call('GET', at(`payments/${kind}/${id}`))).body;

describe('a payment is found', () => {
  test.each([
    ['its identifier', () => depositId],
    ['its identifier in capitals', () => depositId.toUpperCase()],
    ['the eight characters that lists show of it', () => depositId.slice(0, 8)],
    ['the beginning of its identifier in capitals', () => depositId.slice(0, 20).toUpperCase()],
    ['its client reference', () => 'INV-1'],
    ['a whole value of its metadata', () => 'ORD-123456789'],
  ])('by %s', async (_what, search) => {
    expect(await find({ search: search() })).toEqual([depositId]);
  });

  test.each([PHONE, `+${PHONE}`, '+250 783 456 789', '0783456789', '00250783456789'])(
    'by its phone number written %s',
    async (search) => {
      expect(await find({ search }, owner)).toEqual([depositId]);
    },
  );

  describe('B8: masked numbers stay masked', () => {
    test('A phone number finds nothing for a person who may not see personal data.', async () => {
      expect(await find({ search: PHONE })).toEqual([]);
    });

    test('A personal value of the metadata finds a payment for a person who may see it, and for no one else.', async () => {
      expect(await find({ search: 'jane@example.com' }, owner)).toEqual([depositId]);
      expect(await find({ search: 'jane@example.com' })).toEqual([]);
    });

    test('A search by phone number is in the audit log, without the number.', async () => {
      await find({ search: PHONE }, owner);
      const { engine, merchantId } = gateway;
      const [entry] = await readAuditLog(engine, { merchantId, countMax: 1 });
      expect(entry).toMatchObject({ act: 'PHONE_NUMBER_SEARCHED', actor: owner.email });
      expect(JSON.stringify(entry)).not.toContain('783456789');
    });

    test('A person who tries one number after the other is stopped.', async () => {
      const support = await signedIn(gateway, 'SUPPORT');
      const statuses: number[] = [];
      for (let tried = 0; tried < 40; tried += 1) {
        const path = at(`payments?limit=1&search=2507834567${String(tried).padStart(2, '0')}`);
        statuses.push((await support.call('GET', path)).status);
      }
      expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 200));
      expect(statuses.at(-1)).toBe(429);
    });
  });

  test("by the operator's transaction and by the reference it was asked under", async () => {
    const { providerTransactionId, reference } = await story(reader, depositId);
    expect(await find({ search: providerTransactionId })).toEqual([depositId]);
    expect(await find({ search: reference })).toEqual([depositId]);
  });

  test("by the operator's transaction also where it failed, and by the reference an operator chose", async () => {
    const { database } = gateway.engine.store;
    await database.query(`update payments set provider_transaction_id = 'TX-9' where payment_id = $1`, [
      failedId,
    ]);
    await database.query(
      `update payment_attempts set provider_reference = 'THEIRS-9' where payment_id = $1`,
      [failedId],
    );
    expect(await find({ search: 'tx-9' })).toEqual([failedId]);
    expect(await find({ search: 'THEIRS-9' })).toEqual([failedId]);
  });

  test('with its refunds by its own identifier', async () => {
    const id = await startCompleted(gateway, 'deposit', depositRequest());
    const refundId = await startCompleted(gateway, 'refund', refundRequest(id));
    expect(await find({ search: id })).toEqual([refundId, id]);
    expect((await story(reader, id)).related).toMatchObject([{ kind: 'REFUND', paymentId: refundId }]);
  });

  test('not by a part of a value, and not by what no one has', async () => {
    expect(await find({ search: 'ORD-12' })).toEqual([]);
    expect(await find({ search: depositId.slice(0, 7) })).toEqual([]);
    expect(await find({ search: randomUUID() })).toEqual([]);
  });
});

describe('a list', () => {
  test('a list is narrowed by state, kind, provider, amount and time', async () => {
    const { createdAt } = await story(reader, depositId);
    const later = new Date(new Date(createdAt).getTime() + 1).toISOString();
    expect(await find({ states: 'FAILED' })).toEqual([failedId]);
    expect(await find({ amountMin: '1234', amountMax: '1234' })).toEqual([depositId]);
    expect(await find({ amountMin: '1200' })).toEqual([depositId]);
    expect(await find({ amountMin: '1233.5', amountMax: '1234.5' })).toEqual([depositId]);
    expect(await find({ amountMax: '99.99' })).toEqual([]);
    expect(await find({ to: later })).toEqual([depositId]);
    expect(await find({ from: createdAt, to: createdAt })).toEqual([]);
    expect(await find({ kinds: 'REMITTANCE' })).toEqual([]);
    expect(await find({ providers: 'AIRTEL_RWA' })).toEqual([]);
    expect(await find({ search: PHONE, states: 'FAILED' }, owner)).toEqual([]);
  });

  test('a list shows what is in progress beside what has ended, the newest first', async () => {
    await setAvailability(gateway, 'payout', 'DELAYED');
    const payoutId = await start(gateway, 'payout', payoutRequest());
    const [newest] = await find({});
    expect(newest).toBe(payoutId);
    expect(await find({ states: 'ENQUEUED,PROCESSING' })).toEqual([payoutId]);
    expect((await owner.call('POST', at(`payments/PAYOUT/${payoutId}/cancel`))).status).toBe(200);
    await setAvailability(gateway, 'payout', 'OPERATIONAL');
  });

  test('a list is read page by page, each payment once', async () => {
    const all = await find({ limit: '100' });
    const met: string[] = [];
    let next: string | null = '';
    while (next !== null) {
      const cursor = next === '' ? '' : `&cursor=${next}`;
      const { body } = await reader.call('GET', at(`payments?limit=1${cursor}`));
      met.push(...body.payments.map(({ paymentId }: { paymentId: string }) => paymentId));
      next = body.next;
    }
    expect(all.length).toBeGreaterThan(3);
    expect(met).toEqual(all);
  });

  test('a list refuses what it cannot read, and ignores names it does not know', async () => {
    for (const query of ['states=DONE', 'limit=1000', 'amountMin=-1', 'from=yesterday']) {
      expect((await reader.call('GET', at(`payments?${query}`))).status).toBe(400);
    }
    expect((await reader.call('GET', at('payments?colour=red'))).status).toBe(200);
  });
});

describe("a payment's page", () => {
  test("a payment's page tells its whole story", async () => {
    await eventually(async () => (await story(reader, depositId)).callbacks[0]?.status).toBe('DELIVERED');
    const told = await story(reader, depositId);
    expect(told).toMatchObject({
      state: 'COMPLETED',
      amount: '1234',
      refundable: '1234',
      isCancellable: false,
      isResendable: true,
      clientReferenceId: 'INV-1',
      transfers: [
        { template: 'SETTLE', debit: { type: 'FLOAT' }, credit: { type: 'WALLET' }, amount: '1234' },
      ],
      callbacks: [{ announcedState: 'COMPLETED', attempts: [{ attemptNo: 1, httpStatus: 200 }] }],
    });
    expect(told.events.map(({ event }: { event: string }) => event)).toEqual([
      'ACCEPTED',
      'SUBMIT_CLAIMED',
      'OPERATOR_ANSWERED',
      ...told.events.slice(3).map(({ event }: { event: string }) => event),
    ]);
    expect(told.events.at(-1)).toMatchObject({ toState: 'COMPLETED' });
    const admin = await signedIn(gateway, 'OPERATOR_ADMIN');
    expect((await story(admin, depositId)).events.at(-1).evidence).toContain('body');
  });

  test("a payment's page says why it failed", async () => {
    expect((await story(reader, failedId)).failureCode).toBe('PAYER_LIMIT_REACHED');
  });

  test("a payment's page shows no personal data, wherever it stands", async () => {
    const text = JSON.stringify(await story(reader, depositId));
    expect(text).toContain('••••••789');
    expect(text).toContain('ORD-123456789');
    for (const personal of [PHONE, '783456789', 'jane@example.com']) expect(text).not.toContain(personal);
    const list = JSON.stringify((await reader.call('GET', at('payments'))).body);
    expect(list).not.toContain(PHONE);
  });

  test("a payment's page shows it to anyone who asks and may, and writes down who asked", async () => {
    const support = await signedIn(gateway, 'SUPPORT');
    const path = at(`payments/DEPOSIT/${depositId}/reveal`);
    expect((await reader.call('POST', path)).status).toBe(403);
    const { body } = await support.call('POST', path);
    expect(body).toMatchObject({ isRevealed: true, phoneNumber: PHONE });
    expect(body.metadata).toContainEqual({ name: 'email', value: 'jane@example.com', isPersonal: true });
    expect(body.callbacks[0].body).toContain(PHONE);
    const [entry] = await readAuditLog(gateway.engine, { merchantId: gateway.merchantId, countMax: 1 });
    expect(entry).toMatchObject({ actor: support.email, act: 'PERSONAL_DATA_SHOWN', subject: depositId });
  });

  test("a payment's page is not there for another kind, and not for what does not exist", async () => {
    expect((await reader.call('GET', at(`payments/PAYOUT/${depositId}`))).status).toBe(404);
    expect((await reader.call('GET', at(`payments/DEPOSIT/${randomUUID()}`))).status).toBe(404);
  });
});

const acted = async (act: string) =>
  (await readAuditLog(gateway.engine, { merchantId: gateway.merchantId, countMax: 50 })).filter(
    (entry) => entry.act === act,
  ).length;

describe('acts', () => {
  test('a deposit is given back in part and then the rest, once each', async () => {
    const id = await startCompleted(gateway, 'deposit', depositRequest({ amount: '500' }));
    const path = at(`payments/DEPOSIT/${id}/refund`);
    const body = { refundId: randomUUID(), amount: '200' };
    for (let press = 0; press < 2; press += 1) {
      expect((await owner.call('POST', path, body)).body).toEqual({ refundId: body.refundId });
    }
    await waitForPayment(gateway, 'refund', body.refundId, 'COMPLETED');
    expect((await story(reader, id)).refundable).toBe('300');
    const tooMuch = await owner.call('POST', path, { refundId: randomUUID(), amount: '301' });
    expect([tooMuch.status, tooMuch.body.failureReason]).toMatchObject([
      409,
      { failureCode: 'CONFLICT', reason: { code: 'AMOUNT_TOO_LARGE' } },
    ]);
    const rest = { refundId: randomUUID(), amount: null };
    expect((await owner.call('POST', path, rest)).status).toBe(200);
    await waitForPayment(gateway, 'refund', rest.refundId, 'COMPLETED');
    expect((await story(reader, id)).refundable).toBe('0');
    expect(await acted('REFUND_ASKED')).toBe(4);
  });

  test('giving back asks for the password again', async () => {
    const finance = await signedIn(gateway, 'FINANCE');
    const path = at(`payments/DEPOSIT/${depositId}/refund`);
    const { body } = await finance.call('POST', path, { refundId: randomUUID(), amount: '1' });
    expect(body.failureReason.failureCode).toBe('CONFIRMATION_NEEDED');
  });

  test('what waits is cancelled; what does not wait is not', async () => {
    await setAvailability(gateway, 'payout', 'DELAYED');
    const payoutId = await start(gateway, 'payout', payoutRequest());
    expect(await story(reader, payoutId, 'PAYOUT')).toMatchObject({ state: 'ENQUEUED', isCancellable: true });
    const path = at(`payments/PAYOUT/${payoutId}/cancel`);
    expect((await owner.call('POST', path)).body).toEqual({ done: true });
    expect((await owner.call('POST', path)).status).toBe(409);
    expect(await story(reader, payoutId, 'PAYOUT')).toMatchObject({ failureCode: 'MANUALLY_CANCELLED' });
    await setAvailability(gateway, 'payout', 'OPERATIONAL');
    expect((await owner.call('POST', at(`payments/DEPOSIT/${depositId}/cancel`))).status).toBe(409);
  });

  test('an end is announced once more, and those of a span of time are', async () => {
    const { length } = (await story(reader, depositId)).callbacks;
    expect((await owner.call('POST', at(`payments/DEPOSIT/${depositId}/callback`))).status).toBe(200);
    expect((await story(reader, depositId)).callbacks).toHaveLength(length + 1);
    await eventually(
      async () => (await select(gateway, `select 1 from callbacks where status = 'PENDING'`)).length,
    ).toBe(0);
    const span = { from: '2020-01-01T00:00:00Z', to: '2020-01-20T00:00:00Z' };
    const order = { kinds: ['DEPOSIT'], statuses: ['DELIVERED'] };
    const replay = (body: object) => owner.call('POST', at('callbacks/replay'), body);
    expect((await replay({ ...order, ...span })).body).toEqual({ count: 0 });
    const now = Date.now();
    const lately = {
      from: new Date(now - 3_600_000).toISOString(),
      to: new Date(now + 3_600_000).toISOString(),
    };
    const { body } = await replay({ ...order, ...lately });
    expect(body.count).toBeGreaterThan(2);
    expect((await replay({ ...order, ...lately, to: '2099-01-01T00:00:00Z' })).status).toBe(400);
  });
});

describe('B3: one payment view does not freeze the process', () => {
  test('health is answered at once while a payment with 200 KB of "pinpin…" is opened', async () => {
    const { keyring, database } = gateway.engine.store;
    const id = await startCompleted(gateway, 'deposit', depositRequest());
    const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: id } as const;
    await eventually(async () => (await openCallbacksOf(database, keyring, key)).length).toBe(1);
    const [callback] = await openCallbacksOf(database, keyring, key);
    if (callback === undefined) throw new Error('there is no callback');
    // As requests could carry it before values had a length.
    const body = JSON.stringify({ metadata: { a: 'pin'.repeat(66_000) } });
    const encrypted = encryptBody(keyring, { ...key, ...callback }, body);
    await database.query('update callbacks set encrypted_body = $1 where payment_id = $2', [encrypted, id]);
    const told = { isOpen: false };
    const opened = story(reader, id).then(() => (told.isOpen = true));
    let longestMs = 0;
    while (!told.isOpen) {
      const begin = performance.now();
      expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
      longestMs = Math.max(longestMs, performance.now() - begin);
    }
    // Read in quadratic time it would take half a minute.
    expect(longestMs).toBeLessThan(4_000);
    await opened;
  });
});
