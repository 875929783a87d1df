// Every state in which a payment, its review, its split payment or its checkout waits can be ended by a person.
import { afterAll, beforeAll, describe } from 'vitest';
import { topUp } from '../payments.ts';
import { PAYMENT_WAYS } from './payments.ts';
import { followDays } from './report-files.ts';
import { testWays } from './ways.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await topUp(world.gateway, world.gateway.merchantId, '100000');
  await followDays(world);
});
afterAll(() => world.gateway.stop());

describe('a payment', () => testWays(PAYMENT_WAYS, () => world));
