// Payments of all merchants for the platform's people, and what everybody makes of a list: totals and files.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAuditLog } from '../../src/core/audit.ts';
import { createMerchant } from '../../src/core/merchants/administer-merchants.ts';
import type { Role } from '../../src/domain/merchants/roles.ts';
import { exportPayments } from '../../src/core/payments/read/export-payments.ts';
import { OPERATIONS, PAYMENT_KINDS, PAYMENT_STATES } from '../../src/domain/payments/payment.ts';
import { depositRequest, payer, type TestGateway } from '../gateway.ts';
import { setAvailability, start, startCompleted, waitForPayment } from '../payments.ts';
import { payoutRequest } from '../requests.ts';
import {
  callerWith,
  createPerson,
  openTestConsole,
  PASSWORD,
  signedIn,
  signIn,
  type TestPerson,
} from './people.ts';

const PHONE = '250783456789';

let gateway: TestGateway;
let admin: TestPerson;
let support: TestPerson;
let depositId: string;
let failedId: string;
let payoutId: string;

beforeAll(async () => {
  gateway = await openTestConsole();
  admin = await signedIn(gateway, 'OPERATOR_ADMIN');
  support = await signedIn(gateway, 'OPERATOR_SUPPORT');
  const metadata = [{ orderId: 'ORD-1' }, { email: 'jane@example.com', isPII: true }];
  const request = { clientReferenceId: 'INV-1', metadata, amount: '1234' };
  depositId = await startCompleted(gateway, 'deposit', depositRequest(request));
  failedId = await start(
    gateway,
    'deposit',
    depositRequest({ payer: payer('MTN_MOMO_RWA', '250783456019') }),
  );
  await waitForPayment(gateway, 'deposit', failedId, 'FAILED');
  await setAvailability(gateway, 'payout', 'DELAYED');
  payoutId = await start(gateway, 'payout', payoutRequest());
  // Somebody else's, of whom nothing may be found in this merchant's lists.
  const order = { by: 'test', companyName: 'Other', operations: OPERATIONS, walletPerProvider: false };
  await createMerchant(gateway.engine, order);
});
afterAll(() => gateway.stop());

const at = (path: string) => `api/merchants/${gateway.merchantId}/${path}`;

async function findAll(query: Record<string, string>, person = support): Promise<readonly string[]> {
  const { status, body } = await person.call(
    'GET',
    `api/host/payments?${new URLSearchParams(query).toString()}`,
  );
  expect([status, body]).toMatchObject([200, {}]);
  return body.payments.map(({ paymentId }: { paymentId: string }) => paymentId);
}

describe("the platform's list", () => {
  test('the platform’s list holds the payments of all merchants, the newest first, each with its merchant', async () => {
    const { body } = await support.call('GET', 'api/host/payments');
    expect(body.payments.map(({ paymentId }: { paymentId: string }) => paymentId)).toEqual([
      payoutId,
      failedId,
      depositId,
    ]);
    const { companyName } = (await gateway.engine.directory.merchant(gateway.merchantId)) ?? {};
    expect(body.payments[2]).toMatchObject({
      merchantId: gateway.merchantId,
      merchant: companyName,
      phoneNumber: '••••••789',
    });
  });

  test.each([
    ['its identifier', () => ({ search: depositId })],
    ['eight characters of its identifier', () => ({ search: depositId.slice(0, 8) })],
    ['eight characters, looked for in identifiers alone', () => ({ identifier: depositId.slice(0, 8) })],
    ['its client reference', () => ({ search: 'INV-1' })],
    ['its status and merchant', () => ({ states: 'COMPLETED', merchantId: gateway.merchantId })],
    ['its amount at a merchant', () => ({ amountMin: '1234', merchantId: gateway.merchantId })],
  ])('a payment is found by %s', async (_what, query) => {
    expect(await findAll(query())).toEqual([depositId]);
  });

  test("a payment is found by the operator's transaction", async () => {
    const { body } = await support.call('GET', at(`payments/DEPOSIT/${depositId}`));
    expect(await findAll({ search: body.providerTransactionId })).toEqual([depositId]);
  });

  test('filters narrow the list of the platform, and pages follow each other', async () => {
    expect(await findAll({ states: 'FAILED' })).toEqual([failedId]);
    expect(await findAll({ kinds: 'PAYOUT' })).toEqual([payoutId]);
    expect(await findAll({ providers: 'AIRTEL_RWA' })).toEqual([]);
    expect(await findAll({ merchantId: randomUUID() })).toEqual([]);
    const { body } = await support.call('GET', 'api/host/payments?limit=1');
    expect(await findAll({ limit: '1', cursor: body.next })).toEqual([failedId]);
  });

  test('the platform’s list is not narrowed by amounts of all merchants, which no index has', async () => {
    const { status, body } = await support.call('GET', 'api/host/payments?amountMin=5');
    expect([status, body.failureReason.reason]).toEqual([
      400,
      { code: 'AMOUNT_NEEDS_MERCHANT', parameters: {} },
    ]);
  });

  test('a phone number finds a payment only for a person who may see it, and that is recorded', async () => {
    expect(await findAll({ search: PHONE })).toEqual([]);
    expect(await findAll({ search: `+${PHONE}` }, admin)).toEqual([payoutId, depositId]);
    const [entry] = await readAuditLog(gateway.engine, { merchantId: null, countMax: 1 });
    expect(entry).toMatchObject({ act: 'PHONE_NUMBER_SEARCHED', actor: admin.email, merchantId: null });
    expect(JSON.stringify(entry)).not.toContain('783456789');
  });
});

const byKind = (totals: readonly { readonly kind: string }[]) =>
  totals.toSorted((a, b) => a.kind.localeCompare(b.kind));

describe('totals', () => {
  const expected = [
    {
      kind: 'DEPOSIT',
      currency: 'RWF',
      count: 2,
      amount: '1334',
      completedCount: 1,
      completedAmount: '1234',
      completedFees: '0',
    },
    { kind: 'PAYOUT', currency: 'RWF', count: 1, completedCount: 0, completedAmount: '0' },
  ];

  test('add up what a list holds, by kind and currency', async () => {
    const reader = await signedIn(gateway, 'READ_ONLY');
    const { body } = await reader.call('GET', at('payments/totals'));
    expect(byKind(body.totals)).toMatchObject(expected);
    const all = await support.call('GET', 'api/host/payments/totals');
    expect(byKind(all.body.totals)).toMatchObject(expected);
  });

  test('add up what a search finds', async () => {
    const { body } = await support.call('GET', `api/host/payments/totals?search=${depositId.slice(0, 8)}`);
    expect(body.totals).toMatchObject([{ count: 1, amount: '1234' }]);
    const none = await support.call('GET', `api/host/payments/totals?search=${randomUUID()}`);
    expect(none.body).toMatchObject({ countMax: 10_000, totals: [] });
  });
});

/** A file, asked for with the session of these cookies. */
async function download(cookie: string, path: string, body: object) {
  const response = await fetch(`${gateway.url}/console/${path}`, {
    method: 'POST',
    headers: { cookie, origin: gateway.url, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const type = response.headers.get('content-type');
  return { status: response.status, type, text: await response.text() };
}

async function cookieOf(role: Role): Promise<{ readonly email: string; readonly cookie: string }> {
  const { email } = await createPerson(gateway, role);
  return { email, cookie: await signIn(gateway, { email, password: PASSWORD }) };
}

const EXPORT = 'payments/export';

describe('a file of payments', () => {
  test('a file of payments has a line for each payment that is found, with personal data masked', async () => {
    const reader = await cookieOf('READ_ONLY');
    const asked = { states: 'COMPLETED', isRevealed: false };
    const { status, type, text } = await download(reader.cookie, at(EXPORT), asked);
    expect([status, type]).toEqual([200, 'text/csv; charset=utf-8']);
    const [head, line, ...rest] = text.split('\r\n');
    expect(head).toMatch(/^kind,paymentId,status,amount,/);
    expect(line).toContain(`DEPOSIT,${depositId},COMPLETED,1234,0,RWF,RWA,MTN_MOMO_RWA,••••••789,INV-1,`);
    expect(rest).toEqual(['']);
    for (const personal of [PHONE, 'jane@example.com']) expect(text).not.toContain(personal);
    const [entry] = await readAuditLog(gateway.engine, { merchantId: gateway.merchantId, countMax: 1 });
    expect(entry).toMatchObject({
      act: 'PAYMENTS_EXPORTED',
      actor: reader.email,
      detail: { isRevealed: false, isSearch: false },
    });
  });

  test('a file of payments has personal data only for those who may see it and have confirmed who they are', async () => {
    const body = { search: depositId.slice(0, 8), isRevealed: true };
    const reader = await cookieOf('READ_ONLY');
    expect((await download(reader.cookie, at(EXPORT), body)).text).toContain('NOT_PERMITTED');
    const { cookie } = await cookieOf('FINANCE');
    expect((await download(cookie, at(EXPORT), body)).text).toContain('CONFIRMATION_NEEDED');
    await callerWith(gateway, cookie)('POST', 'api/me/confirm', { password: PASSWORD });
    const { text } = await download(cookie, at(EXPORT), body);
    for (const personal of [PHONE, 'jane@example.com']) expect(text).toContain(personal);
    const [entry] = await readAuditLog(gateway.engine, { merchantId: gateway.merchantId, countMax: 1 });
    expect(entry).toMatchObject({ act: 'PAYMENTS_EXPORTED', detail: { isRevealed: true, isSearch: true } });
  });

  test('of the platform names the merchant of each payment', async () => {
    const { cookie } = await cookieOf('OPERATOR_SUPPORT');
    const { text } = await download(cookie, 'api/host/payments/export', { isRevealed: false });
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^merchantId,merchant,kind,/);
    expect(lines.slice(1).every((line) => line.startsWith(gateway.merchantId))).toBe(true);
    const revealed = await download(cookie, 'api/host/payments/export', { isRevealed: true });
    expect([revealed.status, revealed.type]).toEqual([403, 'application/json; charset=utf-8']);
  });

  test('of a merchant that does not exist is not found', async () => {
    const { cookie } = await cookieOf('OPERATOR_SUPPORT');
    const asked = { merchantId: randomUUID(), isRevealed: false };
    expect(await download(cookie, `api/host/${EXPORT}`, asked)).toMatchObject({ status: 404 });
  });

  test('a file of payments ends at its bound, and says that there is more', async () => {
    const filter = { kinds: PAYMENT_KINDS, states: PAYMENT_STATES, providers: null, from: null };
    const order = {
      filter: { ...filter, merchantId: null, amountMin: null, amountMax: null },
      to: null,
      search: '',
      searchIn: 'EVERYTHING' as const,
      mayReveal: false,
      by: 'Ana',
      isRevealed: false,
    };
    const counts = async (rowsMax: number) => {
      const met: unknown[] = [];
      for await (const { payments, isCut } of await exportPayments(gateway.engine, { ...order, rowsMax }))
        met.push(...payments.map(({ kind }) => kind), ...(isCut ? ['CUT'] : []));
      return met;
    };
    expect(await counts(2)).toEqual(['PAYOUT', 'DEPOSIT', 'CUT']);
    expect(await counts(3)).toEqual(['PAYOUT', 'DEPOSIT', 'DEPOSIT']);
  });

  test('a file of payments is made a few times in a row, and then not for a while', async () => {
    const { cookie } = await cookieOf('READ_ONLY');
    const statuses: number[] = [];
    for (let tried = 0; tried < 6; tried += 1) {
      statuses.push((await download(cookie, at(EXPORT), { isRevealed: false })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});
