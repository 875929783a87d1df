import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { select, type TestGateway } from '../gateway.ts';
import { approvalIn, decideAtHost } from './asked.ts';
import {
  callerWith,
  confirmed,
  openTestConsole,
  PASSWORD,
  signedIn,
  signIn,
  type TestPerson,
} from './people.ts';

let gateway: TestGateway;
let admin: TestPerson;

const path = (rest: string) => `api/host/merchants/${gateway.merchantId}${rest}`;

/** How a request of the merchant is answered. */
async function balances(): Promise<number> {
  const headers = { authorization: `Bearer ${gateway.apiToken}` };
  return (await fetch(`${gateway.url}/v2/wallet-balances`, { headers })).status;
}

beforeAll(async () => {
  gateway = await openTestConsole({ directoryRememberMs: 0 });
  admin = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
});
afterAll(() => gateway.stop());

describe('onboarding', () => {
  test('onboarding makes a merchant, and its owner joins by the link', async () => {
    const order = {
      name: 'Duka la Vitabu',
      operations: ['DEPOSIT', 'PAYOUT'],
      walletPerProvider: false,
      ownerEmail: 'owner@vitabu.example',
    };
    const { status, body } = await admin.call('POST', 'api/host/merchants', order);
    expect(status).toBe(200);
    const token = new URL(body.link).pathname.split('/').at(-1) ?? '';
    const noOne = callerWith(gateway, '');
    expect((await noOne('POST', 'api/join', { token, name: 'Neema', password: PASSWORD })).status).toBe(200);
    const owner = callerWith(gateway, await signIn(gateway, { email: order.ownerEmail, password: PASSWORD }));
    expect((await owner('GET', 'api/me')).body.merchants).toMatchObject([
      { merchantId: body.merchantId, name: order.name, role: 'OWNER' },
    ]);
  });

  test('onboarding is found by a part of the name, and pages go on where they ended', async () => {
    for (let count = 0; count < 55; count += 1) {
      const order = {
        name: `Kiosk ${String(count).padStart(2, '0')}`,
        operations: ['DEPOSIT'],
        walletPerProvider: false,
        ownerEmail: 'owner@kiosk.example',
      };
      await admin.call('POST', 'api/host/merchants', order);
    }
    const first = await admin.call('GET', 'api/host/merchants?name=kiosk');
    expect(first.body.merchants).toHaveLength(50);
    const second = await admin.call('GET', `api/host/merchants?name=kiosk&after=${first.body.next}`);
    expect(second.body.merchants.map(({ name }: { name: string }) => name)).toEqual([
      'Kiosk 50',
      'Kiosk 51',
      'Kiosk 52',
      'Kiosk 53',
      'Kiosk 54',
    ]);
    expect(second.body.next).toBeNull();
    expect((await admin.call('GET', 'api/host/merchants?after=nonsense')).status).toBe(400);
  });
});

describe('a merchant', () => {
  test('a merchant is suspended by one person, and resumed by two', async () => {
    const suspended = await admin.call('PUT', path('/suspension'), { isSuspended: true });
    expect([suspended.status, suspended.body]).toEqual([200, { outcome: 'DONE' }]);
    expect(await balances()).toBe(401);
    expect((await admin.call('GET', path(''))).body).toMatchObject({ isSuspended: true, name: 'Demo Shop' });
    const resumed = await admin.call('PUT', path('/suspension'), { isSuspended: false });
    expect([resumed.status, resumed.body]).toEqual([200, { outcome: 'REQUESTED' }]);
    expect(await balances()).toBe(401);
    const requested = await approvalIn(gateway, admin, 'MERCHANT_RESUME');
    expect(await decideAtHost(gateway, admin, requested)).toMatchObject({ status: 409 });
    expect(await balances()).toBe(401);
    const other = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
    expect((await other.call('GET', `api/host/approvals/${requested}`)).body).toMatchObject({
      merchant: 'Demo Shop',
      details: { suspendedAt: expect.any(String) },
    });
    expect(await decideAtHost(gateway, other, requested)).toMatchObject({ status: 200 });
    expect(await balances()).toBe(200);
  });

  test('a merchant has its unsent payments cancelled, with a reason', async () => {
    await select(gateway, `update merchants set suspended_at = created_at`);
    const order = { reason: 'Stolen account' };
    const { status, body } = await admin.call('POST', path('/cancel-unsent-payments'), order);
    expect([status, body]).toEqual([200, { cancelledCount: 0 }]);
    expect((await admin.call('POST', path('/cancel-unsent-payments'), {})).status).toBe(400);
    await select(gateway, `update merchants set suspended_at = null`);
  });

  test('a merchant gets and loses providers and operations', async () => {
    const off = { providers: ['MTN_MOMO_RWA'], operations: ['DEPOSIT'], to: 'OFF' };
    expect((await admin.call('PUT', path('/providers'), off)).status).toBe(200);
    const { body } = await admin.call('GET', path(''));
    const rwanda = body.providers.find(({ provider }: { provider: string }) => provider === 'MTN_MOMO_RWA');
    expect(rwanda.operations).not.toContain('DEPOSIT');
    expect((await admin.call('PUT', path('/operations'), { operations: ['DEPOSIT'] })).status).toBe(200);
    expect((await admin.call('GET', path(''))).body.operations).toEqual(['DEPOSIT']);
    const unknown = { ...off, providers: ['NO_ONE_XXX'] };
    expect((await admin.call('PUT', path('/providers'), unknown)).status).toBe(400);
  });
});

describe('a provider', () => {
  test('a provider is switched off manually, shown as an incident with who did it, and given back to measurement', async () => {
    const availability = 'api/host/providers/MTN_MOMO_RWA/PAYOUT/availability';
    expect((await admin.call('PUT', availability, { status: 'CLOSED' })).status).toBe(200);
    const stateOf = async () => {
      const { body } = await admin.call('GET', 'api/host/providers');
      const rwanda = body.providers.find(({ provider }: { provider: string }) => provider === 'MTN_MOMO_RWA');
      return rwanda.operations.find(({ operation }: { operation: string }) => operation === 'PAYOUT');
    };
    expect(await stateOf()).toMatchObject({ status: 'CLOSED', setBy: 'HAND', connector: 'simulator' });
    const incidents = await admin.call('GET', 'api/host/incidents');
    expect(incidents.body.changes[0]).toMatchObject({
      to: 'CLOSED',
      reason: { code: 'SET_MANUALLY', parameters: { by: admin.email } },
    });
    expect((await admin.call('PUT', availability, { status: 'OPERATIONAL' })).status).toBe(200);
    expect(await stateOf()).toMatchObject({ status: 'OPERATIONAL', setBy: null });
  });
});
