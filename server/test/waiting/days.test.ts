// Whatever keeps a day of an operator account from being signed, or differs in it, can be ended by two people.
import { afterAll, beforeAll, describe } from 'vitest';
import { topUp } from '../payments.ts';
import { DAY_WAYS } from './days.ts';
import { testWays } from './ways.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await topUp(world.gateway, world.gateway.merchantId, '100000');
});
afterAll(() => world.gateway.stop());

describe('a day', () => testWays(DAY_WAYS, () => world));
