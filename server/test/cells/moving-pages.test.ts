// What pages say of payers goes with their merchant.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkoutRequest } from '../checkouts.ts';
import { call, payer } from '../gateway.ts';
import { moveBetween, openTwoCells, type TestCell, type TwoCells } from '../two-cells.ts';

let cells: TwoCells;
beforeAll(async () => {
  cells = await openTwoCells({ role: 'api' });
});
afterAll(() => cells.stop());

async function ordersIn({ engine }: TestCell): Promise<readonly (string | null)[]> {
  const { rows } = await engine.store.database.query<{ text: string | null }>(
    `select encode(encrypted_order, 'hex') as text from checkouts
     union all select encode(encrypted_order, 'hex') from payment_pages`,
  );
  return rows.map(({ text }) => text);
}

test('Pages of a merchant that has moved say nothing of payers in the old cell, and come back with the merchant.', async () => {
  const { one, two, merchant } = cells;
  const gateway = { ...one, ...merchant };
  const { type, accountDetails } = payer('MTN_MOMO_RWA', '250783456781');
  const known = { type, accountDetails: { ...accountDetails, allowCustomerToOverride: true } };
  const request = checkoutRequest({ countries: ['RWA'], payer: known });
  expect((await call(gateway, 'POST', '/v2/checkouts', request)).body).toMatchObject({ status: 'ACCEPTED' });
  const page = {
    depositId: request['checkoutId'],
    returnUrl: 'https://shop.example/cart',
    phoneNumber: '250783456781',
  };
  expect((await call(gateway, 'POST', '/v2/paymentpage', page)).body).toHaveProperty('redirectUrl');
  const orders = await ordersIn(one);
  expect(orders).toHaveLength(2);
  await moveBetween(cells, one, two);
  expect(await ordersIn(one)).toEqual([null, null]);
  expect(await ordersIn(two)).toEqual(orders);
  await moveBetween(cells, two, one);
  expect(await ordersIn(one)).toEqual(orders);
  expect(await ordersIn(two)).toEqual([null, null]);
});
