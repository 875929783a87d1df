// The same with 10,000 payments a day: for the two days four to five minutes of a processor.
import { afterAll, beforeAll, test } from 'vitest';
import { openTestGateway, type TestGateway } from '../gateway.ts';
import { closeTwoDays } from './day.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(() => gateway.stop());

test('10,000 payments a day are zero, or every difference is named with its payment', async () => {
  await closeTwoDays(gateway, 10_000);
}, 1_800_000);
