// Every state in which money of a wallet waits, beside payments, can be ended by a person.
import { afterAll, beforeAll, describe } from 'vitest';
import { topUp } from '../payments.ts';
import { MONEY_WAYS } from './money.ts';
import { testWays } from './ways.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await topUp(world.gateway, world.gateway.merchantId, '100000');
});
afterAll(() => world.gateway.stop());

describe('money of a wallet', () => testWays(MONEY_WAYS, () => world));
