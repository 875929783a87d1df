// OWASP API6:2023, Unrestricted Access to Sensitive Business Flows: money that people move by hand needs two of them,
// and one person stays one, however they come. Each flow by itself: cases.test.ts, console/money-orders.test.ts,
// console/payouts.test.ts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acceptInvitation, invite, removeMember } from '../../src/core/team.ts';
import {
  callerWith,
  openTestConsole,
  PASSWORD,
  signedIn,
  signIn,
  type TestPerson,
} from '../console/people.ts';
import { act, fileOf, prepared } from '../console/payout-files.ts';
import { call, select, type TestGateway } from '../gateway.ts';

let gateway: TestGateway;
let ana: TestPerson;
beforeAll(async () => {
  gateway = await openTestConsole({ role: 'api' });
  ana = await signedIn(gateway, 'FINANCE');
});
afterAll(() => gateway.stop());

/** The same person, signed in once more. */
async function again(): Promise<TestPerson> {
  const cookie = await signIn(gateway, { email: ana.email, password: PASSWORD });
  return { ...ana, call: callerWith(gateway, cookie) };
}

async function join(role: 'OWNER' | 'OPERATOR_ADMIN', merchantId: string | null): Promise<void> {
  const { personId, email } = ana;
  const token = await invite(gateway.engine, { by: 'test', merchantId, email: email.toUpperCase(), role });
  expect(await acceptInvitation(gateway.engine, { token, personId, email })).not.toBeNull();
}

test('whoever prepared cannot approve: not from another session, nor in another role, nor after joining anew', async () => {
  const batchId = await prepared(gateway, ana, fileOf(2));
  const refused = async () => (await act(gateway, await again(), batchId, 'approve')).status;
  expect(await refused()).toBe(409);
  await join('OWNER', gateway.merchantId);
  expect(await refused()).toBe(409);
  await join('OPERATOR_ADMIN', null);
  expect(await refused()).toBe(409);
  const { engine, merchantId } = gateway;
  await signedIn(gateway, 'OWNER');
  expect(await removeMember(engine, { by: 'test', merchantId, personId: ana.personId })).toBe('DONE');
  await join('OWNER', merchantId);
  expect(await refused()).toBe(409);
  const batches = await select(gateway, 'select status from payout_batches where batch_id = $1', [batchId]);
  expect(batches).toEqual([{ status: 'WAITING' }]);
});

test('the database itself refuses one person in both places, in every table where two decide', async () => {
  const rows = await select(
    gateway,
    `select conrelid::regclass::text as name, convalidated from pg_constraint
     where conname like '%need_two_people' order by 1`,
  );
  expect(rows).toEqual(
    ['cases', 'money_orders', 'payout_batches', 'payout_limits'].map((name) => ({
      name,
      convalidated: true,
    })),
  );
});

test('a token of the API opens nothing of the console, and a session nothing of the API', async () => {
  const path = `/console/api/merchants/${gateway.merchantId}/payout-batches`;
  expect((await call(gateway, 'GET', path)).status).toBe(401);
  const cookie = await signIn(gateway, { email: ana.email, password: PASSWORD });
  const answer = await fetch(`${gateway.url}/v2/wallet-balances`, { headers: { cookie } });
  expect(answer.status).toBe(401);
});
