// A thief with a valid token tries to empty a wallet in every way the API has. Limits for each token, which production
// has without any setting, bound what leaves.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeLimit } from '../../src/core/limits/set-limits.ts';
import { actorNamed } from '../approvals.ts';
import { openAccount, openToken, type Account } from '../edge/accounts.ts';
import { call, openTestGateway, payer, select, type TestGateway } from '../gateway.ts';
import { depositFrom, startCompleted, topUp } from '../payments.ts';
import { payoutRequest, refundRequest, remittanceRequest, wallet } from '../requests.ts';
import { earlierPayout, earlierRefund } from '../v1.ts';
import { beginHour, limitOf, PROVIDER, UNIT } from './limited-merchants.ts';

const MOST = 1_000;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ tokenLimits: new Map([['RWF', BigInt(MOST) * UNIT]]) });
  await beginHour(gateway);
});
afterAll(() => gateway.stop());

async function openWealthy(): Promise<Account> {
  const account = await openAccount(gateway, { operations: ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'] });
  await gateway.engine.store.database.query(
    `update merchants set operations = operations || '{SPLIT_PAYMENT}' where merchant_id = $1`,
    [account.merchantId],
  );
  await topUp(gateway, account.merchantId, '100000');
  return account;
}

/** What left, or may still leave, by kind. */
async function leftOf({ merchantId }: Account): Promise<Record<string, number>> {
  const rows = await select(
    gateway,
    `select kind, sum(amount)::int as amount from payments
     where merchant_id = $1 and kind <> 'DEPOSIT' and state <> 'FAILED' group by kind`,
    [merchantId],
  );
  return Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount]));
}

const bulk = (request: () => unknown) => Array.from({ length: 5 }, request);

test('a stolen token gets at most what the default lets one token send in a day, whichever way it tries', async () => {
  const account = await openWealthy();
  const deposit = depositFrom(PROVIDER, '250783456789');
  const deposits = await Promise.all(
    Array.from({ length: 4 }, () =>
      startCompleted(account, 'deposit', { ...deposit, depositId: randomUUID(), amount: '400' }),
    ),
  );
  const amount = '300';
  const [v2, v1] = [() => payoutRequest({ amount }), () => earlierPayout({ amount })];
  const abroad = () => remittanceRequest({ amount });
  const split = () => ({
    splitPaymentId: randomUUID(),
    amount: '1000',
    currency: 'RWF',
    payer: payer(PROVIDER, '250783456789'),
    splits: [1, 2].map(() => ({
      payoutId: randomUUID(),
      amount,
      recipient: wallet(PROVIDER, '250783456789'),
    })),
  });
  const tries: readonly (readonly [string, unknown])[] = [
    ...bulk(v2).map((body) => ['/v2/payouts', body] as const),
    ['/v2/payouts/bulk', bulk(v2)],
    ['/payouts', v1()],
    ['/payouts/bulk', bulk(v1)],
    ...bulk(abroad).map((body) => ['/v2/remittances', body] as const),
    ['/v2/remittances/bulk', bulk(abroad)],
    ...deposits.map((id, index) =>
      index % 2 === 0
        ? (['/v2/refunds', refundRequest(id)] as const)
        : (['/refunds', earlierRefund(id)] as const),
    ),
    ...[split(), split()].map((body) => ['/v2/split-payments', body] as const),
  ];
  const answers = await Promise.all(tries.map(([path, body]) => call(account, 'POST', path, body)));
  expect(answers.some(({ body }) => body['failureReason']?.failureCode === 'PAYOUTS_NOT_ALLOWED')).toBe(true);
  const left = await leftOf(account);
  for (const kind of ['PAYOUT', 'REFUND', 'REMITTANCE']) {
    expect(left[kind]).toBeGreaterThan(0);
    expect(left[kind]).toBeLessThanOrEqual(MOST);
  }
  // Another token of the merchant still works.
  const other = await openToken(gateway, account.merchantId);
  expect((await call(other, 'POST', '/v2/payouts', v2())).body).toMatchObject({ status: 'ACCEPTED' });
});

test('a limit of the merchant replaces the default, and to loosen it takes two people', async () => {
  const account = await openWealthy();
  const { merchantId } = account;
  const { countMax: _, amountMax: __, ...key } = limitOf({ scope: 'TOKEN' });
  const set = (most: number | null) =>
    changeLimit(gateway.engine, {
      merchantId,
      key,
      maxima: most === null ? null : { countMax: null, amountMax: BigInt(most) * UNIT },
      actor: actorNamed('Ana'),
      secondApprover: 'REQUIRED',
    });
  const pay = async (amount: string) =>
    (await call(account, 'POST', '/v2/payouts', payoutRequest({ amount }))).body['status'];
  expect(await set(MOST + 1)).toBe('REQUESTED');
  expect(await set(500)).toBe('DONE');
  expect([await pay('600'), await pay('500')]).toEqual(['REJECTED', 'ACCEPTED']);
  // Without its own limit the default would let more through.
  expect(await set(null)).toBe('REQUESTED');
});
