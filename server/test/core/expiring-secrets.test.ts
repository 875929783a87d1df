// Secrets of operator accounts that end by themselves: the host is warned before, because every payout fails after.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT } from '../../src/connectors/mpesa-daraja/fake-gate.ts';
import { changeCredentials } from '../../src/core/operators/administer-operators.ts';
import { measureFlow } from '../../src/core/monitoring/measure-flow.ts';
import { openTestGateway, type TestGateway } from '../gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'admin' });
});
afterAll(() => gateway.stop());

const DAY_MS = 86_400_000;
const MPESA = { by: 'test', connector: 'mpesa-daraja', product: 'default' };
const { initiatorName: _, initiatorPassword: __, ...WITHOUT_INITIATOR } = ACCOUNT;

const set = (account: string, values: Readonly<Record<string, string>>) =>
  changeCredentials(gateway.engine, { ...MPESA, account, values });
const pass = (days: number) => gateway.gateway.movableClock!.move(days * DAY_MS);

/** How many days are left of each secret that ends, by account. */
async function daysLeft(): Promise<Readonly<Record<string, number>>> {
  const samples: readonly { readonly metric: string; readonly labels: object; readonly value: number }[] =
    await measureFlow(gateway.engine, null);
  const ending = samples.filter(({ metric }) => metric === 'malipo_operator_secret_expires_seconds');
  return Object.fromEntries(
    ending.map(({ labels, value }) => [JSON.stringify(labels), Math.round(value / 86_400)]),
  );
}

const left = (days: number) => ({
  [JSON.stringify({ connector: 'mpesa-daraja', account: 'MPESA_KEN', secret: 'initiatorPassword' })]: days,
});

describe("D: the password of M-Pesa's initiator lasts 90 days", () => {
  test('how long it still lasts is measured from the day on which it was set', async () => {
    await set('MPESA_KEN', ACCOUNT);
    expect(await daysLeft()).toEqual(left(90));
    await pass(80);
    expect(await daysLeft()).toEqual(left(10));
  });

  test('setting another value of the account does not make it younger; a new password does', async () => {
    await set('MPESA_KEN', { ...ACCOUNT, passkey: 'another' });
    expect(await daysLeft()).toEqual(left(10));
    await pass(11);
    expect(await daysLeft()).toEqual(left(-1));
    await set('MPESA_KEN', { ...ACCOUNT, initiatorPassword: 'new' });
    expect(await daysLeft()).toEqual(left(90));
  });

  test('an account without an initiator has nothing that ends', async () => {
    await set('MPESA_TZA', WITHOUT_INITIATOR);
    expect(await daysLeft()).toEqual(left(90));
  });

  test('an account that was set before this was recorded counts from the day on which it was set', async () => {
    await gateway.engine.store.database.query('update operator_credentials set secret_changed_at = null');
    await pass(30);
    expect(await daysLeft()).toEqual(left(60));
  });
});
