// B2: the person who onboarded a merchant is not the second approver for its money, whatever role they have there too.
// More chains of one person: api6-one-person-chains.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { record } from '../../src/core/audit.ts';
import { acceptInvitation, invite } from '../../src/core/merchants/team.ts';
import { approvalAbout, decideAtHost, decideOn } from '../console/asked.ts';
import { act, fileOf, prepared } from '../console/payout-files.ts';
import {
  confirmed,
  openTestConsole,
  signedIn,
  type ConsoleAnswer,
  type TestPerson,
} from '../console/people.ts';
import { depositRequest, select, waitUntil, type TestGateway } from '../gateway.ts';
import { start, waitForPayment } from '../payments.ts';
import { wallet } from '../requests.ts';

let gateway: TestGateway;
/** Has onboarded the merchant, administers the gateway, and is an owner of the merchant too. */
let ana: TestPerson;
let ben: TestPerson;
let owner: TestPerson;
beforeAll(async () => {
  gateway = await openTestConsole({ simulator: { outcomeDelayMs: 50 } });
  ana = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  ben = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  owner = await confirmed(await signedIn(gateway, 'OWNER'));
  const { engine, merchantId } = gateway;
  const { email, personId } = ana;
  await record(engine, engine.store.database, [
    { by: email, act: 'MERCHANT_CREATED', merchantId, subject: merchantId, detail: {} },
  ]);
  const token = await invite(engine, { by: 'test', merchantId, email, role: 'OWNER' });
  await acceptInvitation(engine, { token, personId, email });
});
afterAll(() => gateway.stop());

const told = ({ status, body }: ConsoleAnswer) => [status, body?.failureReason?.failureMessage];
const REFUSED = [409, 'You onboarded this merchant, or belong to it. Another person must approve.'];

describe('B2: one person cannot onboard a merchant and', () => {
  test('approve its payout batch', async () => {
    const batchId = await prepared(gateway, owner, fileOf(2));
    expect(told(await act(gateway, ana, batchId, 'approve'))).toEqual(REFUSED);
    const text = 'select status from payout_batches where batch_id = $1';
    expect(await select(gateway, text, [batchId])).toEqual([{ status: 'WAITING' }]);
  });

  test('raise its payout limit', async () => {
    const path = `api/merchants/${gateway.merchantId}/payout-limits/RWF`;
    expect((await owner.call('PUT', path, { amount: '1000000' })).body).toEqual({ outcome: 'REQUESTED' });
    const approvalId = await approvalAbout(gateway, 'PAYOUT_LIMIT', 'RWF');
    expect(told(await decideOn(gateway, ana, approvalId, 'approve'))).toEqual(REFUSED);
    expect(await select(gateway, 'select amount from payout_limits')).toEqual([{ amount: null }]);
  });

  test('approve the resolution of its case', async () => {
    gateway.simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' });
    const request = depositRequest({ payer: wallet('MTN_MOMO_RWA', '250783456039') });
    await waitForPayment(gateway, 'deposit', await start(gateway, 'deposit', request), 'FAILED');
    const listCases = () => select(gateway, 'select case_id::text, resolved_at from cases');
    await waitUntil(async () => (await listCases()).length === 1);
    const path = `api/host/cases/${(await listCases())[0]?.['case_id']}`;
    const wanted = { resolution: 'CREDIT_MERCHANT', reason: 'seen in their statement' };
    const { approvalId } = (await ben.call('POST', `${path}/resolution`, wanted)).body;
    expect(told(await decideAtHost(gateway, ana, approvalId))).toEqual(REFUSED);
    expect(await listCases()).toMatchObject([{ resolved_at: null }]);
  });
});
