// A day of an operator account with a few hundred payments, clean and with one difference of each kind.
import { afterAll, beforeAll, test } from 'vitest';
import { openTestGateway, type TestGateway } from '../gateway.ts';
import { closeTwoDays } from './day.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(() => gateway.stop());

test('a day is zero, or names every difference with its payment, and two people sign it', async () => {
  await closeTwoDays(gateway, 200);
});
