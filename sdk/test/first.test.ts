import { afterAll, beforeAll, expect, test } from 'vitest';
import { Malipo } from '@malipo/sdk';
import { openTestGateway, type TestGateway } from '../../server/test/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(() => gateway.stop());

test('a deposit and a payout are accepted, found and waited for', async () => {
  const malipo = new Malipo({ baseUrl: gateway.url, token: gateway.apiToken });
  const wallet = { provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' };
  const party = { type: 'MMO', accountDetails: wallet } as const;
  const started = await malipo.deposits.create({ amount: '100', currency: 'RWF', payer: party });
  expect(started.outcome).toBe('accepted');
  expect(await malipo.deposits.waitForFinal(started.id)).toMatchObject({ status: 'COMPLETED', paid: true });
  const payout = await malipo.payouts.create({ amount: '10', currency: 'RWF', recipient: party });
  expect(await malipo.payouts.waitForFinal(payout.id)).toMatchObject({ status: 'COMPLETED', paid: true });
  const many = await malipo.payouts.createMany([
    { amount: '10', currency: 'RWF', recipient: party },
    { amount: '10', currency: 'XXX', recipient: party, payoutId: payout.id },
  ]);
  expect(many.map(({ outcome }) => outcome)).toEqual(['accepted', 'duplicate']);
  console.log(
    many,
    await malipo.wallets.balances(),
    await malipo.toolkit.predictProvider('+250 783 456 789'),
  );
});
