import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAuditLog } from '../../src/core/audit.ts';
import { createMerchant } from '../../src/core/merchants/administer-merchants.ts';
import { MERCHANT_ROLES, permissionsOf } from '../../src/domain/merchants/roles.ts';
import { OPERATIONS } from '../../src/domain/payments/payment.ts';
import type { TestGateway } from '../gateway.ts';
import { openTestConsole, signedIn, type TestPerson } from './people.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await openTestConsole();
});
afterAll(() => gateway.stop());

async function newMerchant(): Promise<string> {
  const order = { by: 'test', companyName: 'Other', operations: OPERATIONS, walletPerProvider: false };
  return createMerchant(gateway.engine, order);
}

function set(person: TestPerson, merchantId: string, body: unknown) {
  return person.call('PUT', `api/merchants/${merchantId}/regional-settings`, body);
}

async function regionOf(person: TestPerson, merchantId: string) {
  const { body } = await person.call('GET', 'api/me');
  const { timeZone, homeCurrency } = body.merchants.find((one: any) => one.merchantId === merchantId);
  return { timeZone, homeCurrency };
}

test('a merchant begins with UTC and no home currency; its owner sets both, and the audit log says so', async () => {
  const merchantId = await newMerchant();
  const owner = await signedIn(gateway, 'OWNER', merchantId);
  expect(await regionOf(owner, merchantId)).toEqual({ timeZone: 'UTC', homeCurrency: null });
  const region = { timeZone: 'Africa/Kigali', homeCurrency: 'RWF' };
  expect((await set(owner, merchantId, region)).status).toBe(200);
  expect(await regionOf(owner, merchantId)).toEqual(region);
  // The same again changes nothing, and is not recorded.
  expect((await set(owner, merchantId, region)).status).toBe(200);
  const entries = await readAuditLog(gateway.engine, { merchantId, countMax: 10 });
  expect(entries.filter(({ act }) => act === 'REGIONAL_SETTINGS_SET')).toMatchObject([
    { actor: owner.email, subject: merchantId, detail: region },
  ]);
  const support = await signedIn(gateway, 'OPERATOR_SUPPORT');
  expect((await support.call('GET', `api/host/merchants/${merchantId}`)).body).toMatchObject(region);
});

test.each([
  [
    { timeZone: 'Africa/Nowhere', homeCurrency: null },
    { code: 'TIME_ZONE_UNKNOWN', parameters: { timeZone: 'Africa/Nowhere' } },
  ],
  [
    { timeZone: '+02:00', homeCurrency: null },
    { code: 'TIME_ZONE_UNKNOWN', parameters: { timeZone: '+02:00' } },
  ],
  [
    { timeZone: 'UTC', homeCurrency: 'XXX' },
    { code: 'CURRENCY_UNKNOWN', parameters: { currency: 'XXX' } },
  ],
])('%j is refused with a code', async (region, reason) => {
  const merchantId = await newMerchant();
  const owner = await signedIn(gateway, 'OWNER', merchantId);
  const { status, body } = await set(owner, merchantId, region);
  expect(status).toBe(400);
  expect(body.failureReason.reason).toEqual(reason);
  expect(await regionOf(owner, merchantId)).toEqual({ timeZone: 'UTC', homeCurrency: null });
});

test.each(MERCHANT_ROLES)('%s sets them only with the right to change settings', async (role) => {
  const merchantId = await newMerchant();
  const person = await signedIn(gateway, role, merchantId);
  const { status } = await set(person, merchantId, { timeZone: 'Africa/Lagos', homeCurrency: null });
  expect(status).toBe(permissionsOf(role).includes('settings:write') ? 200 : 403);
});
